import { describe, expect, test } from "vitest";
import { Database } from "../../../src/database/database.js";
import { SqlError } from "../../../src/errors/sql-error.js";
import { pr, prResource, prRows } from "./pr-table.js";

async function database(count = 6, calls: string[] = []): Promise<Database> {
  const db = await Database.create({ policy: { writes: true } });
  return db.register(prResource(prRows(count), calls));
}

async function errorOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    if (error instanceof SqlError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "no error";
}

// What a caller without types, or with a cast, can do.
const loose = pr as unknown as Record<"select" | "insert" | "update" | "delete", (...args: unknown[]) => Loose>;
interface Loose {
  where(conditions: unknown): Loose;
  orderBy(...args: unknown[]): Loose;
  limit(rows: unknown): Loose;
  returning(...columns: string[]): Loose;
  run(db: unknown): Promise<unknown>;
  all(db: unknown): Promise<unknown[]>;
  sql(): { text: string; params: unknown[] };
}

describe("the statement", () => {
  const since = new Date("2026-01-02T00:00:00Z");
  test.each([
    {
      name: "a selection with everything",
      query: pr
        .select("number", "title")
        .where({ repo: "a/b", state: "open" })
        .orderBy("created_at", "desc", "nulls last")
        .orderBy("number")
        .limit(10)
        .offset(5)
        .distinct(),
      text: 'SELECT DISTINCT "number", "title" FROM "github_pr" WHERE "repo" = $1 AND "state" = $2 ORDER BY "created_at" DESC NULLS LAST, "number" ASC LIMIT $3 OFFSET $4',
      params: ["a/b", "open", 10, 5],
    },
    {
      name: "no column named: all of them",
      query: pr.select().where({ repo: "a/b" }),
      text: 'SELECT "repo", "number", "title", "state", "draft", "created_at", "merged_at", "labels" FROM "github_pr" WHERE "repo" = $1',
      params: ["a/b"],
    },
    {
      name: "arrays, null, several operators, several wheres",
      query: pr
        .select("number")
        .where({ repo: ["a/b", "c/d"], merged_at: null })
        .where({
          created_at: { ">=": since, "<": "2026-02-01" },
          title: { "not like": "%x%" },
          number: { "not in": [1] },
        }),
      text: 'SELECT "number" FROM "github_pr" WHERE "repo" = ANY($1) AND "merged_at" IS NULL AND "created_at" >= $2 AND "created_at" < $3 AND "title" NOT LIKE $4 AND "number" <> ALL($5)',
      params: [["a/b", "c/d"], since, "2026-02-01", "%x%", [1]],
    },
    {
      name: "IS NOT NULL, containment; a text that is a document goes in quotes",
      query: pr.select("number").where({ repo: "a", merged_at: { "is not": null }, labels: { "@>": "5" } }),
      text: 'SELECT "number" FROM "github_pr" WHERE "repo" = $1 AND "merged_at" IS NOT NULL AND "labels" @> $2',
      params: ["a", '"5"'],
    },
    {
      name: "an empty list finds nothing, and says so to nobody",
      query: pr.select("number").where({ repo: "a/b", number: [] }),
      text: 'SELECT "number" FROM "github_pr" WHERE "repo" = $1 AND "number" = ANY($2)',
      params: ["a/b", []],
    },
    {
      name: "rows to insert",
      query: pr.insert([
        { repo: "a/b", title: "x'); DROP TABLE t; --" },
        { title: "y", repo: "a/b", state: undefined },
      ]),
      text: 'INSERT INTO "github_pr" ("repo", "title") VALUES ($1, $2), ($3, $4)',
      params: ["a/b", "x'); DROP TABLE t; --", "a/b", "y"],
    },
    {
      name: "an update with what comes back",
      query: pr
        .update({ title: "t", merged_at: null, labels: ["x"] })
        .where({ repo: "a/b", number: 3 })
        .returning("number", "title"),
      text: 'UPDATE "github_pr" SET "title" = $1, "merged_at" = $2, "labels" = $3 WHERE "repo" = $4 AND "number" = $5 RETURNING "number", "title"',
      params: ["t", null, ["x"], "a/b", 3],
    },
    {
      name: "a delete",
      query: pr.delete().where({ repo: "a/b", number: [1, 2] }),
      text: 'DELETE FROM "github_pr" WHERE "repo" = $1 AND "number" = ANY($2)',
      params: ["a/b", [1, 2]],
    },
  ])("$name", ({ query, text, params }) => expect(query.sql()).toEqual({ text, params }));
});

