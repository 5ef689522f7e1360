/**
 * Read-your-writes: what a session staged or fired, laid over the rows that a table's resolver gives.
 *
 * A written row is matched with a read one by the table's primary key. Staged writes stay until the transaction ends; a
 * fired one stays until a read shows that the service has caught up. A table without a primary key can only have its
 * inserted rows added, until a read shows an equal one.
 */
import { SqlError } from "../errors/sql-error.js";
import type { ResourceCall } from "../resources/call.js";
import type { ChangedColumns } from "../resources/resolve.js";
import type { Row } from "../resources/resource.js";
import type { RegisteredResource } from "../resources/table-info.js";
import { operationsOf } from "../types/families.js";
import type { Effect } from "./effect.js";
import { createSessionContext } from "./session-context.js";

export class Overlay {
  private fired: Effect[] = [];

  /** A fired effect; for an insert, with the rows as the service answered them where it did. */
  add(effect: Effect): void {
    this.fired = this.fired.flatMap((earlier) => superseded(earlier, effect) ?? []);
    this.fired.push(effect);
  }

  /** Forgets what was fired, of one table or of all. */
  clear(table?: { readonly schema: string; readonly name: string }): void {
    this.fired = this.fired.filter(
      (effect) => table !== undefined && (effect.table.name !== table.name || effect.table.schema !== table.schema),
    );
  }

  /** Whether {@link apply} may change the rows of a table. */
  has(table: RegisteredResource, staged: readonly Effect[]): boolean {
    return this.fired.some((effect) => effect.table === table) || staged.some((effect) => effect.table === table);
  }

  /**
   * The rows as the session should see them.
   * @param staged the open transaction's writes, in order
   * @param calls the calls that gave the rows; a fired write settles only when they would have shown it
   */
  apply(
    table: RegisteredResource,
    rows: readonly Row[],
    calls: readonly ResourceCall[],
    staged: readonly Effect[],
  ): readonly Row[] {
    const written = this.fired.filter((effect) => effect.table === table);
    const settled = new Set(written.filter((_, i) => hasSettled(written, i, rows, calls)));
    this.fired = this.fired.filter((effect) => !settled.has(effect));
    let read = rows;
    let added: readonly Row[] = [];
    // Rows without a key are told apart by their number alone: each read row can show one written row.
    const shown = new Set<Row>();
    for (const effect of [...this.fired, ...staged]) {
      if (effect.table !== table) continue;
      if (effect.op === "insert") {
        const isStaged = staged.includes(effect);
        const missing = (effect.rows ?? []).filter((row) => {
          if (hasKey(table, row)) return !isAmong(table, row, read) && !isAmong(table, row, added);
          return isStaged || !takeEqual(table, row, read, shown);
        });
        if (missing.length > 0) added = [...added, ...missing];
      } else {
        read = changed(effect, read);
        added = changed(effect, added);
      }
    }
    // An update of the key may have made an added row one that the service shows under its new key.
    const missing = added.filter((row) => !hasKey(table, row) || !isAmong(table, row, read));
    return missing.length === 0 ? read : [...read, ...missing];
  }

  /**
   * Columns that written rows have another value in than the service may still show: a call that asks for some of their
   * values would leave out rows that have them by now. `staged`: the service surely shows the old value.
   */
  changedColumns(table: RegisteredResource, staged: readonly Effect[]): ChangedColumns {
    const changesIn = (effects: readonly Effect[]) =>
      effects
        .filter((effect) => effect.table === table && effect.op === "update")
        .flatMap((effect) => Object.keys(effect.set ?? {}));
    const columns = new Map<string, "fired" | "staged">([
      ...changesIn(this.fired).map((column) => [column, "fired"] as const),
      ...changesIn(staged).map((column) => [column, "staged"] as const),
    ]);
    const updates = staged.filter((effect) => effect.table === table && effect.op === "update");
    return { columns, before: (names, tuples) => valuesBefore(table, updates, names, tuples) };
  }
}

