/** The rows of the system relations, made from the catalog and the session at each statement. */
import { columnsRows, schemataRows, tablesRows, viewsRows } from "../catalog/information-schema.js";
import type { CallLog } from "../resources/call-log.js";
import type { Row } from "../resources/resource.js";
import type { StatementRecord } from "./audit/records.js";
import { statementRows } from "./audit/statement-rows.js";
import { callRows, sourceRows, type TableList } from "./call-relations.js";
import type { StagedWriteView } from "./types.js";

/** What the rows of a system relation are made of. */
export interface SystemSources {
  readonly catalog: TableList;
  readonly staged: () => readonly StagedWriteView[];
  /** The calls made lately; `actor` sees its own. */
  readonly calls: CallLog;
  /** The actor's statements, oldest first. */
  readonly statements: () => readonly StatementRecord[];
  readonly actor?: string;
}

const rowsByRelation: Readonly<Record<string, (sources: SystemSources) => readonly Row[]>> = {
  "information_schema.tables": ({ catalog }) => tablesRows(catalog),
  "information_schema.columns": ({ catalog }) => columnsRows(catalog),
  "information_schema.schemata": ({ catalog }) => schemataRows(catalog),
  "information_schema.views": ({ catalog }) => viewsRows(catalog),
  "scratchpad.sources": ({ catalog, calls, actor }) => sourceRows(catalog, calls, actor),
  "scratchpad.statements": ({ statements }) => statementRows(statements()),
  "scratchpad.calls": ({ calls, actor }) => callRows(calls, actor),
  "scratchpad.staged_writes": ({ staged }) =>
    staged().map((write) => ({
      id: write.id,
      resource: write.resource,
      op: write.op,
      sql: write.sql,
      rows: write.rows ?? null,
      set: write.set ?? null,
      bindings: write.bindings ?? null,
      idempotency_key: write.idempotencyKey,
    })),
};

/** The rows of a system relation now; `undefined` for a table that is none. */
export function systemRows(schema: string, name: string, sources: SystemSources): readonly Row[] | undefined {
  return rowsByRelation[`${schema}.${name}`]?.(sources);
}
