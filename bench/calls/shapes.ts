/**
 * The shapes of statements that are timed, each with the calls that it needs at least, and the longest chain of them:
 * waves of calls that wait for each other, each as long as its calls need when only so many run at once.
 */

/** Milliseconds after which a resource answers; of a resource with pages, each page. */
export const answerMs = 50;

/** Calls under way at once, over the whole database: its default. */
export const concurrency = 8;

export interface Shape {
  readonly name: string;
  readonly sql: string;
  readonly calls: number;
  /** The calls of each wave on the longest chain; pages of one call count as waves of one. */
  readonly waves: readonly number[];
  /** Milliseconds that a rate limit makes it wait beside. */
  readonly limitedMs?: number;
}

/** Milliseconds of the longest chain, if nothing but the answers takes time. */
export function criticalPath({ waves, limitedMs }: Shape): number {
  return (limitedMs ?? 0) + waves.reduce((sum, calls) => sum + answerMs * Math.ceil(calls / concurrency), 0);
}

/** How the critical path comes about, in a few words. */
export function criticalPathText(shape: Shape): string {
  const waves = shape.waves.map((calls) => (calls > concurrency ? `ceil(${calls}/${concurrency})` : "1")).join(" + ");
  const limited = shape.limitedMs === undefined ? "" : ` + ${shape.limitedMs} limited`;
  return `${answerMs} * ${shape.waves.length > 1 ? `(${waves})` : waves}${limited}`;
}

const list = (n: number) => Array.from({ length: n }, (_, i) => i + 1).join(", ");

/** Of `item(id, grp)` there are as many rows as `grp` says; `part` has two rows a key, with keys of `leaf` in `ref`. */
export const shapes: readonly Shape[] = [
  {
    name: "independent join of 3",
    sql: "SELECT count(*) FROM a JOIN b USING (id) JOIN c USING (id)",
    calls: 3,
    waves: [3],
  },
  {
    name: "dependent join of 20 keys",
    sql: "SELECT count(*) FROM item i JOIN part p ON p.item_id = i.id WHERE i.grp = 20",
    calls: 21,
    waves: [1, 20],
  },
  {
    name: "two levels",
    sql: "SELECT count(*) FROM item i JOIN part p ON p.item_id = i.id JOIN leaf l ON l.id = p.ref WHERE i.grp = 4",
    calls: 1 + 4 + 8,
    waves: [1, 4, 8],
  },
  {
    name: "IN of 20",
    sql: `SELECT count(*) FROM part WHERE item_id IN (${list(20)})`,
    calls: 20,
    waves: [20],
  },
  {
    name: "scalar subquery",
    sql: "SELECT count(*) FROM part WHERE item_id = (SELECT max(id) FROM item WHERE grp = 3)",
    calls: 2,
    waves: [1, 1],
  },
  {
    name: "UNION of 4",
    sql: "SELECT id FROM a UNION SELECT id FROM b UNION SELECT id FROM c UNION SELECT item_id FROM part WHERE item_id = 1",
    calls: 4,
    waves: [4],
  },
  { name: "LIMIT 10 over 10 pages of 5", sql: "SELECT n FROM page LIMIT 10", calls: 1, waves: [1, 1] },
  {
    name: "shared rate limit, 20 a second, 5 at once",
    sql: `SELECT count(*) FROM (SELECT id FROM left_shop WHERE id IN (${list(5)}) UNION ALL SELECT id FROM right_shop WHERE id IN (${list(5)})) t`,
    calls: 10,
    waves: [1],
    limitedMs: 250,
  },
  {
    name: "batch of 100 keys in 50s",
    sql: "SELECT count(*) FROM generate_series(1, 100) g JOIN bulk ON bulk.id = g",
    calls: 2,
    waves: [2],
  },
  {
    name: "fan-out of 64",
    sql: "SELECT count(*) FROM generate_series(1, 64) g JOIN part p ON p.item_id = g",
    calls: 64,
    waves: [64],
  },
  {
    name: "diamond: two tables wait for one",
    sql: "SELECT count(*) FROM item i JOIN part p ON p.item_id = i.id JOIN leaf l ON l.id = i.id WHERE i.grp = 4",
    calls: 9,
    waves: [1, 8],
  },
  {
    name: "CTE that gives keys and a count",
    sql: "WITH k AS (SELECT id FROM item WHERE grp = 8) SELECT count(*), (SELECT count(*) FROM k) FROM k JOIN part p ON p.item_id = k.id",
    calls: 9,
    waves: [1, 8],
  },
  {
    name: "one call in three places",
    sql: "SELECT (SELECT count(*) FROM a), (SELECT count(id) FROM a), x.id FROM a x LIMIT 1",
    calls: 1,
    waves: [1],
  },
  {
    name: "OR of tuples",
    sql: "SELECT count(*) FROM pair WHERE (x = 1 AND y = 2) OR (x = 3 AND y = 4) OR (x = 5 AND y = 6) OR (x = 1 AND y = 2)",
    calls: 3,
    waves: [3],
  },
  {
    name: "two keys from two tables",
    sql: "SELECT count(*) FROM item i JOIN part p ON p.item_id = i.id JOIN pair q ON q.x = i.id AND q.y = p.ref WHERE i.grp = 4",
    calls: 1 + 4 + 8,
    waves: [1, 4, 8],
  },
  {
    name: "NOT EXISTS",
    sql: "SELECT i.id FROM item i WHERE i.grp = 8 AND NOT EXISTS (SELECT 1 FROM part p WHERE p.item_id = i.id AND p.ref = 0)",
    calls: 9,
    waves: [1, 8],
  },
  {
    name: "LATERAL top 1",
    sql: "SELECT i.id, x.ref FROM item i, LATERAL (SELECT ref FROM part p WHERE p.item_id = i.id ORDER BY ref LIMIT 1) x WHERE i.grp = 8",
    calls: 9,
    waves: [1, 8],
  },
  {
    name: "INSERT … SELECT, staged",
    sql: "BEGIN; INSERT INTO sink SELECT i.id, p.ref FROM item i JOIN part p ON p.item_id = i.id WHERE i.grp = 8; ROLLBACK",
    calls: 9,
    waves: [1, 8],
  },
];