/**
 * Goes back through staged updates, the last one first: a row that gets one of the wanted tuples has another one before it.
 * @returns the wanted tuples and those; `undefined` when an update may lead to a wanted one from values that it does not say
 */
function valuesBefore(
  table: RegisteredResource,
  updates: readonly Effect[],
  names: readonly string[],
  tuples: readonly (readonly unknown[])[],
): readonly (readonly unknown[])[] | undefined {
  const wanted = [...tuples];
  for (const { set = {}, match = {}, decodedMatch = {} } of [...updates].reverse()) {
    if (!names.some((name) => Object.hasOwn(set, name))) continue;
    const after = { ...match, ...set };
    const leadsTo = (tuple: readonly unknown[]) =>
      names.every((name, i) => !Object.hasOwn(after, name) || same(table, name, tuple[i], after[name]));
    if (!wanted.some(leadsTo)) continue;
    if (!names.every((name) => Object.hasOwn(decodedMatch, name))) return undefined;
    wanted.push(names.map((name) => decodedMatch[name]));
  }
  return wanted;
}

/** What is left to remember of an effect after a later one on the same rows: nothing, or the columns that it did not set. */
function superseded(earlier: Effect, later: Effect): Effect | undefined {
  if (earlier.table !== later.table || earlier.op === "insert") return earlier;
  if (later.op === "insert")
    return later.rows?.some((row) => matches(earlier.table, earlier.match, row)) === true ? undefined : earlier;
  if (!isSameMatch(earlier.table, earlier.match, later.match)) return earlier;
  if (later.op === "delete") return undefined;
  if (earlier.op === "delete") return earlier;
  const left = Object.entries(earlier.set ?? {}).filter(([column]) => !Object.hasOwn(later.set ?? {}, column));
  return left.length === 0 ? undefined : { ...earlier, set: Object.fromEntries(left) };
}

function isSameMatch(table: RegisteredResource, a: Row | undefined, b: Row | undefined): boolean {
  return a !== undefined && b !== undefined && isEqual(table, a, b) && isEqual(table, b, a);
}

/** The rows after an update or a delete. */
function changed(effect: Effect, rows: readonly Row[]): readonly Row[] {
  if (effect.op === "delete") return rows.filter((row) => !matches(effect.table, effect.match, row));
  return rows.map((row) => (matches(effect.table, effect.match, row) ? { ...row, ...effect.set } : row));
}

/**
 * Whether the service shows the effect by now, as far as these rows can tell.
 * @param written what was fired on the table, in order: an inserted row shows as later effects left it
 * @param at the effect's place in it
 */
function hasSettled(
  written: readonly Effect[],
  at: number,
  rows: readonly Row[],
  calls: readonly ResourceCall[],
): boolean {
  const effect = written[at];
  switch (effect.op) {
    case "insert": {
      const changes = written.slice(at + 1).filter((other) => other.op !== "insert");
      const now = changes.reduce<readonly Row[]>((current, other) => changed(other, current), effect.rows ?? []);
      const inserted = written.flatMap((other) => (other.op === "insert" ? (other.rows ?? []) : []));
      return now.every((row) => {
        if (hasKey(effect.table, row)) return isAmong(effect.table, row, rows);
        // Of equal rows without a key nobody can say which one is there already: all of them, or none.
        const needed = inserted.filter(
          (other) => isEqual(effect.table, row, other) && isEqual(effect.table, other, row),
        ).length;
        return rows.filter((other) => isEqual(effect.table, row, other)).length >= needed;
      });
    }
    case "update": {
      if (changesKey(effect)) {
        // The old key may be missing because the service does not show the insertion of the row yet.
        const waiting = written
          .slice(0, at)
          .some((other) => other.rows?.some((row) => matches(effect.table, effect.match, row)));
        return !waiting && isGone(effect, rows, calls);
      }
      const found = rows.filter((row) => matches(effect.table, effect.match, row));
      return found.length > 0 && found.every((row) => isEqual(effect.table, effect.set, row));
    }
    case "delete":
      return isGone(effect, rows, calls);
  }
}

