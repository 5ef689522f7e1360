/**
 * Functions of the host in SQL: `Database.create({ functions: [{ name: "domain_of", … }] })`. They compute a value of their
 * arguments and call nothing; one may be declared to take flow labels off, which nothing else can.
 */
import { resolveColumnType } from "../catalog/type-name.js";
import { closest } from "../errors/did-you-mean.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { CallSite, ScalarFunction, Volatility } from "../functions/function.js";
import { functionsNamed } from "../functions/registry.js";
import { parseTypeName } from "../grammar/parse.js";
import { operationsOf } from "../types/families.js";
import { displayType, type SqlType, type TypeName } from "../types/type.js";
import type { Value } from "../types/value.js";
import { type KeysOf, refuseUnknownKeys } from "./known-keys.js";

/** A function that statements may call by its name. */
export interface HostFunction {
  /** As SQL folds it: lower case, unless statements are to quote it. It can't be the name of a function that SQL has. */
  readonly name: string;
  /** One line for readers of the catalog. */
  readonly description?: string;
  /** PostgreSQL types of the arguments: `text`, `bigint`, `jsonb`, `text[]`. */
  readonly arguments: readonly string[];
  readonly returns: string;
  /** As in PostgreSQL. Default `volatile`: called for every row. */
  readonly volatility?: Volatility;
  /** Whether NULL in any argument gives NULL without a call. Default true. */
  readonly strict?: boolean;
  /**
   * Gets the arguments as resolvers get values and gives the result at once: no promise. What it throws fails the statement
   * (38000, with the words of the error).
   */
  readonly call: (...args: never[]) => unknown;
  /** Flow labels that the result is free of, whatever the arguments are made of: that it tells nothing of them is the host's word. */
  readonly declassifies?: readonly string[];
}

const keys: KeysOf<HostFunction> = {
  name: true,
  description: true,
  arguments: true,
  returns: true,
  volatility: true,
  strict: true,
  call: true,
  declassifies: true,
};
const volatilities: readonly Volatility[] = ["immutable", "stable", "volatile"];

/**
 * The functions as the binder finds them.
 * @throws TypeError for a name that is taken, a type that is none, a call that is none, a key or a value of one that is none
 */
export function hostFunctions(functions: readonly HostFunction[]): ScalarFunction[] {
  if (!Array.isArray(functions)) throw new TypeError("functions must be an array of functions of the host");
  const names = new Set<string>();
  return functions.map((given) => {
    if (typeof given !== "object" || given === null) throw new TypeError("a function of the host must be an object");
    const { name } = given;
    if (typeof name !== "string" || name === "") throw new TypeError("a function of the host needs a name");
    if (functionsNamed(name).length > 0) throw new TypeError(`function "${name}": SQL has a function of this name`);
    if (names.has(name)) throw new TypeError(`function "${name}" is there twice`);
    names.add(name);
    if (typeof given.call !== "function") throw new TypeError(`function "${name}": call must be a function`);
    checkParts(given);
    return scalarFunction(given);
  });
}

/** What the types say, for callers without a compiler: a misspelt volatility would be a default's. @throws TypeError */
function checkParts(given: HostFunction): void {
  const what = `function "${given.name}"`;
  refuseUnknownKeys(what, given, keys);
  const { description, arguments: args, returns, volatility, strict, declassifies } = given;
  if (description !== undefined && typeof description !== "string")
    throw new TypeError(`${what}: description must be a text`);
  if (!areTexts(args)) throw new TypeError(`${what}: arguments must be an array of type names`);
  if (typeof returns !== "string") throw new TypeError(`${what}: returns must be the name of a type`);
  if (volatility !== undefined && !volatilities.includes(volatility)) {
    const near = typeof volatility === "string" ? closest(volatility, volatilities) : undefined;
    const instead = near === undefined ? "" : `; perhaps you meant "${near}"`;
    throw new TypeError(`${what}: volatility must be one of ${volatilities.join(", ")}${instead}`);
  }
  if (strict !== undefined && typeof strict !== "boolean") throw new TypeError(`${what}: strict must be true or false`);
  if (declassifies !== undefined && (!areTexts(declassifies) || declassifies.includes("")))
    throw new TypeError(`${what}: declassifies must be an array of labels`);
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === "string");
}

/** Label → the names of the functions that take it off. */
export function declassifiersIn(functions: readonly HostFunction[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { name, declassifies = [] } of functions)
    for (const label of declassifies) found.set(label, [...(found.get(label) ?? []), name]);
  return found;
}

function scalarFunction(given: HostFunction): ScalarFunction {
  const args = given.arguments.map((type) => typeNamed(type, given.name));
  const returns = typeNamed(given.returns, given.name);
  const { declassifies } = given;
  return {
    kind: "scalar",
    schema: "public",
    name: given.name,
    args: args.map((type) => type.name as TypeName),
    returns: returns.name as TypeName,
    volatility: given.volatility ?? "volatile",
    strict: given.strict ?? true,
    ...(given.description !== undefined && { description: given.description }),
    ...(declassifies !== undefined && declassifies.length > 0 && { declassifies: [...declassifies] }),
    specialize:
      ({ session }: CallSite) =>
      (...values: Value[]) => {
        const host = values.map((value, i) => (value === null ? null : operationsOf(args[i]).toHost(value, session)));
        return resultOf(given, returns, called(given, host), session);
      },
  };
}

function typeNamed(text: string, name: string): SqlType {
  try {
    return resolveColumnType(parseTypeName(text)).type;
  } catch (error) {
    const reason = error instanceof SqlError ? error.message : String(error);
    throw new TypeError(`function "${name}": ${reason}`, { cause: error });
  }
}

function called(given: HostFunction, args: readonly unknown[]): unknown {
  try {
    return (given.call as (...args: readonly unknown[]) => unknown)(...args);
  } catch (cause) {
    throw failed(given, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function resultOf(given: HostFunction, type: SqlType, result: unknown, session: CallSite["session"]): Value {
  if (result === null || result === undefined) return null;
  if (isPromise(result)) {
    // Nobody waits for it: that it fails later must not end the process.
    result.then(undefined, () => undefined);
    throw failed(given, "it gave a promise; a function has to give its value at once");
  }
  const value = operationsOf(type).fromHost(result, -1, session);
  if (value === undefined) throw failed(given, `it gave a value that is not a ${displayType(type, -1)}`);
  return value;
}

/** A document may have a field `then` as well; that of a promise is a function. */
function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function failed({ name }: HostFunction, words: string, cause?: unknown): SqlError {
  return new SqlError(sqlstate.externalRoutineException, `function ${name} failed`, { detail: words, cause });
}
