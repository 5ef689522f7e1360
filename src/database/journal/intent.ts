/** The intent of an effect, and the effect of an intent that was read. */
import type { Row } from "../../resources/resource.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import type { Effect } from "../effect.js";
import { asBound } from "../write/row-values.js";
import { decodeValue, encodeValue } from "./codec.js";
import type { JournalIntent } from "./journal.js";
import { JournalFailed, type NewIntent } from "./ledger.js";

/** @throws JournalFailed for arguments that can't be written */
export function intentOf(effect: Effect, actor: string | undefined): NewIntent {
  const { table, op, rows, set, match, hash, compensates } = effect;
  try {
    return {
      idempotencyKey: effect.idempotencyKey,
      schema: table.schema,
      resource: table.name,
      op,
      arguments: {
        ...(rows !== undefined && { rows: encodeValue(rows) }),
        ...(set !== undefined && { set: encodeValue(set) }),
        ...(match !== undefined && { match: encodeValue(match) }),
      },
      ...(actor !== undefined && { actor }),
      ...(hash !== undefined && { hash }),
      ...(compensates !== undefined && { compensates: compensates.idempotencyKey }),
    };
  } catch (error) {
    throw new JournalFailed(error);
  }
}

/** The arguments of an intent as results show them. @throws TypeError for what no journal of ours wrote */
export function argumentsOf(intent: JournalIntent): { rows?: Row[]; set?: Row; match?: Row } {
  const { rows, set, match } = intent.arguments;
  return {
    ...(rows !== undefined && { rows: decodeValue(rows) as Row[] }),
    ...(set !== undefined && { set: decodeValue(set) as Row }),
    ...(match !== undefined && { match: decodeValue(match) as Row }),
  };
}

/**
 * The effect again, under its key: what is sent is what was to be sent, decoded by the schema as it is now.
 * @throws Error when the table's schema does not take a value any more
 */
export function effectOf(intent: JournalIntent, table: RegisteredResource): Effect {
  const { rows, set, match } = argumentsOf(intent);
  return {
    table,
    op: intent.op,
    ...(rows !== undefined && { rows, decodedRows: rows.map((row) => decodedRow(table, row)) }),
    ...(set !== undefined && { set, decodedSet: decodedRow(table, set) }),
    ...(match !== undefined && { match, decodedMatch: boundMatch(table, match) }),
    idempotencyKey: intent.idempotencyKey,
    ...(intent.hash !== undefined && { hash: intent.hash }),
  };
}

function decodedRow(table: RegisteredResource, row: Row): Row {
  const { decode } = table.resource;
  const plain = withDates(table, row);
  if (decode === undefined) return plain;
  return Object.fromEntries(
    Object.entries(plain).map(([name, value]) => [name, decode.call(table.resource, name, value)]),
  );
}

/** The row's key as bindings had it the first time. */
function boundMatch(table: RegisteredResource, match: Row): Row {
  return Object.fromEntries(Object.entries(match).map(([name, value]) => [name, asBound(table, name, value)]));
}

function withDates(table: RegisteredResource, row: Row): Row {
  const dates = new Set(table.resource.columns.filter(({ asDate }) => asDate === true).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      dates.has(name) && typeof value === "string" ? new Date(value) : value,
    ]),
  );
}
