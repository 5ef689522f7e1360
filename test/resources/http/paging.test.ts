/** Every style of paging: all rows, by exactly the requests that they need; no page twice, no page at another origin. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { HttpPaging, HttpVerb } from "../../../src/resources/connectors/http/definition.js";
import { errorOf, httpDatabase } from "../../support/http-database.js";
import { type Answering, startTestServer, type TestServer } from "../../support/http-server.js";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(() => {
  server.take();
});
afterAll(() => server.close());

const schema = z.object({ id: z.int(), kind: z.string().optional() });
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => ({ id: from + i }));
const page = (all: number, from: number, size: number) => rows(from, Math.min(all, from + size));

function verb(page: HttpPaging, more: Partial<HttpVerb> = {}): { select: HttpVerb } {
  return { select: { method: "GET", path: "/items", page, ...more } };
}

/** Seven rows in pages of three, in each style. */
const styles: { name: string; select: HttpVerb; answering: Answering; requests: string[] }[] = [
  {
    name: "a link header",
    ...verb({ kind: "link" }),
    answering: ({ query }) => {
      const from = Number(query.get("from") ?? 0);
      const last = '<https://elsewhere.example/;,>; title="a, b"; rel="last"';
      const next = `</items?from=${from + 3}>; rel="prefetch NEXT"`;
      return { json: page(7, from, 3), headers: { link: from + 3 < 7 ? `${last}, ${next}` : last } };
    },
    requests: ["GET /items", "GET /items?from=3", "GET /items?from=6"],
  },
  {
    name: "a cursor in the query",
    ...verb({ kind: "cursor", next: "meta.next", parameter: "after" }, { rows: "items", query: { size: 3 } }),
    answering: ({ query }) => {
      const from = Number((query.get("after") ?? "c+0/=").slice(2, -2));
      return { json: { items: page(7, from, 3), meta: from + 3 < 7 ? { next: `c+${from + 3}/=` } : {} } };
    },
    requests: ["GET /items?size=3", "GET /items?size=3&after=c%2B3%2F%3D", "GET /items?size=3&after=c%2B6%2F%3D"],
  },
  {
    name: "a cursor in the body",
    select: {
      method: "POST",
      path: "/search",
      body: { query: "all", variables: { first: 3 } },
      page: { kind: "cursor", next: "$.page['end']", parameter: "variables.after", in: "body" },
      rows: "$.page.nodes[*]",
    },
    answering: ({ body }) => {
      const from = (JSON.parse(body) as { variables: { after?: number } }).variables.after ?? 0;
      return { json: { page: { nodes: page(7, from, 3), end: from + 3 < 7 ? from + 3 : null } } };
    },
    requests: ["POST /search", "POST /search", "POST /search"],
  },
  {
    name: "page numbers with a size",
    ...verb({ kind: "page", parameter: "page", sizeParameter: "per_page", size: 3 }),
    answering: ({ query }) => ({
      json: page(7, (Number(query.get("page")) - 1) * Number(query.get("per_page")), Number(query.get("per_page"))),
    }),
    requests: ["GET /items?page=1&per_page=3", "GET /items?page=2&per_page=3", "GET /items?page=3&per_page=3"],
  },
  {
    name: "page numbers from 0 without a size: an empty page is the last",
    ...verb({ kind: "page", parameter: "p", first: 0 }),
    answering: ({ query }) => ({ json: page(7, Number(query.get("p")) * 3, 3) }),
    requests: ["GET /items?p=0", "GET /items?p=1", "GET /items?p=2", "GET /items?p=3"],
  },
  {
    name: "an offset",
    ...verb({ kind: "offset", parameter: "skip", sizeParameter: "take", size: 3 }),
    answering: ({ query }) => ({ json: page(7, Number(query.get("skip")), Number(query.get("take"))) }),
    requests: ["GET /items?skip=0&take=3", "GET /items?skip=3&take=3", "GET /items?skip=6&take=3"],
  },
  {
    name: "the address of the next page in the answer",
    ...verb({ kind: "url", next: '"@next"' }, { rows: "value" }),
    answering: ({ query }) => {
      const from = Number(query.get("from") ?? 0);
      return {
        json: { value: page(7, from, 3), "@next": from + 3 < 7 ? `${server.url}/items?from=${from + 3}#x` : "" },
      };
    },
    requests: ["GET /items", "GET /items?from=3", "GET /items?from=6"],
  },
];

