/** Tables of every kind behind a read-only database, all of which write down each call. */
import { Database, type DatabaseOptions, defineResource } from "../../../src/index.js";
import { Recorder } from "../../support/recording.js";

const text = (name: string) => ({ name, type: "text" });

/** `emails` is written only, `notes` has every verb, `lookup` needs a key, `"Odd Name"` must be quoted. */
export async function bypassWorld(
  options: DatabaseOptions = {},
): Promise<{ db: Database; recorder: Recorder; effects: () => unknown[] }> {
  const recorder = new Recorder();
  const db = await Database.create(options);
  const all = ["select", "insert", "update", "delete"] as const;
  db.registerAll([
    recorder.resource({ name: "emails", columns: [text("to_addr"), text("body")], verbs: ["insert"] }),
    recorder.resource({
      name: "notes",
      columns: [{ name: "id", type: "bigint" }, text("body")],
      rows: [
        { id: 1, body: "one" },
        { id: 2, body: "two" },
      ],
      primaryKey: ["id"],
      verbs: [...all],
      volatility: "volatile",
    }),
    recorder.resource({
      name: "lookup",
      columns: [{ name: "k", type: "text", requiredKey: true }, text("v")],
      rows: [{ k: "a", v: "b" }],
      verbs: [...all],
    }),
  ]);
  db.register(
    defineResource({
      name: "Odd Name",
      volatility: "volatile",
      columns: [text("x")],
      primaryKey: ["x"],
      select: () => void recorder.calls.push({ table: "Odd Name" }) as never,
      delete: () => void recorder.calls.push({ table: "Odd Name", op: "delete" }) as never,
    }),
  );
  return { db, recorder, effects: () => recorder.calls.filter(({ op }) => op !== undefined) };
}
