/**
 * Turns the argument sets of a scan into the values of each call: evaluates them, converts them to the columns' types,
 * intersects what is said twice of one column, and spreads keys over calls.
 */
import { severalRows } from "../engine/compile/subquery.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { SessionContext } from "../functions/function.js";
import type { Expr } from "../planner/expr.js";
import type { ArgumentSet, LogicalPlan, Scan } from "../planner/plan.js";
import { outputOf } from "../planner/plan.js";
import { alternativesOf, callKeys } from "../planner/rules/alternatives.js";
import { isWholeMilliseconds } from "../planner/rules/quals.js";
import { columnsOf, conjunctionOf, conjunctsOf } from "../planner/visit.js";
import { operationsOf } from "../types/families.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import { exactConversion, toArgument, valuesPlan } from "./argument-values.js";
import { withinModifier } from "./column-modifier.js";
import { qualValues } from "./qual-values.js";
import type { Qual } from "./resource.js";
import type { RegisteredResource } from "./table-info.js";
import { valueIdentity } from "./value-identity.js";

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
  const none: ArgumentTuples = { none: true, sets: [], quals: [] };
  if (scan.pushed?.never === true) return none;
  const table = scan.table as RegisteredResource;
  const sets: { sources: readonly number[]; tuples: readonly (readonly Value[])[] }[] = [];
  for (const set of scan.pushed?.arguments ?? []) {
    const within = set.sources.map((source) => withinModifier(table.columns[source], session));
    const converted = (await evaluate(set, run)).flatMap(({ tuples, types: given }) => {
      const toColumn = set.sources.map((source, i) => exactConversion(given[i], table, source, session));
      return tuples.flatMap((tuple) => {
        const values = tuple.map((value, i) => (value === null ? undefined : within[i](toColumn[i](value))));
        return values.some((value) => value === undefined) ? [] : [values];
      });
    });
    sets.push(...askable({ sources: set.sources, tuples: distinct(converted, set.sources, table) }, table));
  }
  const merged: TupleSet[] = [];
  for (const set of intersect(sets, table)) merged.push(await thinned(set, scan, run));
  if (merged.some((set) => set.tuples.length === 0)) return none;
  const quals = await qualValues(scan, run, session);
  if (quals === undefined) return none;
  return {
    none: false,
    quals,
    sets: merged.map((set) => ({
      sources: set.sources,
      tuples: set.tuples.map((tuple) => tuple.map((value, i) => toArgument(value, table, set.sources[i], session))),
    })),
  };
}

/**
 * The set without columns that resolvers get as a `Date` and that have a value here which none can be: rounded, it would
 * ask for other rows. The condition is still checked on the rows.
 * @throws SqlError 22003 when there is no call without the column
 */
function askable(set: TupleSet, table: RegisteredResource): TupleSet[] {
  const kept = set.sources.flatMap((source, i) => {
    const { milliseconds, requiredKey, argument, name } = table.columns[source];
    const strange = milliseconds === true ? set.tuples.find((tuple) => !isWholeMilliseconds(tuple[i])) : undefined;
    if (strange === undefined) return [i];
    if (requiredKey === true || argument === true || alternativesOf(table).some((group) => group.includes(source)))
      throw refuseInstant(name);
    return [];
  });
  if (kept.length === set.sources.length) return [set];
  if (kept.length === 0) return [];
  const sources = kept.map((i) => set.sources[i]);
  const tuples = set.tuples.map((tuple) => kept.map((i) => tuple[i]));
  return [{ sources, tuples: distinct(tuples, sources, table) }];
}

function refuseInstant(column: string): SqlError {
  return new SqlError(
    sqlstate.numericValueOutOfRange,
    `"${column}" can't be asked for a time that is no whole millisecond`,
    {
      detail: "The tool takes it as a Date, which holds neither microseconds nor infinity.",
      hint: "Compare with date_trunc('milliseconds', …).",
    },
  );
}

/** Tuples whose values have these types. */
interface Evaluated {
  readonly tuples: readonly (readonly Value[])[];
  readonly types: readonly SqlType[];
}

/** The values of a set. Those of `id = 1 OR id = 2.0` are of different types. */
async function evaluate(
  set: ArgumentSet,
  run: (plan: LogicalPlan) => Promise<readonly (readonly Value[])[]>,
): Promise<readonly Evaluated[]> {
  switch (set.values.kind) {
    case "query": {
      const types = outputOf(set.values.plan).map((column) => column.type);
      const tuples = await run(set.values.plan);
      // Calls for each of the values could all come back empty, and nobody would be told.
      if (set.values.origin === "scalar" && tuples.length > 1) throw severalRows();
      return [{ tuples, types }];
    }
    case "array": {
      const { array } = set.values;
      const [[elements]] = await run(valuesPlan([[array]]));
      const list = (elements === null ? [] : (elements as Value[]).flat(6)) as Value[];
      return [{ tuples: list.map((element) => [element]), types: [array.type.element ?? array.type] }];
    }
    case "list": {
      const evaluated: Evaluated[] = [];
      for (const tuples of byTypes(set.values.tuples))
        evaluated.push({ tuples: await run(valuesPlan(tuples)), types: tuples[0].map((expr) => expr.type) });
      return evaluated;
    }
  }
}

