/**
 * `node bench/turns.mjs [name…]`: how long statements keep the event loop, how late they see an abort, and how far they
 * run past their limits. Runs against `dist` (another build: `DIST=path`), prints a table and asserts nothing.
 *
 * Times are CPU time of the main thread, since a busy machine makes wall time say nothing; where the kernel does not
 * tell that of one thread (outside of Linux), that of the process. A turn is what happens between two callbacks of a chain
 * of `setImmediate`; `own` is the longest one without the pauses of the garbage collector, `gc` the longest of those pauses,
 * which no statement can divide. `late` is the time from `abort()` to the rejection, `over` the time from the limit on (for rows and
 * bytes there is no such moment: the total is shown).
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { PerformanceObserver } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

const dist = path.resolve(import.meta.dirname, "..", process.env.DIST ?? "dist");
const { MemoryBackend } = await import(pathToFileURL(path.join(dist, "sql.js")).href);

const timeoutMs = 400;
const abortAfterMs = 200;
const limits = { timeoutMs, rows: 2_000_000, bytes: 256 * 1024 * 1024 };
const bigRows = 100_000;

/** Milliseconds of CPU that this thread has used. */
const cpuMs = (() => {
  try {
    const file = `/proc/self/task/${process.pid}/schedstat`;
    readFileSync(file);
    return () => Number(readFileSync(file, "latin1").split(" ", 1)[0]) / 1e6;
  } catch {
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
  }
})();

/** Pauses of the garbage collector, as [from, duration] in wall time. @type {[number, number][]} */
const pauses = [];
const collector = new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) pauses.push([startTime, duration]);
});
collector.observe({ entryTypes: ["gc"] });

/** Pauses between two moments of wall time, together; one that lies in another counts once. @param {number} from @param {number} to */
function collected(from, to) {
  let sum = 0;
  let covered = from;
  for (const [start, duration] of pauses.toSorted((a, b) => a[0] - b[0])) {
    const end = Math.min(start + duration, to);
    if (end <= covered) continue;
    if (start >= to) break;
    sum += end - Math.max(start, covered);
    covered = end;
  }
  return sum;
}

const series = "generate_series(1, 1000000000000)";
/** What keeps the engine busy, by what it is busy with. */
const statements = [
  ["series", `SELECT count(*) FROM ${series}`],
  ["series, all rows", `SELECT * FROM ${series}`],
  ["cross join", "SELECT count(*) FROM big a, big b, big c"],
  ["join without equality", "SELECT count(*) FROM big a JOIN big b ON a.id < b.id AND a.word > b.word"],
  ["semi join without equality", "SELECT count(*) FROM big a WHERE EXISTS (SELECT 1 FROM big b WHERE b.id < 0 * a.id)"],
  [
    "hash join build",
    "SELECT count(*) FROM big a JOIN (SELECT b.word || x AS w FROM big b, generate_series(1, 20) x) s ON a.word = s.w",
  ],
  ["repeat", "SELECT repeat('x', 1000000000)"],
  ["long values for each row", "SELECT max(length(repeat(word, 5000))) FROM big"],
  ["doubling texts", "WITH RECURSIVE d(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM d) SELECT max(length(s)) FROM d"],
  ["replace that grows", "SELECT length(replace(repeat('a', 100000), 'a', repeat('b', 100000)))"],
  ["hashes of long texts", "SELECT count(DISTINCT md5(repeat(word, 2000))) FROM big"],
  ["parentheses", `SELECT ${"(".repeat(10_000)}1${")".repeat(10_000)}`],
  ["pattern", "SELECT count(*) FROM big WHERE repeat(word, 200) ~ '^((\\w+\\s?)*)+!$'"],
  ["pattern with back reference", "SELECT repeat('ab', 4000) ~ '^(.*)(.*)(.*)\\1\\2\\3c$'"],
  ["regexp_replace", "SELECT length(regexp_replace(repeat('ab ', 300000), '(\\w)(\\w) ', '\\2\\1-', 'g'))"],
  ["LIKE", "SELECT count(*) FROM big WHERE repeat(word, 500) LIKE '%w%o%r%d%x%'"],
  [
    "sort of texts",
    "SELECT count(*) FROM (SELECT a.id FROM big a, generate_series(1, 18) x ORDER BY a.word DESC, x OFFSET 1) s",
  ],
  [
    "sort of numbers",
    "SELECT count(*) FROM (SELECT a.id FROM big a, generate_series(1, 18) x ORDER BY a.id * x DESC OFFSET 1) s",
  ],
  [
    "group by",
    "SELECT max(n) FROM (SELECT word || x AS k, count(*) AS n FROM big, generate_series(1, 18) x GROUP BY 1) s",
  ],
  ["string_agg", "SELECT length(string_agg(a.word, ',')) FROM big a, big b"],
  ["array_agg", "SELECT cardinality(array_agg(a.word || b.id)) FROM big a, big b"],
  ["jsonb_agg", "SELECT jsonb_agg(to_jsonb(a)) FROM big a, big b"],
  ["ordered aggregate", "SELECT length(string_agg(word, ',' ORDER BY word DESC)) FROM big, generate_series(1, 18)"],
  ["numeric sums", "SELECT sum(a.id::numeric / b.id) FROM big a, big b"],
  ["numeric powers", "SELECT max(length((id::numeric ^ 3000)::text)) FROM big"],
  ["factorial", "SELECT factorial(30000)"],
  ["exp of numerics", "SELECT sum(exp(id::numeric / 100)) FROM big"],
  [
    "window frames",
    "SELECT sum(x) FROM (SELECT sum(id) OVER (ORDER BY word ROWS BETWEEN 50000 PRECEDING AND CURRENT ROW EXCLUDE TIES) AS x FROM big) s",
  ],
  [
    "window, one partition",
    "SELECT sum(r) FROM (SELECT rank() OVER (ORDER BY word || x) AS r FROM big, generate_series(1, 18) x) s",
  ],
  [
    "window values",
    "SELECT count(v) FROM (SELECT nth_value(word, 5) OVER (ORDER BY id ROWS BETWEEN 5 PRECEDING AND 5 FOLLOWING EXCLUDE GROUP) AS v FROM big, generate_series(1, 18)) s",
  ],
  ["array_agg over a window", "SELECT count(v) FROM (SELECT array_agg(id) OVER (ORDER BY id) AS v FROM big) s"],
  ["recursion", "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t"],
  [
    "recursion with UNION",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n + x FROM t, generate_series(1, 10) x) SELECT max(n) FROM t",
  ],
  [
    "correlated subquery",
    "SELECT sum((SELECT count(*) FROM big b WHERE b.id % 11 = a.id % 7 AND b.word > a.word)) FROM big a",
  ],
  ["distinct", "SELECT count(*) FROM (SELECT DISTINCT word || x FROM big, generate_series(1, 18) x) s"],
  [
    "except",
    "SELECT count(*) FROM (SELECT word || x FROM big, generate_series(1, 18) x EXCEPT SELECT word FROM big) s",
  ],
  [
    "jsonb built and read",
    "SELECT count(*) FROM big WHERE jsonb_set((SELECT jsonb_agg(i) FROM generate_series(1, 2000) i), '{5}', to_jsonb(word)) @> '[\"x\"]'",
  ],
  ["json text parsed", "SELECT jsonb_array_length(('[' || repeat('{\"a\": [1, 2, 3]},', 400000) || '1]')::jsonb)"],
  [
    "arrays compared",
    "SELECT count(*) FROM big a WHERE array_fill(1, ARRAY[20000]) || id < array_fill(1, ARRAY[20000]) || 5",
  ],
  ["array split and unnested", "SELECT count(*) FROM unnest(string_to_array(repeat('a,', 1000000), ',')) u"],
  ["rows to objects", "SELECT a.id, a.word, a.id::numeric AS n, now() AS t FROM big a, generate_series(1, 18) x"],
  ["insert", "CREATE TEMP TABLE target AS SELECT a.id, a.word FROM big a, generate_series(1, 18)"],
];

