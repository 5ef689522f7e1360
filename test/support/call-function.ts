/**
 * Calls functions and operators of the library by name, through overload resolution and casts but without parser, binder
 * or engine. Arguments and results are given in their text form, so that a table of cases reads like SQL.
 */
import type {
  Callable,
  CallSite,
  ScalarFunction,
  SessionContext,
  SetReturningFunction,
} from "../../src/functions/function.js";
import { functionsNamed, operatorsNamed } from "../../src/functions/registry.js";
import { makeCast } from "../../src/types/casts.js";
import { typeBySpelling } from "../../src/types/catalog-types.js";
import { operationsOf } from "../../src/types/families.js";
import { resolveFunction, resolveOperator } from "../../src/types/resolution.js";
import { type SqlType, types } from "../../src/types/type.js";
import type { Value } from "../../src/types/value.js";

/** An argument: a type by any spelling (or the type itself) and its text, `null` for SQL NULL; `unknown` is an untyped literal. */
export interface Argument {
  readonly type: string | SqlType;
  readonly text: string | null;
}

/** The result: its type as pg_typeof shows it, its text, and the value itself. */
export interface Evaluated {
  readonly type: string;
  readonly text: string | null;
  readonly value: Value;
}

/** A session at a fixed moment (2024-03-15 12:30:45.678901 UTC), with `random()` always 0.5. */
export const testSession: SessionContext = {
  timeZone: "UTC",
  nowMicroseconds: 1_710_505_845_678_901,
  statementMicroseconds: 1_710_505_845_678_901,
  user: "postgres",
  database: "postgres",
  clockMicroseconds: () => 1_710_505_845_678_901,
  random: () => 0.5,
  setting: (name) => ({ timezone: "UTC", search_path: "public" })[name.toLowerCase()],
  reserveBytes: () => undefined,
};

function isOperatorName(name: string): boolean {
  return "+-*/<>=~!@#%^&|`?".includes(name[0]);
}

export function typeOf(argument: Argument): SqlType {
  if (typeof argument.type !== "string") return argument.type;
  if (argument.type === "unknown") return types.unknown;
  const type = typeBySpelling(argument.type);
  if (type === undefined) throw new Error(`no type ${argument.type}`);
  return type;
}

function argumentValue(argument: Argument, target: SqlType, session: SessionContext): Value {
  if (argument.text === null) return null;
  const type = typeOf(argument);
  const own = makeCast(types.unknown, type, -1, true, session)(argument.text);
  return makeCast(type, target, -1, false, session)(own);
}

interface Resolved {
  readonly entry: Pick<ScalarFunction, "strict" | "call" | "specialize"> | SetReturningFunction;
  readonly args: readonly Value[];
  readonly site: CallSite;
}

function resolve(name: string, args: readonly Argument[], session: SessionContext): Resolved {
  const given = args.map(typeOf);
  if (isOperatorName(name)) {
    const candidates = operatorsNamed(name);
    const match =
      given.length === 1
        ? resolveOperator(undefined, given[0], candidates)
        : resolveOperator(given[0], given[1], candidates);
    if (match.kind !== "match") throw new Error(`operator ${name}: ${match.kind}`);
    return {
      entry: { ...match.entry, strict: match.entry.strict ?? true },
      args: args.map((arg, i) => argumentValue(arg, match.argTypes[i], session)),
      site: { argTypes: match.argTypes, resultType: match.resultType, session },
    };
  }
  const candidates = functionsNamed(name).filter((f) => f.kind === "scalar" || f.kind === "set");
  const match = resolveFunction(given, candidates);
  if (match.kind !== "match") throw new Error(`function ${name}: ${match.kind}`);
  return {
    entry: match.entry as ScalarFunction | SetReturningFunction,
    args: match.arguments.map((source, i) =>
      source.kind === "given" ? argumentValue(args[source.index], match.argTypes[i], session) : source.value,
    ),
    site: { argTypes: match.argTypes, resultType: match.resultType, session },
  };
}

/**
 * Value of `name(args…)`, or of an operator when `name` is a symbol (one argument: prefix).
 * @throws SqlError as the function does, Error when resolution finds nothing
 */
export function evaluate(name: string, args: readonly Argument[], session: SessionContext = testSession): Evaluated {
  const { entry, args: values, site } = resolve(name, args, session);
  const type = site.resultType.display;
  if (entry.strict && values.includes(null)) return { type, text: null, value: null };
  const { call, specialize } = entry as ScalarFunction;
  const callable = (specialize?.(site) ?? call) as Callable;
  const value = callable(...(values as never[]));
  return { type, text: value === null ? null : operationsOf(site.resultType).output(value, session), value };
}

/** `length` of a type as written: `varchar(3)`, `numeric(5,2)`, `char`, `timestamp(0)`. */
function modifierOf(spelling: string, type: SqlType): number {
  const open = spelling.indexOf("(");
  if (open < 0) return type === types.bpchar && !spelling.startsWith("bpchar") ? 5 : -1;
  const [first, second = 0] = spelling
    .slice(open + 1, spelling.indexOf(")"))
    .split(",")
    .map(Number);
  const base = type.element ?? type;
  if (base === types.numeric) return ((first << 16) | (second & 0x7ff)) + 4;
  return base === types.varchar || base === types.bpchar ? first + 4 : first;
}

/** An explicit cast to a type by its spelling, with a length or precision. */
export function castTo(spelling: string, argument: Argument, session: SessionContext = testSession): Evaluated {
  const source = typeOf(argument);
  const target = typeOf({ type: spelling, text: null });
  const type = target.display;
  if (argument.text === null) return { type, text: null, value: null };
  const own = source === types.unknown ? argument.text : operationsOf(source).input(argument.text, -1, session);
  const value = makeCast(source, target, modifierOf(spelling, target), true, session)(own);
  return { type, text: value === null ? null : operationsOf(target).output(value, session), value };
}

/** Rows of a set-returning function, as text; several columns give an array a row. */
export function evaluateSet(name: string, args: readonly Argument[], session: SessionContext = testSession): Value[] {
  const { entry, args: values, site } = resolve(name, args, session);
  if (entry.strict && values.includes(null)) return [];
  const rows = (entry as SetReturningFunction).specialize(site)(...values);
  const output = operationsOf(site.resultType);
  return [...rows].map((row) => (row === null || Array.isArray(row) ? row : output.output(row, session)));
}
