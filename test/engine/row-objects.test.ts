/** Row objects on the way in, which may run code of their own, and on the way out. */
import { beforeEach, describe, expect, test } from "vitest";
import { SqlError } from "../../src/errors/sql-error.js";
import { MemoryBackend } from "../../src/sql.js";
import { emptyPglite } from "../support/pglite.js";

let backend: MemoryBackend;

beforeEach(async () => {
  backend = await MemoryBackend.create();
});

describe("a row that fails when it is read", () => {
  const failing = (property: string) =>
    Object.defineProperty({ id: 2 } as Record<string, unknown>, property, {
      enumerable: true,
      get: () => {
        throw new TypeError("the connection is gone");
      },
    });

  test.each([
    { type: "text" },
    { type: "int" },
    { type: "numeric" },
    { type: "timestamptz" },
    { type: "jsonb" },
    { type: "text[]" },
  ])("$type: the error names table and column", async ({ type }) => {
    const columns = [
      { name: "id", type: "int" },
      { name: "value", type },
    ];
    await backend.load("parts", columns, [{ id: 1, value: null }, failing("value")]);
    const error = await backend.query("SELECT id FROM parts WHERE value IS NOT NULL").catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SqlError);
    expect(error).toMatchObject({
      code: "HV000",
      message: 'column "value" of a row of "parts" could not be read',
      detail: "the connection is gone",
    });
    expect(error.cause).toBeInstanceOf(TypeError);
    expect((await backend.query("SELECT id FROM parts")).rows).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test("inside a document it is an SqlError as well", async () => {
    await backend.load("parts", [{ name: "doc", type: "jsonb" }], [{ doc: failing("inner") }]);
    const error = await backend.query("SELECT doc ->> 'inner' FROM parts").catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SqlError);
    expect(error).toMatchObject({ code: "XX000", detail: "the connection is gone" });
    expect(error.cause).toBeInstanceOf(TypeError);
  });
});

test.each([
  { sql: 'SELECT 1 AS "__proto__"', row: '{"__proto__":1}' },
  { sql: `SELECT 1 AS a, '{"b": 2}'::jsonb AS "__proto__", 3 AS c`, row: '{"a":1,"__proto__":{"b":2},"c":3}' },
  { sql: 'SELECT 1 AS "__proto__", 2 AS "__proto__"', row: '{"__proto__":1,"__proto___1":2}' },
  { sql: 'SELECT 1 AS "constructor", 2 AS "toString"', row: '{"constructor":1,"toString":2}' },
])("a column of any name is an own property: $sql", async ({ sql, row }) => {
  const { rows } = await backend.query(sql);
  expect(JSON.stringify(rows[0])).toBe(row);
  expect(Object.getPrototypeOf(rows[0])).toBe(Object.prototype);
});

describe("what every object inherits is no value of a row", () => {
  const columns = ["id", "constructor", "toString", "__proto__"].map((name) => ({
    name,
    type: name === "id" ? "int" : "text",
  }));
  const rows = [{ id: 1 }, JSON.parse('{"id":2,"constructor":"a","toString":"b","__proto__":"c"}')];
  const expected = [
    [1, null, null, null],
    [2, "a", "b", "c"],
  ];
  const query = 'SELECT id, "constructor", "toString", "__proto__" FROM parts ORDER BY id';

  test("in loaded rows, and in those that were written to since", async () => {
    await backend.load("parts", columns, rows);
    expect((await backend.query(query, [], { rowMode: "array" })).rows).toEqual(expected);
    await backend.query("UPDATE parts SET id = id");
    expect((await backend.query(query, [], { rowMode: "array" })).rows).toEqual(expected);
  });

  test("in rows that PGlite loads", { timeout: 60_000 }, async () => {
    const pglite = await emptyPglite();
    await pglite.load("parts", columns, rows);
    expect((await pglite.query(query, [], { rowMode: "array" })).rows).toEqual(expected);
    await pglite.close();
  });
});