describe("answers", () => {
  test("all rows come, not the fifty that execute gives", async () => {
    const calls: string[] = [];
    const db = await database(137, calls);
    expect(await pr.select("number").where({ repo: "a/b" }).all(db)).toHaveLength(137);
    expect(calls).toEqual(["select a/b"]);
  });

  test("on a session", async () => {
    const db = await database(4);
    const rows = await pr
      .select("number", "state", "merged_at")
      .where({ repo: "a/b", number: { ">": 1 } })
      .orderBy("number", "desc")
      .limit(2)
      .all(db.session());
    expect(rows).toEqual([
      { number: 4, state: "open", merged_at: null },
      { number: 3, state: "closed", merged_at: "2026-01-03T00:00:00.000Z" },
    ]);
  });

  test("conditions of every kind find what SQL finds", async () => {
    const db = await database(30);
    const of = pr.select("number").where({ repo: "a/b" }).orderBy("number");
    const numbers = async (query: typeof of) => (await query.all(db)).map((row) => row.number);
    expect(await numbers(of.where({ number: [3, 1, 99] }))).toEqual([1, 3]);
    expect(await numbers(of.where({ number: [] }))).toEqual([]);
    expect(await numbers(of.where({ labels: { "@>": ["n5"] } }))).toEqual([6]);
    expect(await numbers(of.where({ labels: { "@>": "n5" } }))).toEqual([6]);
    expect(await numbers(of.where({ labels: null, number: { "<=": 5 } }))).toEqual([2, 3, 4, 5]);
    expect(await numbers(of.where({ created_at: new Date("2026-01-02T00:00:00Z") }))).toEqual([2, 30]);
    expect(await numbers(of.where({ title: { ilike: "change 1_" } }))).toEqual([
      10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ]);
    expect(await numbers(of.where({ draft: true, number: { in: [1n, 2, 3] } }))).toEqual([2]);
  });

  test("one, first, count", async () => {
    const db = await database(6);
    const open = pr.select("number").where({ repo: "a/b", state: "open" }).orderBy("number");
    expect(await open.first(db)).toEqual({ number: 1 });
    expect(await open.where({ number: 4 }).one(db)).toEqual({ number: 4 });
    expect(await open.count(db)).toBe(4);
    expect(await open.limit(3).offset(2).count(db)).toBe(2);
    expect(await pr.select("state").where({ repo: "a/b" }).distinct().count(db)).toBe(2);
    const none = open.where({ number: 99 });
    expect(await none.first(db)).toBeUndefined();
    expect(await errorOf(() => none.one(db))).toBe("P0002: query returned no rows");
    expect(await errorOf(() => open.one(db))).toBe("P0003: query returned more than one row");
    expect(await open.limit(1).one(db)).toEqual({ number: 1 });
    expect(await open.limit(0).first(db)).toBeUndefined();
  });

  test("a part of the rows is an error, whatever the session allows", async () => {
    const db = await Database.create();
    const resource = prResource([]);
    db.register({ ...resource, select: () => Promise.reject(new Error("no answer")) });
    const session = db.session({ allowPartial: true });
    await expect(pr.select("number").where({ repo: "a/b" }).all(session)).rejects.toThrow(
      'reading table "github_pr" failed',
    );
  });
});

