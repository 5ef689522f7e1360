/**
 * Answers a read on a backend other than the built-in engine: the calls are made as always, the rows of each table
 * reference are loaded as a temporary relation, and the statement, with its references renamed to these, is sent as text.
 */

import type { ScratchpadBackend } from "../backends/backend.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type * as ast from "../grammar/ast.js";
import { deparse } from "../grammar/deparse.js";
import { parseTypeName } from "../grammar/parse.js";
import type { Scan } from "../planner/plan.js";
import type { Row } from "../resources/resource.js";
import { displayType } from "../types/type.js";
import {
  ownParameters,
  resolveForStatement,
  type StatementContext,
  type StatementResult,
  touchedReads,
} from "./execute.js";
import { mapTree } from "./map-tree.js";
import type { PreparedQuery } from "./prepare.js";

/** Relations loaded by all statements of the process, so that two statements on one backend never meet. */
let loaded = 0;

export async function answerOnBackend(
  backend: ScratchpadBackend,
  prepared: PreparedQuery,
  params: readonly unknown[],
  maxRows: number,
  context: StatementContext,
): Promise<StatementResult> {
  const { resolved } = await resolveForStatement(prepared, params, context);
  const names = new Map<Scan, string>();
  try {
    for (const scan of prepared.scans) {
      const name = `scratchpad_scan_${++loaded}`;
      await backend.load(name, columnsOf(scan), rowsOf(scan, resolved.get(scan.id)?.rows, context));
      names.set(scan, name);
    }
    const sql = deparse(withActor(renamed(prepared, names), context.actor));
    const options = backend.capabilities.cancel
      ? { signal: context.signal, rowMode: "array" as const }
      : { rowMode: "array" as const };
    const answer = await backend.query(sql, [...ownParameters(prepared.query, params)], options);
    const outputNames = uniqueNames(prepared.query.output.map((column) => column.name));
    const rows = (answer.rows as unknown[][])
      .slice(0, maxRows)
      .map((row) => Object.fromEntries(outputNames.map((name, i) => [name, row[i]])));
    return { rows, names: outputNames, touched: touchedReads(prepared, resolved), resolved };
  } finally {
    for (const name of names.values()) await backend.drop(name);
  }
}

function columnsOf(scan: Scan): { name: string; type: string }[] {
  return scan.table.columns.map((column) => ({ name: column.name, type: displayType(column.type, column.typmod) }));
}

function rowsOf(scan: Scan, rows: readonly Row[] | undefined, context: StatementContext): readonly Row[] {
  const found = rows ?? context.storedRows(scan.table.schema, scan.table.name);
  if (found === undefined) throw new SqlError(sqlstate.internalError, `no rows at hand for table "${scan.table.name}"`);
  return found;
}

/** The statement with every reference to a table replaced by the relation that was loaded for it, under its old name. */
function renamed(prepared: PreparedQuery, names: ReadonlyMap<Scan, string>): ast.Statement {
  const byPosition = new Map([...names].map(([scan, name]) => [scan.position, { scan, name }] as const));
  return mapTree(prepared.statement, (node) => {
    if (node.kind !== "TableReference") return node;
    const hit = byPosition.get(node.name.range.start + 1);
    if (hit === undefined) return node;
    const { range } = node;
    const alias: ast.TableAlias = node.alias ?? {
      kind: "TableAlias",
      name: { kind: "Identifier", name: hit.scan.alias, range },
      columns: [],
      range,
    };
    return { ...node, name: { kind: "QualifiedName", name: hit.name, range }, alias };
  });
}

/** The statement with `current_actor()`, which is no function of the backend, as what it gives. */
function withActor(statement: ast.Statement, actor: string | undefined): ast.Statement {
  return mapTree(statement, (node) => {
    if (node.kind !== "FunctionCall" || node.name.name !== "current_actor" || node.args.length > 0) return node;
    const { range } = node;
    const operand: ast.Expression =
      actor === undefined ? { kind: "NullLiteral", range } : { kind: "StringLiteral", value: actor, range };
    return { kind: "Cast", operand, type: parseTypeName("text"), range };
  });
}

/** Names of row objects: the second `id` is `id_1`. */
function uniqueNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 1; used.has(unique); n++) unique = `${name}_${n}`;
    used.add(unique);
    return unique;
  });
}
