/** What a service answers becomes the right rows, or an error that says what it was. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { HttpVerb } from "../../../src/resources/connectors/http/definition.js";
import { httpDatabase } from "../../support/http-database.js";
import { closedPort, type ServedAnswer, startTestServer, type TestServer } from "../../support/http-server.js";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(() => {
  server.take();
});
afterAll(() => server.close());

const json = { "content-type": "application/json" };

describe("values", () => {
  const schema = z.object({
    id: z.bigint(),
    n: z.number().nullable().meta({ pgType: "numeric" }),
    x: z.number().nullable(),
    doc: z.unknown(),
    at: z.iso.datetime().nullable(),
    ok: z.boolean().nullable(),
    name: z.string().nullable(),
  });
  const get = async (text: string, more: Partial<HttpVerb> = {}) => {
    server.answer(() => ({ text, headers: json }));
    const db = await httpDatabase(server.url, { schema, verbs: { select: { method: "GET", path: "/", ...more } } });
    return async (sql: string) => (await db.execute(sql)).rows;
  };

  test("numbers keep every digit", async () => {
    const query = await get(`[
      {"id": 9007199254740993, "n": 0.12345678901234567890, "x": 0.1, "doc": {"big": [-9223372036854775808, 1.5e3, 12345678901234567890.5]}},
      {"id": -9007199254740993, "n": 1e2, "x": 1.5E-3, "doc": 9007199254740993}
    ]`);
    expect(await query("SELECT id, n::text AS n, x, doc::text AS doc FROM t")).toEqual([
      {
        id: "9007199254740993",
        n: "0.12345678901234567890",
        x: 0.1,
        doc: '{"big": [-9223372036854775808, 1500, 12345678901234567890.5]}',
      },
      { id: "-9007199254740993", n: "100", x: 0.0015, doc: "9007199254740993" },
    ]);
    expect(await query("SELECT id + 1 AS next, doc #>> '{big,0}' AS least FROM t WHERE id = 9007199254740993")).toEqual(
      [{ next: "9007199254740994", least: "-9223372036854775808" }],
    );
  });

  test("a number that the column can't hold is an error, not infinity", async () => {
    const query = await get('[{"id": 1, "x": 1e400}]');
    await expect(query("SELECT x FROM t")).rejects.toMatchObject({ code: "HV000" });
  });

  test("texts keep every character, in the character set that the answer says", async () => {
    const text = '[{"id": 1, "name": "\\u00fc😀\\"\\\\/\\n"}]';
    const query = await get(text);
    expect(await query("SELECT name FROM t")).toEqual([{ name: 'ü😀"\\/\n' }]);
    server.answer(() => ({
      text: Buffer.from('[{"id": 1, "name": "\u00fc"}]', "latin1"),
      headers: { "content-type": 'application/json; charset="ISO-8859-1"' },
    }));
    expect(await query("SELECT name FROM t")).toEqual([{ name: "ü" }]);
    server.answer(() => ({ text: '\ufeff[{"id": 1, "name": "after a byte order mark"}]', headers: json }));
    expect(await query("SELECT name FROM t")).toEqual([{ name: "after a byte order mark" }]);
  });

  test("fields are taken by their paths; a swap takes the old values; what is missing is NULL", async () => {
    const query = await get(
      '{"data": {"list": [{"id": 1, "user": {"login": "a"}, "html-url": "u", "at": null}, {"id": 2}]}}',
      {
        rows: "$.data['list']",
        fields: { name: "user.login", doc: '"html-url"', ok: "!at" },
      },
    );
    expect(await query("SELECT id, name, doc, ok FROM t ORDER BY id")).toEqual([
      { id: 1, name: "a", doc: "u", ok: true },
      { id: 2, name: null, doc: null, ok: true },
    ]);
  });

  test("one object is one row, null and 204 are none", async () => {
    const query = await get('{"item": {"id": 5}}', { rows: "item" });
    expect(await query("SELECT id FROM t")).toEqual([{ id: 5 }]);
    server.answer(() => ({ text: '{"item": null}', headers: json }));
    expect(await query("SELECT id FROM t")).toEqual([]);
    server.answer(() => ({ status: 204 }));
    expect(await query("SELECT id FROM t")).toEqual([]);
  });
});

describe("what is no list of rows", () => {
  const schema = z.object({ id: z.int() });
  const cases: { name: string; answer: ServedAnswer; rows?: string; message: string; detail: string }[] = [
    {
      name: "JSON that is cut off",
      answer: { text: '[{"id": 1}, {"id"', headers: json },
      message: 'service "svc" answered with something that is no JSON',
      detail: 'GET URL/x answered 200: [{"id": 1}, {"id"',
    },
    {
      name: "long text: the first 200 characters",
      answer: { text: `<${"é".repeat(300)}`, headers: json },
      message: 'service "svc" answered with something that is no JSON',
      detail: `GET URL/x answered 200: <${"é".repeat(199)}…`,
    },
    {
      name: "long numbers in JSON that is cut off",
      answer: { text: '[{"id": 9007199254740993', headers: json },
      message: 'service "svc" answered with something that is no JSON',
      detail: 'GET URL/x answered 200: [{"id": 9007199254740993',
    },
    {
      name: "nothing",
      answer: { text: "", headers: json },
      message: 'service "svc" answered with something that is no JSON',
      detail: "GET URL/x answered 200: (nothing)",
    },
    {
      name: "a page for people",
      answer: { text: "<html>Log in</html>", headers: { "content-type": "text/html; charset=utf-8" } },
      message: 'service "svc" answered with text/html, not with JSON',
      detail: "GET URL/x answered 200: <html>Log in</html>",
    },
    {
      name: "bytes that are no text",
      answer: { text: Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), headers: json },
      message: 'service "svc" answered with bytes that are no UTF-8',
      detail: 'GET URL/x answered 200: ["\ufffd"]',
    },
    {
      name: "an unknown character set",
      answer: { text: "[]", headers: { "content-type": "application/json; charset=klingon" } },
      message: 'service "svc" answered in the character set klingon, which is unknown',
      detail: "GET URL/x answered 200: []",
    },
    {
      name: "an answer without the list",
      answer: { json: { error: "quota" } },
      rows: "items",
      message: 'the answer of service "svc" has no rows at items',
      detail: "Nothing is there.",
    },
    {
      name: "an answer without the list, by a path that projects",
      answer: { json: {} },
      rows: "edges[*].node",
      message: 'the answer of service "svc" has no rows at edges[*].node',
      detail: "Nothing is there.",
    },
    {
      name: "a text",
      answer: { json: "ok" },
      message: 'the answer of service "svc" has no rows at @',
      detail: "There is a string, not a list and not an object.",
    },
    {
      name: "a list with something else in it",
      answer: { json: [{ id: 1 }, null] },
      message: 'resource "t" gave a row that is not an object',
      detail: "Row 2 is null.",
    },
    {
      name: "rows of other names",
      answer: { json: [{ ID: 1 }] },
      message: 'resource "t" gave a row without any of its columns',
      detail: "Row 1 has: ID.",
    },
  ];

  test.each(cases)("$name", async ({ answer, rows, message, detail }) => {
    server.answer(() => answer);
    const select: HttpVerb = { method: "GET", path: "/x", ...(rows !== undefined && { rows }) };
    const db = await httpDatabase(server.url, { schema, verbs: { select } });
    await expect(db.execute("SELECT id FROM t")).rejects.toMatchObject({
      code: "HV000",
      message,
      detail: expect.stringContaining(detail.replace("URL", server.url)),
    });
    expect(server.take()).toEqual(["GET /x"]);
  });

  test("missing rows may be declared", async () => {
    server.answer(() => ({ json: {} }));
    const select: HttpVerb = { method: "GET", path: "/x", rows: "items || `[]`" };
    const db = await httpDatabase(server.url, { schema, verbs: { select } });
    expect((await db.execute("SELECT id FROM t")).rows).toEqual([]);
  });

  test("JSON of another name is JSON", async () => {
    server.answer(() => ({ text: '[{"id": 1}]', headers: { "content-type": "application/vnd.api+json" } }));
    const db = await httpDatabase(server.url, { schema, verbs: { select: { method: "GET", path: "/x" } } });
    expect((await db.execute("SELECT id FROM t")).rows).toEqual([{ id: 1 }]);
  });

  test("a path that compares is refused where it would round", async () => {
    const select: HttpVerb = { method: "GET", path: "/x", rows: "[?id > `5`]" };
    const db = await httpDatabase(server.url, { schema, verbs: { select } });
    server.answer(() => ({ json: [{ id: 4 }, { id: 6 }] }));
    expect((await db.execute("SELECT id FROM t")).rows).toEqual([{ id: 6 }]);
    server.answer(() => ({ text: '[{"id": 9007199254740993}]', headers: json }));
    await expect(db.execute("SELECT id FROM t")).rejects.toMatchObject({
      code: "HV000",
      message: "the path \"[?id > `5`]\" can't be tried on the service's answer",
    });
  });
});

describe("statuses", () => {
  const schema = z.object({ id: z.int(), q: z.string().optional() });
  const byKey = { schema, keys: ["id"], verbs: { select: { method: "GET", path: "/items/{id}" } as HttpVerb } };
  const list = { schema, verbs: { select: { method: "GET", path: "/items" } as HttpVerb } };

  test("404 means no rows where the path holds a value, and an error where it does not", async () => {
    server.answer(() => ({ status: 404, json: { message: "no such item" } }));
    expect((await (await httpDatabase(server.url, byKey)).execute("SELECT id FROM t WHERE id = 1")).rows).toEqual([]);
    await expect((await httpDatabase(server.url, list)).execute("SELECT id FROM t")).rejects.toMatchObject({
      code: "HV000",
      message: 'service "svc" answered 404 Not Found',
      detail: `GET ${server.url}/items: no such item`,
      hint: "Check the values, and that baseUrl is right.",
    });
  });

  test("the verb says otherwise", async () => {
    server.answer(() => ({ status: 404, json: {} }));
    const strict = { ...byKey, verbs: { select: { ...byKey.verbs.select, errors: { empty: [] } } } };
    await expect(
      (await httpDatabase(server.url, strict)).execute("SELECT id FROM t WHERE id = 1"),
    ).rejects.toMatchObject({ code: "HV000" });
    server.answer(() => ({ status: 410, json: {} }));
    const lax = { ...list, verbs: { select: { ...list.verbs.select, errors: { empty: [410] } } } };
    expect((await (await httpDatabase(server.url, lax)).execute("SELECT id FROM t")).rows).toEqual([]);
  });

  test.each([
    { name: "message", body: { message: "a" }, said: "a" },
    { name: "error.message", body: { error: { message: "b" } }, said: "b" },
    { name: "error", body: { error: "c" }, said: "c" },
    { name: "detail", body: { detail: "d" }, said: "d" },
    { name: "title", body: { title: "e" }, said: "e" },
    { name: "anything else", body: { code: 7 }, said: '{"code":7}' },
    {
      name: "a path of the verb",
      body: { errors: [{ reason: "f" }], message: "no" },
      message: "errors[0].reason",
      said: "f",
    },
  ])("the service's own words: $name", async ({ body, message, said }) => {
    server.answer(() => ({ status: 422, json: body }));
    const select: HttpVerb = { ...list.verbs.select, ...(message !== undefined && { errors: { message } }) };
    const db = await httpDatabase(server.url, { ...list, verbs: { select } });
    await expect(db.execute("SELECT id FROM t")).rejects.toMatchObject({
      message: 'service "svc" answered 422 Unprocessable Entity',
      detail: `GET ${server.url}/items: ${said}`,
    });
    expect(server.take()).toHaveLength(1);
  });

  test.each([
    { status: 408, requests: 3 },
    { status: 425, requests: 3 },
    { status: 429, requests: 3 },
    { status: 502, requests: 3 },
    { status: 503, requests: 3 },
    { status: 504, requests: 3 },
    { status: 206, requests: 1 },
    { status: 400, requests: 1 },
    { status: 403, requests: 1 },
    { status: 500, requests: 1 },
    { status: 501, requests: 1 },
  ])("$status is tried $requests times", async ({ status, requests }) => {
    server.answer(() => ({ status, json: { message: "not now" } }));
    const db = await httpDatabase(server.url, list);
    await expect(db.execute("SELECT id FROM t")).rejects.toMatchObject({
      code: "HV000",
      detail: expect.stringContaining(requests === 1 ? "not now" : "not now (tried 3 times)"),
    });
    expect(server.take()).toHaveLength(requests);
  });

  test("an answer after a failure that passed", async () => {
    const answers = [
      { status: 503, json: {} },
      { status: 429, json: {}, headers: { "retry-after": "0" } },
    ];
    server.answer(() => answers.shift() ?? { json: [{ id: 1 }] });
    const db = await httpDatabase(server.url, list);
    expect((await db.execute("SELECT id FROM t")).rows).toEqual([{ id: 1 }]);
    expect(server.take()).toHaveLength(3);
  });

  test.each([
    { name: "seconds", header: () => "3600" },
    { name: "a date", header: () => new Date(Date.now() + 3_600_000).toUTCString() },
  ])("Retry-After in $name: a wait beyond the statement's time is told instead of waited for", async ({ header }) => {
    server.answer(() => ({ status: 429, json: { message: "slow down" }, headers: { "retry-after": header() } }));
    const db = await httpDatabase(server.url, list);
    await expect(db.execute("SELECT id FROM t", { timeoutMs: 5000 })).rejects.toMatchObject({
      detail: expect.stringMatching(/slow down \(.*another attempt must wait 3[56]\d{5} ms/),
    });
    expect(server.take()).toHaveLength(1);
  });

  test.each([
    { name: "a connection that breaks", fault: "reset" as const },
    { name: "a body that is cut off", fault: "cut" as const },
  ])("$name is tried again", async ({ fault }) => {
    const faults = [fault];
    server.answer(() => ({ json: [{ id: 1 }], fault: faults.pop() }));
    const db = await httpDatabase(server.url, list);
    expect((await db.execute("SELECT id FROM t")).rows).toEqual([{ id: 1 }]);
    expect(server.take()).toHaveLength(2);
  });

  test("nobody listens", async () => {
    const db = await httpDatabase(`http://127.0.0.1:${await closedPort()}`, list);
    await expect(db.execute("SELECT id FROM t")).rejects.toMatchObject({
      code: "08001",
      message: 'cannot connect to service "svc"',
      detail: expect.stringContaining("ECONNREFUSED"),
      hint: "Check that the address is right and that the service runs.",
    });
  });

  test("a body that does not end is given up when the time is over", async () => {
    server.answer(() => ({ json: [{ id: 1 }], fault: "hang" }));
    const slow = await httpDatabase(server.url, { ...list, timeoutMs: 50 });
    await expect(slow.execute("SELECT id FROM t")).rejects.toMatchObject({ code: "HV000" });
    const db = await httpDatabase(server.url, list);
    await expect(db.execute("SELECT id FROM t", { timeoutMs: 50 })).rejects.toMatchObject({ code: "57014" });
    expect(server.take()).toHaveLength(2);
  });

  test("a read by POST is a read: it is tried again when the connection breaks, and follows 303 to its answer", async () => {
    const post = { schema, verbs: { select: { method: "POST", path: "/find", body: { q: "{q}" } } as HttpVerb } };
    const answers: ServedAnswer[] = [
      { fault: "reset" },
      { status: 502, json: {} },
      { status: 303, headers: { location: "/found" } },
    ];
    server.answer(() => answers.shift() ?? { json: [{ id: 1, q: "x" }] });
    const db = await httpDatabase(server.url, post);
    expect((await db.execute("SELECT id FROM t WHERE q = 'x'")).rows).toEqual([{ id: 1 }]);
    expect(server.take()).toEqual(["POST /find", "POST /find", "POST /find", "GET /found"]);
  });
});
