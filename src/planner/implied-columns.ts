/**
 * What a condition says of the columns in it: those that cannot be NULL in a row that it lets pass, or does not.
 * A set of column ids stands for what is known.
 */
import type { Expr } from "./expr.js";
import { conjunctsOf } from "./visit.js";

/** Ids of columns that are never NULL at a place of the plan. */
export type Known = ReadonlySet<number>;

/** The columns that are not NULL in a row for which the condition is true. */
export function impliedBy(condition: Expr): Known {
  switch (condition.kind) {
    case "And":
      return conjunctsOf(condition).map(impliedBy).reduce(union);
    case "Or":
      return condition.args.map(impliedBy).reduce(intersection);
    case "IsNull":
      return condition.negated && !condition.rowwise ? needed(condition.input) : new Set();
    case "Not":
      return union(needed(condition.input), impliedByFailureOf(condition.input));
    case "BooleanTest":
      if (condition.test === "unknown") return condition.negated ? needed(condition.input) : new Set();
      if (condition.negated) return new Set();
      return condition.test === "true" ? impliedBy(condition.input) : needed(condition.input);
    case "ArrayComparison":
      // ALL of no element is true for a NULL, too.
      return condition.quantifier === "any" && condition.compare.strict ? needed(condition.input) : new Set();
    case "Subquery":
      return condition.subqueryKind === "any" && condition.test !== undefined ? impliedBy(condition.test) : new Set();
    case "RowCompare":
      return condition.operator === "=" ? [...condition.left, ...condition.right].map(needed).reduce(union) : new Set();
    default:
      return needed(condition);
  }
}

/** The columns that are not NULL in a row for which the condition is false or NULL. */
export function impliedByFailureOf(condition: Expr): Known {
  if (condition.kind === "IsNull" && !condition.negated && !condition.rowwise) return needed(condition.input);
  if (condition.kind === "Or") return condition.args.map(impliedByFailureOf).reduce(union);
  return new Set();
}

/** The columns that an expression needs for a value: where one of them is NULL, so is the expression. */
function needed(expr: Expr): Known {
  switch (expr.kind) {
    case "Column":
      return new Set([expr.column.id]);
    case "Cast":
    case "Not":
    case "NullIf":
    case "InList":
      return needed(expr.input);
    case "Call":
      return expr.strict ? expr.args.map(needed).reduce(union, new Set<number>()) : new Set();
    default:
      return new Set();
  }
}

/** What is known by either. */
export function union(a: Known, b: Known): Known {
  return b.size === 0 ? a : new Set([...a, ...b]);
}

function intersection(a: Known, b: Known): Known {
  return new Set([...a].filter((id) => b.has(id)));
}
