/** Emits one resource: the row's interface, its Zod schema, and the factory that makes the table on a connection. */
import type { ResourceModel, ServiceManifest } from "../manifest/model.js";
import { optionalPeer } from "../peers.js";
import { camelCase, header, pascalCase } from "./names.js";
import { zodObjectText } from "./zod.js";

type SchemaToTypeScript = typeof import("json-schema-to-typescript");

/** The text of one resource's module, not formatted yet. */
export async function emitResource(manifest: ServiceManifest, resource: ResourceModel): Promise<string> {
  const rowType = `${pascalCase(resource.table)}Row`;
  const schemaName = `${camelCase(resource.table)}Schema`;
  const factory = camelCase(resource.table);
  const definition = {
    name: resource.table,
    description: resource.description,
    volatility: resource.volatility,
    ...(resource.primaryKey.length > 0 && { primaryKey: resource.primaryKey }),
    verbs: resource.verbs.verbs,
  };
  return `${header(manifest.file)}
import { defineMcpResource, type McpToolCaller, type ResourceTable } from "glove-scratchpad";
import { z } from "zod";

${await rowInterface(resource, rowType)}
/** Schema of {@link ${rowType}}. */
export const ${schemaName} = ${zodObjectText(resource.row)};

/**
 * ${docText(resource.description)}
 *
 * Table \`${resource.table}\`: ${Object.keys(resource.verbs.verbs).join(", ")}.
 * @param options.connection the MCP server "${manifest.service}"; it stays the caller's to close
 */
export function ${factory}(options: { connection: McpToolCaller }): ResourceTable {
  return defineMcpResource(${JSON.stringify(definition, null, 2)}, ${schemaName}, ${JSON.stringify(resource.keys)}, options.connection);
}
`;
}

async function rowInterface(resource: ResourceModel, name: string): Promise<string> {
  const { compile } = await optionalPeer<SchemaToTypeScript>(
    "json-schema-to-typescript",
    () => import("json-schema-to-typescript"),
  );
  const schema = {
    additionalProperties: false,
    ...resource.row,
    description: `A row of \`${resource.table}\`. ${resource.description}.`,
  };
  return compile(schema as Parameters<typeof compile>[0], name, {
    bannerComment: "",
    format: false,
    declareExternallyReferenced: true,
  });
}

/** Text inside a doc comment cannot end it. */
function docText(text: string): string {
  return text.replaceAll("*/", "*\\/");
}
