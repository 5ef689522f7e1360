/**
 * Finds the regular expressions of a statement that we refuse (back-references, look-around) before anything is called for
 * it: the first row would meet them anyway. What a CASE or COALESCE may never reach is left to the rows.
 *
 * Only what we refuse and PostgreSQL takes (0A000) is told here; a pattern that is wrong for PostgreSQL too fails where and
 * when it fails there (see `constant-errors.ts`).
 */
import { SqlError, withPosition } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { parseFlags } from "../functions/regex/options.js";
import { compileRegex } from "../functions/regex/regex.js";
import { defaultOptions } from "../functions/regex/syntax.js";
import { type ArrayValue, elements } from "../types/array-shape.js";
import type { Value } from "../types/value.js";
import type { ConstantCheck } from "./constant-errors.js";
import type { Expr } from "./expr.js";
import type { LogicalPlan } from "./plan.js";
import { expressionsOf, operandsOf, plansWithin } from "./visit.js";

/** A pattern in a plan. */
interface PatternUse {
  readonly pattern: Expr;
  /** The flags argument of a function. */
  readonly flags?: Expr;
  readonly position?: number;
}

const operators = new Set(["~", "~*", "!~", "!~*"]);
const functions = new Set([
  "regexp_count",
  "regexp_instr",
  "regexp_like",
  "regexp_match",
  "regexp_matches",
  "regexp_replace",
  "regexp_split_to_array",
  "regexp_split_to_table",
  "regexp_substr",
]);

/**
 * @param plan as it came out of the optimizer: what can never be reached is gone
 * @returns what is to be done with the parameters' values when the statement starts; `undefined` for nothing
 * @throws SqlError 0A000 for a constant pattern that we refuse
 */
export function refusePatterns(plan: LogicalPlan): ConstantCheck | undefined {
  const uses: PatternUse[] = [];
  for (const node of plansWithin(plan)) {
    for (const expr of expressionsOf(node)) collect(expr, uses);
    const calls = node.kind === "FunctionScan" || node.kind === "ProjectSet" ? node.calls : [];
    for (const call of calls) if ("function" in call) collectCall(call.function.name, call.args, undefined, uses);
  }
  for (const use of uses) check(use, []);
  const open = uses.filter(({ pattern, flags }) => pattern.kind === "Parameter" || flags?.kind === "Parameter");
  if (open.length === 0) return undefined;
  return ({ parameters }) => {
    for (const use of open) check(use, parameters);
  };
}

function collect(expr: Expr, uses: PatternUse[]): void {
  if (expr.kind === "Call") {
    const { operator, name, args, position } = expr;
    if (operator === undefined) collectCall(name, args, position, uses);
    else if (operators.has(operator)) uses.push({ pattern: args[1], position });
  }
  if (expr.kind === "ArrayComparison" && operators.has(expr.compare.operator ?? "")) {
    for (const pattern of itemsOf(expr.array)) uses.push({ pattern, position: expr.position });
  }
  for (const operand of surelyEvaluated(expr)) collect(operand, uses);
}

/** The elements of `text ~ ANY (array)`, where they are told. */
function itemsOf(array: Expr): readonly Expr[] {
  if (array.kind === "Array") return array.items;
  const { element } = array.type;
  if (array.kind !== "Constant" || array.value === null || element === undefined) return [];
  return elements(array.value as ArrayValue, element).map((value) => ({ kind: "Constant", value, type: element }));
}

function collectCall(name: string, args: readonly Expr[], position: number | undefined, uses: PatternUse[]): void {
  const isText = (expr: Expr) => expr.type.category === "S";
  const isSubstring = name === "substring" && args.length === 2 && args.every(isText);
  if (!functions.has(name) && !isSubstring) return;
  const [, pattern, ...rest] = args;
  // The flags are the only text behind the pattern, but for the replacement.
  const flags = (name === "regexp_replace" ? rest.slice(1) : rest).find(isText);
  uses.push({ pattern, position, ...(flags && { flags }) });
}

function surelyEvaluated(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "Case":
      return expr.operand === undefined ? [expr.branches[0].when] : [expr.operand];
    case "Coalesce":
      return expr.args.slice(0, 1);
    default:
      return operandsOf(expr);
  }
}

/** Values that are not known yet are not looked at, nor is NULL, which matches nothing. */
function check({ pattern, flags, position }: PatternUse, parameters: readonly Value[]): void {
  const text = knownText(pattern, parameters);
  const letters = flags === undefined ? "" : knownText(flags, parameters);
  if (text === undefined || letters === undefined) return;
  try {
    compileRegex(text, letters === "" ? defaultOptions : parseFlags(letters).options);
  } catch (error) {
    if (error instanceof SqlError && error.code === sqlstate.featureNotSupported) throw withPosition(error, position);
    if (!(error instanceof SqlError)) throw error;
  }
}

function knownText(expr: Expr, parameters: readonly Value[]): string | undefined {
  const value = expr.kind === "Constant" ? expr.value : expr.kind === "Parameter" ? parameters[expr.index - 1] : null;
  return typeof value === "string" ? value : undefined;
}
