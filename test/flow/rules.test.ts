/** Single rules, one kind of place after the other: results, written columns, arguments, groups, redaction. */
import { describe, expect, test } from "vitest";
import { Database, type Flow, type HostFunction, type ResourceColumn, type Row, SqlError } from "../../src/index.js";
import { Recorder } from "../support/recording.js";

const people: readonly Row[] = [
  { id: 1, team: "a", name: "Ann", salary: 100 },
  { id: 2, team: "a", name: "Bob", salary: 200 },
  { id: 3, team: "a", name: "Cid", salary: 300 },
  { id: 4, team: "b", name: "Dan", salary: 900 },
];
const all = ["select", "insert", "update", "delete"] as const;

async function world(flows: readonly Flow[], functions: readonly HostFunction[] = []) {
  const recorder = new Recorder();
  const db = await Database.create({ policy: { writes: true, unboundedWrites: true, flows }, functions });
  const add = (name: string, columns: ResourceColumn[], rows: readonly Row[] = []) =>
    db.register(
      recorder.resource({
        name,
        columns,
        ...(name !== "nokey" && { primaryKey: ["id"] }),
        rows: rows.map((row) => ({ ...row })),
        verbs: [...all],
      }),
    );
  const id: ResourceColumn = { name: "id", type: "bigint", nullable: false };
  const columns: ResourceColumn[] = [
    id,
    { name: "team", type: "text" },
    { name: "name", type: "text", labels: ["pii"] },
    { name: "salary", type: "int", labels: ["pay"] },
  ];
  add("people", columns, people);
  add(
    "notes",
    [id, { name: "title", type: "text" }, { name: "body", type: "text" }],
    [{ id: 1, title: "Ann", body: "b" }],
  );
  add("nokey", [{ name: "salary", type: "int", labels: ["pay"] }, id], [{ salary: 1, id: 1 }]);
  db.register(
    recorder.resource({
      name: "directory",
      columns: [
        { name: "who", type: "text", requiredKey: true },
        { name: "phone", type: "text" },
      ],
      rows: people.map(({ name }) => ({ who: name, phone: `+${String(name).length}` })),
    }),
  );
  return { db, recorder };
}

