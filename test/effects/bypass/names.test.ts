/** Names that objects of the language inherit are names like all others: of tables, columns, aliases, keys, savepoints. */
import { afterEach, describe, expect, test } from "vitest";
import { defineResource } from "../../../src/index.js";
import { Recorder } from "../../support/recording.js";
import { bypassWorld } from "./world.js";

const inherited = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "__defineGetter__",
  "prototype",
];

/** An object with one property, whatever its name. */
const only = (name: string, value: unknown) => JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`);

afterEach(() => expect(Object.keys(Object.prototype)).toEqual([]));

describe.each(inherited)("%s", (name) => {
  const quoted = `"${name}"`;

  test.each([
    { what: "a column", sql: `SELECT 1 AS ${quoted}` },
    { what: "a column of a subquery", sql: `SELECT * FROM (SELECT 1 AS ${quoted}) s WHERE ${quoted} = 1` },
    { what: "a column of a function", sql: `SELECT * FROM generate_series(1, 1) AS ${quoted}(${quoted})` },
    { what: "a field of a record", sql: `SELECT x.* FROM jsonb_to_record('{"${name}": 1}') AS x(${quoted} int)` },
    {
      what: "a table of WITH",
      sql: `WITH ${quoted} AS (SELECT 1 AS ${quoted}) SELECT ${quoted}.${quoted} FROM ${quoted}`,
    },
    { what: "a group", sql: `SELECT count(*) AS ${quoted} FROM notes WHERE id = 1 GROUP BY body` },
  ])("as the name of $what", async ({ sql }) => {
    const { db } = await bypassWorld();
    const { rows } = await db.execute(sql);
    expect(rows).toHaveLength(1);
    expect(Object.entries(rows[0])).toEqual([[name, 1]]);
    expect(Object.getPrototypeOf(rows[0])).toBe(Object.prototype);
  });

  test.each([
    { sql: `SELECT '{"${name}": 1}'::jsonb AS j` },
    { sql: `SELECT jsonb_build_object('${name}', 1) AS j` },
    { sql: `SELECT json_build_object('${name}', 1) AS j` },
    { sql: `SELECT jsonb_object_agg(k, 1) AS j FROM (VALUES ('${name}')) v(k)` },
    { sql: `SELECT jsonb_set('{}', '{${name}}', '1') AS j` },
    { sql: `SELECT '{}'::jsonb || '{"${name}": 1}' AS j` },
    { sql: `SELECT '{"${name}": 1, "b": 2}'::jsonb - 'b' AS j` },
    { sql: `SELECT to_jsonb(s) AS j FROM (SELECT 1 AS ${quoted}) s` },
    { sql: `SELECT row_to_json(s) AS j FROM (SELECT 1 AS ${quoted}) s` },
    { sql: "SELECT $1::jsonb AS j", params: [only(name, 1)] },
  ])("as a key: $sql", async ({ sql, params }) => {
    const { db } = await bypassWorld();
    const { rows } = await db.execute(sql, params === undefined ? {} : { params });
    expect(Object.entries(rows[0].j as object)).toEqual([[name, 1]]);
  });

  test("a key that is not there is NULL", async () => {
    const { db } = await bypassWorld();
    const { rows } = await db.execute(
      `SELECT '{}'::jsonb -> '${name}' AS a, '{}'::jsonb ? '${name}' AS b, '{}'::json ->> '${name}' AS c`,
    );
    expect(rows).toEqual([{ a: null, b: false, c: null }]);
  });

  test.each([
    { sql: `SELECT * FROM ${quoted}`, code: "42P01" },
    { sql: `SELECT * FROM ${quoted}.notes`, code: "42P01" },
    { sql: `SELECT ${quoted} FROM notes`, code: "42703" },
    { sql: `SELECT notes.${quoted} FROM notes`, code: "42703" },
    { sql: `SELECT ${quoted}(1)`, code: "42883" },
    { sql: `SELECT 1::${quoted}`, code: "42704" },
    { sql: `SELECT current_setting('${name}')`, code: "42704" },
    { sql: `EXPLAIN (${quoted}) SELECT 1`, code: "42601" },
    { sql: `SELECT 'a' COLLATE ${quoted}`, code: "42704" },
    { sql: `SELECT now() AT TIME ZONE '${name}'`, code: "22023" },
    { sql: `DELETE FROM ${quoted} WHERE true`, code: "42P01" },
    { sql: `INSERT INTO notes (${quoted}) VALUES (1)`, code: "42703" },
    { sql: `UPDATE notes SET ${quoted} = 1 WHERE id = 1`, code: "42703" },
    { sql: `SELECT date_trunc('${name}', now())`, code: "22023" },
    { sql: `SELECT extract(${quoted} FROM now())`, code: "22023" },
    { sql: `SELECT sum(id) OVER ${quoted} FROM notes`, code: "42704" },
  ])("where nothing has it: $sql is $code", async ({ sql, code }) => {
    const { db, recorder } = await bypassWorld({ policy: { writes: true } });
    await expect(db.execute(sql)).rejects.toMatchObject({ name: "SqlError", code });
    expect(recorder.calls).toEqual([]);
  });
});

describe.each(inherited.filter((name) => name !== "__proto__"))(
  "a resource called %s, with a column of that name",
  (name) => {
    test("is read, written, staged and updated like others", async () => {
      const quoted = `"${name}"`;
      const { db } = await bypassWorld({ policy: { writes: true } });
      const recorder = new Recorder();
      const columns = [
        { name, type: "text" },
        { name: "id", type: "bigint" },
      ];
      const rows = [{ ...only(name, "x"), id: 1 }];
      db.register(
        recorder.resource({
          name,
          columns,
          rows,
          primaryKey: [name],
          volatility: "volatile",
          verbs: ["select", "insert", "update", "delete"],
        }),
      );
      expect((await db.execute(`SELECT * FROM ${quoted} WHERE ${quoted} = 'x'`)).rows).toEqual([
        { ...only(name, "x"), id: 1 },
      ]);
      expect((await db.execute(`SELECT count(*) AS n FROM ${quoted} WHERE ${quoted} = 'y'`)).rows).toEqual([{ n: 0 }]);
      await db.execute(
        `BEGIN; INSERT INTO ${quoted} (id) VALUES (2); UPDATE ${quoted} SET id = 3 WHERE ${quoted} = 'x'`,
      );
      expect(db.preview().map(({ rows: inserted, set, bindings }) => inserted ?? [set, bindings])).toEqual([
        [{ id: 2 }],
        [{ id: 3 }, only(name, ["x"])],
      ]);
      await db.execute("ROLLBACK");
      recorder.take();
      await db.execute(`DELETE FROM ${quoted} WHERE ${quoted} = 'x'`);
      expect(recorder.take()).toEqual([{ table: name, op: "delete", args: only(name, ["x"]) }]);
    });
  },
);

test.each([
  { name: "a resource", resource: { name: "__proto__", columns: [{ name: "a", type: "text" }] } },
  { name: "a column", resource: { name: "a", columns: [{ name: "__proto__", type: "text" }] } },
])("$name cannot be called __proto__: objects of rows and arguments cannot hold it", ({ resource }) => {
  expect(() => defineResource({ ...resource, volatility: "stable", select: () => [] })).toThrow(TypeError);
});
