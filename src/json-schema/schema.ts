/**
 * The part of JSON Schema that the program reads: enough to type columns, print signatures and check arguments.
 * Keywords that are not named here are kept and ignored, so a schema may be passed on unchanged.
 */

/** A schema in object form. Drafts 4 to 2020-12 and OpenAPI's `nullable` are read side by side. */
export interface JsonSchema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, JsonSchemaNode>>;
  required?: readonly string[];
  additionalProperties?: JsonSchemaNode;
  patternProperties?: Readonly<Record<string, JsonSchemaNode>>;
  /** One schema for all elements; an array of schemas in drafts before 2020-12. */
  items?: JsonSchemaNode | readonly JsonSchemaNode[];
  prefixItems?: readonly JsonSchemaNode[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchemaNode[];
  oneOf?: readonly JsonSchemaNode[];
  allOf?: readonly JsonSchemaNode[];
  $ref?: string;
  $defs?: Readonly<Record<string, JsonSchemaNode>>;
  definitions?: Readonly<Record<string, JsonSchemaNode>>;
  format?: string;
  title?: string;
  description?: string;
  default?: unknown;
  nullable?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  /** Our own keyword: the PostgreSQL type to use, whatever the rest says (`.meta({ pgType })` in Zod). */
  pgType?: string;
  readonly [keyword: string]: unknown;
}

/** A schema wherever one may stand: `true` allows everything, `false` nothing. */
export type JsonSchemaNode = JsonSchema | boolean;

/** Is this a plain object that can be read as a schema? */
export function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Own property of a schema map; a key such as `constructor` never reaches the prototype. */
export function ownSchema(
  map: Readonly<Record<string, JsonSchemaNode>> | undefined,
  key: string,
): JsonSchemaNode | undefined {
  return isJsonSchema(map) && Object.hasOwn(map, key) ? (map as Record<string, JsonSchemaNode>)[key] : undefined;
}

/** The list of schemas under a keyword; anything malformed counts as an empty list. */
export function schemaList(value: unknown): readonly JsonSchemaNode[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is JsonSchemaNode => typeof item === "boolean" || isJsonSchema(item));
}

/** The names under `type`, as a list; empty when the schema does not say. */
export function typeNames(schema: JsonSchema): readonly string[] {
  if (typeof schema.type === "string") return [schema.type];
  return Array.isArray(schema.type) ? schema.type.filter((name) => typeof name === "string") : [];
}
