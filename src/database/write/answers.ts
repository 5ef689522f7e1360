/** What verbs answer, laid over the written rows for RETURNING, and what is said where they do not answer. */

import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { SessionContext } from "../../functions/function.js";
import { columnsOf } from "../../planner/visit.js";
import type { Row } from "../../resources/resource.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import { operationsOf } from "../../types/families.js";
import type { Value } from "../../types/value.js";
import type { Notice } from "../types.js";
import type { MadeWrite, WrittenRow } from "./made-write.js";

/** The written rows as the service keeps them, as far as it says so. */
export interface AnsweredRows {
  readonly rows: readonly (readonly Value[])[];
  /** Whether a column that RETURNING mentions has become another. */
  readonly isChanged: boolean;
  /** Columns (indexes) that RETURNING mentions and nobody said. */
  readonly missing: readonly number[];
}

/** @param answers of the node's effects, in order; `undefined` where there is none yet */
export function answered(made: MadeWrite, answers: readonly unknown[], session: SessionContext): AnsweredRows {
  const mentioned = returnedSources(made);
  const missing = new Set<number>();
  let isChanged = false;
  const rows = made.rows.map((row) => {
    if (mentioned.size === 0) return row.values;
    const effect = made.effects[row.effect];
    const object = effect.op === "delete" ? undefined : rowIn(answers[row.effect], row.at, effect.rows?.length ?? 1);
    const unsaid = new Set(row.unsaid);
    const values = row.values.map((value, source) => {
      const said = object === undefined ? undefined : valueIn(made.table, object, source, session);
      if (said === undefined) return value;
      unsaid.delete(source);
      if (said !== value && mentioned.has(source)) isChanged = true;
      return said;
    });
    for (const source of unsaid) if (mentioned.has(source)) missing.add(source);
    return values;
  });
  return { rows, isChanged, missing: [...missing].sort((a, b) => a - b) };
}

/** Which columns of the written row RETURNING mentions, as indexes. */
function returnedSources({ node, returned }: MadeWrite): ReadonlySet<number> {
  const sources = new Set<number>();
  if (node.kind === "Merge" || node.returning === undefined) return sources;
  const ids = new Set<number>();
  node.returning.forEach(({ expr }, position) => {
    if (returned?.has(position) !== false) columnsOf(expr, ids);
  });
  node.rowColumns.forEach((column, source) => {
    if (ids.has(column.id)) sources.add(source);
  });
  return sources;
}

/** The object for one row of a call: the answer itself, or the element at its place when there is one for each row. */
function rowIn(answer: unknown, at: number, rowsInCall: number): Row | undefined {
  const list: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  const object = list.length === rowsInCall ? list[at] : undefined;
  return typeof object === "object" && object !== null && !Array.isArray(object) ? (object as Row) : undefined;
}

/** What an answer says of a column, in memory form; `undefined` when it does not, or says what is no value of its type. */
function valueIn(table: RegisteredResource, object: Row, source: number, session: SessionContext): Value | undefined {
  const column = table.columns[source];
  if (!Object.hasOwn(object, column.name)) return undefined;
  const value = object[column.name];
  if (value === null || value === undefined) return null;
  return operationsOf(column.type).fromHost(value, column.typmod, session);
}

/**
 * A row that waits for COMMIT has no key yet that the service makes up.
 * @throws SqlError 0A000 where RETURNING asks for what only the service can say and NULL can't stand for
 */
export function refuseUnsaid(made: MadeWrite): void {
  const mentioned = returnedSources(made);
  const { table, node } = made;
  const isNeeded = (row: WrittenRow, source: number) =>
    made.effects[row.effect].op !== "insert" ||
    !table.columns[source].nullable ||
    table.primaryKey.includes(table.columns[source].name);
  const unsaid = new Set(
    made.rows.flatMap((row) => row.unsaid.filter((source) => mentioned.has(source) && isNeeded(row, source))),
  );
  if (unsaid.size === 0) return;
  throw new SqlError(
    sqlstate.featureNotSupported,
    `${named(table, [...unsaid])} of "${table.name}" ${unsaid.size === 1 ? "is" : "are"} not known before COMMIT`,
    {
      position: node.position,
      detail: "Only the service can say, when the write is sent.",
      hint: "Leave it out of RETURNING, or send the write outside a transaction.",
    },
  );
}

/** Says that NULL stands for what nobody said; `undefined` when all was said. */
export function unsaidNotice({ table }: MadeWrite, missing: readonly number[], staging: boolean): Notice | undefined {
  if (missing.length === 0) return undefined;
  const why = staging ? "the service fills it in when the transaction commits" : "the service did not say";
  const readable = table.verbs.includes("select") && !staging;
  return {
    severity: "WARNING",
    code: sqlstate.warning,
    message: `NULL stands for ${named(table, missing)} of "${table.name}" in RETURNING: ${why}`,
    ...(readable && { hint: `Read the row with SELECT.` }),
  };
}

function named(table: RegisteredResource, sources: readonly number[]): string {
  return sources.map((source) => `"${table.columns[source].name}"`).join(", ");
}
