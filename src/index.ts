/** The front door: everything a program needs to register tools as tables and run SQL on them. */
export type { QueryOptions, QueryResult, ScratchpadBackend } from "./backends/backend.js";
export { Catalog } from "./catalog/catalog.js";
export type { Table, TableColumn, Verb } from "./catalog/table.js";
export type {
  AuditRecord,
  AuditSink,
  CallAuditRecord,
  ReceiptRecord,
  RelationRecord,
  StatementBegin,
  StatementRecord,
} from "./database/audit/records.js";
export { Database, type DatabaseOptions } from "./database/database.js";
export type { HostFunction } from "./database/host-functions.js";
export type { CompensateOptions } from "./database/journal/compensate.js";
export {
  type Journal,
  JournalConflict,
  type JournalEntry,
  type JournalIntent,
  type JournalOutcome,
} from "./database/journal/journal.js";
export { type MemoryJournalOptions, memoryJournal } from "./database/journal/memory-journal.js";
export type { RecoveredReceipt, RecoverOptions, Settlement } from "./database/journal/recover.js";
export type { CatalogSeed } from "./database/seed.js";
export type { Session } from "./database/session.js";
export type {
  ApprovalInfo,
  ExecuteOptions,
  ExecuteResult,
  ExplainResult,
  Flow,
  Limits,
  MissingPart,
  Notice,
  PlanNode,
  Policy,
  ProgressEvent,
  Receipt,
  ResultField,
  SessionOptions,
  StagedWriteView,
  TableRule,
  TouchedRelation,
} from "./database/types.js";
export { formatError } from "./errors/format-error.js";
export { SqlError, type SqlErrorOptions } from "./errors/sql-error.js";
export { FnCatalog } from "./fns/catalog.js";
export { type DefineFnSpec, defineFn } from "./fns/define-fn.js";
export { fnFromTool } from "./fns/from-tool.js";
export type { ToolFn, ToolFnContext } from "./fns/tool-fn.js";
export { columnsFromZod } from "./resources/columns-from-zod.js";
export { textsOfEnvironment } from "./resources/connectors/environment.js";
export { defineMcpResource, type McpDefinition, type McpToolCaller, type McpVerb } from "./resources/connectors/mcp.js";
export type { McpPaging } from "./resources/connectors/mcp-paging.js";
export {
  type ColumnResourceOptions,
  defineResource,
  type RowWithoutKeys,
  type SchemaResourceOptions,
} from "./resources/define-resource.js";
export { type Page, type PageContext, type PagesOptions, pages } from "./resources/pages.js";
export type {
  Awaitable,
  Bindings,
  Compensation,
  FiredWrite,
  Qual,
  QualOperator,
  RateLimit,
  ResourceColumn,
  ResourceContext,
  ResourceTable,
  RetryOptions,
  Row,
  Rows,
  SqlScalar,
  Volatility,
} from "./resources/resource.js";
export { ResourceError, type ResourceErrorOptions } from "./resources/resource-error.js";
export {
  type ResourceFromToolOptions,
  resourceFromTool,
  type ToolCallOptions,
  type ToolInput,
  type ToolInputSource,
} from "./resources/resource-from-tool.js";
export type { Tool, ToolResult } from "./resources/tool.js";
export {
  buildExecuteSqlTool,
  buildExplainSqlTool,
  type ExecuteSqlInput,
  type SqlTool,
  type SqlToolOptions,
  type SqlToolResult,
} from "./surfaces/execute-sql.js";
export type { ModelResult } from "./surfaces/model-result.js";
export {
  type MountableAgent,
  type MountDatabaseOptions,
  type MountedTool,
  type MountedToolResult,
  mountDatabase,
} from "./surfaces/mount-database.js";
export { primeText } from "./surfaces/prime.js";
export {
  allRows,
  oneRow,
  type RunOptions,
  runWrite,
  type SqlExecutor,
  type SqlText,
  type WriteResult,
} from "./surfaces/query/executor.js";
export type { NullsOrder, SelectQuery, WhereMustGiveAValueFor } from "./surfaces/query/select-query.js";
export { jsonParameter } from "./surfaces/query/statement-text.js";
export { type TableQuery, tableQuery } from "./surfaces/query/table-query.js";
export type { TableDefinition, TableTypes } from "./surfaces/query/table-types.js";
export type { ChangeQuery, InsertQuery, ReturningQuery, WhereMustSayWhichRows } from "./surfaces/query/write-query.js";
export { formatRows, type TextTableOptions } from "./surfaces/text-table.js";
