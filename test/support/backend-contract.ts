/** What every backend must do: run on each of them, and usable for backends that hosts write themselves. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { QueryOptions, ScratchpadBackend } from "../../src/backends/backend.js";
import { SqlError } from "../../src/errors/sql-error.js";

/** @param open gives an empty database; called once */
export function describeBackend(name: string, open: () => Promise<ScratchpadBackend>): void {
  describe(name, () => {
    let backend: ScratchpadBackend;

    beforeAll(async () => {
      backend = await open();
    });

    afterAll(async () => {
      await backend.close();
    });

    async function rows(sql: string, params?: unknown[], options?: QueryOptions): Promise<unknown[]> {
      return (await backend.query(sql, params, options)).rows;
    }

    async function failure(action: () => Promise<unknown>): Promise<SqlError> {
      try {
        await action();
      } catch (error) {
        if (error instanceof SqlError) return error;
        throw error;
      }
      throw new Error("nothing failed");
    }

    test("a query gives rows, fields, their count and the command", async () => {
      const result = await backend.query("SELECT 1 AS a, 'x'::text AS b UNION ALL SELECT 2, NULL ORDER BY a");
      expect(result).toEqual({
        rows: [
          { a: 1, b: "x" },
          { a: 2, b: null },
        ],
        fields: [
          { name: "a", type: "int4" },
          { name: "b", type: "text" },
        ],
        rowCount: 2,
        command: "SELECT",
      });
    });

    test("two columns of one name are kept apart in objects, and left alone in arrays", async () => {
      const sql = "SELECT 1 AS a, 2 AS a, 3 AS a";
      const objects = await backend.query(sql);
      expect(objects.rows).toEqual([{ a: 1, a_1: 2, a_2: 3 }]);
      expect(objects.fields.map((field) => field.name)).toEqual(["a", "a_1", "a_2"]);
      const arrays = await backend.query(sql, [], { rowMode: "array" });
      expect(arrays.rows).toEqual([[1, 2, 3]]);
      expect(arrays.fields.map((field) => field.name)).toEqual(["a", "a", "a"]);
    });

    test.each([
      { sql: "SELECT 5::int8", value: 5 },
      { sql: "SELECT 9007199254740993", value: "9007199254740993" },
      { sql: "SELECT 1.50", value: 1.5 },
      { sql: "SELECT 0.1234567890123456789", value: "0.1234567890123456789" },
      { sql: "SELECT 0.1 + 0.2", value: 0.3 },
      { sql: "SELECT 1e30::numeric", value: 1e30 },
      { sql: "SELECT true", value: true },
      { sql: "SELECT NULL", value: null },
      { sql: "SELECT 1.5::float4", value: 1.5 },
      { sql: "SELECT date '2024-02-29'", value: "2024-02-29" },
      { sql: "SELECT time '10:20:30.5'", value: "10:20:30.5" },
      { sql: "SELECT timestamp '2024-02-29 10:20:30'", value: "2024-02-29T10:20:30.000" },
      { sql: "SELECT timestamptz '2024-02-29 10:20:30.123456+02'", value: "2024-02-29T08:20:30.123456Z" },
      { sql: "SELECT interval '1 day 02:03:04'", value: "1 day 02:03:04" },
      { sql: "SELECT '\\xDEADBEEF'::bytea", value: "\\xdeadbeef" },
      { sql: 'SELECT \'{"b": [1, null], "a": 1.10}\'::jsonb', value: { a: 1.1, b: [1, null] } },
      { sql: "SELECT '{\"a\": 1}'::json", value: { a: 1 } },
      {
        sql: "SELECT ARRAY[[1,2],[3,NULL]]",
        value: [
          [1, 2],
          [3, null],
        ],
      },
      { sql: "SELECT ARRAY[date '2024-01-01']", value: ["2024-01-01"] },
      { sql: "SELECT 'F47AC10B-58CC-4372-A567-0E02B2C3D479'::uuid", value: "f47ac10b-58cc-4372-a567-0e02b2c3d479" },
      { sql: "SELECT 'ab'::char(4)", value: "ab  " },
    ])("value of $sql", async ({ sql, value }) => {
      expect(await rows(sql, [], { rowMode: "array" })).toEqual([[value]]);
    });

    test.each([
      { sql: "SELECT $1::int8", value: "9007199254740993", back: "9007199254740993" },
      { sql: "SELECT $1::int8", value: 9007199254740993n, back: "9007199254740993" },
      { sql: "SELECT $1::numeric", value: 1.5, back: 1.5 },
      { sql: "SELECT $1::jsonb", value: { a: [1] }, back: { a: [1] } },
      { sql: "SELECT $1::jsonb", value: '{"a": 2}', back: { a: 2 } },
      { sql: "SELECT $1::int[]", value: [1, null, 3], back: [1, null, 3] },
      { sql: "SELECT $1::text[]", value: ["a,b", 'q"'], back: ["a,b", 'q"'] },
      { sql: "SELECT $1::date", value: "2024-01-02", back: "2024-01-02" },
      { sql: "SELECT $1::timestamptz", value: new Date(0), back: "1970-01-01T00:00:00.000Z" },
      { sql: "SELECT $1::boolean", value: true, back: true },
      { sql: "SELECT $1::text", value: null, back: null },
      { sql: "SELECT $1::bytea", value: new Uint8Array([1, 255]), back: "\\x01ff" },
      { sql: "SELECT 1 + $1", value: 2, back: 3 },
    ])("parameter $value of $sql", async ({ sql, value, back }) => {
      expect(await rows(sql, [value], { rowMode: "array" })).toEqual([[back]]);
    });

    test("several parameters, in any order", async () => {
      expect(await rows("SELECT $2::text || $1::text AS s", ["a", "b"])).toEqual([{ s: "ba" }]);
    });

    test("tables are made, written and read", async () => {
      await backend.exec("CREATE TABLE made (id int PRIMARY KEY, v text); INSERT INTO made VALUES (1, 'a')");
      const written = await backend.query("INSERT INTO made VALUES (2, 'b'), (3, 'c')");
      expect(written).toMatchObject({ rows: [], rowCount: 2, command: "INSERT" });
      const returned = await backend.query("UPDATE made SET v = upper(v) WHERE id > 1 RETURNING id, v");
      expect(returned).toMatchObject({ rowCount: 2, command: "UPDATE" });
      expect(returned.rows).toEqual([
        { id: 2, v: "B" },
        { id: 3, v: "C" },
      ]);
      expect(await backend.query("DELETE FROM made WHERE id = 1")).toMatchObject({ rowCount: 1, command: "DELETE" });
      expect(await rows("SELECT count(*) AS n FROM made")).toEqual([{ n: 2 }]);
      await backend.exec("DROP TABLE made");
    });

    test("a script that fails leaves nothing behind", async () => {
      await backend.exec("CREATE TABLE half (id int PRIMARY KEY)");
      const error = await failure(() => backend.exec("INSERT INTO half VALUES (1); INSERT INTO half VALUES (1)"));
      expect(error.code).toBe("23505");
      expect(await rows("SELECT count(*) AS n FROM half")).toEqual([{ n: 0 }]);
      await backend.exec("DROP TABLE half");
    });

    test.each([
      { sql: "SELECT 1 FROM nowhere", code: "42P01", message: 'relation "nowhere" does not exist', position: 15 },
      { sql: "SELECT 'é', nothing", code: "42703", message: 'column "nothing" does not exist', position: 13 },
      { sql: "SELECT '😀', nothing", code: "42703", message: 'column "nothing" does not exist', position: 14 },
      { sql: "SELEC 1", code: "42601", message: 'syntax error at or near "SELEC"', position: 1 },
      { sql: "SELECT 1 / 0", code: "22012", message: "division by zero" },
      { sql: "SELECT 'x'::int", code: "22P02", message: 'invalid input syntax for type integer: "x"', position: 8 },
    ])("error of $sql", async ({ sql, code, message, position }) => {
      const error = await failure(() => backend.query(sql));
      expect({ code: error.code, message: error.message }).toEqual({ code, message });
      if (position !== undefined) expect(error.position).toBe(position);
    });

    test("an error of a constraint has its detail", async () => {
      await backend.exec("CREATE TABLE once (id int PRIMARY KEY); INSERT INTO once VALUES (7)");
      const error = await failure(() => backend.query("INSERT INTO once VALUES (7)"));
      expect(error.message).toBe('duplicate key value violates unique constraint "once_pkey"');
      expect(error.detail).toBe("Key (id)=(7) already exists.");
      await backend.exec("DROP TABLE once");
    });

    test("loaded rows are a relation of this session", async () => {
      const columns = [
        { name: "id", type: "bigint" },
        { name: "Name", type: "text" },
        { name: "at", type: "timestamp with time zone" },
        { name: "tags", type: "text[]" },
        { name: "data", type: "jsonb" },
      ];
      const objects = [
        { id: 1, Name: "a", at: "2024-01-01T00:00:00Z", tags: ["x", "y z"], data: { k: [1] }, extra: "ignored" },
        { id: 2, Name: null, at: new Date(0), tags: [] },
      ];
      await backend.load("loaded", columns, objects);
      expect(await rows('SELECT id, "Name", at, tags, data FROM loaded ORDER BY id')).toEqual([
        { id: 1, Name: "a", at: "2024-01-01T00:00:00.000Z", tags: ["x", "y z"], data: { k: [1] } },
        { id: 2, Name: null, at: "1970-01-01T00:00:00.000Z", tags: [], data: null },
      ]);
      expect(await rows("SELECT data->'k'->0 AS v FROM loaded WHERE data @> '{\"k\": [1]}'")).toEqual([{ v: 1 }]);
      const again = await failure(() => backend.load("loaded", columns, []));
      expect(again.code).toBe("42P07");
      await backend.drop("loaded");
      expect((await failure(() => backend.query("SELECT 1 FROM loaded"))).code).toBe("42P01");
    });

    test("loaded rows can be many", async () => {
      const many = Array.from({ length: 5000 }, (_, i) => ({ n: i, s: `row ${i}` }));
      await backend.load(
        "many",
        [
          { name: "n", type: "int" },
          { name: "s", type: "text" },
        ],
        many,
      );
      expect(await rows("SELECT count(*) AS c, sum(n) AS t, max(s) AS m FROM many")).toEqual([
        { c: 5000, t: 12_497_500, m: "row 999" },
      ]);
      await backend.drop("many");
    });

    test("a loaded value that is not of its type is an error that names column and row", async () => {
      const error = await failure(async () => {
        await backend.load("wrong", [{ name: "n", type: "int" }], [{ n: 1 }, { n: "many" }]);
        await backend.query("SELECT sum(n) FROM wrong");
      });
      expect(error.code).toBe("22P02");
      expect(error.message).toContain('row 2 has a value in column "n"');
      await backend.exec("DROP TABLE wrong");
    });

    test("dropping what is not there is an error", async () => {
      expect((await failure(() => backend.drop("never_there"))).code).toBe("42P01");
    });

    test("a query whose signal is aborted does not run", async () => {
      const error = await failure(() => backend.query("SELECT 1", [], { signal: AbortSignal.abort() }));
      expect(error.code).toBe("57014");
    });
  });
}
