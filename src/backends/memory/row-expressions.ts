/**
 * Expressions over the rows of one table: CHECK constraints and generated columns. They are bound as the select list of a
 * query over the table and run on proposed rows in place of the table's own.
 */
import type { CatalogReader, TableColumn } from "../../catalog/table.js";
import type { Environment } from "../../engine/environment.js";
import { type PreparedPlan, prepare } from "../../engine/run.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { parseExpression } from "../../grammar/parse.js";
import { bind } from "../../planner/bind/bind.js";
import type { Column, Expr } from "../../planner/expr.js";
import { type LogicalPlan, outputOf } from "../../planner/plan.js";
import { columnsOf, expressionsOf, plansWithin, someExpression } from "../../planner/visit.js";
import { types } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { TableDefinition } from "./stored-table.js";
import type { StoredRow } from "./table-key.js";

/** What evaluating needs from the running statement. */
export type RowEnvironment = Pick<Environment, "session" | "limits" | "signal">;

export class RowExpressions {
  private readonly prepared: PreparedPlan;

  constructor(plan: LogicalPlan, output: readonly Column[]) {
    this.prepared = prepare(plan, output);
  }

  /** For each row the values of the expressions. */
  async evaluate(rows: readonly StoredRow[], environment: RowEnvironment): Promise<readonly (readonly Value[])[]> {
    if (rows.length === 0) return [];
    const answer = await this.prepared.run(
      { ...environment, parameters: [], relation: () => ({ kind: "tuples", rows }) },
      { rows: "arrays" },
    );
    return answer.rows as readonly (readonly Value[])[];
  }
}

/** The CHECK constraints of a table, in the order of their names, as PostgreSQL tests them. */
export function compileChecks(definition: TableDefinition, catalog: CatalogReader): RowExpressions | undefined {
  if (definition.checks.length === 0) return undefined;
  const expressions = definition.checks.map((check) => parseExpression(check.sql));
  const query = bind(selectFrom(definition, expressions), catalog);
  refuseQueries(query.plan, "check constraints", "check constraint");
  for (const column of query.output) {
    if (column.type !== types.bool) {
      throw new SqlError(
        sqlstate.datatypeMismatch,
        `argument of CHECK must be type boolean, not type ${column.type.display}`,
      );
    }
  }
  return new RowExpressions(query.plan, query.output);
}

/** The generated columns of a table, converted to their types. */
export function compileGenerated(definition: TableDefinition, catalog: CatalogReader): RowExpressions | undefined {
  const { generated, columns } = definition;
  if (generated.length === 0) return undefined;
  const expressions = generated.map((item) => parseExpression(item.sql));
  const names = generated.map((item) => columns[item.column].name);
  // As an INSERT … SELECT, which converts by assignment; the catalog shows the columns as ordinary ones meanwhile.
  const ordinary: CatalogReader = {
    version: catalog.version,
    hasSchema: (schema) => catalog.hasSchema(schema),
    tableNames: () => catalog.tableNames(),
    type: (name, schema) => catalog.type?.(name, schema),
    table: (name, schema) => {
      const table = catalog.table(name, schema);
      if (table?.kind !== "stored" || table.name !== definition.name || table.schema !== definition.schema)
        return table;
      return { ...table, columns: columns.map(withoutGeneration) };
    },
  };
  const { plan } = bind(insertInto(definition, names, selectFrom(definition, expressions)), ordinary);
  if (plan.kind !== "Write") throw new SqlError(sqlstate.internalError, "an INSERT was bound to something else");
  refuseQueries(plan.input, "column generation expressions", "column generation expression");
  refuseUnstable(plan.input, names);
  return new RowExpressions(plan.input, outputOf(plan.input));
}

