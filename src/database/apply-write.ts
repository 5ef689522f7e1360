/**
 * Turns what the engine wants written into effects on a resource, checks all of them, and only then stages or fires.
 *
 * The engine has evaluated the statement: complete rows for INSERT, row numbers and new values for UPDATE and DELETE.
 * UPDATE and DELETE go by primary key, one call a row; where the rows were not read but made from the key values of the
 * statement itself, by these.
 */
import type { Verb } from "../catalog/table.js";
import type { WriteOutcome, WriteRequest } from "../engine/write-request.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { SessionContext } from "../functions/function.js";
import { invalidLabel } from "../planner/bind/errors.js";
import type { Merge, Write } from "../planner/plan.js";
import type { Row } from "../resources/resource.js";
import { isRegisteredResource, type RegisteredResource } from "../resources/table-info.js";
import { operationsOf } from "../types/families.js";
import type { Value } from "../types/value.js";
import type { Effect } from "./effect.js";
import { randomKey } from "./idempotency.js";

export interface WriteContext {
  readonly session: SessionContext;
  /** Rows that the target's scan was given, by scan id. */
  readonly rowsOf: (scan: number) => readonly Row[];
  /** The scan's rows are the statement's own key values; nothing was read. */
  readonly isDirect: (scan: number) => boolean;
  /** Stages or fires; gives what each effect's verb answered, `undefined` when it waits for COMMIT. */
  readonly carryOut: (effects: readonly Effect[]) => Promise<readonly unknown[]>;
}

/** @throws SqlError before any effect when a value is not acceptable; HV000 with receipts when a verb fails */
export async function applyWrite(
  node: Write | Merge,
  request: WriteRequest,
  context: WriteContext,
): Promise<WriteOutcome> {
  const table = node.table;
  if (!isRegisteredResource(table))
    throw new SqlError(sqlstate.wrongObjectType, `table "${table.name}" cannot be written`);
  if (node.kind === "Merge" || request.op === "merge") {
    throw new SqlError(sqlstate.featureNotSupported, "MERGE into a resource is not supported", {
      position: node.position,
      hint: "Use INSERT, UPDATE or DELETE.",
    });
  }
  requireVerb(table, request.op, node.position);
  switch (request.op) {
    case "insert":
      return insertRows(node, table, request.rows, context);
    case "update":
      return updateRows(node, table, request.changes, context);
    case "delete":
      return deleteRows(node, table, request.rowIds, context);
  }
}

function requireVerb(table: RegisteredResource, verb: Verb, position: number | undefined): void {
  if (table.verbs.includes(verb)) return;
  throw new SqlError(
    sqlstate.objectNotInPrerequisiteState,
    `table "${table.name}" cannot be written with ${verb.toUpperCase()}`,
    {
      position,
      detail: `It has ${table.verbs.map((name) => name.toUpperCase()).join(", ")} only.`,
    },
  );
}

async function insertRows(
  node: Write,
  table: RegisteredResource,
  rows: readonly (readonly Value[])[],
  context: WriteContext,
): Promise<WriteOutcome> {
  if (node.onConflict !== undefined) {
    throw new SqlError(sqlstate.featureNotSupported, "ON CONFLICT is not supported for a resource", {
      position: node.position,
    });
  }
  // Columns that the statement does not name are left out of the row: the service has its own defaults.
  const sources = node.targets;
  const hostRows = rows.map((row, i) =>
    hostValues(
      table,
      sources,
      sources.map((source) => row[source]),
      context,
      i + 1,
    ),
  );
  const decoded = hostRows.map((row, i) => decodeRow(table, row, i + 1));
  const groups = table.resource.batch?.insert === true ? [hostRows.map((_, i) => i)] : hostRows.map((_, i) => [i]);
  const effects = groups
    .filter((group) => group.length > 0)
    .map<Effect>((group) => ({
      table,
      op: "insert",
      rows: group.map((i) => hostRows[i]),
      decodedRows: group.map((i) => decoded[i]),
      idempotencyKey: randomKey(),
    }));
  const answers = await context.carryOut(effects);
  const written = groups.flatMap((group, g) =>
    group.map((i, n) => answeredRow(table, rows[i], answers[g], group.length, n, context)),
  );
  return { affected: rows.length, rows: written };
}

async function updateRows(
  node: Write,
  table: RegisteredResource,
  changes: readonly {
    readonly rowId: number;
    readonly targets: readonly number[];
    readonly values: readonly Value[];
  }[],
  context: WriteContext,
): Promise<WriteOutcome> {
  const { rows, keys } = targetRows(node, table, context);
  const effects = changes.map<Effect>((change, i) => {
    const set = hostValues(table, change.targets, change.values, context, i + 1);
    return {
      table,
      op: "update",
      set,
      decodedSet: decodeRow(table, set, i + 1),
      ...matchOf(table, rows[change.rowId], keys),
      idempotencyKey: randomKey(),
    };
  });
  const answers = await context.carryOut(effects);
  const written = changes.map((change, i) => {
    const row = [...memoryRow(table, rows[change.rowId], context)];
    change.targets.forEach((target, t) => {
      row[target] = change.values[t];
    });
    return answeredRow(table, row, answers[i], 1, 0, context);
  });
  return { affected: changes.length, rows: written };
}

