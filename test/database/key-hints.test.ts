/** The WHERE that a missing key's hint shows is a statement that runs; values that a key can't hold ask for nothing. */
import { describe, expect, test } from "vitest";
import { Database, type ResourceColumn, SqlError } from "../../src/index.js";
import { Recorder } from "../support/recording.js";

async function keyed(
  key: Partial<ResourceColumn> & { type: string },
  name = "k",
  rows: Record<string, unknown>[] = [],
) {
  const recorder = new Recorder();
  const db = await Database.create();
  const column = { name: "id", ...key, requiredKey: true };
  db.register(recorder.resource({ name, columns: [column, { name: "v", type: "text" }], rows }));
  return { db, calls: () => recorder.take() };
}

async function hintOf(db: Database, sql: string): Promise<string> {
  try {
    await db.execute(sql);
  } catch (error) {
    if (error instanceof SqlError && error.code === "HV002") return error.hint ?? "";
    throw error;
  }
  throw new Error(`${sql} needed no key`);
}

describe("the hint for a missing key", () => {
  test.each<{ type: string; enum?: string[]; value: string }>([
    { type: "text", value: "'…'" },
    { type: "varchar(1)", value: "'…'" },
    { type: "char(3)", value: "'…'" },
    { type: "citext", value: "'…'" },
    { type: '"char"', value: "'a'" },
    { type: "name", value: "'…'" },
    { type: "text", enum: ["it's", "b"], value: "'it''s'" },
    { type: "smallint", value: "1" },
    { type: "bigint", value: "1" },
    { type: "numeric(3,1)", value: "1" },
    { type: "double precision", value: "1" },
    { type: "boolean", value: "true" },
    { type: "date", value: "'2025-01-31'" },
    { type: "time", value: "'12:00'" },
    { type: "timetz", value: "'12:00+00'" },
    { type: "timestamp", value: "'2025-01-31 12:00'" },
    { type: "timestamptz", value: "'2025-01-31 12:00+00'" },
    { type: "interval", value: "'1 day'" },
    { type: "uuid", value: "'00000000-0000-0000-0000-000000000000'" },
    { type: "jsonb", value: `'["…"]'` },
    { type: "text[]", value: `'{"…"}'` },
    { type: "varchar(5)[]", value: `'{"…"}'` },
    { type: "integer[]", value: `'{"1"}'` },
    { type: "boolean[]", value: `'{"true"}'` },
    { type: "date[]", value: `'{"2025-01-31"}'` },
    { type: "jsonb[]", value: `'{"[\\"…\\"]"}'` },
  ])("of type $type shows a statement that runs", async ({ type, enum: labels, value }) => {
    const { db, calls } = await keyed({ type, ...(labels && { enum: labels }) });
    const hint = await hintOf(db, "SELECT v FROM k");
    const shown = /^Add (WHERE .+), or join k\.id /.exec(hint);
    expect(shown?.[1]).toBe(`WHERE k.id = ${value}`);
    await db.execute(`SELECT v FROM k ${shown?.[1]}`);
    expect(calls()).toHaveLength(1);
  });

  test("names are quoted where they have to be", async () => {
    const { db, calls } = await keyed({ name: "to", type: "text" }, "order");
    const hint = await hintOf(db, 'SELECT v FROM "order"');
    const where = /^Add (WHERE .+), or join /.exec(hint)?.[1];
    expect(where).toBe(`WHERE "order"."to" = '…'`);
    await db.execute(`SELECT v FROM "order" ${where}`);
    expect(calls()).toHaveLength(1);
  });
});

describe("a value that the key's type can't hold is equal to none of its values", () => {
  test.each([
    { type: "varchar(2)", value: "'abc'" },
    { type: "varchar(2)", value: "'ab '" },
    { type: "char(2)", value: "'abc'" },
    { type: "smallint", value: "70000" },
    { type: "smallint", value: "1.5" },
    { type: "integer", value: "3000000000" },
    { type: "numeric(3,1)", value: "123.4" },
    { type: "numeric(3,1)", value: "1.25" },
    { type: "timestamp(0)", value: "'2025-01-31 12:00:00.5'" },
    { type: "timestamptz(0)", value: "'2025-01-31 12:00:00.5+00'" },
    { type: "time(0)", value: "'12:00:00.5'" },
  ])("$type = $value", async ({ type, value }) => {
    const { db, calls } = await keyed({ type });
    expect((await db.execute(`SELECT v FROM k WHERE id = ${value}`)).rows).toEqual([]);
    expect(calls()).toEqual([]);
  });

  test("of several values the others are asked for", async () => {
    const { db, calls } = await keyed({ type: "varchar(2)" }, "k", [{ id: "ab", v: "found" }]);
    expect((await db.execute("SELECT v FROM k WHERE id IN ('abc', 'ab')")).rows).toEqual([{ v: "found" }]);
    expect(calls()).toEqual([{ table: "k", args: { id: ["ab"] } }]);
  });

  test.each([
    { type: "varchar(2)", value: "'ab'", args: ["ab"] },
    { type: "numeric(3,1)", value: "1.50", args: [1.5] },
    { type: "char(4)", value: "'ab'", args: ["ab"] },
    { type: "char(4)", value: "'ab      '", args: ["ab"] },
    { type: "char(4)", value: "'ab  '::char(4)", args: ["ab"] },
  ])("$type = $value is asked for", async ({ type, value, args }) => {
    const { db, calls } = await keyed({ type }, "k", [{ id: args[0], v: "found" }]);
    expect((await db.execute(`SELECT v FROM k WHERE id = ${value}`)).rows).toEqual([{ v: "found" }]);
    expect(calls()).toEqual([{ table: "k", args: { id: args } }]);
  });
});
