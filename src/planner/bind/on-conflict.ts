/** ON CONFLICT: which key it means, and what is done with the row that is there. Source: PostgreSQL 15, reference page INSERT. */
import type { Table } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import type { OnConflict } from "../plan.js";
import { toBoolean } from "./conversions.js";
import { at, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { relationOf } from "./from-clause.js";
import type { Relation } from "./relation.js";
import { itemOf, missingColumn } from "./scope.js";
import { inClause, type QueryLevel } from "./state.js";
import { bindAssignmentsInline } from "./updates.js";
import { requireVerb, rowColumnsOf } from "./write-targets.js";

export function bindOnConflict(node: ast.OnConflict, table: Table, target: Relation, level: QueryLevel): OnConflict {
  if (node.action === "update" && node.target === undefined) {
    throw syntaxError(
      "ON CONFLICT DO UPDATE requires inference specification or constraint name",
      at(node),
      "For example, ON CONFLICT (column_name).",
    );
  }
  const keys = node.target && arbiter(node.target, table, level);
  const excludedColumns = rowColumnsOf(table, "excluded", level);
  const base = { action: node.action, ...(keys && { keys }), excludedColumns };
  if (node.action === "nothing") return base;
  requireVerb(table, "update", at(node));
  const excluded = relationOf(
    { kind: "Empty", columns: excludedColumns },
    excludedColumns,
    "excluded",
    undefined,
    level,
    {
      table,
      inlineRow: true,
    },
  );
  level.namespace = [itemOf(target), itemOf({ ...excluded, hasAlias: true })];
  const { targets, assignments } = bindAssignmentsInline(node.assignments, table, target, level);
  const where =
    node.where &&
    inClause(level, "WHERE", () => toBoolean(bindExpression(node.where as ast.Expression, level), "WHERE", level));
  return { ...base, targets, assignments, ...(where && { where }) };
}

/** The key that the conflict target means: one that the table is known to have. */
function arbiter(
  node: ast.ConflictColumns | ast.ConflictConstraint,
  table: Table,
  level: QueryLevel,
): readonly number[] {
  const known = [...(table.primaryKey.length > 0 ? [table.primaryKey] : []), ...(table.uniqueKeys ?? [])];
  const indexes = (names: readonly string[]) =>
    names.map((name) => table.columns.findIndex((column) => column.name === name));
  if (node.kind === "ConflictConstraint") {
    const { name } = node.name;
    const named = table.constraints?.find((constraint) => constraint.name === name);
    if (named !== undefined) return indexes(named.columns);
    if (table.constraints === undefined && name === `${table.name}_pkey` && table.primaryKey.length > 0)
      return indexes(table.primaryKey);
    const key = known.find((columns) => name === `${table.name}_${columns.join("_")}_key`);
    if (key !== undefined && table.constraints === undefined) return indexes(key);
    throw new SqlError(sqlstate.undefinedObject, `constraint "${name}" for table "${table.name}" does not exist`, {
      position: at(node.name),
    });
  }
  const names = node.elements.map((element) => {
    const { expression } = element;
    // No table here has a key over an expression.
    if (expression.kind !== "ColumnRef" || expression.parts.length !== 1) {
      inClause(level, "ON CONFLICT", () => bindExpression(expression, level));
      throw noSuchKey(table, known);
    }
    const [name] = expression.parts;
    if (!table.columns.some((column) => column.name === name)) {
      throw missingColumn(level, undefined, name, at(node));
    }
    return name;
  });
  if (node.where !== undefined) {
    const condition = node.where;
    inClause(level, "ON CONFLICT", () => toBoolean(bindExpression(condition, level), "WHERE", level));
  }
  const wanted = new Set(names);
  const key = known.find((columns) => columns.length === wanted.size && columns.every((name) => wanted.has(name)));
  if (key === undefined) throw noSuchKey(table, known);
  return indexes(key);
}

function noSuchKey(table: Table, known: readonly (readonly string[])[]): SqlError {
  return new SqlError(
    sqlstate.invalidColumnReference,
    "there is no unique or exclusion constraint matching the ON CONFLICT specification",
    {
      hint:
        known.length === 0
          ? `Table "${table.name}" has no key.`
          : `The keys of "${table.name}" are: ${known.map((columns) => `(${columns.join(", ")})`).join(", ")}.`,
    },
  );
}
