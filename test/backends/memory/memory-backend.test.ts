/** The database in memory beyond what every backend does. */
import { describe, expect, test } from "vitest";
import { MemoryBackend, SqlError } from "../../../src/sql.js";

async function failure(action: Promise<unknown>): Promise<SqlError> {
  try {
    await action;
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
  }
  throw new Error("nothing failed");
}

async function rows(db: MemoryBackend, sql: string, params: unknown[] = []): Promise<unknown[]> {
  return (await db.query(sql, params)).rows;
}

describe("dump and load", () => {
  const schema = `
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE SCHEMA other;
    CREATE TABLE p (id serial PRIMARY KEY, name text NOT NULL DEFAULT 'x''y', m mood, ms mood[], n numeric(10,2) CHECK (n > 0),
      at timestamptz, doc jsonb, bytes bytea, twice int GENERATED ALWAYS AS (id * 2) STORED);
    CREATE TABLE other.c (p_id int REFERENCES p ON DELETE CASCADE, k text, UNIQUE NULLS NOT DISTINCT (p_id, k));
    CREATE TABLE self (id int PRIMARY KEY, up int REFERENCES self);
    CREATE UNIQUE INDEX self_part ON self ((id % 10)) WHERE up IS NULL;
    CREATE VIEW v AS SELECT p.name, count(*) AS n FROM p JOIN other.c ON c.p_id = p.id GROUP BY p.name;
    INSERT INTO p (m, ms, n, at, doc, bytes) VALUES
      ('ok', '{sad,NULL}', 1.50, '2024-01-01 10:00:00.123456+02', '{"a": [1.10, null]}', '\\x00ff'), (NULL, NULL, NULL, NULL, NULL, NULL);
    INSERT INTO other.c VALUES (1, 'k'), (1, NULL);
    INSERT INTO self VALUES (1, NULL), (2, 1);
    CREATE TEMP TABLE gone (x int);`;

  test("what was dumped is there again: rows, constraints, sequences, views", async () => {
    const before = await MemoryBackend.create();
    await before.exec(schema);
    const after = await MemoryBackend.create({ load: await before.dump() });
    for (const sql of [
      "SELECT *, n::text, doc::text FROM p ORDER BY id",
      "SELECT * FROM other.c ORDER BY k",
      "SELECT * FROM v",
      "SELECT table_schema, table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns WHERE table_name <> 'gone' ORDER BY 1, 2, 3",
    ]) {
      expect(await rows(after, sql)).toEqual(await rows(before, sql));
    }
    expect((await failure(after.query("SELECT * FROM gone"))).code).toBe("42P01");
    expect(await rows(after, "INSERT INTO p (n) VALUES (2) RETURNING id, name, twice")).toEqual([
      { id: 3, name: "x'y", twice: 6 },
    ]);
    expect((await failure(after.query("INSERT INTO p (n) VALUES (-1)"))).code).toBe("23514");
    expect((await failure(after.query("INSERT INTO other.c VALUES (1, NULL)"))).code).toBe("23505");
    expect((await failure(after.query("INSERT INTO self VALUES (3, 9)"))).code).toBe("23503");
    expect((await failure(after.query("INSERT INTO self VALUES (11, NULL)"))).code).toBe("23505");
    await after.exec("DELETE FROM p WHERE id = 1");
    expect(await rows(after, "SELECT count(*) AS n FROM other.c")).toEqual([{ n: 0 }]);
  });

  test.each([
    { name: "no JSON", bytes: new Uint8Array([1, 2, 3]) },
    { name: "another program's JSON", bytes: new TextEncoder().encode("{}") },
  ])("bytes that are $name are refused", async ({ bytes }) => {
    expect((await failure(MemoryBackend.create({ load: bytes }))).code).toBe("22023");
  });

  test("not inside a transaction", async () => {
    const db = await MemoryBackend.create();
    await db.exec("BEGIN");
    expect((await failure(db.dump())).code).toBe("25001");
  });
});

