/**
 * Row constructors, comparisons of rows, and the fields of composite values.
 * Source: PostgreSQL 15, 4.2.13 "Row Constructors", 9.24.5 "Row Constructor Comparison", 8.16.3 "Accessing Composite Types".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { recordType, types } from "../../types/type.js";
import type { Call, Expr } from "../expr.js";
import { at, datatypeMismatch, notSupported, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { callNamed, hasFunction } from "./functions.js";
import { expandStar, relationNamed } from "./names.js";
import { operatorCall } from "./operators.js";
import { columnOfItem, missingColumn } from "./scope.js";
import type { QueryLevel } from "./state.js";

/** The fields of a row constructor, stars expanded, literals still untyped. */
export function bindRowFields(node: ast.RowConstructor, level: QueryLevel): readonly Expr[] {
  return bindExpressionList(node.fields, level);
}

/** A list of expressions in which `t.*` stands for several. */
export function bindExpressionList(nodes: readonly ast.Expression[], level: QueryLevel): readonly Expr[] {
  return nodes.flatMap((field) => {
    if (field.kind === "ColumnRef" && field.star) return expandStar(field, level).map((column) => column.expr);
    if (field.kind === "FieldStar") return expandFieldStar(field, level).map((column) => column.expr);
    return [bindExpression(field, level)];
  });
}

export function bindRow(node: ast.RowConstructor, level: QueryLevel): Expr {
  const items = bindRowFields(node, level).map((item) =>
    item.type === types.unknown ? callNamed.toText(item, level) : item,
  );
  if (items.length > 1664) {
    throw new SqlError(sqlstate.tooManyColumns, "ROW expressions can have at most 1664 entries", {
      position: at(node),
    });
  }
  return rowOf(items, at(node));
}

/** A row of values as an anonymous record. */
function rowOf(items: readonly Expr[], position?: number): Expr {
  const type = recordType(items.map((item, i) => ({ name: `f${i + 1}`, type: item.type })));
  return { kind: "Row", items, type, position };
}

/** `(row).field`; the field of a relation's row is simply its column. */
export function bindFieldSelection(node: ast.FieldSelection, level: QueryLevel): Expr {
  const { name } = node.field;
  const relation = relationNamed(node.operand, level);
  if (relation !== undefined) {
    const column = columnOfItem(relation, name, at(node.operand));
    if (column !== undefined) return column;
  }
  const operand = bindExpression(node.operand, level);
  const field = fieldOf(operand, name);
  if (field !== undefined) return field;
  if (hasFunction(name)) return callNamed.call(name, [operand], level, at(node.field));
  if (relation?.name !== undefined) throw missingColumn(level, relation.name, name, at(node.operand));
  const position = at(node.operand);
  const { type } = operand;
  if (type.kind !== "record") {
    throw new SqlError(
      sqlstate.wrongObjectType,
      `column notation .${name} applied to type ${type.display}, which is not a composite type`,
      {
        position,
        hint:
          type === types.jsonb || type === types.json
            ? `Fields of ${type.name} are read with ->> '${name}'.`
            : undefined,
      },
    );
  }
  const message =
    type.name === "record"
      ? `could not identify column "${name}" in record data type`
      : `column "${name}" not found in data type ${type.display}`;
  const hint =
    type.fields === undefined ? undefined : `The fields are: ${type.fields.map((item) => item.name).join(", ")}.`;
  throw new SqlError(sqlstate.undefinedColumn, message, { position, hint });
}

/** The field of that name of a composite value, or `undefined`. */
function fieldOf(operand: Expr, name: string): Expr | undefined {
  const index = operand.type.fields?.findIndex((field) => field.name === name) ?? -1;
  return index < 0 ? undefined : fieldAt(operand, index);
}

/** A field by its place. */
export function fieldAt(operand: Expr, index: number): Expr {
  const field = operand.type.fields?.[index];
  if (field === undefined) throw new Error(`a record without field ${index + 1} was asked for it`);
  if (operand.kind === "Row") return operand.items[index];
  return { kind: "Field", input: operand, index, name: field.name, type: field.type, position: operand.position };
}

/** The columns that `(row).*` stands for. */
export function expandFieldStar(node: ast.FieldStar, level: QueryLevel): readonly { name: string; expr: Expr }[] {
  const relation = relationNamed(node.operand, level);
  if (relation !== undefined) return relation.columns;
  const operand = bindExpression(node.operand, level);
  const { fields } = operand.type;
  if (fields === undefined) {
    throw new SqlError(sqlstate.wrongObjectType, `type ${operand.type.display} is not composite`, {
      position: at(node.operand),
    });
  }
  return fields.map((field, index) => ({ name: field.name, expr: fieldAt(operand, index) }));
}

const opposite: Record<string, string> = { "<": "<", "<=": "<", ">": ">", ">=": ">" };

/** `(a, b) op (c, d)`, field by field. */
export function compareRows(
  operator: string,
  left: readonly Expr[],
  right: readonly Expr[],
  level: QueryLevel,
  position: number,
): Expr {
  if (left.length !== right.length) throw syntaxError("unequal number of entries in row expressions", position);
  if (left.length === 0) throw notSupported("cannot compare rows of zero length", position);
  const fields = left.map((field, i) => {
    const call = operatorCall(operator, field, right[i], level, position);
    if (call.type !== types.bool || call.kind !== "Call") {
      throw datatypeMismatch(
        `row comparison operator must yield type boolean, not type ${call.type.display}`,
        position,
      );
    }
    return call;
  });
  if (fields.length === 1) return fields[0];
  if (operator === "=" || operator === "<>") {
    return { kind: operator === "=" ? "And" : "Or", args: fields, type: types.bool, position };
  }
  if (opposite[operator] === undefined) {
    throw notSupported(
      `could not determine interpretation of row comparison operator ${operator}`,
      position,
      "Row comparison operators must be associated with btree operator families.",
    );
  }
  const again = (symbol: string) =>
    fields.map((call) => operatorCall(symbol, call.args[0], call.args[1], level, position) as Call);
  return {
    kind: "RowCompare",
    operator,
    left: fields.map((call) => call.args[0]),
    right: fields.map((call) => call.args[1]),
    equals: again("="),
    compare: again(opposite[operator]),
    type: types.bool,
    position,
  };
}
