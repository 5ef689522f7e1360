/**
 * An effect: one call of a writing verb with its final arguments, whether it fires now or waits for COMMIT.
 */
import { quoteName } from "../grammar/deparse.js";
import { sqlLiteral } from "../resources/argument-text.js";
import type { FiredWrite, Row, SqlScalar } from "../resources/resource.js";
import type { RegisteredResource } from "../resources/table-info.js";
import { ownCopy } from "./own-copy.js";
import type { StagedWriteView } from "./types.js";

/** What one call writes. Its values stand twice: in the form of results, and decoded by the schema for the verb. */
export interface Effect {
  readonly table: RegisteredResource;
  readonly op: "insert" | "update" | "delete";
  /** insert: rows as results show them. */
  readonly rows?: readonly Row[];
  /** insert: the same rows as the verb gets them (decoded by the schema). */
  readonly decodedRows?: readonly Row[];
  readonly set?: Row;
  readonly decodedSet?: Row;
  /** update, delete: column → its value as results show it. */
  readonly match?: Row;
  /** The same as the verb gets it. */
  readonly decodedMatch?: Row;
  readonly idempotencyKey: string;
  /** Of its content, where the key is derived from one of the host's: the journal may know the effect from before. */
  readonly hash?: string;
  /** Of the text and parameters of the `execute` that made it, where it was staged under a key of the host's. */
  readonly request?: string;
  /** The fired effect that this one undoes, by the `compensate` of its verb. */
  readonly compensates?: FiredWrite;
}

/** The effect as the reader of `preview()` sees it: a copy, so that nothing the reader does to it is sent. */
export function viewOf(effect: Effect, id: number): StagedWriteView {
  return {
    id,
    resource: effect.table.name,
    op: effect.op,
    sql: effectSql(effect),
    ...(effect.rows !== undefined && { rows: ownCopy([...effect.rows]) }),
    ...(effect.set !== undefined && { set: ownCopy({ ...effect.set }) }),
    ...(effect.match !== undefined && {
      bindings: Object.fromEntries(
        Object.entries(effect.match).map(([column, value]) => [column, [value as SqlScalar]]),
      ),
    }),
    idempotencyKey: effect.idempotencyKey,
  };
}

/** The effect as one SQL statement; one that undoes another says what it undoes. */
function effectSql(effect: Effect): string {
  const undone = effect.compensates === undefined ? "" : "-- undoes\n";
  return `${undone}${writeSql(effect)}`;
}

function writeSql(effect: Effect): string {
  const table = quoteName(effect.table.name);
  switch (effect.op) {
    case "insert": {
      const columns = Object.keys(effect.rows?.[0] ?? {});
      const rows = (effect.rows ?? []).map((row) => `(${columns.map((column) => sqlLiteral(row[column])).join(", ")})`);
      return `INSERT INTO ${table} (${columns.map(quoteName).join(", ")}) VALUES ${rows.join(", ")}`;
    }
    case "update":
      return `UPDATE ${table} SET ${equalities(effect.set, ", ")} WHERE ${equalities(effect.match, " AND ")}`;
    case "delete":
      return `DELETE FROM ${table} WHERE ${equalities(effect.match, " AND ")}`;
  }
}

function equalities(values: Row | undefined, separator: string): string {
  return Object.entries(values ?? {})
    .map(([column, value]) => `${quoteName(column)} = ${sqlLiteral(value)}`)
    .join(separator);
}
