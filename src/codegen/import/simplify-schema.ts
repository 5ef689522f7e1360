/**
 * The schema of a column as a manifest states it: references resolved, a few levels deep, and only the words that say
 * something about a column: type, format, enum, description, elements and properties. What lies deeper, contains itself or
 * is one of several shapes is left open: the column is `jsonb` either way, and what is open refuses no value.
 */
import { columnTypeOf } from "../../json-schema/column-type.js";
import { isObjectSchema, objectShape } from "../../json-schema/object-shape.js";
import { resolveSchema } from "../../json-schema/resolve.js";
import { elementOf, withoutNull } from "../../json-schema/rows-in.js";
import type { JsonSchema, JsonSchemaNode } from "../../json-schema/schema.js";
import { oneLine } from "./words.js";

/** How many levels of structure below a column are stated. */
const maxDepth = 2;

/** More properties than this say less to a reader than that it is an object. */
const maxProperties = 12;

/** The parts of a description that a manifest carries are kept whole; below a column they are dropped. */
export function simplifySchema(node: JsonSchemaNode, root: JsonSchema): JsonSchema {
  return simplify(node, root, 0, []);
}

function simplify(node: JsonSchemaNode, root: JsonSchema, depth: number, within: readonly unknown[]): JsonSchema {
  const given = resolveSchema(node, root);
  const { type, nullable, labels, description } = columnTypeOf(node, root);
  const words = description === undefined || depth > 0 ? {} : { description: oneLine(description) };
  const names = (name: string): JsonSchema["type"] => (nullable ? [name, "null"] : name);
  switch (type) {
    case "text":
      if (labels !== undefined) {
        // `enum` alone: the labels, and null where it may be.
        return { type: names("string"), enum: nullable ? [...labels, null] : labels, ...words };
      }
      return { type: names("string"), ...formatOf(given), ...words };
    case "timestamptz":
      return { type: names("string"), format: "date-time", ...words };
    case "date":
      return { type: names("string"), format: "date", ...words };
    case "bigint":
      return { type: names("integer"), ...words };
    case "double precision":
      return { type: names("number"), ...words };
    case "boolean":
      return { type: names("boolean"), ...words };
    default:
      return { ...structure(given, root, depth, within), ...words };
  }
}

/** Formats that a reader wants to know; others are of the service's own making. */
const keptFormats: readonly unknown[] = ["uuid", "email", "uri", "time", "ipv4", "ipv6", "hostname"];

function formatOf(schema: JsonSchema): JsonSchema {
  return keptFormats.includes(schema.format) ? { format: schema.format } : {};
}

function structure(given: JsonSchema, root: JsonSchema, depth: number, within: readonly unknown[]): JsonSchema {
  const schema = withoutNull(given, root);
  const nullable = schema !== given || columnTypeOf(given, root).nullable;
  const named = (name: string) => (nullable ? [name, "null"] : name);
  // Following a reference makes a new schema each time; what it lists stays the same.
  const own = schema.properties ?? schema.items ?? schema;
  if (within.includes(own)) return {}; // it contains itself
  const element = elementOf(schema, root);
  if (element !== undefined) {
    const items = depth < maxDepth ? simplify(element, root, depth + 1, [...within, own]) : {};
    return { type: named("array"), ...(Object.keys(items).length > 0 && { items }) };
  }
  if (schema.oneOf !== undefined || schema.anyOf !== undefined || !isObjectSchema(schema, root)) return {};
  const { properties, required } = objectShape(schema, root);
  if (properties.size === 0 || properties.size > maxProperties || depth >= maxDepth) return { type: named("object") };
  const inner = [...properties].map(([name, property]) => {
    return [name, simplify(property, root, depth + 1, [...within, own])] as const;
  });
  const needed = [...required].filter((name) => properties.has(name));
  return {
    type: named("object"),
    ...(needed.length > 0 && { required: needed }),
    properties: Object.fromEntries(inner),
  };
}
