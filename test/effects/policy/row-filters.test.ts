/** Row filters at the calls: what is asked of a service, what becomes of the rows, and what nobody is told of them. */
import { describe, expect, test } from "vitest";
import {
  type Bindings,
  Database,
  type DatabaseOptions,
  defineResource,
  type Policy,
  type ResourceContext,
  type Row,
  SqlError,
} from "../../../src/index.js";
import { emptyPglite } from "../../support/pglite.js";
import { type RecordedCall, Recorder } from "../../support/recording.js";

const docs: readonly Row[] = [
  { id: 1, owner: "ann", n: 10, body: "one" },
  { id: 2, owner: "bob", n: 0, body: "hidden-two" },
  { id: 3, owner: "ann", n: 30, body: "three" },
  { id: 4, owner: "bob", n: 40, body: "hidden-four" },
];

interface WorldOptions extends Partial<DatabaseOptions> {
  readonly rowFilter?: string;
  readonly rows?: readonly Row[];
  readonly verbs?: ("select" | "insert" | "update" | "delete")[];
  readonly key?: string[];
  readonly volatility?: "stable" | "immutable" | "volatile";
}

async function world(options: WorldOptions = {}) {
  const { rowFilter = "owner = current_actor()", rows = docs, verbs, key = ["id"], volatility, ...rest } = options;
  const recorder = new Recorder();
  const db = await Database.create({
    policy: { writes: true, tables: { docs: { rowFilter } } },
    actor: "ann",
    ...rest,
  });
  db.register(
    recorder.resource({
      name: "docs",
      primaryKey: key,
      verbs: verbs ?? ["select", "insert", "update", "delete"],
      ...(volatility !== undefined && { volatility }),
      columns: [
        { name: "id", type: "int", nullable: false },
        { name: "owner", type: "text" },
        { name: "n", type: "int", operators: [">", "<"] },
        { name: "body", type: "text", operators: ["like"] },
      ],
      rows: rows.map((row) => ({ ...row })),
    }),
  );
  return { db, recorder };
}

async function refusal(promise: Promise<unknown>): Promise<SqlError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SqlError);
  return error as SqlError;
}

describe("the filter is an argument where the service takes it", () => {
  const owned = (args: Record<string, unknown[]> = {}): RecordedCall => ({
    table: "docs",
    args: { owner: ["ann"], ...args },
  });
  test.each<[string, RecordedCall[]]>([
    ["SELECT * FROM docs", [owned()]],
    ["SELECT count(*) FROM docs", [owned()]],
    ["SELECT 1 FROM docs", [owned()]],
    ["SELECT * FROM docs WHERE id = 4", [owned({ id: [4] })]],
    ["SELECT * FROM docs WHERE owner IN ('ann', 'bob')", [owned()]],
    ["SELECT * FROM docs WHERE owner = 'bob'", []],
    ["SELECT * FROM docs a JOIN docs b ON a.id = b.n", [owned()]],
    [
      "UPDATE docs SET body = 'x' WHERE n = 10",
      [owned({ n: [10] }), { table: "docs", op: "update", set: { body: "x" }, args: { id: [1] } }],
    ],
    ["UPDATE docs SET body = 'x' WHERE id = 4", [owned({ id: [4] })]],
    ["DELETE FROM docs WHERE id = 4", [owned({ id: [4] })]],
    ["DELETE FROM docs WHERE id = 1", [owned({ id: [1] }), { table: "docs", op: "delete", args: { id: [1] } }]],
  ])("%s", async (sql, calls) => {
    const { db, recorder } = await world();
    await db.execute(sql);
    const sorted = (list: RecordedCall[]) =>
      list
        .map((call) => JSON.stringify({ ...call, args: Object.fromEntries(Object.entries(call.args ?? {}).sort()) }))
        .sort();
    expect(sorted(recorder.take())).toEqual(sorted(calls));
  });
});

