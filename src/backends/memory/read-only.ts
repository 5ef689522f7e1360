/**
 * READ ONLY transactions: what PostgreSQL refuses in one is refused. Temporary tables, which PostgreSQL lets be written, are
 * tables like others here, and refused as well.
 * Source: PostgreSQL 15, SET TRANSACTION; ExecCheckXactReadOnly and PreventCommandIfReadOnly.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { walk } from "../../grammar/walk.js";

/** @throws SqlError 25006 for a statement that writes or defines something */
export function requireReading(statement: ast.Statement): void {
  const verb = refusedVerb(statement);
  if (verb === undefined) return;
  throw new SqlError(sqlstate.readOnlyTransaction, `cannot execute ${verb} in a read-only transaction`, {
    position: statement.range.start + 1,
    hint: "End it with ROLLBACK and send BEGIN without READ ONLY.",
  });
}

/** The name of the statement in the message; `undefined` for one that only reads. */
function refusedVerb(statement: ast.Statement): string | undefined {
  switch (statement.kind) {
    case "SelectStatement":
    case "InsertStatement":
    case "UpdateStatement":
    case "DeleteStatement":
    case "MergeStatement":
      return writes(statement) ? statement.kind.slice(0, -"Statement".length).toUpperCase() : undefined;
    case "ExplainStatement":
      return isAnalyze(statement) ? refusedVerb(statement.statement) : undefined;
    case "CreateTableStatement":
      return "CREATE TABLE";
    case "CreateTableAsStatement":
      return "CREATE TABLE AS";
    case "CreateViewStatement":
      return "CREATE VIEW";
    case "CreateIndexStatement":
      return "CREATE INDEX";
    case "CreateEnumStatement":
      return "CREATE TYPE";
    case "CreateSchemaStatement":
      return "CREATE SCHEMA";
    case "DropStatement":
      return `DROP ${statement.objectType.toUpperCase()}`;
    case "TruncateStatement":
      return "TRUNCATE TABLE";
    default:
      return undefined;
  }
}

const writing: ReadonlySet<string> = new Set([
  "InsertStatement",
  "UpdateStatement",
  "DeleteStatement",
  "MergeStatement",
]);

/** Whether the statement is a write or has one in WITH. */
function writes(statement: ast.Statement): boolean {
  let found = false;
  walk(statement, (node) => {
    found ||= writing.has(node.kind);
  });
  return found;
}

function isAnalyze({ options }: ast.ExplainStatement): boolean {
  const option = options.findLast(({ name }) => name === "analyze");
  return option !== undefined && !["off", "false", "0"].includes((option.value ?? "on").toLowerCase());
}
