/**
 * Overload resolution: which operator or function is meant by a name and the types of its arguments.
 * Callers hand in the candidates of that name; entries are known here only by the types they declare.
 * Source: PostgreSQL 15, 10.2 "Operators", 10.3 "Functions".
 */
import { canCoerce, findCast } from "./casts.js";
import { sameType } from "./common-type.js";
import { isConsistent, isPolymorphic, resolvePolymorphic } from "./polymorphism.js";
import { arrayOf, type SqlType, type TypeName, typeNamed, types } from "./type.js";
import type { Value } from "./value.js";

/** What resolution reads of an operator; `left` is absent for a prefix operator. */
export interface OperatorCandidate {
  readonly left?: TypeName;
  readonly right: TypeName;
  readonly returns: TypeName;
}

/** What resolution reads of a function. */
export interface FunctionCandidate {
  readonly args: readonly TypeName[];
  readonly returns: TypeName;
  readonly variadic?: boolean;
  readonly defaults?: readonly Value[];
  readonly argNames?: readonly string[];
}

/** No candidate is the one that is meant. */
export type NoMatch =
  | { readonly kind: "none" }
  /** Several candidates are equally good. */
  | { readonly kind: "ambiguous" };

/** The operator that is meant. */
export interface OperatorMatch<E> {
  readonly kind: "match";
  readonly entry: E;
  /** The types that the operands are to be coerced to, in order. */
  readonly argTypes: readonly SqlType[];
  readonly resultType: SqlType;
}

/** Where the callable gets an argument from: one of the call's, or the function's default. */
export type ArgumentSource =
  | { readonly kind: "given"; readonly index: number }
  | { readonly kind: "default"; readonly value: Value };

/** The function that is meant, and how its arguments are fed. */
export interface FunctionMatch<E> {
  readonly kind: "match";
  readonly entry: E;
  /** The type each argument of the callable is to be coerced to, defaults and the parts of a variadic tail included. */
  readonly argTypes: readonly SqlType[];
  readonly arguments: readonly ArgumentSource[];
  readonly resultType: SqlType;
  /** The call was written with VARIADIC: the last argument is an array whose elements are the variadic tail. */
  readonly spread: boolean;
}

/** The name is a type's, and the call means a cast: `float8(x)`. */
export interface CoercionMatch {
  readonly kind: "coercion";
  readonly target: SqlType;
}

/** A candidate with the declared types laid out for the number of arguments of the call. */
interface Prepared<E> {
  readonly entry: E;
  /** One type per given argument, in the order given. */
  readonly declared: readonly SqlType[];
}

/**
 * The operator that `left symbol right` means. `types.unknown` stands for literals without a type.
 * @throws SqlError 42804 when only unknown literals meet a polymorphic operator
 */
export function resolveOperator<E extends OperatorCandidate>(
  left: SqlType | undefined,
  right: SqlType,
  candidates: readonly E[],
): OperatorMatch<E> | NoMatch {
  const prefix = left === undefined;
  const given = prefix ? [right] : [left, right];
  const prepared: Prepared<E>[] = [];
  for (const entry of candidates) {
    if ((entry.left === undefined) !== prefix) continue;
    const declared =
      entry.left === undefined ? [typeNamed(entry.right)] : [typeNamed(entry.left), typeNamed(entry.right)];
    prepared.push({ entry, declared });
  }
  // An unknown literal is first taken to have the type of the other operand.
  const assumed = given.map((type, i) => (type === types.unknown && !prefix ? given[1 - i] : type));
  const found = prepared.find((candidate) => isExact(assumed, candidate.declared)) ?? choose(given, prepared);
  if ("kind" in found) return found;
  const concrete = resolvePolymorphic(given, found.declared, typeNamed(found.entry.returns));
  return { kind: "match", entry: found.entry, ...concrete };
}

/** What the way a call is written says beside the types of its arguments. */
export interface FunctionCallShape {
  /** Names of arguments given by name (`name => value`), in place; absent for positional ones. */
  readonly argNames?: readonly (string | undefined)[];
  /** The call was written `f(…, VARIADIC array)`. */
  readonly variadic?: boolean;
  /** The type that has the function's name, if there is one: `date('2024-01-01')` is then a cast. */
  readonly typeOfName?: SqlType;
}

/**
 * The function that a call means.
 * @param given types of the arguments as written, `types.unknown` for literals without a type
 * @throws SqlError 42804 when only unknown literals meet a polymorphic function
 */
