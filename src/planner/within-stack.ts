/** Binder and optimizer walk expressions and plans by recursion, which has an end: where it is, the statement is too complex. */
import { ofEngineLimit } from "../errors/engine-limits.js";

/** The result of `work`. @throws SqlError 54001, as PostgreSQL's own limit of the stack, when it recurses too deeply, 54000 for a value that is too large */
export function withinStack<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw ofEngineLimit(error, "Divide the statement: expressions or queries are nested too deeply.");
  }
}
