/** Statements that would run for ever, or hold too much: they stop within a second of the limit, the event loop runs on. */
import { beforeAll, describe, expect, test } from "vitest";
import type { EngineLimits } from "../../src/engine/run.js";
import { MemoryBackend } from "../../src/sql.js";
import { hostRows } from "./harness.js";

beforeAll(() => hostRows("SELECT 1")); // the parser is made on first use, which takes longer than some limits here

const endless = [
  { name: "a long series", sql: "SELECT count(*) FROM generate_series(1, 1000000000000)" },
  { name: "a filter that drops everything", sql: "SELECT g FROM generate_series(1, 1000000000000) g WHERE g < 0" },
  {
    name: "cross joins",
    sql: "SELECT count(*) FROM people a, people b, people c, people d, people e, people f, people g",
  },
  {
    name: "a nested loop that finds nothing",
    sql: "SELECT count(*) FROM orders a, orders b, orders c, orders d, orders e, orders f WHERE a.id + b.id + c.id + d.id + e.id + f.id = -1",
  },
  { name: "recursion", sql: "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t" },
  {
    name: "a recursion that finds nothing new",
    sql: "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT 1 FROM t) SELECT max(n) FROM t",
  },
  { name: "a set function in a select list", sql: "SELECT count(*) FROM (SELECT generate_series(1, 1000000000000)) s" },
  {
    name: "a correlated subquery",
    sql: "SELECT sum((SELECT count(*) FROM generate_series(1, a.g + 100000) x WHERE x % 7 = a.g)) FROM generate_series(1, 1000000) a(g)",
  },
  {
    name: "a lateral join",
    sql: "SELECT count(*) FROM generate_series(1, 1000000) a, LATERAL generate_series(1, a + 100000) b",
  },
  { name: "distinct values", sql: "SELECT DISTINCT g % 3 FROM generate_series(1, 1000000000000) g" },
  {
    name: "a window",
    sql: "SELECT array_agg(g) OVER (ORDER BY g ROWS BETWEEN 20000 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM generate_series(1, 60000) g",
  },
  {
    name: "arrays of growing frames",
    sql: "SELECT count(a) FROM (SELECT array_agg(g) OVER (ORDER BY g) AS a FROM generate_series(1, 100000) g) s",
  },
];

describe("time limit", () => {
  test.each(endless)("$name", async ({ sql }) => {
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    const failed = hostRows(sql, { extra: { limits: { timeMs: 250 } } });
    await expect(failed).rejects.toMatchObject({
      code: "57014",
      message: "canceling statement due to statement timeout",
    });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});

test.each(endless)("cancellation: $name", async ({ sql }) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 100);
  await expect(hostRows(sql, { extra: { signal: controller.signal } })).rejects.toMatchObject({
    code: "57014",
    message: "canceling statement due to user request",
  });
});

const hungry: { name: string; sql: string; limits: EngineLimits; code: string }[] = [
  {
    name: "rows of the result",
    sql: "SELECT g FROM generate_series(1, 5000) g",
    limits: { rows: 1000 },
    code: "53400",
  },
  {
    name: "rows of a sort",
    sql: "SELECT count(*) FROM (SELECT g FROM generate_series(1, 5000) g ORDER BY -g OFFSET 1) s",
    limits: { rows: 1000 },
    code: "53400",
  },
  {
    name: "groups",
    sql: "SELECT count(*) FROM (SELECT g FROM generate_series(1, 5000) g GROUP BY g) s",
    limits: { rows: 1000 },
    code: "53400",
  },
  {
    name: "the build side of a join",
    sql: "SELECT count(*) FROM people p JOIN generate_series(1, 5000) g ON g = p.id",
    limits: { rows: 1000 },
    code: "53400",
  },
  {
    name: "distinct rows",
    sql: "SELECT count(*) FROM (SELECT DISTINCT g FROM generate_series(1, 5000) g) s",
    limits: { rows: 1000 },
    code: "53400",
  },
  {
    name: "rows of a union",
    sql: "SELECT count(*) FROM (SELECT g FROM generate_series(1, 5000) g UNION SELECT 1) s",
    limits: { rows: 1000 },
    code: "53400",
  },
  {
    name: "rows of a recursion",
    sql: "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
    limits: { rows: 1000 },
    code: "53400",
  },
  {
    name: "bytes of long texts",
    sql: "SELECT repeat('x', 10000) || g FROM generate_series(1, 5000) g ORDER BY 1",
    limits: { bytes: 1_000_000 },
    code: "54000",
  },
  {
    name: "rounds of a recursion",
    sql: "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
    limits: { depth: 100 },
    code: "54000",
  },
];

test.each(hungry)("limit on $name", async ({ sql, limits, code }) => {
  await expect(hostRows(sql, { extra: { limits } })).rejects.toMatchObject({ code });
});

test("memory that was given back can be used again", async () => {
  const rows = await hostRows(
    "SELECT (SELECT count(*) FROM (SELECT g + p.id FROM generate_series(1, 500) g ORDER BY 1) s) FROM people p",
    {
      extra: { limits: { rows: 2000 } },
    },
  );
  expect(rows.length).toBe(40);
});

test("what is not asked for is not computed", async () => {
  expect((await hostRows("SELECT g FROM generate_series(1, 1000000000000) g LIMIT 3")).length).toBe(3);
  expect((await hostRows("SELECT g FROM generate_series(1, 1000000000000) g", { maxRows: 70 })).length).toBe(70);
  expect(await hostRows("SELECT EXISTS (SELECT 1 FROM generate_series(1, 1000000000000)) AS found")).toEqual([
    { found: true },
  ]);
});

const inlined = (i: number) => `c${i} AS (SELECT n + 1 AS n FROM c${i - 1})`;
const kept = (i: number) => `c${i} AS MATERIALIZED (SELECT n + 1 AS n FROM c${i - 1})`;

test.each([
  { chain: "inlined", definition: inlined, recursive: "" },
  { chain: "kept", definition: kept, recursive: "" },
  { chain: "written last one first", definition: inlined, recursive: "RECURSIVE " },
])("a chain of thousands of CTEs is too deep for the stack: $chain", { timeout: 60_000 }, async (kind) => {
  const count = 3000;
  const ctes = ["c0 AS (SELECT 1 AS n)", ...Array.from({ length: count }, (_, i) => kind.definition(i + 1))];
  if (kind.recursive !== "") ctes.reverse();
  const sql = `WITH ${kind.recursive}${ctes.join(", ")} SELECT n FROM c${count}`;
  const backend = await MemoryBackend.create();
  await expect(backend.query(sql)).rejects.toMatchObject({ name: "SqlError", code: "54001" });
});
