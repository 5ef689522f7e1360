/** Entry `glove-scratchpad/fns`: capabilities as functions for REPL surfaces. */
export { closest } from "../errors/did-you-mean.js";
export { missingRequired, type UnknownKey, unknownKeys } from "./arguments.js";
export { FnCatalog } from "./catalog.js";
export { type DefineFnSpec, defineFn, type FnArguments } from "./define-fn.js";
export { describeFn, type FnDescription, type FnParam, fnSignature } from "./describe.js";
export {
  DISCOVERY_BUILTIN_NAMES,
  DISCOVERY_BUILTINS,
  type DiscoveryBuiltin,
  type DiscoveryKey,
  type DiscoveryKind,
  discoveryArg,
  hasDiscoveryArg,
} from "./discovery.js";
export { DEFAULT_ELIDE, type ElideLimits, type ElideOptions, elide } from "./elide.js";
export { type FnFromToolOptions, fnFromTool, type ToolLike } from "./from-tool.js";
export { deriveShape, type SampleShapesOptions, sampleOne, sampleResultShapes } from "./sample.js";
export { searchFns } from "./search.js";
export {
  fnsForServer,
  groupByServer,
  type ServerSummary,
  serverFunctionSignatures,
  serverOf,
  serverSummaries,
} from "./servers.js";
export { parseToolData } from "./tool-data.js";
export { assertFnName, type ToolFn, type ToolFnContext } from "./tool-fn.js";
export type { ToolOutcome } from "./tool-outcome.js";
