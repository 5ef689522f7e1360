/** Compares an engine's answer with PostgreSQL's: columns, rows, and their order as far as the statement fixes it. */
import { compareValue, type Likeness, parsedJson, textOf } from "./compare-value.js";
import { arrayElements, decimalForm, intervalParts, microseconds, toDouble } from "./postgres-text.js";

/** PostgreSQL's answer: values in its text form, types under their pg_type names. */
export interface WantedAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** An engine's answer; types where it knows them. */
export interface GivenAnswer {
  readonly columns: readonly { readonly name: string; readonly type?: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * What of the order counts: nothing; runs of so many rows each, within which any order is right (a run of one is a row in
 * its place); or the columns (by index) that the statement orders by.
 */
export type RowOrder = "any" | { readonly runs: readonly number[] } | { readonly keys: readonly number[] };

export type DifferenceKind =
  | "row count"
  | "column count"
  | "value"
  | "order"
  | "precision"
  | "scale"
  | "column name"
  | "column type";

export interface Difference {
  readonly kind: DifferenceKind;
  readonly note: string;
  /** Of the column that differs. */
  readonly type?: string;
}

export interface CompareOptions {
  readonly names?: boolean;
  readonly types?: boolean;
  /** Numerics given as text must have PostgreSQL's scale: `1.50`, not `1.5`. */
  readonly strict?: boolean;
}

type WantedRow = WantedAnswer["rows"][number];
type GivenRow = GivenAnswer["rows"][number];

export function compareAnswers(
  want: WantedAnswer,
  got: GivenAnswer,
  order: RowOrder,
  options: CompareOptions = {},
): Difference | undefined {
  const width = want.columns.length;
  if (want.rows.length !== got.rows.length) {
    return { kind: "row count", note: `${want.rows.length} rows, engine ${got.rows.length}` };
  }
  const givenWidth = got.columns.length;
  if (givenWidth !== width) return { kind: "column count", note: `${width} columns, engine ${givenWidth}` };
  const found = compareRows(want, got, order) ?? (options.strict ? compareScales(want, got) : undefined);
  return found ?? compareColumns(want, got, options);
}

function compareRows(want: WantedAnswer, got: GivenAnswer, order: RowOrder): Difference | undefined {
  if (equalInPlace(want, got)) return undefined;
  const asSets = compareSets(want, got);
  if (order === "any" || (asSets !== undefined && asSets.kind !== "precision")) return asSets;
  return ("runs" in order ? compareRuns(want, got, order.runs) : compareKeys(want, got, order.keys)) ?? asSets;
}

/** Rows that are the same as a set: whether each stands in its run. */
function compareRuns(want: WantedAnswer, got: GivenAnswer, runs: readonly number[]): Difference | undefined {
  let at = 0;
  for (const size of runs) {
    const part = { columns: want.columns, rows: want.rows.slice(at, at + size) };
    const found = compareSets(part, { columns: got.columns, rows: got.rows.slice(at, at + size) });
    if (found?.kind === "precision") return found;
    if (found !== undefined) return { ...found, kind: "order", note: `row ${at + 1}, ${found.note}` };
    at += size;
  }
  return undefined;
}

interface Pair {
  readonly want: WantedRow;
  readonly got: GivenRow;
}

function equalInPlace(want: WantedAnswer, got: GivenAnswer): boolean {
  return want.rows.every((row, i) => compareRow(want.columns, row, got.rows[i]) === "same");
}

function compareRow(columns: WantedAnswer["columns"], want: WantedRow, got: GivenRow): Likeness {
  let worst: Likeness = "same";
  for (const [i, { type }] of columns.entries()) {
    const likeness = compareValue(type, want[i], got[i]);
    if (likeness === "different") return likeness;
    if (likeness === "nearly") worst = likeness;
  }
  return worst;
}

/** Above so many rows, those that sort apart because of near-equal numbers are not looked for one by one. */
const searchableRows = 500;

/** Both as multisets. */
function compareSets(want: WantedAnswer, got: GivenAnswer): Difference | undefined {
  const { columns } = want;
  const wanted = sorted(columns, want.rows);
  const given = sorted(columns, got.rows);
  const at = wanted.findIndex((row, i) => compareRow(columns, row, given[i]) !== "same");
  if (at < 0) return undefined;
  const first = { want: wanted[at], got: given[at] };
  if (wanted.length > searchableRows) return inSortedOrder(want, wanted, given);
  const left = new Set(given);
  let nearly: Pair | undefined;
  for (const row of wanted) {
    const likenesses = new Map([...left].map((other) => [other, compareRow(columns, row, other)]));
    const find = (wantedLikeness: Likeness) => [...left].find((other) => likenesses.get(other) === wantedLikeness);
    const match = find("same") ?? find("nearly");
    if (match === undefined) return valueDifference(want, first);
    if (likenesses.get(match) === "nearly") nearly ??= { want: row, got: match };
    left.delete(match);
  }
  return precision(want, nearly);
}

/** The first difference of rows that were sorted by their keys. */
function inSortedOrder(
  want: WantedAnswer,
  wanted: readonly WantedRow[],
  given: readonly GivenRow[],
): Difference | undefined {
  const pairs = wanted.map((row, i) => ({ want: row, got: given[i] }));
  const likeness = (pair: Pair): Likeness => compareRow(want.columns, pair.want, pair.got);
  const different = pairs.find((pair) => likeness(pair) === "different");
  if (different !== undefined) return valueDifference(want, different);
  return precision(
    want,
    pairs.find((pair) => likeness(pair) === "nearly"),
  );
}

function sorted<Row extends readonly unknown[]>(columns: WantedAnswer["columns"], rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, key: columns.map(({ type }, i) => sortKey(type, row[i])).join("\u0001") }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row);
}

