/**
 * The names that a query can see: relations and their columns, looked up from the innermost query outwards.
 * Source: PostgreSQL 15, 7.2 "Table Expressions", 7.2.1.5 "LATERAL Subqueries"; the hints follow its error messages.
 */

import type { Table } from "../../catalog/table.js";
import { editDistance } from "../../errors/did-you-mean.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Expr } from "../expr.js";
import { ambiguousColumn } from "./errors.js";
import { relatedName } from "./related-names.js";
import type { Relation } from "./relation.js";
import type { QueryLevel } from "./state.js";

/** A column as a name in scope. A column merged by USING may be an expression over both sides. */
export interface ScopeColumn {
  readonly name: string;
  readonly expr: Expr;
  /** No star stands for it. */
  readonly unexpanded?: boolean;
}

/** One relation or join in scope. */
export interface ScopeItem {
  /** Absent for a join without an alias. */
  readonly name?: string;
  /** Absent for joins. */
  readonly relation?: Relation;
  readonly columns: readonly ScopeColumn[];
  /** Whether `name.column` finds it. */
  readonly relationVisible: boolean;
  /** Whether a bare column name finds its columns; not below a JOIN, whose own item stands for both sides. */
  readonly columnsVisible: boolean;
  /** Only for LATERAL items further right, while their FROM is still being bound. */
  readonly lateralOnly: boolean;
  /** Whether a LATERAL reference may be made: not from the right side of a RIGHT or FULL join. */
  readonly lateralOk: boolean;
}

/** A scope item of a relation. */
export function itemOf(relation: Relation): ScopeItem {
  return {
    name: relation.name,
    relation,
    columns: relation.columns,
    relationVisible: true,
    columnsVisible: true,
    lateralOnly: false,
    lateralOk: true,
  };
}

