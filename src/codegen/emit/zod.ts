/** A JSON Schema as the source text of a Zod schema. */
import { type JsonSchema, type JsonSchemaNode, typeNames } from "../../json-schema/schema.js";

/** The text of `z.object({ … })` for a row; properties that are not required are optional. */
export function zodObjectText(row: JsonSchema): string {
  const required = new Set(row.required ?? []);
  const fields = Object.entries(row.properties ?? {}).map(([name, schema]) => {
    const text = zodText(schema);
    return `${JSON.stringify(name)}: ${required.has(name) ? text : `${text}.optional()`}`;
  });
  return `z.object({ ${fields.join(", ")} })`;
}

/** The text of a schema for one value; what has no Zod word is `z.unknown()`. */
function zodText(node: JsonSchemaNode): string {
  if (typeof node === "boolean") return "z.unknown()";
  const described = node.description === undefined ? "" : `.describe(${JSON.stringify(node.description)})`;
  const names = typeNames(node);
  const nullable = names.includes("null") || node.nullable === true ? ".nullable()" : "";
  return `${valueText(
    node,
    names.filter((name) => name !== "null"),
  )}${nullable}${described}`;
}

function valueText(schema: JsonSchema, names: readonly string[]): string {
  const values = schema.enum?.filter((value) => value !== null);
  if (values !== undefined && values.length > 0) {
    if (values.every((value) => typeof value === "string")) return `z.enum(${JSON.stringify(values)})`;
    return `z.literal(${JSON.stringify(values)})`;
  }
  if (names.length !== 1) return "z.unknown()";
  switch (names[0]) {
    case "string":
      if (schema.format === "date-time") return "z.iso.datetime({ offset: true })";
      if (schema.format === "date") return "z.iso.date()";
      return "z.string()";
    case "integer":
      return "z.int()";
    case "number":
      return "z.number()";
    case "boolean":
      return "z.boolean()";
    case "array":
      return `z.array(${schema.items === undefined || Array.isArray(schema.items) ? "z.unknown()" : zodText(schema.items as JsonSchemaNode)})`;
    case "object":
      return schema.properties === undefined ? "z.record(z.string(), z.unknown())" : zodObjectText(schema);
    default:
      return "z.unknown()";
  }
}
