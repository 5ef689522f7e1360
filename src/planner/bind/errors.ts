/** Errors of the binder that several of its files raise, in PostgreSQL's words; hints say more where PostgreSQL is silent. */
import { closest } from "../../errors/did-you-mean.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { MissingFeature } from "../../functions/function.js";
import type * as ast from "../../grammar/ast.js";
import { relatedName, sameName } from "./related-names.js";
import type { BindState } from "./state.js";

/** 1-based position of a node. */
export function at(node: { readonly range: ast.Range }): number {
  return node.range.start + 1;
}

/** A feature that PostgreSQL has and this program refuses. */
export function notSupported(message: string, position?: number, hint?: string): SqlError {
  return new SqlError(sqlstate.featureNotSupported, message, { position, hint });
}

/** 42601, for what the grammar takes and PostgreSQL's parser refuses later. */
/** A function or operator that PostgreSQL has and the library has not. @param what `function area()` */
export function missingFeature(what: string, { feature, hint }: MissingFeature, position?: number): SqlError {
  return new SqlError(sqlstate.featureNotSupported, `${what} is not supported`, {
    position,
    detail: `It belongs to ${feature}.`,
    hint,
  });
}

export function syntaxError(message: string, position?: number, hint?: string): SqlError {
  return new SqlError(sqlstate.syntaxError, message, { position, hint });
}

/** 42804. */
export function datatypeMismatch(message: string, position?: number, hint?: string): SqlError {
  return new SqlError(sqlstate.datatypeMismatch, message, { position, hint });
}

/** 42803: an aggregate or an ungrouped column where it may not stand. */
export function groupingError(message: string, position?: number): SqlError {
  return new SqlError(sqlstate.groupingError, message, { position });
}

/** 42P20: a window function where it may not stand. */
export function windowingError(message: string, position?: number): SqlError {
  return new SqlError(sqlstate.windowingError, message, { position });
}

/** A relation that the catalog does not have. */
export function undefinedTable(state: BindState, name: ast.QualifiedName): SqlError {
  const shown = name.schema === undefined ? name.name : `${name.schema}.${name.name}`;
  const names = [...state.catalog.tableNames()];
  const whole = name.schema === undefined ? name.name : `${name.schema}_${name.name}`;
  const near =
    sameName(whole, names) ?? closest(whole, names) ?? closest(name.name, names) ?? relatedName(name.name, names);
  return new SqlError(sqlstate.undefinedTable, `relation "${shown}" does not exist`, {
    position: at(name),
    hint: near === undefined ? tablesHint(name.name, names) : `Perhaps you meant the table "${near}".`,
  });
}

/** Few names are listed at once; more than this many characters of them are better asked for. */
const maxListedNames = 400;

function tablesHint(name: string, names: readonly string[]): string {
  if (name === "dual") return "Leave out FROM dual: a SELECT needs no FROM.";
  const list = names.join(", ");
  if (names.length > 0 && list.length <= maxListedNames) return `The tables are: ${list}.`;
  return "SELECT table_name FROM information_schema.tables lists the tables.";
}

/** Two relations of one FROM under the same name. */
export function duplicateAlias(name: string, position?: number): SqlError {
  return new SqlError(sqlstate.duplicateAlias, `table name "${name}" specified more than once`, {
    position,
    hint: `Give one of them another alias: "${name}" AS other_name.`,
  });
}

/** 42702, with the qualified names that would tell the columns apart. */
export function ambiguousColumn(name: string, position: number | undefined, qualified: readonly string[]): SqlError {
  return new SqlError(sqlstate.ambiguousColumn, `column reference "${name}" is ambiguous`, {
    position,
    hint: qualified.length > 0 ? `Write one of: ${qualified.join(", ")}.` : undefined,
  });
}

/** A constant that a column with declared labels can never hold. */
export function invalidLabel(
  label: string,
  column: string,
  labels: readonly string[],
  position: number | undefined,
  comparison: boolean,
): SqlError {
  const quoted = `'${label.replaceAll("'", "''")}'`;
  const near = closest(label, labels);
  return new SqlError(sqlstate.invalidTextRepresentation, `invalid label "${label}" for column "${column}"`, {
    position,
    detail: `The labels of "${column}" are: ${labels.map((item) => `'${item.replaceAll("'", "''")}'`).join(", ")}.`,
    hint: [
      near === undefined ? "" : `Perhaps you meant '${near.replaceAll("'", "''")}'. `,
      comparison
        ? `To compare with a value outside the declared labels, write ${column}::text = ${quoted}.`
        : "Use one of the declared labels.",
    ].join(""),
  });
}
