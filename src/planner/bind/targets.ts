/**
 * The select list: stars spread out, and the name that each column of the result gets.
 * Source: PostgreSQL 15, 7.3 "Select Lists"; names follow its function FigureColname.
 */
import type * as ast from "../../grammar/ast.js";
import type { Expr } from "../expr.js";
import { at } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { expandStar } from "./names.js";
import { expandFieldStar } from "./rows.js";
import type { QueryLevel } from "./state.js";

/** An item of the select list; `hidden` ones are there for ORDER BY or DISTINCT ON only. */
export interface Target {
  readonly name: string;
  expr: Expr;
  readonly hidden: boolean;
  readonly position: number;
}

export function bindTargets(nodes: readonly ast.SelectTarget[], level: QueryLevel): Target[] {
  return nodes.flatMap((node) => {
    const { expression, alias } = node;
    const position = at(expression);
    if (expression.kind === "ColumnRef" && expression.star) {
      return expandStar(expression, level).map(({ name, expr }) => visible(name, expr, position));
    }
    if (expression.kind === "FieldStar") {
      return expandFieldStar(expression, level).map(({ name, expr }) => visible(name, expr, position));
    }
    return [visible(alias?.name ?? columnName(expression), bindExpression(expression, level), position)];
  });
}

function visible(name: string, expr: Expr, position: number): Target {
  return { name, expr, hidden: false, position };
}

/** All columns in scope, for TABLE and VALUES. */
export function starTargets(level: QueryLevel, position: number): Target[] {
  return level.namespace
    .filter((item) => item.columnsVisible)
    .flatMap((item) => item.columns.map(({ name, expr }) => visible(name, { ...expr, position }, position)));
}

/** The name of an output column without an alias. */
export function columnName(node: ast.Expression): string {
  return nameOf(node)?.name ?? "?column?";
}

/** `strong` names win over the name of a cast's type. */
interface FoundName {
  readonly name: string;
  readonly strong: boolean;
}

function strong(name: string): FoundName {
  return { name, strong: true };
}

function nameOf(node: ast.Expression): FoundName | undefined {
  switch (node.kind) {
    case "ColumnRef":
      // Of `t.*` as one value the name is that of the relation.
      return node.parts.length === 0 ? undefined : strong(node.parts[node.parts.length - 1]);
    case "FieldSelection":
      return strong(node.field.name);
    case "Subscript":
    case "Slice":
    case "Collate":
      return nameOf(node.operand);
    case "FunctionCall":
      return strong(node.name.name);
    case "SqlValueFunction":
      return strong(node.name);
    case "NullIf":
      return strong("nullif");
    case "Grouping":
      return strong("grouping");
    case "Coalesce":
      return strong("coalesce");
    case "MinMax":
      return strong(node.operator);
    case "ArrayConstructor":
    case "ArraySubquery":
      return strong("array");
    case "RowConstructor":
      return strong("row");
    case "Exists":
      return strong("exists");
    case "Cast": {
      const inner = nameOf(node.operand);
      return inner?.strong ? inner : { name: node.type.name, strong: false };
    }
    case "Case": {
      const inner = node.otherwise && nameOf(node.otherwise);
      return inner?.strong ? inner : { name: "case", strong: false };
    }
    case "ScalarSubquery": {
      const first = firstTarget(node.query);
      return first === undefined ? undefined : strong(first);
    }
    default:
      return undefined;
  }
}

/** The name of a subquery's first column. */
function firstTarget(query: ast.SelectStatement): string | undefined {
  let body: ast.QueryBody = query.body;
  while (body.kind === "SetOperation" || body.kind === "SelectStatement") {
    body = body.kind === "SetOperation" ? body.left : body.body;
  }
  if (body.kind === "ValuesClause") return "column1";
  if (body.kind !== "SelectCore") return undefined;
  const [target] = body.targets;
  return target && (target.alias?.name ?? columnName(target.expression));
}
