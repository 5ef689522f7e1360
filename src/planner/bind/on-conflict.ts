/** ON CONFLICT: which key it means, and what is done with the row that is there. Source: PostgreSQL 15, reference page INSERT. */
import type { PartialKey, Table } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { parseExpression } from "../../grammar/parse.js";
import type { Expr } from "../expr.js";
import type { OnConflict } from "../plan.js";
import { conjunctsOf } from "../visit.js";
import { toBoolean } from "./conversions.js";
import { at, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { relationOf } from "./from-clause.js";
import { implies } from "./implication.js";
import type { Relation } from "./relation.js";
import { itemOf, missingColumn } from "./scope.js";
import { inClause, type QueryLevel } from "./state.js";
import { bindAssignmentsInline } from "./updates.js";
import { sameExpr } from "./walk.js";
import { requireVerb, rowColumnsOf } from "./write-targets.js";

export function bindOnConflict(node: ast.OnConflict, table: Table, target: Relation, level: QueryLevel): OnConflict {
  if (node.action === "update" && node.target === undefined) {
    throw syntaxError(
      "ON CONFLICT DO UPDATE requires inference specification or constraint name",
      at(node),
      "For example, ON CONFLICT (column_name).",
    );
  }
  requireReadableKey(table, at(node));
  const excludedColumns = rowColumnsOf(table, "excluded", level);
  const base = { action: node.action, ...(node.target && arbiter(node.target, table, level)), excludedColumns };
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

/** The rows of a resource are read to see which of them conflict. @throws SqlError 55000 where that can't be done */
function requireReadableKey(table: Table, position: number): void {
  if (table.kind !== "resource") return;
  const readable = table.verbs.includes("select");
  if (readable && table.primaryKey.length > 0) return;
  throw new SqlError(
    sqlstate.objectNotInPrerequisiteState,
    `ON CONFLICT needs to know which rows of "${table.name}" are there`,
    {
      position,
      detail: readable
        ? "The table declares no primary key."
        : `The table cannot be read: it takes ${table.verbs.map((verb) => verb.toUpperCase()).join(", ")} only.`,
      hint: "Leave ON CONFLICT out: the service itself says whether the row is there already.",
    },
  );
}

/** What a conflict target means: the columns of a key, and indexes that are no plain keys, by name. */
type Arbiter = Pick<OnConflict, "keys" | "indexes">;

/** The keys that the conflict target means: those that the table is known to have. */
function arbiter(node: ast.ConflictColumns | ast.ConflictConstraint, table: Table, level: QueryLevel): Arbiter {
  return node.kind === "ConflictConstraint" ? named(node, table) : inferred(node, table, level);
}

function plainKeys(table: Table): readonly (readonly string[])[] {
  return [...(table.primaryKey.length > 0 ? [table.primaryKey] : []), ...(table.uniqueKeys ?? [])];
}

function indexesOf(table: Table, names: readonly string[]): readonly number[] {
  return names.map((name) => table.columns.findIndex((column) => column.name === name));
}

function named(node: ast.ConflictConstraint, table: Table): Arbiter {
  const { name } = node.name;
  const constraint = table.constraints?.find((item) => item.name === name);
  if (constraint !== undefined) return { keys: indexesOf(table, constraint.columns) };
  if (table.constraints === undefined) {
    if (name === `${table.name}_pkey` && table.primaryKey.length > 0) {
      return { keys: indexesOf(table, table.primaryKey) };
    }
    const key = plainKeys(table).find((columns) => name === `${table.name}_${columns.join("_")}_key`);
    if (key !== undefined) return { keys: indexesOf(table, key) };
  }
  throw new SqlError(sqlstate.undefinedObject, `constraint "${name}" for table "${table.name}" does not exist`, {
    position: at(node.name),
  });
}

/** An element of a conflict target, or of an index. */
interface KeyElement {
  readonly expr: Expr;
  readonly collation?: string;
  readonly operatorClass?: string;
}

/** All unique indexes over just these elements, whose condition, if they have one, the target's WHERE says too. */
function inferred(node: ast.ConflictColumns, table: Table, level: QueryLevel): Arbiter {
  const bound = (expression: ast.Expression) => inClause(level, "ON CONFLICT", () => bindExpression(expression, level));
  const wanted = node.elements.map(({ expression, collation, operatorClass }): KeyElement => {
    if (expression.kind === "ColumnRef" && expression.parts.length === 1) {
      const [name] = expression.parts;
      if (!table.columns.some((column) => column.name === name)) throw missingColumn(level, undefined, name, at(node));
    }
    return { expr: bound(expression), collation: collation?.name, operatorClass: operatorClass?.name };
  });
  const given = node.where === undefined ? [] : conjunctsOf(toBoolean(bound(node.where), "WHERE", level));

  const column = (name: string): KeyElement => ({
    expr: bound({ kind: "ColumnRef", parts: [name], star: false, range: node.range }),
  });
  const key = plainKeys(table).find((columns) => coversAll(columns.map(column), wanted));
  const indexes = (table.partialKeys ?? []).filter(({ elements, where }) => {
    const own = elements.map((element) => ({ ...element, expr: bound(parseExpression(element.expression)) }));
    if (!coversAll(own, wanted)) return false;
    if (where === undefined) return true;
    const conditions = conjunctsOf(toBoolean(bound(parseExpression(where)), "WHERE", level));
    return conditions.every((condition) => given.some((said) => implies(said, condition)));
  });
  if (key === undefined && indexes.length === 0) throw noSuchKey(table);
  return {
    ...(key && { keys: indexesOf(table, key) }),
    ...(indexes.length > 0 && { indexes: indexes.map((index) => index.name) }),
  };
}

/** Whether the elements of an index and those of a target are the same ones, in any order and number. */
function coversAll(own: readonly KeyElement[], wanted: readonly KeyElement[]): boolean {
  return (
    own.every((element) => wanted.some((other) => sameExpr(element.expr, other.expr))) &&
    wanted.every((other) => own.some((element) => isMeant(element, other)))
  );
}

/** What a target does not say of an element, it does not ask for. */
function isMeant(own: KeyElement, wanted: KeyElement): boolean {
  if (!sameExpr(own.expr, wanted.expr)) return false;
  if (wanted.collation !== undefined && wanted.collation !== (own.collation ?? "default")) return false;
  if (wanted.operatorClass === undefined || wanted.operatorClass === own.operatorClass) return true;
  const { name } = own.expr.type;
  return (
    own.operatorClass === undefined &&
    [`${name}_ops`, ...(name === "varchar" ? ["text_ops"] : [])].includes(wanted.operatorClass)
  );
}

function noSuchKey(table: Table): SqlError {
  const keys = [
    ...plainKeys(table).map((columns) => `(${columns.join(", ")})`),
    ...(table.partialKeys ?? []).map(shownKey),
  ];
  return new SqlError(
    sqlstate.invalidColumnReference,
    "there is no unique or exclusion constraint matching the ON CONFLICT specification",
    {
      hint:
        keys.length === 0
          ? `Table "${table.name}" has no key.`
          : `The keys of "${table.name}" are: ${keys.join(", ")}.`,
    },
  );
}

function shownKey({ elements, where }: PartialKey): string {
  const key = `(${elements.map((element) => element.expression).join(", ")})`;
  return where === undefined ? key : `${key} WHERE ${where}`;
}
