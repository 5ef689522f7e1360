/** Transactions of a memory database: snapshots to go back to, at BEGIN and at each savepoint. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Settings } from "./settings.js";
import type { Snapshot, Store } from "./store.js";

interface Point {
  readonly store: Snapshot;
  readonly settings: ReadonlyMap<string, string>;
}

export class Transaction {
  failed = false;
  /** Takes no write; see `read-only.ts`. */
  readOnly = false;
  /** Settings as they were before a SET LOCAL, to go back to at the end. */
  private readonly localBefore = new Map<string, string | undefined>();
  private readonly start: Point;
  private savepoints: { readonly name: string; readonly point: Point; readonly readOnly: boolean }[] = [];

  /** @param explicit made by BEGIN; otherwise it spans the statements of one script */
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    readonly startedMicroseconds: number,
    public explicit: boolean,
  ) {
    this.start = this.point();
  }

  rollback(): void {
    this.goBack(this.start);
  }

  /** Everything stays; what SET LOCAL changed does not. */
  commit(): void {
    const settings = new Map(this.settings.save());
    for (const [name, value] of this.localBefore) {
      if (value === undefined) settings.delete(name);
      else settings.set(name, value);
    }
    this.settings.restore(settings);
  }

  rememberLocal(name: string): void {
    if (!this.localBefore.has(name)) this.localBefore.set(name, this.settings.get(name));
  }

  savepoint(name: string): void {
    this.savepoints.push({ name, point: this.point(), readOnly: this.readOnly });
  }

  /** @throws SqlError 3B001 */
  rollbackTo(name: string, position: number): void {
    const index = this.find(name, position);
    this.goBack(this.savepoints[index].point);
    this.readOnly = this.savepoints[index].readOnly;
    this.savepoints = this.savepoints.slice(0, index + 1);
    this.failed = false;
  }

  /** @throws SqlError 3B001 */
  release(name: string, position: number): void {
    this.savepoints = this.savepoints.slice(0, this.find(name, position));
  }

  /**
   * What BEGIN or SET TRANSACTION asks for.
   * @throws SqlError 25001 for READ WRITE in a read-only transaction, which PostgreSQL takes before the first query only
   */
  setReadOnly(readOnly: boolean | undefined): void {
    if (this.readOnly && readOnly === false)
      throw new SqlError(sqlstate.activeTransaction, "transaction read-write mode must be set before any query");
    this.readOnly = readOnly ?? this.readOnly;
  }

  private find(name: string, position: number): number {
    const index = this.savepoints.map((item) => item.name).lastIndexOf(name);
    if (index >= 0) return index;
    throw new SqlError(sqlstate.invalidSavepoint, `savepoint "${name}" does not exist`, { position });
  }

  private point(): Point {
    return { store: this.store.snapshot(), settings: this.settings.save() };
  }

  private goBack(point: Point): void {
    this.store.restore(point.store);
    this.settings.restore(point.settings);
  }
}
