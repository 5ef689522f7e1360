/** Shapes as JSON Schema of one plain dialect, for readers that would stumble over the one that was written. */
import type { JsonSchema } from "../../json-schema/schema.js";
import { annotations } from "./combine.js";
import type { NumberBounds, RowShape, Shape } from "./shape.js";

/** What stands for a definition: a `$ref`, or a name that the reader knows. */
type Refer = (reference: string) => JsonSchema;

/** The schema of a shape. @param refer what stands for a definition */
export function shapeToJsonSchema(shape: Shape, refer: Refer): JsonSchema {
  return { ...formToJsonSchema(shape, refer), ...annotations(shape) };
}

/** The schema of a row by itself, with its definitions in `$defs`. */
export function rowToJsonSchema({ row, definitions }: RowShape): JsonSchema {
  const names = new Map([...definitions.keys()].map((reference, index) => [reference, `d${index}`]));
  const refer: Refer = (reference) => ({
    $ref: names.has(reference) ? `#/$defs/${names.get(reference)}` : "#",
  });
  return {
    ...shapeToJsonSchema(row, refer),
    $defs: Object.fromEntries(
      [...definitions].map(([reference, { shape }]) => [names.get(reference), shapeToJsonSchema(shape, refer)]),
    ),
  };
}

function formToJsonSchema(shape: Shape, refer: Refer): JsonSchema {
  const inner = (part: Shape) => shapeToJsonSchema(part, refer);
  switch (shape.kind) {
    case "unknown":
      return {};
    case "never":
      return { not: {} };
    case "null":
    case "boolean":
      return { type: shape.kind };
    case "string":
      return { type: "string", ...(shape.format !== undefined && { format: shape.format }) };
    case "integer":
    case "number":
      return { type: shape.kind, ...bounds(shape) };
    case "literal":
      return { enum: shape.values };
    case "array":
      return { type: "array", items: inner(shape.element) };
    case "tuple":
      return {
        type: "array",
        prefixItems: shape.items.map(inner),
        minItems: shape.required,
        items: shape.rest === undefined ? false : inner(shape.rest),
      };
    case "object":
      return {
        type: "object",
        properties: Object.fromEntries([...shape.properties].map(([name, property]) => [name, inner(property.shape)])),
        required: [...shape.properties].filter(([, { required }]) => required).map(([name]) => name),
        additionalProperties: shape.rest === undefined ? false : inner(shape.rest),
      };
    case "union":
      return { anyOf: shape.options.map(inner) };
    case "intersection":
      return { allOf: shape.parts.map(inner) };
    case "reference":
      return refer(shape.name);
  }
}

function bounds({ min, max, above, below }: NumberBounds): JsonSchema {
  return {
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    ...(below !== undefined && { exclusiveMaximum: below }),
  };
}
