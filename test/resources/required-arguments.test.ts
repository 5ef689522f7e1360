/** An INSERT that leaves out an argument its tool insists on is refused before anything is called. */
import { describe, expect, test } from "vitest";
import { Database, type ResourceTable, resourceFromTool } from "../../src/index.js";
import { mcpResources } from "../../src/mcp/client/resources.js";
import { fakeConnection } from "../support/mcp.js";

const inputSchema = {
  type: "object",
  properties: {
    issueTitle: { type: "string" },
    body: { type: ["string", "null"] },
    labels: { type: "string" },
  },
  required: ["issueTitle", "body"],
} as const;

async function madeBy(kind: "mcp" | "tool", calls: unknown[]): Promise<{ table: ResourceTable; title: string }> {
  if (kind === "tool") {
    const tool = {
      name: "create",
      description: "Makes an issue",
      jsonSchema: inputSchema,
      call: async (input: unknown) => {
        calls.push(input);
        return {};
      },
    };
    return {
      table: resourceFromTool(tool, { name: "issue", volatility: "volatile", op: "insert" }),
      title: '"issueTitle"',
    };
  }
  const tool = { name: "create", description: "Makes an issue", inputSchema };
  const connection = fakeConnection("ns", [tool as never], (_, args) => {
    calls.push(args);
    return { content: [{ type: "text", text: "ok" }] };
  });
  const [table] = await mcpResources(connection, { table: () => ({ name: "issue" }) });
  return { table, title: "issuetitle" };
}

describe.each(["mcp", "tool"] as const)("%s", (kind) => {
  async function world() {
    const calls: unknown[] = [];
    const { table, title } = await madeBy(kind, calls);
    const db = await Database.create({ policy: { writes: true } });
    db.register(table);
    return { db, calls, title };
  }

  test.each([
    { columns: "body", values: "VALUES ('b')" },
    { columns: "body, labels", values: "SELECT 'b', 'l'" },
  ])("INSERT (…$columns) $values", async ({ columns, values }) => {
    const { db, calls, title } = await world();
    const name = title.replaceAll('"', "");
    await expect(db.execute(`INSERT INTO issue (${columns}) ${values}`)).rejects.toMatchObject({
      code: "23502",
      message: `null value in column "${name}" of relation "issue" violates not-null constraint`,
      detail: expect.stringContaining('argument "issueTitle"'),
      hint: `Give a value for "${name}": INSERT INTO issue (${title}, …) VALUES (…).`,
    });
    expect(calls).toEqual([]);
  });

  test("a whole script is refused before its first effect", async () => {
    const { db, calls, title } = await world();
    const good = `INSERT INTO issue (${title}, body) VALUES ('a', 'b')`;
    const script = `BEGIN; ${good}; INSERT INTO issue (labels) VALUES ('x'); COMMIT`;
    await expect(db.execute(script)).rejects.toMatchObject({ code: "23502" });
    expect(calls).toEqual([]);
  });

  test("NULL is no value where the schema does not know it", async () => {
    const { db, calls, title } = await world();
    const nothing = db.execute(`INSERT INTO issue (${title}, body) VALUES (NULL, NULL)`);
    await expect(nothing).rejects.toMatchObject({ code: "23502" });
    expect(calls).toEqual([]);
  });

  test("optional arguments may be left out, and nullable ones NULL", async () => {
    const { db, calls, title } = await world();
    await db.execute(`INSERT INTO issue (${title}, body) VALUES ('a', NULL)`);
    expect(calls).toEqual([{ issueTitle: "a", body: null }]);
  });
});
