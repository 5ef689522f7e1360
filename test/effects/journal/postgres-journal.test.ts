/** A journal in PostgreSQL: several processes share it, leases tell who is alive, connections break. */

import { Pool } from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { type PostgresClient, postgresJournal } from "../../../src/database/journal/door.js";
import { entriesOf, intent, outcome, port, postgresPlace, written } from "./kinds.js";
import { failure, type MailWorld, mailWorld } from "./mail-world.js";

test("a lease that is none is refused", () => {
  const client: PostgresClient = { query: async () => ({ rows: [] }) };
  for (const leaseMs of [0, 99, Number.NaN]) expect(() => postgresJournal({ client, leaseMs })).toThrow(RangeError);
});

if (port !== undefined)
  describe("on a server", () => {
    const closing: (() => Promise<unknown>)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });

    async function place(leaseMs?: number) {
      const made = await postgresPlace(Number(port), leaseMs);
      closing.push(made.remove);
      return made;
    }

    async function world(options: Parameters<typeof mailWorld>[0]): Promise<MailWorld> {
      const made = await mailWorld(options);
      closing.push(() => made.db.close());
      return made;
    }

    test("its tables are made once, by many at the same time", async () => {
      const { open, pool, table } = await place();
      const journals = Array.from({ length: 6 }, () => open());
      await Promise.all(journals.map((journal, i) => journal.append(intent(`k${i}`))));
      const { rows } = await pool.query(
        `SELECT count(*)::int AS n, count(DISTINCT entry->>'kind')::int AS kinds FROM ${table}`,
      );
      expect(rows).toEqual([{ n: 6, kinds: 1 }]);
      for (const journal of journals) await journal.close();
    });

    test("two databases execute the same request at once: one sends, both answer", async () => {
      const { open } = await place();
      const slow = () => new Promise((resolve) => setTimeout(() => resolve({ id: 9 }), 40));
      const all = [await world({ journal: open(), answer: slow }), await world({ journal: open(), answer: slow })];
      const sql = "BEGIN; INSERT INTO mail (id) VALUES (1), (2), (3); COMMIT";
      const results = await Promise.all(all.map(({ db }) => db.execute(sql, { idempotencyKey: "k" })));
      const keys = all.flatMap((each) => each.keys());
      expect([...keys].sort()).toEqual(["k#1", "k#2", "k#3"]);
      for (const { receipts } of results)
        expect(receipts?.map(({ status, result }) => [status, result])).toEqual(Array(3).fill(["fired", { id: 9 }]));
    });

    test("a call that takes long has its lease renewed", async () => {
      const { open, pool, table } = await place(1_000);
      const ends = async () => {
        const { rows } = await pool.query(`SELECT expires_at::text AS at FROM ${writersOf(table)}`);
        return rows.map(({ at }) => at);
      };
      const { db } = await world({
        journal: open(),
        answer: async () => {
          const [first] = await ends();
          while ((await ends())[0] === first) await new Promise((resolve) => setTimeout(resolve, 20));
          return ends();
        },
      });
      const { receipts } = await db.execute("INSERT INTO mail (id) VALUES (1)");
      expect(receipts).toMatchObject([{ status: "fired", result: [expect.any(String)] }]);
    });

    test("a writer without a lease is dead: what it had under way is in doubt", async () => {
      const { open, pool, table } = await place();
      const journal = open();
      await journal.append(intent("k", { writer: "somebody" }));
      const { db } = await world({ journal: open() });
      expect(await db.recover()).toEqual([]);
      await pool.query(`UPDATE ${writersOf(table)} SET expires_at = clock_timestamp() - interval '1 second'`);
      expect(await db.recover()).toMatchObject([{ idempotencyKey: "k", status: "unknown" }]);
      await journal.close();
    });

    test("closing gives the lease back", async () => {
      const made = await place();
      await written(made, [intent("k")]);
      const { db } = await world({ journal: made.open() });
      expect(await db.recover()).toMatchObject([{ idempotencyKey: "k" }]);
    });

    test("a writer that was taken for dead and was not: its late outcome counts", async () => {
      const { open, pool, table } = await place();
      let release = (_: unknown): void => undefined;
      const held = new Promise((resolve) => {
        release = resolve;
      });
      let called = (_: unknown): void => undefined;
      const sending = new Promise((resolve) => {
        called = resolve;
      });
      const idempotent = { idempotent: ["insert" as const] };
      const stuck = await world({
        journal: open(),
        table: idempotent,
        answer: () => {
          called(undefined);
          return held;
        },
      });
      const running = stuck.db.execute("INSERT INTO mail (id) VALUES (1)", { idempotencyKey: "k" });
      await sending;
      await pool.query(`DELETE FROM ${writersOf(table)}`);
      const other = await world({
        journal: open(),
        table: { ...idempotent, retry: { retries: 0 } },
        answer: () => {
          throw new Error("already there");
        },
      });
      expect(await other.db.recover({ refire: true })).toMatchObject([{ status: "unknown" }]);
      release({ id: 1 });
      expect((await running).receipts).toMatchObject([{ status: "fired" }]);
      expect(await other.db.recover()).toEqual([]);
      const kinds = (await entriesOf(open())).map((entry) => (entry.kind === "intent" ? "intent" : entry.status));
      expect(kinds).toEqual(["intent", "intent", "unknown", "fired"]);
    });

    test("a connection that breaks before the intent: not sent; after it: fired, and told", async () => {
      const { open, table, pool } = await place();
      await (async () => open().append(intent("makes the tables")))();
      let breaks: "intent" | "outcome" | undefined;
      const own = new Pool({ host: "127.0.0.1", port: Number(port), user: "postgres", database: "postgres", max: 1 });
      own.on("error", () => undefined); // an idle connection that was ended
      closing.push(() => own.end());
      const name = table.slice(1, -1).replaceAll('""', '"');
      const inner: PostgresClient = {
        query: async (text, values) => {
          const entry = text.includes("INSERT INTO") ? JSON.parse(String(values?.[2])) : undefined;
          if (breaks !== undefined && entry?.kind === breaks) throw await brokenConnection(own, pool, table);
          return own.query(text, values);
        },
      };
      const { db, calls } = await world({ journal: postgresJournal({ client: inner, table: name }) });
      breaks = "intent";
      const error = await failure(db.execute("INSERT INTO mail (id) VALUES (1)"));
      expect(error).toMatchObject({ code: "58030", receipts: [{ status: "not_tried" }] });
      expect(calls).toEqual([]);
      breaks = "outcome";
      const { receipts, notices } = await db.execute("INSERT INTO mail (id) VALUES (2)");
      expect(receipts).toMatchObject([{ status: "fired", unjournaled: expect.any(String) }]);
      expect(notices).toMatchObject([{ severity: "WARNING", code: "58030" }]);
      breaks = undefined;
      expect((await db.recover()).map(({ idempotencyKey }) => idempotencyKey)).not.toContain(
        receipts?.[0].idempotencyKey,
      );
      const written = (await entriesOf(open())).filter((entry) => entry.kind === "outcome");
      expect(written).toMatchObject([{ status: "fired" }]);
    });

    test("a server that does not wait for its disk waits for it here", async () => {
      const { table, open } = await place();
      await open().append(intent("makes the tables"));
      const own = new Pool({
        host: "127.0.0.1",
        port: Number(port),
        user: "postgres",
        database: "postgres",
        max: 1,
        options: "-c synchronous_commit=off",
      });
      closing.push(() => own.end());
      const seen: string[] = [];
      const client: PostgresClient = {
        query: async (text, values) => {
          if (!text.includes("INSERT INTO")) return own.query(text, values);
          // The same statement, with what holds at its end shown.
          const connection = await own.connect();
          try {
            await connection.query("BEGIN");
            const result = await connection.query(text, values);
            const { rows } = await connection.query("SELECT current_setting('synchronous_commit') AS now");
            seen.push(rows[0].now);
            await connection.query("COMMIT");
            return result;
          } finally {
            connection.release();
          }
        },
      };
      const journal = postgresJournal({ client, table: table.slice(1, -1).replaceAll('""', '"') });
      await journal.append(intent("a"));
      await journal.append(outcome("a"));
      expect(seen).toEqual(["on", "on"]);
      const { rows } = await own.query("SELECT current_setting('synchronous_commit') AS now");
      expect(rows).toEqual([{ now: "off" }]);
      await journal.close();
    });
  });

function writersOf(table: string): string {
  return `${table.slice(0, -1)}_writers"`;
}

/** Lets the server end a connection in the middle of a statement. @returns the error that the client gets */
async function brokenConnection(client: Pool, others: Pool, name: string): Promise<unknown> {
  const sql = `SELECT pg_sleep(60) AS ${name}`;
  const error = client.query(sql).then(
    () => new Error("the connection did not break"),
    (reason: unknown) => reason,
  );
  for (;;) {
    const { rows } = await others.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = $1", [
      sql,
    ]);
    if (rows.length > 0) return error;
  }
}
