/**
 * Works out what is constant in an expression: calls of immutable functions on constants through the function's own
 * entry, and what AND, OR, NOT, CASE, COALESCE and the tests for NULL make of constants.
 *
 * A call that fails stays as it is, unless the one who folds wants to hear of it: `constant-errors.ts` does, over the plan as
 * it was written, and raises what PostgreSQL's planner raises. Rules that move expressions about do not.
 * Operands are taken from left to right, and none that a constant before it makes needless.
 * Source: PostgreSQL 15, 38.7 "Function Volatility Categories", 4.2.14 "Expression Evaluation Rules".
 */
import type { SessionContext } from "../../functions/function.js";
import { type ArrayValue, elements, nestArrays, subscriptArray } from "../../types/array-shape.js";
import { operationsOf } from "../../types/families.js";
import { RecordValue, type Value } from "../../types/value.js";
import type {
  And,
  ArrayComparison,
  ArrayConstructor,
  Call,
  Case,
  Cast,
  Coalesce,
  Constant,
  Expr,
  InList,
  MinMax,
  Or,
  RowConstructor,
  Subquery,
  Subscript,
} from "../expr.js";
import { columnsOf, holdsSubquery, isVolatile, mapOperands, operandsOf, substituteColumns } from "../visit.js";

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

/** A session for folding with what `session` knows: memory is bounded as in {@link foldSession}. */
export function boundedSession(session: SessionContext): SessionContext {
  return Object.create(session, { reserveBytes: { value: foldSession.reserveBytes } });
}

/** Calls on constants that failed; what stands behind one of them may not be decided without it. */
const failed = new WeakSet<Expr>();

/** How to fold. */
export interface Folding {
  /** Folds a subquery whose operands are folded. */
  readonly subquery: (expr: Subquery) => Expr;
  /** Is told of every call on constants that fails. It may throw; the call stays as it is when it does not. */
  readonly onError?: (error: unknown, expr: Expr) => void;
  /** Values of `$1`, `$2`, …; without them parameters are unknown. */
  readonly parameters?: readonly Value[];
  /** What a function may ask for its session; without one a function that asks is left as it is. */
  readonly session?: SessionContext;
  /** Works out what is stable too, as if the statement ran now. */
  readonly stable?: boolean;
}

