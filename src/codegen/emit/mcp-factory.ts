/** Emits the factory of a resource whose verbs are tools of an MCP server. */
import type { McpResourceDefinition } from "../../resources/connectors/mcp.js";
import { commonDefinition, factoryComment } from "./definition.js";
import type { Factory, ResourceSource } from "./resource.js";
import { commentText, fieldLines, literalText } from "./text.js";

export function mcpFactory(
  { manifest, resource, names }: ResourceSource,
  verbs: McpResourceDefinition["verbs"],
): Factory {
  const definition = { ...commonDefinition(manifest, resource), verbs };
  const server = commentText(manifest.service);
  return {
    imports: ['import { defineMcpResource, type McpToolCaller, type ResourceTable } from "glove-scratchpad";'],
    text: `${factoryComment(resource, `@param options.connection the MCP server "${server}"; it stays the caller's to close`)}export function ${names.factory}(options: { connection: McpToolCaller }): ResourceTable {
  return defineMcpResource(
    {
${fieldLines(definition, 6)}    },
    ${names.schema},
    ${literalText(resource.keys)},
    options.connection,
  );
}
`,
  };
}
