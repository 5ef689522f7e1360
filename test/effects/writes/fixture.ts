/** The tables as services with rows of their own, which write down every call as a line of text. */
import {
  type Bindings,
  Database,
  type DatabaseOptions,
  defineResource,
  type ResourceTable,
  type Row,
} from "../../../src/index.js";
import { rowText, type TestTable, tables } from "./data.js";

export interface World {
  readonly db: Database;
  /** The calls since the last time: `item.update {"qty":1} {"id":[2]}`. */
  take(): string[];
  /** The rows of every table as they are now, sorted, as JSON. */
  state(): Record<string, string[]>;
}

export async function world(options: DatabaseOptions = {}): Promise<World> {
  const db = await Database.create({ policy: { writes: true }, ...options });
  const calls: string[] = [];
  const services = tables.map((table) => new Service(table, calls));
  db.registerAll(services.map((service) => service.resource()));
  return {
    db,
    take: () => calls.splice(0),
    state: () => Object.fromEntries(services.map((service) => [service.table.name, service.state()])),
  };
}

class Service {
  private readonly rows: Row[];
  private nextNumber: number;

  constructor(
    readonly table: TestTable,
    private readonly calls: string[],
  ) {
    this.rows = table.rows.map((row) => ({ ...row }));
    this.nextNumber = table.numbersFrom ?? 0;
  }

  state(): string[] {
    return this.rows
      .map((row) => rowText(this.table.columns.map(({ name }) => (Object.hasOwn(row, name) ? row[name] : null))))
      .sort();
  }

  resource(): ResourceTable {
    const { name, columns, primaryKey, verbs, batch } = this.table;
    return defineResource({
      name,
      columns,
      volatility: "stable",
      ...(primaryKey !== undefined && { primaryKey }),
      ...(batch === true && { batch: { insert: true } }),
      ...(verbs.includes("select") && { select: (bindings: Bindings) => this.select(bindings) }),
      ...(verbs.includes("insert") && { insert: (rows: Row[]) => this.insert(rows) }),
      ...(verbs.includes("update") && { update: (set: Row, bindings: Bindings) => this.update(set, bindings) }),
      ...(verbs.includes("delete") && { delete: (bindings: Bindings) => this.delete(bindings) }),
    });
  }

  private select({ eq }: Bindings): Row[] {
    this.note("select", eq);
    return this.rows.filter((row) => matches(row, eq)).map((row) => ({ ...row }));
  }

  private insert(rows: Row[]): Row[] | undefined {
    this.note("insert", ...rows);
    if (this.table.numbersFrom === undefined) {
      this.rows.push(...rows.map((row) => ({ ...row })));
      return undefined;
    }
    const numbered = rows.map((row) => ({ ...row, id: row.id ?? this.nextNumber++ }));
    this.rows.push(...numbered);
    return numbered.map(({ id }) => ({ id }));
  }

  private update(set: Row, { eq }: Bindings): void {
    this.note("update", set, eq);
    for (const row of this.rows) if (matches(row, eq)) Object.assign(row, set);
  }

  private delete({ eq }: Bindings): void {
    this.note("delete", eq);
    for (let i = this.rows.length - 1; i >= 0; i--) if (matches(this.rows[i], eq)) this.rows.splice(i, 1);
  }

  private note(verb: string, ...args: (Row | ReadonlyMap<string, unknown>)[]): void {
    const shown = args.map((arg) => JSON.stringify(arg instanceof Map ? Object.fromEntries(arg) : arg, exact));
    this.calls.push([`${this.table.name}.${verb}`, ...shown].join(" "));
  }
}

function matches(row: Row, eq: ReadonlyMap<string, readonly unknown[]>): boolean {
  return [...eq].every(([column, values]) => values.some((value) => textOf(value) === textOf(row[column])));
}

/** One text for a number however it is written. */
function textOf(value: unknown): string {
  return typeof value === "bigint" ? String(value) : (JSON.stringify(value)?.replaceAll('"', "") ?? "");
}

function exact(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
