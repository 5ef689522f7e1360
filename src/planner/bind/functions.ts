/**
 * Function calls: which overload is meant, with named, default and variadic arguments, and what kind it is. Aggregates,
 * window functions and set-returning functions go on to their own files.
 * Source: PostgreSQL 15, 10.3 "Functions", 4.3 "Calling Functions".
 */

import { findType } from "../../catalog/type-name.js";
import { closest, editDistance } from "../../errors/did-you-mean.js";
import { SqlError, withPosition } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { AnyFunction, ScalarFunction } from "../../functions/function.js";
import { missingFunction } from "../../functions/missing.js";
import { functionNames, functionsNamed } from "../../functions/registry.js";
import type * as ast from "../../grammar/ast.js";
import { type CoercionMatch, type FunctionMatch, resolveFunction } from "../../types/resolution.js";
import { type SqlType, types } from "../../types/type.js";
import type { Expr } from "../expr.js";
import { bindAggregateCall } from "./aggregates.js";
import { commonCollation } from "./collations.js";
import { castTo } from "./conversions.js";
import { at, datatypeMismatch, missingFeature, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { elsewhere } from "./functions-elsewhere.js";
import { relationNamed } from "./names.js";
import { columnOfItem } from "./scope.js";
import { bindSetCall } from "./set-calls.js";
import { type QueryLevel, userTypes } from "./state.js";
import { spreadVariadic } from "./variadic.js";
import { bindWindowCall } from "./windows.js";

/** The overload that a call means. */
export type ChosenFunction = FunctionMatch<AnyFunction>;

/** Arguments of a call, bound, before its overload is known. */
export interface CallArguments {
  readonly positional: readonly Expr[];
  readonly named: readonly { readonly name: string; readonly value: Expr }[];
  /** The last argument is written VARIADIC: an array that stands for the repeated arguments. */
  readonly variadic: boolean;
}

export function bindFunctionCall(node: ast.FunctionCall, level: QueryLevel): Expr {
  const found = resolveCall(node, level);
  return "kind" in found ? found : finishCall(node, found, level);
}

/** A call whose overload is known. */
export interface ResolvedCall {
  readonly chosen: ChosenFunction;
  readonly all: CallArguments;
}

/** Finds the overload of a call; a call that means a cast or a field is answered at once. */
export function resolveCall(node: ast.FunctionCall, level: QueryLevel): ResolvedCall | Expr {
  const position = at(node);
  const { name } = node.name;
  const own = ownFunctions(node.name, level);
  if (own === undefined) checkSchema(node.name, level);
  const args = bindArguments(node, level);
  const order = node.withinGroup?.map((item) => bindExpression(item.expression, level)) ?? [];
  const all: CallArguments = { ...args, positional: [...args.positional, ...order] };
  const chosen = overload(name, all, level, position, node.withinGroup !== undefined, own);
  if (chosen.kind === "coercion") return castTo(args.positional[0], chosen.target, -1, "explicit", level);
  if (chosen.kind === "none") {
    const field = isPlain(node) ? projection(node, level) : undefined;
    if (field !== undefined) return field;
    throw undefinedFunction(node.name, all, position);
  }
  if (chosen.spread) checkVariadic(chosen, all);
  level.state.options.checkFunction?.(chosen.entry, position);
  return { chosen, all };
}

/** The expression that a call with a known overload is. */
export function finishCall(node: ast.FunctionCall, { chosen, all }: ResolvedCall, level: QueryLevel): Expr {
  const position = at(node);
  const { entry } = chosen;
  const { name } = entry;
  if (entry.kind === "window" || node.over !== undefined) return bindWindowCall(node, chosen, all, level);
  if (entry.kind === "aggregate") return bindAggregateCall(node, chosen, all, level);
  refuseAggregateSyntax(node, name, position);
  if (entry.kind === "set") return bindSetCall(entry, chosen, castArguments(chosen, all, level), level, position);
  return scalarCall(entry, chosen, castArguments(chosen, all, level), position);
}

/** After VARIADIC stands an array. */
function checkVariadic(chosen: ChosenFunction, { positional }: CallArguments): void {
  const last = positional[positional.length - 1];
  if (chosen.entry.args[chosen.entry.args.length - 1] !== "any" || last.type.kind === "array") return;
  throw datatypeMismatch("VARIADIC argument must be an array", last.position);
}

/** Functions of a schema that the catalog has beside the library's; `undefined` when it has none of this name. */
function ownFunctions({ schema, name }: ast.QualifiedName, level: QueryLevel): readonly AnyFunction[] | undefined {
  const found = level.state.catalog.functions?.(name, schema ?? "public") ?? [];
  return found.length === 0 ? undefined : found;
}

function checkSchema(name: ast.QualifiedName, level: QueryLevel): void {
  if (name.schema === undefined || name.schema === "pg_catalog") return;
  if (!level.state.catalog.hasSchema(name.schema)) {
    throw new SqlError(sqlstate.invalidSchemaName, `schema "${name.schema}" does not exist`, { position: at(name) });
  }
  throw new SqlError(sqlstate.undefinedFunction, `function ${name.schema}.${name.name} does not exist`, {
    position: at(name),
    hint: `The functions are in pg_catalog: write ${name.name}(…).`,
  });
}

function isPlain(node: ast.FunctionCall): boolean {
  return (
    !node.star &&
    !node.distinct &&
    node.orderBy.length === 0 &&
    node.withinGroup === undefined &&
    node.filter === undefined &&
    node.over === undefined
  );
}

function bindArguments(node: ast.FunctionCall, level: QueryLevel): CallArguments {
  const positional: Expr[] = [];
  const named: { name: string; value: Expr }[] = [];
  for (const arg of node.args) {
    const value = bindExpression(arg.value, level);
    if (arg.name !== undefined) {
      const { name } = arg.name;
      if (named.some((other) => other.name === name)) {
        throw syntaxError(`argument name "${name}" used more than once`, at(arg));
      }
      named.push({ name, value });
    } else {
      if (named.length > 0) throw syntaxError("positional argument cannot follow named argument", at(arg));
      positional.push(value);
    }
  }
  if (positional.length + named.length > 100) {
    throw new SqlError(sqlstate.tooManyArguments, "cannot pass more than 100 arguments to a function", {
      position: at(node),
    });
  }
  return { positional, named, variadic: node.args.some((arg) => arg.variadic) };
}

function refuseAggregateSyntax(node: ast.FunctionCall, name: string, position: number): void {
  const wrong = (message: string) => new SqlError(sqlstate.wrongObjectType, message, { position });
  if (node.star) throw wrong(`${name}(*) specified, but ${name} is not an aggregate function`);
  if (node.distinct) throw wrong(`DISTINCT specified, but ${name} is not an aggregate function`);
  if (node.withinGroup !== undefined) throw wrong(`WITHIN GROUP specified, but ${name} is not an aggregate function`);
  if (node.orderBy.length > 0) throw wrong(`ORDER BY specified, but ${name} is not an aggregate function`);
  if (node.filter !== undefined) throw wrong(`FILTER specified, but ${name} is not an aggregate function`);
}

/** `name(relation)` is `relation.name`. */
function projection(node: ast.FunctionCall, level: QueryLevel): Expr | undefined {
  if (node.args.length !== 1) return undefined;
  const item = relationNamed(node.args[0].value, level);
  return item && columnOfItem(item, node.name.name, at(node));
}

function overload(
  name: string,
  args: CallArguments,
  level: QueryLevel,
  position: number,
  withinGroup: boolean,
  own?: readonly AnyFunction[],
): ChosenFunction | CoercionMatch | { readonly kind: "none" } {
  // rank() is a window function, rank(x) WITHIN GROUP (…) an aggregate of the same name.
  const candidates =
    own ?? functionsNamed(name).filter((entry) => isOrderedSet(entry) === withinGroup || !hasBoth(name));
  const given = [...args.positional, ...args.named.map((arg) => arg.value)];
  const chosen = atPosition(position, () =>
    resolveFunction(
      given.map((arg) => arg.type),
      candidates,
      {
        argNames: [...args.positional.map(() => undefined), ...args.named.map((arg) => arg.name)],
        variadic: args.variadic,
        typeOfName: findType(name, undefined, userTypes(level)),
      },
    ),
  );
  if (chosen.kind === "ambiguous") {
    throw new SqlError(sqlstate.ambiguousFunction, `function ${signature(name, args)} is not unique`, {
      position,
      hint: "Could not choose a best candidate function. You might need to add explicit type casts.",
    });
  }
  return chosen;
}

/** Errors that know no place in the text get that of the call. */
function atPosition<T>(position: number, resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    throw error instanceof SqlError ? withPosition(error, position) : error;
  }
}

