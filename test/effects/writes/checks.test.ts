/** What is checked of a statement's writes before the first of them is sent, and what is made of the verbs' answers. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Database, defineResource, type ResourceTable, type Row, type SqlError } from "../../../src/index.js";
import { world } from "./fixture.js";

async function failure(run: Promise<unknown>): Promise<SqlError> {
  return run.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: SqlError) => error,
  );
}

async function databaseOf(...tables: ResourceTable[]): Promise<Database> {
  const db = await Database.create({ policy: { writes: true } });
  db.registerAll(tables);
  return db;
}

describe("policy.maxAffectedRows", () => {
  const bounded = () => world({ policy: { writes: true, maxAffectedRows: 2 } });

  test.each([
    { sql: "INSERT INTO item (id, name) VALUES (10, 'a'), (11, 'b'), (12, 'c')", says: "INSERT would write 3 rows" },
    { sql: "INSERT INTO bulk VALUES (10, 'a'), (11, 'b'), (12, 'c')", says: "INSERT would write 3 rows" },
    { sql: "UPDATE item SET qty = 1 WHERE id IN (1, 2, 3)", says: "UPDATE would write 3 rows" },
    { sql: "UPDATE pair SET v = 1 WHERE a > 0", says: "UPDATE would write 4 rows" },
    { sql: "DELETE FROM item WHERE qty IS NOT NULL", says: "DELETE would write 4 rows" },
    {
      sql: "MERGE INTO item i USING delta d ON i.id = d.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, name) VALUES (d.id, d.name)",
      says: "MERGE would write 4 rows",
    },
    {
      sql: "INSERT INTO item (id, name) SELECT id, 'x' FROM delta ON CONFLICT (id) DO UPDATE SET qty = 1",
      says: "INSERT would write 4 rows",
    },
    {
      sql: "WITH a AS (INSERT INTO outbox VALUES ('x', 1)) DELETE FROM pair WHERE a > 0",
      says: "DELETE would write 4 rows",
    },
  ])("$sql", async ({ sql, says }) => {
    for (const begin of [undefined, "BEGIN"]) {
      const { db, take } = await bounded();
      if (begin !== undefined) await db.execute(begin);
      const error = await failure(db.execute(sql));
      expect(error).toMatchObject({ code: "42501", detail: "The policy allows 2 rows a statement (maxAffectedRows)." });
      expect(error.message).toContain(says);
      expect(take().filter((call) => !call.includes(".select"))).toEqual([]);
    }
  });

  test.each([
    "INSERT INTO item (id, name) VALUES (10, 'a'), (11, 'b')",
    "DELETE FROM pair WHERE a = 1",
    "INSERT INTO item (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c'), (10, 'd') ON CONFLICT DO NOTHING",
    "MERGE INTO item i USING delta d ON i.id = d.id WHEN MATCHED THEN DO NOTHING WHEN NOT MATCHED THEN INSERT (id, name) VALUES (d.id, 'x')",
  ])("is not passed by: %s", async (sql) => {
    const { db, take } = await bounded();
    await db.execute(sql);
    expect(take().some((call) => !call.includes(".select"))).toBe(true);
  });
});

describe("a thousand rows", () => {
  test("INSERT … SELECT: a call a row, in order", async () => {
    const { db, take } = await world();
    const result = await db.execute(
      "INSERT INTO item (id, name) SELECT g, 'n' || g FROM generate_series(1001, 2000) g RETURNING id",
      { limit: 5 },
    );
    expect(result).toMatchObject({ command: "INSERT 0 1000", truncated: true });
    expect(result.rows).toEqual([1001, 1002, 1003, 1004, 1005].map((id) => ({ id })));
    expect(take()).toEqual(
      Array.from({ length: 1_000 }, (_, i) => `item.insert {"id":${1001 + i},"name":"n${1001 + i}"}`),
    );
  });

  test("one call where the verb takes them together; then UPDATE, MERGE, ON CONFLICT and DELETE of all", async () => {
    const { db, take, state } = await world();
    expect((await db.execute("INSERT INTO bulk SELECT g, 'v' FROM generate_series(1001, 2000) g")).command).toBe(
      "INSERT 0 1000",
    );
    expect(take()).toHaveLength(1);
    expect((await db.execute("UPDATE bulk SET v = v || id WHERE id > 1000")).command).toBe("UPDATE 1000");
    expect(take()).toHaveLength(1_001);
    const upsert =
      "INSERT INTO bulk SELECT g, 'w' FROM generate_series(1501, 2500) g ON CONFLICT (id) DO UPDATE SET v = excluded.v";
    expect((await db.execute(upsert)).command).toBe("INSERT 0 1000");
    expect(take()).toHaveLength(1 + 1 + 500);
    const merge =
      "MERGE INTO bulk b USING generate_series(2001, 3000) s (id) ON b.id = s.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.id, 'm')";
    expect((await db.execute(merge)).command).toBe("MERGE 1000");
    expect(take()).toHaveLength(1 + 500 + 1);
    expect(state().bulk).toHaveLength(1 + 1_000 + 500);
    expect((await db.execute("DELETE FROM bulk WHERE id > 1000")).command).toBe("DELETE 1500");
    expect(state().bulk).toEqual(['[1,"one"]']);
  });

  test("the last one is bad: nothing is sent", async () => {
    const { db, take } = await world();
    const sql = "INSERT INTO item (id, name) SELECT g, nullif(g, 2000)::text FROM generate_series(1001, 2000) g";
    expect(await failure(db.execute(sql))).toMatchObject({ code: "23502", detail: "It is row 1000 of the statement." });
    expect(take()).toEqual([]);
  });
});

describe("what the verbs answer", () => {
  /** A service that numbers its rows, and writes titles in capitals. */
  const tickets = (answer: (rows: Row[]) => unknown, more: Partial<ResourceTable> = {}) =>
    defineResource({
      name: "t",
      volatility: "stable",
      columns: [
        { name: "id", type: "bigint", nullable: false },
        { name: "title", type: "text" },
        { name: "made", type: "timestamptz" },
      ],
      primaryKey: ["id"],
      insert: answer,
      update: () => ({ title: "OF THE SERVICE", made: "2026-01-01T00:00:00Z" }),
      ...more,
    });
  const numbered = (rows: Row[]) => rows.map((row) => ({ id: 7, title: String(row.title).toUpperCase(), made: null }));

  test("RETURNING shows the row as the service keeps it", async () => {
    const db = await databaseOf(tickets(numbered));
    const { rows, notices } = await db.execute("INSERT INTO t (title) VALUES ('a') RETURNING *, title || id AS both");
    expect(rows).toEqual([{ id: 7, title: "A", made: null, both: "A7" }]);
    expect(notices).toBeUndefined();
  });

  test("RETURNING is computed again over the answers, the statement's own functions of chance are not", async () => {
    const seen: Row[] = [];
    const db = await databaseOf(
      tickets((rows) => {
        seen.push(...rows);
        return numbered(rows);
      }),
    );
    const { rows } = await db.execute(
      "WITH r AS MATERIALIZED (SELECT gen_random_uuid()::text AS u), i AS (INSERT INTO t (title) SELECT u FROM r RETURNING id) SELECT r.u, i.id FROM r, i",
    );
    expect(rows).toEqual([{ u: seen[0].title, id: 7 }]);
    expect(seen).toHaveLength(1);
  });

  test.each([
    { name: "nothing", answer: () => undefined },
    { name: "a text", answer: () => "ok" },
    { name: "another number of rows", answer: () => [{ id: 1 }, { id: 2 }] },
    { name: "other fields", answer: () => ({ ok: true }) },
    { name: "a value of another type", answer: () => ({ id: "seven" }) },
  ])("an answer of $name says nothing of the row, and a notice says so", async ({ answer }) => {
    const db = await databaseOf(tickets(answer));
    const { rows, notices } = await db.execute("INSERT INTO t (title) VALUES ('a') RETURNING id, title");
    expect(rows).toEqual([{ id: null, title: "a" }]);
    expect(notices).toEqual([
      expect.objectContaining({
        severity: "WARNING",
        message: 'NULL stands for "id" of "t" in RETURNING: the service did not say',
      }),
    ]);
  });

  test("a column that can be NULL is NULL while the row waits for COMMIT, and a notice says so", async () => {
    const db = await databaseOf(tickets(numbered));
    await db.execute("BEGIN");
    const { rows, notices } = await db.execute("INSERT INTO t (id, title) VALUES (1, 'a') RETURNING *");
    expect(rows).toEqual([{ id: 1, title: "a", made: null }]);
    expect(notices?.map(({ message }) => message)).toEqual([
      'NULL stands for "made" of "t" in RETURNING: the service fills it in when the transaction commits',
    ]);
  });

  test("a row that was not read can't be returned while it waits for COMMIT", async () => {
    const db = await databaseOf(tickets(numbered));
    const sql = "UPDATE t SET title = 'b' WHERE id = 1 RETURNING *";
    expect((await db.execute(sql)).rows).toEqual([
      { id: 1, title: "OF THE SERVICE", made: "2026-01-01T00:00:00.000Z" },
    ]);
    await db.execute("BEGIN");
    expect(await failure(db.execute(sql))).toMatchObject({
      code: "0A000",
      message: '"made" of "t" is not known before COMMIT',
    });
  });

  test("RETURNING that fails over an answer says that the write has happened", async () => {
    const db = await databaseOf(tickets(() => ({ id: 0, title: "a" })));
    const error = await failure(db.execute("INSERT INTO t (title) VALUES ('a') RETURNING 1 / id"));
    expect(error).toMatchObject({ code: "22012" });
    expect(error.detail).toContain("have happened all the same: 1");
    expect(error.hint).toContain("Do not send it again");
  });
});

