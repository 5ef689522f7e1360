/** An effect that was sent, as a line of `scratchpad.calls`. */
import type { CallRecord } from "../../resources/call-record.js";
import type { Effect } from "../effect.js";
import { wasCalled } from "../receipt.js";
import type { Receipt } from "../types.js";

const statusOf = { fired: "answered", failed: "failed", unknown: "unknown" } as const;

/** @returns `undefined` for an effect of which no call was made: it was not tried, or the journal had it from before */
export function callOfEffect(
  effect: Effect,
  receipt: Receipt,
  by: { readonly at: Date; readonly actor?: string },
): CallRecord | undefined {
  if (receipt.status === "not_tried" || !wasCalled(receipt)) return undefined;
  const { table, match, rows, set } = effect;
  return {
    resource: table.name,
    schema: table.schema,
    ...(by.actor !== undefined && { actor: by.actor }),
    op: effect.op,
    bindings: Object.fromEntries(Object.entries(match ?? {}).map(([column, value]) => [column, [value]])),
    ...(effect.op !== "delete" && { written: rows ?? set }),
    quals: [],
    startedAt: by.at,
    durationMs: receipt.durationMs ?? 0,
    waitedMs: 0,
    pages: 0,
    rows: 0,
    bytes: 0,
    retries: 0,
    status: statusOf[receipt.status],
    ...(receipt.error !== undefined && { error: receipt.error.message }),
  };
}
