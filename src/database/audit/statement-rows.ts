/** The rows of `scratchpad.statements`. */
import type { Row } from "../../resources/resource.js";
import type { StatementRecord } from "./records.js";

/** One row a statement, in the order given. */
export function statementRows(statements: readonly StatementRecord[]): Row[] {
  return statements.map((record) => ({
    at: record.at,
    id: record.id,
    session: record.session,
    sql: record.sql,
    statement: record.statement,
    plan_hash: record.planHash ?? null,
    relations: record.relations,
    status: record.status,
    command: record.command ?? null,
    error: record.error ?? null,
    receipts: record.receipts ?? null,
    staged: record.staged ?? null,
    rows: record.rows,
    tokens: record.tokens,
    duration_ms: record.durationMs,
  }));
}
