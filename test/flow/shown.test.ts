/** What is shown of labelled values beside rows: errors, notices, arguments, staged writes, receipts, the log of calls; and labels of what was written. */
import { describe, expect, test } from "vitest";
import {
  buildExecuteSqlTool,
  buildExplainSqlTool,
  Database,
  defineResource,
  type Flow,
  type Policy,
  SqlError,
} from "../../src/index.js";

interface Options {
  readonly flows?: readonly Flow[];
  readonly policy?: Partial<Policy>;
  /** Makes `insert` into notes fail with what it was given. */
  readonly echoes?: boolean;
}

const hidden: Flow = { label: "secret", to: "result" };
const word = "hunter2hunter2";

async function world({ flows = [hidden], policy = {}, echoes = false }: Options = {}) {
  const asked: unknown[] = [];
  const sent: unknown[] = [];
  const db = await Database.create({ policy: { writes: true, unboundedWrites: true, flows, ...policy } });
  const notes: Record<string, unknown>[] = [];
  db.registerAll([
    defineResource({
      name: "vault",
      volatility: "stable",
      primaryKey: ["id"],
      columns: [
        { name: "id", type: "bigint", nullable: false },
        { name: "word", type: "text", labels: ["secret"] },
        { name: "size", type: "int", labels: ["secret"] },
      ],
      select: () => [
        { id: 1, word, size: word.length },
        { id: 2, word: "plain", size: 0 },
      ],
    }),
    defineResource({
      name: "notes",
      volatility: "volatile",
      primaryKey: ["id"],
      columns: [
        { name: "id", type: "bigint", nullable: false },
        { name: "title", type: "text" },
        { name: "body", type: "text" },
      ],
      select: () => notes,
      insert: async (rows) => {
        sent.push(...rows);
        if (echoes) throw new Error(`can't take ${JSON.stringify(rows)}`);
        notes.push(...rows);
        return { ...rows[0], message: `took ${JSON.stringify(rows)}` };
      },
      update: async (set) => {
        sent.push(set);
        return `set ${JSON.stringify(set)}`;
      },
    }),
    defineResource({
      name: "search",
      volatility: "volatile",
      columns: [
        { name: "query", type: "text", requiredKey: true },
        { name: "hits", type: "int" },
      ],
      select: (bindings) => {
        asked.push(bindings.one("query"));
        if (bindings.one("query") === "plain") throw new Error(`nothing for ${String(bindings.one("query"))}`);
        return { hits: 3 };
      },
    }),
  ]);
  return { db, asked, sent };
}

async function failure(run: Promise<unknown>): Promise<SqlError> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof SqlError) return error;
  throw new Error("it did not fail with an SQL error", { cause: error });
}

describe("errors of a statement over hidden values keep their code and lose their words", () => {
  test.each([
    {
      sql: "SELECT id FROM vault WHERE word::int > 0",
      code: "22P02",
      message: "invalid text representation (the details are left out)",
    },
    {
      sql: "SELECT id FROM vault WHERE 1 / size > 0",
      code: "22012",
      message: "division by zero (the details are left out)",
    },
    {
      sql: "SELECT id FROM vault WHERE (SELECT v.word FROM vault v) = 'x'",
      code: "21000",
      message: "cardinality violation (the details are left out)",
    },
    {
      sql: "SELECT id FROM vault WHERE to_date(word, 'YYYY') IS NULL",
      code: "22007",
      message: "invalid datetime format (the details are left out)",
    },
    {
      sql: "SELECT 1 FROM search s JOIN vault v ON s.query = v.word WHERE v.id = 2",
      code: "HV000",
      message: "the statement failed (the details are left out)",
    },
  ])("$code: $sql", async ({ sql, code, message }) => {
    const { db } = await world();
    const error = await failure(db.execute(sql));
    expect({ code: error.code, message: error.message, detail: error.detail }).toEqual({
      code,
      message,
      detail: 'The statement reads values labelled "secret", and words of the error may hold some of them.',
    });
    expect(error.cause).toBeUndefined();
  });

  test("other statements keep theirs", async () => {
    const { db } = await world();
    expect((await failure(db.execute("SELECT id::text::date FROM vault"))).message).toContain('"1"');
    expect((await failure(db.execute("SELECT hits FROM search WHERE query = 'plain'"))).detail).toContain(
      "nothing for plain",
    );
  });

  test("a strict rule refuses what could fail, before any call", async () => {
    const { db } = await world({ flows: [{ ...hidden, strict: true }] });
    const error = await failure(
      db.execute("INSERT INTO notes (id, body) VALUES (1, (SELECT (1 / size)::text FROM vault WHERE id = 1))"),
    );
    expect({ code: error.code, message: error.message }).toEqual({
      code: "42501",
      message: 'an expression over values labelled "secret" could fail, which would tell what they are',
    });
    expect(error.position).toBeGreaterThan(0);
    const subquery = "SELECT count(*) FROM notes WHERE id = (SELECT id FROM vault WHERE word LIKE 'h%')";
    expect((await failure(db.execute(subquery))).code).toBe("42501");
  });

  test("a value that a service gave and that is none of its type is not shown", async () => {
    const db = await Database.create();
    db.register(
      defineResource({
        name: "t",
        volatility: "stable",
        columns: [{ name: "n", type: "int", labels: ["secret"] }],
        select: () => [{ n: word }],
      }),
    );
    const error = await failure(db.execute("SELECT n FROM t"));
    expect(error.code).toBe("HV000");
    expect(error.detail).toBe("Row 1: The value is labelled, and not shown.");
  });
});

