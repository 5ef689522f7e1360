/** Enum support functions (PostgreSQL 15, 9.10): they look at the argument's type, so NULL will do. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { CallSite, ScalarFunction } from "./function.js";

function labelsOf({ argTypes }: CallSite): readonly string[] {
  const labels = argTypes[0].labels ?? [];
  if (labels.length === 0) {
    throw new SqlError(sqlstate.objectNotInPrerequisiteState, `enum ${argTypes[0].display} contains no values`);
  }
  return labels;
}

function rangeOf(site: CallSite) {
  const labels = site.argTypes[0].labels ?? [];
  return (first: string | null, last: string | null) => {
    const from = first === null ? 0 : labels.indexOf(first);
    const to = last === null ? labels.length - 1 : labels.indexOf(last);
    return labels.slice(from, to + 1);
  };
}

const common = { kind: "scalar", volatility: "stable", strict: false } as const;

export const enumFunctions: readonly ScalarFunction[] = [
  {
    ...common,
    name: "enum_first",
    args: ["anyenum"],
    returns: "anyenum",
    specialize: (site) => () => labelsOf(site)[0],
  },
  {
    ...common,
    name: "enum_last",
    args: ["anyenum"],
    returns: "anyenum",
    specialize: (site) => () => labelsOf(site)[labelsOf(site).length - 1],
  },
  {
    ...common,
    name: "enum_range",
    args: ["anyenum"],
    returns: "anyarray",
    specialize: (site) => () => [...(site.argTypes[0].labels ?? [])],
  },
  { ...common, name: "enum_range", args: ["anyenum", "anyenum"], returns: "anyarray", specialize: rangeOf },
];
