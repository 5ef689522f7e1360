/**
 * Statements that ask for more than there is, from text to rows: each stops within its limit with an error that says so,
 * the event loop keeps its turns, and the database goes on answering.
 */
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { MemoryBackend, type MemoryLimits } from "../../src/sql.js";

let backend: MemoryBackend;
const limits: MemoryLimits = { timeoutMs: 1500, rows: 2_000_000, bytes: 256 * 1024 * 1024 };

/** Times are printed, not asserted: the machine may be busy with other things. A statement that does not stop runs into its test's limit. */
const measured: string[] = [];

beforeAll(async () => {
  backend = await MemoryBackend.create({ limits });
  const rows = Array.from({ length: 100_000 }, (_, i) => ({ id: i + 1, word: `word ${i + 1}` }));
  const columns = [
    { name: "id", type: "int" },
    { name: "word", type: "text" },
  ];
  await backend.load("big", columns, rows);
  return () => console.log(measured.join("\n"));
});

afterEach(async () => {
  const { rows } = await backend.query("SELECT count(*) AS n FROM big");
  expect(rows).toEqual([{ n: 100_000 }]); // alive, and its memory is free again
});

/** How long the longest turn of the event loop was while the work ran. */
async function withHeartbeat(work: () => Promise<unknown>): Promise<{ totalMs: number; longestMs: number }> {
  const start = performance.now();
  let last = start;
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  const end = performance.now();
  return { totalMs: end - start, longestMs: Math.max(longest, end - last) };
}

interface Case {
  readonly name: string;
  readonly sql: string;
  readonly codes: readonly string[];
}

const parentheses = (depth: number): string => `SELECT ${"(".repeat(depth)}1${")".repeat(depth)}`;

const hungry: readonly Case[] = [
  { name: "a series without end", sql: "SELECT count(*) FROM generate_series(1, 1000000000000)", codes: ["57014"] },
  { name: "all rows of a series", sql: "SELECT * FROM generate_series(1, 1000000000000)", codes: ["53400", "54000"] },
  { name: "a cross join of large tables", sql: "SELECT count(*) FROM big a, big b, big c", codes: ["57014"] },
  {
    name: "the rows of a cross join",
    sql: "SELECT a.word, b.word FROM big a CROSS JOIN big b ORDER BY a.word || b.word",
    codes: ["53400", "54000", "57014"],
  },
  {
    name: "a join without equality",
    sql: "SELECT count(*) FROM big a JOIN big b ON a.id < b.id AND a.word > b.word",
    codes: ["57014"],
  },
  { name: "a text of a thousand million letters", sql: "SELECT repeat('x', 1000000000)", codes: ["54000"] },
  {
    name: "texts that double",
    sql: "WITH RECURSIVE t(s) AS (SELECT 'xxxxxxxx' UNION ALL SELECT s || s FROM t) SELECT max(length(s)) FROM t",
    codes: ["54000", "53400"],
  },
  { name: "lpad", sql: "SELECT lpad('x', 1000000000, 'ab')", codes: ["54000"] },
  {
    name: "replace that grows",
    sql: "SELECT length(replace(repeat('a', 100000), 'a', repeat('b', 100000)))",
    codes: ["54000"],
  },
  {
    name: "string_agg",
    sql: "SELECT length(string_agg(repeat(a.word, 100), ',')) FROM big a, big b",
    codes: ["54000", "53400", "57014"],
  },
  {
    name: "array_agg",
    sql: "SELECT cardinality(array_agg(a.word || b.word)) FROM big a, big b",
    codes: ["54000", "53400", "57014"],
  },
  { name: "jsonb_agg", sql: "SELECT jsonb_agg(to_jsonb(a)) FROM big a, big b", codes: ["54000", "53400", "57014"] },
  { name: "array_fill", sql: "SELECT array_fill(0, ARRAY[100000, 100000])", codes: ["54000"] },
  {
    name: "string_to_array",
    sql: "SELECT cardinality(string_to_array(repeat('a,', 50000000), ','))",
    codes: ["54000"],
  },
  {
    name: "recursion without end",
    sql: "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
    codes: ["53400", "54000", "57014"],
  },
  {
    name: "recursion that multiplies",
    sql: "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + x FROM t, generate_series(1, 10) x) SELECT max(n) FROM t",
    codes: ["53400", "54000", "57014"],
  },
  { name: "nested parentheses", sql: parentheses(10_000), codes: ["54001"] },
  { name: "nested subqueries", sql: `${"SELECT (".repeat(5_000)}SELECT 1${")".repeat(5_000)}`, codes: ["54001"] },
  { name: "nested functions", sql: `SELECT ${"abs(".repeat(10_000)}1${")".repeat(10_000)}`, codes: ["54001"] },
  { name: "nested arrays", sql: `SELECT ${"ARRAY[".repeat(5_000)}1${"]".repeat(5_000)}`, codes: ["54001"] },
  {
    name: "nested CASE",
    sql: `SELECT ${"CASE WHEN true THEN ".repeat(3_000)}1${" END".repeat(3_000)}`,
    codes: ["54001"],
  },
  { name: "nested NOT", sql: `SELECT ${"NOT ".repeat(10_000)}true`, codes: ["54001"] },
  { name: "nested JSON", sql: `SELECT '${"[".repeat(100_000)}${"]".repeat(100_000)}'::jsonb`, codes: ["54001"] },
  {
    name: "a repetition of a repetition",
    sql: "SELECT 'a' ~ '((((a{1,255}){1,255}){1,255}){1,255})'",
    codes: ["2201B", "54000", "54001"],
  },
  { name: "factorials", sql: "SELECT factorial(100000)", codes: ["22003", "54000", "57014"] },
  { name: "powers", sql: "SELECT 10::numeric ^ 200000", codes: ["22003"] },
];