export function resolveFunction<E extends FunctionCandidate>(
  given: readonly SqlType[],
  candidates: readonly E[],
  shape: FunctionCallShape = {},
): FunctionMatch<E> | CoercionMatch | NoMatch {
  const prepared: Layout<E>[] = [];
  for (const entry of candidates) {
    const layout = layOut(entry, given.length, shape);
    if (layout !== undefined) addLayout(prepared, layout);
  }
  let found: Layout<E> | NoMatch | undefined = prepared.find((candidate) => isExact(given, candidate.declared));
  if (found === undefined && meansCast(given, shape)) return { kind: "coercion", target: shape.typeOfName as SqlType };
  found ??= choose(given, prepared);
  if (found.kind !== "layout") return found;
  const concrete = resolvePolymorphic(given, found.declared, typeNamed(found.entry.returns));
  const argTypes = found.sources.map((source, i) =>
    source.kind === "given" ? concrete.argTypes[source.index] : typeNamed(found.entry.args[i]),
  );
  return {
    kind: "match",
    entry: found.entry,
    argTypes,
    arguments: found.sources,
    resultType: concrete.resultType,
    spread: found.spread,
  };
}

function meansCast(given: readonly SqlType[], shape: FunctionCallShape): boolean {
  const target = shape.typeOfName;
  if (target === undefined || given.length !== 1 || shape.variadic || shape.argNames?.some(Boolean)) return false;
  if (given[0] === types.unknown) return true;
  const path = findCast(given[0], target);
  if (path === undefined || path.kind === "array" || path.kind === "record") return false;
  return !(path.kind === "io" && given[0].kind === "record");
}

/** A function's parameters laid against the arguments of a call. */
interface Layout<E> extends Prepared<E> {
  readonly kind: "layout";
  readonly sources: readonly ArgumentSource[];
  readonly spread: boolean;
  readonly expanded: boolean;
}

function layOut<E extends FunctionCandidate>(entry: E, count: number, shape: FunctionCallShape): Layout<E> | undefined {
  const parameters = entry.args.map(typeNamed);
  if (shape.argNames?.some(Boolean)) return layOutNamed(entry, parameters, count, shape);
  const last = parameters.length - 1;
  const spread = shape.variadic === true;
  if (spread && !entry.variadic) return undefined;
  let expanded = false;
  if (entry.variadic) {
    if (spread) {
      parameters[last] = variadicArray(parameters[last]);
    } else if (count > parameters.length) {
      while (parameters.length < count) parameters.push(parameters[last]);
    }
    expanded = !spread;
  }
  const defaults = entry.defaults ?? [];
  const missing = parameters.length - count;
  if (missing < 0 || missing > defaults.length || (missing > 0 && entry.variadic)) return undefined;
  const sources: ArgumentSource[] = parameters.map((_, i) =>
    i < count
      ? { kind: "given", index: i }
      : { kind: "default", value: defaults[defaults.length - (parameters.length - i)] },
  );
  return { kind: "layout", entry, declared: parameters.slice(0, count), sources, spread, expanded };
}

/** The array type that `VARIADIC` wants for a tail of this type. */
function variadicArray(type: SqlType): SqlType {
  if (type === types.any) return type;
  if (type === types.anyelement) return types.anyarray;
  if (type === types.anycompatible) return types.anycompatiblearray;
  return arrayOf(type);
}

/** Positional arguments first, then named ones; every parameter left over needs a default. */
function layOutNamed<E extends FunctionCandidate>(
  entry: E,
  parameters: readonly SqlType[],
  count: number,
  shape: FunctionCallShape,
): Layout<E> | undefined {
  const names = entry.argNames;
  if (names === undefined || entry.variadic || shape.variadic || count > parameters.length) return undefined;
  const sources: (ArgumentSource | undefined)[] = parameters.map(() => undefined);
  const declared: SqlType[] = [];
  for (let i = 0; i < count; i++) {
    const name = shape.argNames?.[i];
    const at = name === undefined ? i : names.indexOf(name);
    if (at < 0 || sources[at] !== undefined) return undefined;
    sources[at] = { kind: "given", index: i };
    declared.push(parameters[at]);
  }
  const defaults = entry.defaults ?? [];
  const complete: ArgumentSource[] = [];
  for (let i = 0; i < parameters.length; i++) {
    const fromEnd = parameters.length - i;
    const source = sources[i];
    if (source === undefined && fromEnd > defaults.length) return undefined;
    complete.push(source ?? { kind: "default", value: defaults[defaults.length - fromEnd] });
  }
  return { kind: "layout", entry, declared, sources: complete, spread: false, expanded: false };
}

