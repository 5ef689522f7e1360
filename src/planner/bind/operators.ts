/**
 * Operators: which one a symbol means for its operands, and LIKE and SIMILAR TO, which are operators with a pattern.
 * Source: PostgreSQL 15, 10.2 "Operators", 9.7 "Pattern Matching".
 */
import { SqlError, withPosition } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Operator } from "../../functions/function.js";
import { isOpenForLiterals, missingOperator } from "../../functions/missing.js";
import { operatorsNamed } from "../../functions/registry.js";
import type * as ast from "../../grammar/ast.js";
import { resolveOperator as chooseOperator, type OperatorMatch } from "../../types/resolution.js";
import { type SqlType, types } from "../../types/type.js";
import type { Call, Expr } from "../expr.js";
import { commonCollation, requireCollation } from "./collations.js";
import { compareNodes, keywordPosition, operandOf } from "./comparisons.js";
import { castTo } from "./conversions.js";
import { at, missingFeature } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { callNamed } from "./functions.js";
import { checkLabels } from "./labels.js";
import type { QueryLevel } from "./state.js";
import { compareRowWithSubquery } from "./subqueries.js";

/** The operator that a symbol means for its operands; `argTypes` are what they are to be cast to. */
export type ResolvedOperator = OperatorMatch<Operator>;

/** A chain `a op b op c …` is left-deep and may be long: its operands are bound in a loop. */
export function bindOperatorChain(node: ast.BinaryOperator, level: QueryLevel): Expr {
  const chain: ast.BinaryOperator[] = [node];
  while (chain[chain.length - 1].left.kind === "BinaryOperator") {
    chain.push(chain[chain.length - 1].left as ast.BinaryOperator);
  }
  const innermost = chain.pop() as ast.BinaryOperator;
  let expr = bindBinary(innermost, level);
  while (chain.length > 0) {
    const outer = chain.pop() as ast.BinaryOperator;
    const right = bindExpression(outer.right, level);
    expr = operatorCall(symbolOf(outer.operator, level), expr, right, level, at(outer.operator));
  }
  return expr;
}

function bindBinary(node: ast.BinaryOperator, level: QueryLevel): Expr {
  const { left, right, operator } = node;
  if (left.kind === "RowConstructor" && right.kind === "ScalarSubquery") {
    return compareRowWithSubquery(operator, left, right, level);
  }
  const symbol = symbolOf(operator, level);
  return compareNodes(symbol, operandOf(left, level), operandOf(right, level), level, at(operator));
}

/** OPERATOR(schema.+) may name the one schema that has operators. */
function symbolOf(operator: ast.OperatorName, level: QueryLevel): string {
  const { schema, name } = operator;
  if (schema !== undefined && schema !== "pg_catalog") {
    if (!level.state.catalog.hasSchema(schema)) {
      throw new SqlError(sqlstate.invalidSchemaName, `schema "${schema}" does not exist`, { position: at(operator) });
    }
    throw new SqlError(sqlstate.undefinedFunction, `operator does not exist: ${schema}.${name}`, {
      position: at(operator),
    });
  }
  return name;
}

export function bindUnary(node: ast.UnaryOperator, level: QueryLevel): Expr {
  const operand = bindExpression(node.operand, level);
  const position = at(node.operator);
  const symbol = symbolOf(node.operator, level);
  const chosen = choose(symbol, undefined, operand.type, position);
  return callWith(chosen, [castTo(operand, chosen.argTypes[0], -1, "implicit", level)], position);
}

/** `left symbol right`, operands cast to what the operator takes. @throws SqlError 42883, 42725; 22P02 for a wrong label */
export function operatorCall(symbol: string, left: Expr, right: Expr, level: QueryLevel, position: number): Expr {
  const call = uncheckedCall(symbol, left, right, level, position);
  if (symbol === "=" || symbol === "<>") {
    checkLabels(left, call.args[1]);
    checkLabels(right, call.args[0]);
  }
  return call;
}

/** The same without a look at declared labels: `NULLIF(status, '')` may ask for what cannot be. */
export function uncheckedCall(symbol: string, left: Expr, right: Expr, level: QueryLevel, position: number): Call {
  const chosen = resolveOperator(symbol, left, right, position);
  const args = [left, right].map((operand, i) => castTo(operand, chosen.argTypes[i], -1, "implicit", level));
  if (level.state.collations !== undefined) checkCollations(symbol, args, level);
  return callWith(chosen, args, position);
}

/** Strings meet in one collation; what looks into them needs to know it. @throws SqlError 42P21, 42P22 */
function checkCollations(symbol: string, args: readonly Expr[], level: QueryLevel): void {
  if (args.some((arg) => arg.type.category !== "S" && arg.type.element?.category !== "S")) return;
  if (symbol === "||" || symbol.endsWith("~~")) commonCollation(args, level);
  else if (symbol.endsWith("~~*")) requireCollation(args, "ILIKE", level);
  else requireCollation(args, symbol.includes("~") ? "regular expression" : "string comparison", level);
}

/** The operator for two operands. @throws SqlError 42883 when there is none, 42725 when several are as good */
export function resolveOperator(symbol: string, left: Expr, right: Expr, position: number): ResolvedOperator {
  return choose(symbol, left.type, right.type, position);
}

