/**
 * What values come from: sets of base columns, each with the way it took. A set never changes once it is handed out;
 * what gathers several into one is a {@link TraceBuilder}.
 */
import type { Aggregate } from "../plan.js";

/** A column of a table; `column` is `*` for the table's rows being there at all. */
export interface BaseColumn {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
}

/** One base column that a value comes from, by one way. */
export interface Origin {
  readonly base: BaseColumn;
  /** The scan that read it; 0 for a column of a written row, -1 behind a set operation, where it may be any of several. */
  readonly scan: number;
  /**
   * The first aggregate on the way that gives nothing of a single row away (`count`, `sum`, `avg`, …). Absent: the value
   * itself, or something computed of it row by row, comes through.
   */
  readonly aggregate?: Aggregate;
  /** Whether it is the column's own value still, at most cast, or with a constant added or multiplied. */
  readonly whole: boolean;
  /** Labels that functions on the way have taken off it, sorted. */
  readonly cleared: readonly string[];
  /** Names of the columns that it went through behind the base column, in order. */
  readonly path: readonly string[];
}

/** Origins by their identity, in the order in which they were met. */
export type Origins = ReadonlyMap<string, Origin>;

/** What a value is made of, and what decided which value it is without being a part of it (the rows of a subquery). */
export interface Trace {
  readonly made: Origins;
  readonly decided: Origins;
}

/** No origin. */
export const noOrigins: Origins = new Map();

/** Of a value that comes from no table. */
export const noTrace: Trace = { made: noOrigins, decided: noOrigins };

const aggregateNumbers = new WeakMap<Aggregate, number>();
let lastAggregate = 0;

/** Ways that tell two origins apart: the same column by another alias, through an aggregate, or freed of a label. */
function identity({ base, scan, aggregate, whole, cleared }: Origin): string {
  let number = 0;
  if (aggregate !== undefined) {
    number = aggregateNumbers.get(aggregate) ?? ++lastAggregate;
    aggregateNumbers.set(aggregate, number);
  }
  return JSON.stringify([base.schema, base.table, base.column, scan, number, whole, ...cleared]);
}

/** A set of one origin as it is read. */
export function baseOrigin(base: BaseColumn, scan: number): Origins {
  return originsOf([{ base, scan, whole: true, cleared: [], path: [] }]);
}

/** The set of some origins; of two with one identity the first stays. */
export function originsOf(list: Iterable<Origin>): Origins {
  const found = new Map<string, Origin>();
  for (const origin of list) {
    const key = identity(origin);
    if (!found.has(key)) found.set(key, origin);
  }
  return found;
}

/** Both sets; one of them itself when it holds the other. */
export function union(a: Origins, b: Origins): Origins {
  if (a === b || b.size === 0) return a;
  if (a.size === 0) return b;
  let missing = false;
  for (const key of b.keys()) {
    if (a.has(key)) continue;
    missing = true;
    break;
  }
  return missing ? new Map([...b, ...a]) : a;
}

/** All of the sets together. */
export function unionOf(sets: readonly Origins[]): Origins {
  return sets.reduce(union, noOrigins);
}

/** Both traces together. */
export function unionTraces(a: Trace, b: Trace): Trace {
  const made = union(a.made, b.made);
  const decided = union(a.decided, b.decided);
  return made === a.made && decided === a.decided ? a : { made, decided };
}

/** Whether a trace has the same origins as one that it grew from. */
export function isSameTrace(a: Trace, b: Trace): boolean {
  return a.made.size === b.made.size && a.decided.size === b.decided.size;
}

/** The trace behind a column of this name: the name is a step of its way unless it is the last one already. */
export function through(trace: Trace, name: string): Trace {
  if (trace.made.size === 0) return trace;
  let changed = false;
  const made = new Map<string, Origin>();
  for (const [key, origin] of trace.made) {
    const last = origin.path.length === 0 ? origin.base.column : origin.path[origin.path.length - 1];
    const step = last === name || name === "?column?" ? origin : { ...origin, path: [...origin.path, name] };
    changed ||= step !== origin;
    made.set(key, step);
  }
  return changed ? { made, decided: trace.decided } : trace;
}

/** The trace behind a function that takes labels off. */
export function cleared({ made, decided }: Trace, labels: readonly string[]): Trace {
  const without = (origins: Origins): Origins =>
    originsOf(
      [...origins.values()].map((origin) => ({
        ...origin,
        cleared: [...new Set([...origin.cleared, ...labels])].sort(),
      })),
    );
  return { made: without(made), decided: without(decided) };
}

/** The origins behind a set operation: thousands of queries over one table are one origin. */
export function ofAnyScan(origins: Origins): Origins {
  for (const { scan } of origins.values()) {
    if (scan > 0)
      return originsOf(
        [...origins.values()].map((origin) => ({ ...origin, scan: origin.scan > 0 ? -1 : origin.scan })),
      );
  }
  return origins;
}

/** See {@link ofAnyScan}. */
export function traceOfAnyScan({ made, decided }: Trace): Trace {
  return { made: ofAnyScan(made), decided: ofAnyScan(decided) };
}

/** The origins behind an expression that computes something else of them. */
export function computed(origins: Origins): Origins {
  for (const origin of origins.values()) {
    if (origin.whole) return originsOf([...origins.values()].map((each) => ({ ...each, whole: false })));
  }
  return origins;
}

/** The origins behind an aggregate that gives no single value away; what went through one before stays with that. */
export function aggregated(origins: Origins, aggregate: Aggregate): Origins {
  return originsOf(
    [...origins.values()].map((origin) => (origin.aggregate === undefined ? { ...origin, aggregate } : origin)),
  );
}

/** Gathers traces of parts into that of the whole. */
export class TraceBuilder {
  private made: Origins = noOrigins;
  private decided: Origins = noOrigins;

  add(trace: Trace): void {
    this.made = union(this.made, trace.made);
    this.decided = union(this.decided, trace.decided);
  }

  addMade(origins: Origins): void {
    this.made = union(this.made, origins);
  }

  addDecided(origins: Origins): void {
    this.decided = union(this.decided, origins);
  }

  trace(): Trace {
    return { made: this.made, decided: this.decided };
  }
}
