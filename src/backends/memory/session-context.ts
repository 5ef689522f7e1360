/** What functions may ask of a session: the clock, the time zone, settings, sequences. One object for the session's life. */
import { databaseName } from "../../catalog/information-schema.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { ByteReserve } from "../../functions/byte-reserve.js";
import type { SessionContext } from "../../functions/function.js";
import type { RelationLookup } from "../../types/operations.js";
import type { SqlType } from "../../types/type.js";
import type { Settings } from "./settings.js";
import type { Store } from "./store.js";

export class MemorySessionContext implements SessionContext {
  readonly user = "postgres";
  readonly database = databaseName;
  nowMicroseconds: number;
  statementMicroseconds: number;
  private reserve: ByteReserve;
  private readonly given = new Map<string, number | bigint>();
  private lastSequence: string | undefined;

  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly now: () => Date,
    private readonly maxBytes: number,
  ) {
    this.nowMicroseconds = this.clockMicroseconds();
    this.statementMicroseconds = this.nowMicroseconds;
    this.reserve = new ByteReserve(maxBytes);
  }

  get timeZone(): string {
    return this.settings.timeZone;
  }

  /** A statement begins; the transaction's time is its own when it is not in a transaction block. */
  beginStatement(transactionMicroseconds: number | undefined): void {
    this.statementMicroseconds = this.clockMicroseconds();
    this.nowMicroseconds = transactionMicroseconds ?? this.statementMicroseconds;
    this.reserve = new ByteReserve(this.maxBytes);
  }

  clockMicroseconds(): number {
    return this.now().getTime() * 1000;
  }

  random(): number {
    return Math.random();
  }

  setting(name: string): string | undefined {
    return this.settings.get(name);
  }

  reserveBytes(bytes: number): void {
    this.reserve.take(bytes);
  }

  userType(name: string, schema?: string): SqlType | undefined {
    return this.store.type(name, schema);
  }

  relation(name: string, schema?: string): RelationLookup {
    if (this.store.table(name, schema) !== undefined || this.store.hasOther(name, schema)) return "found";
    return schema === undefined || this.store.hasSchema(schema) ? "no relation" : "no schema";
  }

  nextval(sequence: string): number | bigint {
    const value = this.find(sequence).next();
    this.given.set(sequence, value);
    this.lastSequence = sequence;
    return value;
  }

  currval(sequence?: string): number | bigint | undefined {
    if (sequence === undefined) return this.lastSequence === undefined ? undefined : this.given.get(this.lastSequence);
    this.find(sequence);
    return this.given.get(sequence);
  }

  setval(sequence: string, value: number | bigint, called: boolean): void {
    this.find(sequence).set(value, called);
    if (called) this.given.set(sequence, value);
  }

  private find(name: string) {
    const plain = name.startsWith("public.") ? name.slice("public.".length) : name;
    const sequence = this.store.sequence(plain);
    if (sequence !== undefined) return sequence;
    if (this.store.table(plain) !== undefined || this.store.hasOther(plain)) {
      throw new SqlError(sqlstate.wrongObjectType, `"${plain}" is not a sequence`);
    }
    throw new SqlError(sqlstate.undefinedTable, `relation "${name}" does not exist`);
  }
}
