/** Every value arrives as it was written, wherever it stands in the request, or is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { errorOf, httpDatabase } from "../../support/http-database.js";
import { startTestServer, type TestServer } from "../../support/http-server.js";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(() => ({ json: [] }));
});
beforeEach(() => {
  server.take();
});
afterAll(() => server.close());

const literal = (text: string) =>
  `U&'${[...text].map((c) => `\\+${c.codePointAt(0)?.toString(16).padStart(6, "0")}`).join("")}'`;

describe("a value in the path", () => {
  const schema = z.object({ repo: z.string(), n: z.int().optional() });
  const verbs = { select: { method: "GET", path: "/repos/{repo}/x" } } as const;

  test.each([
    { name: "a plain text", value: "abc", segment: "abc" },
    { name: "a slash", value: "a/b", segment: "a%2Fb" },
    { name: "a backslash", value: "a\\b", segment: "a%5Cb" },
    { name: "dots among others", value: "..a", segment: "..a" },
    { name: "a question mark and a hash", value: "a?b#c", segment: "a%3Fb%23c" },
    { name: "a percent sign", value: "100%2F", segment: "100%252F" },
    { name: "plus, ampersand, equals", value: "a+b&c=d", segment: "a%2Bb%26c%3Dd" },
    { name: "blanks", value: " a b ", segment: "%20a%20b%20" },
    { name: "letters beyond ASCII", value: "grüße/日本", segment: "gr%C3%BC%C3%9Fe%2F%E6%97%A5%E6%9C%AC" },
    { name: "a character of two units", value: "😀", segment: "%F0%9F%98%80" },
    { name: "a line break", value: "a\r\nb", segment: "a%0D%0Ab" },
    { name: "semicolon and colon", value: "a;b:c", segment: "a%3Bb%3Ac" },
  ])("$name is one segment", async ({ value, segment }) => {
    const db = await httpDatabase(server.url, { schema, keys: ["repo"], verbs });
    await db.execute(`SELECT repo FROM t WHERE repo = ${literal(value)}`);
    expect(server.requests.map(({ segments }) => segments[1])).toEqual([value]);
    expect(server.take()).toEqual([`GET /repos/${segment}/x`]);
  });

  test.each([
    { name: "an empty text", value: "", message: 'the path /repos/{repo}/x can\'t carry an empty text for "repo"' },
    { name: "one dot", value: ".", message: 'the path /repos/{repo}/x can\'t carry "." as a segment' },
    { name: "two dots", value: "..", message: 'the path /repos/{repo}/x can\'t carry ".." as a segment' },
  ])("$name is refused and nothing is sent", async ({ value, message }) => {
    const db = await httpDatabase(server.url, { schema, keys: ["repo"], verbs });
    await expect(db.execute("SELECT repo FROM t WHERE repo = $1", { params: [value] })).rejects.toMatchObject({
      code: "22023",
      message,
    });
    expect(server.take()).toEqual([]);
  });

  test("two dots made of a template and a value are refused as well", async () => {
    const db = await httpDatabase(server.url, {
      schema,
      keys: ["repo"],
      verbs: { select: { method: "GET", path: "/x/.{repo}/y" } },
    });
    await expect(db.execute("SELECT repo FROM t WHERE repo = '.'")).rejects.toMatchObject({ code: "22023" });
    expect(server.take()).toEqual([]);
  });

  test("a base address with a path, and numbers beyond 2^53", async () => {
    const db = await httpDatabase(`${server.url}/api/v1/`, {
      schema: z.object({ id: z.bigint(), ok: z.boolean() }),
      keys: ["id", "ok"],
      verbs: { select: { method: "GET", path: "/items/{id}/{ok}" } },
    });
    await db.execute("SELECT id FROM t WHERE id = 9007199254740993 AND ok");
    expect(server.take()).toEqual(["GET /api/v1/items/9007199254740993/true"]);
  });
});

describe("a value in the query", () => {
  const schema = z.object({
    q: z.string().optional(),
    n: z.int().optional(),
    flag: z.boolean().optional(),
    at: z.date().optional(),
    since: z.iso.datetime().optional(),
    tags: z.array(z.string()).optional().meta({ pgType: "text[]" }),
    state: z.string().optional(),
  });
  const query = {
    q: "{q}",
    n: "{n}",
    flag: "{flag}",
    at: "{at}",
    since: "{since >=}",
    tags: "{tags @>}",
    both: "q:{q} n:{n}",
    state: { value: "{state}", join: "," },
    fixed: 5,
  };
  const table = {
    schema,
    columns: { since: { operators: [">="] }, tags: { operators: ["@>"] } },
    verbs: { select: { method: "GET", path: "/s", query } },
  } as const;

  test.each([
    { name: "nothing bound", where: "true", sent: "fixed=5" },
    {
      name: "special characters",
      where: "q = 'a+b & c=d?#%/ü'",
      sent: "q=a%2Bb%20%26%20c%3Dd%3F%23%25%2F%C3%BC&fixed=5",
    },
    { name: "an empty text is a value", where: "q = ''", sent: "q=&fixed=5" },
    { name: "a text of two columns", where: "q = 'x' AND n = -7", sent: "q=x&n=-7&both=q%3Ax%20n%3A-7&fixed=5" },
    { name: "a boolean", where: "NOT flag", sent: "flag=false&fixed=5" },
    { name: "a Date", where: "at = '2026-01-02 03:04:05.678+01'", sent: "at=2026-01-02T02%3A04%3A05.678Z&fixed=5" },
    { name: "a predicate", where: "since >= '2026-01-02'", sent: "since=2026-01-02T00%3A00%3A00.000Z&fixed=5" },
    { name: "a list is repeated", where: "tags @> '{a,\"b c\"}'", sent: "tags=a&tags=b%20c&fixed=5" },
    {
      name: "several values are joined where the service takes it",
      where: "state IN ('a', 'b')",
      sent: "state=a%2Cb&fixed=5",
    },
    { name: "several values stay out where it does not", where: "q IN ('a', 'b')", sent: "fixed=5" },
  ])("$name", async ({ where, sent }) => {
    const db = await httpDatabase(server.url, table);
    await db.execute(`SELECT * FROM t WHERE ${where}`);
    expect(server.take()).toEqual([`GET /s?${sent}`]);
  });

  test("a value that contains the separator is refused", async () => {
    const db = await httpDatabase(server.url, table);
    await expect(db.execute("SELECT * FROM t WHERE state IN ('a,b', 'c')")).rejects.toMatchObject({
      code: "22023",
      message: 'query parameter "state" can\'t carry the value "a,b", which contains the separator ","',
    });
    expect(server.take()).toEqual([]);
  });
});

describe("a value in a header", () => {
  const table = {
    schema: z.object({ q: z.string().optional() }),
    verbs: { select: { method: "GET", path: "/s", headers: { "X-Q": "{q}", "X-Fixed": "f" } } },
  } as const;

  test("arrives; without one the header is left out", async () => {
    const db = await httpDatabase(server.url, {
      ...table,
      service: { headers: { "X-Fixed": "of the service", "X-S": "s" } },
    });
    await db.execute("SELECT * FROM t WHERE q = 'a, b'");
    await db.execute("SELECT * FROM t");
    expect(server.requests.map(({ headers }) => [headers["x-q"], headers["x-fixed"], headers["x-s"]])).toEqual([
      ["a, b", "f", "s"],
      [undefined, "f", "s"],
    ]);
  });

  test.each([
    { name: "a line break", value: "a\r\nX-Admin: 1" },
    { name: "a NUL-like control character", value: "a\u0001" },
    { name: "letters beyond ASCII", value: "ü" },
    { name: "a blank at the end, which would be lost", value: "a " },
  ])("$name is refused", async ({ value }) => {
    const db = await httpDatabase(server.url, table);
    const { code, text } = await errorOf(db.execute("SELECT * FROM t WHERE q = $1", { params: [value] }));
    expect({ code, text }).toMatchObject({ code: "22023", text: expect.stringContaining('header "X-Q" can\'t carry') });
    expect(server.take()).toEqual([]);
  });
});

describe("a value in the body", () => {
  const schema = z.object({
    id: z.bigint(),
    title: z.string().nullable(),
    at: z.date().nullable(),
    done: z.boolean().nullable(),
    score: z.number().nullable(),
    data: z.record(z.string(), z.unknown()).nullable(),
    tags: z.array(z.string()).nullable(),
  });
  const body = {
    id: "{id}",
    title: "{title}",
    at: "{at}",
    nested: { done: "{done}", list: ["{score}", 1] },
    data: "{data}",
    tags: "{tags}",
    note: "new {title}",
  };
  const table = { schema, primaryKey: ["id"], verbs: { insert: { method: "POST", path: "/items", body } } } as const;

  test.each([
    {
      name: "numbers keep their digits, dates are ISO 8601, NULL is null",
      sql: "INSERT INTO t (id, title, at, done, score) VALUES (9007199254740993, 'it''s {id}', '2026-01-02 03:04:05+02', true, NULL)",
      sent: `{"id":9007199254740993,"title":"it's {id}","at":"2026-01-02T01:04:05.000Z","nested":{"done":true,"list":[null,1]},"note":"new it's {id}"}`,
    },
    {
      name: "what is not given is left out; documents and lists are JSON",
      sql: `INSERT INTO t (id, data, tags) VALUES (1, '{"a": [1, "x\\"\\u00fc"], "b": null}', '["p", "q"]')`,
      sent: `{"id":1,"nested":{"list":[1]},"data":{"a":[1,"x\\"ü"],"b":null},"tags":["p","q"]}`,
    },
  ])("$name", async ({ sql, sent }) => {
    const db = await httpDatabase(server.url, table);
    await db.execute(sql);
    expect(server.requests.map((request) => request.body)).toEqual([sent]);
    expect(server.requests[0].headers["content-type"]).toBe("application/json");
  });

  test("a form is percent-encoded, lists are repeated", async () => {
    const db = await httpDatabase(server.url, {
      schema: z.object({
        a: z.string(),
        n: z.int().nullable(),
        l: z.array(z.string()).nullable().meta({ pgType: "text[]" }),
      }),
      verbs: { insert: { method: "POST", path: "/f", form: { a: "{a}", n: "{n}", l: "{l}" } } },
    });
    await db.execute("INSERT INTO t VALUES ('x &=+ü', NULL, '{p,\"q,r\"}')");
    expect(server.requests.map(({ body: sent, headers }) => [headers["content-type"], sent])).toEqual([
      ["application/x-www-form-urlencoded", "a=x+%26%3D%2B%C3%BC&l=p&l=q%2Cr"],
    ]);
  });
});