describe("values as the verb gets them", () => {
  const got: unknown[] = [];
  const typed = defineResource({
    name: "t",
    volatility: "stable",
    schema: z.object({
      id: z.bigint(),
      at: z.date().nullable(),
      kind: z.enum(["low", "high"]).nullable(),
      data: z.record(z.string(), z.unknown()).nullable(),
      size: z.number().max(10).nullable(),
    }),
    primaryKey: ["id"],
    select: () => [{ id: 9007199254740993n, at: null, kind: null, data: null, size: 1 }],
    insert: (rows) => void got.push(...rows),
    update: (set, bindings) => void got.push([set, bindings.one("id")]),
    delete: (bindings) => void got.push(bindings.one("id")),
  });

  test.each([
    {
      name: "integers beyond a number are bigints, dates are Dates",
      sql: "INSERT INTO t (id, at) VALUES (9007199254740993, '2026-05-01 12:00+02')",
      verb: [{ id: 9007199254740993n, at: new Date("2026-05-01T10:00:00Z") }],
    },
    {
      name: "so are the keys of rows that were read",
      sql: "UPDATE t SET size = size + 1, kind = 'low' WHERE size = 1",
      verb: [[{ size: 2, kind: "low" }, 9007199254740993n]],
    },
    { name: "and of rows that were not", sql: "DELETE FROM t WHERE id = 9007199254740993", verb: [9007199254740993n] },
    {
      name: "a document",
      sql: `INSERT INTO t (id, data) VALUES (1, '{"a": [1.5, null]}')`,
      verb: [{ id: 1n, data: { a: [1.5, null] } }],
    },
  ])("$name", async ({ sql, verb }) => {
    const db = await databaseOf(typed);
    await db.execute(sql);
    expect(got.splice(0)).toEqual(verb);
  });

  test.each([
    {
      name: "a time between two milliseconds",
      values: "(2, '2026-05-01 12:00:00.000001', NULL, NULL, NULL)",
      code: "22003",
    },
    { name: "an infinite time", values: "(2, 'infinity', NULL, NULL, NULL)", code: "22003" },
    {
      name: "a number in a document that no double holds",
      values: `(2, NULL, NULL, '{"n": 9007199254740993}', NULL)`,
      code: "22003",
    },
    { name: "what is no label", values: "(2, NULL, lower('MIDDLE'), NULL, NULL)", code: "22P02" },
    { name: "what the schema refuses", values: "(2, NULL, NULL, NULL, 11)", code: "22023" },
    { name: "NULL in the key", values: "(NULL, NULL, NULL, NULL, 1)", code: "23502" },
  ])("$name in the second row sends nothing", async ({ values, code }) => {
    const db = await databaseOf(typed);
    for (const sql of [
      `INSERT INTO t VALUES (1, NULL, 'low', NULL, 1), ${values}`,
      `WITH first AS (INSERT INTO t (id) VALUES (5)) INSERT INTO t VALUES ${values}`,
      `INSERT INTO t VALUES (1, NULL, 'low', NULL, 1), ${values} ON CONFLICT (id) DO NOTHING`,
      `MERGE INTO t USING (VALUES (1, NULL::timestamptz, 'low', NULL::jsonb, 1::float8), ${values}) s (a, b, c, d, e) ON t.id = s.a WHEN NOT MATCHED THEN INSERT VALUES (a, b, c, d, e)`,
    ])
      expect(await failure(db.execute(sql)), sql).toMatchObject({ code });
    expect(got.splice(0)).toEqual([]);
  });
});

