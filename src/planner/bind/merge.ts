/** MERGE. Source: PostgreSQL 15, reference page MERGE. */
import type { Table } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Expr } from "../expr.js";
import { type LogicalPlan, type Merge, type MergeAction, outputOf } from "../plan.js";
import { columnRef } from "../visit.js";
import { bindPart } from "./assigned-parts.js";
import { toBoolean } from "./conversions.js";
import { bindWith } from "./ctes.js";
import { at, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { bindFromItem, bindScan } from "./from-clause.js";
import { planOf, type Relation } from "./relation.js";
import { requireArguments } from "./required-arguments.js";
import { itemOf, type ScopeItem } from "./scope.js";
import type { BoundSelect } from "./select.js";
import { inClause, newColumn, type QueryLevel } from "./state.js";
import { bindAssignmentsInline } from "./updates.js";
import {
  bindAssigned,
  defaultOf,
  insertTargets,
  isOverridden,
  refuseInsertInto,
  requireVerb,
  writtenTable,
} from "./write-targets.js";

export function bindMerge(node: ast.MergeStatement, level: QueryLevel): BoundSelect {
  const ctes = node.with === undefined ? undefined : bindWith(node.with, level);
  const merge = bindOne(node, level);
  return { plan: ctes === undefined ? merge : { kind: "With", ctes: ctes(), input: merge }, output: [] };
}

function bindOne(node: ast.MergeStatement, level: QueryLevel): Merge {
  checkReachable(node.clauses);
  const position = at(node.target.name);
  const table = writtenTable(node.target.name, verbsOf(node)[0] ?? "update", level);
  for (const verb of verbsOf(node)) requireVerb(table, verb, position);
  const target = bindScan(table, node.target.alias, position, level);
  const source = bindFromItem(node.source, level);
  const names = source.items.filter((item) => item.relationVisible).map((item) => item.name);
  if (names.includes(target.name)) {
    throw new SqlError(sqlstate.duplicateAlias, `name "${target.name}" specified more than once`, {
      detail: "The name is used both as MERGE target table and data source.",
    });
  }
  const both = [itemOf(target), ...source.items];
  level.namespace = both;
  const on = inClause(level, "JOIN/ON", () => toBoolean(bindExpression(node.on, level), "JOIN/ON", level));
  const actions = node.clauses.map((clause) => bindAction(clause, table, both, source.items, target, level));

  const marker = newColumn(level.state, { name: "matched", type: types.bool });
  const scan = planOf(target);
  const marked: LogicalPlan = {
    kind: "Project",
    input: scan,
    items: [
      ...outputOf(scan).map((column) => ({ column, expr: columnRef(column) })),
      { column: marker, expr: { kind: "Constant", value: true, type: types.bool } },
    ],
  };
  return {
    kind: "Merge",
    table,
    alias: target.name,
    position,
    input: { kind: "Join", type: "left", left: planOf(source.tree), right: marked, condition: on },
    targetScan: target.scan as number,
    matched: columnRef(marker),
    actions,
  };
}

function verbsOf(node: ast.MergeStatement): ("insert" | "update" | "delete")[] {
  const verbs = { MergeInsert: "insert", MergeUpdate: "update", MergeDelete: "delete" } as const;
  return node.clauses.flatMap(({ action }) => (action.kind === "MergeNothing" ? [] : [verbs[action.kind]]));
}

/** A clause behind an unconditional one of its kind can never run. */
function checkReachable(clauses: readonly ast.MergeWhen[]): void {
  const closed = new Set<boolean>();
  for (const clause of clauses) {
    if (closed.has(clause.matched)) {
      throw syntaxError("unreachable WHEN clause specified after unconditional WHEN clause");
    }
    if (clause.condition === undefined) closed.add(clause.matched);
  }
}

function bindAction(
  clause: ast.MergeWhen,
  table: Table,
  both: readonly ScopeItem[],
  source: readonly ScopeItem[],
  target: Relation,
  level: QueryLevel,
): MergeAction {
  // A row that matched nothing has no target row to speak of.
  level.namespace = clause.matched ? [...both] : [...source];
  const when = clause.matched ? "matched" : "not matched";
  const condition =
    clause.condition &&
    inClause(level, "MERGE WHEN", () =>
      toBoolean(bindExpression(clause.condition as ast.Expression, level), "WHEN", level),
    );
  const base = { when, ...(condition && { condition }) } as const;
  const { action } = clause;
  switch (action.kind) {
    case "MergeNothing":
      return { ...base, action: "nothing", targets: [], values: [] };
    case "MergeDelete":
      return { ...base, action: "delete", targets: [], values: [] };
    case "MergeUpdate": {
      const { targets, assignments } = bindAssignmentsInline(action.assignments, table, target, level);
      return { ...base, action: "update", targets, values: assignments };
    }
    case "MergeInsert":
      return { ...base, action: "insert", ...bindInserted(action, table, level) };
  }
}

/** A value for every column of the new row. */
function bindInserted(
  action: ast.MergeInsert,
  table: Table,
  level: QueryLevel,
): { readonly targets: readonly number[]; readonly values: readonly Expr[] } {
  const listed = insertTargets(action.columns, table, level);
  const values = action.values ?? [];
  if (values.length > listed.length) {
    throw syntaxError("INSERT has more expressions than target columns", at(values[listed.length]));
  }
  if (action.values !== undefined && action.columns.length > 0 && values.length < listed.length) {
    throw syntaxError("INSERT has more target columns than expressions", at(action.columns[values.length]));
  }
  const given = new Map<number, Expr>();
  const defaulted = new Set<number>();
  for (const [i, value] of values.entries()) {
    const { index, part } = listed[i];
    const column = table.columns[index];
    if (value.kind === "DefaultValue") defaulted.add(index);
    else refuseInsertInto(column, action.overriding, at(value));
    if (part !== undefined) {
      const { type, typmod } = column;
      const present = given.get(index) ?? { kind: "Constant", value: null, type, typmod };
      given.set(index, bindPart(part, present, value, "INSERT", level));
    } else if (!isOverridden(column, action.overriding)) given.set(index, bindAssigned(value, column, "INSERT", level));
  }
  if (table.kind === "resource") {
    // What the action does not name, or gives DEFAULT, is for the service to fill.
    const named = [...given.keys()].filter((index) => !defaulted.has(index));
    requireArguments(table, named, at(action));
    return { targets: named, values: named.map((index) => given.get(index) as Expr) };
  }
  return {
    targets: table.columns.map((_, index) => index),
    values: table.columns.map((column, index) => given.get(index) ?? defaultOf(column, level)),
  };
}
