/**
 * The SEARCH and CYCLE clauses of WITH RECURSIVE: columns that both terms carry along, beside those that are written. SEARCH
 * keeps the depth, or the rows on the way, to sort by; CYCLE keeps the rows on the way and does not go on from one that was
 * there before. Source: PostgreSQL 15, 7.8.2.1 "Search Order", 7.8.2.2 "Cycle Detection".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { operationsOf } from "../../types/families.js";
import { arrayOf, recordType, type SqlType, types } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { Call, Column, Expr } from "../expr.js";
import { type LogicalPlan, outputOf } from "../plan.js";
import { columnRef } from "../visit.js";
import { commonType, toBoolean, toCommonType } from "./conversions.js";
import { at, notSupported, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { duplicateColumnError } from "./names.js";
import { operatorCall } from "./operators.js";
import { fieldAt } from "./rows.js";
import type { BoundSelect } from "./select.js";
import { newColumn, openLevel, type QueryLevel } from "./state.js";

/** A column of the CTE under the name that it has outside. */
interface Named {
  readonly name: string;
  readonly column: Column;
}

/** What a clause adds: the first value of each column, and how a round makes the next one. */
interface AddedColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly first: (row: readonly Expr[]) => Expr;
  /** `present` is the value that the row of the round before had; `path` the rows on its way, for the mark of a cycle. */
  readonly next: (row: readonly Expr[], present: Expr, path: Expr) => Expr;
}

/** The columns that SEARCH and CYCLE add, in order. */
export interface Traversal {
  readonly added: readonly AddedColumn[];
  /** The value of a cycle's mark, by whose presence a row is not gone on from. */
  readonly mark?: { readonly column: number; readonly value: Expr };
}

/** What SEARCH and CYCLE add to a CTE of these columns. @throws SqlError 42601, 42701, 42804, 42883 */
export function bindTraversal(
  cte: ast.CommonTableExpression,
  columns: readonly Named[],
  level: QueryLevel,
): Traversal | undefined {
  const { search, cycle } = cte;
  if (search === undefined && cycle === undefined) return undefined;
  const names = columns.map((column) => column.name);
  const added: AddedColumn[] = [];
  if (search !== undefined) {
    const listed = listedColumns(search, "search", columns);
    refuseTaken(search.sequence, names, "search sequence column name");
    added.push(search.order === "breadth" ? depthColumn(search, listed) : pathColumn(search.sequence.name, listed));
  }
  if (cycle === undefined) return { added };
  const listed = listedColumns(cycle, "cycle", columns);
  refuseTaken(cycle.mark, names, "cycle mark column name");
  refuseTaken(cycle.path, names, "cycle path column name");
  const same = (a: ast.Identifier, b: ast.Identifier, what: string) => {
    if (a.name === b.name) throw syntaxError(`${what} are the same`, at(a));
  };
  same(cycle.mark, cycle.path, "cycle mark column name and cycle path column name");
  if (search !== undefined) {
    same(search.sequence, cycle.mark, "search sequence column name and cycle mark column name");
    same(search.sequence, cycle.path, "search sequence column name and cycle path column name");
  }
  const [value, otherwise] = markValues(cycle, level);
  const path = pathColumn(cycle.path.name, listed);
  const mark: AddedColumn = {
    name: cycle.mark.name,
    type: value.type,
    first: () => otherwise,
    next: (row, _present, rows) => ({
      kind: "Case",
      branches: [{ when: occurs(rowOfColumns(listed, row), rows), then: value }],
      otherwise,
      type: value.type,
    }),
  };
  return { added: [...added, mark, path], mark: { column: added.length, value } };
}

/** Positions of the listed columns, with their names. */
type Listed = readonly { readonly index: number; readonly name: string; readonly type: SqlType }[];

function listedColumns(
  clause: ast.SearchClause | ast.CycleClause,
  what: "search" | "cycle",
  columns: readonly Named[],
): Listed {
  const seen = new Set<string>();
  return clause.columns.map((node) => {
    const index = columns.findIndex((column) => column.name === node.name);
    if (index < 0) throw syntaxError(`${what} column "${node.name}" not in WITH query column list`, at(node));
    if (seen.has(node.name)) {
      throw duplicateColumnError(node.name, at(node), `${what} column "${node.name}" specified more than once`);
    }
    seen.add(node.name);
    return { index, name: node.name, type: columns[index].column.type };
  });
}

function refuseTaken(node: ast.Identifier, names: readonly string[], what: string): void {
  if (names.includes(node.name)) {
    throw syntaxError(`${what} "${node.name}" already used in WITH query column list`, at(node));
  }
}

/** TO and DEFAULT in one type; true and false where they are not written. */
function markValues(cycle: ast.CycleClause, level: QueryLevel): readonly [Expr, Expr] {
  const given = (node: ast.Expression | undefined, value: boolean): Expr =>
    node === undefined
      ? { kind: "Constant", value, type: types.bool }
      : bindExpression(node, openLevel(level.state, level));
  const both = [given(cycle.value, true), given(cycle.otherwise, false)];
  const type = commonType(both, "CYCLE", level);
  if (operationsOf(type).compare === undefined) {
    throw new SqlError(sqlstate.undefinedFunction, `could not identify an equality operator for type ${type.display}`);
  }
  const [value, otherwise] = both.map((expr) => toCommonType(expr, type, "CYCLE/SET/TO", level));
  return [value, otherwise];
}

function rowOfColumns(listed: Listed, row: readonly Expr[]): Expr {
  const type = recordType(listed.map(({ name, type: field }) => ({ name, type: field })));
  return { kind: "Row", items: listed.map(({ index }) => row[index]), type };
}