/** The expression with all that is constant worked out. */
export function foldExpression(expr: Expr, folding: Folding): Expr {
  const fold = (operand: Expr): Expr => foldExpression(operand, folding);
  switch (expr.kind) {
    case "Case":
      return foldCase(expr, folding);
    case "And":
    case "Or":
      return foldConnective(expr, folding);
    case "Coalesce":
      return foldCoalesce(expr, folding);
    case "Parameter": {
      const value = folding.parameters?.[expr.index - 1];
      if (value === undefined) return expr;
      return { kind: "Constant", value, type: expr.type, typmod: expr.typmod, position: expr.position };
    }
  }
  const inside = mapOperands(expr, fold);
  switch (inside.kind) {
    case "Call":
      return foldCall(inside, folding);
    case "Cast":
      return foldCast(inside, folding);
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
      const equal = call(equals, [left.value, right.value], folding);
      return equal === undefined ? inside : truth((equal.value === true) === negated, inside);
    }
    case "NullIf": {
      const { input, equals } = inside;
      if (input.kind !== "Constant" || equals.kind !== "Constant") return inside;
      return equals.value === true ? nullOf(inside) : input;
    }
    case "InList":
      return foldInList(inside, folding);
    case "ArrayComparison":
      return foldArrayComparison(inside, folding);
    case "MinMax":
      return foldMinMax(inside);
    case "Subscript":
      return folding.onError === undefined ? inside : foldSubscript(inside);
    case "Subquery":
      return folding.subquery(inside);
    case "Array":
    case "Row":
      return folding.onError === undefined ? inside : foldConstructor(inside, folding);
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

/** Stops at a constant that is not NULL: what follows is never reached, and not folded. */
function foldCoalesce(expr: Coalesce, folding: Folding): Expr {
  const args: Expr[] = [];
  let current = folding;
  for (const given of expr.args) {
    const arg = foldExpression(given, current);
    if (isNull(arg)) continue;
    args.push(arg);
    if (arg.kind === "Constant") break;
    current = after(arg, current);
  }
  if (args.length === 0) return nullOf(expr);
  if (args.length === 1 && args[0].type === expr.type) return args[0];
  return args.length === expr.args.length && args.every((arg, i) => arg === expr.args[i]) ? expr : { ...expr, args };
}

function foldInList(expr: InList, folding: Folding): Expr {
  const { input, items, negated, equals } = expr;
  if (isNull(input) && items.every(isSettled)) return nullOf(expr);
  if (input.kind !== "Constant") return expr;
  let unknown = false;
  for (const item of items) {
    if (item.kind !== "Constant" || item.type !== items[0].type) return expr;
    const equal = call(equals, [input.value, item.value], folding);
    if (equal === undefined) return expr;
    if (equal.value === true) return truth(!negated, expr);
    unknown ||= equal.value === null;
  }
  return unknown ? nullOf(expr) : truth(negated, expr);
}

/** Every element that decides is found; an operator that fails leaves the comparison as it is. */
function foldArrayComparison(expr: ArrayComparison, folding: Folding): Expr {
  const { input, array, quantifier, compare } = expr;
  if (isNull(array) && isSettled(input)) return nullOf(expr);
  const elementType = array.type.element;
  if (input.kind !== "Constant" || array.kind !== "Constant" || elementType === undefined) return expr;
  if (!isFoldable(compare, folding)) return expr;
  const decisive = quantifier === "any";
  let unknown = false;
  for (const item of elements(array.value as ArrayValue, elementType)) {
    const answer = call(compare, [input.value, item], folding);
    if (answer === undefined) return expr;
    if (answer.value === decisive) return truth(decisive, expr);
    unknown ||= answer.value === null;
  }
  return unknown ? nullOf(expr) : truth(!decisive, expr);
}

/** The value of the first argument among equals, as the engine takes it. */
function foldMinMax(expr: MinMax): Expr {
  const { compare } = operationsOf(expr.type);
  if (compare === undefined || !expr.args.every((arg) => arg.kind === "Constant" && arg.type === expr.type))
    return expr;
  const sign = expr.which === "greatest" ? 1 : -1;
  const values = (expr.args as readonly Constant[]).map((arg) => arg.value).filter((value) => value !== null);
  if (values.length === 0) return nullOf(expr);
  const value = values.reduce((best, next) => (compare(next, best) * sign > 0 ? next : best));
  return { kind: "Constant", value, type: expr.type, typmod: expr.typmod, position: expr.position };
}

/** An element of a constant array, `('{0}'::int[])[1]`: for what is made of it, as with constructors. */
function foldSubscript(expr: Subscript): Expr {
  const { input, subscripts } = expr;
  const element = input.type.element;
  if (input.kind !== "Constant" || element === undefined) return expr;
  if (isNull(input)) return nullOf(expr);
  const indexes: (number | null)[] = [];
  for (const { slice, upper } of subscripts) {
    if (slice || upper?.kind !== "Constant") return expr;
    indexes.push(upper.value as number | null);
  }
  const value = subscriptArray(input.value as ArrayValue, indexes, element);
  return { kind: "Constant", value, type: expr.type, typmod: expr.typmod, position: expr.position };
}

/** Arrays and rows of constants: for their errors only, since plans are easier to read with them as they were written. */
function foldConstructor(expr: ArrayConstructor | RowConstructor, folding: Folding): Expr {
  if (!expr.items.every((item) => item.kind === "Constant")) return expr;
  const values = expr.items.map((item) => (item as Constant).value);
  try {
    return { kind: "Constant", value: constructed(expr, values), type: expr.type, position: expr.position };
  } catch (error) {
    noteFailure(error, expr, folding);
    return expr;
  }
}

function constructed(expr: ArrayConstructor | RowConstructor, values: Value[]): Value {
  if (expr.kind === "Row") {
    const fields = expr.type.fields ?? expr.items.map((item, i) => ({ name: `f${i + 1}`, type: item.type }));
    return new RecordValue(values, fields);
  }
  return expr.nested ? nestArrays(values as (ArrayValue | null)[], expr.type.element ?? expr.type) : values;
}

/**
 * How to fold what stands behind an operand. Where PostgreSQL would know the operand's value and we do not (we fold fewer
 * kinds of expressions), it may never look at the rest: no error of that is told.
 */
function after(operand: Expr, folding: Folding): Folding {
  if (folding.onError === undefined || !isConstantForPostgres(operand)) return folding;
  return { ...folding, onError: undefined };
}

function isConstantForPostgres(expr: Expr): boolean {
  return expr.kind !== "Constant" && columnsOf(expr).size === 0 && isImmutable(expr);
}

function isImmutable(expr: Expr): boolean {
  switch (expr.kind) {
    case "Subquery":
    case "Grouping":
    case "Parameter":
    case "RowCompare": // PostgreSQL leaves the order of rows to the run, even of constants
      return false;
    case "Call":
    case "Cast":
      if (expr.volatility !== "immutable") return false;
  }
  return operandsOf(expr).every(isImmutable);
}

function foldCall(expr: Call, folding: Folding): Expr {
  if (expr.volatility === "volatile" || expr.type.kind === "pseudo") return expr;
  // A volatile function beside the NULL is dropped, as in PostgreSQL.
  if (expr.strict && expr.args.some(isNull) && !expr.args.some(holdsFailure)) return nullOf(expr);
  if (!isFoldable(expr, folding) || !expr.args.every((arg) => arg.kind === "Constant")) return expr;
  const result = call(
    expr,
    expr.args.map((arg) => (arg as Constant).value),
    folding,
  );
  if (result === undefined) return expr;
  return { kind: "Constant", value: result.value, type: expr.type, typmod: expr.typmod, position: expr.position };
}

function isFoldable({ volatility }: Call | Cast, { stable }: Folding): boolean {
  return volatility === "immutable" || (volatility === "stable" && stable === true);
}

/** The value of a call; `undefined` when it fails, needs a session, or is too large to stand in a plan. */
function call(expr: Call, values: readonly Value[], folding: Folding): { readonly value: Value } | undefined {
  const { session = foldSession } = folding;
  if (expr.strict && values.includes(null)) return { value: null };
  try {
    const callable = expr.resolve({
      argTypes: expr.args.map((arg) => arg.type),
      resultType: expr.type,
      session,
    }) as (...args: Value[]) => Value;
    const value = callable(...values);
    return isSmall(value) ? { value } : undefined;
  } catch (error) {
    noteFailure(error, expr, folding);
    return undefined;
  }
}

/** The call is left for the row that reaches it. */
function noteFailure(error: unknown, expr: Expr, { onError }: Folding): void {
  onError?.(error, expr);
  if (!(error instanceof NeedsSession)) failed.add(expr);
}

function foldCast(expr: Cast, folding: Folding): Expr {
  const { input } = expr;
  if (input.kind !== "Constant" || expr.type.kind === "pseudo") return expr;
  if (input.value === null) return nullOf(expr);
  if (!isFoldable(expr, folding)) return expr;
  const { session = foldSession } = folding;
  try {
    const convert = expr.resolve({ argTypes: [input.type], resultType: expr.type, session });
    const value = convert(input.value);
    if (isSmall(value))
      return { kind: "Constant", value, type: expr.type, typmod: expr.typmod, position: expr.position };
  } catch (error) {
    noteFailure(error, expr, folding);
  }
  return expr;
}

function isSmall(value: Value): boolean {
  return typeof value === "string" ? value.length <= maxFoldedBytes : !Array.isArray(value) || value.length <= 4096;
}

/** AND and OR: nested ones opened up, what cannot change the answer left out, decided as soon as one operand decides. */
function foldConnective(expr: And | Or, folding: Folding): Expr {
  const decisive = expr.kind === "Or";
  const args: Expr[] = [];
  let current = folding;
  const add = (given: Expr, isFolded = false): Expr | undefined => {
    const arg = isFolded || given.kind === expr.kind ? given : foldExpression(given, current);
    if (arg.kind === expr.kind) {
      for (const inner of (arg as And | Or).args) {
        const decided = add(inner, arg !== given);
        if (decided !== undefined) return decided;
      }
      return undefined;
    }
    if (arg.kind === "Constant" && arg.value === !decisive) return undefined;
    // PostgreSQL works operands out from left to right: an error before the one that decides is still an error, while a
    // volatile function there is dropped.
    if (arg.kind === "Constant" && arg.value === decisive && !args.some(holdsFailure)) return arg;
    args.push(arg);
    current = after(arg, current);
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
function foldCase(expr: Case, folding: Folding): Expr {
  const operand = expr.operand === undefined ? undefined : foldExpression(expr.operand, folding);
  let current = operand === undefined ? folding : after(operand, folding);
  const known =
    operand?.kind === "Constant" && expr.operandColumn !== undefined
      ? new Map<number, Expr>([[expr.operandColumn.id, operand]])
      : undefined;
  const inBranch = (part: Expr) => foldExpression(known === undefined ? part : substituteColumns(part, known), current);
  const branches: { when: Expr; then: Expr }[] = [];
  let otherwise: Expr | undefined;
  for (const branch of expr.branches) {
    const when = inBranch(branch.when);
    if (isNeverTrue(when)) continue;
    current = after(when, current);
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
