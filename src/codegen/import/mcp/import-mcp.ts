/** Tools of an MCP server as a manifest: one table an entity, one tool a verb. */
import { assembleAll, type BoundOperation } from "../assemble.js";
import type { ManifestDraft, Yaml } from "../draft.js";
import { groupOperations } from "../group.js";
import type { Skipped } from "../operation.js";
import { wordsOf } from "../words.js";
import { operationsOfTools } from "./operations.js";
import type { ToolAnswer, ToolList } from "./tools.js";

/** What an importer of tools is told beside the list. */
export interface McpImportOptions {
  /** Name of the service: prefix of the tables. */
  readonly service: string;
  /** How the server is reached, for the manifest's `connector`. */
  readonly server?: { readonly [key: string]: Yaml };
  /** Recorded answers by tool, for tools without an output schema. */
  readonly samples?: ReadonlyMap<string, readonly ToolAnswer[]>;
  /** Where the list comes from, for the comment at the top. */
  readonly source: string;
}

/** The draft of a manifest for a list of tools. */
export function importMcp(list: ToolList, options: McpImportOptions): ManifestDraft {
  const skipped: Skipped[] = [];
  const tools = list.tools.filter((tool, index) => {
    const isFirst = list.tools.findIndex((other) => other.name === tool.name) === index;
    if (!isFirst) skipped.push({ operation: tool.name, reason: "another tool of that name comes before it" });
    return isFirst;
  });
  const operations = operationsOfTools(tools, options.service, options.samples ?? new Map());
  const groups = groupOperations(operations, wordsOf(options.service));
  return {
    service: options.service,
    description: list.description ?? `Tools of the MCP server ${list.server ?? options.service}`,
    source: options.source,
    connector: { kind: "mcp", ...options.server },
    resources: assembleAll(groups, writeVerb),
    notes: [],
    skipped,
    operations: list.tools.length,
  };
}

/** A verb of the `mcp` connector. Every argument is written out: a column that no argument names is not passed. */
function writeVerb({ operation, columnOf, fields, verb }: BoundOperation) {
  const input = new Map<string, Yaml>();
  const items = new Map<string, Record<string, Yaml>>();
  for (const [parameter, column] of columnOf) {
    const value = `{${column}}`;
    if (parameter.inListOf === undefined) input.set(parameter.name, value);
    else if (parameter.inListOf.plain) input.set(parameter.inListOf.parameter, [value]);
    else {
      const item = items.get(parameter.inListOf.parameter) ?? {};
      item[parameter.name] = value;
      items.set(parameter.inListOf.parameter, item);
      input.set(parameter.inListOf.parameter, [item]);
    }
  }
  const path = operation.answer?.path ?? [];
  const isRead = verb === "select" || fields.size > 0;
  return {
    verb: {
      tool: operation.id,
      input: Object.fromEntries(input),
      ...(isRead && path.length > 0 && { rows: `$.${path.join(".")}` }),
      ...(fields.size > 0 && {
        fields: Object.fromEntries([...fields].map(([column, property]) => [column, property ?? "$"])),
      }),
    },
    notes: [],
  };
}
