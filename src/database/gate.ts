/**
 * Decides from the syntax tree alone whether a text may go on: which statements, in which order, reading or writing.
 * Nothing has been called when it refuses.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type * as ast from "../grammar/ast.js";
import { walk } from "../grammar/walk.js";
import { type Block, endsTransaction } from "./block.js";
import type { Policy } from "./types.js";

/** By which rules a text is let through, and what the session has done before it. */
export interface GateSettings {
  /** Of the host: `policy.writes` must be true for any write. */
  readonly policy: Policy;
  /** `ExecuteOptions.allowWrites`: false lets writes through in a transaction only, where they are staged. */
  readonly allowWrites?: boolean;
  /** Whether the statement finds an open transaction. */
  readonly inTransaction: boolean;
}

/**
 * Decides on a text as a whole: it is one statement, or one transaction.
 * @param open whether the session has an open transaction before the text runs
 * @throws SqlError 42601 for an empty text, 0A000 for several statements that are no transaction
 */
export function requireScript(statements: readonly ast.Statement[], open: boolean): void {
  if (statements.length === 0) {
    throw new SqlError(sqlstate.syntaxError, "the statement is empty", { hint: "Write a SELECT." });
  }
  if (statements.length === 1) return;
  // Out of a transaction and into another one: nothing that the first one staged is fired.
  const [first, second] = statements;
  const leaves = first.kind === "RollbackStatement" && !first.chain && second.kind === "BeginStatement";
  requireTransactionScript(leaves ? statements.slice(1) : statements, open && !leaves);
}

/** Several statements are one transaction: BEGIN … COMMIT, or the rest of one that is open. */
function requireTransactionScript(statements: readonly ast.Statement[], open: boolean): void {
  if (!open && statements[0].kind !== "BeginStatement") {
    throw new SqlError(sqlstate.featureNotSupported, "several statements must be one transaction", {
      position: statements[1].range.start + 1,
      hint: "Send them one at a time, or write BEGIN; … COMMIT; around them.",
    });
  }
  const end = statements.findIndex(endsTransaction);
  if (end !== -1 && end < statements.length - 1) {
    throw new SqlError(sqlstate.featureNotSupported, "statements after the end of the transaction", {
      position: statements[end + 1].range.start + 1,
      hint: "End the text with COMMIT or ROLLBACK and send the rest as the next one.",
    });
  }
}

/**
 * Decides on one statement of a text.
 * @throws SqlError 42501 for a write that is not allowed, 0A000 for a statement outside the surface
 */
export function gate(statement: ast.Statement, settings: GateSettings): void {
  checkStatement(statement, settings);
}

/**
 * A transaction that was begun READ ONLY takes no write, wherever in the statement it stands.
 * @throws SqlError 25006; in PostgreSQL too, names and types have been looked at before it
 */
export function requireWritable(statement: ast.Statement, block: Block | undefined): void {
  if (block?.readOnly !== true) return;
  const runs = statement.kind === "ExplainStatement" && isAnalyze(statement) ? statement.statement : statement;
  if (runs.kind === "ExplainStatement" || firstWrite(runs) === undefined) return;
  const verb = statementKind(runs);
  throw new SqlError(sqlstate.readOnlyTransaction, `cannot execute ${verb} in a read-only transaction`, {
    position: runs.range.start + 1,
    hint: "End it with ROLLBACK and send BEGIN without READ ONLY.",
  });
}

function checkStatement(statement: ast.Statement, settings: GateSettings): void {
  const position = statement.range.start + 1;
  switch (statement.kind) {
    case "SelectStatement":
    case "InsertStatement":
    case "UpdateStatement":
    case "DeleteStatement":
    case "MergeStatement":
      checkWrites(statement, settings);
      return;
    case "ExplainStatement":
      checkExplain(statement, settings);
      return;
    case "BeginStatement":
    case "CommitStatement":
    case "RollbackStatement":
    case "SavepointStatement":
    case "RollbackToStatement":
    case "ReleaseStatement":
      return;
    case "CreateTableStatement":
    case "CreateTableAsStatement":
    case "CreateViewStatement":
    case "CreateIndexStatement":
    case "CreateEnumStatement":
    case "CreateSchemaStatement":
      throw refusedDefinition("CREATE", position);
    case "DropStatement":
      throw refusedDefinition("DROP", position);
    case "TruncateStatement":
      throw refusedDefinition("TRUNCATE", position);
    case "SetStatement":
    case "ShowStatement":
    case "ResetStatement":
      throw unsupported(
        statement.kind === "SetStatement" ? "SET" : statement.kind === "ShowStatement" ? "SHOW" : "RESET",
        position,
        "The time zone is UTC; use AT TIME ZONE for another one.",
      );
    case "UnsupportedStatement":
      throw unsupported(statement.keyword, position, "Use SELECT, INSERT, UPDATE, DELETE or EXPLAIN.");
  }
}