/**
 * Runs one statement beside a chain of turns.
 * @param {string} sql
 * @param {{ own: import("../src/sql.js").MemoryLimits, abort: boolean }} options limits of the backend, and whether to abort
 */
async function measure(sql, { own, abort }) {
  const backend = await MemoryBackend.create({ limits: own });
  const rows = Array.from({ length: bigRows }, (_, i) => ({ id: i + 1, word: `word ${i + 1}` }));
  await backend.load(
    "big",
    [
      { name: "id", type: "int" },
      { name: "word", type: "text" },
    ],
    rows,
  );
  const controller = new AbortController();
  const before = performance.now();
  pauses.length = 0;
  let last = cpuMs();
  const first = last;
  let lastWall = before;
  /** Turns worth a look, as [from, to] in wall time and milliseconds of CPU. @type {[number, number, number][]} */
  const turns = [];
  /** @type {number | undefined} */
  let abortedAt;
  let running = true;
  const turnEnds = () => {
    const used = cpuMs() - last;
    if (used > 4) turns.push([lastWall, performance.now(), used]);
  };
  const turn = () => {
    turnEnds();
    if (abort && abortedAt === undefined && performance.now() - before >= abortAfterMs) {
      abortedAt = cpuMs();
      controller.abort();
    }
    last = cpuMs();
    lastWall = performance.now();
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  let outcome = "answered";
  try {
    await backend.query(sql, [], { signal: controller.signal });
  } catch (error) {
    outcome = /** @type {{ code?: string }} */ (error).code ?? `${error}`;
  }
  running = false;
  const end = cpuMs();
  const wallMs = performance.now() - before;
  turnEnds();
  await new Promise((resolve) => setTimeout(resolve, 5)); // the observer is told of pauses later
  return {
    outcome,
    own: Math.max(0, ...turns.map(([from, to, used]) => used - collected(from, to))),
    gc: Math.max(0, ...pauses.map(([, duration]) => duration)),
    late: abortedAt === undefined ? undefined : end - abortedAt,
    wallMs,
    cpuMs: end - first,
  };
}

const wanted = process.argv.slice(2);
const chosen =
  wanted.length === 0 ? statements : statements.filter(([name]) => wanted.some((word) => name.includes(word)));
/** @param {number | undefined} value */
const ms = (value) => (value === undefined ? "-" : value.toFixed(0));
/** @param {string[]} cells */
const line = (cells) => console.log(cells.map((cell, c) => (c === 0 ? cell.padEnd(30) : cell.padStart(10))).join(""));
line(["statement", "outcome", "own ms", "gc ms", "over ms", "aborted", "own ms", "gc ms", "late ms"]);
for (const [name, sql] of chosen) {
  const limited = await measure(sql, { own: limits, abort: false });
  const aborted = await measure(sql, { own: { rows: 20_000_000, bytes: 1024 ** 3 }, abort: true });
  const over = limited.outcome === "57014" ? Math.max(0, limited.wallMs - timeoutMs) : undefined;
  line([
    name,
    limited.outcome,
    ms(limited.own),
    ms(limited.gc),
    over === undefined ? `(${ms(limited.cpuMs)})` : ms(over),
    aborted.outcome,
    ms(aborted.own),
    ms(aborted.gc),
    ms(aborted.late),
  ]);
}
