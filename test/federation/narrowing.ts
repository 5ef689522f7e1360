/**
 * Tables as resources that give only what they are handed asks for (predicates, order, limit), as resources that take
 * nothing, and as tables of PostgreSQL. What is passed wrongly is a wrong answer of the first kind.
 */
import { Database, defineResource, type ResourceColumn, type ResourceTable, type Row } from "../../src/index.js";
import type { Bindings, Qual, ResourceContext } from "../../src/resources/resource.js";

/** What one call was handed. */
export interface Handed {
  readonly table: string;
  readonly columns: readonly string[];
  readonly quals: readonly Qual[];
  readonly limit?: number;
  readonly orderBy?: readonly string[];
}

const operators: Readonly<Record<string, ResourceColumn["operators"]>> = {
  bigint: [">", ">=", "<", "<=", "<>", "is null", "is not null"],
  text: [">", ">=", "<", "<=", "<>", "like", "ilike", "is null", "is not null"],
  timestamptz: [">", ">=", "<", "<=", "<>", "is null", "is not null"],
  boolean: ["<>", "is null", "is not null"],
  jsonb: ["@>", "is null", "is not null"],
  "text[]": ["@>", "is null", "is not null"],
};

/** Column → type, the same for every table; `id` is unique. */
export const columnTypes: Readonly<Record<string, string>> = {
  id: "bigint",
  k: "bigint",
  n: "bigint",
  s: "text",
  at: "timestamptz",
  ok: "boolean",
  doc: "jsonb",
  tags: "text[]",
};

const strings = ["ant", "bee", "Bee", "cat", "a%b", "", null];
const instants = ["2024-01-01T00:00:00Z", "2024-03-10T06:30:00Z", "2024-03-10T07:30:00Z", "2024-07-01T12:00:00Z", null];
const documents = [{ k: 1 }, { k: 1, l: [1, 2] }, { k: 2 }, [1, 2], null];
const lists = [["p"], ["p", "q"], [], ["q"], null];
const truths = [true, false, null];

function rowsOf(seed: number, count: number): Row[] {
  const pick = <T>(list: readonly T[], i: number): T => list[i % list.length];
  return Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    k: pick([1, 2, 3, null, 2, 4], i * seed + seed),
    n: pick([1, 2, 3, 4, null, 3, 5], i * (seed + 1) + seed),
    s: pick(strings, i * (seed + 2)),
    at: pick(instants, i * seed + 1),
    ok: pick(truths, i + seed),
    doc: pick(documents, i * 3 + seed),
    tags: pick(lists, i * 2 + seed),
  }));
}

export const tableRows: Readonly<Record<string, readonly Row[]>> = {
  a: rowsOf(1, 13),
  b: rowsOf(2, 11),
  c: rowsOf(3, 9),
  d: rowsOf(4, 8),
  e: rowsOf(5, 10),
};

/** How the resources differ: `a` is exact in everything. */
const options: Readonly<Record<string, Partial<ResourceTable>>> = {
  a: { exact: true },
  // Looks at arguments only: predicates beyond equality are checked here.
  b: {},
  c: { exact: true },
  // Needs one of two keys.
  d: { keyAlternatives: [["id", "k"]] },
  // Takes two values of its key at a time.
  e: { exact: true, batch: { keys: 2 } },
};

/** `c` takes a few operators only. */
function operatorsOf(table: string, type: string): ResourceColumn["operators"] {
  const all = operators[type] ?? [];
  return table === "c"
    ? all.filter((operator) => operator === ">" || operator === "like" || operator === "is null")
    : all;
}

/** Databases over the same rows: one whose resources take all that they can, one whose resources take nothing. */
export interface Worlds {
  readonly narrow: Database;
  readonly plain: Database;
  /** What the calls of `narrow` were handed since the last time. */
  take(): Handed[];
}

export async function pushdownWorlds(): Promise<Worlds> {
  const handed: Handed[] = [];
  const narrow = await Database.create();
  narrow.registerAll(Object.keys(tableRows).map((name) => narrowing(name, handed)));
  const plain = await Database.create();
  plain.registerAll(Object.keys(tableRows).map(takingNothing));
  return { narrow, plain, take: () => handed.splice(0) };
}

