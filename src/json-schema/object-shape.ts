/**
 * The properties of a schema that describes an object, whatever it is made of: its own `properties`, those of every part
 * of `allOf`, and those of the alternatives of `anyOf` / `oneOf` (required only when every alternative requires them).
 */
import { resolveSchema } from "./resolve.js";
import { isJsonSchema, type JsonSchema, type JsonSchemaNode, schemaList, typeNames } from "./schema.js";

/** What is known of an object's properties, in the order the schema names them. */
export interface ObjectShape {
  readonly properties: ReadonlyMap<string, JsonSchemaNode>;
  readonly required: ReadonlySet<string>;
  /** May the object have properties that are not listed? */
  readonly open: boolean;
}

/** How many parts and alternatives are read for one object; a schema that contains itself ends here. */
const maxNodes = 500;

/**
 * Reads the properties of an object schema.
 *
 * `open` follows what authors mean rather than JSON Schema's default: a schema that lists properties and says nothing
 * about others is closed, because an argument that no one reads is a typing error that would be ignored in silence.
 */
export function objectShape(node: JsonSchemaNode | undefined, root: JsonSchema): ObjectShape {
  return shapeOf(node, root, { nodes: maxNodes });
}

/** Does the schema describe an object (and nothing else but null)? */
export function isObjectSchema(node: JsonSchemaNode | undefined, root: JsonSchema): boolean {
  const schema = resolveSchema(node, root);
  const types = typeNames(schema).filter((name) => name !== "null");
  if (types.length > 0) return types.every((name) => name === "object");
  if (isJsonSchema(schema.properties)) return true;
  return schemaList(schema.allOf).some((part) => isJsonSchema(part) && part !== node && hasProperties(part, root));
}

function hasProperties(part: JsonSchema, root: JsonSchema): boolean {
  const schema = resolveSchema(part, root);
  return typeNames(schema).includes("object") || isJsonSchema(schema.properties);
}

function shapeOf(node: JsonSchemaNode | undefined, root: JsonSchema, budget: { nodes: number }): ObjectShape {
  const schema = resolveSchema(node, root);
  const properties = new Map<string, JsonSchemaNode>();
  const required = new Set(
    Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [],
  );
  if (isJsonSchema(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      if (typeof property === "boolean" || isJsonSchema(property)) properties.set(name, property as JsonSchemaNode);
    }
  }
  let closedByPart = false;
  if (budget.nodes-- > 0) {
    for (const part of schemaList(schema.allOf)) {
      const shape = shapeOf(part, root, budget);
      for (const [name, property] of shape.properties) if (!properties.has(name)) properties.set(name, property);
      for (const name of shape.required) required.add(name);
      closedByPart ||= shape.properties.size > 0 && !shape.open;
    }
    for (const alternatives of [schemaList(schema.anyOf), schemaList(schema.oneOf)]) {
      const shapes = alternatives.map((part) => shapeOf(part, root, budget));
      for (const shape of shapes) {
        for (const [name, property] of shape.properties) if (!properties.has(name)) properties.set(name, property);
      }
      for (const name of shapes[0]?.required ?? []) {
        if (shapes.every((shape) => shape.required.has(name))) required.add(name);
      }
    }
  }
  return { properties, required, open: isOpen(schema, properties.size, closedByPart) };
}

function isOpen(schema: JsonSchema, listed: number, closedByPart: boolean): boolean {
  const rest = schema.additionalProperties;
  if (rest === true || isJsonSchema(rest)) return true;
  if (rest === false) return isJsonSchema(schema.patternProperties);
  return isJsonSchema(schema.patternProperties) || (listed === 0 && !closedByPart);
}
