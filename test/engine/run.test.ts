/** What a prepared plan promises its caller: forms of rows, parameters, host values, concurrent runs. */
import { expect, test } from "vitest";
import { prepare } from "../../src/engine/run.js";
import { SqlError } from "../../src/errors/sql-error.js";
import { types } from "../../src/types/type.js";
import { type TestTable, tables } from "./dataset.js";
import { bindSql, environmentOf, hostRows } from "./harness.js";

test("row objects keep columns of one name apart", async () => {
  expect(await hostRows("SELECT 1 AS a, 2 AS a, 3 AS b, 4 AS a")).toEqual([{ a: 1, a_1: 2, b: 3, a_2: 4 }]);
});

test("rows come as objects, host tuples, or tuples in memory form", async () => {
  const sql = "SELECT id, joined, tags FROM people WHERE id = 2";
  const person = tables[0].rows[1];
  const [object] = (await hostRows(sql)) as [Record<string, unknown>];
  expect(object).toMatchObject({ id: 2, tags: person.tags });
  expect(await hostRows(sql, { rows: "host" })).toEqual([[object.id, object.joined, object.tags]]);
  const [[, joined]] = (await hostRows(sql, { rows: "arrays" })) as [unknown[]];
  expect(joined).toBe(Date.parse(person.joined as string) * 1000);
});

test("jsonb values are the objects of the rows themselves", async () => {
  const [row] = (await hostRows("SELECT tags FROM people WHERE tags IS NOT NULL LIMIT 1")) as [{ tags: unknown }];
  expect(tables[0].rows.map(({ tags }) => tags)).toContain(row.tags);
});

test("maxRows ends the reading", async () => {
  expect((await hostRows("SELECT id FROM people ORDER BY id DESC", { maxRows: 2 })).length).toBe(2);
  expect(await hostRows("SELECT id FROM people", { maxRows: 0 })).toEqual([]);
});

test("one plan runs many times at the same time, each with its own parameters", async () => {
  const bound = bindSql(
    "SELECT count(*) AS n FROM generate_series(1, 20000) g WHERE g % $1::int = 0 AND g > (SELECT min(id) FROM people)",
  );
  const prepared = prepare(bound.plan, bound.output);
  const answers = await Promise.all(
    [2, 3, 5, 7].map((divisor) => prepared.run(environmentOf(tables, { parameters: [divisor] }), { rows: "objects" })),
  );
  expect(answers.map((answer) => answer.rows)).toEqual([[{ n: 10000 }], [{ n: 6666 }], [{ n: 4000 }], [{ n: 2857 }]]);
});

test("a failed run leaves the plan usable", async () => {
  const bound = bindSql("SELECT 10 / $1::int AS x");
  const prepared = prepare(bound.plan, bound.output);
  await expect(prepared.run(environmentOf(tables, { parameters: [0] }))).rejects.toMatchObject({ code: "22012" });
  const again = await prepared.run(environmentOf(tables, { parameters: [5] }), { rows: "objects" });
  expect(again.rows).toEqual([{ x: 2 }]);
});

const mixed = (rows: Record<string, unknown>[]): TestTable => ({
  name: "mixed",
  primaryKey: [],
  columns: [
    { name: "n", type: "int4" },
    { name: "t", type: "text" },
    { name: "at", type: "timestamptz" },
    { name: "j", type: "jsonb" },
    { name: "b", type: "int8" },
  ],
  rows,
});

test("host values of other forms are converted, what is absent is NULL", async () => {
  const rows = [
    { n: 1, t: "a", at: "2024-01-01T00:00:00.000Z", j: { x: 1 }, b: 1 },
    { n: null, at: new Date(0), j: [1], b: 9007199254740993n },
    { t: undefined, at: "2024-01-01 02:00:00+02", j: "text", b: 4294967296 },
  ];
  expect(await hostRows("SELECT * FROM mixed", { list: [mixed(rows)] })).toEqual([
    { n: 1, t: "a", at: "2024-01-01T00:00:00.000Z", j: { x: 1 }, b: 1 },
    { n: null, t: null, at: "1970-01-01T00:00:00.000Z", j: [1], b: "9007199254740993" },
    { n: null, t: null, at: "2024-01-01T00:00:00.000Z", j: "text", b: 4294967296 },
  ]);
});

test.each([
  { name: "text for an integer", row: { n: "x" }, sql: "SELECT n FROM mixed" },
  { name: "an integer that is too large", row: { n: 3_000_000_000 }, sql: "SELECT n + 1 FROM mixed" },
  { name: "a fraction for an integer", row: { n: 1.5 }, sql: "SELECT sum(n) FROM mixed" },
  { name: "no timestamp", row: { at: "2024-13-01T00:00:00.000Z" }, sql: "SELECT * FROM mixed WHERE at > now()" },
  { name: "an object for text", row: { t: {} }, sql: "SELECT * FROM mixed WHERE t = 'x'" },
])("a bad value is an error: $name", async ({ row, sql }) => {
  await expect(hostRows(sql, { list: [mixed([row])] })).rejects.toMatchObject({ code: "22P02" });
});

test("the relation may name the bad value itself", async () => {
  const list = [mixed([{ n: 1 }, { n: "many" }])];
  const environment = environmentOf(list);
  const refuse = (row: number, value: unknown) => new SqlError("HV000", `row ${row}: ${value}`);
  const bound = bindSql("SELECT max(n) FROM mixed", list);
  const failed = prepare(bound.plan, bound.output).run({
    ...environment,
    relation: () => ({
      kind: "objects",
      rows: list[0].rows,
      columns: [{ name: "n", type: types.int4, typmod: -1, onBadValue: refuse }],
    }),
  });
  await expect(failed).rejects.toMatchObject({ code: "HV000", message: "row 1: many" });
});

test("relations of tuples are read by the table's column index", async () => {
  const list = [mixed([])];
  const bound = bindSql("SELECT t, n FROM mixed WHERE n > 1", list);
  const answer = await prepare(bound.plan, bound.output).run({
    ...environmentOf(list),
    relation: () => ({
      kind: "tuples",
      rows: [
        [1, "a"],
        [2, "b"],
        [null, "c"],
      ],
    }),
  });
  expect(answer.rows).toEqual([["b", 2]]);
});
