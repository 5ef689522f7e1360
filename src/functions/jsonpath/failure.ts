/** Errors inside a path that the `silent` argument, the operators `@?` `@@` and predicates turn into "nothing" or "unknown". */
import { SqlError } from "../../errors/sql-error.js";

export class PathFailure extends Error {
  constructor(readonly error: SqlError) {
    super(error.message);
    this.name = "PathFailure";
  }
}

/** A failure that can be silenced. */
export function pathFailure(code: string, message: string, hint?: string): PathFailure {
  return new PathFailure(new SqlError(code, message, { hint }));
}
