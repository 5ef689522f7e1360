/** Emits the factory of a resource whose verbs are tools of an MCP server. */
import type { McpResourceDefinition } from "../../resources/connectors/mcp.js";
import { commonDefinition, factoryComment } from "./definition.js";
import type { Factory, ResourceSource } from "./resource.js";
import { commentText, fieldLines, literalText } from "./text.js";

export function mcpFactory(source: ResourceSource, verbs: McpResourceDefinition["verbs"]): Factory {
  const { manifest, resource, names } = source;
  const definition = { ...commonDefinition(manifest, resource), verbs };
  const server = commentText(manifest.service);
  return {
    imports: { "glove-scratchpad": ["defineMcpResource", "type McpToolCaller"] },
    comment: factoryComment(
      source,
      `@param options.connection the MCP server "${server}"; it stays the caller's to close`,
    ),
    parameters: "options: { connection: McpToolCaller }",
    body: `defineMcpResource(
      {
${fieldLines(definition, 8)}      },
      ${names.schema},
      ${literalText(resource.keys)},
      options.connection,
    )`,
  };
}