/** SEARCH BREADTH FIRST: the depth, then the listed columns. */
function depthColumn(search: ast.SearchClause, listed: Listed): AddedColumn {
  const fields = listed.map(({ name, type }) => ({ name, type }));
  const type = recordType([{ name: "*DEPTH*", type: types.int8 }, ...fields]);
  const at = (depth: Expr, row: readonly Expr[]): Expr => ({
    kind: "Row",
    items: [depth, ...listed.map(({ index }) => row[index])],
    type,
  });
  return {
    name: search.sequence.name,
    type,
    first: (row) => at({ kind: "Constant", value: 0, type: types.int8 }, row),
    next: (row, present) => at(nextDepth(fieldAt(present, 0)), row),
  };
}

function nextDepth(depth: Expr): Expr {
  return {
    kind: "Call",
    name: "next depth",
    args: [depth],
    volatility: "immutable",
    strict: true,
    resolve: () => (value: Value) => (value as number) + 1,
    type: types.int8,
  };
}

/** The rows on the way, this one last. */
function pathColumn(name: string, listed: Listed): AddedColumn {
  const element = recordType(listed.map((item) => ({ name: item.name, type: item.type })));
  const type = arrayOf(element);
  const row = (values: readonly Expr[]): Expr => ({ ...rowOfColumns(listed, values), type: element });
  return {
    name,
    type,
    first: (values) => ({ kind: "Array", items: [row(values)], nested: false, type }),
    next: (values, present) => ({
      kind: "Call",
      name: "array_append",
      args: [present, row(values)],
      volatility: "immutable",
      strict: true,
      resolve: () => (path: Value, item: Value) => [...(path as readonly Value[]), item],
      type,
    }),
  };
}

/** Whether a row is one of those on the way; rows of NULLs are equal too. */
function occurs(row: Expr, path: Expr): Call {
  const compare = operationsOf(row.type).compare as (a: Value, b: Value) => number;
  return {
    kind: "Call",
    name: "occurs",
    args: [row, path],
    volatility: "immutable",
    strict: true,
    resolve: () => (item: Value, rows: Value) => (rows as readonly Value[]).some((other) => compare(item, other) === 0),
    type: types.bool,
  };
}

/** The first term with the first values of the added columns. */
export function withFirstValues({ added }: Traversal, term: BoundSelect, level: QueryLevel): BoundSelect {
  const row = term.output.map((column) => columnRef(column));
  const items = [
    ...term.output.map((column, i) => ({ column, expr: row[i] })),
    ...added.map(({ name, type, first }) => ({ column: newColumn(level.state, { name, type }), expr: first(row) })),
  ];
  return { plan: { kind: "Project", input: term.plan, items }, output: items.map((item) => item.column) };
}

/** The recursive term, whose last columns are the added ones as they were in the round before, with their next values. */
export function withNextValues({ added, mark }: Traversal, term: LogicalPlan, level: QueryLevel): LogicalPlan {
  const output = outputOf(term);
  const count = output.length - added.length;
  const row = output.slice(0, count).map((column) => columnRef(column));
  const present = output.slice(count).map((column) => columnRef(column));
  let input = term;
  if (mark !== undefined) {
    const goesOn = operatorCall("<>", present[mark.column], mark.value, level, 0);
    input = { kind: "Filter", input, condition: toBoolean(goesOn, "WHERE", level) };
  }
  const path = present[present.length - 1];
  const items = output.map((column, i) => ({
    column: newColumn(level.state, { name: column.name, type: column.type, typmod: column.typmod }),
    expr: i < count ? row[i] : added[i - count].next(row, present[i - count], path),
  }));
  return { kind: "Project", input, items };
}

/**
 * The second side of the union with the added columns in its select list, read from the CTE's name in its FROM; `undefined`
 * where it is not there. @throws SqlError 0A000, 42601 when a side is a set operation itself
 */
export function readingAdded(
  cte: ast.CommonTableExpression,
  { left, right }: ast.SetOperation,
  { added }: Traversal,
): ast.QueryBody | undefined {
  const position = at(cte.search ?? cte.cycle ?? cte);
  if (left.kind === "SetOperation") {
    throw notSupported("with a SEARCH or CYCLE clause, the left side of the UNION must be a SELECT", position);
  }
  if (right.kind === "SetOperation" || (right.kind === "SelectStatement" && right.body.kind === "SetOperation")) {
    throw syntaxError("with a SEARCH or CYCLE clause, the right side of the UNION must be a SELECT", position);
  }
  if (right.kind !== "SelectCore") return undefined;
  const alias = right.from.map((item) => aliasIn(item, cte.name.name)).find((name) => name !== undefined);
  if (alias === undefined) return undefined;
  const targets = added.map(
    ({ name }): ast.SelectTarget => ({
      kind: "SelectTarget",
      expression: { kind: "ColumnRef", parts: [alias, name], star: false, range: right.range },
      range: right.range,
    }),
  );
  return { ...right, targets: [...right.targets, ...targets] };
}

/** 0A000: the reference stands in a subquery. */
export function notAtTop(cte: ast.CommonTableExpression): SqlError {
  return notSupported(
    `with a SEARCH or CYCLE clause, the recursive reference to WITH query "${cte.name.name}" must be at the top level of its right-hand SELECT`,
    at(cte.search ?? cte.cycle ?? cte),
  );
}

/** The name under which an item of FROM has the CTE. */
function aliasIn(item: ast.FromItem, name: string): string | undefined {
  switch (item.kind) {
    case "TableReference":
      return item.name.schema === undefined && item.name.name === name ? (item.alias?.name.name ?? name) : undefined;
    case "JoinClause":
      return aliasIn(item.left, name) ?? aliasIn(item.right, name);
    default:
      return undefined;
  }
}