test("nobody named: no call, no row", async () => {
  const recorder = new Recorder();
  const db = await Database.create({ policy: { tables: { docs: { rowFilter: "owner = current_actor()" } } } });
  db.register(
    recorder.resource({
      name: "docs",
      columns: [{ name: "owner", type: "text" }],
      rows: [{ owner: "ann" }, { owner: null }],
    }),
  );
  expect((await db.execute("SELECT * FROM docs")).rows).toEqual([]);
  expect(recorder.calls).toEqual([]);
});

test("a write by key alone goes straight where the filter is on the key, and only to the actor's own rows", async () => {
  const { db, recorder } = await world({ key: ["owner", "id"] });
  await db.execute("UPDATE docs SET body = 'x' WHERE id = 1");
  await db.execute("DELETE FROM docs WHERE id = 4");
  expect(recorder.take()).toEqual([
    { table: "docs", op: "update", set: { body: "x" }, args: { owner: ["ann"], id: [1] } },
    { table: "docs", op: "delete", args: { owner: ["ann"], id: [4] } },
  ]);
  await db.execute("DELETE FROM docs WHERE id = 4 AND owner = 'bob'");
  expect(recorder.take().filter(({ op }) => op !== undefined)).toEqual([]);
});

test("a table that can't be read takes no write whose row the filter has to see", async () => {
  const { db, recorder } = await world({ verbs: ["update", "delete"] });
  expect((await refusal(db.execute("DELETE FROM docs WHERE id = 1"))).code).toBe("55000");
  expect(recorder.calls).toEqual([]);
});

test("WHERE is asked for as without the filter", async () => {
  const { db, recorder } = await world();
  for (const sql of ["DELETE FROM docs", "UPDATE docs SET body = 'x'", "DELETE FROM docs WHERE true"])
    expect(await refusal(db.execute(sql))).toMatchObject({
      code: "42501",
      message: expect.stringMatching("without WHERE"),
    });
  expect(recorder.calls).toEqual([]);
});

describe("nothing of a statement is evaluated on a hidden row", () => {
  // The service is asked for all rows: nothing of the filter can be an argument.
  const hiding = { rowFilter: "lower(owner) = current_actor()" };
  test.each<[string, Row[]]>([
    ["SELECT id FROM docs WHERE 100 / n > 1", [{ id: 1 }, { id: 3 }]],
    ["SELECT 100 / n AS x FROM docs", [{ x: 10 }, { x: 3 }]],
    ["SELECT id FROM docs WHERE CASE WHEN body LIKE 'hidden%' THEN 1 / (n - n) END IS NULL", [{ id: 1 }, { id: 3 }]],
    ["SELECT id FROM docs WHERE CASE WHEN owner = 'bob' THEN body::int END IS NULL", [{ id: 1 }, { id: 3 }]],
    ["SELECT count(*) AS x FROM docs WHERE body > ''", [{ x: 2 }]],
    ["SELECT id FROM docs ORDER BY 100 / n", [{ id: 3 }, { id: 1 }]],
    ["SELECT sum(100 / n) AS x FROM docs", [{ x: 13 }]],
    ["SELECT id FROM docs LIMIT 2", [{ id: 1 }, { id: 3 }]],
    ["SELECT id FROM docs WHERE body LIKE 'hidden%' LIMIT 1", []],
    ["SELECT (SELECT max(n) FROM docs) AS x", [{ x: 30 }]],
  ])("%s", async (sql, rows) => {
    const { db } = await world(hiding);
    expect((await db.execute(sql)).rows).toEqual(rows);
  });

  test.each([
    "SELECT id FROM docs WHERE body LIKE 'hidden%'",
    "SELECT id FROM docs WHERE n = 40",
    "SELECT id FROM docs WHERE owner = 'bob' AND n = 40",
    "SELECT id FROM docs WHERE body = 'hidden-tw'",
    "EXPLAIN ANALYZE SELECT id FROM docs WHERE n = 40",
  ])("%s tells nothing of them", async (sql) => {
    const without = await world({ ...hiding, rows: docs.filter(({ owner }) => owner === "ann") });
    const { db } = await world(hiding);
    const told = async (one: Database) => {
      const { rows, rowCount, notices, message, truncated } = await one.execute(sql);
      const text = JSON.stringify({ rows, rowCount, notices, message, truncated });
      return text.replaceAll(/Execution Time: [0-9.]+ ms/g, "");
    };
    expect(await told(db)).toBe(await told(without.db));
    const calls = "SELECT relation, bindings, quals, rows, pages, status FROM scratchpad.calls";
    expect((await db.execute(calls)).rows).toEqual((await without.db.execute(calls)).rows);
    const estimate = async (one: Database) => (await one.explain("SELECT * FROM docs")).text;
    expect(await estimate(db)).toBe(await estimate(without.db));
  });

  test("a filter that fails on a row does not quote it", async () => {
    const { db } = await world({ rowFilter: "body::int > 0" });
    const error = await refusal(db.execute("SELECT id FROM docs WHERE id = 2"));
    expect(error).toMatchObject({ code: "22P02", message: "a row filter could not be worked out for a row" });
    expect(error.detail).toBe('It is policy.tables["docs"].rowFilter.');
    expect(JSON.stringify(error)).not.toContain("hidden");
  });
});

