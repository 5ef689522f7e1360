/**
 * Reads the schema of a row. Drafts 4 to 2020-12 and OpenAPI's `nullable` are read side by side; keywords that only
 * narrow in ways that neither Zod nor TypeScript has a plain word for (`not`, `if`, `pattern`, `maxLength`, which counts
 * other characters than they do) allow everything, as JSON Schema has it for keywords that nobody reads.
 */
import { objectShape } from "../../json-schema/object-shape.js";
import { referenced } from "../../json-schema/resolve.js";
import { isJsonSchema, type JsonSchema, type JsonSchemaNode, schemaList, typeNames } from "../../json-schema/schema.js";
import { allOf, annotations, eitherOf, withNull } from "./combine.js";
import { type NumberBounds, type ObjectForm, type RowShape, rowReference, type Shape } from "./shape.js";
import { sortDefinitions } from "./sort-definitions.js";

const unknown: Shape = { kind: "unknown" };

/** The shape of a row's schema: its properties, and what they refer to by name. */
export function readRowShape(row: JsonSchema): RowShape {
  const reader = new Reader(row);
  const { properties, required } = objectShape(row, row);
  const columns = new Map(
    [...properties].map(([name, node]) => [name, { shape: reader.read(node), required: required.has(name) }]),
  );
  return sortDefinitions({ kind: "object", properties: columns }, reader.definitions);
}

class Reader {
  readonly definitions = new Map<string, Shape>();
  /** A schema that is referred to in two ways is one definition. */
  private readonly names = new Map<unknown, string>();

  constructor(private readonly root: JsonSchema) {
    this.names.set(root, rowReference);
  }

  read(node: JsonSchemaNode | undefined): Shape {
    if (node === undefined || node === true) return unknown;
    if (node === false) return { kind: "never" };
    if (!isJsonSchema(node)) return unknown;
    const { $ref, ...beside } = node;
    const parts = [
      ...(typeof $ref === "string" ? [this.reference($ref)] : []),
      this.own(beside),
      ...schemaList(node.allOf).map((part) => this.read(part)),
      ...[schemaList(node.anyOf), schemaList(node.oneOf)]
        .filter((alternatives) => alternatives.length > 0)
        .map((alternatives) => eitherOf(alternatives.map((part) => this.read(part)))),
    ];
    const whole = allOf(parts, (name) => this.definitions.get(name));
    // OpenAPI writes `nullable` beside a reference or an `allOf`, and means the whole.
    const shape = node.nullable === true ? withNull(whole) : whole;
    return {
      ...shape,
      ...annotations({
        description: typeof node.description === "string" && node.description !== "" ? node.description : undefined,
        pgType: typeof node.pgType === "string" ? node.pgType : undefined,
      }),
    };
  }

  private reference(ref: string): Shape {
    const target = this.target(ref);
    if (typeof target === "boolean") return this.read(target);
    if (!isJsonSchema(target)) return unknown;
    const known = this.names.get(target);
    if (known !== undefined) return { kind: "reference", name: known };
    this.names.set(target, ref);
    this.definitions.set(ref, this.read(target));
    return { kind: "reference", name: ref };
  }

  /** Behind names that only stand for other names. */
  private target(ref: string): unknown {
    const seen = new Set<string>();
    for (let current = ref; !seen.has(current); ) {
      seen.add(current);
      const target = referenced(current, this.root);
      if (!isJsonSchema(target) || typeof target.$ref !== "string" || Object.keys(target).length > 1) return target;
      current = target.$ref;
    }
    return undefined; // names in a circle stand for nothing
  }

  /** What the schema's own keywords say. */
  private own(schema: JsonSchema): Shape {
    const values = Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : undefined;
    if (values !== undefined) return literalShape(values);
    const names = typeNames(schema);
    if (names.length > 0) return eitherOf(names.map((name) => this.typed(name, schema)));
    if (isJsonSchema(schema.properties) || isJsonSchema(schema.additionalProperties)) return this.object(schema);
    if (schema.items !== undefined || schema.prefixItems !== undefined) return this.array(schema);
    return stringFormat(schema.format) === undefined ? unknown : this.typed("string", schema);
  }

  private typed(name: string, schema: JsonSchema): Shape {
    switch (name) {
      case "string":
        return {
          kind: "string",
          ...stringFormat(schema.format),
          ...(isCount(schema.minLength) && { minLength: schema.minLength }),
        };
      case "integer":
      case "number":
        return { kind: name, ...boundsOf(schema) };
      case "boolean":
      case "null":
        return { kind: name };
      case "array":
        return this.array(schema);
      case "object":
        return this.object(schema);
      default:
        return unknown;
    }
  }

  private object(schema: JsonSchema): Shape {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const properties: ObjectForm["properties"] = new Map(
      Object.entries(isJsonSchema(schema.properties) ? schema.properties : {})
        .filter(([name]) => name !== "__proto__") // no object literal can carry it
        .map(([name, node]) => [name, { shape: this.read(node as JsonSchemaNode), required: required.has(name) }]),
    );
    const rest = this.restOf(schema);
    return { kind: "object", properties, ...(rest !== undefined && { rest }) };
  }

  private restOf(schema: JsonSchema): Shape | undefined {
    const patterns = isJsonSchema(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
    if (patterns.length > 0) {
      const others = schema.additionalProperties === false ? [] : [this.read(schema.additionalProperties)];
      return eitherOf([...patterns.map((node) => this.read(node as JsonSchemaNode)), ...others]);
    }
    return schema.additionalProperties === false ? undefined : this.read(schema.additionalProperties);
  }

  private array(schema: JsonSchema): Shape {
    const fixed = schemaList(Array.isArray(schema.items) ? schema.items : schema.prefixItems);
    const { minItems: min, maxItems: max } = schema;
    if (fixed.length === 0) {
      const element = this.read(Array.isArray(schema.items) ? undefined : (schema.items as JsonSchemaNode | undefined));
      return { kind: "array", element, ...(isCount(min) && { min }), ...(isCount(max) && { max }) };
    }
    const further = (Array.isArray(schema.items) ? schema.additionalItems : schema.items) as JsonSchemaNode | undefined;
    const isClosed = further === false || (isCount(max) && max <= fixed.length);
    const items = fixed.slice(0, isCount(max) ? max : undefined).map((node) => this.read(node));
    return {
      kind: "tuple",
      items,
      // Authors who do not say how many there have to be mean all of them.
      required: Math.min(isCount(min) ? min : items.length, items.length),
      ...(!isClosed && { rest: this.read(further) }),
    };
  }
}

function literalShape(values: readonly unknown[]): Shape {
  const isScalar = (value: unknown) => value === null || ["string", "number", "boolean"].includes(typeof value);
  if (!values.every(isScalar)) return unknown;
  const present = [...new Set(values)].filter((value) => value !== null) as (string | number | boolean)[];
  const closed: Shape = present.length === 0 ? { kind: "never" } : { kind: "literal", values: present };
  return values.includes(null) ? eitherOf([closed, { kind: "null" }]) : closed;
}

function stringFormat(format: unknown): { format: "date-time" | "date" } | undefined {
  return format === "date-time" || format === "date" ? { format } : undefined;
}

function boundsOf(schema: JsonSchema): NumberBounds {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  // Draft 4 says by `true` that the bound itself is excluded; later drafts give the bound.
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  return {
    ...(isBound(minimum) && exclusiveMinimum !== true && { min: minimum }),
    ...(isBound(maximum) && exclusiveMaximum !== true && { max: maximum }),
    ...(isBound(above) && { above }),
    ...(isBound(below) && { below }),
  };
}

const isBound = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
