/** The manifest's format as JSON Schema, for editors: published as `glove-scratchpad/manifest.schema.json`. */
import { toJSONSchema, z } from "zod";
import { serviceFormats, systemFormat } from "./format/manifest.js";

/** The text of `manifest.schema.json`. */
export function manifestSchemaText(): string {
  const format = z.union([serviceFormats.http, serviceFormats.mcp, serviceFormats.module, systemFormat]);
  const schema = {
    title: "Manifest of glove-scratchpad",
    description: "A service whose entities become tables; compiled by glove-gen",
    ...toJSONSchema(format, { io: "input" }),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
