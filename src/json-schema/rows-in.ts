/** Where the rows are in an answer that a schema describes. */
import { isObjectSchema, objectShape } from "./object-shape.js";
import { resolveSchema } from "./resolve.js";
import { type JsonSchema, type JsonSchemaNode, schemaList, typeNames } from "./schema.js";

/** The rows of an answer: the properties that lead to them, and the schema of one. */
export interface RowsIn {
  readonly path: readonly string[];
  readonly row: JsonSchemaNode;
}

/**
 * The one list of objects in an answer: the answer itself, one property, or that inside the only object there is.
 * `undefined` when there are several lists, because neither is more the rows than the other.
 */
export function rowsIn(node: JsonSchemaNode, root: JsonSchema): RowsIn | undefined {
  return search(node, root, 0);
}

function search(node: JsonSchemaNode, root: JsonSchema, depth: number): RowsIn | undefined {
  const row = objectElement(node, root);
  if (row !== undefined) return { path: [], row };
  if (!isObjectSchema(node, root)) return undefined;
  const { properties } = objectShape(node, root);
  const lists = [...properties].flatMap(([name, property]) => {
    const element = objectElement(property, root);
    return element === undefined ? [] : [{ path: [name], row: element }];
  });
  if (lists.length === 1) return lists[0];
  if (lists.length > 1 || properties.size !== 1 || depth > 0) return undefined;
  const [[name, inner]] = properties;
  const within = search(inner, root, depth + 1);
  return within === undefined ? undefined : { path: [name, ...within.path], row: within.row };
}

/** Schema of the elements, when the node is an array of objects that have properties. */
export function objectElement(node: JsonSchemaNode, root: JsonSchema): JsonSchemaNode | undefined {
  const element = elementOf(node, root);
  if (element === undefined) return undefined;
  return isObjectSchema(element, root) && objectShape(element, root).properties.size > 0 ? element : undefined;
}

/** Schema of the elements, when the node is an array (or null) of elements of one schema. */
export function elementOf(node: JsonSchemaNode, root: JsonSchema): JsonSchemaNode | undefined {
  const schema = withoutNull(resolveSchema(node, root), root);
  const types = typeNames(schema).filter((name) => name !== "null");
  if (types.length !== 1 || types[0] !== "array" || schema.items === undefined || Array.isArray(schema.items)) {
    return undefined;
  }
  return schema.items as JsonSchemaNode;
}

/** `anyOf: [X, null]` reads as X. */
export function withoutNull(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const alternatives = [...schemaList(schema.anyOf), ...schemaList(schema.oneOf)];
  if (alternatives.length === 0) return schema;
  const rest = alternatives
    .map((part) => resolveSchema(part, root))
    .filter((part) => !(typeNames(part).length === 1 && typeNames(part)[0] === "null"));
  return rest.length === 1 ? rest[0] : schema;
}
