/**
 * Resources that write down all that they are handed, and that give only the rows which that asks for: a predicate passed
 * wrongly, or a limit passed too early, is a wrong answer and not only another line in the list of calls.
 */
import {
  type Bindings,
  Database,
  type DatabaseOptions,
  defineResource,
  type ResourceContext,
  type ResourceTable,
  type Row,
} from "../../src/index.js";
import type { Qual } from "../../src/resources/resource.js";
import { ResourceError } from "../../src/resources/resource-error.js";
import { columnsOf, rowsOf } from "./data.js";
import { Waves } from "./waves.js";

/** Rows of one page of `event`. */
const pageSize = 4;

export interface World {
  readonly db: Database;
  /** The calls since the last time, in waves. */
  take(): string[][];
  /** Calls of `event` since it was emptied, with the number of pages that were asked for. */
  readonly pages: string[];
}

/** A database with every table of `data.ts`. */
export async function federation(options: DatabaseOptions = {}): Promise<World> {
  const db = await Database.create({
    policy: { writes: true },
    ...options,
    limits: { concurrency: 64, ...options.limits },
  });
  const service = new Service();
  db.registerAll(service.tables());
  return { db, take: () => service.waves.take(), pages: service.pages };
}

/** One world's services: their rows, and what they were asked. */
class Service {
  readonly waves = new Waves();
  /** For each call of `event`: the pages that were asked for. */
  readonly pages: string[] = [];
  private readonly rows = new Map(
    Object.entries(rowsOf).map(([table, rows]) => [table, rows.map((row) => ({ ...row }))]),
  );
  private readonly counts = new Map<string, number>();

  tables(): ResourceTable[] {
    return [
      this.table("issue", { accepts: { limit: true, orderBy: ["id", "updated_at"] } }),
      this.table("comment"),
      this.table("sim"),
      this.table("img", { keyAlternatives: [["tag", "digest"]] }),
      this.table("pull", { accepts: { limit: true } }),
      this.table("release", { accepts: { limit: true, orderBy: ["published", "tag"] }, exact: true }),
      this.table("event", { accepts: { limit: true }, exact: true, select: (b, ctx) => this.paged(b, ctx) }),
      this.table("member", { batch: { keys: 50 } }),
      this.table("quote", { volatility: "volatile" }),
      this.table("flaky", { retry: { retries: 2, minDelayMs: 1 }, select: (b, ctx) => this.failing(b, ctx) }),
      this.table("slow", { timeoutMs: 5, retry: { retries: 0 }, select: (b, ctx) => this.late(b, ctx) }),
      this.table("note", { primaryKey: ["id"], accepts: { limit: true }, exact: true, ...this.writes("note") }),
      this.table("audit", this.writes("audit")),
      this.table("search", { select: (b, ctx) => this.searched(b, ctx) }),
    ];
  }

  private table(name: string, options: Partial<ResourceTable> = {}): ResourceTable {
    return defineResource({
      name,
      columns: columnsOf[name],
      volatility: "stable",
      select: async (bindings, context) => {
        await this.waves.call(callText(name, bindings, context));
        return this.answer(name, bindings, context);
      },
      ...options,
    });
  }

  /** The rows that a call asks for, in the order that it asks for, and no more of them. */
  private answer(name: string, bindings: Bindings, context: ResourceContext): Row[] {
    const found = (this.rows.get(name) as Row[]).filter(
      (row) =>
        [...bindings.eq].every(([column, values]) => values.some((value) => isSame(row[column], value))) &&
        bindings.quals.every((qual) => fulfils(row[qual.column], qual)),
    );
    if (context.orderBy !== undefined) found.sort(comparing(context.orderBy));
    return context.limit === undefined ? found : found.slice(0, context.limit);
  }

  /** Pages of four rows; the third page of source `broken` can't be had. */
  private async *paged(bindings: Bindings, context: ResourceContext): AsyncIterable<Row[]> {
    await this.waves.call(callText("event", bindings, context));
    const at = this.pages.push(`${callText("event", bindings, context)}: 0`) - 1;
    const { limit: _, ...whole } = context;
    const rows = this.answer("event", bindings, whole);
    for (let page = 0; page * pageSize < rows.length; page++) {
      this.pages[at] = `${callText("event", bindings, context)}: ${page + 1}`;
      if (page === 2 && bindings.one("source") === "broken") throw new Error("page 3 is out of order");
      yield rows.slice(page * pageSize, (page + 1) * pageSize);
    }
  }

  /** `first`: the first call of all fails and may be tried again; `always`: every one fails, for good. */
  private async failing(bindings: Bindings, context: ResourceContext): Promise<Row[]> {
    const text = callText("flaky", bindings, context);
    const count = (this.counts.get(text) ?? 0) + 1;
    this.counts.set(text, count);
    await this.waves.call(text);
    const mode = bindings.one("mode");
    if (mode === "always") throw new Error("flaky is out of order");
    if (mode === "first" && count === 1) throw new ResourceError("try again", { retryable: true });
    return this.answer("flaky", bindings, context);
  }

  /** Without a mode the rows of `fast`; no row tells its mode. */
  private async searched(bindings: Bindings, context: ResourceContext): Promise<Row[]> {
    await this.waves.call(callText("search", bindings, context));
    const mode = bindings.one("mode") ?? "fast";
    return this.answer("search", bindings, context).flatMap(({ mode: own, ...row }) => (own === mode ? [row] : []));
  }

