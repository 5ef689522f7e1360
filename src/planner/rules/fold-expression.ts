/**
 * Works out what is constant in an expression: calls of immutable functions on constants through the function's own
 * entry, and what AND, OR, NOT, CASE, COALESCE and the tests for NULL make of constants.
 *
 * A call that fails stays as it is: its error belongs to the row that reaches it, and an error below a CASE branch that
 * is never taken must not come up at all.
 * Source: PostgreSQL 15, 38.7 "Function Volatility Categories", 4.2.14 "Expression Evaluation Rules".
 */
import type { SessionContext } from "../../functions/function.js";
import type { Value } from "../../types/value.js";
import type { And, Call, Case, Cast, Constant, Expr, Or } from "../expr.js";
import { columnsOf, holdsSubquery, isVolatile, mapOperands, substituteColumns } from "../visit.js";

/** Thrown where a function asks for what only a running session has. */
export class NeedsSession extends Error {}

function needsSession(): never {
  throw new NeedsSession("a constant must not depend on the session");
}

/** A folded value stands in the plan: it stays small. */
const maxFoldedBytes = 65_536;

/** The session of a fold: an immutable function asks it for nothing but memory. */
export const foldSession: SessionContext = {
  get timeZone() {
    return needsSession();
  },
  get nowMicroseconds() {
    return needsSession();
  },
  get statementMicroseconds() {
    return needsSession();
  },
  get user() {
    return needsSession();
  },
  get database() {
    return needsSession();
  },
  clockMicroseconds: needsSession,
  random: needsSession,
  setting: needsSession,
  reserveBytes: (bytes) => {
    if (bytes > maxFoldedBytes) needsSession();
  },
};

/** Calls on constants that failed; what stands behind one of them may not be decided without it. */
const failed = new WeakSet<Expr>();

/**
 * The expression with all that is constant worked out.
 * @param foldPlan folds the plan of a subquery
 */
export function foldExpression(expr: Expr, foldSubquery: (expr: Expr & { kind: "Subquery" }) => Expr): Expr {
  const fold = (operand: Expr): Expr => foldExpression(operand, foldSubquery);
  if (expr.kind === "Case") return foldCase(expr, fold);
  const inside = mapOperands(expr, fold);
  switch (inside.kind) {
    case "Call":
      return foldCall(inside);
    case "Cast":
      return foldCast(inside);
    case "And":
    case "Or":
      return foldConnective(inside);
    case "Not":
      return foldNot(inside);
    case "IsNull":
      return inside.input.kind === "Constant" && !inside.rowwise
        ? truth((inside.input.value === null) !== inside.negated, inside)
        : inside;
    case "BooleanTest": {
      const { input, test, negated } = inside;
      if (input.kind !== "Constant") return inside;
      const wanted = test === "unknown" ? null : test === "true";
      return truth((input.value === wanted) !== negated, inside);
    }
    case "IsDistinct": {
      const { left, right, negated, equals } = inside;
      if (left.kind !== "Constant" || right.kind !== "Constant") return inside;
      if (left.value === null || right.value === null) return truth((left.value === right.value) === negated, inside);
      const equal = call(equals, [left.value, right.value]);
      return equal === undefined ? inside : truth((equal.value === true) === negated, inside);
    }
    case "Coalesce": {
      const args: Expr[] = [];
      for (const arg of inside.args) {
        if (isNull(arg)) continue;
        args.push(arg);
        if (arg.kind === "Constant") break; // what follows is never reached
      }
      if (args.length === 0) return nullOf(inside);
      if (args.length === 1 && args[0].type === inside.type) return args[0];
      return args.length === inside.args.length ? inside : { ...inside, args };
    }
    case "InList":
      return isNull(inside.input) && inside.items.every(isSettled) ? nullOf(inside) : inside;
    case "ArrayComparison":
      return isNull(inside.array) && isSettled(inside.input) ? nullOf(inside) : inside;
    case "Subquery":
      return foldSubquery(inside);
    default:
      return inside;
  }
}

export function isNull(expr: Expr): boolean {
  return expr.kind === "Constant" && expr.value === null;
}

/** Whether the constant decides a condition against the row: false or NULL. */
export function isNeverTrue(expr: Expr): boolean {
  return expr.kind === "Constant" && expr.value !== true;
}

/** Whether an expression can be left unevaluated without losing an error or an effect that PostgreSQL would show. */
export function isSettled(expr: Expr): boolean {
  return !isVolatile(expr) && !holdsFailure(expr);
}

function holdsFailure(expr: Expr): boolean {
  if (failed.has(expr)) return true;
  if (expr.kind === "Column" || expr.kind === "Constant") return false;
  let found = false;
  mapOperands(expr, (operand) => {
    found ||= holdsFailure(operand);
    return operand;
  });
  return found;
}

function truth(value: boolean, expr: Expr): Constant {
  return { kind: "Constant", value, type: expr.type, position: expr.position };
}

function nullOf(expr: Expr): Constant {
  return { kind: "Constant", value: null, type: expr.type, typmod: expr.typmod, position: expr.position };
}

function foldCall(expr: Call): Expr {
  if (expr.volatility === "volatile" || expr.type.kind === "pseudo") return expr;
  if (expr.strict && expr.args.some(isNull) && expr.args.every(isSettled)) return nullOf(expr);
  if (expr.volatility !== "immutable" || !expr.args.every((arg) => arg.kind === "Constant")) return expr;
  const result = call(
    expr,
    expr.args.map((arg) => (arg as Constant).value),
  );
  if (result !== undefined)
    return { kind: "Constant", value: result.value, type: expr.type, typmod: expr.typmod, position: expr.position };
  failed.add(expr);
  return expr;
}