/** The column that a bare name means, or `undefined`. @throws SqlError 42702 when several have the name */
export function findColumn(level: QueryLevel, name: string, position: number): Expr | undefined {
  for (let current: QueryLevel | undefined = level; current !== undefined; current = current.parent) {
    let found: Expr | undefined;
    for (const item of current.namespace) {
      if (!item.columnsVisible || (item.lateralOnly && !current.lateralActive)) continue;
      const column = columnOfItem(item, name, position);
      if (column === undefined) continue;
      if (found !== undefined) throw ambiguousColumn(name, position, qualifiedNames(current, name));
      checkLateral(item, position);
      found = column;
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The column of that name in one item, or `undefined`. */
export function columnOfItem(item: ScopeItem, name: string, position: number): Expr | undefined {
  let found: Expr | undefined;
  for (const column of item.columns) {
    if (column.name !== name) continue;
    if (found !== undefined) throw ambiguousColumn(name, position, []);
    found = column.expr;
  }
  return found === undefined ? undefined : { ...found, position };
}

function qualifiedNames(level: QueryLevel, name: string): string[] {
  return level.namespace
    .filter((item) => item.relationVisible && item.name !== undefined)
    .filter((item) => item.columns.some((column) => column.name === name))
    .map((item) => `${item.name}.${name}`);
}

/** The relation that `name` or `schema.name` means, with the level it belongs to. */
export function findRelation(
  level: QueryLevel,
  schema: string | undefined,
  name: string,
  position: number,
): { readonly item: ScopeItem; readonly level: QueryLevel } | undefined {
  const table = schema === undefined ? undefined : level.state.catalog.table(name, schema);
  if (schema !== undefined && table === undefined) return undefined;
  for (let current: QueryLevel | undefined = level; current !== undefined; current = current.parent) {
    let found: ScopeItem | undefined;
    for (const item of current.namespace) {
      if (!item.relationVisible || (item.lateralOnly && !current.lateralActive)) continue;
      if (!matches(item, name, table)) continue;
      if (found !== undefined) {
        throw new SqlError(sqlstate.ambiguousAlias, `table reference "${name}" is ambiguous`, { position });
      }
      checkLateral(item, position);
      found = item;
    }
    if (found !== undefined) return { item: found, level: current };
  }
  return undefined;
}

function matches(item: ScopeItem, name: string, table: Table | undefined): boolean {
  if (table === undefined) return item.name === name;
  return item.relation !== undefined && item.relation.table === table && !item.relation.hasAlias;
}

function checkLateral(item: ScopeItem, position: number): void {
  if (!item.lateralOnly || item.lateralOk) return;
  throw new SqlError(
    sqlstate.invalidColumnReference,
    `invalid reference to FROM-clause entry for table "${item.name ?? "unnamed_join"}"`,
    { position, detail: "The combining JOIN type must be INNER or LEFT for a LATERAL reference." },
  );
}

/** `name.column` whose relation is not in scope. */
export function missingRelation(
  level: QueryLevel,
  schema: string | undefined,
  name: string,
  position: number,
): SqlError {
  const relation = anyRelation(level, schema, name);
  if (relation === undefined) {
    const visible = visibleNames(level);
    return new SqlError(sqlstate.undefinedTable, `missing FROM-clause entry for table "${name}"`, {
      position,
      hint: visible.length > 0 ? `The tables that can be named here are: ${visible.join(", ")}.` : undefined,
    });
  }
  const aliased = relation.name !== name && findRelation(level, undefined, relation.name, position);
  const hint =
    aliased && aliased.item.relation === relation
      ? `Perhaps you meant to reference the table alias "${relation.name}".`
      : `There is an entry for table "${relation.name}", but it cannot be referenced from this part of the query.`;
  return new SqlError(sqlstate.undefinedTable, `invalid reference to FROM-clause entry for table "${name}"`, {
    position,
    hint,
  });
}

function anyRelation(level: QueryLevel, schema: string | undefined, name: string): Relation | undefined {
  for (let current: QueryLevel | undefined = level; current !== undefined; current = current.parent) {
    for (const relation of current.relations) {
      const tableMatches = relation.table?.name === name && (schema === undefined || relation.table.schema === schema);
      if (tableMatches || (schema === undefined && relation.name === name)) return relation;
    }
  }
  return undefined;
}

function visibleNames(level: QueryLevel): string[] {
  const names = new Set<string>();
  for (let current: QueryLevel | undefined = level; current !== undefined; current = current.parent) {
    for (const item of current.namespace) {
      if (item.relationVisible && !item.lateralOnly && item.name !== undefined) names.add(item.name);
    }
  }
  return [...names];
}

/** Slips of up to three letters are worth a suggestion, as in PostgreSQL. */
const maxSlip = 3;

interface Suggestion {
  relation: Relation;
  column: string;
}

/** `column` or `relation.column` that does not exist, with the nearest names as the hint. */
export function missingColumn(
  level: QueryLevel,
  relationName: string | undefined,
  name: string,
  position: number,
): SqlError {
  const message =
    relationName === undefined ? `column "${name}" does not exist` : `column ${relationName}.${name} does not exist`;
  return new SqlError(sqlstate.undefinedColumn, message, { position, hint: columnHint(level, relationName, name) });
}

function columnHint(level: QueryLevel, relationName: string | undefined, name: string): string | undefined {
  let best = maxSlip + 1;
  let suggestions: Suggestion[] = [];
  for (let current: QueryLevel | undefined = level; current !== undefined; current = current.parent) {
    for (const relation of current.relations) {
      const penalty = relationName === undefined ? 0 : editDistance(relationName, relation.name, maxSlip + 1);
      if (penalty === 0 && relation.columns.some((column) => column.name === name)) {
        return `There is a column named "${name}" in table "${relation.name}", but it cannot be referenced from this part of the query.`;
      }
      for (const column of relation.columns) {
        if (penalty > best) continue;
        const distance = editDistance(name, column.name, best + 1 - penalty);
        // More than half the letters different is no slip.
        if (distance > Math.floor(name.length / 2)) continue;
        const total = distance + penalty;
        if (total < best) {
          best = total;
          suggestions = [{ relation, column: column.name }];
        } else if (total === best) {
          if (suggestions.length === 2) suggestions = [];
          else if (suggestions.length === 1 || best <= maxSlip) suggestions.push({ relation, column: column.name });
        }
      }
    }
  }
  if (suggestions.length === 0) return allColumnsHint(level, relationName, name);
  const written = suggestions.map((item) => `the column "${item.relation.name}.${item.column}"`);
  return `Perhaps you meant to reference ${written.join(" or ")}.`;
}

/** PostgreSQL has no hint when nothing is near; the columns of the one table in question help a reader on. */
function allColumnsHint(level: QueryLevel, relationName: string | undefined, name: string): string | undefined {
  const relations = level.relations.filter((relation) => relationName === undefined || relation.name === relationName);
  if (relations.length !== 1 || relations[0].columns.length === 0) return undefined;
  const names = relations[0].columns.map((column) => column.name);
  const related = relatedName(name, names);
  if (related !== undefined) return `Perhaps you meant to reference the column "${relations[0].name}.${related}".`;
  const shown = names.length > 40 ? [...names.slice(0, 40), "…"] : names;
  return `The columns of "${relations[0].name}" are: ${shown.join(", ")}.`;
}

/** The column that a bare name means in this query itself, not in those around it. */
export function findColumnHere(level: QueryLevel, name: string, position: number): Expr | undefined {
  return findColumn({ ...level, parent: undefined }, name, position);
}
