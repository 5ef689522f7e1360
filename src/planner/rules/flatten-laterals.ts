/**
 * Takes out of LATERAL what is only computed from the rows to its left: `LATERAL (VALUES (a.x))`, `LATERAL (SELECT a.x + b.y
 * FROM b …)`. The expressions move into a Project above the join, so that the join can be an ordinary one.
 *
 * A VALUES list of several rows goes to the left side it reads from: each of its rows once with each row of the list.
 * PostgreSQL works such a list out whole, also the columns that nobody reads and the rows that a condition drops later; as
 * expressions of a Project it would not be, so a list in which something may fail stays where it is.
 */

import { types } from "../../types/type.js";
import type { Column, Expr } from "../expr.js";
import type { Join, LogicalPlan, Project, ProjectItem, Values } from "../plan.js";
import { outputOf } from "../plan.js";
import type { RuleContext, WholePlanRule } from "../rule.js";
import {
  columnRef,
  conjunctionOf,
  conjunctsOf,
  freeColumns,
  holdsSubquery,
  idsOf,
  isVolatile,
  mapBranches,
  mapSubplans,
  mentions,
  substituteColumns,
} from "../visit.js";
import { cannotFail } from "./cannot-fail.js";
import { dependsOn, filterOf } from "./pull-up-conditions.js";

export const flattenLaterals: WholePlanRule = { name: "flatten-laterals", rewriteWhole: flatten };

/** From the inside out: what came out of an inner join can come out of the one around it. */
function flatten(plan: LogicalPlan, context: RuleContext): LogicalPlan {
  return mapBranches(
    plan,
    (input) => flatten(input, context),
    (node) => {
      const inside = mapSubplans(node, (subplan) => flatten(subplan, context));
      return inside.kind === "Join" ? (flattenJoin(inside, context) ?? inside) : inside;
    },
  );
}

function flattenJoin(join: Join, context: RuleContext): LogicalPlan | undefined {
  const right = asProject(join.right);
  if (right !== undefined) return liftProject(join, right);
  return join.type === "inner" ? crossValues(join, context) : undefined;
}

/** The right side as expressions over something else, when they read columns from outside and may be computed later. */
function asProject(plan: LogicalPlan): Project | undefined {
  const list = asValues(plan);
  const project = list?.rows.length === 1 ? projectOf(list) : plan;
  if (project.kind !== "Project") return undefined;
  const outside = freeColumns(project);
  const reads = project.items.some(({ expr }) => mentions(expr, outside));
  return reads && project.items.every(({ expr }) => isMovable(expr)) ? project : undefined;
}

/** A VALUES list, also under Projects that only compute from its columns. */
function asValues(plan: LogicalPlan): Values | undefined {
  if (plan.kind === "Values") return plan;
  if (plan.kind !== "Project" || !plan.items.every(({ expr }) => isMovable(expr))) return undefined;
  const list = asValues(plan.input);
  if (list === undefined || list.columns.length === 0) return undefined;
  if (list.rows.length > 1 && !cannotListFail(list)) return undefined;
  const rows = list.rows.map((row) => {
    const values = new Map(list.columns.map((column, c) => [column.id, row[c]] as const));
    return plan.items.map(({ expr }) => substituteColumns(expr, values));
  });
  return { kind: "Values", columns: plan.items.map((item) => item.column), rows };
}

function projectOf({ columns, rows: [row] }: Values): Project {
  const items = columns.map((column, i): ProjectItem => ({ column, expr: row[i] }));
  return { kind: "Project", input: { kind: "Values", columns: [], rows: [[]] }, items };
}

function isMovable(expr: Expr): boolean {
  return !isVolatile(expr) && !holdsSubquery(expr);
}

