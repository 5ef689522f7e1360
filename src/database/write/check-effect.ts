/** Lets a resource refuse an effect that its verb could not carry out, as long as nothing of the statement has been sent. */
import type { Effect } from "../effect.js";

/** @throws what `checkWrite` of the resource throws */
export function checkEffect({ table, op, decodedRows, decodedSet, decodedMatch, idempotencyKey }: Effect): void {
  table.resource.checkWrite?.({
    op,
    idempotencyKey,
    ...(decodedRows !== undefined && { rows: decodedRows }),
    ...(decodedSet !== undefined && { set: decodedSet }),
    ...(decodedMatch !== undefined && { match: decodedMatch }),
  });
}
