/** Relations, verbs and functions: decided on the bound plan, whatever form the statement has. No call is made. */
import { describe, expect, test } from "vitest";
import { Database, type Policy, SqlError } from "../../../src/index.js";
import { Recorder } from "../../support/recording.js";

const columns = [
  { name: "id", type: "int", nullable: false },
  { name: "text", type: "text" },
];

async function world(policy: Policy) {
  const recorder = new Recorder();
  const db = await Database.create({ policy: { writes: true, unboundedWrites: true, ...policy } });
  const verbs = ["select", "insert", "update", "delete"] as const;
  const table = (name: string) =>
    recorder.resource({ name, columns, primaryKey: ["id"], verbs: [...verbs], rows: [{ id: 1, text: `of ${name}` }] });
  for (const name of ["notes", "vault", "vault_keys", "outbox", "toString", "constructor", "Odd Name", "star*"])
    db.register(table(name));
  db.register(table("leads"), { schema: "crm" });
  db.register(table("vault"), { schema: "crm" });
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

/** Forms in which a statement may read a relation. */
const readings = (t: string): string[] => [
  `SELECT * FROM ${t}`,
  `TABLE ${t}`,
  `SELECT 1 FROM ${t}`,
  `SELECT count(*) FROM ${t}`,
  `SELECT x FROM ${t} x`,
  `SELECT x.* FROM ${t} AS x (a, b)`,
  `/* notes */ SELECT * FROM ONLY ${t}`,
  `SELECT * FROM notes, ${t} x`,
  `SELECT * FROM notes n LEFT JOIN ${t} x ON false`,
  `SELECT * FROM notes n, LATERAL (SELECT * FROM ${t} x WHERE x.id = n.id) y`,
  `SELECT (SELECT max(text) FROM ${t}) FROM notes`,
  `SELECT ARRAY(SELECT text FROM ${t})`,
  `SELECT id FROM notes WHERE id IN (SELECT id FROM ${t})`,
  `SELECT id FROM notes WHERE EXISTS (SELECT FROM ${t})`,
  `SELECT id FROM notes WHERE (id, text) = (SELECT id, text FROM ${t} LIMIT 1)`,
  `SELECT id FROM notes ORDER BY (SELECT count(*) FROM ${t})`,
  `SELECT count(*) FROM notes GROUP BY (SELECT max(id) FROM ${t})`,
  `SELECT count(*) FROM notes HAVING (SELECT true FROM ${t} LIMIT 1)`,
  `SELECT row_number() OVER (ORDER BY (SELECT max(id) FROM ${t})) FROM notes`,
  `SELECT id FROM notes LIMIT (SELECT max(id) FROM ${t})`,
  `SELECT id FROM notes OFFSET (SELECT max(id) FROM ${t})`,
  `SELECT CASE WHEN false THEN (SELECT text FROM ${t}) END`,
  `SELECT generate_series(1, (SELECT max(id) FROM ${t}))`,
  `SELECT * FROM generate_series(1, (SELECT max(id) FROM ${t})) g`,
  `SELECT 1 WHERE false AND EXISTS (SELECT FROM ${t})`,
  `SELECT id FROM notes UNION SELECT id FROM ${t}`,
  `WITH x AS (SELECT * FROM ${t}) SELECT * FROM x`,
  `WITH x AS (SELECT * FROM ${t}) SELECT 1`,
  `WITH RECURSIVE x AS (SELECT id FROM ${t} UNION SELECT id FROM x) SELECT * FROM x`,
  `WITH notes AS (SELECT * FROM ${t}) SELECT * FROM notes`,
  `EXPLAIN SELECT * FROM ${t}`,
  `EXPLAIN ANALYZE SELECT * FROM ${t}`,
  `VALUES ((SELECT text FROM ${t}))`,
  `INSERT INTO notes SELECT * FROM ${t}`,
  `INSERT INTO notes VALUES (9, (SELECT text FROM ${t}))`,
  `INSERT INTO notes VALUES (9, 'x') RETURNING (SELECT text FROM ${t})`,
  `INSERT INTO notes VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET text = (SELECT text FROM ${t})`,
  `UPDATE notes SET text = (SELECT text FROM ${t})`,
  `UPDATE notes SET text = x.text FROM ${t} x`,
  `UPDATE notes SET text = 'x' WHERE id = (SELECT max(id) FROM ${t})`,
  `UPDATE notes SET (id, text) = (SELECT id, text FROM ${t})`,
  `DELETE FROM notes USING ${t} x`,
  `DELETE FROM notes WHERE id IN (SELECT id FROM ${t})`,
  `MERGE INTO notes USING ${t} x ON notes.id = x.id WHEN MATCHED THEN DELETE`,
  `WITH w AS (DELETE FROM notes RETURNING (SELECT text FROM ${t})) SELECT * FROM w`,
  `BEGIN; SELECT * FROM ${t}; COMMIT`,
];

/** Forms in which a statement may write one. */
const writings = (t: string): string[] => [
  `INSERT INTO ${t} VALUES (9, 'x')`,
  `UPDATE ${t} SET text = 'x'`,
  `DELETE FROM ${t}`,
  `MERGE INTO ${t} x USING notes n ON n.id = x.id WHEN MATCHED THEN DELETE`,
  `WITH w AS (INSERT INTO ${t} VALUES (9, 'x')) SELECT 1`,
  `EXPLAIN DELETE FROM ${t}`,
  `BEGIN; UPDATE ${t} SET text = 'x'; COMMIT`,
];

describe.each<[string, Policy, string]>([
  ["denied by name", { relations: { deny: ["vault"] } }, 'Decided by policy.relations.deny: "vault".'],
  ["denied by a pattern", { relations: { deny: ["va*"] } }, 'Decided by policy.relations.deny: "va*".'],
  [
    "denied with its schema",
    { relations: { deny: ["public.vault"] } },
    'Decided by policy.relations.deny: "public.vault".',
  ],
  ["allowed and denied", { relations: { allow: ["*"], deny: ["*ult"] } }, 'Decided by policy.relations.deny: "*ult".'],
  [
    "not allowed",
    { relations: { allow: ["notes", "information_schema.*"] } },
    "Decided by policy.relations.allow, which does not list it.",
  ],
])("a relation %s", (_name, policy, detail) => {
  test.each([
    ...readings("vault"),
    ...writings("vault"),
    ...readings("public.vault").slice(0, 2),
    'SELECT * FROM U&"v\\0061ult"',
  ])("%s", async (sql) => {
    const { db, recorder } = await world(policy);
    const error = await refusal(db.execute(sql));
    expect(error).toMatchObject({ code: "42501", detail });
    expect(error.message).toMatch(/^permission denied for table (public\.)?vault$/);
    expect(error.position).toBeGreaterThan(0);
    expect(recorder.calls).toEqual([]);
  });
});

test("a denied relation shows nowhere", async () => {
  const { db } = await world({ relations: { deny: ["vault*", "crm.*", "scratchpad.calls"] } });
  const shown = [
    "SELECT table_schema, table_name FROM information_schema.tables",
    "SELECT table_schema, table_name, column_name FROM information_schema.columns",
    "SELECT schema_name FROM information_schema.schemata",
    "SELECT name, tables FROM scratchpad.sources",
    "SELECT * FROM catalog.search('vault leads crm text')",
  ];
  for (const sql of shown) {
    const text = JSON.stringify((await db.execute(sql, { limit: 1_000 })).rows);
    expect(text).not.toMatch(/vault|leads|crm/);
  }
  for (const sql of [
    "SELECT * FROM vaul",
    "SELECT * FROM lead",
    "SELECT * FROM crm.lead",
    "SELECT * FROM nowhere",
    "SELECT valt.text FROM notes",
    "SELECT NULL::vault",
    "SELECT 'vault'::regclass",
    "SELECT nothing()",
  ]) {
    const { message, detail = "", hint = "" } = await refusal(db.execute(sql));
    // A name that the statement itself has may be said again; none that it has not.
    expect([message, detail, hint].join("\n")).not.toMatch(/vault_keys|leads|scratchpad\.calls/);
  }
});

test("a denied name is refused alike whether there is such a table or not", async () => {
  const { db } = await world({ relations: { deny: ["vault*"] } });
  const there = await refusal(db.execute("SELECT * FROM vault_keys"));
  const notThere = await refusal(db.execute("SELECT * FROM vault_kezs"));
  expect(notThere.message.replace("kezs", "keys")).toBe(there.message);
  expect(notThere.detail).toBe(there.detail);
});

test("a CTE of a denied name is the statement's own", async () => {
  const { db } = await world({ relations: { deny: ["vault"] } });
  expect((await db.execute("WITH vault AS (SELECT 1 AS a) SELECT * FROM vault")).rows).toEqual([{ a: 1 }]);
});

describe("names and patterns", () => {
  test.each<[Policy["relations"], string[], string[]]>([
    [{ deny: ["vault"] }, ["vault"], ["notes", "vault_keys", "crm.vault"]],
    [{ deny: ["crm.*"] }, ["crm.leads", "crm.vault"], ["vault"]],
    [{ deny: ["crm*"] }, ["crm.leads"], ["notes"]],
    [{ deny: ["*vault"] }, ["vault", "crm.vault"], ["vault_keys"]],
    [{ deny: ["*"] }, ["notes", "crm.vault", "information_schema.tables", "scratchpad.calls"], []],
    [{ deny: ["pub*"] }, [], ["notes"]],
    [{ deny: ["public.*"] }, ["notes"], ["crm.leads"]],
    [{ deny: ["__proto__", "constructor"] }, ['"__proto__"', "constructor"], ["notes"]],
    [{ deny: ["Odd Name"] }, ['"Odd Name"'], ["notes"]],
    [{ deny: ["star*"] }, ['"star*"'], ["notes"]],
    [{ deny: ["VAULT"] }, [], ["vault"]],
    [{ deny: ["[a-z]+", "vaul?", "vault|notes", "^vault$"] }, [], ["vault", "notes"]],
    [{ allow: [] }, ["notes", "information_schema.tables"], []],
    [{ allow: ["notes", "vault*"], deny: ["vault_*"] }, ["vault_keys", "outbox"], ["notes", "vault"]],
    [{ deny: ["information_schema.*"] }, ["information_schema.columns"], ["notes"]],
    [{ deny: ["*a*a*a*a*a*a*a*a*a*a*b"] }, [], ["notes"]],
  ])("%j", async (relations, refused, allowed) => {
    const { db } = await world({ relations });
    for (const name of refused) expect((await refusal(db.execute(`SELECT * FROM ${name}`))).code).toBe("42501");
    for (const name of allowed) await db.execute(`SELECT * FROM ${name}`);
  });
});

describe("verbs", () => {
  const noSelect: Policy = { tables: { outbox: { verbs: ["insert", "update", "delete"] } } };
  const selectOnly: Policy = { tables: { outbox: { verbs: ["select"] } } };
  const noDelete: Policy = { tables: { "*": { verbs: ["select", "insert", "update"] } } };
  const insertOnly: Policy = { tables: { outbox: { verbs: ["insert"] } } };

  test.each<[Policy, string]>([
    ...readings("outbox").map((sql) => [noSelect, sql] as [Policy, string]),
    ...writings("outbox").map((sql) => [selectOnly, sql] as [Policy, string]),
    [noSelect, "UPDATE outbox SET text = 'x' WHERE text = 'y'"],
    [noSelect, "UPDATE outbox SET text = 'x' WHERE id = 1"],
    [noSelect, "UPDATE outbox SET text = text || 'x'"],
    [noSelect, "UPDATE outbox SET text = 'x' RETURNING id"],
    [noSelect, "UPDATE outbox SET text = 'x' RETURNING outbox"],
    [noSelect, "UPDATE outbox SET text = (SELECT outbox.text)"],
    [noSelect, "UPDATE outbox o SET text = 'x' FROM notes n WHERE n.id = o.id"],
    [noSelect, "DELETE FROM outbox WHERE id = 1"],
    [noSelect, "DELETE FROM outbox RETURNING *"],
    [noSelect, "DELETE FROM outbox USING notes n WHERE n.text = outbox.text"],
    [noSelect, "INSERT INTO outbox VALUES (9, 'x') RETURNING id"],
    [noSelect, "INSERT INTO outbox VALUES (9, 'x') ON CONFLICT DO NOTHING"],
    [noSelect, "INSERT INTO outbox VALUES (9, 'x') ON CONFLICT (id) DO UPDATE SET text = 'x'"],
    [noSelect, "WITH w AS (DELETE FROM outbox RETURNING text) SELECT 1"],
    [insertOnly, "INSERT INTO outbox VALUES (9, 'x') ON CONFLICT (id) DO UPDATE SET text = 'x'"],
    [noDelete, "DELETE FROM notes WHERE id = 1"],
    [noDelete, "MERGE INTO notes n USING outbox o ON n.id = o.id WHEN MATCHED AND false THEN DELETE"],
    [{ tables: { "*": { verbs: ["select"] }, notes: { verbs: ["insert"] } } }, "SELECT * FROM notes"],
    [{ tables: { "*": { verbs: ["select"] }, notes: { verbs: ["insert"] } } }, "INSERT INTO notes VALUES (9, 'x')"],
    [{ tables: { notes: { verbs: [] } } }, "SELECT * FROM notes"],
    [{ tables: { "crm.*": { verbs: [] } } }, "SELECT * FROM crm.leads"],
    [{ tables: { toString: { verbs: [] } } }, 'SELECT * FROM "toString"'],
    [{ tables: { "scratchpad.*": { verbs: [] } } }, "SELECT * FROM scratchpad.calls"],
  ])("%j refuses %s", async (policy, sql) => {
    const { db, recorder } = await world(policy);
    const error = await refusal(db.execute(sql));
    expect(error.code).toBe("42501");
    expect(error.detail).toMatch(/^Decided by policy\.tables\[".+"\]\.verbs, which allows [A-Z, none]+\.$/);
    expect(recorder.calls).toEqual([]);
  });

  test.each<[Policy, string]>([
    [noSelect, "INSERT INTO outbox VALUES (9, 'x')"],
    [noSelect, "INSERT INTO outbox VALUES (9, 'x') RETURNING 1 AS one"],
    [noSelect, "INSERT INTO outbox SELECT id, text FROM notes"],
    [noSelect, "UPDATE outbox SET text = 'x'"],
    [noSelect, "DELETE FROM outbox"],
    [selectOnly, "SELECT * FROM outbox"],
    [noDelete, "UPDATE notes SET text = 'x' WHERE id = 1"],
  ])("%j allows %s", async (policy, sql) => {
    const { db } = await world(policy);
    await db.execute(sql);
  });

  test("information_schema lists the verbs that are left", async () => {
    const { db } = await world(selectOnly);
    const { rows } = await db.execute(
      "SELECT verbs, is_insertable_into FROM information_schema.tables WHERE table_name = 'outbox'",
    );
    expect(rows).toEqual([{ verbs: ["select"], is_insertable_into: "NO" }]);
  });
});

describe("functions", () => {
  test.each<[Policy["functions"], string]>([
    [{ deny: ["md5"] }, "SELECT md5('x')"],
    [{ deny: ["md5"] }, "SELECT pg_catalog.md5('x')"],
    [{ deny: ["md5"] }, 'SELECT "md5"(text) FROM notes'],
    [{ deny: ["md*"] }, "SELECT id FROM notes WHERE md5(text) = ''"],
    [{ deny: ["md5"] }, "SELECT id FROM notes ORDER BY md5(text)"],
    [{ deny: ["md5"] }, "SELECT id FROM notes LIMIT length(md5('x'))"],
    [{ deny: ["md5"] }, "SELECT count(*) FILTER (WHERE md5(text) = '') FROM notes"],
    [{ deny: ["md5"] }, "SELECT 1 WHERE false AND md5('x') = ''"],
    [{ deny: ["md5"] }, "INSERT INTO notes VALUES (9, md5('x'))"],
    [{ deny: ["md5"] }, "INSERT INTO notes VALUES (9, 'x') RETURNING md5(text)"],
    [
      { deny: ["md5"] },
      "INSERT INTO notes VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET text = 'x' WHERE md5(notes.text) = ''",
    ],
    [{ deny: ["md5"] }, "WITH w AS (UPDATE notes SET text = md5('x') RETURNING 1) SELECT 1"],
    [{ deny: ["md5"] }, "MERGE INTO notes n USING outbox o ON n.id = o.id WHEN MATCHED AND md5('x') = '' THEN DELETE"],
    [{ deny: ["count"] }, "SELECT count(*) FROM notes"],
    [{ deny: ["sum"] }, "SELECT sum(id) OVER () FROM notes"],
    [{ deny: ["row_number"] }, "SELECT row_number() OVER () FROM notes"],
    [{ deny: ["generate_series"] }, "SELECT * FROM generate_series(1, 2)"],
    [{ deny: ["generate_series"] }, "SELECT generate_series(1, 2)"],
    [{ deny: ["catalog.search"] }, "SELECT * FROM catalog.search('x')"],
    [{ deny: ["catalog.*"] }, "SELECT catalog.search('x')"],
    [{ deny: ["now"] }, "SELECT current_timestamp"],
    [{ deny: ["current_user"] }, "SELECT current_user"],
    [{ deny: ["substring"] }, "SELECT substring('x' FROM 1)"],
    [{ deny: ["extract"] }, "SELECT extract(year FROM now())"],
    [{ allow: ["count"] }, "SELECT sum(id) FROM notes"],
    [{ allow: ["count", "sum"], deny: ["s*"] }, "SELECT sum(id) FROM notes"],
    [{ allow: [] }, "SELECT lower('x')"],
    [{ deny: ["random"] }, "EXPLAIN SELECT random()"],
  ])("%j refuses %s", async (functions, sql) => {
    const { db, recorder } = await world({ functions });
    const error = await refusal(db.execute(sql));
    expect(error).toMatchObject({ code: "42501" });
    expect(error.message).toMatch(/^permission denied for function /);
    expect(error.detail).toMatch(/^Decided by policy\.functions\.(deny: "|allow, which does not list it)/);
    expect(recorder.calls).toEqual([]);
  });

  test.each<[Policy["functions"], string]>([
    [{ allow: ["count"] }, "SELECT count(*) FROM notes WHERE id + 1 > 0 AND text || 'x' LIKE '%x' AND id::text <> ''"],
    [{ allow: [] }, "SELECT CASE WHEN id = 1 THEN coalesce(text, 'x') END FROM notes"],
    [{ deny: ["md5"] }, "SELECT 'md5(1)' AS md5"],
    [{ deny: ["md5"] }, "WITH md5 AS (SELECT 1 AS md5) SELECT md5 FROM md5"],
  ])("%j allows %s", async (functions, sql) => {
    const { db } = await world({ functions });
    await db.execute(sql);
  });
});

test("EXPLAIN has a line for each rule that applies", async () => {
  const { db } = await world({
    tables: {
      "n*": { verbs: ["select"] },
      notes: { rowFilter: "id > 0", mask: { text: "redact" } },
      vault: { verbs: [] },
    },
  });
  const { text, plan } = await db.explain("SELECT * FROM notes");
  expect(text.split("\n").filter((line) => line.includes("Policy:"))).toEqual([
    '  Policy: policy.tables["n*"] on notes: verbs SELECT',
    '  Policy: policy.tables["notes"] on notes: row filter id > 0; mask text: redact',
  ]);
  expect(plan.details).toContain('Policy: policy.tables["n*"] on notes: verbs SELECT');
});

test("a policy with thousands of rules decides as one with few", async () => {
  const many = Array.from({ length: 5_000 }, (_, i) => `hidden_${i}`);
  const { db } = await world({
    relations: { deny: [...many, "vault", ...many.map((name) => `${name}*x`)] },
    tables: Object.fromEntries(many.map((name) => [name, { verbs: ["select" as const] }])),
  });
  expect((await refusal(db.execute("SELECT * FROM vault"))).code).toBe("42501");
  expect((await db.execute("SELECT id FROM notes")).rows).toEqual([{ id: 1 }]);
});