describe("rows that can't be told apart", () => {
  const calls: unknown[] = [];
  const issues = (primaryKey?: string[]) =>
    defineResource({
      name: "issue",
      volatility: "stable",
      columns: [
        { name: "repo", type: "text", requiredKey: true },
        { name: "number", type: "bigint", nullable: false },
        { name: "state", type: "text" },
      ],
      ...(primaryKey !== undefined && { primaryKey }),
      select: () => [1, 2, 3].map((number) => ({ repo: "r", number, state: "open" })),
      update: (set, bindings) => void calls.push([set, Object.fromEntries(bindings.eq)]),
      delete: (bindings) => void calls.push(Object.fromEntries(bindings.eq)),
    });

  test.each([
    "UPDATE issue SET state = 'closed' WHERE repo = 'r' AND number = 2",
    "DELETE FROM issue WHERE repo = 'r' AND number = 2",
    "MERGE INTO issue i USING (VALUES (2)) s (n) ON i.repo = 'r' AND i.number = s.n WHEN MATCHED THEN DELETE",
  ])("a call by a key of several rows is refused: %s", async (sql) => {
    const db = await databaseOf(issues());
    expect(await failure(db.execute(sql))).toMatchObject({
      code: "55000",
      detail: "3 rows have (repo)=(r): a call by it would mean all of them.",
    });
    const own = await databaseOf(issues(["repo", "number"]));
    await own.execute(sql);
    expect(calls.splice(0)).toHaveLength(1);
  });
});

