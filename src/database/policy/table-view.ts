/**
 * What the rules make of one table: masks by column and a condition that rows have to fulfil. Made when the table is
 * registered, so that a rule which does not fit it is an error there, and not an answer without the rule.
 */
import type { ResourceTableInfo, Table, TableColumn } from "../../catalog/table.js";
import { closest } from "../../errors/did-you-mean.js";
import { SqlError } from "../../errors/sql-error.js";
import { parseExpression } from "../../grammar/parse.js";
import { bindCondition } from "../../planner/bind/condition.js";
import type { Column, Expr } from "../../planner/expr.js";
import type { SeenTable } from "../../planner/row-filter.js";
import {
  columnRef,
  columnsOf,
  conjunctionOf,
  conjunctsOf,
  holdsSubquery,
  isVolatile,
  substituteColumns,
} from "../../planner/visit.js";
import { types } from "../../types/type.js";
import { isTextLike, type Mask, type MaskKind, maskOf, stricter } from "./masks.js";
import type { MatchedRule } from "./rules.js";

/** A table under its rules. */
export interface TableView extends SeenTable {
  /** As it was registered; writes go to it. */
  readonly real: Table;
  /** By index of the column. */
  readonly masks: ReadonlyMap<number, Mask>;
  /** Over the values as the resource gives them. */
  readonly filter?: RowFilter;
}

/** The row filters of all rules together. */
export interface RowFilter {
  readonly columns: readonly Column[];
  readonly condition: Expr;
  /** One entry a rule: its path and the condition's text. */
  readonly rules: readonly { readonly path: string; readonly text: string }[];
}

/**
 * @param maskKey secret of hashes
 * @returns `undefined` where no rule changes what statements see
 * @throws TypeError that names the rule which does not fit the table
 */
export function tableView(table: Table, matched: readonly MatchedRule[], maskKey: string): TableView | undefined {
  const kinds = maskKinds(table, matched);
  const filter = rowFilterOf(table, matched);
  if (kinds.size === 0 && filter === undefined) return undefined;
  const masks = new Map(
    [...kinds].map(([source, { kind }]) => {
      const { type, nullable } = table.columns[source];
      return [source, maskOf(kind, type, nullable, maskKey)] as const;
    }),
  );
  const seen = table.kind === "resource" ? maskedTable(table, masks, filter !== undefined) : table;
  return {
    real: table,
    table: seen,
    masks,
    ...(filter !== undefined && {
      filter,
      rowFilter: { columns: filter.columns, condition: shownCondition(filter, masks) },
    }),
  };
}

interface WantedMask {
  readonly kind: MaskKind;
  readonly path: string;
}

function maskKinds(table: Table, matched: readonly MatchedRule[]): Map<number, WantedMask> {
  const kinds = new Map<number, WantedMask>();
  for (const { path, isNamed, rule } of matched) {
    const masks = Object.entries(rule.mask ?? {});
    if (masks.length > 0 && !isOfResource(table, path, isNamed)) continue;
    for (const [name, kind] of masks) {
      const way = `${path}.mask[${JSON.stringify(name)}]`;
      const source = table.columns.findIndex((column) => column.name === name);
      if (source >= 0) {
        const known = kinds.get(source);
        kinds.set(source, { kind: known === undefined ? kind : stricter(known.kind, kind), path: way });
      } else if (isNamed) throw new TypeError(`${way}: ${noColumn(table, name)}`);
    }
  }
  for (const [source, { kind, path }] of kinds)
    checkMask(table as ResourceTableInfo, table.columns[source], kind, path);
  return kinds;
}

/** System relations hold what is the session's own; a rule that means one of them by name is a mistake. */
function isOfResource(table: Table, path: string, isNamed: boolean): boolean {
  if (table.kind === "resource") return true;
  if (isNamed)
    throw new TypeError(`${path}: "${table.schema}.${table.name}" is no resource; only verbs can be ruled there`);
  return false;
}

function noColumn(table: Table, name: string): string {
  const names = table.columns.map((column) => column.name);
  const near = closest(name, names);
  return `table "${table.name}" has no column "${name}"; ${near === undefined ? `it has ${names.join(", ")}` : `perhaps you meant "${near}"`}`;
}

function checkMask(table: ResourceTableInfo, column: TableColumn, kind: MaskKind, path: string): void {
  const refuse = (why: string): never => {
    throw new TypeError(`${path}: column "${column.name}" of table "${table.name}" can't be masked: ${why}`);
  };
  if (column.requiredKey === true) refuse("the table can't be read without a value for it");
  if (column.argument === true) refuse("it is only an argument, the value is the statement's own");
  const group = table.keyAlternatives?.find((names) => names.length === 1 && names[0] === column.name);
  if (group !== undefined) refuse("the table can't be read without a value for it");
  const changes = table.verbs.includes("update") || table.verbs.includes("delete");
  if (changes && table.primaryKey.includes(column.name)) refuse("rows are updated and deleted by it");
  if (kind === "hash" && !isTextLike(column.type))
    refuse(`it is ${column.type.display}, and hash shows a text; use "null"`);
}

