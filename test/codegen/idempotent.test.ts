/**
 * `idempotent` of a manifest: a generated table's write is sent again under its key. The package is imported by its name, as
 * generated modules do: an error of one copy of it is no error of another.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Database } from "glove-scratchpad";
import { afterEach, expect, test } from "vitest";
import { shopOrders } from "./golden/http-form/expected/shop/orders.js";
import { sNote } from "./golden/mcp-verbs/expected/s/note.js";

let server: Server | undefined;
afterEach(async () => {
  await new Promise((resolve) => server?.close(resolve));
});

test("a request whose answer a gateway lost is repeated with the same key", async () => {
  const keys: unknown[] = [];
  server = createServer((request, response) => {
    keys.push(request.headers["idempotency-key"]);
    response.writeHead(keys.length === 1 ? 502 : 200, { "content-type": "application/json" });
    response.end("{}");
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const db = await Database.create({ policy: { writes: true } });
  const table = shopOrders({ baseUrl: `http://127.0.0.1:${port}` });
  expect(table.idempotent).toEqual(["insert"]);
  db.register(table);
  const { receipts } = await db.execute("INSERT INTO shop_orders (state, note) VALUES ('open', 'a')", {
    idempotencyKey: "k",
  });
  expect(receipts).toMatchObject([{ status: "fired", attempts: 2 }]);
  expect(keys).toEqual(["k#1", "k#1"]);
  await db.close();
});

test("the table of a tool has what its manifest says", () => {
  const connection = { callTool: () => Promise.reject(new Error("not called")) };
  expect(sNote({ connection }).idempotent).toEqual(["update", "delete"]);
});
