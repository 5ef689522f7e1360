/** jsonb_path_exists, _match, _query and their relatives, and the operators `@?` and `@@` (PostgreSQL 15, 9.16.2). */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { fromTop, isObject, type JsonItem, newObject, toTop } from "../../types/json/item.js";
import type { JsonPath } from "../../types/json/jsonpath/ast.js";
import type { TypeName } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { AnyFunction, Callable, CallSite, Operator, SetReturningFunction } from "../function.js";
import { datetimeText, PathDatetime } from "./datetime.js";
import { PathEvaluation, type PathValue } from "./evaluate.js";
import { PathFailure } from "./failure.js";
import { checkPatterns } from "./like-regex.js";

type PathCall = (target: Value, path: JsonPath, variables: Value, silent: boolean) => Value;

/** Does something with a path; when it fails and is to be silent, nothing comes of it. */
function guarded<T>(silent: boolean, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PathFailure)) throw error;
    if (silent) return undefined;
    throw error.error;
  }
}

/** The items of a path; when it fails and is to be silent, those before the failure. */
function itemsOf(evaluation: PathEvaluation, silent: boolean): PathValue[] {
  const found: PathValue[] = [];
  guarded(silent, () => evaluation.collectInto(found));
  return found;
}

function evaluation(target: Value, path: JsonPath, variables: Value, useZone: boolean, site: CallSite): PathEvaluation {
  const vars = fromTop(variables);
  if (!isObject(vars)) {
    throw new SqlError(sqlstate.invalidParameterValue, '"vars" argument is not an object', {
      detail: 'Jsonpath parameters should be encoded as key-value pairs of "vars" object.',
    });
  }
  checkPatterns(path);
  return new PathEvaluation(path, fromTop(target), vars, useZone, site.session);
}

/** An item as JSON; dates and times as text. */
function resultItem(value: PathValue): JsonItem {
  return value instanceof PathDatetime ? datetimeText(value) : value;
}

const pathExists =
  (useZone: boolean) =>
  (site: CallSite): PathCall =>
  (target, path, variables, silent) =>
    guarded(silent, () => evaluation(target, path, variables, useZone, site).exists()) ?? null;

const pathMatch =
  (useZone: boolean) =>
  (site: CallSite): PathCall =>
  (target, path, variables, silent) => {
    const values = itemsOf(evaluation(target, path, variables, useZone, site), silent);
    if (values.length === 1) {
      if (typeof values[0] === "boolean") return values[0];
      if (values[0] === null) return null;
    }
    if (silent) return null;
    throw new SqlError(sqlstate.singletonJsonItemRequired, "single boolean result is expected", {
      hint: "The path must be a predicate, such as '$.price > 10'. To ask whether a path finds anything use jsonb_path_exists.",
    });
  };

const pathItems =
  (useZone: boolean, site: CallSite) =>
  (target: Value, path: JsonPath, variables: Value, silent: boolean): JsonItem[] =>
    itemsOf(evaluation(target, path, variables, useZone, site), silent).map(resultItem);

const pathQueryArray =
  (useZone: boolean) =>
  (site: CallSite): PathCall =>
    pathItems(useZone, site);

const pathQueryFirst =
  (useZone: boolean) =>
  (site: CallSite): PathCall => {
    const items = pathItems(useZone, site);
    return (target, path, variables, silent) => {
      const found = items(target, path, variables, silent);
      return found.length === 0 ? null : toTop(found[0]);
    };
  };

const pathQuery =
  (useZone: boolean): SetReturningFunction["specialize"] =>
  (site) => {
    const items = pathItems(useZone, site);
    return (target, path, variables, silent) =>
      items(target, path as JsonPath, variables, silent as boolean).map(toTop);
  };

const shape = {
  args: ["jsonb", "jsonpath", "jsonb", "bool"],
  argNames: ["target", "path", "vars", "silent"],
  defaults: [newObject(), false],
  strict: true,
} as const satisfies Partial<AnyFunction>;

/** A function and its relative whose name ends in `_tz`, which may use the session's time zone. */
function withZone(
  name: string,
  returns: TypeName,
  specialize: (useZone: boolean) => (site: CallSite) => Callable,
): AnyFunction[] {
  return [
    { ...shape, kind: "scalar", name, returns, volatility: "immutable", specialize: specialize(false) },
    { ...shape, kind: "scalar", name: `${name}_tz`, returns, volatility: "stable", specialize: specialize(true) },
  ];
}

export const jsonPathFunctions: readonly AnyFunction[] = [
  ...withZone("jsonb_path_exists", "bool", pathExists),
  ...withZone("jsonb_path_match", "bool", pathMatch),
  ...withZone("jsonb_path_query_array", "jsonb", pathQueryArray),
  ...withZone("jsonb_path_query_first", "jsonb", pathQueryFirst),
  {
    ...shape,
    kind: "set",
    name: "jsonb_path_query",
    returns: "jsonb",
    volatility: "immutable",
    specialize: pathQuery(false),
  },
  {
    ...shape,
    kind: "set",
    name: "jsonb_path_query_tz",
    returns: "jsonb",
    volatility: "stable",
    specialize: pathQuery(true),
  },
];

/** An operator has no variables, and is silent. */
function asOperator(specialize: (site: CallSite) => PathCall): (site: CallSite) => Callable {
  return (site) => {
    const call = specialize(site);
    return (target: Value, path: JsonPath) => call(target, path, newObject(), true);
  };
}

export const jsonPathOperators: readonly Operator[] = [
  {
    kind: "operator",
    name: "@?",
    left: "jsonb",
    right: "jsonpath",
    returns: "bool",
    volatility: "immutable",
    specialize: asOperator(pathExists(false)),
  },
  {
    kind: "operator",
    name: "@@",
    left: "jsonb",
    right: "jsonpath",
    returns: "bool",
    volatility: "immutable",
    specialize: asOperator(pathMatch(false)),
  },
];