describe.each(styles)("$name", ({ select, answering, requests }) => {
  test("gives all rows by as many requests as there are pages", async () => {
    server.answer(answering);
    const db = await httpDatabase(server.url, { schema, verbs: { select } });
    const { rows: got } = await db.execute("SELECT id FROM t ORDER BY id");
    expect(got).toEqual(rows(0, 7));
    expect(server.take()).toEqual(requests);
  });

  test("stops when there are enough rows", async () => {
    server.answer(answering);
    const db = await httpDatabase(server.url, { schema, verbs: { select } });
    const { rows: got } = await db.execute("SELECT id FROM t LIMIT 2");
    expect(got).toEqual(rows(0, 2));
    expect(server.take()).toHaveLength(1);
  });
});

test("no rows take one request", async () => {
  server.answer(() => ({ json: [] }));
  const db = await httpDatabase(server.url, {
    schema,
    ...{ verbs: verb({ kind: "page", parameter: "page", size: 3 }) },
  });
  expect((await db.execute("SELECT id FROM t")).rows).toEqual([]);
  expect(server.take()).toHaveLength(1);
});

test("a smaller page is asked for when fewer rows are wanted, the same for all pages", async () => {
  server.answer(({ query }) => {
    const size = Number(query.get("per_page"));
    return { json: page(1000, (Number(query.get("page")) - 1) * size, size) };
  });
  const paged = verb({ kind: "page", parameter: "page", sizeParameter: "per_page", size: 100 });
  const db = await httpDatabase(server.url, { schema, verbs: paged });
  await db.execute("SELECT id FROM t LIMIT 4");
  await db.execute("SELECT id FROM t LIMIT 150", { limit: 1000 });
  expect(server.take()).toEqual([
    "GET /items?page=1&per_page=4",
    "GET /items?page=1&per_page=100",
    "GET /items?page=2&per_page=100",
  ]);
});

test("10,000 rows in 100 pages", async () => {
  server.answer(({ query }) => ({ json: page(10_000, Number(query.get("offset")), 100) }));
  const db = await httpDatabase(server.url, {
    schema,
    verbs: verb({ kind: "offset", parameter: "offset", size: 100 }),
  });
  const { rows: got } = await db.execute("SELECT count(*) AS n, count(DISTINCT id) AS d, sum(id) AS s FROM t");
  expect(got).toEqual([{ n: 10_000, d: 10_000, s: 49_995_000 }]);
  expect(server.take()).toHaveLength(101); // the last page is full: only an empty one tells that it was the last
});

