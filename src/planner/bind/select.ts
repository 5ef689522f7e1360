/**
 * A query: WITH, the body of whatever kind, and the clauses around it. `openSelect` binds everything and leaves the
 * select list open, so that a set operation or an INSERT can still say what its untyped literals are; `finish` makes the plan.
 * Source: PostgreSQL 15, reference page SELECT.
 */
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Column } from "../expr.js";
import type { LogicalPlan } from "../plan.js";
import { assemble } from "./assemble.js";
import { castTo, toBoolean } from "./conversions.js";
import { bindWith } from "./ctes.js";
import { bindDistinct } from "./distinct.js";
import { at, notSupported, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { bindFrom, bindTable } from "./from-clause.js";
import { bindGroupBy } from "./grouping.js";
import { bindLimit } from "./limits.js";
import { bindOrderBy } from "./order-by.js";
import type { FromTree } from "./relation.js";
import { itemOf } from "./scope.js";
import { openSetOperation } from "./set-operations.js";
import { inClause, openLevel, type QueryLevel } from "./state.js";
import { bindTargets, starTargets, type Target } from "./targets.js";
import { bindValues } from "./values.js";
import { bindNamedWindows } from "./windows.js";

/** A query's plan and its output columns. */
export interface BoundSelect {
  readonly plan: LogicalPlan;
  readonly output: readonly Column[];
}

/** A query whose select list may still be retyped. */
export interface OpenSelect {
  /** The visible targets; the expression of one may be replaced. */
  readonly targets: readonly Target[];
  finish(): BoundSelect;
}

/** Binds a query inside another one (or none). */
export function bindSelect(statement: ast.SelectStatement, outer: QueryLevel): BoundSelect {
  return bindSelectAt(statement, openLevel(outer.state, outer));
}

/** Binds a query in a level made for it. */
export function bindSelectAt(statement: ast.SelectStatement, level: QueryLevel): BoundSelect {
  const open = openSelect(statement, level);
  for (const target of open.targets) resolveUnknown(target, level);
  return open.finish();
}

/** An untyped literal that nothing has given a type is text. */
export function resolveUnknown(target: Target, level: QueryLevel): void {
  if (target.expr.type === types.unknown) target.expr = castTo(target.expr, types.text, -1, "implicit", level);
}

/** Binds all clauses and leaves the types of untyped literals in the select list open. */
export function openSelect(written: ast.SelectStatement, level: QueryLevel): OpenSelect {
  const statement = withoutParentheses(written);
  if (statement.locking.length > 0) {
    const [clause] = statement.locking;
    throw notSupported(
      `FOR ${clause.strength.toUpperCase()} is not supported`,
      at(clause),
      "Leave it out: a statement sees one state of the data.",
    );
  }
  const ctes = statement.with === undefined ? undefined : bindWith(statement.with, level);
  const open = openBody(statement, level);
  if (ctes === undefined) return open;
  return {
    targets: open.targets,
    finish: () => {
      const { plan, output } = open.finish();
      return { plan: { kind: "With", ctes: ctes(), input: plan }, output };
    },
  };
}

/** `(SELECT …) ORDER BY …` is one query whose clauses are written in two places. */
export function withoutParentheses(statement: ast.SelectStatement): ast.SelectStatement {
  let current = statement;
  while (current.body.kind === "SelectStatement") {
    const inner: ast.SelectStatement = current.body;
    const twice = (name: string, position: number) => syntaxError(`multiple ${name} clauses not allowed`, position);
    if (current.with !== undefined && inner.with !== undefined) throw twice("WITH", at(inner.with));
    if (current.orderBy.length > 0 && inner.orderBy.length > 0) throw twice("ORDER BY", at(current.orderBy[0]));
    if (current.limit !== undefined && inner.limit !== undefined) throw twice("LIMIT", at(current.limit));
    if (current.offset !== undefined && inner.offset !== undefined) throw twice("OFFSET", at(current.offset));
    current = {
      kind: "SelectStatement",
      range: current.range,
      with: current.with ?? inner.with,
      body: inner.body,
      orderBy: current.orderBy.length > 0 ? current.orderBy : inner.orderBy,
      limit: current.limit ?? inner.limit,
      withTies: current.limit === undefined ? inner.withTies : current.withTies,
      offset: current.offset ?? inner.offset,
      locking: [...inner.locking, ...current.locking],
    };
  }
  return current;
}

function openBody(statement: ast.SelectStatement, level: QueryLevel): OpenSelect {
  const { body } = statement;
  switch (body.kind) {
    case "SelectCore":
      return openCore(body, statement, level);
    case "SetOperation":
      return openSetOperation(body, statement, level);
    case "ValuesClause": {
      const relation = bindValues(body, level);
      level.namespace = [itemOf(relation)];
      return openClauses(undefined, statement, relation, starTargets(level, at(body)), level);
    }
    case "TableCommand": {
      const relation = bindTable(body.table, level);
      level.namespace = [itemOf(relation)];
      return openClauses(undefined, statement, relation, starTargets(level, at(body)), level);
    }
    case "SelectStatement":
      throw new Error("parentheses around a query were not taken away");
  }
}

function openCore(core: ast.SelectCore, statement: ast.SelectStatement, level: QueryLevel): OpenSelect {
  if (core.into !== undefined) {
    if (level.parent !== undefined) throw syntaxError("SELECT ... INTO is not allowed here", at(core.into.name));
    throw notSupported("SELECT INTO is not supported", at(core.into), "Tables cannot be made by a query.");
  }
  const tree = bindFrom(core.from, level);
  bindNamedWindows(core.windows, level);
  const targets = inClause(level, "SELECT", () => bindTargets(core.targets, level));
  return openClauses(core, statement, tree, targets, level);
}

/** WHERE, HAVING, ORDER BY, GROUP BY, DISTINCT and LIMIT, bound in the order in which PostgreSQL reports their errors. */
function openClauses(
  core: ast.SelectCore | undefined,
  statement: ast.SelectStatement,
  tree: FromTree | undefined,
  targets: Target[],
  level: QueryLevel,
): OpenSelect {
  const visible = [...targets];
  const condition = (node: ast.Expression | undefined, clause: "WHERE" | "HAVING") =>
    node && inClause(level, clause, () => toBoolean(bindExpression(node, level), clause, level));
  const where = condition(core?.where, "WHERE");
  const having = condition(core?.having, "HAVING");
  const sort = bindOrderBy(statement.orderBy, targets, level);
  const grouping = bindGroupBy(core?.groupBy, targets, level);
  const distinct = bindDistinct(core?.distinct, targets, sort, level);
  const limit = bindLimit(statement, sort.length > 0, level);
  return {
    targets: visible,
    finish: () => assemble({ tree, where, having, targets, sort, grouping, distinct, limit }, level),
  };
}