test("MERGE asks for the arguments that the tool insists on, before any call", async () => {
  const calls: string[] = [];
  const db = await databaseOf(
    defineResource({
      name: "mail",
      volatility: "stable",
      columns: [
        { name: "id", type: "bigint", nullable: false },
        { name: "to_addr", type: "text", insertArgument: "to" },
      ],
      primaryKey: ["id"],
      select: () => {
        calls.push("select");
        return [];
      },
      insert: () => void calls.push("insert"),
    }),
  );
  for (const sql of [
    "MERGE INTO mail m USING (VALUES (1)) s (id) ON m.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)",
    "MERGE INTO mail m USING (VALUES (1)) s (id) ON m.id = s.id WHEN NOT MATCHED THEN INSERT VALUES (s.id, DEFAULT)",
    "INSERT INTO mail VALUES (1, 'a'), (2, DEFAULT)",
  ])
    expect(await failure(db.execute(sql)), sql).toMatchObject({
      code: "23502",
      hint: expect.stringContaining("to_addr"),
    });
  expect(calls).toEqual([]);
});

test("ON CONFLICT sees what the transaction has staged", async () => {
  const { db, take, state } = await world();
  await db.execute("BEGIN");
  await db.execute("DELETE FROM item WHERE id = 1");
  await db.execute("INSERT INTO item (id, name, qty) VALUES (10, 'pin', 1)");
  const sql =
    "INSERT INTO item (id, name, qty) VALUES (1, 'again', 2), (10, 'x', 5) ON CONFLICT (id) DO UPDATE SET qty = item.qty + excluded.qty RETURNING id, name, qty";
  expect((await db.execute(sql)).rows).toEqual([
    { id: 1, name: "again", qty: 2 },
    { id: 10, name: "pin", qty: 6 },
  ]);
  await db.execute("COMMIT");
  expect(take().filter((call) => !call.includes(".select"))).toEqual([
    'item.delete {"id":[1]}',
    'item.insert {"id":10,"name":"pin","qty":1}',
    'item.insert {"id":1,"name":"again","qty":2}',
    'item.update {"qty":6} {"id":[10]}',
  ]);
  expect(state().item).toContain('[10,"pin",6,null,null,null,null,null]');
});

