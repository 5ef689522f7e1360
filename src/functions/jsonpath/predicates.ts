/** Predicates of paths: true, false or unknown (`undefined`). A failure inside an operand makes them unknown. */
import { compareBytes } from "../../types/json/item.js";
import type { Comparison, PathChain, PathPredicate } from "../../types/json/jsonpath/ast.js";
import { compareNumbers } from "../../types/json/number.js";
import { compareDatetimes, type PathDatetime } from "./datetime.js";
import { isNumber, type PathEvaluation, type PathValue, pathKind, quietly } from "./evaluate.js";
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
      return quietly(() => evaluation.anyItem(item.operand, value, false));
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
      const values = evaluation.collectQuietly(item.operand, value, true);
      if (values === undefined) return undefined;
      return decide(
        evaluation,
        tests(values, (text) => (typeof text === "string" ? regex.test(text) : undefined)),
      );
    }
  }
}

/** A test over all pairs of items of two operands. Only the left one's arrays are always gone through. */
function forPairs(
  left: PathChain,
  right: PathChain,
  unwrapRight: boolean,
  value: PathValue,
  evaluation: PathEvaluation,
  test: (a: PathValue, b: PathValue) => Truth,
): Truth {
  const leftValues = evaluation.collectQuietly(left, value, true);
  if (leftValues === undefined) return undefined;
  const rightValues = evaluation.collectQuietly(right, value, unwrapRight);
  if (rightValues === undefined) return undefined;
  function* pairs(): Generator<Truth> {
    for (const a of leftValues as PathValue[]) for (const b of rightValues as PathValue[]) yield test(a, b);
  }
  return decide(evaluation, pairs());
}

function* tests(values: readonly PathValue[], test: (value: PathValue) => Truth): Generator<Truth> {
  for (const value of values) yield test(value);
}

/** Lax mode: true at the first hit. Strict mode: unknown at the first unknown, true when all could be decided. */
function decide(evaluation: PathEvaluation, results: Iterable<Truth>): Truth {
  let found = false;
  let unknown = false;
  for (const truth of results) {
    if (truth === undefined) {
      if (!evaluation.lax) return undefined;
      unknown = true;
    } else if (truth) {
      if (evaluation.lax) return true;
      found = true;
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