function liftProject(join: Join, project: Project): LogicalPlan | undefined {
  const { input, items } = project;
  const isOneRow = input.kind === "Values" && input.columns.length === 0 && input.rows.length === 1;
  // A row that an outer join fills with NULLs must not be computed: only where there is always exactly one.
  if (join.type !== "inner" && !(join.type === "left" && isOneRow && isAlways(join.condition))) return undefined;
  const exprs = new Map(items.map(({ column, expr }) => [column.id, expr] as const));
  const condition = join.condition && substituteColumns(join.condition, exprs);
  const { lateral, condition: _, ...rest } = join;
  const plain: LogicalPlan = isOneRow
    ? filterOf(join.left, join.type === "inner" ? conjunctsOf(condition) : [])
    : {
        ...rest,
        right: input,
        ...(condition && { condition }),
        ...(lateral && dependsOn(input, idsOf(join.left)) && { lateral }),
      };
  return {
    kind: "Project",
    input: plain,
    items: outputOf(join).map((column): ProjectItem => ({ column, expr: exprs.get(column.id) ?? columnRef(column) })),
  };
}

function isAlways(condition: Expr | undefined): boolean {
  return condition === undefined || (condition.kind === "Constant" && condition.value === true);
}

/**
 * `left × LATERAL (other JOIN VALUES (left.a), (left.b))`, or without the other one: the list is joined to the left side
 * first, where its columns are.
 */
function crossValues(join: Join, context: RuleContext): LogicalPlan | undefined {
  if (join.lateral !== true) return undefined;
  const { left, right } = join;
  const outer = idsOf(left);
  const list = asValues(right);
  if (list !== undefined) {
    return isListOver(list, outer)
      ? filterOf(everyRowWith(left, list, context), conjunctsOf(join.condition))
      : undefined;
  }
  if (right.kind !== "Join" || right.type !== "inner" || right.lateral === true) return undefined;
  const inner = asValues(right.right);
  if (inner === undefined || !isListOver(inner, outer) || dependsOn(right.left, outer)) return undefined;
  const condition = conjunctionOf([...conjunctsOf(join.condition), ...conjunctsOf(right.condition)]);
  const joined: LogicalPlan = {
    kind: "Join",
    type: "inner",
    left: everyRowWith(left, inner, context),
    right: right.left,
    ...(condition && { condition }),
  };
  return {
    kind: "Project",
    input: joined,
    items: outputOf(join).map((column): ProjectItem => ({ column, expr: columnRef(column) })),
  };
}

/** More rows than this stay a list: each column becomes a CASE of so many branches. */
const maxRows = 32;

function isListOver(list: Values, outer: ReadonlySet<number>): boolean {
  const { rows } = list;
  return (
    rows.length > 1 &&
    rows.length <= maxRows &&
    rows.some((row) => row.some((expr) => mentions(expr, outer))) &&
    cannotListFail(list) &&
    rows.every((row) => row.every((expr) => isMovable(expr)))
  );
}

function cannotListFail({ rows }: Values): boolean {
  return rows.every((row) => row.every(cannotFail));
}

/** Every row of a plan with every row of a list over it: numbers stand for the list's rows, and choose their expressions. */
function everyRowWith(left: LogicalPlan, list: Values, context: RuleContext): LogicalPlan {
  const number: Column = { id: context.newColumnId(), name: "row", type: types.int4, typmod: -1, nullable: false };
  const numbers: Values = {
    kind: "Values",
    columns: [number],
    rows: list.rows.map((_, i) => [{ kind: "Constant", value: i, type: types.int4 }]),
  };
  const chosen = list.columns.map(
    (column, c): ProjectItem => ({
      column,
      expr: {
        kind: "Case",
        branches: list.rows.slice(0, -1).map((row, i) => ({ when: isNumber(number, i), then: row[c] })),
        otherwise: list.rows[list.rows.length - 1][c],
        type: column.type,
        typmod: column.typmod,
      },
    }),
  );
  return {
    kind: "Project",
    input: { kind: "Join", type: "inner", left, right: numbers },
    items: [...outputOf(left).map((column): ProjectItem => ({ column, expr: columnRef(column) })), ...chosen],
  };
}

function isNumber(column: Column, value: number): Expr {
  return {
    kind: "Call",
    name: "=",
    operator: "=",
    args: [columnRef(column), { kind: "Constant", value, type: types.int4 }],
    volatility: "immutable",
    strict: true,
    resolve: () => (a, b) => a === b,
    type: types.bool,
  };
}
