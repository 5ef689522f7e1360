/**
 * The Aggregate node of a query, and the rewriting of what stands above it: group keys become the node's columns, and a
 * column that is neither grouped nor determined by the group is an error.
 */
import type { Table } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { AggregateCall, Column, Expr } from "../expr.js";
import type { Aggregate, LogicalPlan, ProjectItem } from "../plan.js";
import { columnRef } from "../visit.js";
import type { Above, KeyOfTarget, Rewritten } from "./assemble.js";
import { groupingError } from "./errors.js";
import type { BoundGroupBy } from "./grouping.js";
import { isNullable } from "./nullable.js";
import { newColumn, type QueryLevel } from "./state.js";
import { replaceIn, sameExpr } from "./walk.js";

export function aggregatePlan(
  input: LogicalPlan,
  grouping: BoundGroupBy | undefined,
  level: QueryLevel,
  rewriteAll: (above: Above, keyOf: KeyOfTarget) => Rewritten,
): { readonly plan: LogicalPlan; readonly rewritten: Rewritten } {
  refuseRecursion(level);
  const groupKeys = grouping?.keys ?? [];
  const keyExprs = groupKeys.map((key) => key.expr);
  const sets = grouping?.sets ?? [[]];
  const several = sets.length > 1;
  const keys: ProjectItem[] = keyExprs.map((expr) => ({ column: keyColumn(expr, several, level), expr }));
  // Keys of every set: only they determine other columns of their table.
  const common = keyExprs.filter((_, i) => sets.every((set) => set.includes(i)));
  const dependent: ProjectItem[] = [];
  const dependentColumn = (column: Column): Column => {
    const existing = dependent.find((item) => item.expr.kind === "Column" && item.expr.column.id === column.id);
    if (existing !== undefined) return existing.column;
    const item = { column: keyColumn(columnRef(column), false, level), expr: columnRef(column) };
    dependent.push(item);
    return item.column;
  };
  const above: Above = (whole) =>
    replaceIn(whole, (expr, inSubquery) => {
      const index = keyExprs.findIndex((key) => (!inSubquery || key.kind === "Column") && sameExpr(key, expr));
      if (index >= 0) return { ...columnRef(keys[index].column, expr.position), typmod: expr.typmod };
      if (expr.kind !== "Column") return undefined;
      const info = level.state.columns.get(expr.column.id);
      if (info?.level !== level || info.made !== "from") return expr;
      if (isDetermined(expr.column, common, level)) return columnRef(dependentColumn(expr.column), expr.position);
      const name = info.shown === undefined ? expr.column.name : `${info.shown.relation}.${info.shown.name}`;
      throw groupingError(
        inSubquery
          ? `subquery uses ungrouped column "${name}" from outer query`
          : `column "${name}" must appear in the GROUP BY clause or be used in an aggregate function`,
        expr.position,
      );
    });
  checkDirectArguments(level, above);
  const keyOf: KeyOfTarget = (target) => {
    const index = groupKeys.findIndex((key) => key.target === target);
    return index < 0
      ? undefined
      : { ...columnRef(keys[index].column, target.expr.position), typmod: target.expr.typmod };
  };
  const rewritten = rewriteAll(above, keyOf);
  const groupings = level.groupingCalls.map(({ column, args }) => ({
    column,
    keys: args.map((arg) => {
      const index = keyExprs.findIndex((key) => sameExpr(key, arg));
      if (index >= 0) return index;
      throw groupingError(
        "arguments to GROUPING must be grouping expressions of the associated query level",
        arg.position,
      );
    }),
  }));
  const extra = dependent.map((_, i) => keys.length + i);
  const plan: Aggregate = {
    kind: "Aggregate",
    input,
    keys: [...keys, ...dependent],
    groupingSets: sets.map((set) => [...set, ...extra]),
    aggregates: level.aggregates.map(({ column, call }) => ({ column, call: withDirectBySet(call, keyExprs, sets) })),
    groupings,
  };
  return { plan, rewritten };
}

/** Direct arguments of an ordered-set aggregate are the same for all rows of a group. @throws SqlError 42803 */
function checkDirectArguments(level: QueryLevel, above: Above): void {
  for (const { call } of level.aggregates) {
    for (const arg of call.directArgs ?? []) {
      try {
        above(arg);
      } catch (error) {
        if (!(error instanceof SqlError)) throw error;
        const { code, message, position } = error;
        const detail = "Direct arguments of an ordered-set aggregate must use only grouped columns.";
        throw new SqlError(code, message, { position, detail });
      }
    }
  }
}

/** They are computed from the rows of the group: where a key in them is not in every grouping set, for each set apart. */
function withDirectBySet(
  call: AggregateCall,
  keys: readonly Expr[],
  sets: readonly (readonly number[])[],
): AggregateCall {
  const { directArgs } = call;
  if (directArgs === undefined || sets.length < 2) return call;
  const directBySet = sets.map((set) =>
    directArgs.map((arg) =>
      replaceIn(arg, (part) => {
        const key = keys.findIndex((item) => sameExpr(item, part));
        if (key < 0 || set.includes(key)) return undefined;
        return { kind: "Constant", value: null, type: part.type, typmod: part.typmod };
      }),
    ),
  );
  return directBySet.every((list) => list.every((arg, i) => arg === directArgs[i])) ? call : { ...call, directBySet };
}

/** A recursive term sees the rows of one round, so an aggregate over them would mean something else each time. */
function refuseRecursion(level: QueryLevel): void {
  const [first] = level.aggregates;
  if (first === undefined) return;
  if (!level.relations.some(({ plan }) => plan.kind === "CteScan" && plan.workTable)) return;
  throw new SqlError(
    sqlstate.invalidRecursion,
    "aggregate functions are not allowed in a recursive query's recursive term",
    { position: level.state.columns.get(first.column.id)?.position },
  );
}

function keyColumn(expr: Expr, several: boolean, level: QueryLevel): Column {
  const source = expr.kind === "Column" ? expr.column : undefined;
  return newColumn(level.state, {
    name: source?.name ?? "key",
    type: expr.type,
    typmod: expr.typmod,
    nullable: several || isNullable(expr),
    labels: source?.labels,
    origin: source?.origin,
  });
}

/** A column is determined by its group when the whole primary key of its table is grouped. */
function isDetermined(column: Column, keys: readonly Expr[], level: QueryLevel): boolean {
  const relation = level.relations.find(
    (item) =>
      item.wholeRow?.id === column.id ||
      item.columns.some(({ expr }) => expr.kind === "Column" && expr.column.id === column.id),
  );
  const table: Table | undefined = relation?.table;
  if (relation === undefined || table === undefined || table.kind === "view" || table.primaryKey.length === 0) {
    return false;
  }
  return table.primaryKey.every((name) => {
    const source = table.columns.findIndex((item) => item.name === name);
    const key = relation.columns[source]?.expr;
    return key !== undefined && keys.some((item) => sameExpr(item, key));
  });
}
