/** Comparisons with NULL in a statement: they are never true, which is seldom what was meant. */
import { sqlstate } from "../errors/sqlstate.js";
import type * as ast from "../grammar/ast.js";
import { deparseExpression } from "../grammar/deparse.js";
import { walk } from "../grammar/walk.js";
import type { Notice } from "./types.js";

const comparisons = new Set(["=", "<>", "<", "<=", ">", ">="]);

/**
 * One notice for each comparison with NULL, written out or the value of a parameter.
 * @param params host values of `$1`, `$2`, …
 */
export function nullComparisons(statement: ast.Statement, params: readonly unknown[]): Notice[] {
  const notices: Notice[] = [];
  walk(statement, (node) => {
    if (node.kind !== "BinaryOperator" || !comparisons.has(node.operator.name)) return;
    for (const [side, other] of [
      [node.right, node.left],
      [node.left, node.right],
    ]) {
      if (!isNull(side, params) || isNull(other, params)) continue;
      notices.push(notice(node, side, other));
      return;
    }
  });
  return notices;
}

function isNull(side: ast.Expression, params: readonly unknown[]): boolean {
  if (side.kind === "NullLiteral") return true;
  if (side.kind !== "Parameter" || side.number > params.length) return false;
  const value = params[side.number - 1];
  return value === null || value === undefined;
}

function notice(node: ast.BinaryOperator, side: ast.Expression, other: ast.Expression): Notice {
  const given = side.kind === "Parameter" ? `, since $${side.number} is NULL` : "";
  const test = node.operator.name === "=" ? "IS NULL" : node.operator.name === "<>" ? "IS NOT NULL" : "";
  return {
    severity: "NOTICE",
    code: sqlstate.noData,
    message: `${deparseExpression(node)} is never true${given}`,
    hint:
      test === ""
        ? "NULL compares with nothing; leave the condition out."
        : `Write ${deparseExpression(other)} ${test}.`,
  };
}
