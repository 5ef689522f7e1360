/** Predicates of paths: true, false or unknown (`undefined`). A failure inside an operand makes them unknown. */
import { compareBytes } from "../../types/json/item.js";
import type { Comparison, PathChain, PathPredicate } from "../../types/json/jsonpath/ast.js";
import { compareNumbers } from "../../types/json/number.js";
import { compareDatetimes, type PathDatetime } from "./datetime.js";
import { isNumber, type PathEvaluation, type PathValue, pathKind } from "./evaluate.js";
import { pathRegex } from "./like-regex.js";

type Truth = boolean | undefined;

export function evaluatePredicate(item: PathPredicate, value: PathValue, evaluation: PathEvaluation): Truth {
  switch (item.kind) {
    case "and": {
      const left = evaluation.test(item.left, value);
      if (left === false) return false;
      const right = evaluation.test(item.right, value);
      return right === true ? left : right;
    }
    case "or": {
      const left = evaluation.test(item.left, value);
      if (left === true) return true;
      const right = evaluation.test(item.right, value);
      return right === false ? left : right;
    }
    case "not": {
      const truth = evaluation.test(item.operand, value);
      return truth === undefined ? undefined : !truth;
    }
    case "is unknown":
      return evaluation.test(item.operand, value) === undefined;
    case "exists":
      return evaluation.quietly(() => evaluation.anyItem(item.operand, value, false));
    case "comparison": {
      const { operator } = item;
      return forPairs(item.left, item.right, true, value, evaluation, (a, b) => compare(operator, a, b, evaluation));
    }
    case "starts with":
      return forPairs(item.left, item.right, false, value, evaluation, (text, start) =>
        typeof text === "string" && typeof start === "string" ? text.startsWith(start) : undefined,
      );
    case "like_regex": {
      const regex = pathRegex(item.pattern, item.flags);
      return forPairs(item.operand, undefined, false, value, evaluation, (text) =>
        typeof text === "string" ? regex.test(text) : undefined,
      );
    }
  }
}

/**
 * A test over all pairs of items of two operands, or over the items of one. Only the left one's arrays are always gone
 * through. Lax mode: true at the first hit. Strict mode: unknown at the first unknown, true when all could be decided.
 */
function forPairs(
  left: PathChain,
  right: PathChain | undefined,
  unwrapRight: boolean,
  value: PathValue,
  evaluation: PathEvaluation,
  test: (a: PathValue, b: PathValue) => Truth,
): Truth {
  const leftValues = evaluation.quietly(() => evaluation.collect(left, value, true));
  if (leftValues === undefined) return undefined;
  const rightValues =
    right === undefined ? [null] : evaluation.quietly(() => evaluation.collect(right, value, unwrapRight));
  if (rightValues === undefined) return undefined;
  let found = false;
  let unknown = false;
  for (const a of leftValues) {
    for (const b of rightValues) {
      const truth = test(a, b);
      if (truth === undefined) {
        if (!evaluation.lax) return undefined;
        unknown = true;
      } else if (truth) {
        if (evaluation.lax) return true;
        found = true;
      }
    }
  }
  if (found) return true;
  return unknown ? undefined : false;
}

function compare(operator: Comparison, a: PathValue, b: PathValue, evaluation: PathEvaluation): Truth {
  const kind = pathKind(a);
  if (kind !== pathKind(b)) return a === null || b === null ? operator === "!=" : undefined;
  let order: number | undefined;
  switch (kind) {
    case "null":
      order = 0;
      break;
    case "boolean":
      order = Number(a) - Number(b);
      break;
    case "string":
      order = compareBytes(a as string, b as string);
      break;
    case "number":
      order = isNumber(a) && isNumber(b) ? compareNumbers(a, b) : undefined;
      break;
    case "datetime":
      order = compareDatetimes(a as PathDatetime, b as PathDatetime, evaluation.useZone, evaluation.context);
      break;
  }
  return order === undefined ? undefined : holds(operator, order);
}

function holds(operator: Comparison, order: number): boolean {
  switch (operator) {
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case ">":
      return order > 0;
    case "<=":
      return order <= 0;
    case ">=":
      return order >= 0;
  }
}