test("rows that the session wrote are filtered too", async () => {
  const { db } = await world();
  await db.execute("BEGIN; INSERT INTO docs VALUES (10, 'ann', 1, 'mine'); UPDATE docs SET n = 99 WHERE id = 1");
  expect((await db.execute("SELECT id, n FROM docs ORDER BY id")).rows).toEqual([
    { id: 1, n: 99 },
    { id: 3, n: 30 },
    { id: 10, n: 1 },
  ]);
  await db.execute("ROLLBACK");
});

test("answers that are kept are kept for one actor", async () => {
  for (const volatility of ["stable", "immutable", "volatile"] as const) {
    const { db } = await world({ volatility });
    for (const [actor, ids] of [
      ["ann", [1, 3]],
      ["bob", [2, 4]],
      ["ann", [1, 3]],
      ["eve", []],
    ] as const)
      expect((await db.execute("SELECT id FROM docs ORDER BY id", { actor })).rows).toEqual(ids.map((id) => ({ id })));
  }
});

test("written rows have to fulfil the filter before the first effect of the statement", async () => {
  const { db, recorder } = await world();
  const error = await refusal(db.execute("INSERT INTO docs VALUES (10, 'ann', 1, 'x'), (11, 'bob', 1, 'x')"));
  expect(error).toMatchObject({
    code: "42501",
    message: 'new row violates row-level security policy for table "docs"',
    detail: 'Decided by policy.tables["docs"].rowFilter: owner = current_actor().',
  });
  await refusal(db.execute("BEGIN; INSERT INTO docs VALUES (10, 'bob', 1, 'x'); COMMIT"));
  await db.execute("ROLLBACK");
  expect(recorder.calls).toEqual([]);
});

test("ON CONFLICT meets hidden rows, and refuses to change them", async () => {
  const { db, recorder } = await world();
  const error = await refusal(
    db.execute(
      "INSERT INTO docs VALUES (2, 'ann', 1, 'x') ON CONFLICT (id) DO UPDATE SET body = 'mine' WHERE docs.n = 0",
    ),
  );
  expect(error).toMatchObject({ code: "42501", message: expect.stringContaining("(USING expression)") });
  expect(JSON.stringify(error)).not.toContain("hidden");
  const nothing = await db.execute(
    "INSERT INTO docs VALUES (2, 'ann', 1, 'x') ON CONFLICT (id) DO NOTHING RETURNING *",
  );
  expect(nothing).toMatchObject({ rows: [], command: "INSERT 0 0" });
  expect(recorder.take().filter(({ op }) => op !== undefined)).toEqual([]);
});

test("a filter over a masked column is decided on what stands behind the mask", async () => {
  const { db } = await world({
    policy: { writes: true, tables: { docs: { rowFilter: "owner = current_actor()", mask: { owner: "redact" } } } },
  });
  expect((await db.execute("SELECT id, owner FROM docs ORDER BY id LIMIT 5")).rows).toEqual([
    { id: 1, owner: "[redacted]" },
    { id: 3, owner: "[redacted]" },
  ]);
  expect((await db.execute("UPDATE docs SET body = 'x' WHERE id = 2")).command).toBe("UPDATE 0");
  expect((await db.execute("UPDATE docs SET body = 'x' WHERE id = 1")).command).toBe("UPDATE 1");
  expect((await refusal(db.execute("UPDATE docs SET owner = 'bob' WHERE id = 1"))).code).toBe("42501");
});

