/** A manifest of an MCP server, compiled, and run against the server: its pages, and what the environment gives it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { generate } from "../../src/codegen/generate.js";
import { Database, type McpToolCaller, type ResourceTable, textsOfEnvironment } from "../../src/index.js";
import { connectMcp } from "../../src/mcp/client/connect.js";
import type { McpServerConnection } from "../../src/mcp/client/types.js";

const root = path.join(import.meta.dirname, "../..");
const variable = "SHELF_TEST_TOKEN";

interface Shelf {
  readonly shelfItems: (options: { connection: McpToolCaller }) => ResourceTable;
  readonly shelfServer: { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };
}

const manifest = `service: shelf
description: Items, page by page
connector:
  kind: mcp
  command: ${JSON.stringify(process.execPath)}
  args: [${JSON.stringify(path.join(root, "test/support/mcp-servers/paged.mjs"))}]
  env: { MODE: fast, TOKEN: { env: ${variable} } }
resources:
  items:
    description: Items
    volatility: volatile
    row:
      type: object
      required: [id, name, kind]
      properties: { id: { type: integer }, name: { type: string }, kind: { type: string } }
    exact: [kind]
    select:
      tool: items
      input: { kind: "{kind}" }
      rows: $.items
      page: { kind: cursor, parameter: cursor, next: $.nextCursor }
`;

let folder: string | undefined;
let connection: McpServerConnection | undefined;
afterEach(async () => {
  delete process.env[variable];
  await connection?.close();
  connection = undefined;
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = undefined;
});

/** The generated modules, with their imports of the package led to the sources. */
async function shelf(): Promise<Shelf> {
  folder = await mkdtemp(path.join(tmpdir(), "run-mcp-"));
  await writeFile(path.join(folder, "shelf.yaml"), manifest);
  const { files } = await generate(folder);
  for (const [name, text] of files) {
    const file = path.join(folder, "generated", name);
    await mkdir(path.dirname(file), { recursive: true });
    const led = text
      .replaceAll('"glove-scratchpad"', JSON.stringify(path.join(root, "src/index.ts")))
      .replaceAll('"zod"', JSON.stringify(path.join(root, "node_modules/zod/index.js")));
    await writeFile(file, led);
  }
  return import(path.join(folder, "generated/index.ts")) as Promise<Shelf>;
}

test("all pages are read; LIMIT stops them", async () => {
  process.env[variable] = "shelf-secret";
  const { shelfItems, shelfServer } = await shelf();
  connection = await connectMcp({ namespace: "shelf", ...shelfServer });
  const db = await Database.create();
  db.register(shelfItems({ connection }));
  expect((await db.execute("SELECT id FROM shelf_items ORDER BY id")).rows.map(({ id }) => id)).toEqual([
    1, 2, 3, 4, 5,
  ]);
  expect((await db.execute("SELECT id FROM shelf_items WHERE kind = 'odd' LIMIT 2")).rows).toHaveLength(2);
  const { content } = await connection.callTool("log", {});
  expect(JSON.parse(String(content?.[0].text))).toEqual([{}, { cursor: "c2" }, { cursor: "c4" }, { kind: "odd" }]);
});

test("variables are read when the server is described, not when the module is imported", async () => {
  const { shelfServer } = await shelf();
  expect(shelfServer.command).toBe(process.execPath);
  expect(() => shelfServer.env).toThrow(
    expect.objectContaining({ code: "HV000", message: expect.stringContaining(variable) }),
  );
  process.env[variable] = "shelf-secret";
  expect(shelfServer.env).toEqual({ MODE: "fast", TOKEN: "shelf-secret" });
});

test.each([
  { name: "is not set", value: undefined },
  { name: "is empty", value: "" },
])("a variable that $name is an error that names it, and shows no other value", ({ value }) => {
  process.env[variable] = "shelf-secret";
  const other = "SHELF_TEST_OTHER";
  if (value !== undefined) process.env[other] = value;
  try {
    const texts = { plain: "p", known: { env: variable }, missing: { env: other } };
    expect(() => textsOfEnvironment("shelf", texts)).toThrow(
      expect.objectContaining({
        code: "HV000",
        message: expect.stringMatching(/SHELF_TEST_OTHER/),
        stack: expect.not.stringContaining("shelf-secret"),
      }),
    );
  } finally {
    delete process.env[other];
  }
});
