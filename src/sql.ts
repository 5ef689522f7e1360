/** The door `glove-scratchpad/sql`: the parser, the printer, and the engine as a database in memory. */
export type { QueryOptions, QueryResult, ScratchpadBackend } from "./backends/backend.js";
export { MemoryBackend, type MemoryBackendOptions, type MemoryLimits } from "./backends/memory/memory-backend.js";
export { SqlError } from "./errors/sql-error.js";
export type * as ast from "./grammar/ast.js";
export type { Statement } from "./grammar/ast.js";
export { deparse } from "./grammar/deparse.js";
export { parse } from "./grammar/parse.js";