async function deleteRows(
  node: Write,
  table: RegisteredResource,
  rowIds: readonly number[],
  context: WriteContext,
): Promise<WriteOutcome> {
  const { rows, keys } = targetRows(node, table, context);
  const effects = rowIds.map<Effect>((rowId) => ({
    table,
    op: "delete",
    ...matchOf(table, rows[rowId], keys),
    idempotencyKey: randomKey(),
  }));
  await context.carryOut(effects);
  return { affected: rowIds.length, rows: rowIds.map((rowId) => memoryRow(table, rows[rowId], context)) };
}

/** The rows that an UPDATE or DELETE goes through, and the columns that tell the verb which one is meant. */
function targetRows(
  node: Write,
  table: RegisteredResource,
  context: WriteContext,
): { rows: readonly Row[]; keys: readonly string[] } {
  const scan = node.targetScan as number;
  const rows = context.rowsOf(scan);
  const identity = table.primaryKey.length > 0 ? table.primaryKey : table.keys;
  if (identity.length > 0) return { rows, keys: identity };
  if (context.isDirect(scan)) return { rows, keys: Object.keys(rows[0] ?? {}) };
  throw new SqlError(
    sqlstate.objectNotInPrerequisiteState,
    `table "${table.name}" has no primary key to ${node.op} rows by`,
    {
      position: node.position,
      hint: "Use a WHERE of equalities only: they are passed to the tool as they are.",
    },
  );
}

function matchOf(table: RegisteredResource, row: Row, keys: readonly string[]): { match: Row; decodedMatch: Row } {
  const match: Row = {};
  const decodedMatch: Row = {};
  for (const key of keys) {
    const value = row[key];
    if (value === null || value === undefined) {
      throw new SqlError(sqlstate.notNullViolation, `a row of "${table.name}" has no value for its key "${key}"`, {
        detail: "Without it the tool cannot be told which row is meant.",
      });
    }
    const asDate = table.resource.columns.find((column) => column.name === key)?.asDate === true;
    match[key] = value instanceof Date ? value.toISOString() : value;
    decodedMatch[key] = asDate && !(value instanceof Date) ? new Date(value as string) : value;
  }
  return { match, decodedMatch };
}

/** The values of some columns as results show them. @throws SqlError 23502 for a NULL where there can be none, 22P02 for a text that is no label */
function hostValues(
  table: RegisteredResource,
  sources: readonly number[],
  values: readonly Value[],
  context: WriteContext,
  rowNumber: number,
): Row {
  const row: Row = {};
  sources.forEach((source, i) => {
    const column = table.columns[source];
    const value = values[i];
    if (value === null && !column.nullable) {
      throw new SqlError(
        sqlstate.notNullViolation,
        `null value in column "${column.name}" of relation "${table.name}" violates not-null constraint`,
        {
          detail: `It is row ${rowNumber} of the statement.`,
        },
      );
    }
    if (typeof value === "string" && column.enumLabels?.includes(value) === false)
      throw invalidLabel(value, column.name, column.enumLabels, undefined, false);
    row[column.name] = value === null ? null : operationsOf(column.type).toHost(value, context.session);
  });
  return row;
}

/** The row as the verb gets it. @throws SqlError 22023 naming column and row when the schema refuses a value */
function decodeRow(table: RegisteredResource, row: Row, rowNumber: number): Row {
  const decoded: Row = {};
  for (const [name, value] of Object.entries(row)) {
    const asDate = table.resource.columns.find((column) => column.name === name)?.asDate === true;
    const plain = asDate && typeof value === "string" ? new Date(value) : value;
    try {
      decoded[name] = table.resource.decode === undefined ? plain : table.resource.decode(name, plain);
    } catch (error) {
      throw new SqlError(
        sqlstate.invalidParameterValue,
        `column "${name}" of table "${table.name}" does not take this value`,
        {
          detail: `Row ${rowNumber}: ${error instanceof Error ? error.message : String(error)}`,
          cause: error,
        },
      );
    }
  }
  return decoded;
}

/** The written row, with what the verb answered laid over it, for RETURNING. */
function answeredRow(
  table: RegisteredResource,
  row: readonly Value[],
  answer: unknown,
  rowsInCall: number,
  n: number,
  context: WriteContext,
): readonly Value[] {
  const list = Array.isArray(answer) ? answer : [answer];
  const object = list.length === rowsInCall ? list[n] : undefined;
  if (typeof object !== "object" || object === null || Array.isArray(object)) return row;
  return table.columns.map((column, i) => {
    if (!Object.hasOwn(object, column.name)) return row[i];
    const value = (object as Row)[column.name];
    if (value === null || value === undefined) return null;
    return operationsOf(column.type).fromHost(value, column.typmod, context.session) ?? row[i];
  });
}

function memoryRow(table: RegisteredResource, row: Row, context: WriteContext): readonly Value[] {
  return table.columns.map((column) => {
    const value = row[column.name];
    if (value === null || value === undefined) return null;
    const converted = operationsOf(column.type).fromHost(value, column.typmod, context.session);
    if (converted === undefined) throw badValue(table, column.name, column.type.display, value);
    return converted;
  });
}

/** A resource gave a value that is none of its column's type. */
export function badValue(
  table: RegisteredResource,
  column: string,
  type: string,
  value: unknown,
  row?: number,
): SqlError {
  const shown = JSON.stringify(value, (_, v) => (typeof v === "bigint" ? String(v) : v)) ?? String(value);
  return new SqlError(
    sqlstate.fdwError,
    `resource "${table.name}" gave a value for column "${column}" that is not a ${type}`,
    {
      detail: `${row === undefined ? "" : `Row ${row + 1}: `}${shown.length > 200 ? `${shown.slice(0, 200)}…` : shown}`,
      hint: "Declare the column with the type that the service sends.",
    },
  );
}
