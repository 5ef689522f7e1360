/**
 * UNION, INTERSECT and EXCEPT: the types of their columns, and an ORDER BY that knows output columns only.
 * Source: PostgreSQL 15, 7.4 "Combining Queries", 10.5 "UNION, CASE, and Related Constructs".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Column, Expr, SortKey } from "../expr.js";
import type { LogicalPlan } from "../plan.js";
import { columnRef } from "../visit.js";
import { limited } from "./assemble.js";
import { commonCollation, implicitMismatch, keepCollation } from "./collations.js";
import { castTo, commonType, toCommonType } from "./conversions.js";
import { at, syntaxError } from "./errors.js";
import { bindLimit } from "./limits.js";
import { bindOrderBy } from "./order-by.js";
import type { ScopeItem } from "./scope.js";
import { type OpenSelect, openSelect } from "./select.js";
import { equalityCheck } from "./sort-keys.js";
import { behindBarrier, newColumn, openLevel, ownColumn, type QueryLevel } from "./state.js";
import type { Target } from "./targets.js";

/** One side, with its columns as expressions whose untyped literals can still be given a type. */
export interface Side {
  readonly targets: readonly { expr: Expr; readonly name: string }[];
  finish(): { readonly plan: LogicalPlan; readonly output: readonly Column[] };
}

export function openSetOperation(
  node: ast.SetOperation,
  statement: ast.SelectStatement,
  level: QueryLevel,
): OpenSelect {
  const side = bindSides(node, level);
  return closeSetOperation(side, statement, level);
}

/** The clauses around a set operation. */
export function closeSetOperation(side: Side, statement: ast.SelectStatement, level: QueryLevel): OpenSelect {
  const { plan: operation, output } = side.finish();
  const columns = output.map((column) => ({ name: column.name, expr: columnRef(column) }));
  for (const column of output) ownColumn(level, column, "from", undefined, { relation: "*SELECT*", name: column.name });
  const item: ScopeItem = {
    columns,
    relationVisible: false,
    columnsVisible: true,
    lateralOnly: false,
    lateralOk: true,
  };
  level.namespace = [item];
  const targets: Target[] = columns.map(({ name, expr }) => ({ name, expr, hidden: false, position: at(statement) }));
  const sort = bindOrderBy(statement.orderBy, targets, level);
  const added = targets.find((target) => target.hidden);
  if (added !== undefined) {
    throw new SqlError(sqlstate.featureNotSupported, "invalid UNION/INTERSECT/EXCEPT ORDER BY clause", {
      position: added.position,
      detail: "Only result column names can be used, not expressions or functions.",
      hint: "Add the expression/function to every SELECT, or move the UNION into a FROM clause.",
    });
  }
  level.namespace = [];
  const limit = bindLimit(statement, sort.length > 0, level);
  const keys: SortKey[] = sort.map(({ target, descending, nullsFirst }) => ({
    expr: target.expr,
    descending,
    nullsFirst,
  }));
  return {
    targets,
    finish: () => {
      let plan: LogicalPlan = operation;
      if (keys.length > 0) plan = { kind: "Sort", input: plan, keys };
      plan = limited(plan, limit, keys);
      // An INSERT may have retyped a column of the result.
      if (targets.every(({ expr }, i) => expr.kind === "Column" && expr.column === output[i])) return { plan, output };
      const items = targets.map(({ name, expr }) => ({
        column: newColumn(level.state, { name, type: expr.type, typmod: expr.typmod }),
        expr,
      }));
      return { plan: { kind: "Project", input: plan, items }, output: items.map((entry) => entry.column) };
    },
  };
}

/** A chain `a UNION b UNION c` is left-deep: its operands are combined in a loop. */
function bindSides(node: ast.SetOperation, level: QueryLevel): Side {
  const chain: ast.SetOperation[] = [];
  let leftmost: ast.QueryBody = node;
  while (leftmost.kind === "SetOperation") {
    chain.push(leftmost);
    leftmost = leftmost.left;
  }
  const { state } = level;
  const leftBarrier = chain.some((operation) => operation.all && operation.operator !== "union");
  const first = leftmost;
  let side = behindBarrier(state, leftBarrier ? chain[0].operator.toUpperCase() : undefined, () =>
    bindSide(first, level),
  );
  while (chain.length > 0) {
    const outer = chain.pop() as ast.SetOperation;
    const barrier = outer.operator === "except" || (outer.operator === "intersect" && outer.all);
    const right = behindBarrier(state, barrier ? outer.operator.toUpperCase() : undefined, () =>
      bindSide(outer.right, level),
    );
    side = combine(outer, side, right, level);
  }
  return side;
}

/** One operand of a set operation. */
export function bindSide(body: ast.QueryBody, level: QueryLevel): Side {
  if (body.kind === "SetOperation") return bindSides(body, level);
  const statement: ast.SelectStatement =
    body.kind === "SelectStatement"
      ? body
      : { kind: "SelectStatement", range: body.range, body, orderBy: [], withTies: false, locking: [] };
  return openSelect(statement, openLevel(level.state, level));
}

/** Combines two sides, each column in the type that they have in common. */
export function combine(node: ast.SetOperation, left: Side, right: Side, level: QueryLevel): Side {
  const name = node.operator.toUpperCase();
  if (left.targets.length !== right.targets.length) {
    throw syntaxError(
      `each ${name} query must have the same number of columns`,
      right.targets[0]?.expr.position ?? at(node.right),
    );
  }
  const columns = left.targets.map((target, i) => {
    const pair = [target.expr, right.targets[i].expr];
    const type = commonType(pair, name, level);
    const typmod = pair.every((expr) => expr.type === type && expr.typmod === pair[0].typmod) ? pair[0].typmod : -1;
    if (!node.all || node.operator !== "union") equalityCheck(type, target.expr.position);
    for (const side of [left, right]) {
      const open = side.targets[i];
      if (open.expr.type === types.unknown) open.expr = castTo(open.expr, type, -1, "implicit", level);
      else toCommonType(open.expr, type, name, level);
    }
    const column = newColumn(level.state, { name: target.name, type, typmod });
    const collation = commonCollation(pair, level);
    if (collation?.kind === "conflict" && !(node.all && node.operator === "union")) throw implicitMismatch(collation);
    keepCollation(column, pair, level);
    return column;
  });
  const operation: LogicalPlan = {
    kind: "SetOperation",
    operator: node.operator,
    all: node.all,
    left: convertedSide(left, columns, level),
    right: convertedSide(right, columns, level),
    columns,
  };
  return {
    targets: columns.map((column, i) => ({
      name: column.name,
      expr: columnRef(column, left.targets[i].expr.position),
    })),
    finish: () => ({ plan: operation, output: columns }),
  };
}

/** The plan of a side, its columns cast to the result's types. */
function convertedSide(side: Side, columns: readonly Column[], level: QueryLevel): LogicalPlan {
  const { plan, output } = side.finish();
  if (output.every((column, i) => column.type === columns[i].type)) return plan;
  const items = output.map((column, i) => {
    const expr = castTo(columnRef(column), columns[i].type, -1, "implicit", level);
    return { column: newColumn(level.state, { name: column.name, type: expr.type }), expr };
  });
  return { kind: "Project", input: plan, items };
}
