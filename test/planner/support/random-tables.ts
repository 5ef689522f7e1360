/** Small tables of random rows with many NULLs and few different values, so that every join finds and misses partners. */
import type { TestTable } from "../../engine/dataset.js";

/** Numbers below a bound, the same ones for the same seed. */
export function generator(seed: number): (below: number) => number {
  let state = (seed * 2654435761) >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 13), 3266489917) >>> 0;
    mixed = (mixed ^ (mixed >>> 16)) >>> 0;
    return mixed % below;
  };
}

const words = ["ant", "bee", "cat", "dog", ""];
const numbers = ["1.0", "1.00", "2.5", "-3", "0"];

export function randomTables(seed: number): readonly TestTable[] {
  const next = generator(seed);
  const maybe = <T>(value: T): T | null => (next(4) === 0 ? null : value);
  const rows = (count: number, make: (i: number) => Record<string, unknown>) =>
    Array.from({ length: count }, (_, i) => make(i));
  const column = (name: string, type: string) => ({ name, type });
  return [
    {
      name: "t",
      primaryKey: ["id"],
      columns: [
        column("id", "int4"),
        column("a", "int4"),
        column("b", "int4"),
        column("s", "text"),
        column("n", "numeric"),
      ],
      rows: rows(12, (i) => ({
        id: i + 1,
        a: maybe(next(5)),
        b: maybe(next(5)),
        s: maybe(words[next(5)]),
        n: maybe(numbers[next(5)]),
      })),
    },
    {
      name: "u",
      primaryKey: ["id"],
      columns: [
        column("id", "int4"),
        column("t_id", "int4"),
        column("a", "int4"),
        column("b", "int8"),
        column("s", "text"),
        column("f", "bool"),
      ],
      rows: rows(18, (i) => ({
        id: i + 1,
        t_id: maybe(1 + next(14)),
        a: maybe(next(5)),
        b: maybe(next(5)),
        s: maybe(words[next(5)]),
        f: maybe(next(2) === 0),
      })),
    },
    {
      name: "v",
      primaryKey: ["id"],
      columns: [
        column("id", "int4"),
        column("u_id", "int4"),
        column("a", "int4"),
        column("n", "numeric"),
        column("d", "date"),
      ],
      rows: rows(14, (i) => ({
        id: i + 1,
        u_id: maybe(1 + next(20)),
        a: maybe(next(5)),
        n: maybe(numbers[next(5)]),
        d: maybe(`2024-0${1 + next(3)}-01`),
      })),
    },
    {
      name: "w",
      primaryKey: [],
      columns: [column("x", "int4"), column("y", "int4")],
      rows: rows(8, () => ({ x: maybe(next(5)), y: maybe(next(5)) })),
    },
    { name: "e", primaryKey: [], columns: [column("x", "int4"), column("s", "text")], rows: [] },
  ];
}

/** The tables as statements, for a PostgreSQL server. */
export function tableStatements(tables: readonly TestTable[]): string[] {
  return tables.flatMap(({ name, columns, rows, primaryKey }) => {
    const definitions = columns.map((column) => `${column.name} ${column.type}`);
    if (primaryKey.length > 0) definitions.push(`PRIMARY KEY (${primaryKey.join(", ")})`);
    const values = rows.map((row) => `(${columns.map((column) => literal(row[column.name])).join(", ")})`);
    return [
      `CREATE TABLE ${name} (${definitions.join(", ")})`,
      ...(values.length > 0 ? [`INSERT INTO ${name} VALUES ${values.join(", ")}`] : []),
    ];
  });
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  return typeof value === "string" ? `'${value}'` : String(value);
}
