/**
 * Reads sqllogictest scripts: records divided by empty lines.
 *
 *     statement ok | error [SQLSTATE] | count N
 *     query TYPES [nosort|rowsort|valuesort]     see typeLetters
 *     skipif NAME, onlyif NAME                   for the record below; the rest of the line is the reason
 *     # a comment
 *
 * A row is a line, its values divided by tabs; `()` is a row without columns. Values are written as results show them: `NULL`, `(empty)` for an empty
 * string, JSON for arrays and objects.
 */

export interface SltStatement {
  readonly kind: "statement";
  readonly expect: "ok" | "error" | "count";
  readonly sqlstate?: string;
  readonly count?: number;
}

export interface SltQuery {
  readonly kind: "query";
  readonly types: string;
  readonly sort: SltSort;
  readonly rows: readonly (readonly string[])[];
}

export type SltSort = "nosort" | "rowsort" | "valuesort";

export type SltRecord = (SltStatement | SltQuery) & {
  readonly sql: string;
  /** Of the record's first line. */
  readonly line: number;
  readonly skipIf: readonly string[];
  readonly onlyIf: readonly string[];
};

/** @throws Error naming the line of something that is none of the forms above */
export function readSlt(text: string): SltRecord[] {
  const lines = text.split("\n");
  const records: SltRecord[] = [];
  let at = 0;
  while (at < lines.length) {
    if (lines[at].trim() === "" || lines[at].startsWith("#")) {
      at++;
      continue;
    }
    const end = lines.findIndex((line, i) => i > at && line.trim() === "");
    const stop = end < 0 ? lines.length : end;
    records.push(readRecord(lines.slice(at, stop), at + 1));
    at = stop;
  }
  return records;
}

function readRecord(lines: readonly string[], line: number): SltRecord {
  const skipIf: string[] = [];
  const onlyIf: string[] = [];
  let at = 0;
  for (; at < lines.length; at++) {
    const [word, name] = lines[at].split(/\s+/);
    if (word === "skipif") skipIf.push(name);
    else if (word === "onlyif") onlyIf.push(name);
    else if (!lines[at].startsWith("#")) break;
  }
  const [word, ...options] = (lines[at] ?? "").trim().split(/\s+/);
  const body = lines.slice(at + 1);
  const common = { line, skipIf, onlyIf };
  if (word === "statement") return { ...readStatement(options, line), sql: body.join("\n"), ...common };
  if (word !== "query") throw new Error(`line ${line + at}: "${word}" is no record`);
  const divider = body.findIndex((item) => item.startsWith("----"));
  if (divider < 0) throw new Error(`line ${line + at}: a query needs ---- and its rows`);
  const [types = "", sort = "nosort"] = options;
  if (sort !== "nosort" && sort !== "rowsort" && sort !== "valuesort") {
    throw new Error(`line ${line + at}: "${sort}" is no way to sort`);
  }
  const rows = body.slice(divider + 1).map(valuesOf);
  return { kind: "query", types, sort, rows, sql: body.slice(0, divider).join("\n"), ...common };
}

function readStatement(options: readonly string[], line: number): SltStatement {
  const [expect, detail] = options;
  switch (expect) {
    case "ok":
      return { kind: "statement", expect };
    case "error":
      return { kind: "statement", expect, ...(detail && { sqlstate: detail }) };
    case "count":
      return { kind: "statement", expect, count: Number(detail) };
    default:
      throw new Error(`line ${line}: a statement is ok, error or count, not "${expect}"`);
  }
}

function valuesOf(line: string): string[] {
  return line.split("\t");
}

/** A value of a result as a script shows it. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (value === "") return "(empty)";
  const text = typeof value === "object" ? JSON.stringify(sortedKeys(value)) : String(value);
  return text.replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r");
}

/** The same value with the keys of its objects in order: jsonb has an order of its own, which rows do not keep. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortedKeys(item)]));
}

/** Rows as a script shows them, sorted as the record says. */
export function shownRows(rows: readonly (readonly unknown[])[], sort: SltSort): string[][] {
  const shown = rows.map((row) => (row.length === 0 ? ["()"] : row.map(shownValue)));
  if (sort === "rowsort") return shown.sort((a, b) => compareText(a.join("\t"), b.join("\t")));
  if (sort === "valuesort") {
    return shown
      .flat()
      .sort(compareText)
      .map((value) => [value]);
  }
  return shown;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const letters: Readonly<Record<string, string>> = {
  int2: "I",
  int4: "I",
  int8: "I",
  oid: "I",
  numeric: "R",
  float4: "R",
  float8: "R",
  bool: "B",
};

/** The letters of a query's columns by their types: I integer, R other numbers, B boolean, T everything else. */
export function typeLetters(types: readonly string[]): string {
  return types.length === 0 ? "-" : types.map((type) => letters[type] ?? "T").join("");
}
