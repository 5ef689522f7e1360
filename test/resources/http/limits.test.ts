/** A limit and an order reach the service only when every predicate does: otherwise dropped rows would use the limit up. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { HttpVerb } from "../../../src/resources/connectors/http/definition.js";
import { httpDatabase } from "../../support/http-database.js";
import { startTestServer, type TestServer } from "../../support/http-server.js";

interface Item {
  id: number;
  kind: string;
  at: number;
}
const items: Item[] = Array.from({ length: 20 }, (_, i) => ({
  id: i,
  kind: i % 2 === 0 ? "a" : "b",
  at: (i * 7) % 20,
}));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(({ query }) => {
    const by = query.get("sort") as keyof Item | null;
    const sign = query.get("dir") === "desc" ? -1 : 1;
    const found = items
      .filter(({ kind }) => !query.has("kind") || kind === query.get("kind"))
      .filter(({ at }) => !query.has("min") || at >= Number(query.get("min")))
      .sort((x, y) => (by === null ? 0 : sign * (x[by] < y[by] ? -1 : x[by] > y[by] ? 1 : 0)));
    return { json: found.slice(0, Number(query.get("limit") ?? 1000)) };
  });
});
beforeEach(() => {
  server.take();
});
afterAll(() => server.close());

const schema = z.object({ id: z.int(), kind: z.string(), at: z.int() });
const select: HttpVerb = {
  method: "GET",
  path: "/items",
  query: {
    kind: "{kind}",
    min: "{at >=}",
    limit: "{$limit}",
    sort: "{$orderBy}",
    dir: "{$direction}",
    fields: { value: "{$columns}", join: "," },
  },
  orderBy: { at: "at", id: "id" },
};
const table = { schema, exact: true, columns: { at: { operators: [">=" as const] } }, verbs: { select } };

test.each([
  { name: "no limit", sql: "SELECT id FROM t", sent: "fields=id" },
  { name: "a limit", sql: "SELECT id FROM t LIMIT 3", sent: "limit=3&fields=id" },
  { name: "limit and offset", sql: "SELECT id FROM t LIMIT 3 OFFSET 2", sent: "limit=5&fields=id" },
  {
    name: "several values that the request can't say",
    sql: "SELECT id FROM t WHERE kind IN ('b', 'x') LIMIT 3",
    sent: "fields=id,kind",
  },
  {
    name: "a limit beside a predicate",
    sql: "SELECT id FROM t WHERE kind = 'b' LIMIT 3",
    sent: "kind=b&limit=3&fields=id,kind",
  },
  {
    name: "a limit beside an operator",
    sql: "SELECT id FROM t WHERE at >= 5 LIMIT 3",
    sent: "min=5&limit=3&fields=id,at",
  },
  {
    name: "an order and a limit",
    sql: "SELECT id FROM t ORDER BY at LIMIT 2",
    sent: "limit=2&sort=at&dir=asc&fields=id,at",
  },
  {
    name: "descending",
    sql: "SELECT id FROM t ORDER BY at DESC LIMIT 2",
    sent: "limit=2&sort=at&dir=desc&fields=id,at",
  },
  { name: "an order by two columns", sql: "SELECT id FROM t ORDER BY at, id LIMIT 2", sent: "fields=id,at" },
])("$name", async ({ sql, sent }) => {
  const db = await httpDatabase(server.url, table);
  const { rows } = await db.execute(sql);
  const targets = server.take().map((request) => decodeURIComponent(request.replace("GET /items?", "")));
  expect(targets).toEqual([sent]);
  // The same rows as from a service that passes nothing on.
  const plain = await httpDatabase(server.url, { schema, verbs: { select: { method: "GET", path: "/items" } } });
  expect(rows).toEqual((await plain.execute(sql)).rows);
});

describe("a predicate without a place in the request", () => {
  test("is checked on all rows, before the limit", async () => {
    const unfiltered: HttpVerb = { method: "GET", path: "/items", query: { limit: "{$limit}" } };
    const db = await httpDatabase(server.url, { schema, exact: true, verbs: { select: unfiltered } });
    const { rows } = await db.execute("SELECT id FROM t WHERE kind = 'b' LIMIT 3");
    expect(rows).toEqual([{ id: 1 }, { id: 3 }, { id: 5 }]);
    expect(server.take()).toEqual(["GET /items"]);
  });

  test("makes a paged read read all pages", async () => {
    server.take();
    const paged = await startTestServer(({ query }) => ({
      json: items.slice(Number(query.get("offset")), Number(query.get("offset")) + 5),
    }));
    try {
      const db = await httpDatabase(paged.url, {
        schema,
        exact: true,
        verbs: { select: { method: "GET", path: "/", page: { kind: "offset", parameter: "offset", size: 5 } } },
      });
      const { rows } = await db.execute("SELECT id FROM t WHERE kind = 'b' LIMIT 4");
      expect(rows).toEqual([{ id: 1 }, { id: 3 }, { id: 5 }, { id: 7 }]);
      expect(paged.take()).toHaveLength(5);
    } finally {
      await paged.close();
    }
  });

  test("a path that drops rows keeps the limit from the service", async () => {
    const filtering: HttpVerb = { method: "GET", path: "/items", query: { limit: "{$limit}" }, rows: "[?kind=='b']" };
    const db = await httpDatabase(server.url, { schema, verbs: { select: filtering } });
    expect((await db.execute("SELECT id FROM t LIMIT 2")).rows).toEqual([{ id: 1 }, { id: 3 }]);
    expect(server.take()).toEqual(["GET /items"]);
  });
});

test("a batched key carries all values in one request, as a list even when there is one", async () => {
  const db = await httpDatabase(server.url, {
    schema,
    keys: ["id"],
    batch: { keys: 2 },
    verbs: { select: { method: "POST", path: "/find", body: { ids: "{id}" } } },
  });
  await db.execute("SELECT kind FROM t WHERE id IN (1, 2, 3)");
  expect(server.requests.map(({ body }) => body).sort()).toEqual(['{"ids":[1,2]}', '{"ids":[3]}']);
});
