/** A random schema with its rows, the world that the statements of one round are about. */
import { columnNames, ident, oddColumnNames, oddTableNames, quote, tableNames } from "./names.js";
import { makeRng, type Rng } from "./rng.js";
import type { ValueType } from "./tree.js";
import { enumLabels, enumName, literalText, randomValue } from "./values.js";

export type Profile = "core" | "full";
export type ColumnType = Exclude<ValueType, "ts" | "int[]">;

export interface Column {
  readonly name: string;
  readonly type: ValueType;
  /** What kind of values: `id`, `fk`, `small`, `wide`, `num` (text of numbers), `doc` (JSON of one shape), … */
  readonly sub: string | null;
  /** Largest absolute value; sums and products are kept in range by it. */
  readonly m: number;
  /** Share of NULLs. */
  readonly nulls: number;
}

export interface Table {
  readonly name: string;
  readonly cols: readonly Column[];
  /** PostgreSQL's input text. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Columns that identify a row. */
  readonly key: readonly string[] | null;
  /** The key is declared, too. */
  readonly primary: boolean;
}

export interface World {
  readonly seed: number;
  readonly tables: readonly Table[];
}

const columnTypes: Readonly<Record<ColumnType, string>> = {
  int: "integer",
  bigint: "bigint",
  numeric: "numeric(10,2)",
  float: "double precision",
  bool: "boolean",
  text: "text",
  date: "date",
  tstz: "timestamptz",
  jsonb: "jsonb",
  "text[]": "text[]",
  interval: "interval",
  uuid: "uuid",
  enum: enumName,
};

type Weights = readonly (readonly [number, ColumnType])[];

const typeWeights: Readonly<Record<Profile, Weights>> = {
  core: [
    ...([
      [5, "text"],
      [4, "int"],
      [3, "numeric"],
      [2, "bool"],
      [2, "date"],
      [2, "tstz"],
      [1, "float"],
    ] as const),
    ...([
      [1, "bigint"],
      [0.8, "jsonb"],
      [0.4, "text[]"],
      [0.2, "uuid"],
      [0.2, "interval"],
      [0.3, "enum"],
    ] as const),
  ],
  full: [
    ...([
      [3, "text"],
      [3, "int"],
      [2, "numeric"],
      [1.5, "bool"],
      [1.5, "date"],
      [2, "tstz"],
      [1.5, "float"],
    ] as const),
    ...([
      [1.5, "bigint"],
      [2, "jsonb"],
      [1.5, "text[]"],
      [1.2, "interval"],
      [1, "uuid"],
      [1, "enum"],
    ] as const),
  ],
};

function bound(type: ColumnType, sub: string | null): number {
  switch (type) {
    case "int":
      return { small: 10, wide: 2_147_483_648 }[sub ?? ""] ?? 1000;
    case "bigint":
      return sub === "wide" ? 9.3e18 : 1e6;
    case "numeric":
      return sub === "wide" ? 1e8 : 1e4;
    case "float":
      return sub === "wide" ? Number.POSITIVE_INFINITY : 1e4;
    default:
      return 0;
  }
}

function subKind(r: Rng, type: ColumnType, full: boolean): string | null {
  switch (type) {
    case "int":
      return r.weighted([
        [3, "small"],
        [5, "mid"],
        [full ? 1 : 0.5, "wide"],
      ]);
    case "bigint":
      return r.chance(full ? 0.3 : 0.15) ? "wide" : "mid";
    case "numeric":
      return r.chance(0.12) ? "wide" : "mid";
    case "float":
      return r.chance(full ? 0.2 : 0.03) ? "wide" : "mid";
    case "text": {
      const kinds = [
        [4, "name"],
        [3, "status"],
        [2, "city"],
        [1.5, "email"],
        [1.5, "code"],
        [1, "num"],
      ] as const;
      return r.weighted([...kinds, [0.7, "datetext"], [full ? 2.5 : 1, "odd"]]);
    }
    case "date":
    case "tstz":
      return r.chance(full ? 0.15 : 0.05) ? "wide" : "mid";
    case "jsonb":
      return r.chance(full ? 0.6 : 0.85) ? "doc" : "wild";
    default:
      return null;
  }
}