function refusedDefinition(verb: string, position: number): SqlError {
  return new SqlError(sqlstate.insufficientPrivilege, `${verb} is not allowed: the tables are fixed`, {
    position,
    hint: "The tables stand for tools; SELECT table_name FROM information_schema.tables lists them. Use WITH for intermediate results.",
  });
}

function unsupported(keyword: string, position: number, hint: string): SqlError {
  return new SqlError(sqlstate.featureNotSupported, `${keyword} is not supported`, { position, hint });
}

/** EXPLAIN of anything is a read; EXPLAIN ANALYZE runs the statement and needs what the statement needs. */
function checkExplain(statement: ast.ExplainStatement, settings: GateSettings): void {
  const inner = statement.statement;
  if (inner.kind === "ExplainStatement")
    throw unsupported("EXPLAIN of EXPLAIN", inner.range.start + 1, "Explain the statement itself.");
  const analyze = isAnalyze(statement);
  checkStatement(
    inner,
    analyze ? settings : { ...settings, policy: { ...settings.policy, writes: true }, allowWrites: true },
  );
}

/** Whether EXPLAIN runs the statement that it explains. As in PostgreSQL, the last ANALYZE of several counts. */
export function isAnalyze(statement: ast.ExplainStatement): boolean {
  const option = statement.options.findLast((candidate) => candidate.name === "analyze");
  return option !== undefined && !["off", "false", "0"].includes((option.value ?? "on").toLowerCase());
}

/** Looks for a write anywhere in the statement, in WITH too. */
function checkWrites(statement: ast.Statement, settings: GateSettings): void {
  const write = firstWrite(statement);
  if (write === undefined) return;
  const position = write.range.start + 1;
  const verb = verbOf(write);
  if (settings.policy.writes !== true) {
    throw new SqlError(sqlstate.insufficientPrivilege, `${verb} is not allowed: the database is read-only`, {
      position,
      hint: "Only the host can allow writes (policy: { writes: true }). Read with SELECT instead.",
    });
  }
  if (settings.allowWrites === false && !settings.inTransaction) {
    throw new SqlError(sqlstate.insufficientPrivilege, `${verb} is not allowed outside a transaction`, {
      position,
      hint: `Stage it: BEGIN; ${verb} …; then look at what is staged, and COMMIT or ROLLBACK.`,
    });
  }
}

/**
 * The last look before effects are staged or fired. The gate has refused them long before; should a form of statement ever get
 * past it, nothing comes of it.
 * @throws SqlError 42501 in a read-only database, 25006 in a read-only transaction
 */
export function requireEffectsAllowed(policy: Policy, block: Block | undefined): void {
  if (policy.writes !== true)
    throw new SqlError(sqlstate.insufficientPrivilege, "effects are not allowed: the database is read-only");
  if (block?.readOnly === true)
    throw new SqlError(sqlstate.readOnlyTransaction, "effects are not allowed in a read-only transaction");
}

type WriteStatement = ast.InsertStatement | ast.UpdateStatement | ast.DeleteStatement | ast.MergeStatement;

function verbOf(statement: WriteStatement): string {
  return statement.kind.slice(0, -"Statement".length).toUpperCase();
}

/** The first write in a statement: itself, or one in WITH; `undefined` for a read. */
export function firstWrite(statement: ast.Statement): WriteStatement | undefined {
  let found: WriteStatement | undefined;
  walk(statement, (node) => {
    if (found === undefined && isWrite(node)) found = node;
  });
  return found;
}

function isWrite(node: ast.Node): node is WriteStatement {
  return (
    node.kind === "InsertStatement" ||
    node.kind === "UpdateStatement" ||
    node.kind === "DeleteStatement" ||
    node.kind === "MergeStatement"
  );
}

/**
 * The statement in one word, as records and the audit show it: `SELECT`, `CREATETABLE`; of EXPLAIN, the statement that it
 * explains; of a statement outside the surface, its first key word.
 */
export function statementKind(statement: ast.Statement): string {
  switch (statement.kind) {
    case "ExplainStatement":
      return statementKind(statement.statement);
    case "UnsupportedStatement":
      return statement.keyword;
    default:
      return statement.kind.slice(0, -"Statement".length).toUpperCase();
  }
}

/** Whether a statement reads or writes tables, and so is bound and planned. */
export function isQuery(statement: ast.Statement): boolean {
  return (
    statement.kind === "SelectStatement" ||
    statement.kind === "InsertStatement" ||
    statement.kind === "UpdateStatement" ||
    statement.kind === "DeleteStatement" ||
    statement.kind === "MergeStatement"
  );
}