function isOrderedSet(entry: AnyFunction): boolean {
  return entry.kind === "aggregate" && entry.aggregateKind !== "normal";
}

function hasBoth(name: string): boolean {
  const entries = functionsNamed(name);
  return entries.some(isOrderedSet) && !entries.every(isOrderedSet);
}

/** `f(integer, text)`, as messages write a call. */
export function signature(name: string, args: CallArguments): string {
  const shown = [
    ...args.positional.map((arg) => arg.type.display),
    ...args.named.map((arg) => `${arg.name} => ${arg.value.type.display}`),
  ];
  return `${name}(${shown.join(", ")})`;
}

type WrittenName = Pick<ast.QualifiedName, "schema" | "name">;

function undefinedFunction({ schema, name }: WrittenName, args: CallArguments, position: number): SqlError {
  const missing = missingFunction(name, args.positional.length + args.named.length);
  if (missing !== undefined) return missingFeature(`function ${name}()`, missing, position);
  const shown = signature(schema === undefined ? name : `${schema}.${name}`, args);
  return new SqlError(sqlstate.undefinedFunction, `function ${shown} does not exist`, {
    position,
    hint: functionHint(name),
  });
}

function functionHint(name: string): string {
  const overloads = functionsNamed(name);
  if (overloads.length === 0) {
    const known = elsewhere.get(name);
    if (known !== undefined) return known;
    const near = closest(name, functionNames());
    if (near !== undefined && editDistance(name, near) <= Math.max(1, Math.floor(name.length / 3))) {
      return `Perhaps you meant the function "${near}".`;
    }
    return "No function matches the given name and argument types. You might need to add explicit type casts.";
  }
  const forms = overloads.slice(0, 6).map((entry) => `${name}(${entry.args.map(displayName).join(", ")})`);
  const text = "No function matches the given name and argument types. You might need to add explicit type casts.";
  return `${text} There is ${forms.join(", ")}${overloads.length > 6 ? ", …" : ""}.`;
}

