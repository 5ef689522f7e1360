/**
 * One world, twice: tables of a service under the row filters of a policy, and tables of PostgreSQL under row-level security
 * with the same conditions.
 */
import pg from "pg";
import { type Bindings, Database, defineResource, type Row } from "../../../../src/index.js";
import type { Statement } from "./statements.js";

interface WorldTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, "int" | "text" | "boolean">>;
  /** Absent: no rule. */
  readonly rowFilter?: string;
  /** Without a value for it the service gives nothing. */
  readonly requiredKey?: string;
  readonly rows: readonly Row[];
}

export const worldTables: readonly WorldTable[] = [
  {
    name: "docs",
    columns: { id: "int", owner: "text", n: "int", body: "text" },
    rowFilter: "owner = current_actor()",
    rows: [
      { id: 1, owner: "ann", n: 10, body: "one" },
      { id: 2, owner: "bob", n: 0, body: "two" },
      { id: 3, owner: "ann", n: 30, body: "3" },
      { id: 4, owner: "bob", n: 40, body: "not a number" },
      { id: 5, owner: null, n: 50, body: "nobody's" },
      { id: 6, owner: "ann", n: null, body: null },
    ],
  },
  {
    name: "tasks",
    columns: { id: "int", assignee: "text", shared: "boolean", doc: "int", title: "text" },
    rowFilter: "assignee = current_actor() OR shared",
    rows: [
      { id: 1, assignee: "ann", shared: false, doc: 1, title: "read" },
      { id: 2, assignee: "bob", shared: false, doc: 1, title: "write" },
      { id: 3, assignee: "bob", shared: true, doc: 2, title: "ship" },
      { id: 4, assignee: null, shared: null, doc: 3, title: "lost" },
      { id: 5, assignee: "ann", shared: true, doc: 4, title: "rest" },
    ],
  },
  {
    name: "mail",
    columns: { box: "text", id: "int", subject: "text" },
    rowFilter: "box = current_actor()",
    requiredKey: "box",
    rows: [
      { box: "ann", id: 1, subject: "hello" },
      { box: "bob", id: 2, subject: "secret" },
      { box: "ann", id: 3, subject: "bye" },
    ],
  },
  {
    name: "tags",
    columns: { id: "int", doc: "int", tag: "text" },
    rows: [
      { id: 1, doc: 1, tag: "red" },
      { id: 2, doc: 2, tag: "blue" },
      { id: 3, doc: 4, tag: "red" },
    ],
  },
];

export type Answer =
  | {
      readonly rows: readonly string[];
      readonly tag: string;
      readonly changed: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly code: string; readonly message?: string };

/** The answer of the database, over services made anew, and the reads that the services saw. */
export async function answerHere({ sql, actor, params }: Statement): Promise<{ answer: Answer; reads: string[] }> {
  const reads: string[] = [];
  const state = new Map(worldTables.map(({ name, rows }) => [name, rows.map((row) => ({ ...row }))] as const));
  const tables = Object.fromEntries(
    worldTables.flatMap(({ name, rowFilter }) => (rowFilter === undefined ? [] : [[name, { rowFilter }] as const])),
  );
  const db = await Database.create({
    policy: { writes: true, unboundedWrites: true, tables },
    ...(actor !== null && { actor }),
  });
  for (const table of worldTables) db.register(service(table, state.get(table.name) as Row[], reads));
  const before = snapshot(state);
  try {
    const result = await db.execute(sql, { limit: 1_000, ...(params !== undefined && { params: [...params] }) });
    return {
      answer: {
        rows: result.rows.map((row) => rowText(Object.values(row))).sort(),
        tag: String(result.command),
        changed: changes(before, snapshot(state)),
      },
      reads,
    };
  } catch (error) {
    expectUnchanged(before, snapshot(state));
    return { answer: refusalOf(error), reads };
  }
}

function expectUnchanged(before: Snapshot, after: Snapshot): void {
  const changed = Object.keys(changes(before, after));
  if (changed.length > 0) throw new Error(`a statement that failed has changed ${changed.join(", ")}`);
}

/** A service that answers equalities exactly, as most do, and keeps what is written. */
function service({ name, columns, requiredKey }: WorldTable, rows: Row[], reads: string[]) {
  const fits = (row: Row, { eq }: Bindings) =>
    [...eq].every(([column, values]) => values.includes(row[column] as never));
  const text = ({ eq }: Bindings) => [...eq].map(([column, values]) => `${column}=${values.join("|")}`).join(" ");
  return defineResource({
    name,
    volatility: "volatile",
    columns: Object.entries(columns).map(([column, type]) => ({
      name: column,
      type,
      ...(column === "id" && { nullable: false }),
      ...(column === requiredKey && { requiredKey: true }),
    })),
    primaryKey: requiredKey === undefined ? ["id"] : [requiredKey, "id"],
    select: async (bindings: Bindings) => {
      reads.push(`${name}(${text(bindings)})`);
      return rows.filter((row) => fits(row, bindings)).map((row) => ({ ...row }));
    },
    insert: async (inserted: Row[]) => {
      for (const row of inserted)
        rows.push(Object.fromEntries(Object.keys(columns).map((column) => [column, row[column] ?? null])));
      return undefined;
    },
    update: async (set: Row, bindings: Bindings) => {
      for (const row of rows.filter((candidate) => fits(candidate, bindings))) Object.assign(row, set);
      return undefined;
    },
    delete: async (bindings: Bindings) => {
      for (const row of rows.filter((candidate) => fits(candidate, bindings))) rows.splice(rows.indexOf(row), 1);
      return undefined;
    },
  });
}