/** What descriptions of masked columns say. */
const maskWords: Readonly<Record<MaskKind, string>> = {
  redact: "(masked: the values are not shown)",
  null: "(masked: the values are not shown)",
  hash: "(masked: hashes are shown, the same for equal values)",
};

/**
 * Masked columns take no arguments, order nothing, and identify nothing. Where rows are hidden, nothing is told of how many
 * there are: estimates stand in EXPLAIN.
 */
function maskedTable(
  table: ResourceTableInfo,
  masks: ReadonlyMap<number, Mask>,
  hidesRows: boolean,
): ResourceTableInfo {
  const isMasked = (name: string) => [...masks.keys()].some((source) => table.columns[source].name === name);
  const { keyAlternatives, orderByColumns, estimate, ...rest } = table;
  return {
    ...rest,
    ...(estimate !== undefined && !hidesRows && { estimate }),
    columns: table.columns.map((column, source) => {
      const mask = masks.get(source);
      if (mask === undefined) return column;
      const { name, type, description, flowLabels } = column;
      return {
        name,
        type,
        typmod: -1,
        nullable: mask.nullable,
        pushable: false,
        description: [description ?? "", maskWords[mask.kind]].join(" ").trim(),
        ...(flowLabels !== undefined && { flowLabels }),
      };
    }),
    primaryKey: table.primaryKey.some(isMasked) ? [] : table.primaryKey,
    ...(keyAlternatives !== undefined && {
      keyAlternatives: keyAlternatives.map((group) => group.filter((name) => !isMasked(name))),
    }),
    ...(orderByColumns !== undefined && { orderByColumns: orderByColumns.filter((name) => !isMasked(name)) }),
  };
}

function rowFilterOf(table: Table, matched: readonly MatchedRule[]): RowFilter | undefined {
  const rules: { path: string; text: string }[] = [];
  const conditions: Expr[] = [];
  let columns: readonly Column[] | undefined;
  for (const { path, isNamed, rule } of matched) {
    if (rule.rowFilter === undefined) continue;
    const way = `${path}.rowFilter`;
    if (!isOfResource(table, path, isNamed)) continue;
    const bound = boundFilter(table, rule.rowFilter, way);
    const own: readonly Column[] = columns ?? bound.columns;
    columns = own;
    const same = new Map(bound.columns.map((column, i) => [column.id, columnRef(own[i])] as const));
    conditions.push(substituteColumns(bound.condition, same));
    rules.push({ path: way, text: rule.rowFilter });
  }
  const condition = conjunctionOf(conditions);
  return condition === undefined || columns === undefined ? undefined : { columns, condition, rules };
}

function boundFilter(table: Table, text: string, way: string): ReturnType<typeof bindCondition> {
  const refuse = (why: string, cause?: unknown): never => {
    throw new TypeError(`${way}: ${JSON.stringify(text)} is no row filter of table "${table.name}": ${why}`, { cause });
  };
  let bound: ReturnType<typeof bindCondition>;
  try {
    bound = bindCondition(table, parseExpression(text));
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return refuse(error.hint === undefined ? error.message : `${error.message} (${error.hint})`, error);
  }
  if (bound.hasParameters) refuse("it can't have parameters; current_actor() is who asks");
  if (holdsSubquery(bound.condition)) refuse("it can't hold a subquery");
  if (isVolatile(bound.condition))
    refuse("it must give the same for a row each time, so it can't call a volatile function");
  return bound;
}

/**
 * The condition that plans have. What it says of masked columns was decided on the rows, before they were masked; a
 * condition without a word on what it decided stands for it, so that no LIMIT is passed to a call below it.
 */
function shownCondition({ columns, condition }: RowFilter, masks: ReadonlyMap<number, Mask>): Expr {
  const hidden = new Set([...masks.keys()].map((source) => columns[source].id));
  const parts = conjunctsOf(condition).map((part): Expr => {
    const own = columnsOf(part);
    if (![...own].some((id) => hidden.has(id))) return part;
    return {
      kind: "Call",
      name: "is_visible",
      args: columns.filter((column) => own.has(column.id)).map((column) => columnRef(column)),
      type: types.bool,
      volatility: "stable",
      strict: false,
      resolve: () => () => true,
    };
  });
  return conjunctionOf(parts) as Expr;
}
