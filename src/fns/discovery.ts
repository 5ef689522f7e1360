/**
 * Names under which a REPL offers discovery to the programs that run in it, and how their one argument is read. Each has
 * a short name for programs and an alias that equals the name of the agent's tool for the same purpose.
 */

/** The four questions of discovery: search, list servers, list functions, describe one. */
export type DiscoveryKind = "search" | "servers" | "functions" | "describe";

/** The property under which a discovery function takes its argument. */
export type DiscoveryKey = "query" | "server" | "name";

/** One discovery function. */
export interface DiscoveryBuiltin {
  short: string;
  alias: string;
  kind: DiscoveryKind;
  argKey?: DiscoveryKey;
}

/** The discovery functions every REPL offers. */
export const DISCOVERY_BUILTINS: readonly DiscoveryBuiltin[] = [
  { short: "search", alias: "search_functions", kind: "search", argKey: "query" },
  { short: "servers", alias: "list_servers", kind: "servers" },
  { short: "fns", alias: "list_functions", kind: "functions", argKey: "server" },
  { short: "describe", alias: "describe_function", kind: "describe", argKey: "name" },
];

/** All names that discovery takes, short ones and aliases: no other function may have them. */
export const DISCOVERY_BUILTIN_NAMES: readonly string[] = DISCOVERY_BUILTINS.flatMap(({ short, alias }) => [
  short,
  alias,
]);

/**
 * The text a discovery function was called with: a bare string, `{ [argKey]: text }`, or an object whose only property
 * is text under another name. Empty when there is none.
 */
export function discoveryArg(raw: unknown, argKey: DiscoveryKey): string {
  if (typeof raw === "string") return raw;
  if (typeof raw === "number" || typeof raw === "boolean") return String(raw);
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return "";
  const named = Object.hasOwn(raw, argKey) ? (raw as Record<string, unknown>)[argKey] : undefined;
  if (named !== undefined && named !== null) return typeof named === "object" ? "" : String(named);
  const values = Object.values(raw);
  return values.length === 1 && typeof values[0] === "string" ? values[0] : "";
}

/** Was a discovery function called with an argument at all? */
export function hasDiscoveryArg(raw: unknown, argKey: DiscoveryKey): boolean {
  return discoveryArg(raw, argKey) !== "";
}
