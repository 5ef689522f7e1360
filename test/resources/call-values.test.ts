/** Which calls a scan makes for the values of its keys: one for each, in batches, by alternatives; and no row twice. */
import { expect, test } from "vitest";
import { Database, defineResource, type ResourceColumn, type ResourceTable, type Row } from "../../src/index.js";

const issues: readonly Row[] = [
  { id: 1, number: 11, repo: "a", state: "open" },
  { id: 2, number: 12, repo: "a", state: "closed" },
  { id: 3, number: 13, repo: "b", state: "open" },
  { id: 4, number: 14, repo: "B", state: "open" },
  { id: 5, number: 15, repo: "c", state: "closed" },
];

type Answer = (eq: ReadonlyMap<string, readonly unknown[]>) => readonly Row[];

/** Rows whose columns have the values that were given. */
const exactly: Answer = (eq) =>
  issues.filter((row) => [...eq].every(([column, values]) => values.includes(row[column])));

async function world(
  columns: Readonly<Record<string, Partial<ResourceColumn>>>,
  options: Partial<ResourceTable> = {},
  answer: Answer = exactly,
) {
  const calls: Record<string, unknown[]>[] = [];
  const db = await Database.create();
  const column = (name: string, type: string): ResourceColumn => ({ name, type, ...columns[name] });
  db.register(
    defineResource({
      name: "issue",
      volatility: "volatile",
      columns: [column("id", "bigint"), column("number", "bigint"), column("repo", "text"), column("state", "text")],
      select: (bindings) => {
        calls.push(Object.fromEntries(bindings.eq));
        return answer(bindings.eq);
      },
      ...options,
    }),
  );
  db.register(
    defineResource({
      name: "wanted",
      volatility: "volatile",
      columns: [
        { name: "id", type: "bigint" },
        { name: "repo", type: "text" },
      ],
      select: () => [
        { id: 1, repo: "a" },
        { id: 3, repo: "b" },
        { id: 5, repo: "c" },
      ],
    }),
  );
  const ids = async (sql: string) => (await db.execute(sql)).rows.map((row) => row.id);
  return { db, calls, ids };
}

test("batches of at most so many values", async () => {
  const { calls, ids } = await world({ id: { requiredKey: true } }, { batch: { keys: 2 } });
  expect(await ids("SELECT id FROM issue WHERE id IN (1, 2, 3, 4, 5) ORDER BY id")).toEqual([1, 2, 3, 4, 5]);
  expect(calls).toEqual([{ id: [1, 2] }, { id: [3, 4] }, { id: [5] }]);
});

test("batches of a dependent join", async () => {
  const { calls, ids } = await world({ id: { requiredKey: true } }, { batch: { keys: 2 } });
  expect(await ids("SELECT i.id FROM wanted w JOIN issue i ON i.id = w.id ORDER BY 1")).toEqual([1, 3, 5]);
  expect(calls).toEqual([{ id: [1, 3] }, { id: [5] }]);
});

test("pairs in batches: chunks of each column, no pair left out, no row twice", async () => {
  const { calls, ids } = await world(
    { repo: { requiredKey: true }, state: { requiredKey: true } },
    { batch: { keys: 2 } },
  );
  const pairs = "(('a', 'open'), ('b', 'open'), ('c', 'closed'), ('a', 'closed'))";
  expect(await ids(`SELECT id FROM issue WHERE (repo, state) IN ${pairs} ORDER BY id`)).toEqual([1, 2, 3, 5]);
  expect(calls).toEqual([
    { repo: ["a", "b"], state: ["open", "closed"] },
    { repo: ["c"], state: ["closed"] },
  ]);
});

test("a required key with an optional column in pairs: one call a key", async () => {
  const { calls, ids } = await world({ repo: { requiredKey: true } }, {}, (eq) =>
    issues.filter((row) => row.repo === eq.get("repo")?.[0]),
  );
  const pairs = "(('a', 'open'), ('a', 'closed'), ('b', 'open'))";
  expect(await ids(`SELECT id FROM issue WHERE (repo, state) IN ${pairs} ORDER BY id`)).toEqual([1, 2, 3]);
  expect(calls).toEqual([
    { repo: ["a"], state: ["open", "closed"] },
    { repo: ["b"], state: ["open"] },
  ]);
});

test("a service that matches loosely gives a row to one call only", async () => {
  const { calls, ids } = await world({ repo: { requiredKey: true } }, {}, (eq) =>
    issues.filter((row) => String(row.repo).toLowerCase() === String(eq.get("repo")?.[0]).toLowerCase()),
  );
  expect(await ids("SELECT id FROM issue WHERE repo IN ('b', 'B') ORDER BY id")).toEqual([3, 4]);
  expect(calls).toEqual([{ repo: ["b"] }, { repo: ["B"] }]);
});

