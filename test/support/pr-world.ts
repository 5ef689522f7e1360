/** A small world for tests: pull requests, their reviews, issues that need their id, mail that is only sent. */
import { Database, type DatabaseOptions } from "../../src/index.js";
import { Recorder, type RecordingOptions } from "./recording.js";

const text = (name: string) => ({ name, type: "text" });
const bigint = (name: string) => ({ name, type: "bigint" });

export const prRows = () => [
  { id: 1, title: "Fix login", base: "main", merged: true, author: "ann", closes: "A-1" },
  { id: 2, title: "Add export", base: "main", merged: false, author: "bob", closes: "A-2" },
  { id: 3, title: "Docs", base: "docs", merged: true, author: "ann", closes: null },
];

/** Every table of the world; `overrides` changes one of them. */
export function prTables(overrides: Record<string, Partial<RecordingOptions>> = {}): RecordingOptions[] {
  const tables: RecordingOptions[] = [
    {
      name: "pr",
      columns: [
        bigint("id"),
        text("title"),
        text("base"),
        { name: "merged", type: "boolean" },
        text("author"),
        text("closes"),
      ],
      rows: prRows(),
      primaryKey: ["id"],
      verbs: ["select", "insert", "update", "delete"],
    },
    {
      name: "review",
      columns: [bigint("pr"), { name: "state", type: "text", enum: ["approved", "rejected"] }, text("reviewer")],
      rows: [
        { pr: 1, state: "approved", reviewer: "bob" },
        { pr: 1, state: "rejected", reviewer: "cleo" },
        { pr: 2, state: "approved", reviewer: "ann" },
      ],
    },
    {
      name: "issue",
      columns: [{ name: "id", type: "text", requiredKey: true }, text("state"), bigint("points")],
      rows: [
        { id: "A-1", state: "done", points: 3 },
        { id: "A-2", state: "open", points: 5 },
        { id: "A-3", state: "open", points: 8 },
      ],
    },
    {
      name: "comment",
      columns: [
        { name: "issue_id", type: "text", requiredKey: true },
        { name: "pr_id", type: "bigint", requiredKey: true },
        text("body"),
      ],
      rows: [{ issue_id: "A-1", pr_id: 1, body: "nice" }],
    },
    {
      name: "emails",
      columns: [text("to_addr"), text("subject"), text("body")],
      verbs: ["insert"],
      volatility: "volatile",
    },
  ];
  return tables.map((table) => ({ ...table, ...overrides[table.name] }));
}

export async function prWorld(
  options: DatabaseOptions = { policy: { writes: true } },
  overrides: Record<string, Partial<RecordingOptions>> = {},
): Promise<{ db: Database; recorder: Recorder }> {
  const recorder = new Recorder();
  const db = await Database.create(options);
  db.registerAll(prTables(overrides).map((table) => recorder.resource(table)));
  return { db, recorder };
}
