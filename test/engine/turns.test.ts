/**
 * The event loop has its turns while the engine is busy inside one batch of rows or one sort. Turns are counted, not timed:
 * a statement that held the loop for a whole batch would leave it one or two.
 */
import { beforeAll, expect, test } from "vitest";
import { MemoryBackend } from "../../src/sql.js";

let backend: MemoryBackend;
const rowCount = 20_000;

beforeAll(async () => {
  backend = await MemoryBackend.create();
  const rows = Array.from({ length: rowCount }, (_, i) => ({ id: i + 1, word: `word ${i + 1}` }));
  const columns = [
    { name: "id", type: "int" },
    { name: "word", type: "text" },
  ];
  await backend.load("big", columns, rows);
});

/** Turns of the event loop until the statement has ended, or until `enough` of them were seen and it was aborted. */
async function turnsOf(sql: string, enough: number): Promise<{ turns: number; code: string }> {
  const controller = new AbortController();
  let turns = 0;
  let running = true;
  const turn = () => {
    if (!running) return;
    turns++;
    if (turns === enough) controller.abort();
    setImmediate(turn);
  };
  setImmediate(turn);
  const code = await backend.query(sql, [], { signal: controller.signal }).then(
    () => "answered",
    (error: { code: string }) => error.code,
  );
  running = false;
  return { turns, code };
}

test.each([
  { name: "powers of numerics", sql: "SELECT max(length((id::numeric ^ 3000)::text)) FROM big" },
  { name: "hashes of long texts", sql: "SELECT count(DISTINCT md5(repeat(word, 2000))) FROM big" },
  { name: "a filter over long texts", sql: "SELECT count(*) FROM big WHERE sha256(repeat(word, 2000)::bytea) = ''" },
  {
    name: "long arrays",
    sql: "SELECT count(*) FROM big WHERE array_fill(1, ARRAY[20000]) || id < array_fill(1, ARRAY[20000]) || 5",
  },
  {
    name: "documents",
    sql: "SELECT count(*) FROM big WHERE jsonb_set((SELECT jsonb_agg(i) FROM generate_series(1, 20000) i), '{5}', to_jsonb(word)) @> '[\"x\"]'",
  },
  { name: "the keys of a sort", sql: "SELECT id FROM big ORDER BY md5(repeat(word, 2000)), id" },
  { name: "the keys of the first rows", sql: "SELECT id FROM big ORDER BY md5(repeat(word, 2000)) LIMIT 1" },
  { name: "the keys of a join", sql: "SELECT count(*) FROM big a JOIN big b ON md5(repeat(a.word, 2000)) = b.word" },
  {
    name: "the pairs of a join",
    sql: "SELECT count(*) FROM big a JOIN big b ON b.id % 7 = a.id % 7 AND md5(repeat(a.word || b.word, 1000)) = ''",
  },
  {
    name: "the pairs of a semi join",
    sql: "SELECT count(*) FROM big a WHERE EXISTS (SELECT 1 FROM big b WHERE md5(repeat(a.word || b.word, 1000)) = '')",
  },
  {
    name: "the rows that a key finds",
    sql: "SELECT sum((SELECT count(*) FROM big b WHERE b.id % 7 = a.id % 7 AND md5(repeat(a.word || b.word, 1000)) = '')) FROM big a",
  },
  {
    name: "set-returning functions",
    sql: "SELECT count(*) FROM (SELECT regexp_matches(repeat(word, 500), 'x(y)', 'g') FROM big) s",
  },
  {
    name: "the arguments of a window",
    sql: "SELECT count(*) FROM (SELECT max(md5(repeat(word, 2000))) OVER (ORDER BY id) AS m FROM big) s WHERE m = ''",
  },
])("an abort is seen inside a batch: $name", { timeout: 60_000 }, async ({ sql }) => {
  expect(await turnsOf(sql, 12)).toEqual({ turns: 12, code: "57014" });
});

test.each([
  { order: "id * x DESC", sorted: "descending numbers" },
  { order: "nullif(id * x, 7) NULLS FIRST", sorted: "numbers with NULLs" },
])("an abort is seen inside a sort of millions: $sorted", { timeout: 60_000 }, async ({ order }) => {
  const sql = `SELECT count(*) FROM (SELECT a.id FROM big a, generate_series(1, 60) x ORDER BY ${order} OFFSET 1) s`;
  const { turns } = await turnsOf(sql, Number.POSITIVE_INFINITY);
  expect(turns).toBeGreaterThan(20);
});

test.each([
  { direction: "DESC", first: [null, 100_000] },
  { direction: "DESC NULLS LAST", first: [100_000, 99_999] },
  { direction: "ASC", first: [-1, 1] },
  { direction: "ASC NULLS FIRST", first: [null, -1] },
])("more numbers than one chunk of the sort: $direction", async ({ direction, first }) => {
  const numbers = "SELECT CASE g WHEN 5 THEN NULL WHEN 7 THEN -1 ELSE g END AS n FROM generate_series(1, 100000) g";
  const sql = `SELECT n FROM (${numbers}) s ORDER BY n ${direction} OFFSET 0`;
  const { rows } = await backend.query(sql, [], { rowMode: "array" });
  const given = rows.map((row) => (row as unknown as [number | null])[0]);
  expect(given.slice(0, 2)).toEqual(first);
  const values = given.filter((value) => value !== null);
  const sign = direction.startsWith("DESC") ? -1 : 1;
  expect(given.length).toBe(100_000);
  expect(values).toEqual([...values].sort((a, b) => sign * (a - b)));
});