test("the calls of all parts are told", async () => {
  const { db } = await world();
  const merged = await db.execute(
    "MERGE INTO item i USING delta d ON i.id = d.id WHEN MATCHED THEN UPDATE SET qty = 0 WHEN NOT MATCHED THEN INSERT (id, name) VALUES (d.id, 'x')",
  );
  const shown = (list: typeof merged.touched) =>
    list.map(({ name, op, invocations }) => `${name} ${op} ${invocations}`);
  expect(shown(merged.touched).sort()).toEqual(["delta select 1", "item insert 2", "item select 1", "item update 2"]);
  const upserted = await db.execute(
    "INSERT INTO keyed VALUES (1, 'a'), (5, 'b') ON CONFLICT (id) DO UPDATE SET v = 'c'",
  );
  expect(shown(upserted.touched).sort()).toEqual(["keyed insert 1", "keyed select 2", "keyed update 1"]);
});

describe("what the transaction has staged counts, without a read", () => {
  test.each([
    { name: "a row is inserted twice", first: "INSERT INTO item (id, name) VALUES (10, 'a')" },
    { name: "a row gets the key of another", first: "UPDATE item SET id = 10 WHERE id = 1" },
  ])("$name: 23505", async ({ first }) => {
    const { db } = await world();
    await db.execute("BEGIN");
    await db.execute(first);
    const error = await failure(db.execute("INSERT INTO item (id, name) VALUES (10, 'b')"));
    expect(error).toMatchObject({ code: "23505", detail: "Key (id)=(10) already exists." });
  });

  test.each([
    { name: "deleted", first: "DELETE FROM item WHERE id = 1", command: "UPDATE 0" },
    { name: "moved to another key", first: "UPDATE item SET id = 50 WHERE id = 1", command: "UPDATE 0" },
    {
      name: "deleted and inserted again",
      first: "DELETE FROM item WHERE id = 1; INSERT INTO item (id, name) VALUES (1, 'new')",
      command: "UPDATE 1",
    },
  ])("a row that is $name: $command", async ({ first, command }) => {
    const { db } = await world();
    await db.execute(`BEGIN; ${first}`);
    expect((await db.execute("UPDATE item SET qty = 7 WHERE id = 1")).command).toBe(command);
    expect((await db.execute("DELETE FROM item WHERE id = 1")).command).toBe(command.replace("UPDATE", "DELETE"));
  });
});