export function makeWorld(seed: number, profile: Profile): World {
  const r = makeRng(Math.imul(seed, 2_654_435_761));
  const odd = profile === "full" ? 0.08 : 0.01;
  const names = new Set<string>();
  const count = r.int(2, 5);
  while (names.size < count) names.add(r.pick(r.chance(odd) ? oddTableNames : tableNames));
  return { seed, tables: [...names].map((name) => makeTable(r, name, [...names], profile, odd)) };
}

function makeTable(r: Rng, name: string, names: readonly string[], profile: Profile, odd: number): Table {
  const cols: Column[] = [];
  const taken = (column: string): boolean => cols.some((known) => known.name === column);
  const keyed = r.chance(0.88);
  if (keyed) cols.push({ name: "id", type: "int", sub: "id", m: 1000, nulls: 0 });
  const width = r.int(3, 8);
  while (cols.length < width) {
    if (r.chance(0.18)) {
      const target = r
        .pick(names)
        .replace(/[^a-z]/g, "_")
        .replace(/s$/, "");
      const column = r.chance(0.25) ? "parent_id" : `${target}_id`;
      if (!taken(column)) {
        cols.push({ name: column, type: "int", sub: "fk", m: 100, nulls: r.pick([0, 0.1, 0.4]) });
        continue;
      }
    }
    const type = r.weighted(typeWeights[profile]);
    const column = r.pick(r.chance(odd) ? oddColumnNames : columnNames[type]);
    const found = subKind(r, type, profile === "full");
    const sub = column === "status" && type === "text" ? "status" : found;
    const nulls = r.weighted([
      [4, 0],
      [4, 0.15],
      [1, 0.5],
    ]);
    if (!taken(column)) cols.push({ name: column, type, sub, m: bound(type, sub), nulls });
  }
  const count = r.weighted([
    [1, 0],
    [1, 1],
    [2, r.int(2, 6)],
    [8, r.int(5, 30)],
    [3, r.int(30, 60)],
  ]);
  const rows: (string | null)[][] = [];
  for (let i = 0; i < count; i++) {
    if (!keyed && i > 0 && r.chance(0.12)) {
      rows.push([...r.pick(rows)]);
      continue;
    }
    rows.push(cols.map((column) => cell(r, column, i, count)));
  }
  return { name, cols, rows, key: keyed ? ["id"] : null, primary: keyed && r.chance(0.5) };
}

function cell(r: Rng, { type, sub, nulls }: Column, row: number, rows: number): string | null {
  if (sub === "id") return String(row + 1);
  if (r.chance(nulls)) return null;
  if (sub === "fk") return String(r.int(1, Math.max(3, Math.min(30, rows + 2))));
  return randomValue(r, type, sub);
}

/** The statements that make a world. */
export function worldSql(world: World): string[] {
  const statements: string[] = [];
  const enums = world.tables.some((table) => table.cols.some((column) => column.type === "enum"));
  if (enums) statements.push(`CREATE TYPE ${enumName} AS ENUM (${enumLabels.map(quote).join(", ")})`);
  for (const { name, cols, rows, key, primary } of world.tables) {
    const columns = cols.map((column) => `${ident(column.name)} ${columnTypes[column.type as ColumnType]}`);
    const keyClause = primary && key !== null ? `, PRIMARY KEY (${key.map(ident).join(", ")})` : "";
    statements.push(`CREATE TABLE ${ident(name)} (${columns.join(", ")}${keyClause})`);
    if (rows.length === 0) continue;
    const tuples = rows.map((row) => `(${row.map((value, i) => literalText(cols[i].type, value)).join(", ")})`);
    statements.push(
      `INSERT INTO ${ident(name)} (${cols.map((column) => ident(column.name)).join(", ")}) VALUES ${tuples.join(", ")}`,
    );
  }
  return statements;
}