describe("loaded relations", () => {
  test("row objects are read in place, so that a later change of one is seen", async () => {
    const db = await MemoryBackend.create();
    const objects = [{ n: 1 }];
    await db.load("t", [{ name: "n", type: "int" }], objects);
    objects[0].n = 5;
    expect(await rows(db, "SELECT n FROM t")).toEqual([{ n: 5 }]);
  });

  test("writing to one leaves the objects alone", async () => {
    const db = await MemoryBackend.create();
    const objects = [{ n: 1 }, { n: 2 }];
    await db.load("t", [{ name: "n", type: "int" }], objects);
    await db.exec("UPDATE t SET n = n * 10 WHERE n > 1; INSERT INTO t VALUES (3)");
    expect(await rows(db, "SELECT n FROM t ORDER BY n")).toEqual([{ n: 1 }, { n: 3 }, { n: 20 }]);
    expect(objects).toEqual([{ n: 1 }, { n: 2 }]);
    await db.exec("BEGIN; DELETE FROM t; ROLLBACK");
    expect(await rows(db, "SELECT count(*) AS c FROM t")).toEqual([{ c: 3 }]);
  });

  test("it stands before a stored table of the same name", async () => {
    const db = await MemoryBackend.create();
    await db.exec("CREATE TABLE t (n int); INSERT INTO t VALUES (1)");
    await db.load("t", [{ name: "n", type: "int" }], [{ n: 2 }]);
    expect(await rows(db, "SELECT t.n, p.n AS stored FROM t, public.t p")).toEqual([{ n: 2, stored: 1 }]);
    await db.drop("t");
    expect(await rows(db, "SELECT n FROM t")).toEqual([{ n: 1 }]);
  });
});

describe("one session", () => {
  test("calls are carried out in the order in which they are made", async () => {
    const db = await MemoryBackend.create();
    const made = db.exec("CREATE TABLE t (n int)");
    const filled = db.exec("INSERT INTO t SELECT generate_series(1, 1000)");
    const counted = db.query("SELECT count(*) AS n FROM t");
    await Promise.all([made, filled]);
    expect((await counted).rows).toEqual([{ n: 1000 }]);
  });

  test("a failure does not stop the calls behind it", async () => {
    const db = await MemoryBackend.create();
    const bad = failure(db.query("SELECT nothing"));
    const good = db.query("SELECT 1 AS one");
    expect((await bad).code).toBe("42703");
    expect((await good).rows).toEqual([{ one: 1 }]);
  });

  test("a closed database refuses", async () => {
    const db = await MemoryBackend.create();
    await db.close();
    expect((await failure(db.query("SELECT 1"))).code).toBe("08003");
  });

  test("the clock and the time zone are given from outside; now() stands still in a transaction", async () => {
    let time = Date.UTC(2024, 6, 1, 12);
    const db = await MemoryBackend.create({ now: () => new Date(time), timeZone: "Asia/Tokyo" });
    const sql = "SELECT now() AS n, current_date AS d, now()::text AS t";
    expect(await rows(db, sql)).toEqual([
      { n: "2024-07-01T12:00:00.000Z", d: "2024-07-01", t: "2024-07-01 21:00:00+09" },
    ]);
    await db.exec("BEGIN");
    time += 60_000;
    expect(await rows(db, "SELECT now() AS n, clock_timestamp() AS c")).toEqual([
      { n: "2024-07-01T12:00:00.000Z", c: "2024-07-01T12:01:00.000Z" },
    ]);
    await db.exec("COMMIT");
    expect(await rows(db, "SELECT now() AS n")).toEqual([{ n: "2024-07-01T12:01:00.000Z" }]);
  });
});

describe("settings", () => {
  test.each([
    { sql: "SET TimeZone = 'America/New_York'", show: "timezone", value: "America/New_York" },
    { sql: "SET TIME ZONE 'UTC'", show: "timezone", value: "UTC" },
    { sql: "SET application_name TO 'me'", show: "application_name", value: "me" },
    { sql: "SET statement_timeout = '5s'", show: "statement_timeout", value: "5s" },
    { sql: "SET my.setting = 'x'", show: "my.setting", value: "x" },
    { sql: "SET datestyle = iso", show: "datestyle", value: "ISO, MDY" },
  ])("$sql", async ({ sql, show, value }) => {
    const db = await MemoryBackend.create();
    await db.exec(sql);
    const result = await db.query(`SHOW ${show}`, [], { rowMode: "array" });
    expect(result.rows).toEqual([[value]]);
    await db.exec(`RESET ALL`);
  });

  test.each([
    { sql: "SET nothing = 1", code: "42704" },
    { sql: "SET TimeZone = 'Nowhere/City'", code: "22023" },
    { sql: "SET datestyle = german", code: "0A000" },
    { sql: "SET bytea_output = 'escape'", code: "0A000" },
    { sql: "SET search_path = other", code: "0A000" },
    { sql: "SET statement_timeout = 'soon'", code: "22023" },
    { sql: "SHOW nothing", code: "42704" },
    { sql: "RESET nothing", code: "42704" },
  ])("$sql is refused", async ({ sql, code }) => {
    const db = await MemoryBackend.create();
    expect((await failure(db.exec(sql))).code).toBe(code);
  });

  test("they go back with their transaction", async () => {
    const db = await MemoryBackend.create();
    await db.exec("BEGIN; SET TimeZone = 'Asia/Tokyo'; ROLLBACK");
    expect(await rows(db, "SHOW timezone")).toEqual([{ timezone: "UTC" }]);
    await db.exec("BEGIN; SET LOCAL TimeZone = 'Asia/Tokyo'; COMMIT");
    expect(await rows(db, "SHOW timezone")).toEqual([{ timezone: "UTC" }]);
    await db.exec("BEGIN; SET TimeZone = 'Asia/Tokyo'; COMMIT");
    expect(await rows(db, "SHOW timezone")).toEqual([{ timezone: "Asia/Tokyo" }]);
  });
});