test("an empty answer over hidden values does not list them", async () => {
  const { db } = await world();
  const { rows, notices } = await db.execute("SELECT id FROM vault WHERE word = 'hunter'");
  expect({ rows, notices }).toEqual({ rows: [], notices: undefined });
  const other = await db.execute("SELECT id FROM vault WHERE id = 5");
  expect(other.notices?.length).toBe(1);
});

test("arguments that may be passed but not shown are left out of results and of the log of calls", async () => {
  const { db, asked } = await world();
  const sql = "SELECT v.id, s.hits FROM search s JOIN vault v ON s.query = v.word WHERE v.id = 1";
  const { rows, touched } = await db.execute(sql);
  expect(rows).toEqual([{ id: 1, hits: 3 }]);
  expect(asked).toContain(word);
  expect(touched.find(({ name }) => name === "search")?.bindings).toEqual({ query: ["[redacted]"] });
  const { rows: calls } = await db.execute("SELECT bindings, rows FROM scratchpad.calls WHERE relation = 'search'");
  expect(calls).toEqual([{ bindings: { query: ["[redacted]"] }, rows: null }]);
  expect(JSON.stringify(await db.execute("SELECT * FROM scratchpad.calls"))).not.toContain(word);
});

describe("writes", () => {
  const insert = "INSERT INTO notes (id, title, body) SELECT id, 'a', word FROM vault";

  test("staged ones are shown to the host as they are and to readers without hidden values", async () => {
    const { db } = await world();
    const { staged } = await db.execute(`BEGIN; ${insert}`);
    expect(staged?.map(({ sql, rows }) => ({ sql, rows }))).toEqual([
      {
        sql: "INSERT INTO notes (id, title, body) VALUES (1, 'a', '[redacted]')",
        rows: [{ id: 1, title: "a", body: "[redacted]" }],
      },
      {
        sql: "INSERT INTO notes (id, title, body) VALUES (2, 'a', '[redacted]')",
        rows: [{ id: 2, title: "a", body: "[redacted]" }],
      },
    ]);
    const listed = await db.execute("SELECT * FROM scratchpad.staged_writes");
    expect(JSON.stringify(listed)).not.toContain(word);
    expect(JSON.stringify(await db.explain("SELECT 1"))).not.toContain(word);
    expect(db.preview()[0].rows).toEqual([{ id: 1, title: "a", body: word }]);
  });

  test("what a model gets of staged writes has no hidden values, whichever verb wrote them", async () => {
    const { db } = await world();
    await db.execute("INSERT INTO notes (id, title) VALUES (7, 'x')");
    const run = buildExecuteSqlTool(db);
    const answers = [
      await run.execute({ sql: `BEGIN; ${insert}` }),
      await run.execute({ sql: "UPDATE notes SET body = v.word FROM vault v WHERE notes.id = 7 AND v.id = 1" }),
      await run.execute({ sql: "SELECT 1" }),
      await run.execute({ sql: "SELECT * FROM scratchpad.staged_writes" }),
      await run.execute({ sql: "EXPLAIN SELECT 1" }),
      await run.execute({ sql: "SAVEPOINT a" }),
      await buildExplainSqlTool(db).execute({ sql: "COMMIT" }),
    ];
    expect(answers.map(({ ok }) => ok)).toEqual(answers.map(() => true));
    expect(answers[1]).toMatchObject({
      data: { staged: expect.arrayContaining(["UPDATE notes SET body = '[redacted]' WHERE id = 7"]) },
    });
    expect(JSON.stringify(answers)).not.toContain(word);
    expect(JSON.stringify(db.preview())).toContain(word);
  });

  test("approval sees what is sent", async () => {
    const seen: unknown[] = [];
    const approve = async (views: readonly unknown[]) => {
      seen.push(...views);
      return true;
    };
    const { db } = await world({ policy: { approve } });
    await db.execute(insert);
    expect(JSON.stringify(seen)).toContain(word);
  });

  test("receipts leave out what a service says of hidden values", async () => {
    const { db, sent } = await world();
    const { receipts } = await db.execute(`BEGIN; ${insert}; COMMIT`);
    expect(receipts?.map(({ status }) => status)).toEqual(["fired", "fired"]);
    expect(JSON.stringify(receipts)).not.toContain(word);
    expect(JSON.stringify(sent)).toContain(word);
  });

  test.each([insert, `BEGIN; ${insert}; COMMIT`])("a failing tool's words are left out: %s", async (sql) => {
    const { db } = await world({ echoes: true });
    const error = await failure(db.execute(sql));
    expect(error.code).toBe("HV000");
    expect(error.receipts?.map(({ status }) => status)).toEqual(["failed", "not_tried"]);
    const { message, detail, hint, receipts, cause } = error;
    expect(JSON.stringify({ message, detail, hint, receipts, cause })).not.toContain(word);
    expect(JSON.stringify(await db.execute("SELECT * FROM scratchpad.calls"))).not.toContain(word);
    expect(JSON.stringify(await db.execute("SELECT * FROM scratchpad.statements"))).not.toContain(word);
  });
});

