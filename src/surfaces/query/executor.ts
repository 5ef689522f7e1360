/** What typed statements run on, and the forms of answer that they give: all rows, exactly one, the first, a write. */
import type { ExecuteOptions, ExecuteResult, Receipt, StagedWriteView } from "../../database/types.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";

/** Anything that executes SQL: a `Database`, or one of its sessions. */
export interface SqlExecutor {
  execute(sql: string, options?: ExecuteOptions): Promise<ExecuteResult>;
}

/**
 * What can be said of one run. There is no `limit` (a typed statement gives all of its rows) and no `allowPartial`: rows
 * alone could not tell that a part of them is missing.
 */
export type RunOptions = Pick<ExecuteOptions, "actor" | "signal" | "timeoutMs" | "onProgress" | "allowWrites">;

/** A statement with the values of its parameters. */
export interface SqlText {
  readonly text: string;
  readonly params: unknown[];
}

/** What became of a write. */
export interface WriteResult {
  /** Rows written, or staged to be. */
  rowCount: number;
  /** PostgreSQL's command tag: `INSERT 0 2`. */
  command: string;
  /** Inside a transaction: all writes that wait for COMMIT now. */
  staged?: StagedWriteView[];
  receipts?: Receipt[];
}

/** All rows of a statement, however many. @throws SqlError of the statement */
export async function allRows<R>(db: SqlExecutor, sql: string, params: unknown[], options?: RunOptions): Promise<R[]> {
  const result = await execute(db, sql, params, Number.POSITIVE_INFINITY, options);
  return result.rows as R[];
}

/** The only row of a statement. @throws SqlError P0002 when there is none, P0003 when there are several */
export async function oneRow<R>(db: SqlExecutor, sql: string, params: unknown[], options?: RunOptions): Promise<R> {
  // A second row is enough to know that there is not one; `truncated` would say so as well.
  const { rows } = await execute(db, sql, params, 2, options);
  if (rows.length === 1) return rows[0] as R;
  throw rows.length === 0
    ? new SqlError(sqlstate.noDataFound, "query returned no rows", {
        hint: "Ask for first() or a statement of :many where there may be none.",
      })
    : new SqlError(sqlstate.tooManyRows, "query returned more than one row", {
        hint: "Say more in WHERE, so that one row is meant.",
      });
}

/** The first row of a statement, `undefined` when there is none. */
export async function firstRow<R>(
  db: SqlExecutor,
  sql: string,
  params: unknown[],
  options?: RunOptions,
): Promise<R | undefined> {
  const { rows } = await execute(db, sql, params, 1, options);
  return rows[0] as R | undefined;
}

/** Runs a statement for its effect. @throws SqlError of the statement */
export async function runWrite(
  db: SqlExecutor,
  sql: string,
  params: unknown[],
  options?: RunOptions,
): Promise<WriteResult> {
  const { rowCount, command, staged, receipts } = await execute(db, sql, params, 0, options);
  return {
    rowCount: rowCount ?? 0,
    command: command ?? "",
    ...(staged !== undefined && { staged }),
    ...(receipts !== undefined && { receipts }),
  };
}

function execute(
  db: SqlExecutor,
  sql: string,
  params: unknown[],
  limit: number,
  options: RunOptions = {},
): Promise<ExecuteResult> {
  // A session may allow partial answers by itself; here nobody would see that one is partial.
  return db.execute(sql, { ...options, params, limit, allowPartial: false });
}
