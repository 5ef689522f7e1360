/**
 * Assignment to a part of a column: an element or a slice of an array, a place in a jsonb value. It is bound to a call that
 * makes the column's new value from its present one. Source: PostgreSQL 15, 8.15.4 "Modifying Arrays", 8.14.5 "jsonb
 * Subscripting".
 */
import type { TableColumn } from "../../catalog/table.js";
import { assignJsonb } from "../../functions/json/assign.js";
import type * as ast from "../../grammar/ast.js";
import { assignArrayElement, assignArraySlice } from "../../types/array-assign.js";
import type { ArrayValue } from "../../types/array-shape.js";
import { type SqlType, types } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { Expr, Subscript } from "../expr.js";
import { type Bracket, bindBrackets } from "./arrays.js";
import { coerceTo } from "./conversions.js";
import { at, datatypeMismatch, notSupported } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { type Clause, inClause, type QueryLevel } from "./state.js";

/** A part of a column that a value is assigned to. */
export interface ColumnPart {
  readonly column: TableColumn;
  readonly subscripts: Subscript["subscripts"];
  /** Of the value that fits. */
  readonly type: SqlType;
  readonly position: number;
}

/** The part that a target means; `undefined` for the whole column. @throws SqlError 42804, 0A000 for a field of a composite */
export function partOf(target: ast.AssignmentTarget, column: TableColumn, level: QueryLevel): ColumnPart | undefined {
  if (target.path.length === 0) return undefined;
  const position = at(target);
  const brackets: Bracket[] = [];
  for (const step of target.path) {
    if (step.kind === "FieldStep") throw fieldError(step, brackets.length, column, position);
    brackets.push(step);
  }
  return { column, ...bindBrackets(column.type, brackets, position, level), position };
}

function fieldError(step: ast.FieldStep, brackets: number, column: TableColumn, position: number) {
  const owner = brackets > 0 ? (column.type.element ?? column.type) : column.type;
  if (owner.kind !== "record") {
    return datatypeMismatch(
      `cannot assign to field "${step.name}" of column "${column.name}" because its type ${owner.display} is not a composite type`,
      position,
      owner === types.jsonb ? `Fields of jsonb are assigned with brackets: ${column.name}['${step.name}'].` : undefined,
    );
  }
  return notSupported("assigning to a field of a column is not supported", position, "Assign the whole column.");
}

/** The column's value with the part replaced by what a node says. @throws SqlError 42804, 0A000 for DEFAULT */
export function bindPart(
  part: ColumnPart,
  present: Expr,
  node: ast.Expression,
  clause: Clause,
  level: QueryLevel,
): Expr {
  if (node.kind === "DefaultValue") throw notSupported("cannot set an array element to DEFAULT", part.position);
  return withPart(
    part,
    present,
    inClause(level, clause, () => bindExpression(node, level)),
    level,
  );
}

/** A value as it is put into the part. @throws SqlError 42804 */
export function partValue({ column, type, position }: ColumnPart, value: Expr, level: QueryLevel): Expr {
  const cast = coerceTo(value, type, column.typmod, "assignment", level);
  if (cast !== undefined) return cast;
  throw datatypeMismatch(
    `subscripted assignment to "${column.name}" requires type ${type.display} but expression is of type ${value.type.display}`,
    position,
    type === types.jsonb
      ? "Make it jsonb first, for example with to_jsonb(value)."
      : "You will need to rewrite or cast the expression.",
  );
}

/** The column's value with the part replaced by a value. @throws SqlError 42804 */
export function withPart(part: ColumnPart, present: Expr, value: Expr, level: QueryLevel): Expr {
  const { column, subscripts } = part;
  const bounds = subscripts.flatMap(({ lower, upper }) => [lower, upper].filter((bound) => bound !== undefined));
  return {
    kind: "Call",
    name: "subscript assignment",
    args: [present, partValue(part, value, level), ...bounds],
    volatility: "immutable",
    strict: false,
    resolve: () => assignmentTo(column.type, subscripts),
    type: column.type,
    typmod: column.typmod,
    position: part.position,
  };
}

/** Takes the present value, the part's, and the bounds that were written, in their order. */
function assignmentTo(
  container: SqlType,
  subscripts: Subscript["subscripts"],
): (present: Value, value: Value, ...bounds: Value[]) => Value {
  const { element } = container;
  if (element === undefined) {
    return (present, value, ...bounds) => assignJsonb(present, bounds as (string | number | null)[], value);
  }
  if (!subscripts.some((subscript) => subscript.slice)) {
    return (present, value, ...bounds) =>
      assignArrayElement(present as ArrayValue | null, bounds as (number | null)[], value, element);
  }
  return (present, value, ...bounds) => {
    let next = 0;
    const slices = subscripts.map(({ lower, upper }) => ({
      lower: lower === undefined ? undefined : (bounds[next++] as number | null),
      upper: upper === undefined ? undefined : (bounds[next++] as number | null),
    }));
    return assignArraySlice(present as ArrayValue | null, slices, value as ArrayValue | null, element);
  };
}
