/** Statements that resolvers run: in a session of their own, or refused at once where they would wait for themselves. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Database, defineResource, type ResourceContext, type ResourceTable, type SqlError } from "../../src/index.js";

type Select = NonNullable<ResourceTable["select"]>;

/** Table `inner_item` has a row; the resolver of `outer_item` is given. */
async function world(select: (db: Database, context: ResourceContext) => ReturnType<Select>): Promise<Database> {
  const db = await Database.create({ policy: { writes: true } });
  const columns = [{ name: "id", type: "bigint" }];
  db.register(
    defineResource({
      name: "inner_item",
      volatility: "volatile",
      columns,
      select: () => [{ id: 1 }],
      insert: () => {},
    }),
  );
  db.register(
    defineResource({
      name: "outer_item",
      volatility: "volatile",
      columns,
      primaryKey: ["id"],
      select: (_, context) => select(db, context),
      insert: (_, context) => select(db, context),
    }),
  );
  return db;
}

const inner = "SELECT id FROM inner_item";
const rowsOf = async (run: Promise<{ rows: Record<string, unknown>[] }>) => (await run).rows as { id: number }[];

test.each<{ name: string; select: (db: Database, context: ResourceContext) => ReturnType<Select> }>([
  { name: "at once", select: (db) => rowsOf(db.execute(inner)) },
  { name: "at once, in an async function", select: async (db) => rowsOf(db.execute(inner)) },
  {
    name: "later, with the signal of its call",
    select: async (db, { signal }) => {
      await sleep(1);
      return rowsOf(db.execute(inner, { signal }));
    },
  },
  {
    name: "in a page",
    select: async function* (db) {
      yield await rowsOf(db.execute(inner));
    },
  },
  {
    name: "in a later page, with the signal of its call",
    select: async function* (db, { signal }) {
      yield [{ id: 7 }];
      yield await rowsOf(db.execute(inner, { signal }));
    },
  },
])("a resolver that runs a statement of the session that asks it is told so: $name", async ({ select }) => {
  const db = await world(select);
  for (const sql of ["SELECT id FROM outer_item", "SELECT count(*) FROM outer_item"]) {
    await expect(db.execute(sql)).rejects.toMatchObject({
      code: "55000",
      message: "a resolver can't run a statement in the session that is waiting for it",
      hint: expect.stringContaining("db.session().execute(…)"),
    });
  }
  expect(await rowsOf(db.execute(inner))).toEqual([{ id: 1 }]); // the session goes on
});

test("a write that runs a statement of its own session fails, and says so", async () => {
  const db = await world((db) => rowsOf(db.execute(inner)));
  await expect(db.execute("INSERT INTO outer_item (id) VALUES (1)")).rejects.toMatchObject({
    code: "55000",
    detail: expect.stringContaining("a resolver can't run a statement in the session that is waiting for it"),
  });
});

test.each<{ name: string; select: (db: Database, context: ResourceContext) => ReturnType<Select> }>([
  { name: "at once", select: (db) => rowsOf(db.session().execute(inner)) },
  { name: "with the signal of its call", select: (db, { signal }) => rowsOf(db.session().execute(inner, { signal })) },
])("in a session of its own it is answered: $name", async ({ select }) => {
  const db = await world(select);
  expect(await rowsOf(db.execute("SELECT id FROM outer_item"))).toEqual([{ id: 1 }]);
});

test("other statements of the session wait for their turn, also while a resolver runs", async () => {
  const events: string[] = [];
  const db = await world(async () => {
    events.push("asked");
    await sleep(5);
    events.push("answered");
    return [{ id: 2 }];
  });
  const first = db.execute("SELECT id FROM outer_item");
  while (events.length === 0) await sleep(1);
  const second = db.execute(inner).then(() => events.push("second"));
  await Promise.all([first, second]);
  expect(events).toEqual(["asked", "answered", "second"]);
});

test("one that can't be told from others ends with the time, whose error names it", async () => {
  const db = await world(async (db) => {
    await sleep(1);
    return rowsOf(db.execute(inner));
  });
  const error = (await db
    .execute("SELECT id FROM outer_item", { timeoutMs: 300 })
    .catch((e: unknown) => e)) as SqlError;
  expect(error).toMatchObject({
    code: "57014",
    message: "canceling statement due to statement timeout",
    hint: expect.stringMatching(
      /^1 other statement of the session waited for it\. A resolver runs its statements in a session/,
    ),
  });
});

test("a time-out while none waits has no such hint", async () => {
  const db = await world(() => new Promise<never>(() => undefined));
  const error = (await db.execute("SELECT id FROM outer_item", { timeoutMs: 50 }).catch((e: unknown) => e)) as SqlError;
  expect(error).toMatchObject({ code: "57014", hint: undefined });
});
