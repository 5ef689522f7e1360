/** Reading what was written: the rows are the service's as soon as it has caught up, and the session's own until then. */
import { describe, expect, test } from "vitest";
import { Database, defineResource } from "../../src/index.js";

/** A service that shows its writes at once, or only after `catchUp()`. */
async function service(options: { lag: boolean; key: boolean }) {
  let shown = [
    { id: 1, n: "a" },
    { id: 2, n: "b" },
  ];
  let real = shown.map((row) => ({ ...row }));
  const wrote = () => {
    if (!options.lag) shown = real.map((row) => ({ ...row }));
  };
  const db = await Database.create({ policy: { writes: true } });
  db.register(
    defineResource({
      name: "t",
      volatility: "stable",
      columns: [
        { name: "id", type: "bigint" },
        { name: "n", type: "text" },
      ],
      ...(options.key && { primaryKey: ["id"] }),
      select: () => shown,
      insert: ([row]) => {
        real.push(row as { id: number; n: string });
        wrote();
      },
      update: (set, bindings) => {
        real = real.map((row) => (row.id === bindings.one("id") ? { ...row, ...set } : row));
        wrote();
      },
      delete: (bindings) => {
        real = real.filter((row) => row.id !== bindings.one("id"));
        wrote();
      },
    }),
  );
  const read = async () =>
    (await db.execute("SELECT id, n FROM t ORDER BY id, n")).rows.map((row) => `${row.id}${row.n}`);
  const byOthers = (change: (rows: typeof real) => typeof real) => {
    real = change(real);
    shown = real.map((row) => ({ ...row }));
  };
  return { db, read, byOthers, catchUp: () => byOthers((rows) => rows) };
}

const sequences: { name: string; writes: string[]; rows: string[] }[] = [
  {
    name: "two updates of one column",
    writes: ["UPDATE t SET n = 'x' WHERE id = 1", "UPDATE t SET n = 'y' WHERE id = 1"],
    rows: ["1y", "2b"],
  },
  { name: "a changed key", writes: ["UPDATE t SET id = 5 WHERE id = 1"], rows: ["2b", "5a"] },
  {
    name: "an inserted row whose key changes",
    writes: ["INSERT INTO t VALUES (3, 'c')", "UPDATE t SET id = 5 WHERE id = 3"],
    rows: ["1a", "2b", "5c"],
  },
  {
    name: "an inserted row that is updated",
    writes: ["INSERT INTO t VALUES (3, 'c')", "UPDATE t SET n = 'x' WHERE id = 3"],
    rows: ["1a", "2b", "3x"],
  },
  {
    name: "an inserted row that is deleted",
    writes: ["INSERT INTO t VALUES (3, 'c')", "DELETE FROM t WHERE id = 3"],
    rows: ["1a", "2b"],
  },
  {
    name: "an update, then a delete",
    writes: ["UPDATE t SET n = 'x' WHERE id = 1", "DELETE FROM t WHERE id = 1"],
    rows: ["2b"],
  },
];

describe.each([{ lag: false }, { lag: true }])("service with lag: $lag", ({ lag }) => {
  test.each(sequences)("$name", async ({ writes, rows }) => {
    for (const script of [writes, [`BEGIN; ${writes.join("; ")}; COMMIT`]]) {
      const { db, read, catchUp } = await service({ lag, key: true });
      for (const sql of script) await db.execute(sql);
      expect(await read()).toEqual(rows);
      expect(await read()).toEqual(rows);
      catchUp();
      expect(await read()).toEqual(rows);
    }
  });
});

test("without a primary key an inserted row whose key changes is there once", async () => {
  const { db, read } = await service({ lag: false, key: false });
  await db.execute("INSERT INTO t VALUES (3, 'c')");
  await db.execute("UPDATE t SET id = 5 WHERE id = 3");
  expect(await read()).toEqual(["1a", "2b", "5c"]);
});