describe("limits", () => {
  test.each([
    { name: "rows held", limits: { rows: 100 }, sql: "SELECT * FROM generate_series(1, 1000)", code: "53400" },
    {
      name: "time",
      limits: { timeoutMs: 30 },
      sql: "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b",
      code: "57014",
    },
    { name: "length of the text", limits: { sqlLength: 20 }, sql: `SELECT '${"x".repeat(30)}'`, code: "54001" },
    {
      name: "rounds of a recursion",
      limits: { depth: 50 },
      sql: "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
      code: "54000",
    },
  ])("$name", async ({ limits, sql, code }) => {
    const db = await MemoryBackend.create({ limits });
    expect((await failure(db.query(sql))).code).toBe(code);
    expect(await rows(db, "SELECT 1 AS a")).toEqual([{ a: 1 }]);
  });

  test("statement_timeout", async () => {
    const db = await MemoryBackend.create();
    await db.exec("SET statement_timeout = 30");
    const sql = "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b";
    expect((await failure(db.query(sql))).code).toBe("57014");
  });

  test("a signal stops a query that runs, and what it wrote is gone", async () => {
    const db = await MemoryBackend.create();
    await db.exec("CREATE TABLE t (n int)");
    const stop = new AbortController();
    const sql = "INSERT INTO t SELECT 1 FROM generate_series(1, 100000) a, generate_series(1, 100000) b";
    const running = failure(db.query(sql, [], { signal: stop.signal }));
    setTimeout(() => stop.abort(), 30);
    expect((await running).code).toBe("57014");
    expect(await rows(db, "SELECT count(*) AS n FROM t")).toEqual([{ n: 0 }]);
  });
});

describe("information_schema", () => {
  test("lists tables and views with their columns", async () => {
    const db = await MemoryBackend.create();
    await db.exec("CREATE TABLE t (id int PRIMARY KEY, v varchar(5) DEFAULT 'x'); CREATE VIEW w AS SELECT id FROM t");
    expect(
      await rows(db, "SELECT table_schema, table_name, table_type FROM information_schema.tables ORDER BY table_name"),
    ).toEqual([
      { table_schema: "public", table_name: "t", table_type: "BASE TABLE" },
      { table_schema: "public", table_name: "w", table_type: "VIEW" },
    ]);
    const sql = `SELECT column_name, data_type, is_nullable, column_default, character_maximum_length AS n
      FROM information_schema.columns WHERE table_name = 't' ORDER BY ordinal_position`;
    expect(await rows(db, sql)).toEqual([
      { column_name: "id", data_type: "integer", is_nullable: "NO", column_default: null, n: null },
      { column_name: "v", data_type: "character varying", is_nullable: "YES", column_default: "'x'", n: 5 },
    ]);
    // As for any user of PostgreSQL but its superuser, for whom it is 55000.
    expect((await failure(db.query("DELETE FROM information_schema.tables"))).code).toBe("42501");
  });
});

describe("explain", () => {
  test("shows the plan; ANALYZE runs the statement", async () => {
    const db = await MemoryBackend.create();
    await db.exec("CREATE TABLE t (n int)");
    const plan = await db.query("EXPLAIN SELECT n FROM t WHERE n > 1");
    expect(plan.command).toBe("EXPLAIN");
    expect(JSON.stringify(plan.rows)).toContain("Scan on t");
    await db.query("EXPLAIN INSERT INTO t VALUES (1)");
    expect(await rows(db, "SELECT count(*) AS n FROM t")).toEqual([{ n: 0 }]);
    await db.query("EXPLAIN ANALYZE INSERT INTO t VALUES (1)");
    expect(await rows(db, "SELECT count(*) AS n FROM t")).toEqual([{ n: 1 }]);
    const json = await db.query("EXPLAIN (FORMAT JSON) SELECT 1", [], { rowMode: "array" });
    expect(JSON.parse((json.rows as string[][])[0][0])[0]).toHaveProperty("Plan");
    expect((await failure(db.query("EXPLAIN (FORMAT XML) SELECT 1"))).code).toBe("0A000");
  });
});
