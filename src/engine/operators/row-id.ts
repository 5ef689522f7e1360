/** The hidden column that carries the row ids of a write's target scan up to the write. */
import type { SlotLoader } from "../batch.js";

/** Its id; ids of real columns are not negative. */
export function rowIdColumn(scanId: number): number {
  return -1 - scanId;
}

export const loadRowIds: SlotLoader = (_execution, _slot, ids, sel, n, out) => {
  for (let k = 0; k < n; k++) out[sel[k]] = ids[sel[k]];
};
