/**
 * Which errors of constants come up although no row is read. What PostgreSQL 15 says of each statement is recorded in
 * `support/constant-errors.json`; a running PostgreSQL (SCRATCHPAD_TEST_PG: its port) is asked again.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SqlError } from "../../../src/errors/sql-error.js";
import { MemoryBackend } from "../../../src/sql.js";
import { prWorld } from "../../support/pr-world.js";

interface Case {
  /** `null`: the statement succeeds. */
  readonly sqlstate: string | null;
  readonly sql: string;
  readonly params?: readonly unknown[];
}

const file = path.join(import.meta.dirname, "../support/constant-errors.json");
const cases = JSON.parse(readFileSync(file, "utf8")) as readonly Case[];

/** `t` is empty; `f1` has rows. */
const tables = [
  "CREATE TABLE t(a int, b int, s text, d date, ts timestamptz, n numeric, f float8)",
  "CREATE TABLE f1(a int PRIMARY KEY, b int, s text, d date)",
  "INSERT INTO f1 VALUES (1, 2, 'x', '2024-01-01'), (2, NULL, 'y', NULL)",
  "CREATE VIEW v AS SELECT a, 1/0 AS q FROM t",
  "CREATE VIEW w AS SELECT a, 0 AS z FROM t",
  "CREATE TABLE dflt(a int, b int DEFAULT 1)",
];

const title = (one: Case) => ({ ...one, name: one.params ? `${one.sql} ${JSON.stringify(one.params)}` : one.sql });

describe("the built-in engine", () => {
  let backend: MemoryBackend;

  beforeAll(async () => {
    backend = await MemoryBackend.create();
    for (const table of tables) await backend.query(table);
  });

  afterAll(() => backend.close());

  test.each(cases.map(title))("$name", async ({ sql, params, sqlstate }) => {
    await backend.query("BEGIN");
    try {
      expect(await codeOf(() => backend.query(sql, [...(params ?? [])]))).toBe(sqlstate);
    } finally {
      await backend.query("ROLLBACK");
    }
  });
});

describe("before the first call", () => {
  test.each([
    { sql: "SELECT title, 1/0 FROM pr", params: [] },
    { sql: "SELECT title FROM pr WHERE id = 1/$1", params: [0] },
    { sql: "EXPLAIN SELECT title FROM pr WHERE id = 1/$1", params: [0] },
    { sql: "UPDATE pr SET title = (1/0)::text WHERE id = 1", params: [] },
  ])("$sql", async ({ sql, params }) => {
    const { db, recorder } = await prWorld();
    expect(await codeOf(() => db.execute(sql, { params }))).toBe("22012");
    expect(recorder.calls).toEqual([]);
  });
});

async function codeOf(run: () => Promise<unknown>): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof SqlError || error instanceof pg.DatabaseError) return error.code ?? null;
    throw error;
  }
}

const port = process.env.SCRATCHPAD_TEST_PG;
const schema = `constant_errors_${process.pid}`;
if (port !== undefined) {
  describe("PostgreSQL", () => {
    const client = new pg.Client({ host: "127.0.0.1", port: Number(port), user: process.env.PGUSER ?? "postgres" });

    beforeAll(async () => {
      await client.connect();
      await client.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}; SET TimeZone = 'UTC'`);
      for (const table of tables) await client.query(table);
    });

    afterAll(async () => {
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
      await client.end();
    });

    test.each(cases.map(title))("$name", async ({ sql, params, sqlstate }) => {
      await client.query("BEGIN");
      try {
        expect(await codeOf(() => client.query(sql, [...(params ?? [])]))).toBe(sqlstate);
      } finally {
        await client.query("ROLLBACK");
      }
    });
  });
} else {
  console.warn("The errors of constants are not asked of a server again: SCRATCHPAD_TEST_PG is not set.");
}