test("an alternative: one call a value, and the key is filled in where the row leaves it out", async () => {
  const { calls, ids } = await world({}, { keyAlternatives: [["id", "number"]] }, (eq) =>
    exactly(eq).map(({ id, ...row }) => (eq.has("id") ? row : { id, ...row })),
  );
  expect(await ids("SELECT id FROM issue WHERE id IN (1, 3) ORDER BY id")).toEqual([1, 3]);
  expect(await ids("SELECT id FROM issue WHERE number = 12")).toEqual([2]);
  expect(calls).toEqual([{ id: [1] }, { id: [3] }, { number: [12] }]);
});

test("both alternatives: the first tells the calls apart, the other goes along", async () => {
  const { calls, ids } = await world({}, { keyAlternatives: [["id", "number"]] });
  expect(await ids("SELECT id FROM issue WHERE id IN (1, 2) AND number IN (11, 12, 13) ORDER BY id")).toEqual([1, 2]);
  expect(calls).toEqual([
    { id: [1], number: [11, 12, 13] },
    { id: [2], number: [11, 12, 13] },
  ]);
});

test("an alternative from a join", async () => {
  const { calls, ids } = await world({}, { keyAlternatives: [["number", "id"]] });
  expect(await ids("SELECT i.id FROM wanted w JOIN issue i ON i.id = w.id WHERE w.repo <> 'b' ORDER BY 1")).toEqual([
    1, 5,
  ]);
  expect(calls).toEqual([{ id: [1] }, { id: [5] }]);
});

test("a known alternative waits for no join", async () => {
  const { calls, ids } = await world({}, { keyAlternatives: [["number", "id"]] });
  expect(await ids("SELECT i.id FROM wanted w JOIN issue i ON i.id = w.id WHERE i.number = 13")).toEqual([3]);
  expect(calls).toEqual([{ number: [13] }]);
});

test.each([
  {
    name: "one of several",
    options: { keyAlternatives: [["id", "number"]] },
    message: 'table "issue" needs a value for one of "id" or "number"',
    hint: "Add WHERE issue.id = 1, or join issue.id to a column of another table.",
  },
  {
    name: "with a required key",
    columns: { repo: { requiredKey: true } },
    options: { keyAlternatives: [["id", "number"]] },
    message: 'table "issue" needs a value for "repo" and one of "id" or "number"',
    hint: "Add WHERE issue.repo = '…' AND issue.id = 1, or join issue.repo to a column of another table.",
  },
])("no value for an alternative: $name", async ({ columns, options, message, hint }) => {
  const { db, calls } = await world(columns ?? {}, options);
  await expect(db.execute("SELECT * FROM issue WHERE state = 'open'")).rejects.toMatchObject({
    code: "HV002",
    message,
    hint,
  });
  expect(calls).toEqual([]);
});

test("alternatives stand among the required keys of information_schema", async () => {
  const { db } = await world(
    { repo: { requiredKey: true }, state: { equality: false } },
    { keyAlternatives: [["id", "number"]] },
  );
  const tables = await db.execute("SELECT required_keys FROM information_schema.tables WHERE table_name = 'issue'");
  expect(tables.rows).toEqual([{ required_keys: ["repo", "id | number"] }]);
  const columns = await db.execute(
    "SELECT operators FROM information_schema.columns WHERE table_name = 'issue' AND column_name IN ('repo', 'state') ORDER BY 1 DESC",
  );
  expect(columns.rows).toEqual([{ operators: ["="] }, { operators: [] }]);
});

test.each([
  "SELECT id FROM issue WHERE state = 'open' ORDER BY id",
  "SELECT id FROM issue WHERE state IN ('open', 'x') ORDER BY id",
  "SELECT id FROM issue WHERE state = ANY (ARRAY['open']) ORDER BY id",
  "SELECT id FROM issue WHERE state IN (SELECT 'open') ORDER BY id",
  "SELECT id FROM issue WHERE state = (SELECT 'open') ORDER BY id",
  "SELECT i.id FROM issue i JOIN (VALUES ('open')) v (s) ON v.s = i.state ORDER BY id",
])("a column without equality is never handed over: %s", async (sql) => {
  const { calls, ids } = await world({ state: { equality: false } });
  expect(await ids(sql)).toEqual([1, 3, 4]);
  expect(calls).toEqual([{}]);
});

test.each<{ options?: Partial<ResourceTable>; columns?: Record<string, Partial<ResourceColumn>>; message: string }>([
  { columns: { id: { requiredKey: true, equality: false } }, message: "can't be without equality" },
  { columns: { id: { operators: ["~" as never] } }, message: "can't take the operator" },
  { options: { keyAlternatives: [["id", "numbr"]] }, message: 'column "numbr" does not exist' },
  { options: { keyAlternatives: [[]] }, message: "is empty" },
  { options: { accepts: { orderBy: ["ID"] } }, message: 'column "ID" does not exist' },
  { options: { batch: { keys: 0 } }, message: "a whole number above 0" },
])("a declaration that can't be kept is refused: $message", async ({ options, columns, message }) => {
  await expect(world(columns ?? {}, options)).rejects.toThrow(message);
});