/** Tuples of the same types together, in the order of the first of each. */
function byTypes(tuples: readonly (readonly Expr[])[]): readonly (readonly (readonly Expr[])[])[] {
  const groups: (readonly Expr[])[][] = [];
  for (const tuple of tuples) {
    const same = groups.find(([first]) => first.every((expr, i) => expr.type === tuple[i].type));
    if (same === undefined) groups.push([tuple]);
    else same.push(tuple);
  }
  return groups;
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

/**
 * The set without the tuples that fail a condition on their columns. A condition that can't be worked out on all of them
 * leaves them as they are: the error belongs to the rows, and the values of which it is one may have none.
 */
async function thinned(
  set: TupleSet,
  scan: Scan,
  run: (plan: LogicalPlan) => Promise<readonly (readonly Value[])[]>,
): Promise<TupleSet> {
  const columns = set.sources.flatMap((source) => scan.columns.filter((item) => item.source === source).slice(0, 1));
  if (columns.length < set.sources.length || set.tuples.length === 0) return set;
  const own = new Set(columns.map(({ column }) => column.id));
  const conditions = conjunctsOf(scan.pushed?.keyFilter).filter((part) =>
    [...columnsOf(part)].every((id) => own.has(id)),
  );
  const condition = conjunctionOf(conditions);
  if (condition === undefined) return set;
  const rows = set.tuples.map((tuple) =>
    tuple.map((value, i): Expr => ({ kind: "Constant", type: columns[i].column.type, value })),
  );
  const values: LogicalPlan = { kind: "Values", columns: columns.map(({ column }) => column), rows };
  try {
    return { sources: set.sources, tuples: await run({ kind: "Filter", input: values, condition }) };
  } catch (error) {
    if (error instanceof SqlError && /^2[12]/.test(error.code)) return set;
    throw error;
  }
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

/**
 * The values of each call. Required keys, alternatives to them and argument columns take one value (one tuple) a call,
 * unless the keys are batched; an optional column takes all its values in every call, so that no two calls ask for the
 * same rows.
 */
export function callValues(
  table: RegisteredResource,
  tuples: ArgumentTuples,
): ReadonlyMap<string, readonly unknown[]>[] {
  if (tuples.none) return [];
  let calls: Map<string, readonly unknown[]>[] = [new Map()];
  for (const { columns, choices } of choicesOf(table, tuples)) {
    calls = calls.flatMap((call) =>
      choices.map((choice) => new Map([...call, ...columns.map((name, i) => [name, choice[i]] as const)])),
    );
  }
  return calls;
}

/** Columns that get their values together, and the values that they get in each call. */
export interface CallChoices {
  readonly columns: readonly string[];
  readonly choices: readonly (readonly (readonly unknown[])[])[];
}

/** What {@link callValues} multiplies: there are as many calls as there are combinations of choices. */
export function choicesOf(table: RegisteredResource, tuples: ArgumentTuples): readonly CallChoices[] {
  const keys = callKeys(table, new Set(tuples.sets.flatMap((set) => set.sources)));
  return tuples.sets.map((set) => {
    const columns = set.sources.map((source) => table.columns[source]);
    const spread = set.sources.map(
      (source, i) => columns[i].argument === true || (keys.has(source) && !table.batchKeys),
    );
    const most = set.sources.map((source) => (keys.has(source) ? (table.maxBatch ?? Infinity) : Infinity));
    return {
      columns: columns.map((column) => column.name),
      choices: groupedBy(set.tuples, spread).flatMap((group) => blocks(group, most)),
    };
  });
}

type Tuple = readonly unknown[];

/** Tuples that have the same values in the marked positions, in the order of the first of each. */
function groupedBy(tuples: readonly Tuple[], marked: readonly boolean[]): readonly (readonly Tuple[])[] {
  const groups = new Map<string, Tuple[]>();
  for (const tuple of tuples) {
    const key = JSON.stringify(tuple.map((value, i) => (marked[i] ? valueIdentity(value) : "")));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [tuple]);
    else group.push(tuple);
  }
  return [...groups.values()];
}

/**
 * The tuples as lists of values for each position, at most `most` in each: the values of every position are cut into
 * chunks, and each combination of chunks that holds a tuple is a call. The calls may bring rows that no tuple asks for,
 * which are dropped later, but no row twice.
 */
function blocks(tuples: readonly Tuple[], most: readonly number[]): unknown[][][] {
  const chunkOf = most.map((_, i) => {
    const seen = new Map<string, number>();
    for (const tuple of tuples) {
      const key = valueIdentity(tuple[i]);
      if (!seen.has(key)) seen.set(key, Math.floor(seen.size / most[i]));
    }
    return seen;
  });
  const found = new Map<string, Map<string, unknown>[]>();
  for (const tuple of tuples) {
    const identities = tuple.map(valueIdentity);
    const at = identities.map((identity, i) => chunkOf[i].get(identity)).join();
    let block = found.get(at);
    if (block === undefined) {
      block = tuple.map(() => new Map());
      found.set(at, block);
    }
    for (const [i, value] of tuple.entries()) block[i].set(identities[i], value);
  }
  return [...found.values()].map((block) => block.map((values) => [...values.values()]));
}
