/**
 * The binder: from a syntax tree to a plan in which every name is resolved and every type is known. All errors of a
 * statement that can be found without reading a row are found here.
 */
import type { CatalogReader } from "../../catalog/table.js";
import type * as ast from "../../grammar/ast.js";
import type { BoundQuery } from "../plan.js";
import { withinStack } from "../within-stack.js";
import { at, notSupported } from "./errors.js";
import { bindMerge } from "./merge.js";
import { parameterTypes } from "./parameters.js";
import { bindSelectAt } from "./select.js";
import { type BindOptions, type BindState, openLevel } from "./state.js";
import { bindWrite } from "./writes.js";

export type { BindOptions } from "./state.js";

/**
 * Binds a SELECT, VALUES, TABLE, INSERT, UPDATE, DELETE or MERGE.
 * @throws SqlError with PostgreSQL's SQLSTATE, words and position
 */
export function bind(statement: ast.Statement, catalog: CatalogReader, options: BindOptions = {}): BoundQuery {
  const state: BindState = {
    catalog,
    options,
    columns: new Map(),
    parameters: new Map(),
    parameterPositions: new Map(),
    notices: [],
    openViews: new Set(),
    recursionBarrier: undefined,
    openCtes: [],
    nextColumn: 1,
    nextScan: 1,
    nextCte: 1,
  };
  const bound = withinStack(() => bindStatement(statement, state));
  return {
    ...bound,
    parameters: parameterTypes(state),
    ...(state.notices.length > 0 && { notices: state.notices }),
  };
}

function bindStatement(statement: ast.Statement, state: BindState): Pick<BoundQuery, "plan" | "output" | "command"> {
  const level = openLevel(state);
  switch (statement.kind) {
    case "SelectStatement":
      return { ...bindSelectAt(statement, level), command: "SELECT" };
    case "InsertStatement":
      return { ...bindWrite(statement, level), command: "INSERT" };
    case "UpdateStatement":
      return { ...bindWrite(statement, level), command: "UPDATE" };
    case "DeleteStatement":
      return { ...bindWrite(statement, level), command: "DELETE" };
    case "MergeStatement":
      return { ...bindMerge(statement, level), command: "MERGE" };
    default:
      throw notSupported("the statement cannot be planned", at(statement));
  }
}