/** A text that is the same for equal values, of whatever form. */
function sortKey(type: string, value: unknown): string {
  if (value === null || value === undefined) return "~";
  if (/^(int\d|numeric|oid)/.test(type)) return decimalForm(textOf(value)) ?? textOf(value);
  if (type.startsWith("float")) {
    const number = toDouble(textOf(value));
    return number === undefined ? textOf(value) : Number.isFinite(number) ? number.toPrecision(7) : String(number);
  }
  if (type === "bool") return String(value)[0];
  if (type === "interval") return JSON.stringify(intervalParts(value) ?? textOf(value));
  if (/^(date|timestamp)/.test(type)) {
    const time = microseconds(textOf(value), type === "timestamptz");
    return time === undefined ? textOf(value) : typeof time === "bigint" ? String(time / 1000n) : time;
  }
  if (type.startsWith("json")) {
    const parsed = typeof value === "string" ? parsedJson(value) : undefined;
    return JSON.stringify(sortedKeys(parsed === undefined ? value : parsed.value));
  }
  if (type.startsWith("_")) {
    const items = Array.isArray(value) ? value : (arrayElements(textOf(value)) ?? value);
    return JSON.stringify(items, (_, item: unknown) => (typeof item === "number" ? String(item) : item));
  }
  return textOf(value);
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? Number(value) : value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortedKeys(item)]));
}

function compareKeys(want: WantedAnswer, got: GivenAnswer, keys: readonly number[]): Difference | undefined {
  for (const [i, row] of want.rows.entries()) {
    for (const key of keys.filter((index) => index < want.columns.length)) {
      const { name, type } = want.columns[key];
      if (compareValue(type, row[key], got.rows[i][key], { asOrderSees: true }) !== "different") continue;
      const note = `row ${i + 1}, ${name} (${type}): ${shown(row[key])}, engine ${shown(got.rows[i][key])}`;
      return { kind: "order", note, type };
    }
  }
  return undefined;
}

function compareScales(want: WantedAnswer, got: GivenAnswer): Difference | undefined {
  for (const [i, { name, type }] of want.columns.entries()) {
    if (type !== "numeric") continue;
    const texts = (rows: readonly (readonly unknown[])[]): unknown[] =>
      rows.map((row) => row[i]).filter((value) => typeof value === "string");
    const [wanted, given] = [texts(want.rows).sort(), texts(got.rows).sort()];
    if (given.length !== wanted.length) continue;
    const at = wanted.findIndex((value, k) => value !== given[k]);
    if (at < 0) continue;
    return { kind: "scale", note: `${name}: ${shown(wanted[at])}, engine ${shown(given[at])}`, type };
  }
  return undefined;
}

function compareColumns(want: WantedAnswer, got: GivenAnswer, options: CompareOptions): Difference | undefined {
  for (const [i, column] of want.columns.entries()) {
    const given = got.columns[i];
    if (options.names && column.name !== given.name) {
      return { kind: "column name", note: `"${column.name}", engine "${given.name}"` };
    }
    if (!options.types || given.type === undefined) continue;
    const [wanted, other] = [shortTypeName(column.type), shortTypeName(given.type)];
    if (wanted === other) continue;
    return {
      kind: "column type",
      note: `${column.name}: ${column.type}, engine ${given.type}`,
      type: `${wanted}/${other}`,
    };
  }
  return undefined;
}

const shortNames: Readonly<Record<string, string>> = {
  integer: "int4",
  int: "int4",
  bigint: "int8",
  smallint: "int2",
  boolean: "bool",
  "double precision": "float8",
  real: "float4",
  "timestamp with time zone": "timestamptz",
  "timestamp without time zone": "timestamp",
  "time with time zone": "timetz",
  "time without time zone": "time",
  decimal: "numeric",
  "character varying": "varchar",
  character: "bpchar",
};

/** The pg_type name of a type in any of its spellings. */
export function shortTypeName(type: string): string {
  const plain = type
    .toLowerCase()
    .replace(/\(.*\)/, "")
    .replace(/\s+/g, " ")
    .trim();
  if (plain.endsWith("[]")) return `_${shortTypeName(plain.slice(0, -2))}`;
  return shortNames[plain] ?? plain;
}

function precision(want: WantedAnswer, pair: Pair | undefined): Difference | undefined {
  if (pair === undefined) return undefined;
  return atColumn(want, pair, "precision", "nearly");
}

function valueDifference(want: WantedAnswer, pair: Pair): Difference {
  return atColumn(want, pair, "value", "different");
}

function atColumn(want: WantedAnswer, pair: Pair, kind: DifferenceKind, likeness: Likeness): Difference {
  const found = want.columns.findIndex(({ type }, i) => compareValue(type, pair.want[i], pair.got[i]) === likeness);
  const at = Math.max(0, found);
  const { name, type } = want.columns[at];
  return { kind, note: `${name} (${type}): ${shown(pair.want[at])}, engine ${shown(pair.got[at])}`, type };
}

function shown(value: unknown): string {
  const text = value === null || value === undefined ? "null" : textOf(value);
  const quoted = typeof value === "string" ? JSON.stringify(value) : text;
  return quoted.length > 80 ? `${quoted.slice(0, 77)}…` : quoted;
}