test.each([
  {
    name: "a deleted key that is written again",
    writes: ["DELETE FROM t WHERE id = 1", "INSERT INTO t VALUES (1, 'new')"],
    others: "1other",
  },
  {
    name: "a moved key that is written again",
    writes: ["UPDATE t SET id = 7 WHERE id = 1", "DELETE FROM t WHERE id = 7", "INSERT INTO t VALUES (1, 'new')"],
    others: "1other",
  },
])("others are seen afterwards: $name", async ({ writes, others }) => {
  const { db, read, byOthers } = await service({ lag: false, key: true });
  for (const sql of writes) await db.execute(sql);
  expect(await read()).toEqual(["1new", "2b"]);
  byOthers((rows) => rows.map((row) => (row.id === 1 ? { ...row, n: "other" } : row)));
  expect(await read()).toEqual([others, "2b"]);
});

test.each([{ lag: false }, { lag: true }])(
  "without a primary key equal rows are there as often as they were written, lag: $lag",
  async ({ lag }) => {
    const { db, read, catchUp } = await service({ lag, key: false });
    const rows = ["1a", "2b", "3c", "3c"];
    await db.execute("BEGIN; INSERT INTO t VALUES (3, 'c'), (3, 'c')");
    expect(await read()).toEqual(rows);
    await db.execute("COMMIT");
    expect(await read()).toEqual(rows);
    expect(await read()).toEqual(rows);
    catchUp();
    expect(await read()).toEqual(rows);
    await db.execute("BEGIN; INSERT INTO t VALUES (3, 'c')");
    expect(await read()).toEqual([...rows, "3c"]);
    await db.execute("ROLLBACK");
    expect(await read()).toEqual(rows);
  },
);

describe("a required key that is to change", () => {
  const moved = async () => {
    const db = await Database.create({ policy: { writes: true } });
    let calls = 0;
    const rows = [{ id: 1, n: "a" }];
    db.register(
      defineResource({
        name: "k",
        volatility: "stable",
        columns: [
          { name: "id", type: "bigint", requiredKey: true },
          { name: "n", type: "text" },
        ],
        select: (bindings) => {
          calls += 1;
          return rows.filter((row) => row.id === bindings.one("id"));
        },
        insert: ([row]) => void rows.push(row as unknown as (typeof rows)[number]),
        update: (set, bindings) => {
          for (const row of rows) if (row.id === bindings.one("id")) Object.assign(row, set);
        },
      }),
    );
    return { db, calls: () => calls };
  };

  test("is asked for under its old value as long as the update is staged", async () => {
    const { db, calls } = await moved();
    await db.execute("BEGIN");
    await db.execute("UPDATE k SET id = 5 WHERE id = 1");
    const rows = async (sql: string) => (await db.execute(sql)).rows;
    expect(await rows("SELECT id, n FROM k WHERE id = 5")).toEqual([{ id: 5, n: "a" }]);
    expect(await rows("SELECT n FROM k WHERE id = 1")).toEqual([]);
    const before = calls();
    await db.execute("UPDATE k SET id = 6, n = 'b' WHERE id = 5");
    expect(await rows("SELECT id, n FROM k WHERE id IN (1, 5, 6) ORDER BY id")).toEqual([{ id: 6, n: "b" }]);
    expect(calls()).toBeLessThanOrEqual(before + 3);
    expect(await rows("SELECT n FROM k WHERE id = 7")).toEqual([]);
    await db.execute("COMMIT");
    expect(await rows("SELECT n FROM k WHERE id = 6")).toEqual([{ n: "b" }]);
  });

  test("two rows that change places", async () => {
    const { db } = await moved();
    await db.execute("BEGIN; INSERT INTO k VALUES (2, 'z'); UPDATE k SET id = 9 WHERE id = 1");
    await db.execute("UPDATE k SET id = 1 WHERE id = 2");
    await db.execute("UPDATE k SET id = 2 WHERE id = 9");
    const { rows } = await db.execute("SELECT id, n FROM k WHERE id IN (1, 2, 9) ORDER BY id");
    expect(rows).toEqual([
      { id: 1, n: "z" },
      { id: 2, n: "a" },
    ]);
  });

  test("is refused as an argument where the update does not say the old value", async () => {
    let calls = 0;
    const db = await Database.create({ policy: { writes: true } });
    db.register(
      defineResource({
        name: "k",
        volatility: "stable",
        columns: [
          { name: "repo", type: "text", requiredKey: true },
          { name: "id", type: "bigint" },
        ],
        primaryKey: ["id"],
        select: (bindings) => {
          calls += 1;
          return [{ repo: bindings.one("repo"), id: 1 }];
        },
        update: () => undefined,
      }),
    );
    await db.execute("BEGIN; UPDATE k SET repo = 'new' WHERE id = 1");
    await expect(db.execute("SELECT id FROM k WHERE repo = 'new'")).rejects.toMatchObject({
      code: "0A000",
      position: 16,
    });
    expect(calls).toBe(0);
  });

  test("is one again after COMMIT", async () => {
    const { db } = await moved();
    await db.execute("BEGIN; UPDATE k SET id = 5 WHERE id = 1; COMMIT");
    expect((await db.execute("SELECT n FROM k WHERE id = 5")).rows).toEqual([{ n: "a" }]);
  });
});