type Snapshot = Readonly<Record<string, readonly string[]>>;

function snapshot(state: ReadonlyMap<string, readonly Row[]>): Snapshot {
  return Object.fromEntries(
    worldTables.map(({ name, columns }) => [
      name,
      (state.get(name) ?? []).map((row) => rowText(Object.keys(columns).map((column) => row[column]))).sort(),
    ]),
  );
}

function changes(before: Snapshot, after: Snapshot): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, rows]) => rows.join("\n") !== before[name].join("\n")),
  );
}

/** Values as texts: PostgreSQL's driver and the database write numbers of some types differently. */
function rowText(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => (value === null || value === undefined ? null : String(value))));
}

function refusalOf(error: unknown): Answer {
  const { code, message } = error as { code?: unknown; message: string };
  if (typeof code !== "string" || !/^[0-9A-Z]{5}$/.test(code)) throw error;
  return code === "42501" ? { code, message } : { code };
}

/** PostgreSQL with row-level security: statements are a plain user's. */
export class RowSecurity {
  private constructor(
    private readonly client: pg.Client,
    private readonly schema: string,
    private readonly role: string,
  ) {}

  /** @param port of a PostgreSQL 15 on 127.0.0.1 (user PGUSER or postgres) */
  static async open(port: number): Promise<RowSecurity> {
    const client = new pg.Client({
      host: "127.0.0.1",
      port,
      user: process.env.PGUSER ?? "postgres",
      database: "postgres",
    });
    await client.connect();
    const schema = `policy_rows_${process.pid}`;
    await client.query(`CREATE ROLE ${schema}; CREATE SCHEMA ${schema}; SET search_path = ${schema}`);
    await client.query(
      `CREATE FUNCTION current_actor() RETURNS text STABLE LANGUAGE sql AS $$ SELECT nullif(current_setting('app.actor', true), '') $$`,
    );
    for (const table of worldTables) await createTable(client, table);
    await client.query(
      `GRANT USAGE ON SCHEMA ${schema} TO ${schema}; GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO ${schema}`,
    );
    return new RowSecurity(client, schema, schema);
  }

  /** Runs the statement in a transaction that is rolled back. */
  async answer({ sql, actor, params }: Statement): Promise<Answer> {
    const { client, role } = this;
    await client.query("BEGIN");
    try {
      const before = await this.state();
      await client.query("SELECT set_config('app.actor', $1, true)", [actor ?? ""]);
      await client.query(`SET LOCAL ROLE ${role}`);
      const result = await client.query<unknown[]>({ text: sql, values: [...(params ?? [])], rowMode: "array" });
      await client.query("RESET ROLE");
      const tag = result.command === "INSERT" ? `INSERT 0 ${result.rowCount}` : `${result.command} ${result.rowCount}`;
      return { rows: result.rows.map(rowText).sort(), tag, changed: changes(before, await this.state()) };
    } catch (error) {
      return refusalOf(error);
    } finally {
      await client.query("ROLLBACK");
    }
  }

  async close(): Promise<void> {
    await this.client.query(`DROP SCHEMA ${this.schema} CASCADE; DROP ROLE ${this.role}`);
    await this.client.end();
  }

  private async state(): Promise<Snapshot> {
    const state = new Map<string, Row[]>();
    for (const { name } of worldTables) state.set(name, (await this.client.query<Row>(`SELECT * FROM ${name}`)).rows);
    return snapshot(state);
  }
}

async function createTable(
  client: pg.Client,
  { name, columns, rowFilter, requiredKey, rows }: WorldTable,
): Promise<void> {
  const key = requiredKey === undefined ? "id" : `${requiredKey}, id`;
  const declared = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
  await client.query(`CREATE TABLE ${name} (${declared.join(", ")}, PRIMARY KEY (${key}))`);
  for (const row of rows) {
    const names = Object.keys(columns);
    await client.query(
      `INSERT INTO ${name} VALUES (${names.map((_, i) => `$${i + 1}`).join(", ")})`,
      names.map((column) => row[column]),
    );
  }
  if (rowFilter === undefined) return;
  await client.query(
    `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON ${name} USING (${rowFilter})`,
  );
}