/** Of two candidates that would take the same types, one that is not variadic, or that needs fewer defaults, hides the other. */
function addLayout<E>(prepared: Layout<E>[], layout: Layout<E>): void {
  const at = prepared.findIndex((other) => other.declared.every((type, i) => type === layout.declared[i]));
  if (at < 0) {
    prepared.push(layout);
    return;
  }
  const other = prepared[at];
  if (other.expanded !== layout.expanded) {
    if (other.expanded) prepared[at] = layout;
  } else if (other.sources.length !== layout.sources.length) {
    if (other.sources.length > layout.sources.length) prepared[at] = layout;
  } else {
    prepared.push(layout);
  }
}

function isExact(given: readonly SqlType[], declared: readonly SqlType[]): boolean {
  return declared.every((type, i) => sameType(type, given[i]));
}

/** Whether all arguments can be coerced implicitly, polymorphic parameters included. */
function canCoerceAll(given: readonly SqlType[], declared: readonly SqlType[]): boolean {
  let polymorphic = false;
  for (let i = 0; i < declared.length; i++) {
    if (isPolymorphic(declared[i])) polymorphic = true;
    else if (!canCoerce(given[i], declared[i], "implicit")) return false;
  }
  return !polymorphic || isConsistent(given, declared);
}

/** The best of the candidates for these types, by PostgreSQL's steps of elimination. */
function choose<P extends Prepared<unknown>>(given: readonly SqlType[], prepared: readonly P[]): P | NoMatch {
  let left = prepared.filter((candidate) => canCoerceAll(given, candidate.declared));
  if (left.length === 0) return { kind: "none" };
  if (left.length === 1) return left[0];

  // Most exact matches, then most exact matches or preferred types of the argument's own category.
  left = mostMatches(left, given, (type, argument) => sameType(type, argument));
  if (left.length === 1) return left[0];
  left = mostMatches(
    left,
    given,
    (type, argument) => sameType(type, argument) || (type.preferred && type.category === argument.category),
  );
  if (left.length === 1) return left[0];

  if (!given.includes(types.unknown)) return { kind: "ambiguous" };
  const byCategory = matchUnknownCategories(given, left);
  if (byCategory.length === 1) return byCategory[0];
  return assumeKnownType(given, byCategory) ?? { kind: "ambiguous" };
}

function mostMatches<P extends Prepared<unknown>>(
  candidates: readonly P[],
  given: readonly SqlType[],
  matches: (declared: SqlType, given: SqlType) => boolean,
): P[] {
  let best = 0;
  let kept: P[] = [];
  for (const candidate of candidates) {
    const count = candidate.declared.filter((type, i) => given[i] !== types.unknown && matches(type, given[i])).length;
    if (count > best || kept.length === 0) {
      best = count;
      kept = [candidate];
    } else if (count === best) {
      kept.push(candidate);
    }
  }
  return kept;
}

/** Finds a category for each unknown argument (string when any candidate takes one there) and drops what is of another. */
function matchUnknownCategories<P extends Prepared<unknown>>(given: readonly SqlType[], candidates: P[]): P[] {
  const wanted: ({ category: string; preferred: boolean } | undefined)[] = [];
  for (let i = 0; i < given.length; i++) {
    if (given[i] !== types.unknown) {
      wanted.push(undefined);
      continue;
    }
    const slots = candidates.map((candidate) => candidate.declared[i]);
    const strings = slots.filter((type) => type.category === "S");
    const same = slots.every((type) => type.category === slots[0].category);
    if (strings.length === 0 && !same) return candidates; // no category can be told: the step does nothing
    const relevant = strings.length > 0 ? strings : slots;
    wanted.push({ category: relevant[0].category, preferred: relevant.some((type) => type.preferred) });
  }
  const kept = candidates.filter((candidate) =>
    candidate.declared.every((type, i) => {
      const slot = wanted[i];
      return slot === undefined || (type.category === slot.category && (!slot.preferred || type.preferred));
    }),
  );
  return kept.length === 0 ? candidates : kept;
}

/** Last resort: all known arguments have one type, so the unknown ones are taken to have it too. */
function assumeKnownType<P extends Prepared<unknown>>(
  given: readonly SqlType[],
  candidates: readonly P[],
): P | undefined {
  const known = given.filter((type) => type !== types.unknown);
  if (known.length === 0 || !known.every((type) => sameType(type, known[0]))) return undefined;
  const assumed = given.map(() => known[0]);
  const fitting = candidates.filter((candidate) => canCoerceAll(assumed, candidate.declared));
  return fitting.length === 1 ? fitting[0] : undefined;
}
