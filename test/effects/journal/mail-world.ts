/** A database over a journal, with a table whose calls are written down. */
import {
  Database,
  type DatabaseOptions,
  defineResource,
  type FiredWrite,
  type Journal,
  type ResourceContext,
  type ResourceTable,
  type Row,
  SqlError,
} from "../../../src/index.js";

export interface MailCall {
  readonly op: string;
  readonly rows?: readonly Row[];
  readonly set?: Row;
  readonly match?: Record<string, unknown>;
  readonly key: string;
  readonly actor?: string;
}

export interface MailWorld {
  readonly db: Database;
  readonly calls: MailCall[];
  /** Keys of the calls so far, in order. */
  readonly keys: () => string[];
}

export interface MailOptions extends Omit<DatabaseOptions, "journal"> {
  readonly journal?: Journal;
  /** What a verb does beside being written down; gets the number of the call, from 1. */
  readonly answer?: (call: MailCall, number: number, context: ResourceContext) => unknown;
  readonly table?: Partial<ResourceTable>;
}

export async function mailWorld({ journal, answer, table, ...options }: MailOptions = {}): Promise<MailWorld> {
  const calls: MailCall[] = [];
  const record = (call: Omit<MailCall, "key">, context: ResourceContext) => {
    const { idempotencyKey: key = "", actor } = context;
    const full = { ...call, key, ...(actor !== undefined && { actor }) };
    calls.push(full);
    return answer?.(full, calls.length, context);
  };
  const db = await Database.create({ policy: { writes: true }, ...(journal !== undefined && { journal }), ...options });
  db.register(
    defineResource({
      name: "mail",
      volatility: "volatile",
      columns: [
        { name: "id", type: "bigint" },
        { name: "subject", type: "text" },
        { name: "meta", type: "jsonb" },
      ],
      primaryKey: ["id"],
      insert: (rows, context) => record({ op: "insert", rows }, context),
      update: (set, bindings, context) =>
        record({ op: "update", set, match: Object.fromEntries(bindings.eq) }, context),
      delete: (bindings, context) => record({ op: "delete", match: Object.fromEntries(bindings.eq) }, context),
      ...(table as object),
    }),
  );
  return { db, calls, keys: () => calls.map(({ key }) => key) };
}

/** The error that a promise is rejected with. */
export async function failure(promise: Promise<unknown>): Promise<SqlError> {
  const error = await promise.then(
    (value) => new Error(`it succeeded: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof SqlError)) throw error;
  return error;
}

/** Undoes by writing down that it was asked to. */
export function undoing(undone: FiredWrite[]): NonNullable<ResourceTable["compensate"]> {
  return {
    insert: (write) => {
      undone.push(write);
      return { undone: write.idempotencyKey };
    },
  };
}
