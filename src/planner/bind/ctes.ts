/**
 * WITH: which CTE a name means, their plans, and recursive ones.
 * Source: PostgreSQL 15, 7.8 "WITH Queries (Common Table Expressions)".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import type { Column } from "../expr.js";
import type { CteDefinition, LogicalPlan } from "../plan.js";
import { columnRef } from "../visit.js";
import { keepCollation } from "./collations.js";
import { at, notSupported, syntaxError } from "./errors.js";
import { bindRecursive } from "./recursive-ctes.js";
import { bindSelect } from "./select.js";
import { type CteEntry, newColumn, openLevel, type QueryLevel } from "./state.js";
import { bindWrite } from "./writes.js";

/**
 * Binds the CTEs of a query into its level. Their definitions are asked for at the end, when it is known how often each is read.
 */
export function bindWith(clause: ast.WithClause, level: QueryLevel): () => readonly CteDefinition[] {
  const names = new Set<string>();
  for (const { name } of clause.ctes) {
    if (names.has(name.name)) {
      throw new SqlError(sqlstate.duplicateAlias, `WITH query name "${name.name}" specified more than once`, {
        position: at(name),
      });
    }
    names.add(name.name);
    level.futureCtes.add(name.name);
  }
  const entries: CteEntry[] = [];
  if (clause.recursive) {
    // All names are visible to all; one is bound when it is first read, or when its turn comes.
    for (const cte of clause.ctes) {
      const entry = newEntry(cte, level);
      entry.bind = () => bindEntry(entry, cte, true, level, entries);
      level.ctes.push(entry);
      level.futureCtes.delete(cte.name.name);
    }
    for (const entry of [...level.ctes]) if (entry.definition === undefined) entry.bind?.();
  } else {
    for (const cte of clause.ctes) {
      const entry = newEntry(cte, level);
      bindEntry(entry, cte, false, level, entries);
      level.ctes.push(entry);
      level.futureCtes.delete(cte.name.name);
    }
  }
  return () =>
    entries.flatMap((entry) => [
      ...(entry.inner?.() ?? []),
      { ...(entry.definition as CteDefinition), references: entry.references },
    ]);
}

function newEntry(cte: ast.CommonTableExpression, level: QueryLevel): CteEntry {
  return {
    name: cte.name.name,
    position: at(cte.name),
    home: level,
    id: level.state.nextCte++,
    references: 0,
    state: "open",
  };
}

function bindEntry(
  entry: CteEntry,
  cte: ast.CommonTableExpression,
  recursive: boolean,
  level: QueryLevel,
  done: CteEntry[],
): void {
  const { state } = level;
  const barrier = state.recursionBarrier;
  state.recursionBarrier = undefined;
  state.openCtes.push(entry);
  entry.state = "binding";
  bindDefinition(entry, cte, recursive, level);
  entry.state = "bound";
  state.openCtes.pop();
  state.recursionBarrier = barrier;
  done.push(entry);
}

function bindDefinition(entry: CteEntry, cte: ast.CommonTableExpression, recursive: boolean, level: QueryLevel): void {
  const { statement } = cte;
  const traversal = cte.search ?? cte.cycle;
  if (traversal !== undefined && (!recursive || statement.kind !== "SelectStatement")) {
    throw syntaxError("WITH query is not recursive", at(traversal));
  }
  if (statement.kind !== "SelectStatement") {
    if (level.parent !== undefined) {
      throw notSupported("WITH clause containing a data-modifying statement must be at the top level", at(cte));
    }
    if (recursive) entry.recursion = { reference: () => refuseRecursiveWrite(entry) };
    const { plan, output } = bindWrite(statement, openLevel(level.state, level));
    entry.recursion = undefined;
    entry.withoutRows = statement.returning.length === 0;
    entry.columns = nameColumns(cte, output);
    entry.definition = { id: entry.id, name: entry.name, plan, references: 0, materialized: true };
  } else if (recursive) {
    bindRecursive(entry, cte, statement, level);
  } else {
    const { plan, output } = bindSelect(statement, level);
    entry.columns = nameColumns(cte, output);
    entry.definition = definitionOf(entry, cte, plan);
  }
}

function refuseRecursiveWrite(entry: CteEntry): never {
  throw new SqlError(
    sqlstate.invalidRecursion,
    `recursive query "${entry.name}" must not contain data-modifying statements`,
    { position: entry.position },
  );
}

/** The definition of a CTE over its plan. */
export function definitionOf(entry: CteEntry, cte: ast.CommonTableExpression, plan: LogicalPlan): CteDefinition {
  return {
    id: entry.id,
    name: entry.name,
    plan,
    references: 0,
    ...(cte.materialized !== undefined && { materialized: cte.materialized }),
  };
}

/** The columns of a CTE under the names of its column list. */
export function nameColumns(
  cte: ast.CommonTableExpression,
  output: readonly Column[],
): readonly { readonly name: string; readonly column: Column }[] {
  if (cte.columns.length > output.length) {
    throw new SqlError(
      sqlstate.invalidColumnReference,
      `WITH query "${cte.name.name}" has ${output.length} columns available but ${cte.columns.length} columns specified`,
      { position: at(cte.name) },
    );
  }
  return output.map((column, i) => ({ name: cte.columns[i]?.name ?? column.name, column }));
}

/** The CTE that a bare name means, from the innermost query outwards. */
export function findCte(name: ast.QualifiedName, level: QueryLevel): CteEntry | undefined {
  for (let current: QueryLevel | undefined = level; current !== undefined; current = current.parent) {
    const entry = current.ctes.find((item) => item.name === name.name);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/** One reading of a CTE, with columns of its own. */
export function scanCte(
  entry: CteEntry,
  node: ast.TableReference,
  level: QueryLevel,
): { readonly plan: LogicalPlan; readonly columns: readonly Column[]; readonly unexpanded: number } {
  const position = at(node.name);
  if (entry.state === "open") entry.bind?.();
  const { openCtes } = level.state;
  const inside = openCtes.slice(openCtes.indexOf(entry) + 1);
  if (entry.state === "binding" && inside.some((other) => other.home === entry.home)) {
    throw notSupported("mutual recursion between WITH items is not implemented", entry.position);
  }
  const self = entry.recursion?.reference(level, position);
  if (entry.columns === undefined) {
    throw notSupported(`WITH query "${entry.name}" cannot read itself here`, position);
  }
  if (entry.withoutRows) {
    throw notSupported(`WITH query "${entry.name}" does not have a RETURNING clause`, position);
  }
  entry.references++;
  const columns = entry.columns.map(({ name, column }) => {
    const read = newColumn(level.state, {
      name,
      type: column.type,
      typmod: column.typmod,
      nullable: column.nullable,
      labels: column.labels,
      origin: column.origin,
    });
    keepCollation(read, [columnRef(column)], level);
    return read;
  });
  const plan: LogicalPlan = {
    kind: "CteScan",
    cte: entry.id,
    name: entry.name,
    alias: node.alias?.name.name ?? entry.name,
    columns,
    ...(self && { workTable: true }),
    position,
  };
  // A star stands for the columns that SEARCH and CYCLE add only in the query that has the WITH.
  return { plan, columns, unexpanded: level === entry.home ? 0 : (entry.added ?? 0) };
}