test("EXPLAIN counts the calls that are made", async () => {
  const cases: { columns: Record<string, Partial<ResourceColumn>>; options: Partial<ResourceTable>; where: string }[] =
    [
      {
        columns: {},
        options: { keyAlternatives: [["id", "number"]] },
        where: "id IN (1, 2) AND number IN (11, 12, 13)",
      },
      { columns: { repo: { requiredKey: true } }, options: {}, where: "(repo, id) IN (('a', 1), ('a', 2), ('b', 3))" },
      {
        columns: { repo: { requiredKey: true } },
        options: {},
        where: "repo IN ('a', 'b', 'a') AND state IN ('open', 'x')",
      },
      { columns: { id: { requiredKey: true } }, options: { batch: { keys: 2 } }, where: "id IN (1, 2, 3, 1)" },
      {
        columns: {},
        options: { keyAlternatives: [["id", "number"]], batch: { keys: 2 } },
        where: "id IN (1, 2, 3) AND number IN (11, 12)",
      },
    ];
  for (const { columns, options, where } of cases) {
    const { db, calls } = await world(columns, options);
    const { text } = await db.explain(`SELECT id FROM issue WHERE ${where}`);
    await db.execute(`SELECT id FROM issue WHERE ${where}`);
    expect({ where, text: /Calls: (\d+)$/m.exec(text)?.[1] }).toEqual({ where, text: String(calls.length) });
  }
});

test("EXPLAIN names a bound where values may be equal or left out", async () => {
  for (const [where, made] of [
    ["id IN (1, 2.5)", 1],
    ["(id, number) IN ((1, 11), (2, 12), (3, 14))", 2],
  ] as const) {
    const batch = where.startsWith("(") ? { batch: { keys: 2 } } : {};
    const { db, calls } = await world({ id: { requiredKey: true }, number: { requiredKey: made === 2 } }, batch);
    const { text } = await db.explain(`SELECT id FROM issue WHERE ${where}`);
    await db.execute(`SELECT id FROM issue WHERE ${where}`);
    expect(calls).toHaveLength(made);
    expect(text).toMatch(/Calls: at most [23]/);
  }
});

test("a time that no Date can be is no argument, and none that is asked for rounded", async () => {
  const asked: unknown[] = [];
  const world = async (requiredKey: boolean) => {
    const db = await Database.create();
    db.register(
      defineResource({
        name: "t",
        volatility: "volatile",
        columns: [
          { name: "at", type: "timestamptz", asDate: true, requiredKey },
          { name: "n", type: "bigint" },
        ],
        exact: true,
        accepts: { limit: true },
        select: (bindings, { limit }) => {
          asked.push({ at: bindings.all("at"), limit });
          return [
            { at: "2026-01-01T00:00:00.123Z", n: 1 },
            { at: "2026-01-01T00:00:00.123456Z", n: 2 },
          ];
        },
      }),
    );
    return db;
  };
  const db = await world(false);
  const where = "at = '2026-01-01T00:00:00.123456Z'";
  expect((await db.execute(`SELECT n FROM t WHERE ${where} LIMIT 1`)).rows).toEqual([{ n: 2 }]);
  expect((await db.execute(`SELECT n FROM t WHERE ${where} AND n = 2`)).rows).toEqual([{ n: 2 }]);
  expect((await db.execute("SELECT n FROM t WHERE at = 'infinity'")).rows).toEqual([]);
  expect((await db.execute("SELECT n FROM t WHERE at = '2026-01-01T00:00:00.123Z' LIMIT 1")).rows).toEqual([{ n: 1 }]);
  expect(asked).toEqual([
    { at: [], limit: undefined },
    { at: [], limit: undefined },
    { at: [], limit: undefined },
    { at: [new Date("2026-01-01T00:00:00.123Z")], limit: 1 },
  ]);
  const keyed = await world(true);
  for (const value of ["2026-01-01T00:00:00.123456Z", "infinity"])
    await expect(keyed.execute(`SELECT n FROM t WHERE at = '${value}'`)).rejects.toMatchObject({ code: "22003" });
  expect(asked).toHaveLength(4);
});

test("a document is asked for as it is, or not at all", async () => {
  const calls: unknown[] = [];
  const db = await Database.create();
  db.register(
    defineResource({
      name: "t",
      volatility: "volatile",
      columns: [
        { name: "doc", type: "jsonb", requiredKey: true },
        { name: "n", type: "bigint" },
      ],
      select: (bindings) => {
        calls.push(bindings.one("doc"));
        return [{ n: 1 }];
      },
    }),
  );
  const sql = "SELECT n FROM t WHERE doc = $1::jsonb";
  for (const doc of ['{"b": [1.50, null], "a": "x"}', "[9007199254740992, 1e300]", '"9007199254740993"', "0.1"])
    expect((await db.execute(sql, { params: [doc] })).rows).toEqual([{ n: 1 }]);
  expect(calls).toEqual([{ a: "x", b: [1.5, null] }, [9007199254740992, 1e300], "9007199254740993", 0.1]);
  for (const doc of ["[9007199254740993]", "9007199254740993"])
    await expect(db.execute(sql, { params: [doc] })).rejects.toMatchObject({ code: "22003" });
  expect(calls).toHaveLength(4);
});
