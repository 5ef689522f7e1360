/**
 * Read-your-writes: what a session staged or fired, laid over the rows that a table's resolver gives.
 *
 * A written row is matched with a read one by the table's primary key. Staged writes stay until the transaction ends; a
 * fired one stays until a read shows that the service has caught up. A table without a primary key can only have its
 * inserted rows added, until a read shows an equal one.
 */
import type { ResourceCall } from "../resources/call.js";
import type { Row } from "../resources/resource.js";
import type { RegisteredResource } from "../resources/table-info.js";
import type { Effect } from "./effect.js";

export class Overlay {
  private fired: Effect[] = [];

  /** A fired effect; for an insert, with the rows as the service answered them where it did. */
  add(effect: Effect): void {
    this.fired.push(effect);
  }

  /** Forgets what was fired, of one table or of all. */
  clear(table?: string): void {
    this.fired = table === undefined ? [] : this.fired.filter((effect) => effect.table.name !== table);
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
    this.fired = this.fired.filter((effect) => effect.table !== table || !hasSettled(effect, rows, calls));
    const own = [...this.fired, ...staged].filter((effect) => effect.table === table);
    return own.reduce<readonly Row[]>((current, effect) => applyEffect(effect, current), rows);
  }
}

function applyEffect(effect: Effect, rows: readonly Row[]): readonly Row[] {
  switch (effect.op) {
    case "insert": {
      const added = (effect.rows ?? []).filter((row) => !rows.some((other) => isSameRow(effect.table, row, other)));
      return added.length === 0 ? rows : [...rows, ...added];
    }
    case "update":
      return rows.map((row) => (matches(effect.match, row) ? { ...row, ...effect.set } : row));
    case "delete":
      return rows.filter((row) => !matches(effect.match, row));
  }
}

/** Whether the service shows the effect by now, as far as these rows can tell. */
function hasSettled(effect: Effect, rows: readonly Row[], calls: readonly ResourceCall[]): boolean {
  switch (effect.op) {
    case "insert":
      return (effect.rows ?? []).every((row) => rows.some((other) => isSameRow(effect.table, row, other)));
    case "update": {
      const found = rows.filter((row) => matches(effect.match, row));
      return found.length > 0 && found.every((row) => isEqual(effect.set, row));
    }
    case "delete":
      return calls.some((call) => wouldShow(call, effect.match)) && !rows.some((row) => matches(effect.match, row));
  }
}

/** Whether a call asks for nothing but rows that include the matched ones. */
function wouldShow(call: ResourceCall, match: Row | undefined): boolean {
  return [...call.values].every(
    ([column, values]) =>
      match !== undefined && Object.hasOwn(match, column) && values.some((value) => same(value, match[column])),
  );
}

/** The same row: by primary key where both have it, otherwise equal in every column that was written. */
function isSameRow(table: RegisteredResource, written: Row, read: Row): boolean {
  const key = table.primaryKey;
  const byKey = key.length > 0 && key.every((column) => written[column] !== undefined && written[column] !== null);
  return byKey ? key.every((column) => same(written[column], read[column])) : isEqual(written, read);
}

function isEqual(written: Row | undefined, read: Row): boolean {
  return Object.entries(written ?? {}).every(([column, value]) => same(value, read[column]));
}

function matches(match: Row | undefined, row: Row): boolean {
  return match !== undefined && isEqual(match, row);
}

/** Equality of host values: times by instant, structures by their JSON. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  if (a instanceof Date || b instanceof Date)
    return new Date(a as string).getTime() === new Date(b as string).getTime();
  if (typeof a === "object" || typeof b === "object") return JSON.stringify(a) === JSON.stringify(b);
  return String(a) === String(b);
}
