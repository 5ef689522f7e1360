/**
 * WITH RECURSIVE: a first term, UNION [ALL], and a term that reads the rows of the round before. Where a reference to
 * itself may not stand is found while the terms are bound.
 * Source: PostgreSQL 15, 7.8.2 "Recursive Queries"; the messages are those of its well-formedness check.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { displayType } from "../../types/type.js";
import type { Column, Expr } from "../expr.js";
import type { LogicalPlan } from "../plan.js";
import { columnRef } from "../visit.js";
import { collationOfColumn, commonCollation } from "./collations.js";
import { bindWith, definitionOf, nameColumns } from "./ctes.js";
import { at, datatypeMismatch, notSupported, syntaxError } from "./errors.js";
import { bindSelectAt, resolveUnknown, withoutParentheses } from "./select.js";
import { bindSide, closeSetOperation, combine, type Side } from "./set-operations.js";
import { type CteEntry, openLevel, type QueryLevel } from "./state.js";
import { bindTraversal, notAtTop, readingAdded, withFirstValues, withNextValues } from "./traversals.js";

export function bindRecursive(
  entry: CteEntry,
  cte: ast.CommonTableExpression,
  written: ast.SelectStatement,
  outer: QueryLevel,
): void {
  const statement = withoutParentheses(written);
  const union = statement.body;
  const traverses = cte.search !== undefined || cte.cycle !== undefined;
  if (union.kind !== "SetOperation" || union.operator !== "union") {
    bindNoUnion(entry, cte, statement, outer);
    return;
  }
  const level = openLevel(outer.state, outer);
  if (statement.with !== undefined) {
    // Both terms read these CTEs, and they are the same in all rounds: they stand beside the recursive one.
    entry.recursion = {
      reference: (_level, position) => {
        throw invalid(`recursive reference to query "${entry.name}" must not appear within a subquery`, position);
      },
    };
    entry.inner = bindWith(statement.with, level);
  }
  entry.recursion = {
    reference: (_level, position) => {
      throw invalid(
        `recursive reference to query "${entry.name}" must not appear within its non-recursive term`,
        position,
      );
    },
  };
  const left = bindSide(union.left, level);
  for (const target of left.targets) {
    const open = { ...target, hidden: false, position: 0 };
    resolveUnknown(open, level);
    (target as { expr: typeof target.expr }).expr = open.expr;
  }
  const query = left.finish();
  const traversal = bindTraversal(cte, nameColumns(cte, query.output), outer);
  const first = traversal === undefined ? query : withFirstValues(traversal, query, level);
  // A later round may bring NULL where the first term cannot.
  entry.columns = nameColumns(cte, first.output).map(({ name, column }) => ({
    name,
    column: { ...column, nullable: true },
  }));
  entry.added = traversal?.added.length;
  let references = 0;
  const depth = level.depth + 1;
  entry.recursion = {
    reference: (reader, position) => {
      const refuse = (why: string) =>
        invalid(`recursive reference to query "${entry.name}" must not appear ${why}`, position);
      if (isInExpression(reader, depth)) throw refuse("within a subquery");
      const { recursionBarrier } = outer.state;
      if (recursionBarrier !== undefined) throw refuse(`within ${recursionBarrier}`);
      references++;
      if (references > 1) throw refuse("more than once");
      return true;
    },
  };
  const reading = traversal && readingAdded(cte, union, traversal);
  const right = bindSide(reading ?? union.right, level);
  entry.recursion = undefined;
  const leftSide: Side = {
    targets: first.output.map((column, i) => ({
      name: column.name,
      expr: columnRef(column, left.targets[i]?.expr.position),
    })),
    finish: () => first,
  };
  if (references === 0) {
    if (traverses) throw notRecursive(cte);
    const open = closeSetOperation(combine(union, leftSide, right, level), statement, level);
    const { plan, output } = open.finish();
    entry.columns = nameColumns(cte, output);
    entry.definition = definitionOf(entry, cte, plan);
    return;
  }
  if (traverses && reading === undefined) throw notAtTop(cte);
  refuseClauses(statement);
  const rest = recursiveTerm(entry, union, leftSide, right, level);
  const term = traversal === undefined ? rest : withNextValues(traversal, rest, level);
  entry.definition = { ...definitionOf(entry, cte, first.plan), recursive: { term, all: union.all } };
}

function notRecursive(cte: ast.CommonTableExpression): SqlError {
  return syntaxError("WITH query is not recursive", at(cte.search ?? cte.cycle ?? cte));
}

function invalid(message: string, position: number): SqlError {
  return new SqlError(sqlstate.invalidRecursion, message, { position });
}

/** A query of another form is one like any other, as long as it does not read itself. */
function bindNoUnion(
  entry: CteEntry,
  cte: ast.CommonTableExpression,
  statement: ast.SelectStatement,
  outer: QueryLevel,
): void {
  entry.recursion = {
    reference: () => {
      throw invalid(
        `recursive query "${entry.name}" does not have the form non-recursive-term UNION [ALL] recursive-term`,
        entry.position,
      );
    },
  };
  const { plan, output } = bindSelectAt(statement, openLevel(outer.state, outer));
  if (cte.search !== undefined || cte.cycle !== undefined) throw notRecursive(cte);
  entry.recursion = undefined;
  entry.columns = nameColumns(cte, output);
  entry.definition = definitionOf(entry, cte, plan);
}