function narrowing(name: string, handed: Handed[]): ResourceTable {
  return defineResource({
    name,
    volatility: "volatile",
    columns: Object.entries(columnTypes).map(([column, type]) => ({
      name: column,
      type,
      operators: operatorsOf(name, type),
      ...(name === "e" && column === "k" && { requiredKey: true, nullable: true }),
    })),
    ...options[name],
    accepts: { limit: true, orderBy: ["id", "k", "n", "s", "at"] },
    select: (bindings, context) => {
      handed.push({
        table: name,
        columns: [...bindings.eq.keys()].sort(),
        quals: bindings.quals,
        ...(context.limit !== undefined && { limit: context.limit }),
        ...(context.orderBy !== undefined && {
          orderBy: context.orderBy.map(({ column, descending }) => `${column}${descending ? " desc" : ""}`),
        }),
      });
      return answer(name, bindings, context);
    },
  });
}

function takingNothing(name: string): ResourceTable {
  return defineResource({
    name,
    volatility: "volatile",
    columns: Object.entries(columnTypes).map(([column, type]) => ({ name: column, type, equality: false })),
    select: () => tableRows[name],
  });
}

function answer(name: string, bindings: Bindings, context: ResourceContext): Row[] {
  let found = tableRows[name].filter(
    (row) =>
      [...bindings.eq].every(([column, values]) => values.some((value) => order(row[column], value, column) === 0)) &&
      (name === "b" || bindings.quals.every((qual) => holds(qual, row[qual.column]))),
  );
  const { orderBy, limit } = context;
  if (orderBy !== undefined) found = [...found].sort((x, y) => inOrder(x, y, orderBy));
  // What is not ordered may come in any order: the last rows first, so that nobody relies on another one.
  else found = [...found].reverse();
  return limit === undefined ? found : found.slice(0, limit);
}

/** NULLs last, and first where the order descends. */
function inOrder(x: Row, y: Row, orderBy: NonNullable<ResourceContext["orderBy"]>): number {
  for (const { column, descending } of orderBy) {
    const [a, b] = [x[column], y[column]];
    const ascending = a === null || b === null ? Number(a === null) - Number(b === null) : order(a, b, column);
    if (ascending !== 0) return descending ? -ascending : ascending;
  }
  return 0;
}

/** `NaN` when one is NULL, so that no comparison holds. */
function order(a: unknown, b: unknown, column: string): number {
  if (a === null || b === null) return Number.NaN;
  if (columnTypes[column] === "timestamptz") return Date.parse(String(a)) - Date.parse(String(b));
  return a === b ? 0 : (a as string) < (b as string) ? -1 : 1;
}

function holds({ column, operator, value }: Qual, actual: unknown): boolean {
  switch (operator) {
    case "is null":
      return actual === null;
    case "is not null":
      return actual !== null;
    case "like":
      return typeof actual === "string" && pattern(String(value), "s").test(actual);
    case "ilike":
      return typeof actual === "string" && pattern(String(value), "si").test(actual);
    case "@>":
      return actual !== null && contains(actual, value);
    case ">":
      return order(actual, value, column) > 0;
    case ">=":
      return order(actual, value, column) >= 0;
    case "<":
      return order(actual, value, column) < 0;
    case "<=":
      return order(actual, value, column) <= 0;
    case "<>":
      return Math.abs(order(actual, value, column)) > 0;
  }
}

function pattern(like: string, flags: string): RegExp {
  const source = like.replaceAll(/\\(.)|%|_|[^\\%_]/gs, (part, escaped: string | undefined) => {
    if (part === "%") return ".*";
    if (part === "_") return ".";
    return (escaped ?? part).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, flags);
}

function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((item) => whole.some((own) => contains(own, item)));
  if (typeof part === "object" && part !== null) {
    if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return false;
    return Object.entries(part).every(
      ([key, value]) => Object.hasOwn(whole, key) && contains((whole as Row)[key], value),
    );
  }
  // An array contains the plain value that is one of its elements.
  return whole === part || (Array.isArray(whole) && whole.includes(part));
}

/** The tables for a PostgreSQL server. */
export function tableStatements(): string[] {
  return Object.entries(tableRows).flatMap(([name, rows]) => [
    `CREATE TABLE ${name} (${Object.entries(columnTypes)
      .map(([column, type]) => `${column} ${type}`)
      .join(", ")})`,
    `INSERT INTO ${name} VALUES ${rows
      .map(
        (row) =>
          `(${Object.entries(columnTypes)
            .map(([column, type]) => literal(row[column], type))
            .join(", ")})`,
      )
      .join(", ")}`,
  ]);
}

function literal(value: unknown, type: string): string {
  if (value === null || value === undefined) return "NULL";
  if (Array.isArray(value) && type === "text[]") return `'{${value.join(",")}}'`;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return `'${text}'::${type}`;
}