describe("stops in time", () => {
  test.each(hungry)("$name", { timeout: 30_000 }, async ({ name, sql, codes }) => {
    let code: unknown = "no error";
    const { totalMs, longestMs } = await withHeartbeat(async () => {
      try {
        await backend.query(sql);
      } catch (error) {
        code = (error as { code?: string }).code ?? error;
      }
    });
    measured.push(`${name}: ${code} after ${totalMs.toFixed(0)} ms, longest turn ${longestMs.toFixed(0)} ms`);
    // On a slow machine the time limit may come first.
    expect([...codes, "57014"]).toContain(code);
  });
});

describe("long chains are answered, or are too complex", () => {
  test.each([
    { name: "additions", sql: `SELECT ${"1 + ".repeat(20_000)}1 AS n`, n: 20_001 },
    {
      name: "concatenations of columns",
      sql: `SELECT length(${"word || ".repeat(20_000)}'') AS n FROM big LIMIT 1`,
      n: 120_000,
    },
    { name: "AND", sql: `SELECT (${"true AND ".repeat(20_000)}true)::int AS n`, n: 1 },
    { name: "IN", sql: `SELECT (5 IN (${Array.from({ length: 50_000 }, (_, i) => i).join(", ")}))::int AS n`, n: 1 },
    {
      name: "UNION ALL",
      sql: `SELECT count(*) AS n FROM (${"SELECT 1 UNION ALL ".repeat(2_000)}SELECT 1) s`,
      n: 2_001,
    },
  ])("$name", { timeout: 30_000 }, async ({ sql, n }) => {
    const answer = await backend.query(sql).then(
      ({ rows }) => rows,
      (error: { code?: string }) => error.code ?? error,
    );
    expect([JSON.stringify([{ n }]), '"54001"']).toContain(JSON.stringify(answer));
  });
});

describe("patterns take linear time", () => {
  const text = "a".repeat(30_000);
  test.each([
    { name: "nested plus", pattern: "^(a+)+$", subject: `${text}!`, matches: false },
    { name: "alternatives that overlap", pattern: "^(a|a)*$", subject: `${text}!`, matches: false },
    { name: "nested stars", pattern: "^(a*)*b$", subject: text, matches: false },
    { name: "many options", pattern: `^${"a?".repeat(30)}${"a".repeat(30)}$`, subject: "a".repeat(30), matches: true },
    { name: "dots", pattern: ".*.*.*=.*", subject: text, matches: false },
    { name: "words", pattern: "^(\\w+\\s?)*$", subject: `${"word ".repeat(5_000)}!`, matches: false },
  ])("$name", { timeout: 30_000 }, async ({ name, pattern, subject, matches }) => {
    let given: unknown;
    const { totalMs } = await withHeartbeat(async () => {
      given = (await backend.query("SELECT $1::text ~ $2 AS found", [subject, pattern])).rows;
    });
    measured.push(`pattern, ${name}: ${totalMs.toFixed(0)} ms`);
    expect(given).toEqual([{ found: matches }]);
  });

  test("LIKE too", async () => {
    const { rows } = await backend.query("SELECT $1::text LIKE $2 AS found", [text, `${"%a".repeat(30)}%b`]);
    expect(rows).toEqual([{ found: false }]);
  });
});

describe("an abort is seen, and the event loop keeps its turns", () => {
  test.each([
    { name: "scan", sql: "SELECT count(*) FROM generate_series(1, 1000000000000) g WHERE g % 7 = 3" },
    { name: "join", sql: "SELECT count(*) FROM big a JOIN big b ON a.id < b.id AND a.word > b.word" },
    {
      name: "sort",
      sql: "SELECT count(*) FROM (SELECT a.id FROM big a, generate_series(1, 15) b ORDER BY a.word DESC, b OFFSET 1) s",
    },
    {
      name: "aggregate",
      sql: "SELECT max(n) FROM (SELECT word || b AS k, count(*) AS n FROM big, generate_series(1, 15) b GROUP BY 1) s",
    },
    {
      name: "window",
      sql: "SELECT sum(x) FROM (SELECT sum(id) OVER (ORDER BY word ROWS BETWEEN 50000 PRECEDING AND CURRENT ROW EXCLUDE TIES) AS x FROM big) s",
    },
    {
      name: "recursion",
      sql: "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
    },
    {
      name: "correlated subquery",
      sql: "SELECT sum((SELECT count(*) FROM big b WHERE b.id % 11 = a.id % 7 AND b.word > a.word)) FROM big a",
    },
  ])("$name", { timeout: 30_000 }, async ({ name, sql }) => {
    const controller = new AbortController();
    const abortAfterMs = 150;
    setTimeout(() => controller.abort(), abortAfterMs);
    const { totalMs, longestMs } = await withHeartbeat(() =>
      expect(backend.query(sql, [], { signal: controller.signal })).rejects.toMatchObject({ code: "57014" }),
    );
    const late = totalMs - abortAfterMs;
    measured.push(`abort, ${name}: ${late.toFixed(0)} ms late, longest turn ${longestMs.toFixed(0)} ms`);
  });
});
