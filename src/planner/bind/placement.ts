/** Where aggregates, GROUPING, window functions and set-returning functions may stand, and what is said where they may not. */
import type { Clause } from "./state.js";

type Feature = "aggregate functions" | "grouping operations" | "window functions" | "set-returning functions";

const insideSelect: readonly Clause[] = ["SELECT", "ORDER BY", "DISTINCT ON"];

const allowed: Readonly<Record<Feature, readonly Clause[]>> = {
  "aggregate functions": [...insideSelect, "HAVING", "window PARTITION BY", "window ORDER BY"],
  "grouping operations": [...insideSelect, "HAVING", "window PARTITION BY", "window ORDER BY"],
  "window functions": insideSelect,
  "set-returning functions": [...insideSelect, "GROUP BY", "window PARTITION BY", "window ORDER BY"],
};

/** The message that refuses a feature in a clause, in PostgreSQL's words; `undefined` where it may stand. */
export function placementMessage(clause: Clause, feature: Feature): string | undefined {
  if (allowed[feature].includes(clause)) return undefined;
  const refused = `${feature} are not allowed in`;
  switch (clause) {
    case "JOIN/ON":
      return `${refused} JOIN conditions`;
    case "MERGE WHEN":
      return `${refused} MERGE WHEN conditions`;
    case "DEFAULT":
      return `${refused} DEFAULT expressions`;
    case "sub-SELECT in FROM":
      return `${refused} FROM clause of their own query level`;
    case "function in FROM":
      return feature === "set-returning functions"
        ? "set-returning functions must appear at top level of FROM"
        : `${refused} functions in FROM`;
    case "window PARTITION BY":
    case "window ORDER BY":
      return `${refused} window definitions`;
    case "window RANGE":
    case "window ROWS":
    case "window GROUPS":
      return feature === "aggregate functions" || feature === "grouping operations"
        ? `${refused} ${clause}`
        : `${refused} window definitions`;
    default:
      return `${refused} ${clause}`;
  }
}