/** A service of its own spelling: it writes the keys otherwise than statements do, and shows writes late. */
describe.each([
  { type: "numeric", theirs: "1.50", ours: "1.5" },
  { type: "timestamptz", theirs: "2026-01-01 00:00:00+00", ours: "'2026-01-01 01:00:00+01'" },
  { type: "timestamp", theirs: "2026-01-01 00:00", ours: "'2026-01-01'" },
  { type: "uuid", theirs: "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", ours: "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'" },
  { type: "citext", theirs: "Ada", ours: "'ADA'" },
  { type: "char(5)", theirs: "ab", ours: "'ab   '" },
  { type: "float8", theirs: "1e1", ours: "10" },
])("a key of type $type that the service writes as $theirs", ({ type, theirs, ours }) => {
  const world = async () => {
    const db = await Database.create({ policy: { writes: true } });
    db.register(
      defineResource({
        name: "t",
        volatility: "stable",
        columns: [
          { name: "k", type },
          { name: "n", type: "text", operators: ["<>"] },
        ],
        primaryKey: ["k"],
        select: (bindings) => [{ k: theirs, n: "a" }].filter((row) => bindings.quals.every((q) => row.n !== q.value)),
        insert: () => undefined,
        update: () => undefined,
        delete: () => undefined,
      }),
    );
    return { db, names: async (sql: string) => (await db.execute(sql)).rows.map((row) => row.n) };
  };

  test.each([
    { name: "update", write: `UPDATE t SET n = 'new' WHERE k = ${ours}`, seen: ["new"] },
    { name: "delete", write: `DELETE FROM t WHERE k = ${ours}`, seen: [] },
    { name: "insert", write: `INSERT INTO t VALUES (${ours}, 'b')`, seen: ["a"] },
  ])("$name is seen, staged and fired", async ({ write, seen }) => {
    const { db, names } = await world();
    await db.execute(`BEGIN; ${write}`);
    expect(await names("SELECT n FROM t")).toEqual(seen);
    await db.execute("COMMIT");
    expect(await names("SELECT n FROM t")).toEqual(seen);
  });

  test("a read that asks for other rows does not tell that a deleted one is gone", async () => {
    const { db, names } = await world();
    await db.execute(`DELETE FROM t WHERE k = ${ours}`);
    expect(await names("SELECT n FROM t WHERE n <> 'a'")).toEqual([]);
    expect(await names("SELECT n FROM t")).toEqual([]);
  });
});
