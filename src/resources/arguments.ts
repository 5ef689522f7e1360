/**
 * Turns the argument sets of a scan into the values of each call: evaluates them, converts them to the columns' types,
 * intersects what is said twice of one column, and spreads keys over calls.
 */
import { SqlError } from "../errors/sql-error.js";
import type { SessionContext } from "../functions/function.js";
import type { Expr } from "../planner/expr.js";
import type { ArgumentSet, LogicalPlan, Scan } from "../planner/plan.js";
import { outputOf } from "../planner/plan.js";
import { makeCast } from "../types/casts.js";
import { operationsOf } from "../types/families.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import { withinModifier } from "./column-modifier.js";
import type { Qual } from "./resource.js";
import type { RegisteredResource } from "./table-info.js";

/** The tuples that some columns (indexes into `table.columns`) take, as host values. */
export interface ArgumentTuples {
  /** No call at all: a contradiction, or keys that turned out empty. */
  readonly none: boolean;
  readonly sets: readonly { readonly sources: readonly number[]; readonly tuples: readonly (readonly unknown[])[] }[];
  /** Predicates beyond equality, the same for all calls of the scan. */
  readonly quals: readonly Qual[];
}

/**
 * @param run evaluates a plan over the rows that are there
 */
export async function argumentTuples(
  scan: Scan,
  run: (plan: LogicalPlan) => Promise<readonly (readonly Value[])[]>,
  session: SessionContext,
): Promise<ArgumentTuples> {
  if (scan.pushed?.never === true) return { none: true, sets: [], quals: [] };
  const table = scan.table as RegisteredResource;
  const sets: { sources: readonly number[]; tuples: readonly (readonly Value[])[] }[] = [];
  for (const set of scan.pushed?.arguments ?? []) {
    const { tuples, types } = await evaluate(set, run);
    const toColumn = set.sources.map((source, i) => exactConversion(types[i], table, source, session));
    const within = set.sources.map((source) => withinModifier(table.columns[source], session));
    const converted = tuples.flatMap((tuple) => {
      const values = tuple.map((value, i) => (value === null ? undefined : within[i](toColumn[i](value))));
      return values.some((value) => value === undefined) ? [] : [values];
    });
    sets.push({ sources: set.sources, tuples: distinct(converted, set.sources, table) });
  }
  const merged = intersect(sets, table);
  if (merged.some((set) => set.tuples.length === 0)) return { none: true, sets: [], quals: [] };
  return {
    none: false,
    quals: [],
    sets: merged.map((set) => ({
      sources: set.sources,
      tuples: set.tuples.map((tuple) => tuple.map((value, i) => toArgument(value, table, set.sources[i], session))),
    })),
  };
}

async function evaluate(
  set: ArgumentSet,
  run: (plan: LogicalPlan) => Promise<readonly (readonly Value[])[]>,
): Promise<{ tuples: readonly (readonly Value[])[]; types: readonly SqlType[] }> {
  switch (set.values.kind) {
    case "query": {
      const types = outputOf(set.values.plan).map((column) => column.type);
      return { tuples: await run(set.values.plan), types };
    }
    case "array": {
      const { array } = set.values;
      const [[elements]] = await run(valuesPlan([[array]]));
      const list = (elements === null ? [] : (elements as Value[]).flat(6)) as Value[];
      return { tuples: list.map((element) => [element]), types: [array.type.element ?? array.type] };
    }
    case "list": {
      const [first] = set.values.tuples;
      return { tuples: await run(valuesPlan(set.values.tuples)), types: first.map((expr) => expr.type) };
    }
  }
}

function valuesPlan(rows: readonly (readonly Expr[])[]): LogicalPlan {
  const columns = rows[0].map((expr, i) => ({
    id: i + 1,
    name: `column${i + 1}`,
    type: expr.type,
    typmod: -1,
    nullable: true,
  }));
  return { kind: "Values", columns, rows };
}

/**
 * Converts an argument to its column's type; `undefined` when no value of the column can be equal to it: `2.5` for a
 * bigint column, a timestamp with hours for a date.
 */
