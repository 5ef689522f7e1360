/**
 * Rows that a write leaves behind have to fulfil the row filter of their table, as PostgreSQL holds them against its policies
 * for row-level security. Checked for the whole statement before its first effect.
 */
import { propertyReader } from "../../engine/row-property.js";
import type { ConflictHandler, WriteOutcome, WriteRequest } from "../../engine/write-request.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Row } from "../../resources/resource.js";
import { operationsOf } from "../../types/families.js";
import type { Value } from "../../types/value.js";
import { withValues } from "../write/row-values.js";
import type { RowFilter, TableView } from "./table-view.js";
import { type FilterEnvironment, fulfil } from "./visible-rows.js";

type MemoryRow = readonly Value[];

/**
 * Makes a write under the row filter of its table. What ON CONFLICT meets is known when the write is made: it is checked
 * then, which is still before the first effect.
 * @param how the rows of the target's scan as the resource gave them, and what the filter is evaluated in
 * @param write makes the write; nothing is sent by it
 * @throws SqlError 42501 for a row that the filter does not let through
 */
export async function underRowFilter(
  view: TableView,
  { position }: { readonly position?: number },
  request: WriteRequest,
  { targets, environment }: { readonly targets: readonly Row[]; readonly environment: FilterEnvironment },
  write: (request: WriteRequest) => WriteOutcome | Promise<WriteOutcome>,
): Promise<WriteOutcome> {
  await checkWrittenRows(view, request, targets, environment, position);
  if (request.op !== "insert" || request.conflict === undefined) return write(request);
  const { conflict } = request;
  const existing: MemoryRow[] = [];
  const updated: MemoryRow[] = [];
  const update: ConflictHandler["update"] = (row, proposed) => {
    const values = conflict.update(row, proposed);
    existing.push([...row]);
    if (values !== undefined) updated.push(withValues(row, conflict.targets, values));
    return values;
  };
  const outcome = await write({ ...request, conflict: { ...conflict, update } });
  await checkConflictingRows(view, existing, updated, environment, position);
  return outcome;
}

async function checkWrittenRows(
  view: TableView,
  request: WriteRequest,
  targets: readonly Row[],
  environment: FilterEnvironment,
  position?: number,
): Promise<void> {
  if (view.filter === undefined) return;
  const rows = writtenRows(request, (rowId) => memoryRow(view, targets[rowId], environment));
  await requireFulfilled(view, view.filter, rows, environment, "", position);
}

/** Rows that the actor does not see are not to be updated by ON CONFLICT. @throws SqlError 42501 */
async function checkConflictingRows(
  view: TableView,
  existing: readonly MemoryRow[],
  updated: readonly MemoryRow[],
  environment: FilterEnvironment,
  position?: number,
): Promise<void> {
  if (view.filter === undefined) return;
  await requireFulfilled(view, view.filter, existing, environment, " (USING expression)", position);
  await requireFulfilled(view, view.filter, updated, environment, "", position);
}

async function requireFulfilled(
  view: TableView,
  filter: RowFilter,
  rows: readonly MemoryRow[],
  environment: FilterEnvironment,
  kind: string,
  position: number | undefined,
): Promise<void> {
  if (rows.length === 0) return;
  const verdicts = await fulfil(filter, rows, environment);
  if (verdicts.every((verdict) => verdict)) return;
  throw new SqlError(
    sqlstate.insufficientPrivilege,
    `new row violates row-level security policy${kind} for table "${view.real.name}"`,
    {
      ...(position !== undefined && { position }),
      detail: `Decided by ${filter.rules.map(({ path, text }) => `${path}: ${text}`).join(" and ")}.`,
      hint: "Give the columns of the condition values that fulfil it; current_actor() is who asks.",
    },
  );
}

function writtenRows(request: WriteRequest, before: (rowId: number) => MemoryRow): readonly MemoryRow[] {
  const changed = (rowId: number, targets: readonly number[], values: readonly Value[]) =>
    withValues(before(rowId), targets, values);
  switch (request.op) {
    case "insert":
      return request.rows;
    case "update":
      return request.changes.map(({ rowId, targets, values }) => changed(rowId, targets, values));
    case "delete":
      return [];
    case "merge":
      return request.steps.flatMap((step) => {
        if (step.action === "insert") return [step.row];
        return step.action === "update" ? [changed(step.rowId, step.targets, step.values)] : [];
      });
  }
}

function memoryRow({ real }: TableView, row: Row, { session }: FilterEnvironment): MemoryRow {
  return real.columns.map((column) => {
    const value = propertyReader(column.name)(row);
    if (value === null || value === undefined) return null;
    // A value that is none of its type is refused where the row is written; for the condition it is unknown.
    return operationsOf(column.type).fromHost(value, column.typmod, session) ?? null;
  });
}
