/**
 * One call of a read: its identity, the invocation of the resolver, and the rows it gave, whatever form they came in.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { createBindings } from "./bindings.js";
import type { Qual, ResourceContext, Row } from "./resource.js";
import type { RegisteredResource } from "./table-info.js";

/** A read with all its arguments known. */
export interface ResourceCall {
  readonly table: RegisteredResource;
  /** Column name → host values, without duplicates. */
  readonly values: ReadonlyMap<string, readonly unknown[]>;
  /** Predicates beyond equality. */
  readonly quals?: readonly Qual[];
  readonly columns: readonly string[];
  readonly limit?: number;
  readonly orderBy?: NonNullable<ResourceContext["orderBy"]>;
}

/** A text that is the same exactly for calls that must give the same rows: table, arguments, columns, order, limit. */
export function callIdentity(call: ResourceCall): string {
  const values = [...call.values]
    .map(([column, bound]) => [column, bound.map(identityOf).sort()] as const)
    .sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const quals = (call.quals ?? [])
    .map(({ column, operator, value }) => JSON.stringify([column, operator, identityOf(value)]))
    .sort();
  return JSON.stringify([
    call.table.schema,
    call.table.name,
    values,
    quals,
    [...call.columns].sort(),
    call.orderBy ?? null,
    call.limit ?? null,
  ]);
}

/** Tells values of different types apart: `1`, `"1"`, `1n`, a Date and a document are five arguments. */
function identityOf(value: unknown): string {
  if (value instanceof Date) return `d${value.getTime()}`;
  if (typeof value === "object" && value !== null) return `j${JSON.stringify(value)}`;
  return `${(typeof value)[0]}${String(value)}`;
}

/**
 * Invokes the resolver and collects its rows; the key columns that it leaves out are filled in from the arguments.
 * @throws SqlError HV000 with the tool's own words in the detail; 57014 when the statement was cancelled
 */
export async function invoke(call: ResourceCall, context: ResourceContext): Promise<readonly Row[]> {
  const { table } = call;
  const select = table.resource.select;
  if (select === undefined)
    throw new SqlError(sqlstate.objectNotInPrerequisiteState, `table "${table.name}" cannot be read`);
  context.signal.throwIfAborted();
  let rows: readonly Row[];
  try {
    const read = async () =>
      collectRows(await select.call(table.resource, createBindings(call.values, call.quals), context), context.signal);
    rows = await untilAborted(read(), context.signal);
  } catch (error) {
    throw callFailed(call, error, context.signal);
  }
  checkRows(call, rows);
  return stampKeys(call, rows);
}

async function collectRows(answer: unknown, signal: AbortSignal): Promise<readonly Row[]> {
  if (answer === null || answer === undefined) return [];
  if (Array.isArray(answer)) return answer as Row[];
  if (typeof answer === "object" && Symbol.asyncIterator in answer) {
    const rows: Row[] = [];
    for await (const page of answer as AsyncIterable<readonly Row[]>) {
      signal.throwIfAborted();
      for (const row of page) rows.push(row);
    }
    return rows;
  }
  // A Set, a Map or a generator would pass for one row without values.
  if (typeof answer === "object" && Symbol.iterator in answer) {
    throw new TypeError(`it gave a ${kindOf(answer)}; give an array, one row, null, or pages (an async iterable)`);
  }
  return [answer as Row];
}

/** @throws SqlError HV000 for a row that is no object, and for one that has values but none for a column of the table */
function checkRows(call: ResourceCall, rows: readonly unknown[]): void {
  const bad = rows.findIndex((row) => !isRow(row));
  if (bad !== -1) {
    const row = rows[bad];
    const kind = row === null ? "null" : Array.isArray(row) ? "an array" : kindOf(row);
    throw new SqlError(sqlstate.fdwError, `resource "${call.table.name}" gave a row that is not an object`, {
      detail: `Row ${bad + 1} is ${kind}.`,
    });
  }
  const { columns } = call.table;
  const strange = (rows as readonly Row[]).findIndex((row) => !columns.some(({ name }) => name in row));
  if (strange === -1) return;
  const names = Object.keys(rows[strange] as Row);
  if (names.length === 0) return;
  // All NULL would be a wrong answer: the rows lie deeper in the answer, or their names differ.
  throw new SqlError(sqlstate.fdwError, `resource "${call.table.name}" gave a row without any of its columns`, {
    detail: `Row ${strange + 1} has: ${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}.`,
    hint: `The columns are: ${columns.map(({ name }) => name).join(", ")}. Take the rows out of the answer, or rename their fields.`,
  });
}

function isRow(row: unknown): boolean {
  return (
    typeof row === "object" &&
    row !== null &&
    !Array.isArray(row) &&
    !(row instanceof Promise) &&
    !(row instanceof Date) &&
    !(Symbol.iterator in row)
  );
}

/** What a value is, for a message: its class where it has one. */
function kindOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/** Rows are copied only where a key is missing; a resolver's own objects are never written to. */
function stampKeys(call: ResourceCall, rows: readonly Row[]): readonly Row[] {
  const stamps: [string, unknown][] = [];
  for (const column of call.table.columns) {
    if (column.requiredKey !== true && column.argument !== true) continue;
    const values = call.values.get(column.name);
    if (values !== undefined && values.length === 1) stamps.push([column.name, values[0]]);
  }
  if (stamps.length === 0) return rows;
  return rows.map((row) => {
    const missing = stamps.filter(([name]) => !Object.hasOwn(row, name) || row[name] === undefined);
    return missing.length === 0 ? row : { ...row, ...Object.fromEntries(missing) };
  });
}

/** A failing tool in the words of a database error; a SqlError of its own and a cancellation stay what they are. */
export function callFailed(call: ResourceCall, error: unknown, signal: AbortSignal): SqlError {
  if (signal.aborted) return canceled(signal);
  if (error instanceof SqlError) return error;
  const words = errorWords(error);
  const given = [...call.values].map(
    ([column, values]) => `${column} = ${values.map((value) => JSON.stringify(value)).join(", ")}`,
  );
  return new SqlError(sqlstate.fdwError, `reading table "${call.table.name}" failed`, {
    detail: `${words}${given.length > 0 ? ` (called with ${given.join("; ")})` : ""}`,
    cause: error,
  });
}

/** What was thrown, in words, whatever it was. */
export function errorWords(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  if (typeof error !== "object" || error === null) return error === undefined ? "no reason was given" : String(error);
  const { message } = error as { message?: unknown };
  if (typeof message === "string" && message !== "") return message;
  try {
    return JSON.stringify(error);
  } catch {
    return kindOf(error); // it refers to itself
  }
}

/** The promise, given up as soon as the signal says so: a resolver that does not look at its signal cannot hold the statement. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The error of a cancelled statement; the reason of the signal says whether it was the user or the clock. */
export function canceled(signal: AbortSignal): SqlError {
  if (signal.reason instanceof SqlError) return signal.reason;
  const timedOut = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
  return new SqlError(
    sqlstate.queryCanceled,
    timedOut ? "canceling statement due to statement timeout" : "canceling statement due to user request",
    { cause: signal.reason },
  );
}