function exactConversion(
  type: SqlType,
  table: RegisteredResource,
  source: number,
  session: SessionContext,
): (value: Value) => Value | undefined {
  const column = table.columns[source];
  if (type === column.type) return (value) => value;
  const there = makeCast(type, column.type, -1, true, session);
  const back = makeCast(column.type, type, -1, true, session);
  const { compare } = operationsOf(type);
  return (value) => {
    try {
      const converted = there(value);
      if (converted === null) return undefined;
      return compare !== undefined && compare(back(converted), value) !== 0 ? undefined : converted;
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      return undefined; // out of the column's range: equal to none of its values
    }
  };
}

function keyOf(value: Value, table: RegisteredResource, source: number): unknown {
  const { key } = operationsOf(table.columns[source].type);
  return key === undefined ? value : key(value);
}

function tupleKey(tuple: readonly Value[], sources: readonly number[], table: RegisteredResource): string {
  return JSON.stringify(tuple.map((value, i) => `${typeof value}:${String(keyOf(value, table, sources[i]))}`));
}

function distinct(
  tuples: readonly (readonly Value[])[],
  sources: readonly number[],
  table: RegisteredResource,
): readonly (readonly Value[])[] {
  const seen = new Set<string>();
  return tuples.filter((tuple) => {
    const key = tupleKey(tuple, sources, table);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

interface TupleSet {
  readonly sources: readonly number[];
  readonly tuples: readonly (readonly Value[])[];
}

/** Joins sets that speak of the same column, so that what is left can be multiplied. */
function intersect(sets: readonly TupleSet[], table: RegisteredResource): TupleSet[] {
  const merged: TupleSet[] = [];
  for (const set of sets) {
    let current = set;
    for (;;) {
      const at = merged.findIndex((other) => other.sources.some((source) => current.sources.includes(source)));
      if (at === -1) break;
      const [other] = merged.splice(at, 1);
      current = joinSets(other, current, table);
    }
    merged.push(current);
  }
  return merged;
}

function joinSets(left: TupleSet, right: TupleSet, table: RegisteredResource): TupleSet {
  const common = left.sources.filter((source) => right.sources.includes(source));
  const added = right.sources.filter((source) => !left.sources.includes(source));
  const keyBy = (set: TupleSet, tuple: readonly Value[]) =>
    tupleKey(
      common.map((source) => tuple[set.sources.indexOf(source)]),
      common,
      table,
    );
  const byKey = new Map<string, (readonly Value[])[]>();
  for (const tuple of right.tuples) {
    const key = keyBy(right, tuple);
    const list = byKey.get(key);
    if (list === undefined) byKey.set(key, [tuple]);
    else list.push(tuple);
  }
  const tuples = left.tuples.flatMap((tuple) =>
    (byKey.get(keyBy(left, tuple)) ?? []).map((other) => [
      ...tuple,
      ...added.map((source) => other[right.sources.indexOf(source)]),
    ]),
  );
  return { sources: [...left.sources, ...added], tuples };
}

/** A value as a resolver gets it: a Date where the column was declared with `z.date()`; documents are its own copy. */
function toArgument(value: Value, table: RegisteredResource, source: number, session: SessionContext): unknown {
  const host = operationsOf(table.columns[source].type).toHost(value, session);
  if (typeof host === "object" && host !== null) return structuredClone(host);
  return table.resource.columns[source].asDate === true && typeof host === "string" ? new Date(host) : host;
}

/**
 * The values of each call. Required keys and argument columns take one value (one tuple) a call, unless the keys are
 * batched; an optional column takes all its values in every call.
 */
export function callValues(
  table: RegisteredResource,
  tuples: ArgumentTuples,
): ReadonlyMap<string, readonly unknown[]>[] {
  if (tuples.none) return [];
  let calls: Map<string, readonly unknown[]>[] = [new Map()];
  for (const set of tuples.sets) {
    const columns = set.sources.map((source) => table.columns[source]);
    const spread = columns.some(
      (column) => column.argument === true || (column.requiredKey === true && !table.batchKeys),
    );
    const choices = spread
      ? set.tuples.map((tuple) => columns.map((_, i) => [tuple[i]]))
      : [columns.map((_, i) => [...new Set(set.tuples.map((tuple) => tuple[i]))])];
    calls = calls.flatMap((call) =>
      choices.map((choice) => new Map([...call, ...columns.map((column, i) => [column.name, choice[i]] as const)])),
    );
  }
  return calls;
}
