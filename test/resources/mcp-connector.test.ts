/** Resources of a manifest with an `mcp` connector: arguments out of templates, rows out of answers. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Database, defineMcpResource, type McpToolCaller } from "../../src/index.js";

interface Recorded {
  name: string;
  args: Record<string, unknown>;
}

function caller(answer: (call: Recorded) => unknown): { calls: Recorded[]; connection: McpToolCaller } {
  const calls: Recorded[] = [];
  return {
    calls,
    connection: {
      async callTool(name, args) {
        calls.push({ name, args });
        return answer({ name, args }) as Awaited<ReturnType<McpToolCaller["callTool"]>>;
      },
    },
  };
}

const schema = z.object({ id: z.int(), title: z.string(), done: z.boolean().optional(), kind: z.string().nullable() });

async function notesOn(connection: McpToolCaller): Promise<Database> {
  const db = await Database.create({ policy: { writes: true } });
  return db.register(
    defineMcpResource(
      {
        name: "note",
        description: "Notes",
        volatility: "stable",
        primaryKey: ["id"],
        verbs: {
          select: {
            tool: "list",
            input: { filter: { kind: "{kind}" } },
            rows: "$.data.items",
            fields: { kind: "noteKind" },
          },
          insert: { tool: "create", input: { notes: [{ title: "{title}", done: "{done}" }], label: "new {title}" } },
          update: { tool: "set", input: { id: "{id}", title: "{title}" } },
          delete: { tool: "remove", input: { ids: ["{id}"] } },
        },
      },
      schema,
      [],
      connection,
    ),
  );
}

const items = {
  data: {
    items: [
      { id: 1, title: "a", noteKind: "x" },
      { id: 2, title: "b", noteKind: null },
    ],
  },
};

describe("reading", () => {
  test.each([
    { name: "structured content", answer: { structuredContent: items } },
    { name: "JSON text", answer: { content: [{ type: "text", text: JSON.stringify(items) }] } },
  ])("takes the rows from $name", async ({ answer }) => {
    const { calls, connection } = caller(() => answer);
    const db = await notesOn(connection);
    const { rows } = await db.execute("SELECT id, kind FROM note ORDER BY id");
    expect(rows).toEqual([
      { id: 1, kind: "x" },
      { id: 2, kind: null },
    ]);
    expect(calls).toEqual([{ name: "list", args: { filter: {} } }]);
  });

  test("fills the template from what is bound", async () => {
    const { calls, connection } = caller(() => ({ structuredContent: items }));
    const db = await notesOn(connection);
    const { rows } = await db.execute("SELECT id FROM note WHERE kind = 'x'");
    expect(rows).toEqual([{ id: 1 }]);
    expect(calls).toEqual([{ name: "list", args: { filter: { kind: "x" } } }]);
  });

  test.each([
    {
      name: "an error of the tool",
      answer: { isError: true, content: [{ type: "text", text: "rate limited" }] },
      detail: /rate limited/,
    },
    { name: "text that is no JSON", answer: { content: [{ type: "text", text: "<html>" }] }, detail: /<html>/ },
    {
      name: "an answer without the rows",
      answer: { structuredContent: { data: {} } },
      message: /has nothing at \$\.data\.items/,
    },
  ])("$name is an error", async ({ answer, detail, message }) => {
    const { connection } = caller(() => answer);
    const db = await notesOn(connection);
    await expect(db.execute("SELECT id FROM note")).rejects.toMatchObject({
      code: "HV000",
      ...(detail !== undefined && { detail: expect.stringMatching(detail) }),
      ...(message !== undefined && { message: expect.stringMatching(message) }),
    });
  });
});

test("writes fill their templates; a column without a value is left out", async () => {
  const { calls, connection } = caller(() => ({ structuredContent: {} }));
  const db = await notesOn(connection);
  await db.execute("INSERT INTO note (title) VALUES ('it''s {done}')");
  await db.execute("UPDATE note SET title = 'new' WHERE id = 1");
  await db.execute("DELETE FROM note WHERE id IN (1, 2)");
  expect(calls).toEqual([
    { name: "create", args: { notes: [{ title: "it's {done}" }], label: "new it's {done}" } },
    { name: "set", args: { id: 1, title: "new" } },
    { name: "remove", args: { ids: [1] } },
    { name: "remove", args: { ids: [2] } },
  ]);
});

test("an answer that is no JSON where rows are wanted is told with the parser's words as the cause", async () => {
  const { connection } = caller(() => ({ content: [{ type: "text", text: "sorry, {" }] }));
  const db = await notesOn(connection);
  const error = await db.execute("SELECT title FROM note").catch((thrown: unknown) => thrown);
  const messages: string[] = [];
  let cause: unknown = error;
  while (cause instanceof Error) {
    messages.push(`${cause.name}: ${cause.message}`);
    cause = cause.cause;
  }
  expect(messages.join("\n")).toContain('tool "list" did not answer with JSON');
  expect(messages.at(-1)).toMatch(/^SyntaxError: /);
});

describe("what a read passes on beside equality", () => {
  async function issuesOn(connection: McpToolCaller): Promise<Database> {
    const db = await Database.create();
    return db.register(
      defineMcpResource(
        {
          name: "issue",
          description: "Issues",
          volatility: "stable",
          columns: { number: { operators: [">="], exact: true }, title: { equality: false } },
          accepts: { limit: true },
          verbs: { select: { tool: "list", input: { from: "{number >=}", number: "{number}", first: "{$limit}" } } },
        },
        z.object({ number: z.int(), title: z.string() }),
        [],
        connection,
      ),
    );
  }

  test.each([
    { name: "a limit alone", where: "LIMIT 1", args: { first: 1 } },
    { name: "an operator and the limit", where: "WHERE number >= 2 LIMIT 1", args: { from: 2, first: 1 } },
    { name: "no limit beside what the tool can't decide", where: "WHERE title = 'b' LIMIT 1", args: {} },
  ])("$name", async ({ where, args }) => {
    const { calls, connection } = caller(() => ({
      content: [{ type: "text", text: '[{ "number": 2, "title": "b" }, { "number": 3, "title": "c" }]' }],
    }));
    const db = await issuesOn(connection);
    const { rows } = await db.execute(`SELECT number FROM issue ${where}`);
    expect(rows).toEqual([{ number: 2 }]);
    expect(calls).toEqual([{ name: "list", args }]);
  });

  test("options of a column that the schema does not have are refused", () => {
    const make = () =>
      defineMcpResource(
        {
          name: "issue",
          description: "",
          volatility: "stable",
          columns: { nr: { exact: true } },
          verbs: { select: { tool: "x" } },
        },
        z.object({ number: z.int() }),
        [],
        caller(() => ({})).connection,
      );
    expect(make).toThrow('columns: the schema has no field "nr"');
  });
});