  /** Answers when it is told to stop, and not before. */
  private late(bindings: Bindings, context: ResourceContext): Promise<Row[]> {
    const told = new Promise<void>((resolve) => context.signal.addEventListener("abort", () => resolve()));
    return Promise.all([this.waves.call(callText("slow", bindings, context)), told]).then(() => []);
  }

  private writes(name: string): Partial<ResourceTable> {
    const rows = this.rows.get(name) as Row[];
    const isHit = (bindings: Bindings) => (row: Row) =>
      [...bindings.eq].every(([column, values]) => values.some((value) => isSame(row[column], value)));
    return {
      insert: async (inserted) => {
        for (const row of inserted) await this.waves.call(`insert ${name}${fields(row)}`);
        rows.push(...inserted);
      },
      update: async (set, bindings) => {
        await this.waves.call(`update ${name}${argumentsText(bindings)} set ${fields(set)}`);
        for (const row of rows.filter(isHit(bindings))) Object.assign(row, set);
      },
      delete: async (bindings) => {
        await this.waves.call(`delete ${name}${argumentsText(bindings)}`);
        const hit = isHit(bindings);
        for (let i = rows.length - 1; i >= 0; i--) if (hit(rows[i])) rows.splice(i, 1);
      },
    };
  }
}

/**
 * A call as the table of statements writes it: `issue(repo="acme/app" id=1|3 updated_at>="…" order=id desc limit=2)`.
 * Columns and values stand in alphabetical order, since neither order means anything.
 */
export function callText(name: string, bindings: Bindings, context: ResourceContext): string {
  const order = context.orderBy?.map(({ column, descending }) => (descending ? `${column} desc` : column)).join(",");
  const parts = [
    ...argumentList(bindings),
    ...(order === undefined ? [] : [`order=${order}`]),
    ...(context.limit === undefined ? [] : [`limit=${context.limit}`]),
  ];
  return `${name}(${parts.join(" ")})`;
}

function argumentsText(bindings: Bindings): string {
  return `(${argumentList(bindings).join(" ")})`;
}

function argumentList(bindings: Bindings): string[] {
  return [
    ...[...bindings.eq].map(([column, values]) => `${column}=${listText(values)}`).sort(),
    ...bindings.quals.map(qualText).sort(),
  ];
}

/** `1|3`; a run of more than eight integers is `1..50`. */
function listText(values: readonly unknown[]): string {
  const texts = values.map(valueText).sort(byNumber);
  const [first, last] = [Number(texts[0]), Number(texts[texts.length - 1])];
  const isRun = texts.length > 8 && last - first === texts.length - 1;
  return isRun ? `${first}..${last}` : texts.join("|");
}

function qualText({ column, operator, value }: Qual): string {
  if (operator === "is null" || operator === "is not null") return `${column} ${operator}`;
  return /^\w/.test(operator) ? `${column} ${operator} ${valueText(value)}` : `${column}${operator}${valueText(value)}`;
}

function fields(row: Row): string {
  return `(${Object.entries(row)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .sort()
    .join(" ")})`;
}

function valueText(value: unknown): string {
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

function byNumber(a: string, b: string): number {
  return Number(a) - Number(b) || (a < b ? -1 : 1);
}

/** As PostgreSQL's `=`: NULL is equal to nothing; numbers and bigints are the same kind. */
function isSame(stored: unknown, value: unknown): boolean {
  return stored !== null && stored !== undefined && String(stored) === String(value);
}

/** The predicates that the services decide, on their own, as PostgreSQL would: with NULL none but IS NULL is true. */
function fulfils(stored: unknown, { operator, value }: Qual): boolean {
  if (operator === "is null") return stored === null;
  if (stored === null || stored === undefined) return false;
  switch (operator) {
    case "is not null":
      return true;
    case "like":
      return likePattern(String(value), "su").test(String(stored));
    case "ilike":
      return likePattern(String(value), "isu").test(String(stored));
    case "@>":
      throw new Error("no column of the fixture takes @>");
    default: {
      const order = compareValues(stored, value);
      if (operator === "<>") return order !== 0;
      if (operator === "<") return order < 0;
      if (operator === "<=") return order <= 0;
      return operator === ">" ? order > 0 : order >= 0;
    }
  }
}

function likePattern(pattern: string, flags: string): RegExp {
  const source = [...pattern.matchAll(/\\(.)|(%)|(_)|(.)/gsu)].map(([, escaped, many, one, plain]) =>
    many !== undefined ? ".*" : one !== undefined ? "." : (escaped ?? plain).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"),
  );
  return new RegExp(`^${source.join("")}$`, flags);
}

/** Numbers by size, instants by time to the microsecond, everything else by bytes. */
function compareValues(a: unknown, b: unknown): number {
  const [x, y] = [comparable(a), comparable(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function comparable(value: unknown): bigint | string {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return BigInt(value);
  const text = String(value);
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (match === null) return text;
  return BigInt(Date.parse(match[1] + match[3])) * 1000n + BigInt((match[2] ?? "").padEnd(6, "0"));
}

/** NULLs last ascending and first descending, as PostgreSQL's default. */
function comparing(order: NonNullable<ResourceContext["orderBy"]>): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const { column, descending } of order) {
      const [x, y] = [a[column], b[column]];
      const isNull = [x === null, y === null];
      const result = isNull[0] || isNull[1] ? Number(isNull[0]) - Number(isNull[1]) : compareValues(x, y);
      if (result !== 0) return descending ? -result : result;
    }
    return 0;
  };
}