describe("what is written has the labels of what it is made of", () => {
  const insert = "INSERT INTO notes (id, body) SELECT id, upper(word) FROM vault";

  test("in the transaction, and not after ROLLBACK", async () => {
    const { db } = await world();
    await db.execute(`BEGIN; ${insert}`);
    expect((await failure(db.execute("SELECT body FROM notes"))).code).toBe("42501");
    await db.execute("ROLLBACK");
    expect((await db.execute("SELECT body FROM notes")).rows).toEqual([]);
  });

  test("after COMMIT in every session, through a second table too", async () => {
    const { db } = await world();
    await db.execute(`BEGIN; ${insert}; COMMIT`);
    const other = db.session();
    expect((await failure(other.execute("SELECT body FROM notes"))).code).toBe("42501");
    await other.execute("INSERT INTO notes (id, title) SELECT id + 10, body FROM notes WHERE id = 1");
    expect((await failure(db.execute("SELECT title FROM notes"))).code).toBe("42501");
    expect((await db.execute("SELECT id FROM notes ORDER BY id")).rows).toEqual([{ id: 1 }, { id: 2 }, { id: 11 }]);
    db.invalidate("notes");
    expect((await db.execute("SELECT title FROM notes WHERE id = 2")).rows).toEqual([{ title: null }]);
  });

  test("what decided that rows were written counts under strict rules", async () => {
    const { db } = await world({ flows: [{ label: "secret", to: "result", strict: true }], policy: {} });
    // The count of the rows is a result already.
    expect((await failure(db.execute("INSERT INTO notes (id) SELECT id FROM vault WHERE word LIKE 'h%'"))).code).toBe(
      "42501",
    );
  });

  test("staged changes of one session are no affair of another", async () => {
    const { db } = await world();
    await db.execute(`BEGIN; ${insert}`);
    expect((await db.session().execute("SELECT body FROM notes")).rows).toEqual([]);
  });
});

test("results carry the labels of each column", async () => {
  const { db } = await world({ flows: [] });
  const sql = "SELECT id, word || id::text AS w, (SELECT max(size) FROM vault) AS m, 1 AS one FROM vault ORDER BY id";
  const { fields } = await db.execute(sql);
  expect(fields).toEqual([
    { name: "id", type: "bigint" },
    { name: "w", type: "text", labels: ["secret"] },
    { name: "m", type: "integer", labels: ["secret"] },
    { name: "one", type: "integer" },
  ]);
});

test("a mask that shows the same for every row leaves no label", async () => {
  const { db } = await world({ policy: { tables: { vault: { mask: { word: "redact" } } } } });
  expect((await db.execute("SELECT word FROM vault")).rows).toEqual([{ word: "[redacted]" }, { word: "[redacted]" }]);
  expect((await failure(db.execute("SELECT size FROM vault"))).code).toBe("42501");
});

test("EXPLAIN ANALYZE does not tell how large hidden values are", async () => {
  const { db } = await world();
  const { rows } = await db.execute("EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT id FROM vault");
  expect(rows.map((row) => row["QUERY PLAN"])).toEqual(["Resource Scan on vault  (calls=1 pages=1 rows=2)"]);
  const json = await db.execute("EXPLAIN (ANALYZE, FORMAT JSON) SELECT id FROM vault");
  expect(JSON.stringify(json.rows)).not.toContain("Bytes");
});