function displayName(name: string): string {
  const element = name.endsWith("[]") ? name.slice(0, -2) : name;
  const known = (types as Record<string, SqlType>)[element];
  return `${known?.display ?? element}${name.endsWith("[]") ? "[]" : ""}`;
}

/** The arguments in the order of the overload, each cast to its type, defaults filled in. */
export function castArguments(chosen: ChosenFunction, args: CallArguments, level: QueryLevel): readonly Expr[] {
  const bound = [...args.positional, ...args.named.map((arg) => arg.value)];
  commonCollation(bound, level); // explicit ones that differ cannot meet
  return chosen.arguments.map((source, i) => {
    const type = chosen.argTypes[i];
    if (source.kind === "default") return { kind: "Constant", value: source.value ?? null, type };
    return castTo(bound[source.index], type, -1, "implicit", level);
  });
}

/** A call of a scalar function over arguments that have its types already. */
export function scalarCall(
  entry: ScalarFunction,
  chosen: ChosenFunction,
  args: readonly Expr[],
  position: number | undefined,
): Expr {
  const { call, specialize } = entry;
  const resolve =
    specialize ??
    (() => {
      if (call === undefined) throw new Error(`${entry.name} has neither call nor specialize`);
      return call;
    });
  return {
    kind: "Call",
    name: entry.name,
    args,
    volatility: entry.volatility,
    strict: entry.strict,
    resolve: chosen.spread ? spreadVariadic(entry.name, resolve) : resolve,
    ...(entry.declassifies !== undefined && { declassifies: entry.declassifies }),
    type: chosen.resultType,
    position,
  };
}

/** A call of a scalar function by name, for syntax that stands for one. @throws SqlError 42883 */
export function callFunction(name: string, args: readonly Expr[], level: QueryLevel, position: number): Expr {
  const all: CallArguments = { positional: args, named: [], variadic: false };
  const chosen = overload(name, all, level, position, false);
  if (chosen.kind !== "match" || chosen.entry.kind !== "scalar") throw undefinedFunction({ name }, all, position);
  return scalarCall(chosen.entry, chosen, castArguments(chosen, all, level), position);
}

/** Whether the library has a function of that name. */
export function hasFunction(name: string): boolean {
  return functionsNamed(name).length > 0;
}

/** Small helpers under one name, for files that this one imports too. */
export const callNamed = {
  call: callFunction,
  toText: (expr: Expr, level: QueryLevel): Expr => castTo(expr, types.text, -1, "implicit", level),
};