async function failure(run: Promise<unknown>): Promise<SqlError> {
  try {
    await run;
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("refusals", () => {
  test("name the label, the way of the value, the rule and what to do, and call nothing", async () => {
    const { db, recorder } = await world([{ label: "pii", to: "result" }]);
    const error = await failure(
      db.execute("WITH x AS (SELECT upper(name) AS n FROM people) SELECT n || '!' AS loud FROM x"),
    );
    expect({ code: error.code, message: error.message, detail: error.detail, hint: error.hint }).toEqual({
      code: "42501",
      message: 'values labelled "pii" may not go to the result',
      detail: 'Column "loud" is made of people.name (people.name → n → loud → result). Rule: pii → result.',
      hint: "Leave people.name out; the host's policy decides where it may go.",
    });
    expect(recorder.calls).toEqual([]);
  });

  test.each([
    {
      rule: { label: "pii", to: "notes.body" },
      sql: "INSERT INTO notes (id, body) SELECT id, name FROM people",
      refused: true,
    },
    {
      rule: { label: "pii", to: "notes.body" },
      sql: "INSERT INTO notes (id, title) SELECT id, name FROM people",
      refused: false,
    },
    {
      rule: { label: "pii", to: "notes.*" },
      sql: "INSERT INTO notes (id, title) SELECT id, name FROM people",
      refused: true,
    },
    {
      rule: { label: "pii", to: "public.notes.*" },
      sql: "UPDATE notes SET body = name FROM people WHERE people.id = notes.id",
      refused: true,
    },
    { rule: { label: "pii", to: "people.*" }, sql: "UPDATE people SET name = upper(name)", refused: false },
    { rule: { label: "pii", to: "people.*" }, sql: "UPDATE people SET team = name", refused: true },
    {
      rule: { label: "pii", to: "notes.*" },
      sql: "DELETE FROM notes USING people WHERE people.name = notes.title",
      refused: false,
    },
    {
      rule: { label: "pii", to: "notes.*", strict: true },
      sql: "DELETE FROM notes USING people WHERE people.name = notes.title",
      refused: true,
    },
    {
      rule: { label: "pii", to: "notes.body", strict: true },
      sql: "UPDATE notes SET body = 'x' FROM people WHERE people.name = notes.title",
      refused: true,
    },
    {
      rule: { label: "pii", to: "notes.body", strict: true },
      sql: "UPDATE notes SET title = 'x' FROM people WHERE people.name = notes.title",
      refused: false,
    },
    {
      rule: { label: "pii", to: "directory.who" },
      sql: "SELECT phone FROM directory d JOIN people p ON p.name = d.who",
      refused: true,
    },
    {
      rule: { label: "pii", to: "directory.who" },
      sql: "SELECT phone FROM directory WHERE who = (SELECT max(name) FROM people)",
      refused: true,
    },
    {
      rule: { label: "pii", to: "directory.who" },
      sql: "SELECT phone FROM directory WHERE who IN ('Ann', 'Bob')",
      refused: false,
    },
    {
      rule: { label: "pii", to: "people.*" },
      sql: "SELECT a.id FROM people a JOIN people b ON a.name = b.name",
      refused: false,
    },
    { rule: { label: "pii", to: "result" }, sql: "SELECT id FROM people WHERE name LIKE 'A%'", refused: false },
    {
      rule: { label: "pii", to: "result", strict: true },
      sql: "SELECT id FROM people WHERE name LIKE 'A%'",
      refused: true,
    },
    { rule: { label: "other", to: "result", strict: true }, sql: "SELECT name FROM people", refused: false },
  ] as const)("$rule.label → $rule.to (strict: $rule.strict) of: $sql", async ({ rule, sql, refused }) => {
    const { db } = await world([rule]);
    if (refused) expect((await failure(db.execute(sql))).code).toBe("42501");
    else expect((await db.execute(sql)).rowCount).toBeGreaterThan(0);
  });

  test("a script that would leak in its last statement runs none of it", async () => {
    const { db, recorder } = await world([{ label: "pii", to: "result" }]);
    const error = await failure(
      db.execute("BEGIN; INSERT INTO notes (id, body) SELECT id + 10, name FROM people; SELECT body FROM notes"),
    );
    expect(error.code).toBe("42501");
    expect(recorder.calls).toEqual([]);
  });
});

describe("aggregates over a minimum of rows", () => {
  const flows: readonly Flow[] = [{ label: "pay", to: "result", aggregate: { minGroup: 3 } }];

  test.each([
    {
      name: "small groups are left out",
      sql: "SELECT team, avg(salary)::int AS pay FROM people GROUP BY team",
      rows: [{ team: "a", pay: 200 }],
    },
    {
      name: "HAVING stays",
      sql: "SELECT team, count(salary) FROM people GROUP BY team HAVING team < 'b'",
      rows: [{ team: "a", count: 3 }],
    },
    { name: "all rows are a group", sql: "SELECT sum(salary) AS sum FROM people", rows: [{ sum: 1500 }] },
    { name: "a group that a condition makes small", sql: "SELECT sum(salary) FROM people WHERE id = 4", rows: [] },
    { name: "a FILTER that makes it small", sql: "SELECT sum(salary) FILTER (WHERE id = 4) FROM people", rows: [] },
    {
      name: "NULLs that make it small",
      sql: "SELECT sum(s.salary) FROM people p LEFT JOIN people s ON s.id = p.id AND s.id = 4",
      rows: [],
    },
    {
      name: "a row that a join repeats",
      sql: "SELECT sum(salary) FROM people, generate_series(1, 5) WHERE id = 4",
      rows: [],
    },
    {
      name: "a row that weighs more",
      sql: "SELECT avg(salary) FROM people, LATERAL generate_series(1, CASE id WHEN 4 THEN 1000 ELSE 1 END)",
      rows: [],
    },
    { name: "LIMIT below", sql: "SELECT sum(salary) FROM (SELECT salary FROM people ORDER BY id LIMIT 1) q", rows: [] },
    {
      name: "through a projection",
      sql: "SELECT sum(q.pay * 12) AS year FROM (SELECT salary AS pay FROM people) q",
      rows: [{ year: 18000 }],
    },
    {
      name: "beside other columns",
      sql: "SELECT p.team, n.title, count(*), sum(p.salary) FROM people p JOIN notes n ON n.id = 1 GROUP BY 1, 2",
      rows: [{ team: "a", title: "Ann", count: 3, sum: 600 }],
    },
    {
      name: "in a subquery",
      sql: "SELECT (SELECT avg(salary) FROM people WHERE team = 'b') AS b, (SELECT avg(salary)::int FROM people) AS everybody",
      rows: [{ b: null, everybody: 375 }],
    },
    {
      name: "grouping sets",
      sql: "SELECT team, sum(salary) FROM people GROUP BY ROLLUP (team) ORDER BY team",
      rows: [
        { team: "a", sum: 600 },
        { team: null, sum: 1500 },
      ],
    },
  ])("$name", async ({ sql, rows }) => {
    const { db } = await world(flows);
    const result = await db.execute(sql);
    expect(result.rows).toEqual(rows);
    expect(result.notices?.map(({ message }) => message)).toContain(
      "groups of fewer than 3 rows are left out by policy",
    );
  });

  test.each([
    "SELECT max(salary) FROM people",
    "SELECT array_agg(salary) FROM people",
    "SELECT string_agg(salary::text, ',') FROM people",
    "SELECT sum(CASE WHEN id = 4 THEN salary ELSE 0 END) FROM people",
    "SELECT sum(salary * (id = 4)::int) FROM people",
    "SELECT sum(s) FROM (SELECT CASE WHEN id = 4 THEN salary ELSE 0 END AS s FROM people) q",
    "SELECT sum(salary * salary) FROM people",
    "SELECT sum(salary % 7) FROM people",
    "SELECT count(*) FILTER (WHERE salary = 900) FROM people",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY salary) FROM people",
    "SELECT avg(salary) OVER () FROM people",
    "SELECT salary FROM people GROUP BY salary",
    "SELECT sum(salary) FROM nokey",
    "SELECT sum(salary) FROM (SELECT salary FROM people UNION ALL SELECT 0) q",
    "WITH one AS (SELECT salary FROM people WHERE id = 4) SELECT sum(salary) FROM one",
    "EXPLAIN ANALYZE SELECT sum(salary) FROM people WHERE id = 4",
  ])("refused: %s", async (sql) => {
    const { db } = await world(flows);
    expect((await failure(db.execute(sql))).code).toBe("42501");
  });

  test("several rules hold together: the largest group, and a refusal wins", async () => {
    const larger = await world([...flows, { label: "pay", to: "result", aggregate: { minGroup: 4 } }]);
    expect((await larger.db.execute("SELECT team, sum(salary) FROM people GROUP BY team")).rows).toEqual([]);
    const refused = await world([...flows, { label: "pay", to: "result" }]);
    expect((await failure(refused.db.execute("SELECT sum(salary) FROM people"))).code).toBe("42501");
  });

  test("a statistic that was written is free of the label; the values would not be", async () => {
    const { db } = await world([...flows, { label: "pay", to: "notes.*", aggregate: { minGroup: 3 } }]);
    await db.execute("INSERT INTO notes (id, body) SELECT 20, avg(salary)::int::text FROM people");
    expect((await db.execute("SELECT body FROM notes WHERE id = 20")).rows).toEqual([{ body: "375" }]);
    expect(
      (await failure(db.execute("INSERT INTO notes (id, body) SELECT id + 30, salary::text FROM people"))).code,
    ).toBe("42501");
  });
});

describe("redaction", () => {
  test("texts are [redacted], other types NULL; rows, order and other columns stay", async () => {
    const { db } = await world([
      { label: "pii", to: "result", redact: true },
      { label: "pay", to: "result", redact: true },
    ]);
    const sql =
      "SELECT id, name, 'x' || name AS x, salary + 1 AS more, ARRAY[name] AS list FROM people WHERE id < 3 ORDER BY name DESC";
    const { rows, fields } = await db.execute(sql);
    expect(rows).toEqual([
      { id: 2, name: "[redacted]", x: "[redacted]", more: null, list: null },
      { id: 1, name: "[redacted]", x: "[redacted]", more: null, list: null },
    ]);
    expect(fields.map(({ labels }) => labels)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  test("aggregates over enough rows are let through, values are redacted, by one rule", async () => {
    const { db } = await world([{ label: "pay", to: "result", redact: true, aggregate: { minGroup: 3 } }]);
    expect((await db.execute("SELECT sum(salary) AS sum, max(salary) AS max FROM people")).rows).toEqual([
      { sum: 1500, max: null },
    ]);
  });

  test("of written values, in every kind of write", async () => {
    const { db, recorder } = await world([{ label: "pii", to: "notes.*", redact: true }]);
    await db.execute("INSERT INTO notes (id, title, body) SELECT 10, team, name FROM people WHERE id = 1");
    await db.execute("UPDATE notes SET body = name FROM people WHERE people.id = notes.id AND notes.id = 1");
    await db.execute(
      "INSERT INTO notes (id, body) SELECT 1, name FROM people WHERE id = 1 ON CONFLICT (id) DO UPDATE SET title = excluded.body",
    );
    const merge = "MERGE INTO notes USING people p ON notes.id = p.id WHEN MATCHED THEN UPDATE SET body = p.name";
    await db.execute(merge);
    const written = recorder.calls.filter(({ op }) => op !== undefined).map(({ rows, set }) => rows ?? set);
    expect(written).toEqual([
      [{ id: 10, title: "a", body: "[redacted]" }],
      { body: "[redacted]" },
      { title: "[redacted]" },
      { body: "[redacted]" },
    ]);
  });

  test("RETURNING", async () => {
    const { db } = await world([{ label: "pii", to: "result", redact: true }]);
    const { rows } = await db.execute("UPDATE people SET team = 'c' WHERE id = 1 RETURNING id, name, team");
    expect(rows).toEqual([{ id: 1, name: "[redacted]", team: "c" }]);
  });
});

describe("functions of the host", () => {
  const initial: HostFunction = {
    name: "initial_of",
    arguments: ["text"],
    returns: "text",
    volatility: "immutable",
    declassifies: ["pii"],
    call: (name: string) => `${name[0]}.`,
  };

  test("take labels off that they are declared to take off, and no others", async () => {
    const { db } = await world([{ label: "pii", to: "result", strict: true }], [initial]);
    expect((await db.execute("SELECT initial_of(name) AS i FROM people ORDER BY id LIMIT 2")).rows).toEqual([
      { i: "A." },
      { i: "B." },
    ]);
    expect((await failure(db.execute("SELECT initial_of(name) || name FROM people"))).code).toBe("42501");
    const error = await failure(db.execute("SELECT name FROM people"));
    expect(error.hint).toContain("initial_of(…)");
    const { db: other } = await world(
      [{ label: "pay", to: "result" }],
      [{ ...initial, name: "of_pay", arguments: ["int"] }],
    );
    expect((await failure(other.execute("SELECT of_pay(salary) FROM people"))).code).toBe("42501");
  });

  test("are found with and without their schema, like other functions, and take part in denials", async () => {
    const { db } = await world([], [initial]);
    expect((await db.execute("SELECT public.initial_of('Eve') AS a, initial_of(NULL) AS b")).rows).toEqual([
      { a: "E.", b: null },
    ]);
    expect((await failure(db.execute("SELECT initial_of(1)"))).code).toBe("42883");
  });

  test("a document may have a field that promises have, too", async () => {
    const rule: HostFunction = {
      name: "rule_of",
      arguments: ["text"],
      returns: "jsonb",
      call: (then: string) => ({ then }),
    };
    const { db } = await world([], [rule]);
    expect((await db.execute("SELECT rule_of('x') AS r")).rows).toEqual([{ r: { then: "x" } }]);
  });

  test.each([
    {
      name: "an error",
      call: () => {
        throw new Error("no such name");
      },
      detail: "no such name",
    },
    { name: "a promise", call: async () => "x", detail: "it gave a promise; a function has to give its value at once" },
    {
      name: "a promise that fails later",
      call: () => Promise.reject(new Error("later")),
      detail: "it gave a promise; a function has to give its value at once",
    },
    { name: "a value of another type", call: () => ({ a: 1 }), detail: "it gave a value that is not a text" },
  ])("$name is 38000", async ({ call, detail }) => {
    const { db } = await world([], [{ ...initial, call }]);
    const error = await failure(db.execute("SELECT initial_of(team) FROM people"));
    expect({ code: error.code, message: error.message, detail: error.detail }).toEqual({
      code: "38000",
      message: "function initial_of failed",
      detail,
    });
  });

  test.each([
    { functions: [{ ...initial, name: "upper" }], message: 'function "upper": SQL has a function of this name' },
    { functions: [initial, initial], message: 'function "initial_of" is there twice' },
    { functions: [{ ...initial, arguments: ["texd"] }], message: 'function "initial_of": type "texd" does not exist' },
    { functions: [{ ...initial, call: 1 as never }], message: 'function "initial_of": call must be a function' },
  ])("wrong at create: $message", async ({ functions, message }) => {
    await expect(Database.create({ functions })).rejects.toThrow(new TypeError(message));
  });
});