test.each<[Policy["tables"], number | undefined]>([
  [{}, 2],
  [{ docs: { mask: { owner: "hash" } } }, 2],
  [{ docs: { rowFilter: "owner = current_actor()" } }, undefined],
  [{ docs: { rowFilter: "owner = current_actor()", mask: { owner: "hash" } } }, undefined],
  [{ docs: { rowFilter: "id % 2 = 1", mask: { id: "null" } } }, undefined],
])("no LIMIT is passed to a call whose rows may be hidden: %j", async (tables, expected) => {
  const limits: (number | undefined)[] = [];
  const db = await Database.create({ actor: "ann", policy: { tables } });
  db.register(
    defineResource({
      name: "docs",
      volatility: "volatile",
      accepts: { limit: true },
      columns: [
        { name: "id", type: "int" },
        { name: "owner", type: "text" },
        { name: "body", type: "text" },
      ],
      select: (_: Bindings, { limit }: ResourceContext) => {
        limits.push(limit);
        return docs.slice(0, limit);
      },
    }),
  );
  const { rows } = await db.execute("SELECT body FROM docs LIMIT 2");
  expect(rows).toEqual(["one", expected === undefined ? "three" : "hidden-two"].map((body) => ({ body })));
  expect(limits).toEqual([expected]);
});

test("several filters hold together", async () => {
  const tables: Policy["tables"] = { "d*": { rowFilter: "n > 10" }, docs: { rowFilter: "owner = current_actor()" } };
  const { db } = await world({ policy: { tables } });
  expect((await db.execute("SELECT id FROM docs")).rows).toEqual([{ id: 3 }]);
});

test("a backend that works the statement out has the actor's rows alone", async () => {
  const backend = await emptyPglite();
  const { db } = await world({ backend, rowFilter: "lower(owner) = current_actor()" });
  expect((await db.execute("SELECT id, 100 / n AS x FROM docs ORDER BY id")).rows).toEqual([
    { id: 1, x: 10 },
    { id: 3, x: 3 },
  ]);
  expect(
    (await db.execute("SELECT current_actor() AS who, count(*)::int AS n FROM docs WHERE owner = current_actor()"))
      .rows,
  ).toEqual([{ who: "ann", n: 2 }]);
  expect((await db.execute("SELECT id FROM docs ORDER BY id", { actor: "bob" })).rows).toEqual([{ id: 2 }, { id: 4 }]);
}, 240_000);

describe("filters that don't fit the table are refused when it is registered", () => {
  test.each<[string, string]>([
    ["ownr = current_actor()", 'column "ownr" does not exist'],
    ["n", "argument of WHERE must be type boolean, not type integer"],
    ["owner = 1", "operator does not exist: text = integer"],
    ["owner = $1", "it can't have parameters"],
    ["owner IN (SELECT 'ann')", "it can't hold a subquery"],
    ["EXISTS (SELECT FROM docs)", "docs"],
    ["random() < 0.5", "it must give the same for a row each time"],
    ["count(*) > 1", "aggregate functions are not allowed in WHERE"],
    ["row_number() OVER () > 1", "window functions are not allowed in WHERE"],
    ["generate_series(1, 2) > 1", "set-returning functions are not allowed in WHERE"],
    ["nothing(owner)", "function nothing(text) does not exist"],
  ])("%s", async (rowFilter, message) => {
    const error = await world({ rowFilter }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toContain(message);
    expect((error as TypeError).message).toContain('policy.tables["docs"].rowFilter');
  });
});

test("a table registered anew is held against the rules anew", async () => {
  const { db } = await world();
  const other = () => new Recorder().resource({ name: "docs", columns: [{ name: "id", type: "int" }] });
  expect(() => db.register(other())).toThrow('column "owner" does not exist');
  expect((await db.execute("SELECT id FROM docs")).rows).toEqual([{ id: 1 }, { id: 3 }]);
});
