/** What a statement answered, in the oracle's form. */
import { rowText } from "./data.js";
import type { World } from "./fixture.js";
import type { Answer } from "./oracle.js";

/** @param before the tables before the statement */
export async function outcome(
  own: World,
  { sql, params }: { readonly sql: string; readonly params?: unknown[] },
  before: ReturnType<World["state"]>,
): Promise<Answer & { words?: string }> {
  try {
    const result = await own.db.execute(sql, { ...(params !== undefined && { params }), limit: 2_000 });
    const after = Object.entries(own.state()).filter(([table, rows]) => rows.join() !== before[table].join());
    return {
      rows: result.rows.map((row) => rowText(Object.values(row))).sort(),
      tag: result.command ?? "",
      changed: Object.fromEntries(after),
    };
  } catch (error) {
    const { code, message, detail, hint } = error as { code?: string; message: string; detail?: string; hint?: string };
    return { code: code ?? message, words: [message, detail, hint].join("\n") };
  }
}

/** Whether a recorded call is one that writes. */
export function isWrite(call: string): boolean {
  return !/^[^.]+\.select /.test(call);
}
