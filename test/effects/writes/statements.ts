/** The table of statements that write. */
import { conflictStatements } from "./statements/conflicts.js";
import { cteStatements } from "./statements/ctes.js";
import { deleteStatements } from "./statements/deletes.js";
import { insertStatements } from "./statements/inserts.js";
import { mergeStatements } from "./statements/merges.js";
import { refusedStatements } from "./statements/refusals.js";
import type { WriteStatement } from "./statements/statement.js";
import { updateStatements } from "./statements/updates.js";

export const statements: Readonly<Record<string, readonly WriteStatement[]>> = {
  INSERT: insertStatements,
  UPDATE: updateStatements,
  DELETE: deleteStatements,
  MERGE: mergeStatements,
  "ON CONFLICT": conflictStatements,
  WITH: cteStatements,
  refusals: refusedStatements,
};

/** The statements that PostgreSQL is asked, by group and name. */
export function asked(): readonly { readonly key: string; readonly statement: WriteStatement }[] {
  return Object.entries(statements).flatMap(([group, list]) =>
    list
      .filter(({ differs }) => differs === undefined)
      .map((statement) => ({ key: `${group}: ${statement.name}`, statement })),
  );
}
