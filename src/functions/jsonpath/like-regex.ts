/** The patterns of `like_regex`. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";

/** Whether a text contains a match. @throws SqlError 0A000 for all but plain text (flag q) */
export function pathRegex(pattern: string, flags: string): (text: string) => boolean {
  if (flags === "q") return (text) => text.includes(pattern);
  throw new SqlError(sqlstate.featureNotSupported, "like_regex with a pattern is not supported");
}
