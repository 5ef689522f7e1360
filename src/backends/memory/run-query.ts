/** Runs a query or a write: plan, parameters, rows of each scan, writes at the end, and the answer's outer form. */
import type { Environment } from "../../engine/environment.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import type { Merge, Scan, Write } from "../../planner/plan.js";
import type { QueryResult } from "../backend.js";
import { readParameters } from "../parameters.js";
import { fill, isFree, tableForQuery } from "./create-table.js";
import type { MemorySessionContext } from "./session-context.js";
import { type PreparedStatement, prepareStatement, type StatementCache } from "./statement-cache.js";
import { StatementWrites } from "./statement-writes.js";
import { type Store, targetSchema } from "./store.js";
import type { SystemTables } from "./system-tables.js";
import type { StoredRow } from "./table-key.js";

export type Answer = QueryResult;
/** `host`: rows are arrays; `objects`: rows are objects under unique names. */
export type AnswerForm = "host" | "objects";

/** What a running statement is given. */
export interface StatementEnvironment {
  readonly store: Store;
  readonly session: MemorySessionContext;
  readonly limits: Environment["limits"];
  readonly signal?: AbortSignal;
  readonly params: readonly unknown[];
  readonly system: SystemTables;
}

/** @throws SqlError whatever the statement does wrong; nothing it wrote stays then */
export async function runQuery(
  statement: ast.Statement,
  cache: StatementCache,
  environment: StatementEnvironment,
  form: AnswerForm,
): Promise<Answer> {
  const into = intoOf(statement);
  if (into !== undefined) return createTableAs(into, environment);
  const prepared = cache.prepare(statement, environment.store);
  const { rows, affected } = await runPrepared(prepared, environment, form);
  const { command, output } = prepared.query;
  const { names } = prepared.engine;
  return {
    rows: rows as Answer["rows"],
    fields: output.map((column, i) => ({ name: form === "host" ? column.name : names[i], type: column.type.name })),
    rowCount: affected ?? rows.length,
    command: command === "VALUES" ? "SELECT" : command,
  };
}

/** Runs a plan and makes its writes visible. `affected`: rows that the statement itself wrote, its CTEs not counted. */
export async function runPrepared(
  prepared: PreparedStatement,
  environment: StatementEnvironment,
  form: AnswerForm | "arrays",
): Promise<{ rows: readonly unknown[]; affected?: number }> {
  const { store, session, limits, signal } = environment;
  const parameters = readParameters(prepared.query, environment.params, session);
  prepared.checkConstants?.({ session, parameters });
  const own = ownWrite(prepared);
  let affected: number | undefined;
  const writes =
    prepared.writes.length === 0
      ? undefined
      : new StatementWrites(store, { session, limits, ...(signal && { signal }) });
  if (writes !== undefined) prepareTargets(prepared, environment);
  try {
    const answer = await prepared.engine.run(
      {
        session,
        parameters,
        limits,
        ...(signal && { signal }),
        relation: (scan) => relationOf(scan, environment),
        ...(writes && {
          write: async (node: Write | Merge, request) => {
            const outcome = await writes.write(node, request);
            if (node === own) affected = outcome.affected;
            return outcome;
          },
        }),
      },
      { rows: form },
    );
    await writes?.finish();
    return { rows: answer.rows, ...(own !== undefined && { affected: affected ?? 0 }) };
  } catch (error) {
    writes?.rollback();
    throw error;
  }
}

/** The write that the command tag counts: the statement's own, not one of its CTEs. */
function ownWrite({ plan }: PreparedStatement): Write | Merge | undefined {
  let node = plan;
  while (node.kind === "With") node = node.input;
  return node.kind === "Write" || node.kind === "Merge" ? node : undefined;
}

/** Loaded relations that are written become rows of values first, so that row ids mean the same throughout. */
function prepareTargets({ writes }: PreparedStatement, { store, session }: StatementEnvironment): void {
  for (const write of writes) store.storedTable(write.table)?.materialize(session);
}

function relationOf(scan: Scan, { store, system }: StatementEnvironment) {
  const { table } = scan;
  const relation = store.storedTable(table)?.relation() ?? system.relation(table);
  if (relation === undefined) {
    throw new SqlError(sqlstate.internalError, `no rows at hand for table "${table.name}"`);
  }
  return relation;
}

/** CREATE TABLE AS, with the query's rows. */
export async function createTableAs(
  statement: ast.CreateTableAsStatement,
  environment: StatementEnvironment,
): Promise<Answer> {
  const { store } = environment;
  const schema = targetSchema(store, statement.name, statement.temporary);
  if (!isFree(store, schema, statement.name, statement.ifNotExists)) {
    return { rows: [], fields: [], rowCount: 0, command: "CREATE TABLE AS" };
  }
  const prepared = prepareStatement(statement.query, store);
  const table = tableForQuery(schema, statement.name.name, statement.columns, prepared.query.output);
  const { rows } = statement.withData ? await runPrepared(prepared, environment, "arrays") : { rows: [] };
  fill(table, rows as readonly StoredRow[]);
  store.add(table);
  return { rows: [], fields: [], rowCount: rows.length, command: statement.withData ? "SELECT" : "CREATE TABLE AS" };
}

/** SELECT … INTO as the CREATE TABLE AS that it is. */
function intoOf(statement: ast.Statement): ast.CreateTableAsStatement | undefined {
  if (statement.kind !== "SelectStatement" || statement.body.kind !== "SelectCore") return undefined;
  const { into, ...body } = statement.body;
  if (into === undefined) return undefined;
  return {
    kind: "CreateTableAsStatement",
    name: into.name,
    temporary: into.temporary,
    ifNotExists: false,
    columns: [],
    query: { ...statement, body },
    withData: true,
    range: statement.range,
  };
}