/** The values that unique indexes keep behind the row, after its columns are complete. */
export function compileHidden(definition: TableDefinition, catalog: CatalogReader): RowExpressions | undefined {
  const { hidden } = definition;
  if (hidden.length === 0) return undefined;
  const query = bind(
    selectFrom(
      definition,
      hidden.map((value) => parseExpression(value.sql)),
    ),
    catalog,
  );
  refuseQueries(query.plan, "index expressions", "index expression");
  for (const node of plansWithin(query.plan)) {
    if (!expressionsOf(node).some((expr) => someExpression(expr, isUnstable))) continue;
    throw new SqlError(sqlstate.invalidObjectDefinition, "functions in index expression must be marked IMMUTABLE");
  }
  return new RowExpressions(query.plan, query.output);
}

function withoutGeneration({ generated: _, ...column }: TableColumn): TableColumn {
  return column;
}

const nowhere = { range: { start: 0, end: 0 } };

function nameOf(definition: TableDefinition): ast.QualifiedName {
  return { kind: "QualifiedName", schema: definition.schema, name: definition.name, ...nowhere };
}

/** A query of expressions over the rows of a table. */
export function selectFrom(definition: TableDefinition, expressions: readonly ast.Expression[]): ast.SelectStatement {
  const table: ast.TableReference = { kind: "TableReference", name: nameOf(definition), only: false, ...nowhere };
  const targets = expressions.map<ast.SelectTarget>((expression) => ({ kind: "SelectTarget", expression, ...nowhere }));
  const body: ast.SelectCore = { kind: "SelectCore", targets, from: [table], windows: [], ...nowhere };
  return { kind: "SelectStatement", body, orderBy: [], withTies: false, locking: [], ...nowhere };
}

function insertInto(
  definition: TableDefinition,
  columns: readonly string[],
  source: ast.SelectStatement,
): ast.InsertStatement {
  const targets = columns.map<ast.AssignmentTarget>((name) => ({
    kind: "AssignmentTarget",
    column: { kind: "Identifier", name, ...nowhere },
    path: [],
    ...nowhere,
  }));
  return { kind: "InsertStatement", target: nameOf(definition), columns: targets, source, returning: [], ...nowhere };
}

/** Such an expression sees one row and nothing else. */
function refuseQueries(plan: LogicalPlan, plural: string, singular: string): void {
  for (const node of plansWithin(plan)) {
    switch (node.kind) {
      case "Aggregate":
        throw new SqlError(sqlstate.groupingError, `aggregate functions are not allowed in ${plural}`);
      case "Window":
        throw new SqlError(sqlstate.windowingError, `window functions are not allowed in ${plural}`);
      case "ProjectSet":
        throw new SqlError(sqlstate.featureNotSupported, `set-returning functions are not allowed in ${plural}`);
      default:
        if (expressionsOf(node).some((expr) => someExpression(expr, (part) => part.kind === "Subquery"))) {
          throw new SqlError(sqlstate.featureNotSupported, `cannot use subquery in ${singular}`);
        }
    }
  }
}

function refuseUnstable(plan: LogicalPlan, generated: readonly string[]): void {
  for (const node of plansWithin(plan)) {
    if (node.kind === "Scan") continue;
    for (const expr of expressionsOf(node)) {
      if (someExpression(expr, isUnstable)) {
        throw new SqlError(sqlstate.invalidObjectDefinition, "generation expression is not immutable");
      }
      if (node.kind !== "Project") continue;
      refuseGeneratedSources(plan, columnsOf(expr), generated);
    }
  }
}

function isUnstable(expr: Expr): boolean {
  return (expr.kind === "Call" || expr.kind === "Cast") && expr.volatility !== "immutable";
}

function refuseGeneratedSources(plan: LogicalPlan, used: ReadonlySet<number>, generated: readonly string[]): void {
  for (const node of plansWithin(plan)) {
    if (node.kind !== "Scan") continue;
    for (const { column } of node.columns) {
      if (used.has(column.id) && generated.includes(column.name)) {
        throw new SqlError(
          sqlstate.invalidObjectDefinition,
          `cannot use generated column "${column.name}" in column generation expression`,
          { detail: "A generated column cannot reference another generated column." },
        );
      }
    }
  }
}
