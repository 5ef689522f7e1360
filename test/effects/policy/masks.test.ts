/** Masks: what a statement reads of a masked column is the mask, in every place and on every way out. */
import { describe, expect, test } from "vitest";
import {
  type Bindings,
  Database,
  type DatabaseOptions,
  defineResource,
  type Policy,
  type Row,
  SqlError,
} from "../../../src/index.js";
import { emptyPglite } from "../../support/pglite.js";
import { Recorder } from "../../support/recording.js";

const secret = "hunter2";
const phone = "555-0100";

const people: readonly Row[] = [
  { id: 1, name: "Ann", password: secret, phone, salary: 4_711, note: "a" },
  { id: 2, name: "Bob", password: `${secret}x`, phone: "555-0101", salary: 4_712, note: null },
  { id: 3, name: "Cy", password: null, phone, salary: null, note: "c" },
  { id: 4, name: "Di", password: secret, phone: null, salary: 4_711, note: "d" },
];

const mask = { password: "redact", phone: "hash", salary: "null" } as const;

async function world(policy: Partial<Policy> = {}, options: Partial<DatabaseOptions> = {}) {
  const recorder = new Recorder();
  const db = await Database.create({
    policy: { writes: true, maskKey: "k", tables: { people: { mask } }, ...policy },
    ...options,
  });
  db.register(
    recorder.resource({
      name: "people",
      primaryKey: ["id"],
      verbs: ["select", "insert", "update", "delete"],
      columns: [
        { name: "id", type: "int", nullable: false },
        { name: "name", type: "text", nullable: false },
        { name: "password", type: "varchar(20)", operators: ["like", "<", ">"] },
        { name: "phone", type: "text" },
        { name: "salary", type: "int", operators: ["<", ">"] },
        { name: "note", type: "text" },
      ],
      rows: people.map((row) => ({ ...row })),
    }),
  );
  db.register(
    recorder.resource({
      name: "notes",
      verbs: ["select", "insert"],
      columns: [
        { name: "id", type: "int" },
        { name: "text", type: "text" },
      ],
      rows: [{ id: 1, text: phone }],
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

/** Everything that a result or an error says. */
async function said(db: Database, sql: string): Promise<string> {
  const outcome = await db.execute(sql, { limit: 1_000 }).catch((error: SqlError) => ({
    message: error.message,
    detail: error.detail,
    hint: error.hint,
  }));
  return JSON.stringify(outcome);
}

test("what is shown", async () => {
  const { db } = await world();
  const { rows } = await db.execute("SELECT id, password, phone, salary FROM people ORDER BY id");
  const hash = rows[0].phone;
  expect(hash).toMatch(/^[0-9a-f]{16}$/);
  expect(rows).toEqual([
    { id: 1, password: "[redacted]", phone: hash, salary: null },
    { id: 2, password: "[redacted]", phone: expect.stringMatching(/^[0-9a-f]{16}$/), salary: null },
    { id: 3, password: "[redacted]", phone: hash, salary: null },
    { id: 4, password: "[redacted]", phone: null, salary: null },
  ]);
  expect(rows[1].phone).not.toBe(hash);
});

test("information_schema describes the columns as statements see them", async () => {
  const { db } = await world();
  const { rows } = await db.execute(
    "SELECT column_name, is_nullable, operators, description FROM information_schema.columns WHERE table_name = 'people' AND column_name IN ('note', 'phone', 'salary') ORDER BY 1",
  );
  expect(rows).toEqual([
    { column_name: "note", is_nullable: "YES", operators: ["="], description: null },
    {
      column_name: "phone",
      is_nullable: "YES",
      operators: [],
      description: "(masked: hashes are shown, the same for equal values)",
    },
    { column_name: "salary", is_nullable: "YES", operators: [], description: "(masked: the values are not shown)" },
  ]);
});

test("hashes are the same in every process with a maskKey, and others without", async () => {
  const hashOf = async (policy: Partial<Policy>) =>
    (await (await world(policy)).db.execute("SELECT phone FROM people WHERE id = 1")).rows[0].phone;
  expect(await hashOf({ maskKey: "a" })).toBe(await hashOf({ maskKey: "a" }));
  expect(await hashOf({ maskKey: "a" })).not.toBe(await hashOf({ maskKey: "b" }));
  const plain: Partial<Policy> = {};
  const { db } = await world({ ...plain, tables: { people: { mask: { phone: "hash" } } } });
  const own = await Database.create({ policy: { tables: { people: { mask: { phone: "hash" } } } } });
  own.register(
    new Recorder().resource({ name: "people", columns: [{ name: "phone", type: "text" }], rows: [{ phone }] }),
  );
  const [kept, random] = [db, own].map(
    async (one) => (await one.execute("SELECT phone FROM people LIMIT 1")).rows[0].phone,
  );
  expect(await random).not.toBe(await kept);
  const guess = await own.execute(`SELECT 1 FROM people WHERE phone = left(encode(sha256('${phone}'), 'hex'), 16)`);
  expect(guess.rows).toEqual([]);
});

describe("a statement can't find out what stands behind a mask", () => {
  const probes = [
    `SELECT id FROM people WHERE password = '${secret}'`,
    "SELECT id FROM people WHERE password IS NULL",
    "SELECT id FROM people WHERE password LIKE 'h%'",
    "SELECT id FROM people WHERE salary > 0",
    "SELECT id FROM people WHERE salary IS NOT NULL",
    "SELECT id FROM people WHERE salary = ANY (ARRAY[4711])",
    `SELECT id FROM people WHERE phone = '${phone}'`,
    "SELECT p.id FROM people p JOIN notes n ON n.text = p.phone",
    "SELECT id FROM people WHERE CASE WHEN salary = 4711 THEN 1 / (id - id) END = 1",
    "SELECT id FROM people WHERE starts_with(people::text, '(1,Ann,h')",
    "SELECT id FROM people WHERE to_jsonb(people) ->> 'salary' = '4711'",
    "SELECT sum(salary), max(salary) FROM people HAVING count(salary) > 0",
    "DELETE FROM people WHERE password = 'hunter2'",
    "UPDATE people SET note = 'x' WHERE salary = 4711",
    "UPDATE people SET note = 'x' WHERE salary IS NOT NULL",
    "INSERT INTO people (id, name) VALUES (1, 'Ann') ON CONFLICT (id) DO UPDATE SET note = 'x' WHERE people.salary = 4711",
    "MERGE INTO people p USING notes n ON n.text = p.phone WHEN MATCHED THEN UPDATE SET note = 'x'",
  ];
  test.each(probes)("%s", async (sql) => {
    const { db, recorder } = await world();
    const { rows, rowCount } = await db.execute(sql);
    expect(rows).toEqual([]);
    expect(rowCount).toBe(0);
    const calls = recorder.take();
    expect(calls.filter(({ op }) => op !== undefined)).toEqual([]);
    expect(JSON.stringify(calls)).not.toMatch(/password|salary|phone/);
  });

  test.each([
    ["SELECT id FROM people ORDER BY password, id", [1, 2, 3, 4]],
    ["SELECT id FROM people ORDER BY salary DESC, id", [1, 2, 3, 4]],
    ["SELECT max(id) AS id FROM people GROUP BY password", [4]],
    ["SELECT max(id) AS id FROM people GROUP BY salary", [4]],
    ["SELECT count(DISTINCT password) AS id FROM people", [1]],
    ["SELECT first_value(id) OVER (ORDER BY salary, id) AS id FROM people LIMIT 1", [1]],
  ])("%s", async (sql, ids) => {
    const { db } = await world();
    expect((await db.execute(sql)).rows.map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    "SELECT * FROM people",
    "SELECT people FROM people",
    "SELECT row_to_json(p) FROM people p",
    "SELECT password::int FROM people",
    "SELECT password || 'x', upper(password), salary + 1 FROM people",
    "SELECT string_agg(password, ','), jsonb_agg(phone) FROM people",
    "WITH x AS (SELECT * FROM people) SELECT * FROM x",
    "EXPLAIN ANALYZE SELECT * FROM people WHERE password = 'x'",
    "SELECT * FROM scratchpad.calls",
    "SELECT * FROM people WHERE password = 'nothing like it'",
    "UPDATE people SET note = 'x' WHERE id = 1 RETURNING *",
    "UPDATE people SET note = 'x' WHERE name = 'Ann' RETURNING people",
    "DELETE FROM people WHERE name = 'Ann' RETURNING *",
    "INSERT INTO people (id, name) VALUES (1, 'Ann') ON CONFLICT (id) DO UPDATE SET note = 'x' RETURNING *",
    "INSERT INTO people (id, name) VALUES (1, 'Ann') ON CONFLICT (id) DO NOTHING RETURNING *",
    "WITH gone AS (DELETE FROM people WHERE name = 'Ann' RETURNING *) SELECT * FROM gone",
  ])("%s says nothing of it", async (sql) => {
    const { db } = await world();
    await db.execute("SELECT * FROM people");
    expect(await said(db, sql)).not.toMatch(/hunter2|555-01|471[12]/);
  });
});

describe("writes", () => {
  test("a masked column is written as it is given, and returned as the mask", async () => {
    const { db, recorder } = await world();
    const { rows } = await db.execute(
      "INSERT INTO people VALUES (9, 'Eve', 'new', '1', 5, NULL) RETURNING password, phone, salary, salary IS NULL AS gone",
    );
    expect(rows).toEqual([
      { password: "[redacted]", phone: expect.stringMatching(/^[0-9a-f]{16}$/), salary: null, gone: true },
    ]);
    expect(recorder.take()).toEqual([
      {
        table: "people",
        op: "insert",
        rows: [{ id: 9, name: "Eve", password: "new", phone: "1", salary: 5, note: null }],
      },
    ]);
    await db.execute("UPDATE people SET password = 'newer' WHERE id = 9");
    expect(recorder.take()).toEqual([{ table: "people", op: "update", set: { password: "newer" }, args: { id: [9] } }]);
    const read = await db.execute("SELECT password, phone FROM people WHERE id = 9");
    expect(read.rows).toEqual([{ password: "[redacted]", phone: rows[0].phone }]);
  });

  test("what is staged is masked for reads too", async () => {
    const { db } = await world();
    await db.execute("BEGIN; INSERT INTO people VALUES (9, 'Eve', 'topsecret', '1', 5, NULL)");
    expect(await said(db, "SELECT * FROM people WHERE id = 9")).not.toContain('topsecret"}');
    expect((await db.execute("SELECT password, salary FROM people WHERE id = 9")).rows).toEqual([
      { password: "[redacted]", salary: null },
    ]);
  });

  test.each([
    "UPDATE people SET note = password WHERE id = 1",
    "UPDATE people SET password = password WHERE id = 1",
    "UPDATE people SET password = upper(password) WHERE id = 1",
    "UPDATE people SET note = CASE WHEN salary > 1 THEN 'rich' ELSE 'poor' END WHERE id = 1",
    "UPDATE people SET note = (SELECT max(q.password) FROM people q) WHERE id = 1",
    "UPDATE people SET (note, name) = (SELECT q.phone, 'x' FROM people q LIMIT 1) WHERE id = 1",
    "UPDATE people SET note = q.phone FROM people q WHERE q.id = people.id",
    "INSERT INTO notes SELECT id, password FROM people",
    "INSERT INTO notes SELECT id, people::text FROM people",
    "INSERT INTO notes SELECT count(*), string_agg(phone, ',') FROM people",
    "INSERT INTO notes SELECT 1, max(phone) OVER () FROM people",
    "INSERT INTO notes VALUES (1, (SELECT phone FROM people LIMIT 1))",
    "INSERT INTO notes SELECT 1, x FROM people, unnest(ARRAY[phone]) x",
    "INSERT INTO notes SELECT 1, 'x' UNION SELECT id, phone FROM people",
    "INSERT INTO notes WITH a AS (SELECT phone FROM people), b AS (SELECT * FROM a) SELECT 1, phone FROM b",
    "INSERT INTO notes WITH RECURSIVE r(n, t) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, (SELECT max(phone) FROM people) FROM r WHERE n < 3) SELECT * FROM r",
    "WITH gone AS (DELETE FROM people WHERE id = 1 RETURNING phone) INSERT INTO notes SELECT 1, phone FROM gone",
    "INSERT INTO people (id, name) VALUES (1, 'Ann') ON CONFLICT (id) DO UPDATE SET note = people.password",
    "MERGE INTO notes n USING people p ON n.id = p.id WHEN NOT MATCHED THEN INSERT VALUES (p.id, p.phone)",
    "MERGE INTO people p USING notes n ON n.id = p.id WHEN MATCHED THEN UPDATE SET note = p.password",
    "EXPLAIN INSERT INTO notes SELECT id, password FROM people",
  ])("%s would write the mask", async (sql) => {
    const { db, recorder } = await world({ unboundedWrites: true });
    const error = await refusal(db.execute(sql));
    expect(error.code).toBe("42501");
    expect(error.message).toMatch(/^column "(password|phone|salary)" is masked and can't be written$/);
    expect(recorder.calls).toEqual([]);
  });

  test.each([
    "INSERT INTO notes SELECT id, name FROM people WHERE phone IS NOT NULL",
    "INSERT INTO notes SELECT 1, 'x' WHERE EXISTS (SELECT phone FROM people)",
    "INSERT INTO people (id, name, password) VALUES (1, 'Ann', 'x') ON CONFLICT (id) DO UPDATE SET password = excluded.password",
  ])("%s writes no mask", async (sql) => {
    const { db, recorder } = await world();
    await db.execute(sql);
    expect(recorder.take().some(({ op }) => op !== undefined)).toBe(true);
  });
});

test("a backend that works the statement out has the masks alone", async () => {
  const backend = await emptyPglite();
  const { db } = await world({}, { backend });
  for (const sql of [
    "SELECT * FROM people",
    "SELECT people::text FROM people",
    "SELECT max(password), sum(salary) FROM people",
  ])
    expect(await said(db, sql)).not.toMatch(/hunter2|555-01|471[12]/);
  const built = (await (await world()).db.execute("SELECT phone FROM people ORDER BY id")).rows;
  expect((await db.execute("SELECT phone FROM people ORDER BY id")).rows).toEqual(built);
}, 240_000);

test("a value that is none of its type is not shown by the error", async () => {
  const db = await Database.create({ policy: { tables: { t: { mask: { a: "hash", b: "null" } } } } });
  db.register(
    defineResource({
      name: "t",
      volatility: "volatile",
      columns: [
        { name: "a", type: "text" },
        { name: "b", type: "int" },
      ],
      select: (_: Bindings) => [{ a: { hidden: secret }, b: secret }],
    }),
  );
  expect(await said(db, "SELECT b FROM t")).not.toContain(secret);
  expect(await said(db, "SELECT a FROM t")).not.toContain(secret);
});

test("of two masks the one that shows less is taken", async () => {
  const { db } = await world({
    tables: {
      "p*": { mask: { phone: "hash", password: "redact" } },
      people: { mask: { phone: "redact", password: "null" } },
    },
  });
  expect((await db.execute("SELECT phone, password FROM people LIMIT 1")).rows).toEqual([
    { phone: "[redacted]", password: null },
  ]);
});

test("columns named like inherited properties", async () => {
  const policy = { tables: { t: { mask: { constructor: "redact", toString: "null" } } } } as unknown as Policy;
  const db = await Database.create({ policy });
  db.register(
    new Recorder().resource({
      name: "t",
      columns: [
        { name: "constructor", type: "text" },
        { name: "toString", type: "int" },
        { name: "valueOf", type: "text" },
      ],
      rows: [{ constructor: secret, toString: 1, valueOf: "x" } as unknown as Row, {}],
    }),
  );
  expect((await db.execute('SELECT constructor, "toString", "valueOf" FROM t')).rows).toEqual([
    { constructor: "[redacted]", toString: null, valueOf: "x" },
    { constructor: "[redacted]", toString: null, valueOf: null },
  ]);
});

describe("masks that don't fit the table are refused when it is registered", () => {
  const table = (recorder: Recorder) =>
    recorder.resource({
      name: "crm_people",
      primaryKey: ["id"],
      verbs: ["select", "update"],
      columns: [
        { name: "id", type: "int", nullable: false },
        { name: "box", type: "text", requiredKey: true },
        { name: "note", type: "text" },
        { name: "n", type: "int" },
      ],
    });
  test.each<[Policy["tables"], string]>([
    [
      { crm_people: { mask: { notes: "null" } } },
      'policy.tables["crm_people"].mask["notes"]: table "crm_people" has no column "notes"; perhaps you meant "note"',
    ],
    [{ "crm_*": { mask: { box: "redact" } } }, "the table can't be read without a value for it"],
    [{ "crm_*": { mask: { id: "null" } } }, "rows are updated and deleted by it"],
    [{ "*": { mask: { n: "hash" } } }, 'it is integer, and hash shows a text; use "null"'],
  ])("%j", async (tables, message) => {
    const db = await Database.create({ policy: { tables } });
    expect(() => db.register(table(new Recorder()))).toThrow(message);
    expect(db.catalog.has("crm_people")).toBe(false);
  });

  test("a pattern may name a column that only some of its tables have", async () => {
    const db = await Database.create({ policy: { tables: { "crm_*": { mask: { tax_id: "null" } } } } });
    db.register(table(new Recorder()));
    expect(db.catalog.has("crm_people")).toBe(true);
  });

  test("system relations take no masks", async () => {
    const policy: Policy = { tables: { "scratchpad.calls": { mask: { relation: "null" } } } };
    await expect(Database.create({ policy })).rejects.toThrow('"scratchpad.calls" is no resource');
  });
});