describe("writes", () => {
  test("insert gives the tag, and with returning what the service filled in", async () => {
    const calls: string[] = [];
    const db = await database(3, calls);
    expect(await pr.insert({ repo: "a/b", title: "One" }).run(db)).toMatchObject({
      rowCount: 1,
      command: "INSERT 0 1",
    });
    expect(await pr.insert({ repo: "a/b", title: "Two" }).returning("number", "title", "state").one(db)).toEqual({
      number: 100,
      title: "Two",
      state: null,
    });
    expect(calls).toEqual(['insert {"repo":"a/b","title":"One"}', 'insert {"repo":"a/b","title":"Two"}']);
  });

  test("update and delete reach the rows that where means", async () => {
    const calls: string[] = [];
    const db = await database(3, calls);
    const updated = await pr
      .update({ state: "closed" })
      .where({ repo: "a/b", number: [1, 2] })
      .returning("number")
      .all(db);
    expect(updated).toEqual([{ number: 1 }, { number: 2 }]);
    expect(await pr.delete().where({ repo: "a/b", number: 3 }).run(db)).toMatchObject({
      rowCount: 1,
      command: "DELETE 1",
    });
    expect(calls.filter((call) => !call.startsWith("select"))).toEqual([
      'update a/b#1 {"state":"closed"}',
      'update a/b#2 {"state":"closed"}',
      "delete a/b#3",
    ]);
  });

  test("all rows are written, however few are asked for", async () => {
    const calls: string[] = [];
    const db = await database(9, calls);
    const query = pr.update({ title: "x" }).where({ repo: "a/b", number: { "<=": 8 } });
    expect(await query.returning("number").first(db)).toEqual({ number: 1 });
    expect((await query.run(db)).rowCount).toBe(8);
    expect(await errorOf(() => query.returning("number").one(db))).toBe("P0003: query returned more than one row");
    expect(calls.filter((call) => call.startsWith("update"))).toHaveLength(24);
  });

  test("inside a transaction a write waits", async () => {
    const calls: string[] = [];
    const db = await database(3, calls);
    await db.execute("BEGIN");
    const result = await pr.delete().where({ repo: "a/b", number: 3 }).run(db);
    expect(result.staged?.map((write) => write.op)).toEqual(["delete"]);
    expect(calls).toEqual([]);
    await db.execute("COMMIT");
    expect(calls).toEqual(["delete a/b#3"]);
  });
});

describe("what is refused before anything is called", () => {
  const db = { execute: () => Promise.reject(new Error("called")) };
  test.each([
    { run: () => loose.update({ title: "x" }).run(db), error: "22023: update: where is missing" },
    { run: () => loose.delete().run(db), error: "22023: delete: where is missing" },
    { run: () => loose.delete().where({}).run(db), error: "22023: delete: where is missing" },
    {
      run: () => loose.delete().where({ repo: "a", number: undefined }).run(db),
      error: '22023: where: "number" is undefined',
    },
    { run: () => loose.update({}).where({ repo: "a" }).run(db), error: "22023: update: there is nothing to set" },
    { run: () => loose.insert([]).run(db), error: "22023: insert: there is no row" },
    {
      run: () => loose.insert([{ repo: "a" }, { repo: "b", title: "t" }]).run(db),
      error: "22023: insert: row 2 has other columns than the first",
    },
    {
      run: () => loose.select("nope").all(db),
      error: '42703: column "nope" of relation "github_pr" does not exist',
    },
    {
      run: () => loose.select("number").where({ '" OR 1=1 --': 1 }).all(db),
      error: '42703: column "" OR 1=1 --" of relation "github_pr" does not exist',
    },
    {
      run: () =>
        loose
          .select()
          .where({ number: { "; DROP": 1 } })
          .all(db),
      error: '22023: where: "; DROP" is no operator for "number"',
    },
    {
      run: () =>
        loose
          .select()
          .where({ number: { "=": null } })
          .all(db),
      error: '22023: where: "=" of "number" is compared with null, which no row matches',
    },
    {
      run: () =>
        loose
          .select()
          .where({ number: { ">": undefined } })
          .all(db),
      error: '22023: where: an operator of "number" has no value',
    },
    {
      run: () => loose.select().where({ number: {} }).all(db),
      error: '22023: where: an operator of "number" has no value',
    },
    {
      run: () =>
        loose
          .select()
          .where({ number: [1, null] })
          .all(db),
      error: '22023: where: the list for "number" contains null',
    },
    { run: () => loose.select().limit(-1).all(db), error: "22023: limit: -1 is no number of rows" },
    { run: () => loose.select().limit("5").all(db), error: "22023: limit: 5 is no number of rows" },
    {
      run: () => loose.select().orderBy("number", "desc; --").all(db),
      error: '22023: orderBy: the direction is asc or desc, not "desc; --"',
    },
  ])("$error", async ({ run, error }) => expect(await errorOf(run)).toBe(error));

  test("a required key without a value, where the types were cast away", async () => {
    const calls: string[] = [];
    expect(await errorOf(async () => loose.select("number").all(await database(3, calls)))).toBe(
      'HV002: table "github_pr" needs a value for "repo"',
    );
    expect(calls).toEqual([]);
  });
});