/** Whether a query, seen from the CTE's own, stands inside an expression: it could see only part of the rows. */
function isInExpression(level: QueryLevel, depth: number): boolean {
  let current: QueryLevel | undefined = level;
  while (current !== undefined && current.depth > depth) {
    if (current.inExpression) return true;
    current = current.parent;
  }
  return false;
}

function refuseClauses(statement: ast.SelectStatement): void {
  const refuse = (what: string, position: number) =>
    notSupported(`${what} in a recursive query is not implemented`, position);
  if (statement.orderBy.length > 0) throw refuse("ORDER BY", at(statement.orderBy[0].expression));
  if (statement.offset !== undefined) throw refuse("OFFSET", at(statement.offset));
  if (statement.limit !== undefined) throw refuse("LIMIT", at(statement.limit));
}

/** The recursive term with its columns in the types of the first term, which it must not change. */
function recursiveTerm(
  entry: CteEntry,
  union: ast.SetOperation,
  left: Side,
  right: Side,
  level: QueryLevel,
): LogicalPlan {
  const before = left.targets.map((target) => target.expr);
  const combined = combine(union, left, right, level).finish().plan;
  if (combined.kind !== "SetOperation") throw new Error("a union was combined into something else");
  combined.columns.forEach((column, i) => {
    const expr = before[i];
    const typmod = expr.typmod ?? -1;
    if (column.type === expr.type && (column.typmod === typmod || typmod < 0)) {
      checkCollation(entry, i, expr, column, level);
      return;
    }
    throw datatypeMismatch(
      `recursive query "${entry.name}" column ${i + 1} has type ${displayType(expr.type, typmod)} in non-recursive term but type ${displayType(column.type, column.typmod)} overall`,
      expr.position,
      "Cast the output of the non-recursive term to the correct type.",
    );
  });
  return combined.right;
}

function checkCollation(entry: CteEntry, i: number, before: Expr, overall: Column, level: QueryLevel): void {
  const first = commonCollation([before], level)?.name ?? "default";
  const last = collationOfColumn(overall, level);
  if (first === last) return;
  throw new SqlError(
    sqlstate.collationMismatch,
    `recursive query "${entry.name}" column ${i + 1} has collation "${first}" in non-recursive term but collation "${last}" overall`,
    { position: before.position, hint: "Use the COLLATE clause to set the collation of the non-recursive term." },
  );
}
