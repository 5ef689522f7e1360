/** The rows of `scratchpad.sources` and `scratchpad.calls`: where tables come from, and what was called for a principal. */
import type { Table } from "../catalog/table.js";
import type { CallLog, CallTally } from "../resources/call-log.js";
import type { Row } from "../resources/resource.js";
import { isRegisteredResource } from "../resources/table-info.js";
import { asDocument } from "./audit/document.js";

/** What lists of tables are made of. */
export interface TableList {
  list(): readonly Table[];
}

interface Source {
  readonly name: string;
  readonly kind: string;
  readonly tables: Table[];
}

/** One row a source, in order of their names. */
export function sourceRows(catalog: TableList, calls: CallLog, actor: string | undefined): Row[] {
  return sourcesOf(catalog).map(({ name, kind, tables }) => {
    const tallies = tables.map((table) => calls.tallyOf(actor, table.schema, table.name));
    const latest = tallies.reduce((a, b) => (lastOf(b) > lastOf(a) ? b : a));
    const failed = tallies.filter((tally) => tally.lastError !== undefined);
    return {
      name,
      kind,
      tables: tables.map((table) => (table.schema === "public" ? table.name : `${table.schema}.${table.name}`)),
      state: stateOf(tables, latest),
      calls: tallies.reduce((sum, tally) => sum + tally.calls, 0),
      failed_calls: tallies.reduce((sum, tally) => sum + tally.failed, 0),
      last_error: failed.length === 0 ? null : failed.reduce((a, b) => (lastOf(b) > lastOf(a) ? b : a)).lastError,
      last_call_at: latest.lastCallAt ?? null,
    };
  });
}

/** Tables of one server stand together; any other is a source by itself. */
function sourcesOf(catalog: TableList): Source[] {
  const sources = new Map<string, Source>();
  for (const table of catalog.list()) {
    if (table.kind !== "resource") continue;
    const declared = isRegisteredResource(table) ? table.resource.source : undefined;
    const kind = declared?.kind ?? (isRegisteredResource(table) ? "resource" : "manifest");
    const name = declared?.name ?? (isRegisteredResource(table) ? table.resource.scope : undefined) ?? table.name;
    const key = JSON.stringify([name, kind]);
    const source = sources.get(key);
    if (source === undefined) sources.set(key, { name, kind, tables: [table] });
    else source.tables.push(table);
  }
  return [...sources.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function stateOf(tables: readonly Table[], latest: CallTally): string {
  if (!tables.some(isRegisteredResource)) return "not connected";
  return latest.isFailing ? "failing" : "ok";
}

function lastOf(tally: CallTally): number {
  return tally.lastCallAt?.getTime() ?? Number.NEGATIVE_INFINITY;
}

/** One row a call, oldest first. */
export function callRows(calls: CallLog, actor: string | undefined): Row[] {
  return calls.callsOf(actor).map((call) => ({
    at: call.startedAt,
    relation: call.schema === "public" ? call.resource : `${call.schema}.${call.resource}`,
    op: call.op ?? "select",
    bindings: asDocument(call.bindings),
    written: call.written === undefined ? null : asDocument(call.written),
    quals: asDocument(call.quals),
    limit: call.limit ?? null,
    rows: call.hidesCounts === true ? null : call.rows,
    pages: call.hidesCounts === true ? null : call.pages,
    duration_ms: call.durationMs,
    status: call.status,
    error: call.error ?? null,
    cached: call.status === "cached",
    retries: call.retries,
  }));
}
