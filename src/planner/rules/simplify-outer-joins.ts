/**
 * An outer join whose NULL-extended rows are dropped above it is an inner join, or the outer join of one side less. A left
 * join of which only the NULL-extended rows are wanted (`WHERE right.key IS NULL`) is an anti join.
 *
 * The plan is walked from the top with the columns that may not be NULL in any row that counts: those for which a filter
 * or a join condition above can't be true when they are NULL.
 */
import type { Expr } from "../expr.js";
import type { Filter, Join, LogicalPlan, ProjectItem } from "../plan.js";
import { outputOf } from "../plan.js";
import type { WholePlanRule } from "../rule.js";
import { columnRef, conjunctsOf, idsOf, mapBranches, mapInputs, mapOperands, mapSubplans } from "../visit.js";

export const simplifyOuterJoins: WholePlanRule = {
  name: "simplify-outer-joins",
  rewriteWhole: (plan) => simplify(plan, nothing),
};

type Ids = ReadonlySet<number>;
const nothing: Ids = new Set();

/** @param wanted ids of the columns that no row which counts has NULL in */
function simplify(plan: LogicalPlan, wanted: Ids): LogicalPlan {
  const node = mapSubplans(plan, (inner) => simplify(inner, nothing));
  switch (node.kind) {
    case "Filter": {
      const filter = withoutPartners(node) ?? node;
      return mapInputs(filter, (input) => simplify(input, union(wanted, rejected(node.condition))));
    }
    case "Join":
      return simplifyJoin(node, wanted);
    case "Project": {
      const below = new Set<number>();
      for (const item of node.items)
        if (wanted.has(item.column.id)) for (const id of strictColumns(item.expr)) below.add(id);
      return mapInputs(node, (input) => simplify(input, below));
    }
    case "Aggregate": {
      const below = new Set<number>();
      const simple = node.groupingSets.length === 1 && node.groupingSets[0].length === node.keys.length;
      for (const key of node.keys)
        if (simple && wanted.has(key.column.id)) for (const id of strictColumns(key.expr)) below.add(id);
      return mapInputs(node, (input) => simplify(input, below));
    }
    case "Window": {
      // Only whole partitions may go: the others count their rows.
      const partition = new Set(node.partitionBy.flatMap((expr) => (expr.kind === "Column" ? [expr.column.id] : [])));
      return mapInputs(node, (input) => simplify(input, new Set([...wanted].filter((id) => partition.has(id)))));
    }
    case "Sort":
      return mapInputs(node, (input) => simplify(input, wanted));
    case "Distinct":
      return mapInputs(node, (input) => simplify(input, node.on === undefined ? wanted : nothing));
    case "ProjectSet":
      return mapInputs(node, (input) => simplify(input, wanted));
    case "With":
      return mapInputs(node, (input) => simplify(input, input === node.input ? wanted : nothing));
    case "SetOperation": {
      const positions = node.columns.flatMap((column, i) => (wanted.has(column.id) ? [i] : []));
      return mapBranches(node, (input) => {
        const output = outputOf(input);
        return simplify(input, new Set(positions.map((i) => output[i].id)));
      });
    }
    default:
      return mapInputs(node, (input) => simplify(input, nothing));
  }
}

/** The filter over an anti join, when it asks for the rows of a left join that found no partner. */
function withoutPartners(plan: Filter): Filter | undefined {
  const join = plan.input;
  if (join.kind !== "Join" || join.type !== "left" || join.lateral === true) return undefined;
  const right = idsOf(join.right);
  const matched = rejected(join.condition); // a partner has a value in these columns
  const isMissing = (expr: Expr) =>
    expr.kind === "IsNull" &&
    !expr.negated &&
    expr.input.kind === "Column" &&
    right.has(expr.input.column.id) &&
    matched.has(expr.input.column.id);
  if (!conjunctsOf(plan.condition).some(isMissing)) return undefined;
  const items = outputOf(join).map(
    (column): ProjectItem => ({
      column,
      expr: right.has(column.id)
        ? { kind: "Constant", value: null, type: column.type, typmod: column.typmod }
        : columnRef(column),
    }),
  );
  return { ...plan, input: { kind: "Project", input: { ...join, type: "anti" }, items } };
}

function simplifyJoin(plan: Join, wanted: Ids): LogicalPlan {
  const type = simplerType(plan, wanted);
  const own = plan.nullAware === true ? nothing : rejected(plan.condition);
  const both = union(wanted, own);
  const leftDrops = type === "inner" || type === "right" || type === "semi";
  const rightDrops = type === "inner" || type === "left" || type === "semi" || type === "anti";
  // A side that is NULL-extended has passed what is wanted above: else its join would be an inner one now.
  const left = simplify(plan.left, leftDrops ? both : type === "full" ? nothing : wanted);
  const right = simplify(plan.right, rightDrops ? both : type === "full" ? nothing : wanted);
  return type === plan.type && left === plan.left && right === plan.right ? plan : { ...plan, type, left, right };
}

function simplerType(plan: Join, wanted: Ids): Join["type"] {
  const { type } = plan;
  const leftThere = meets(idsOf(plan.left), wanted);
  const rightThere = meets(idsOf(plan.right), wanted);
  switch (type) {
    case "left":
      return rightThere ? "inner" : type;
    case "right":
      return leftThere ? "inner" : type;
    case "full":
      if (leftThere && rightThere) return "inner";
      return leftThere ? "left" : rightThere ? "right" : type;
    default:
      return type;
  }
}

function meets(a: Ids, b: Ids): boolean {
  for (const id of b) if (a.has(id)) return true;
  return false;
}

function union(a: Ids, b: Ids): Ids {
  return b.size === 0 ? a : a.size === 0 ? b : new Set([...a, ...b]);
}

/** Columns for which the condition is not true when they are NULL. */
function rejected(condition: Expr | undefined): Ids {
  const all = new Set<number>();
  for (const conjunct of conjunctsOf(condition)) for (const id of rejectedBy(conjunct)) all.add(id);
  return all;
}

function rejectedBy(condition: Expr): Ids {
  switch (condition.kind) {
    case "And":
      return rejected(condition);
    case "Or": {
      const [first, ...others] = condition.args.map(rejectedBy);
      return new Set([...first].filter((id) => others.every((other) => other.has(id))));
    }
    case "IsNull":
      return condition.negated && !condition.rowwise ? strictColumns(condition.input) : nothing;
    case "BooleanTest": {
      const isNotNull = condition.test === "unknown" ? condition.negated : !condition.negated;
      return isNotNull ? strictColumns(condition.input) : nothing;
    }
    case "ArrayComparison":
      return condition.quantifier === "any" ? strictColumns(condition.input) : nothing;
    case "Subquery":
      return condition.subqueryKind === "any" && condition.test !== undefined ? strictColumns(condition.test) : nothing;
    default:
      return strictColumns(condition);
  }
}

/** Columns for which the expression is NULL when they are. */
export function strictColumns(expr: Expr, into: Set<number> = new Set()): Set<number> {
  switch (expr.kind) {
    case "Column":
      into.add(expr.column.id);
      break;
    case "Call":
      if (expr.strict) for (const arg of expr.args) strictColumns(arg, into);
      break;
    case "Cast":
    case "Not":
      mapOperands(expr, (operand) => {
        strictColumns(operand, into);
        return operand;
      });
      break;
    case "InList":
      strictColumns(expr.input, into);
      break;
  }
  return into;
}
