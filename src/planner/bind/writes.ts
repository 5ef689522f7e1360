/** INSERT, UPDATE and DELETE. Source: PostgreSQL 15, reference pages INSERT, UPDATE, DELETE. */
import type * as ast from "../../grammar/ast.js";
import type { LogicalPlan, Write } from "../plan.js";
import { bindWith } from "./ctes.js";
import { bindInsert } from "./insert.js";
import type { BoundSelect } from "./select.js";
import type { QueryLevel } from "./state.js";
import { bindDelete, bindUpdate } from "./updates.js";

/** Binds a write, at the top or as a CTE, in a level made for it. */
export function bindWrite(
  statement: ast.InsertStatement | ast.UpdateStatement | ast.DeleteStatement,
  level: QueryLevel,
): BoundSelect {
  const ctes = statement.with === undefined ? undefined : bindWith(statement.with, level);
  const write = bindOne(statement, level);
  const plan: LogicalPlan = ctes === undefined ? write : { kind: "With", ctes: ctes(), input: write };
  return { plan, output: write.returning?.map((item) => item.column) ?? [] };
}

function bindOne(statement: ast.InsertStatement | ast.UpdateStatement | ast.DeleteStatement, level: QueryLevel): Write {
  switch (statement.kind) {
    case "InsertStatement":
      return bindInsert(statement, level);
    case "UpdateStatement":
      return bindUpdate(statement, level);
    case "DeleteStatement":
      return bindDelete(statement, level);
  }
}
