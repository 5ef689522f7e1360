/** Functions grouped by the server they come from. */
import { fnSignature } from "./describe.js";
import type { ToolFn } from "./tool-fn.js";

/** A server in a list: its name, how much it has, and a few names to get an idea. */
export interface ServerSummary {
  name: string;
  description?: string;
  functionCount: number;
  sample: string[];
}

/** Group of the functions that come from no server. */
const localGroup = "local";

/** How many names a summary shows. */
const sampleSize = 5;

/** The server of a function: what it says, else what stands before `__` in its name. */
export function serverOf(fn: ToolFn): string | undefined {
  if (fn.server !== undefined && fn.server !== "") return fn.server;
  const separator = fn.name.indexOf("__");
  return separator > 0 && separator + 2 < fn.name.length ? fn.name.slice(0, separator) : undefined;
}

/** All functions by server, in the order of first appearance; those of no server under `local`. */
export function groupByServer(fns: Iterable<ToolFn>): Map<string, ToolFn[]> {
  const groups = new Map<string, ToolFn[]>();
  for (const fn of fns) {
    const server = serverOf(fn) ?? localGroup;
    const group = groups.get(server);
    if (group === undefined) groups.set(server, [fn]);
    else group.push(fn);
  }
  return groups;
}

/** The servers of a catalog, each with its size and a few names. */
export function serverSummaries(fns: Iterable<ToolFn>): ServerSummary[] {
  return [...groupByServer(fns)].map(([name, group]) => {
    const described = group.find((fn) => fn.serverDescription !== undefined && fn.serverDescription !== "");
    return {
      name,
      ...(described === undefined ? {} : { description: described.serverDescription }),
      functionCount: group.length,
      sample: group.slice(0, sampleSize).map((fn) => fn.name),
    };
  });
}

/** The functions of one server; its name in any case. Empty when there is no such server. */
export function fnsForServer(fns: Iterable<ToolFn>, server: string): ToolFn[] {
  const groups = groupByServer(fns);
  const exact = groups.get(server);
  if (exact !== undefined) return exact;
  const wanted = server.trim().toLowerCase();
  return [...groups].find(([name]) => name.toLowerCase() === wanted)?.[1] ?? [];
}

/** Signatures of one server's functions. */
export function serverFunctionSignatures(fns: Iterable<ToolFn>, server: string): string[] {
  return fnsForServer(fns, server).map(fnSignature);
}
