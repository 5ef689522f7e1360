/**
 * Random statements whose tables get their keys from one another, against the same rows in tables that need no key and
 * take no argument, and against PostgreSQL where SCRATCHPAD_TEST_PG names the port of one. Fails with the statement.
 */
import { expect, test } from "vitest";
import { Database, defineResource, SqlError } from "../../src/index.js";
import { columnsOf, rowsOf } from "./data.js";
import { federation } from "./fixture.js";
import { Oracle } from "./oracle.js";
import { KeyStatements } from "./random-keys.js";

const port = process.env.SCRATCHPAD_TEST_PG;

/** The tables without keys: every read gives all rows. */
async function plainTables(): Promise<Database> {
  const db = await Database.create();
  for (const [name, columns] of Object.entries(columnsOf)) {
    const plain = columns.map((column) => ({ name: column.name, type: column.type, equality: false }));
    db.register(defineResource({ name, volatility: "immutable", columns: plain, select: () => rowsOf[name] }));
  }
  return db;
}

/** Rows in the order of their text; the SQLSTATE of a failure. */
async function answer(db: Database, sql: string): Promise<string | string[]> {
  try {
    const { rows } = await db.execute(sql, { limit: 100_000 });
    return rows.map((row) => JSON.stringify(Object.values(row))).sort();
  } catch (error) {
    if (error instanceof SqlError) return error.code;
    throw error;
  }
}

test("keys from joins bring every row that a table at hand would", { timeout: 240_000 }, async () => {
  const oracle = port === undefined ? undefined : await Oracle.open(Number(port));
  try {
    const [{ db }, plain] = [await federation({ limits: { callsPerStatement: 5_000 } }), await plainTables()];
    const statements = new KeyStatements(20_240_501);
    let compared = 0;
    let found = 0;
    for (let i = 0; i < 250; i++) {
      const sql = statements.next();
      const got = await answer(db, sql);
      if (got === "HV002") continue; // a key that no condition gives a value
      expect(got, sql).toEqual(await answer(plain, sql));
      const [judged] = (await oracle?.answers([{ sql, calls: [] }])) ?? [];
      if (judged != null)
        expect(got, sql).toEqual("code" in judged ? judged.code : judged.rows.map((row) => JSON.stringify(row)).sort());
      compared += 1;
      if (got.length > 0) found += 1;
    }
    // otherwise the statements say little
    expect(compared).toBeGreaterThan(150);
    expect(found).toBeGreaterThan(60);
  } finally {
    await oracle?.close();
  }
});
