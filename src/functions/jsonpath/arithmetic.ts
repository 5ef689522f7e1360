/** Arithmetic in paths: exact, over single numbers. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Arithmetic } from "../../types/json/jsonpath/ast.js";
import { asNumeric } from "../../types/json/number.js";
import {
  type Numeric,
  numericAdd,
  numericDivide,
  numericModulo,
  numericMultiply,
  numericNegate,
  numericSubtract,
} from "../../types/numeric.js";
import { isNumber, numberResult, type PathValue } from "./evaluate.js";
import { PathFailure, pathFailure } from "./failure.js";

const operations: Record<Arithmetic, (a: Numeric, b: Numeric) => Numeric> = {
  "+": numericAdd,
  "-": numericSubtract,
  "*": numericMultiply,
  "/": numericDivide,
  "%": numericModulo,
};

/** `left operator right`, where each side has given its items. @throws PathFailure 22038, 22012, 22003 */
export function applyArithmetic(
  operator: Arithmetic,
  left: readonly PathValue[],
  right: readonly PathValue[],
): PathValue {
  const a = single(left, "left", operator);
  const b = single(right, "right", operator);
  try {
    return numberResult(operations[operator](a, b));
  } catch (error) {
    throw error instanceof SqlError ? new PathFailure(error) : error;
  }
}

function single(values: readonly PathValue[], side: string, operator: string): Numeric {
  const [value] = values;
  if (values.length === 1 && isNumber(value)) return asNumeric(value);
  throw pathFailure(
    sqlstate.singletonJsonItemRequired,
    `${side} operand of jsonpath operator ${operator} is not a single numeric value`,
  );
}

/** `+value` or `-value`. @throws PathFailure 2203B */
export function applySign(operator: "+" | "-", value: PathValue): PathValue {
  if (!isNumber(value)) {
    throw pathFailure(
      sqlstate.jsonNumberNotFound,
      `operand of unary jsonpath operator ${operator} is not a numeric value`,
    );
  }
  return operator === "-" ? numberResult(numericNegate(asNumeric(value))) : value;
}