describe("pages that never end", () => {
  test.each([
    {
      name: "a cursor that was there before",
      verbs: verb({ kind: "cursor", next: "next", parameter: "c" }, { rows: "items" }),
      answer: { json: { items: [{ id: 1 }], next: "same" } },
      message: 'the service gave the cursor "same" a second time',
      count: 2,
    },
    {
      name: "a next page that is the same",
      verbs: verb({ kind: "url", next: "next" }, { rows: "items" }),
      answer: { json: { items: [{ id: 1 }], next: "/items?page=2" } },
      message: /gave the cursor "http:\/\/127.0.0.1:\d+\/items\?page=2" a second time/,
      count: 2,
    },
    {
      name: "a service that does not know the page's parameter",
      verbs: verb({ kind: "page", parameter: "page", size: 1 }),
      answer: { json: [{ id: 1 }] },
      message: 'service "svc" answered page 2 as it did the page before',
      count: 2,
    },
  ])("$name is an error", async ({ verbs, answer, message, count }) => {
    server.answer(() => answer);
    const db = await httpDatabase(server.url, { schema, verbs });
    await expect(db.execute("SELECT id FROM t")).rejects.toMatchObject({
      code: "HV000",
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
    expect(server.take()).toHaveLength(count);
  });

  test("more pages than the resource may have", async () => {
    server.answer((_, number) => ({ json: { items: [{ id: number }], next: number } }));
    const verbs = verb({ kind: "cursor", next: "next", parameter: "c" }, { rows: "items" });
    const db = await httpDatabase(server.url, { schema, verbs, maxPages: 5 });
    await expect(db.execute("SELECT id FROM t")).rejects.toMatchObject({ code: "HV000" });
    expect(server.take()).toHaveLength(5);
  });
});

describe("a next page elsewhere is refused, and nothing is sent there", () => {
  test.each([
    { name: "another host", next: "https://evil.example/items?token=x" },
    { name: "another port", next: "http://127.0.0.1:1/items" },
    { name: "another scheme", next: "file:///etc/passwd" },
    { name: "a user in the address", next: "user:pw@" },
  ])("$name", async ({ next }) => {
    const address = next === "user:pw@" ? server.url.replace("http://", "http://user:pw@") : next;
    for (const [answer, kind] of [
      [{ json: { items: [{ id: 1 }], next: address } }, { kind: "url", next: "next" }],
      [{ json: { items: [{ id: 1 }] }, headers: { link: `<${address}>; rel=next` } }, { kind: "link" }],
    ] as const) {
      server.answer(() => answer);
      const db = await httpDatabase(server.url, { schema, verbs: verb(kind, { rows: "items" }) });
      const { code, text } = await errorOf(db.execute("SELECT id FROM t"));
      expect(code).toBe("HV000");
      expect(text).toContain("gave an address of the next page at another origin");
      expect(server.take()).toHaveLength(1);
    }
  });
});

test("an error on a later page fails the read; what means no rows on the first is an error there", async () => {
  server.answer(({ query }) =>
    query.has("c") ? { status: 404, json: { message: "gone" } } : { json: { items: [{ id: 1 }], next: "n" } },
  );
  const select: HttpVerb = {
    method: "GET",
    path: "/items",
    page: { kind: "cursor", next: "next", parameter: "c" },
    rows: "items",
    errors: { empty: [404] },
  };
  const db = await httpDatabase(server.url, { schema, verbs: { select } });
  await expect(db.execute("SELECT id FROM t")).rejects.toMatchObject({
    code: "HV000",
    message: 'service "svc" answered 404 Not Found',
  });
});

test("a service that answers a number behind the last page by 404 is read to its end, when the verb says so", async () => {
  server.answer(({ query }) =>
    Number(query.get("page")) > 2
      ? { status: 404, json: {} }
      : { json: page(6, (Number(query.get("page")) - 1) * 3, 3) },
  );
  const verbs = verb({ kind: "page", parameter: "page" }, { errors: { empty: [404] } });
  const db = await httpDatabase(server.url, { schema, verbs });
  expect((await db.execute("SELECT id FROM t ORDER BY id")).rows).toEqual(rows(0, 6));
});

test("a list that goes on although nobody asks for more is an error, unless the rows suffice", async () => {
  server.answer(() => ({ json: rows(0, 3), headers: { link: '</items?page=2>; rel="next"' } }));
  const db = await httpDatabase(server.url, {
    schema,
    accepts: { limit: true },
    verbs: { select: { method: "GET", path: "/items" } },
  });
  await expect(db.execute("SELECT id FROM t")).rejects.toMatchObject({
    message: 'service "svc" gave the first page only',
    hint: "Declare page: { kind: link } for the verb.",
  });
  expect((await db.execute("SELECT id FROM t LIMIT 2")).rows).toEqual(rows(0, 2));
});
