/** The table of statements: what each calls, and in which order. */
import { argumentStatements } from "./statements/arguments.js";
import { errorStatements } from "./statements/errors.js";
import { joinStatements } from "./statements/joins.js";
import { limitStatements } from "./statements/limits.js";
import { operatorStatements } from "./statements/operators.js";
import { sessionStatements } from "./statements/sessions.js";
import type { Statement } from "./statements/statement.js";
import { subqueryStatements } from "./statements/subqueries.js";

export const statements: Readonly<Record<string, readonly Statement[]>> = {
  arguments: argumentStatements,
  "operators beyond equality": operatorStatements,
  joins: joinStatements,
  subqueries: subqueryStatements,
  "LIMIT and ORDER BY": limitStatements,
  errors: errorStatements,
  sessions: sessionStatements,
};