/** The value of a call; `undefined` when it fails or needs a session. */
function call(expr: Call, values: readonly Value[]): { readonly value: Value } | undefined {
  if (expr.strict && values.includes(null)) return { value: null };
  try {
    const callable = expr.resolve({
      argTypes: expr.args.map((arg) => arg.type),
      resultType: expr.type,
      session: foldSession,
    }) as (...args: Value[]) => Value;
    const value = callable(...values);
    return isSmall(value) ? { value } : undefined;
  } catch {
    return undefined; // left for the row that reaches it
  }
}

function foldCast(expr: Cast): Expr {
  const { input } = expr;
  if (input.kind !== "Constant" || expr.type.kind === "pseudo") return expr;
  if (input.value === null) return nullOf(expr);
  if (expr.volatility !== "immutable") return expr;
  try {
    const convert = expr.resolve({ argTypes: [input.type], resultType: expr.type, session: foldSession });
    const value = convert(input.value);
    if (isSmall(value))
      return { kind: "Constant", value, type: expr.type, typmod: expr.typmod, position: expr.position };
  } catch {
    failed.add(expr); // left for the row that reaches it
  }
  return expr;
}

function isSmall(value: Value): boolean {
  return typeof value === "string" ? value.length <= maxFoldedBytes : !Array.isArray(value) || value.length <= 4096;
}

/** AND and OR: nested ones opened up, what cannot change the answer left out, decided as soon as one operand decides. */
function foldConnective(expr: And | Or): Expr {
  const decisive = expr.kind === "Or";
  const args: Expr[] = [];
  const add = (arg: Expr): Expr | undefined => {
    if (arg.kind === expr.kind) {
      for (const inner of (arg as And | Or).args) {
        const decided = add(inner);
        if (decided !== undefined) return decided;
      }
      return undefined;
    }
    if (arg.kind === "Constant" && arg.value === !decisive) return undefined;
    // PostgreSQL works operands out from left to right: an error before the one that decides is still an error.
    if (arg.kind === "Constant" && arg.value === decisive && args.every(isSettled)) return arg;
    args.push(arg);
    return undefined;
  };
  for (const arg of expr.args) {
    const decided = add(arg);
    if (decided !== undefined) return decided;
  }
  if (args.length === 0) return truth(!decisive, expr);
  if (args.length === 1) return args[0];
  return args.length === expr.args.length && args.every((arg, i) => arg === expr.args[i]) ? expr : { ...expr, args };
}

function foldNot(expr: Expr & { kind: "Not" }): Expr {
  const { input } = expr;
  switch (input.kind) {
    case "Constant":
      return input.value === null ? nullOf(expr) : truth(input.value !== true, expr);
    case "Not":
      return input.input;
    case "IsNull":
      return input.rowwise ? expr : { ...input, negated: !input.negated };
    case "BooleanTest":
    case "IsDistinct":
    case "InList":
      return { ...input, negated: !input.negated };
    case "And":
    case "Or":
      // So that each part can be used on its own: NOT (a OR b) is NOT a AND NOT b.
      return {
        ...input,
        kind: input.kind === "And" ? "Or" : "And",
        args: input.args.map((arg) => foldNot({ ...expr, input: arg })),
      };
    default:
      return expr;
  }
}

/** Branches that can't be taken are dropped before anything in them is worked out. */
function foldCase(expr: Case, fold: (expr: Expr) => Expr): Expr {
  const operand = expr.operand === undefined ? undefined : fold(expr.operand);
  const known =
    operand?.kind === "Constant" && expr.operandColumn !== undefined
      ? new Map<number, Expr>([[expr.operandColumn.id, operand]])
      : undefined;
  const inBranch = (part: Expr) => fold(known === undefined ? part : substituteColumns(part, known));
  const branches: { when: Expr; then: Expr }[] = [];
  let otherwise: Expr | undefined;
  for (const branch of expr.branches) {
    const when = inBranch(branch.when);
    if (isNeverTrue(when)) continue;
    const then = inBranch(branch.then);
    if (when.kind === "Constant") {
      otherwise = then;
      break;
    }
    branches.push(when === branch.when && then === branch.then ? branch : { when, then });
  }
  otherwise ??= inBranch(expr.otherwise);
  const usesOperand =
    operand !== undefined && known === undefined && (branches.length > 0 || mentionsOperand(otherwise, expr));
  if (branches.length === 0 && !usesOperand && (operand === undefined || isSettled(operand))) return otherwise;
  if (
    known === undefined &&
    operand === expr.operand &&
    otherwise === expr.otherwise &&
    branches.length === expr.branches.length &&
    branches.every((branch, i) => branch === expr.branches[i])
  )
    return expr;
  const { operand: _, operandColumn, ...rest } = expr;
  return {
    ...rest,
    ...(operand !== undefined && known === undefined && { operand, operandColumn }),
    branches,
    otherwise,
  };
}

function mentionsOperand(otherwise: Expr, { operandColumn }: Case): boolean {
  return operandColumn !== undefined && columnsOf(otherwise).has(operandColumn.id);
}

/** Whether an expression is the same each time in a statement and reads no rows at all. */
export function isStandalone(expr: Expr): boolean {
  return columnsOf(expr).size === 0 && !holdsSubquery(expr) && !isVolatile(expr);
}
