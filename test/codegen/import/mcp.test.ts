/** Tools of MCP servers as manifests. */
import { expect, test } from "vitest";
import { importMcp } from "../../../src/codegen/import/mcp/import-mcp.js";
import { sampleTools } from "../../../src/codegen/import/mcp/sample.js";
import { type ImportedTool, recordedAnswers, toolListOf } from "../../../src/codegen/import/mcp/tools.js";
import { writeManifest } from "../../../src/codegen/import/write-manifest.js";

const text = { type: "string" } as const;
const object = (properties: object, required: string[] = []) => ({ type: "object", properties, required }) as const;
const note = object({ id: text, title: text, isDone: { type: "boolean" } }, ["id"]);

const tools: ImportedTool[] = [
  {
    name: "list_notes",
    description: "List notes",
    inputSchema: object({ folder: text, archived: { type: "boolean" } }, ["folder"]) as ImportedTool["inputSchema"] &
      object,
    outputSchema: object({ notes: { type: "array", items: note } }) as ImportedTool["outputSchema"] & object,
    annotations: { readOnlyHint: true },
  },
  {
    name: "create_note",
    description: "Make a note",
    inputSchema: object({ folder: text, title: text, color: text }, ["folder", "title"]) as never,
  },
  { name: "delete_note", inputSchema: object({ noteId: text }, ["noteId"]) as never },
  { name: "get_note", inputSchema: object({ noteId: text }, ["noteId"]) as never, annotations: { readOnlyHint: true } },
  { name: "archive_everything", inputSchema: object({}) as never },
];
const draft = (list: readonly ImportedTool[] = tools, samples?: Parameters<typeof importMcp>[1]["samples"]) =>
  importMcp(
    { tools: list },
    { service: "notes", source: "Imported from notes.json by glove-gen import mcp.", ...(samples && { samples }) },
  );

test("tools of one entity become one table, as a person would have written it", async () => {
  await expect(await writeManifest(draft())).toMatchFileSnapshot("cases/notes.yaml");
});

test("without a hint, a name decides, and it is told; an explicit hint wins", () => {
  const [guessed] = draft([{ name: "list_things" }]).resources;
  expect(guessed.notes[0].text).toContain("does not say whether it only reads");
  const [refused] = draft([{ name: "list_things", annotations: { readOnlyHint: false } }]).resources;
  expect([...refused.verbs.keys()]).toEqual(["insert"]);
});

test("recorded answers give the columns of a tool without an output schema", () => {
  const result = { content: [{ type: "text", text: '[{"id":1,"name":"a"},{"id":1.5,"name":null}]' }] };
  const samples = recordedAnswers({
    calls: [
      { tool: "list_things", arguments: {}, result },
      { tool: "x", result: { isError: true } },
    ],
  });
  const [table] = draft([{ name: "list_things", annotations: { readOnlyHint: true } }], samples).resources;
  expect([...table.columns]).toEqual([
    ["id", { type: "number" }],
    ["name", { type: ["string", "null"] }],
  ]);
  expect(table.required).toEqual([]);
});

test("sampling calls only tools that say they read and need nothing", async () => {
  const called: string[] = [];
  const read = { readOnlyHint: true };
  const list: ImportedTool[] = [
    { name: "list_a", annotations: read },
    { name: "list_b" },
    { name: "get_c", annotations: { readOnlyHint: false } },
    { name: "get_d", annotations: read, inputSchema: object({ id: text }, ["id"]) as never },
    { name: "list_e", annotations: read, outputSchema: object({ x: text }) as never },
  ];
  const { answers } = await sampleTools(list, {
    callTool: async (name) => {
      called.push(name);
      return { structuredContent: {} };
    },
  });
  expect(called).toEqual(["list_a"]);
  expect([...answers.keys()]).toEqual(["list_a"]);
});

test.each([
  { name: "a list", value: [{ name: "a" }], tools: 1 },
  {
    name: "an answer of tools/list",
    value: { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "a" }, { noName: 1 }] } },
    tools: 1,
  },
  { name: "a file of servers", value: { mcpServers: {} }, tools: undefined },
])("saved tools: $name", ({ value, tools: count }) => {
  expect(toolListOf(value)?.tools.length).toBe(count);
});