function choose(symbol: string, left: SqlType | undefined, right: SqlType, position: number): ResolvedOperator {
  const form = left === undefined ? "prefix" : "infix";
  if (right === types.unknown && (left ?? right) === right && isOpenForLiterals(symbol, form)) {
    throw ambiguousOperator(symbol, left, right, position);
  }
  let chosen: Choice;
  try {
    chosen = remembered(symbol, left, right);
  } catch (error) {
    throw error instanceof SqlError ? withPosition(error, position) : error;
  }
  if (chosen.kind === "none" && isElementBesideLiteral(symbol, left, right)) {
    throw ambiguousOperator(symbol, left, right, position);
  }
  if (chosen.kind === "none") throw undefinedOperator(symbol, left, right, position);
  if (chosen.kind === "ambiguous") throw ambiguousOperator(symbol, left, right, position);
  const { missing } = chosen.entry;
  if (missing !== undefined) throw missingFeature(`operator ${shownOperator(symbol, left, right)}`, missing, position);
  return chosen;
}

/** `1 <@ '…'` may be about a range or about several: PostgreSQL has both for every type of element. */
function isElementBesideLiteral(symbol: string, left: SqlType | undefined, right: SqlType): boolean {
  if (symbol === "<@") return right === types.unknown && left !== undefined;
  return symbol === "@>" && left === types.unknown;
}

type Choice = ReturnType<typeof chooseOperator<Operator>>;

/** Stands for the missing left side of a prefix operator. */
const nothing: SqlType = { ...types.unknown, name: "" };

/** Choices made so far; types that statements make for themselves (rows) are let go with them. */
const choices = new Map<string, WeakMap<SqlType, WeakMap<SqlType, Choice>>>();

/** The choice for a symbol and two types, which is always the same. */
function remembered(symbol: string, left: SqlType | undefined, right: SqlType): Choice {
  let bySymbol = choices.get(symbol);
  if (bySymbol === undefined) {
    bySymbol = new WeakMap();
    // Symbols that no operator has would let a text fill the memory.
    if (operatorsNamed(symbol).length > 0) choices.set(symbol, bySymbol);
  }
  const leftKey = left ?? nothing;
  let byLeft = bySymbol.get(leftKey);
  if (byLeft === undefined) {
    byLeft = new WeakMap();
    bySymbol.set(leftKey, byLeft);
  }
  let choice = byLeft.get(right);
  if (choice === undefined) {
    choice = chooseOperator(left, right, operatorsNamed(symbol));
    byLeft.set(right, choice);
  }
  return choice;
}

/** A call of a chosen operator over operands that have its types already. */
export function callWith(operator: ResolvedOperator, args: readonly Expr[], position: number): Call {
  const { entry, resultType } = operator;
  const starts = args.map((arg) => arg.position).filter((start) => start !== undefined);
  return {
    kind: "Call",
    name: entry.name,
    operator: entry.name,
    args,
    volatility: entry.volatility,
    strict: entry.strict ?? true,
    resolve: resolverOf(entry),
    type: resultType,
    position: Math.min(position, ...starts),
  };
}

/** How an entry of the library becomes a callable. */
export function resolverOf(entry: Pick<Operator, "name" | "call" | "specialize">) {
  const { call, specialize } = entry;
  if (specialize !== undefined) return specialize;
  if (call !== undefined) return () => call;
  throw new Error(`${entry.name} has neither call nor specialize`);
}

function shownOperator(symbol: string, left: SqlType | undefined, right: SqlType): string {
  return left === undefined ? `${symbol} ${right.display}` : `${left.display} ${symbol} ${right.display}`;
}

function undefinedOperator(symbol: string, left: SqlType | undefined, right: SqlType, position: number): SqlError {
  const missing = missingOperator(symbol);
  if (missing !== undefined) return missingFeature(`operator ${shownOperator(symbol, left, right)}`, missing, position);
  return new SqlError(sqlstate.undefinedFunction, `operator does not exist: ${shownOperator(symbol, left, right)}`, {
    position,
    hint: operatorHint(symbol, left, right),
  });
}

function operatorHint(symbol: string, left: SqlType | undefined, right: SqlType): string {
  const strings = [left, right].every((type) => type?.category === "S" || type === types.unknown);
  if (symbol === "+" && left !== undefined && strings) return "Strings are joined with ||: a || b.";
  if (left === undefined) {
    return "No operator matches the given name and argument type. You might need to add an explicit type cast.";
  }
  return "No operator matches the given name and argument types. You might need to add explicit type casts.";
}

function ambiguousOperator(symbol: string, left: SqlType | undefined, right: SqlType, position: number): SqlError {
  const message = `operator is not unique: ${shownOperator(symbol, left, right)}`;
  return new SqlError(sqlstate.ambiguousFunction, message, {
    position,
    hint: "Could not choose a best candidate operator. You might need to add explicit type casts.",
  });
}

const patternOperators = { like: "~~", ilike: "~~*", "similar to": "~" } as const;

/** LIKE and ILIKE are the operators `~~` and `~~*`, SIMILAR TO is `~` over a translated pattern. */
export function bindPatternMatch(node: ast.PatternMatch, level: QueryLevel): Expr {
  const position = keywordPosition(node.operand);
  const symbol = `${node.negated ? "!" : ""}${patternOperators[node.operator]}`;
  if (node.operator !== "similar to" && node.escape === undefined) {
    return compareNodes(symbol, operandOf(node.operand, level), operandOf(node.pattern, level), level, position);
  }
  const operand = bindExpression(node.operand, level);
  let pattern = bindExpression(node.pattern, level);
  const escaping = node.escape && bindExpression(node.escape, level);
  if (node.operator === "similar to") {
    pattern = callNamed.call(
      "similar_to_escape",
      escaping === undefined ? [pattern] : [pattern, escaping],
      level,
      position,
    );
  } else if (escaping !== undefined) {
    pattern = callNamed.call("like_escape", [pattern, escaping], level, position);
  }
  return operatorCall(symbol, operand, pattern, level, position);
}
