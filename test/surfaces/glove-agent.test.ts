/** A real Glove agent with a scripted model: discovers, queries, makes a mistake, corrects itself, writes. */
import {
  Displaymanager,
  Glove,
  MemoryStore,
  type Message,
  type ModelAdapter,
  type ModelPromptResult,
  type PromptRequest,
} from "glove-core";
import { expect, test } from "vitest";
import { mountDatabase, primeText } from "../../src/index.js";
import { prWorld } from "../support/pr-world.js";

/** Plays one reply a turn and keeps what it was sent. */
class ScriptedModel implements ModelAdapter {
  readonly name = "scripted";
  readonly requests: PromptRequest[] = [];
  systemPrompt = "";
  private turn = 0;

  constructor(private readonly replies: readonly { sql?: string; tool?: string; text?: string }[]) {}

  setSystemPrompt(prompt: string): void {
    this.systemPrompt = prompt;
  }

  async prompt(request: PromptRequest): Promise<ModelPromptResult> {
    this.requests.push({ ...request, messages: structuredClone(request.messages) });
    const reply = this.replies[this.turn++];
    const message: Message =
      reply.sql === undefined
        ? { sender: "agent", text: reply.text ?? "" }
        : {
            sender: "agent",
            text: "",
            tool_calls: [
              { tool_name: reply.tool ?? "execute_sql", input_args: { sql: reply.sql }, id: `call-${this.turn}` },
            ],
          };
    return { messages: [message], tokens_in: 1, tokens_out: 1 };
  }

  /** The results of the tool calls, in order. */
  results(): { status: string; data: unknown; message?: string }[] {
    const last = this.requests[this.requests.length - 1];
    return last.messages.flatMap((message) => message.tool_results ?? []).map((result) => result.result);
  }
}

function agentWith(model: ScriptedModel): Glove {
  return new Glove({
    store: new MemoryStore("conversation"),
    model,
    displayManager: new Displaymanager(),
    systemPrompt: "You are helpful.",
    serverMode: true,
    compaction_config: { compaction_instructions: "Summarise." },
  });
}

test("an agent works the database through execute_sql and explain_sql", async () => {
  const { db, recorder } = await prWorld();
  const model = new ScriptedModel([
    { sql: "SELECT table_name FROM information_schema.tables ORDER BY 1" },
    { sql: "SELECT titel FROM pr WHERE merged" },
    { sql: "SELECT title FROM pr WHERE merged ORDER BY id" },
    { tool: "explain_sql", sql: "DELETE FROM pr WHERE id = 3" },
    { sql: "BEGIN; INSERT INTO emails (to_addr, subject) VALUES ('ann@example.org', 'merged'); COMMIT" },
    { text: "Two are merged; Ann knows." },
  ]);
  const agent = mountDatabase(agentWith(model), { db }).build();

  const answer = await agent.processRequest("Which pull requests are merged? Tell Ann.");

  expect(JSON.stringify(answer)).toContain("Two are merged");
  expect(model.systemPrompt).toBe(`You are helpful.\n\n${primeText(true)}`);
  expect(model.requests[0].tools?.map((tool) => tool.name)).toEqual(
    expect.arrayContaining(["execute_sql", "explain_sql"]),
  );
  const results = model.results();
  expect(results.map((result) => result.status)).toEqual(["success", "error", "success", "success", "success"]);
  expect(results[0].data).toMatchObject({
    rows: [
      { table_name: "comment" },
      { table_name: "emails" },
      { table_name: "issue" },
      { table_name: "pr" },
      { table_name: "review" },
    ],
  });
  expect(results[1].message).toContain('Perhaps you meant to reference the column "pr.title".');
  expect(results[2].data).toMatchObject({
    rows: [{ title: "Fix login" }, { title: "Docs" }],
    truncated: false,
    touched: ["pr(merged = true) 1 call"],
  });
  expect(results[3].data).toMatchObject({ readOnly: false, plan: expect.stringContaining("Delete on pr") });
  expect(results[4].data).toMatchObject({ command: "COMMIT", committed: 1 });
  expect(recorder.take()).toEqual([
    { table: "pr", args: { merged: [true] } },
    { table: "emails", op: "insert", rows: [{ to_addr: "ann@example.org", subject: "merged" }] },
  ]);
});

test("a read-only mount without explain and without priming", async () => {
  const { db } = await prWorld({});
  const model = new ScriptedModel([{ sql: "DELETE FROM pr WHERE id = 1" }, { text: "I may not." }]);
  const agent = mountDatabase(agentWith(model), { db, explain: false, prime: false }).build();
  await agent.processRequest("Delete it.");
  expect(model.systemPrompt).toBe("You are helpful.");
  expect(model.requests[0].tools?.map((tool) => tool.name)).not.toContain("explain_sql");
  expect(model.results()[0]).toMatchObject({ status: "error", message: expect.stringContaining("ERROR 42501") });
});

test("a cut answer opens with a line that says so", async () => {
  const { db } = await prWorld();
  const model = new ScriptedModel([{ sql: "SELECT id FROM pr ORDER BY id" }, { text: "ok" }]);
  const agent = mountDatabase(agentWith(model), { db, defaultLimit: 2 }).build();
  await agent.processRequest("List them.");
  expect(model.results()[0].data).toMatchObject({
    cut: "rows 1–2 of more; raise limit, or narrow with WHERE or an aggregate",
    rows: [{ id: 1 }, { id: 2 }],
    truncated: true,
  });
});

test("definitions and priming do not grow with the number of tables", async () => {
  expect(primeText(true).length).toBeLessThan(1_400);
});
