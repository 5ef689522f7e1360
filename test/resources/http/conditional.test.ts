/** Answers that the service confirms by 304 instead of sending them again. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { EtagCache } from "../../../src/resources/connectors/http/etag-cache.js";
import { httpDatabase } from "../../support/http-database.js";
import { startTestServer, type TestServer } from "../../support/http-server.js";

let server: TestServer;
let version = 1;
beforeAll(async () => {
  server = await startTestServer(({ headers, query }) => {
    const etag = `"v${version}-${query.get("page") ?? ""}"`;
    if (headers["if-none-match"] === etag) return { status: 304, headers: { etag } };
    const isLast = query.get("page") === "2";
    return {
      json: [{ id: version * 10 + Number(query.get("page") ?? 1) }],
      headers: { etag, ...(!isLast && { link: "</items?page=2>; rel=next" }) },
    };
  });
});
beforeEach(() => {
  server.take();
  version = 1;
});
afterAll(() => server.close());

const table = {
  schema: z.object({ id: z.int() }),
  verbs: { select: { method: "GET", path: "/items", page: { kind: "link" } } },
} as const;
const conditions = () => server.requests.splice(0).map(({ target, headers }) => [target, headers["if-none-match"]]);

test("the rows and the pages of a kept answer are its own, until the service has others", async () => {
  const db = await httpDatabase(server.url, table);
  const ids = async () => (await db.execute("SELECT id FROM t ORDER BY id")).rows.map(({ id }) => id);
  expect(await ids()).toEqual([11, 12]);
  expect(await ids()).toEqual([11, 12]);
  version = 2;
  expect(await ids()).toEqual([21, 22]);
  expect(conditions()).toEqual([
    ["/items", undefined],
    ["/items?page=2", undefined],
    ["/items", '"v1-"'],
    ["/items?page=2", '"v1-2"'],
    ["/items", '"v1-"'],
    ["/items?page=2", '"v1-2"'],
  ]);
});

test("a volatile resource asks for the whole each time", async () => {
  const db = await httpDatabase(server.url, { ...table, volatility: "volatile" });
  await db.execute("SELECT id FROM t");
  await db.execute("SELECT id FROM t");
  expect(conditions().map(([, condition]) => condition)).toEqual([undefined, undefined, undefined, undefined]);
});

test("an answer that must not be stored is not", async () => {
  const strict = await startTestServer(() => ({
    json: [],
    headers: { etag: '"x"', "cache-control": "private, no-store" },
  }));
  try {
    const db = await httpDatabase(strict.url, table);
    await db.execute("SELECT id FROM t");
    await db.execute("SELECT id FROM t");
    expect(strict.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined]);
  } finally {
    await strict.close();
  }
});

test("the cache is bounded by answers and by bytes; the one that was not used for longest goes first", () => {
  const cache = new EtagCache();
  const answer = (bytes: number) => ({ etag: '"e"', bytes: new Uint8Array(bytes), headers: new Headers() });
  for (let i = 0; i < 500; i++) cache.set(`k${i}`, answer(1));
  cache.get("k0");
  cache.set("k500", answer(1));
  expect([cache.get("k0"), cache.get("k1"), cache.get("k500")].map((kept) => kept !== undefined)).toEqual([
    true,
    false,
    true,
  ]);
  for (let i = 0; i < 5; i++) cache.set(`big${i}`, answer(4 * 1024 * 1024));
  expect([cache.get("k500"), cache.get("big0"), cache.get("big4")].map((kept) => kept !== undefined)).toEqual([
    false,
    false,
    true,
  ]);
  cache.set("huge", answer(5 * 1024 * 1024));
  expect(cache.get("huge")).toBeUndefined();
});