function changesKey(effect: Effect): boolean {
  return Object.entries(effect.match ?? {}).some(
    ([column, value]) =>
      Object.hasOwn(effect.set ?? {}, column) && !same(effect.table, column, effect.set?.[column], value),
  );
}

/** No row has the key any more, although a call asked for it. */
function isGone(effect: Effect, rows: readonly Row[], calls: readonly ResourceCall[]): boolean {
  return (
    calls.some((call) => wouldShow(call, effect.match)) && !rows.some((row) => matches(effect.table, effect.match, row))
  );
}

function isAmong(table: RegisteredResource, row: Row, rows: readonly Row[]): boolean {
  return rows.some((other) => isSameRow(table, row, other));
}

/**
 * Whether a call asks for nothing but rows that include the matched ones. What a predicate beyond equality or a limit
 * leaves out is not known to be gone.
 */
function wouldShow(call: ResourceCall, match: Row | undefined): boolean {
  if ((call.quals ?? []).length > 0 || call.limit !== undefined) return false;
  return [...call.values].every(
    ([column, values]) =>
      match !== undefined &&
      Object.hasOwn(match, column) &&
      values.some((value) => same(call.table, column, value, match[column])),
  );
}

/** The same row: by primary key where it has one, otherwise equal in every column that was written. */
function isSameRow(table: RegisteredResource, written: Row, read: Row): boolean {
  return hasKey(table, written)
    ? table.primaryKey.every((column) => same(table, column, written[column], read[column]))
    : isEqual(table, written, read);
}

function hasKey({ primaryKey }: RegisteredResource, row: Row): boolean {
  return (
    primaryKey.length > 0 && primaryKey.every((column) => Object.hasOwn(row, column) && (row[column] ?? null) !== null)
  );
}

/** Takes the first read row that is equal to the written one and not taken yet; whether there was one. */
function takeEqual(table: RegisteredResource, written: Row, read: readonly Row[], taken: Set<Row>): boolean {
  const found = read.find((row) => !taken.has(row) && isEqual(table, written, row));
  if (found !== undefined) taken.add(found);
  return found !== undefined;
}

function isEqual(table: RegisteredResource, written: Row | undefined, read: Row): boolean {
  return Object.entries(written ?? {}).every(([column, value]) => same(table, column, value, read[column]));
}

function matches(table: RegisteredResource, match: Row | undefined, row: Row): boolean {
  return match !== undefined && isEqual(table, match, row);
}

/**
 * Equality by the column's type, as a statement compares: a service writes a number as `"1.50"`, a time in another zone,
 * a uuid in capitals. What can't be read or compared so is equal when its text is.
 */
function same(table: RegisteredResource, column: string, a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  const known = table.columns.find((candidate) => candidate.name === column);
  const equal = known === undefined ? undefined : sameValue(known, a, b);
  return equal ?? textOf(a) === textOf(b);
}

/** `undefined` when the type has no equality, or a value is none of the type: reading it says so later. */
function sameValue({ type, typmod }: RegisteredResource["columns"][number], a: unknown, b: unknown) {
  const { fromHost, compare } = operationsOf(type);
  if (compare === undefined) return undefined;
  try {
    const [left, right] = [fromHost(a, typmod, reading), fromHost(b, typmod, reading)];
    if (left === null || left === undefined || right === null || right === undefined) return undefined;
    return compare(left, right) === 0;
  } catch (error) {
    if (error instanceof SqlError) return undefined;
    throw error;
  }
}

/** Values are read without a statement: of its settings only the time zone matters to them, which is UTC. */
const reading = createSessionContext({ now: () => new Date(), maxBytes: Number.POSITIVE_INFINITY });

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
