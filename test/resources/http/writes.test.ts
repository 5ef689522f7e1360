/** Writes: one request each, with every column in it; what became of it is told as far as it is known. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { HttpVerbs } from "../../../src/resources/connectors/http/definition.js";
import { httpDatabase } from "../../support/http-database.js";
import { closedPort, type ServedAnswer, startTestServer, type TestServer } from "../../support/http-server.js";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(() => {
  server.take();
  server.answer(() => ({ status: 204 }));
});
afterAll(() => server.close());

const schema = z.object({
  repo: z.string(),
  id: z.int(),
  title: z.string().nullable(),
  big: z.bigint().nullable(),
  note: z.string().nullable(),
});
const verbs: HttpVerbs = {
  select: { method: "GET", path: "/{repo}", rows: "items" },
  insert: {
    method: "POST",
    path: "/{repo}",
    body: { id: "{id}", title: "{title}", big: "{big}" },
    fields: { title: "name" },
  },
  update: { method: "PATCH", path: "/{repo}/{id}", body: { title: "{title}", big: "{big}" } },
  delete: { method: "DELETE", path: "/{repo}/{id}", headers: { "Idempotency-Key": "{$idempotencyKey}" } },
};
const table = { schema, keys: ["repo"], primaryKey: ["repo", "id"], verbs } as const;
const sent = () => server.requests.splice(0).map(({ method, target, body }) => `${method} ${target} ${body}`.trim());

test("each verb is one request a row", async () => {
  const db = await httpDatabase(server.url, table);
  await db.execute("INSERT INTO t (repo, id, title) VALUES ('a/b', 1, 'x'), ('c', 2, NULL)");
  await db.execute("UPDATE t SET title = NULL, big = 9007199254740993 WHERE repo = 'a/b' AND id = 1");
  await db.execute("DELETE FROM t WHERE repo = 'c' AND id IN (2, 3)");
  const keys = server.requests.slice(3).map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(2);
  expect(sent()).toEqual([
    'POST /a%2Fb {"id":1,"title":"x"}',
    'POST /c {"id":2,"title":null}',
    'PATCH /a%2Fb/1 {"title":null,"big":9007199254740993}',
    "DELETE /c/2",
    "DELETE /c/3",
  ]);
});

test("a staged write is sent at COMMIT, with the key that preview shows", async () => {
  const db = await httpDatabase(server.url, table);
  await db.execute("BEGIN; DELETE FROM t WHERE repo = 'c' AND id = 2");
  expect(server.requests).toEqual([]);
  const [{ idempotencyKey }] = db.preview();
  await db.execute("COMMIT");
  expect(server.requests.map(({ headers }) => headers["idempotency-key"])).toEqual([idempotencyKey]);
});

test("what the service answers is what RETURNING and the receipt give", async () => {
  server.answer(() => ({
    status: 201,
    text: '{"id": 7, "name": "named", "big": 9007199254740993}',
    headers: { "content-type": "application/json" },
  }));
  const db = await httpDatabase(server.url, table);
  const { rows } = await db.execute(
    "INSERT INTO t (repo, id, title) VALUES ('c', 1, 'x') RETURNING id, title, big, repo",
  );
  expect(rows).toEqual([{ id: 7, title: "named", big: "9007199254740993", repo: "c" }]);
  const { receipts } = await db.execute("BEGIN; INSERT INTO t (repo, id) VALUES ('c', 1); COMMIT");
  expect(JSON.parse(JSON.stringify(receipts))).toMatchObject([
    { status: "fired", result: { id: 7, big: "9007199254740993" } },
  ]);
});

test("the answer to a write is read by the fields of select; what it does not say stays as it was written", async () => {
  const db = await httpDatabase(server.url, {
    ...table,
    verbs: {
      ...verbs,
      select: { method: "GET", path: "/{repo}", fields: { title: "meta.title", note: "meta.note" } },
      insert: { method: "POST", path: "/{repo}", body: { id: "{id}", title: "{title}", note: "{note}" } },
    },
  });
  server.answer(() => ({ status: 201, json: { id: 1, meta: { note: null } } }));
  const sql = "INSERT INTO t (repo, id, title, note) VALUES ('c', 1, 'x', 'n') RETURNING title, note";
  expect((await db.execute(sql)).rows).toEqual([{ title: "x", note: null }]);
  server.answer(() => ({ status: 201, json: { id: 1, meta: { title: "y" } } }));
  expect((await db.execute(sql)).rows).toEqual([{ title: "y", note: "n" }]);
});

test.each<{ name: string; answer: ServedAnswer; result: string | undefined }>([
  {
    name: "words",
    answer: { status: 200, text: "created", headers: { "content-type": "text/plain" } },
    result: "created",
  },
  {
    name: "broken JSON",
    answer: { status: 200, text: "{", headers: { "content-type": "application/json" } },
    result: "{",
  },
  { name: "nothing", answer: { status: 202 }, result: undefined },
  { name: "303: look there", answer: { status: 303, headers: { location: "/x" } }, result: undefined },
])("a write that succeeded is fired, whatever the answer is: $name", async ({ answer, result }) => {
  server.answer(() => answer);
  const db = await httpDatabase(server.url, table);
  const { receipts } = await db.execute("BEGIN; DELETE FROM t WHERE repo = 'c' AND id = 1; COMMIT");
  expect(receipts).toMatchObject([{ status: "fired" }]);
  expect(receipts?.[0].result).toEqual(result);
  expect(server.take()).toHaveLength(1);
});

describe("a column without a place in the request is refused, and nothing is sent", () => {
  test.each([
    { name: "insert", sql: "INSERT INTO t (repo, id, note) VALUES ('c', 1, 'n')", column: "note" },
    { name: "update", sql: "UPDATE t SET title = 'x', note = 'n' WHERE repo = 'c' AND id = 1", column: "note" },
    { name: "a new key", sql: "UPDATE t SET note = NULL WHERE repo = 'c' AND id = 1", column: "note" },
  ])("$name", async ({ sql, column }) => {
    const db = await httpDatabase(server.url, table);
    await expect(db.execute(sql)).rejects.toMatchObject({
      code: "0A000",
      message: expect.stringContaining(`"${column}"`),
    });
    expect(server.take()).toEqual([]);
  });

  test.each([
    { name: "alone", sql: "UPDATE t SET id = 2 WHERE repo = 'c' AND id = 1" },
    { name: "beside others", sql: "UPDATE t SET title = 'x', repo = 'd' WHERE repo = 'c' AND id = 1" },
    { name: "in a transaction", sql: "BEGIN; UPDATE t SET id = 2 WHERE repo = 'c' AND id = 1; COMMIT" },
  ])("another value for the key that finds the row, $name: the request would be for another row", async ({ sql }) => {
    const db = await httpDatabase(server.url, table);
    await expect(db.execute(sql)).rejects.toMatchObject({
      code: "0A000",
      message: expect.stringMatching(/^column "(id|repo)" finds the row, and can't be given another value$/),
      hint: expect.stringContaining("out of SET"),
    });
    expect(server.take()).toEqual([]);
  });

  test("the value that the key has already may be set", async () => {
    const db = await httpDatabase(server.url, table);
    await db.execute("UPDATE t SET id = 1, title = 'x' WHERE repo = 'c' AND id = 1");
    expect(sent()).toEqual(['PATCH /c/1 {"title":"x"}']);
  });

  test("NULL in a form: an insert leaves it to the service, an update is refused", async () => {
    const form = { id: "{id}", title: "{title}" };
    const db = await httpDatabase(server.url, {
      ...table,
      verbs: {
        ...verbs,
        insert: { method: "POST", path: "/{repo}", form },
        update: { method: "PUT", path: "/{repo}/{id}", form },
      },
    });
    await db.execute("INSERT INTO t (repo, id, title) VALUES ('c', 1, NULL)");
    await expect(db.execute("UPDATE t SET title = NULL WHERE repo = 'c' AND id = 1")).rejects.toMatchObject({
      code: "0A000",
      message: expect.stringContaining('the service of table "t" can\'t be told that "title" is NULL'),
    });
    expect(sent()).toEqual(["POST /c id=1"]);
  });

  test("an INSERT without a value for the path", async () => {
    const db = await httpDatabase(server.url, table);
    await expect(db.execute("INSERT INTO t (id) VALUES (1)")).rejects.toMatchObject({
      code: expect.stringMatching(/^(HV002|23502)$/),
    });
    expect(server.take()).toEqual([]);
  });
});

test.each([
  "SELECT title FROM t WHERE repo = 'c'",
  "DELETE FROM t WHERE repo = 'c' AND id = 1",
  "BEGIN; DELETE FROM t WHERE repo = 'c' AND id = 1; COMMIT",
])("what failed says what to do next: %s", async (sql) => {
  server.answer(() => ({ status: 403, json: { message: "no access to c" } }));
  const db = await httpDatabase(server.url, {
    ...table,
    service: { auth: { kind: "bearer", token: { env: "TOKEN" } } },
    options: { env: { TOKEN: "secret-token" } },
  });
  await expect(db.execute(sql)).rejects.toMatchObject({
    code: "HV000",
    detail: expect.stringContaining("no access to c"),
    hint: "Check the value of TOKEN, and what it gives access to.",
  });
});

describe("what became of a write that failed", () => {
  const cases: { name: string; answer: ServedAnswer; status: "failed" | "unknown"; code: string }[] = [
    { name: "400", answer: { status: 400, json: { message: "m" } }, status: "failed", code: "HV000" },
    { name: "401", answer: { status: 401, json: { message: "m" } }, status: "failed", code: "HV000" },
    { name: "404", answer: { status: 404, json: { message: "m" } }, status: "failed", code: "HV000" },
    { name: "409", answer: { status: 409, json: { message: "m" } }, status: "failed", code: "HV000" },
    { name: "422", answer: { status: 422, json: { message: "m" } }, status: "failed", code: "HV000" },
    {
      name: "429 with Retry-After",
      answer: { status: 429, json: { message: "m" }, headers: { "retry-after": "0" } },
      status: "failed",
      code: "HV000",
    },
    { name: "503: it was not taken", answer: { status: 503, json: { message: "m" } }, status: "failed", code: "HV000" },
    {
      name: "500: perhaps after the work",
      answer: { status: 500, json: { message: "m" } },
      status: "unknown",
      code: "40003",
    },
    { name: "502 of a gateway", answer: { status: 502, text: "m" }, status: "unknown", code: "40003" },
    { name: "504 of a gateway", answer: { status: 504, text: "m" }, status: "unknown", code: "40003" },
    {
      name: "302 to a write",
      answer: { status: 302, headers: { location: "/login" } },
      status: "unknown",
      code: "40003",
    },
    { name: "a connection that breaks", answer: { fault: "reset" }, status: "unknown", code: "40003" },
    {
      name: "an answer that is cut off",
      answer: { json: { id: 1, long: "x".repeat(100) }, fault: "cut" },
      status: "unknown",
      code: "40003",
    },
  ];

  test.each(cases)("$name is $status, and is not tried again", async ({ answer, status, code }) => {
    server.answer(() => answer);
    const db = await httpDatabase(server.url, table);
    const error = await db
      .execute("BEGIN; DELETE FROM t WHERE repo = 'c' AND id = 1; COMMIT")
      .catch((thrown) => thrown);
    expect(error.receipts).toMatchObject([{ status, error: { code } }]);
    expect(server.take()).toEqual(["DELETE /c/1"]);
  });

  test("a service that is not there has got nothing", async () => {
    const db = await httpDatabase(`http://127.0.0.1:${await closedPort()}`, table);
    const error = await db
      .execute("BEGIN; DELETE FROM t WHERE repo = 'c' AND id = 1; COMMIT")
      .catch((thrown) => thrown);
    expect(error.receipts).toMatchObject([{ status: "failed", error: { code: "08001" } }]);
  });

  test("a time-out after sending is unknown", async () => {
    server.answer(() => ({ json: {}, fault: "hang" }));
    const db = await httpDatabase(server.url, table);
    const statement = db.execute("BEGIN; DELETE FROM t WHERE repo = 'c' AND id = 1; COMMIT", { timeoutMs: 100 });
    const error = await statement.catch((thrown) => thrown);
    expect(error.receipts).toMatchObject([{ status: "unknown", error: { code: "40003" } }]);
    expect(server.take()).toHaveLength(1);
  });

  test("404 to a DELETE is done, when the verb says so", async () => {
    server.answer(() => ({ status: 404, json: {} }));
    const db = await httpDatabase(server.url, {
      ...table,
      verbs: { ...verbs, delete: { method: "DELETE", path: "/{repo}/{id}", errors: { empty: [404] } } },
    });
    const { receipts } = await db.execute("BEGIN; DELETE FROM t WHERE repo = 'c' AND id = 1; COMMIT");
    expect(receipts).toMatchObject([{ status: "fired" }]);
  });

  test("307 sends the same request to the new address", async () => {
    server.answer(({ target }) =>
      target === "/c" ? { status: 307, headers: { location: "/d" } } : { status: 201, json: {} },
    );
    const db = await httpDatabase(server.url, table);
    await db.execute("INSERT INTO t (repo, id) VALUES ('c', 1)");
    expect(sent()).toEqual(['POST /c {"id":1}', 'POST /d {"id":1}']);
  });
});

describe("what no request can carry is refused before anything is sent or staged", () => {
  const form = {
    ...table,
    verbs: { ...verbs, insert: { method: "POST", path: "/{repo}", form: { title: "{title}" } } },
  };
  test.each([
    { name: "a column without a place", sql: "INSERT INTO t (repo, note) VALUES ('c', 'x')", code: "0A000", in: table },
    { name: "an UPDATE of one", sql: "UPDATE t SET note = 'x' WHERE repo = 'c' AND id = 1", code: "0A000", in: table },
    { name: "in a later row", sql: "INSERT INTO t (repo, id) VALUES ('c', 1), ('', 2)", code: "22023", in: table },
    {
      name: "a path that would lead elsewhere",
      sql: "INSERT INTO t (repo, id) VALUES ('..', 1)",
      code: "22023",
      in: table,
    },
    {
      name: "a column without a place in a form",
      sql: "INSERT INTO t (repo, id) VALUES ('c', 1)",
      code: "0A000",
      in: form,
    },
  ] as const)("$name", async ({ sql, code, in: definition }) => {
    const db = await httpDatabase(server.url, definition as typeof table);
    await db.execute("BEGIN");
    await db.execute("DELETE FROM t WHERE repo = 'c' AND id = 2");
    await expect(db.execute(sql)).rejects.toMatchObject({ code });
    await db.execute("ROLLBACK");
    expect(db.preview()).toEqual([]);
    await expect(db.execute(sql)).rejects.toMatchObject({ code });
    expect(sent()).toEqual([]);
  });
});

describe("one request for all rows", () => {
  const batch = {
    ...table,
    batch: { insert: true },
    verbs: {
      ...verbs,
      insert: {
        method: "POST",
        path: "/{repo}",
        body: { items: { $rows: { id: "{id}", title: "{title}", label: "{repo}: {note}" } }, kind: "many" },
        rows: "items",
        fields: { title: "name" },
      },
    },
  } as const;

  test("carries each, and gives each its answer", async () => {
    const db = await httpDatabase(server.url, batch);
    server.answer(({ body }) => ({
      status: 201,
      json: {
        items: JSON.parse(body).items.map(({ id, title }: Record<string, unknown>) => ({ id, name: `${title}!` })),
      },
    }));
    const { rows, receipts } = await db.execute(
      "BEGIN; INSERT INTO t (repo, id, title, note) VALUES ('c', 1, 'x', 'p'), ('c', 2, NULL, 'q'); COMMIT",
    );
    expect(rows).toEqual([]);
    expect(receipts).toMatchObject([{ status: "fired" }]);
    const returned = await db.execute(
      "INSERT INTO t (repo, id, title) VALUES ('c', 3, 'y'), ('c', 4, 'z') RETURNING id, title, repo",
    );
    expect(returned.rows).toEqual([
      { id: 3, title: "y!", repo: "c" },
      { id: 4, title: "z!", repo: "c" },
    ]);
    expect(sent()).toEqual([
      'POST /c {"items":[{"id":1,"title":"x","label":"c: p"},{"id":2,"title":null,"label":"c: q"}],"kind":"many"}',
      'POST /c {"items":[{"id":3,"title":"y"},{"id":4,"title":"z"}],"kind":"many"}',
    ]);
  });

  test.each([
    {
      name: "rows that differ where there is one place",
      values: "('c', 1, 'x', 'p'), ('d', 2, 'y', 'q')",
      column: "repo",
    },
    {
      name: "a value of one row that has no place",
      values: "('c', 1, 'x', 'p'), ('c', 2, 'y', '')",
      column: undefined,
    },
    { name: "a NULL of one row in a text", values: "('c', 1, 'x', 'p'), ('c', 2, 'y', NULL)", column: undefined },
  ])("$name", async ({ values, column }) => {
    const db = await httpDatabase(server.url, batch);
    const statement = db.execute(`INSERT INTO t (repo, id, title, note) VALUES ${values}`);
    if (column === undefined) return expect(await statement).toMatchObject({ rowCount: 2 });
    await expect(statement).rejects.toMatchObject({
      code: "0A000",
      message: `rows of table "t" that are inserted together must agree in "${column}"`,
      hint: `Insert the rows of each "${column}" by a statement of their own.`,
    });
    expect(sent()).toEqual([]);
  });

  test("a place for the rows and batch.insert belong together", async () => {
    const { batch: _, ...single } = batch;
    await expect(httpDatabase(server.url, single)).rejects.toThrow('{ "$rows": … } is for an insert with batch');
    await expect(httpDatabase(server.url, { ...table, batch: { insert: true } })).rejects.toThrow(
      "batch.insert needs a place",
    );
  });
});

describe("an answer of success that says it failed", () => {
  const failing = {
    ...table,
    verbs: Object.fromEntries(
      Object.entries(verbs).map(([name, verb]) => [
        name,
        { ...verb, errors: { failed: "ok == `false`", message: "why" } },
      ]),
    ) as HttpVerbs,
  };
  const insert = "INSERT INTO t (repo, id) VALUES ('c', 1)";

  test.each([
    { name: "a write", sql: insert, json: { ok: false, why: "no_such_channel" }, code: "HV000" },
    {
      name: "a read",
      sql: "SELECT id FROM t WHERE repo = 'c'",
      json: { ok: false, why: "no_such_channel" },
      code: "HV000",
    },
  ])("fails $name with the service's words, once", async ({ sql, json, code }) => {
    server.answer(() => ({ json }));
    const db = await httpDatabase(server.url, failing);
    await expect(db.execute(sql)).rejects.toMatchObject({ code, detail: expect.stringContaining("no_such_channel") });
    expect(sent()).toHaveLength(1);
  });

  test("is no failure where the condition does not hold", async () => {
    const db = await httpDatabase(server.url, failing);
    server.answer(() => ({ json: { ok: true, items: [{ id: 1 }] } }));
    expect((await db.execute("SELECT id FROM t WHERE repo = 'c'")).rows).toEqual([{ id: 1 }]);
    expect(await db.execute(insert)).toMatchObject({ rowCount: 1 });
    server.answer(() => ({ status: 204 }));
    expect(await db.execute(insert)).toMatchObject({ rowCount: 1 });
  });

  test("leaves a write unknown that can't be read", async () => {
    const db = await httpDatabase(server.url, failing);
    server.answer(() => ({ text: "<html>", headers: { "content-type": "text/html" } }));
    await expect(db.execute(insert)).rejects.toMatchObject({ code: "40003" });
  });
});
