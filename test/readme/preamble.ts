/** What the README's examples take for granted: tools, an agent, servers. Each example gets the names that it uses. */
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Database, defineResource, type MountedTool } from "glove-scratchpad";
import { z } from "zod";

const require = createRequire(import.meta.url);

const prs = [
  { number: 1, title: "Fix login", merged: true },
  { number: 2, title: "Add export", merged: false },
];

export const listPrs = async ({ number }: { number: number }) => prs.filter((pr) => pr.number === number);
export const createPr = async (row: object) => row;
export const updatePr = async (_number: number, set: object) => set;
export const closePr = async (number: number) => ({ closed: number });

export const getTimeTool = {
  name: "get_time",
  description: "The time now",
  do: async () => ({ status: "success", data: { now: new Date(), tomorrow: "2026-06-02" } }),
};

export const searchTool = {
  name: "search",
  description: "Searches the web",
  inputSchema: z.object({ query: z.string().describe("Words to look for") }),
  do: async (input: { query: string }) => ({
    status: "success",
    data: [{ title: `About ${input.query}`, url: "https://example.org" }],
  }),
};

export const listBuilds = async (repo: string, page: number, _signal: AbortSignal) => [
  { repo, id: page, state: "passed", started_at: new Date(0).toISOString() },
];

/** One page of a service's issues, as its client library would give it. */
export const fetchIssues = async (_request: {
  repo: string;
  since: unknown;
  cursor: string | undefined;
  limit: number | undefined;
  orderBy: unknown;
  signal: AbortSignal;
}): Promise<{
  status: number;
  issues: { repo: string; number: number; state: "open" | "closed"; updated_at: string }[];
  nextCursor?: string;
}> => ({ status: 200, issues: [] });

/** The part of an agent that mounting needs. */
export const agent = {
  tools: [] as MountedTool[],
  prompt: "",
  fold(tool: MountedTool) {
    this.tools.push(tool);
    return this;
  },
  getSystemPrompt() {
    return this.prompt;
  },
  setSystemPrompt(prompt: string) {
    this.prompt = prompt;
  },
};

export const emails = defineResource({
  name: "emails",
  volatility: "volatile",
  schema: z.object({ to_addr: z.string(), subject: z.string(), body: z.string() }),
  insert: () => ({ queued: true }),
});

export const customers = defineResource({
  name: "customers",
  volatility: "stable",
  schema: z.object({
    name: z.string(),
    owner: z.string(),
    phone: z.string(),
    api_key: z.string(),
    notes: z.string().nullable(),
  }),
  select: () => [{ name: "Acme", owner: "ann", phone: "+1 555 0100", api_key: "sk-1", notes: "calls back" }],
});

/** A folder for what examples write. */
export const folder = join(tmpdir(), `readme-${process.pid}`);

export const pullRequests = defineResource({
  name: "pr",
  volatility: "stable",
  schema: z.object({ id: z.int(), title: z.string(), base: z.string() }),
  select: () => [{ id: 1, title: "Fix login", base: "main" }],
});

export const reviews = defineResource({
  name: "review",
  volatility: "stable",
  schema: z.object({ pr: z.int(), state: z.string() }),
  keys: ["pr"],
  select: () => ({ state: "approved" }),
});

export const githubServer = {
  command: process.execPath,
  args: [fileURLToPath(new URL("github-server.mjs", import.meta.url))],
};

export const memoryServer = {
  command: process.execPath,
  args: [require.resolve("@modelcontextprotocol/server-memory/dist/index.js")],
  env: { MEMORY_FILE_PATH: join(tmpdir(), `readme-memory-${process.pid}.jsonl`) },
};

/** The tables that the README's statements name. */
export async function sqlDatabase(): Promise<Database> {
  const db = await Database.create({ policy: { writes: true } });
  const fixed = (name: string, schema: z.ZodObject, rows: object[]) =>
    defineResource({ name, volatility: "stable", schema, select: () => rows as never });
  return db.registerAll([
    fixed("time", z.object({ now: z.date(), tomorrow: z.string() }), [{ now: new Date(), tomorrow: "2026-06-02" }]),
    fixed("tasks", z.object({ id: z.int(), name: z.string(), due_date: z.string() }), [
      { id: 1, name: "Write", due_date: "2026-06-02" },
      { id: 2, name: "Read", due_date: "2026-06-03" },
    ]),
    fixed("github_pr", z.object({ title: z.string(), body: z.string(), merged: z.boolean(), base: z.string() }), [
      { title: "Fix login", body: "…", merged: true, base: "main" },
    ]),
    defineResource({
      name: "notion_page",
      volatility: "stable",
      schema: z.object({ title: z.string(), body: z.string() }),
      insert: () => undefined,
    }),
    defineResource({
      name: "images",
      volatility: "immutable",
      schema: z.object({ prompt: z.string(), url: z.string() }),
      keys: ["prompt"],
      select: (bindings) => ({ url: `https://example.org/${encodeURIComponent(bindings.one("prompt"))}` }),
    }),
  ]);
}
