/** What one call has for the placeholders of its verb. */
import type { Bindings, ResourceContext, ResourceTable, Row } from "../../resource.js";
import { writtenValues } from "../written-values.js";
import type { HttpVerb } from "./definition.js";
import type { PlaceholderValues } from "./placeholders.js";
import { jsonText } from "./values.js";

/** The values of a read, and which of them narrow it. */
export interface ReadValues extends PlaceholderValues {
  /** Placeholders of the predicates that the call was given. A second predicate of the same kind has no placeholder. */
  readonly predicates: readonly string[];
  /** More than one predicate fell on a placeholder: one of them can't be passed on. */
  readonly isCrowded: boolean;
}

/** The placeholder of a predicate beyond equality: `updated_at >=`. */
export function qualPlaceholder(column: string, operator: string): string {
  return `${column} ${operator}`;
}

/** The values of a read, without the limit. @param batch columns of which one call takes all values */
export function readValues(
  bindings: Bindings,
  context: ResourceContext,
  verb: HttpVerb,
  batch: ReadonlySet<string>,
): ReadValues {
  const single = new Map<string, unknown>();
  const several = new Map<string, readonly unknown[]>();
  for (const [column, values] of bindings.eq) {
    if (batch.has(column))
      single.set(column, values); // a list, also of one
    else if (values.length === 1) single.set(column, values[0]);
    else several.set(column, values);
  }
  let isCrowded = false;
  for (const { column, operator, value } of bindings.quals) {
    const name = qualPlaceholder(column, operator);
    if (single.has(name)) isCrowded = true;
    else single.set(name, value === undefined ? true : value);
  }
  const predicates = [...single.keys(), ...several.keys()];
  if (context.columns !== undefined) {
    const { fields = {} } = verb;
    const nameOf = (column: string) => (Object.hasOwn(fields, column) ? fields[column] : column);
    single.set("$columns", [...new Set(context.columns.map(nameOf))]);
  }
  return { single, several, predicates, isCrowded };
}

/** The values with rows wanted at most, in an order: what only a request that passes on every predicate may say. */
export function withLimit(
  values: PlaceholderValues,
  { limit, orderBy }: Pick<ResourceContext, "limit" | "orderBy">,
  verb: HttpVerb,
): PlaceholderValues {
  const single = new Map(values.single);
  if (limit !== undefined) single.set("$limit", limit);
  const [first] = orderBy ?? [];
  const name = first === undefined ? undefined : verb.orderBy?.[first.column];
  if (first !== undefined && name !== undefined) {
    single.set("$orderBy", name);
    single.set("$direction", first.descending ? "desc" : "asc");
  }
  return { single, several: values.several };
}

/**
 * The values of a write: what is written, and by which columns its row is found.
 * @throws SqlError 0A000 for a key that gets another value
 */
export function writeValues(row: Row, match: Row, idempotencyKey: string | undefined): PlaceholderValues {
  const single = new Map<string, unknown>(Object.entries(writtenValues(row, match)));
  if (idempotencyKey !== undefined) single.set("$idempotencyKey", idempotencyKey);
  return { single, several: new Map() };
}

/** The values of an INSERT of several rows at once: outside of `$rows` stands what is the same in all of them. */
export function rowsValues(rows: readonly Row[], idempotencyKey: string | undefined): PlaceholderValues {
  const [first = {}, ...others] = rows;
  const shared = Object.entries(first).filter(([column, value]) =>
    others.every((row) => Object.hasOwn(row, column) && isSame(row[column], value)),
  );
  return { ...writeValues(Object.fromEntries(shared), {}, idempotencyKey), rows };
}

function isSame(left: unknown, right: unknown): boolean {
  if (typeof left !== typeof right) return false;
  return left === right || (typeof left === "object" && jsonText(left) === jsonText(right));
}

/** Columns of which one call takes all values. */
export function batchColumns(table: Pick<ResourceTable, "batch" | "columns" | "keyAlternatives">): ReadonlySet<string> {
  const keys = table.batch?.keys;
  if (keys === undefined || keys === false) return new Set();
  const alternatives = new Set(table.keyAlternatives?.flat());
  return new Set(
    table.columns
      .filter((column) => column.argument !== true && (column.requiredKey === true || alternatives.has(column.name)))
      .map(({ name }) => name),
  );
}
