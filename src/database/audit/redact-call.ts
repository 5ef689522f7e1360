/** Calls as they may be remembered: without the values of columns that carry a label. */
import type { CallRecord } from "../../resources/call-record.js";
import { redactedText } from "../redacted.js";

/** Whether records leave out the values of a column. */
export type IsRedacted = (relation: { readonly schema: string; readonly name: string }, column: string) => boolean;

/** The call with `[redacted]` for what is left out; the call itself when that is nothing. */
export function redactCall(call: CallRecord, isRedacted: IsRedacted): CallRecord {
  const relation = { schema: call.schema, name: call.resource };
  const hides = (column: string) => isRedacted(relation, column);
  const columns = [
    ...Object.keys(call.bindings),
    ...call.quals.map((qual) => qual.column),
    ...rowsOf(call.written).flatMap((row) => Object.keys(row)),
  ];
  if (!columns.some(hides)) return call;
  const shown = <V>(values: Readonly<Record<string, V>>, hidden: V): Record<string, V> =>
    Object.fromEntries(Object.entries(values).map(([column, value]) => [column, hides(column) ? hidden : value]));
  const { written } = call;
  return {
    ...call,
    bindings: shown<readonly unknown[]>(call.bindings, [redactedText]),
    quals: call.quals.map((qual) => (hides(qual.column) && "value" in qual ? { ...qual, value: redactedText } : qual)),
    ...(written !== undefined && {
      written: Array.isArray(written)
        ? rowsOf(written).map((row) => shown<unknown>(row, redactedText))
        : shown<unknown>(written as Record<string, unknown>, redactedText),
    }),
  };
}

/** The rows of an insert, or the new values of an update as one. */
function rowsOf(written: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (written === undefined) return [];
  return (Array.isArray(written) ? written : [written]) as Readonly<Record<string, unknown>>[];
}
