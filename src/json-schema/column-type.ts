/**
 * The PostgreSQL column type of a JSON Schema property.
 *
 * Scalars get the type whose every value they can hold; whatever has structure, or more than one type that do not fit
 * together, is `jsonb`. Strings of a closed set stay `text` and carry their labels.
 */
import { resolveSchema } from "./resolve.js";
import { type JsonSchema, type JsonSchemaNode, schemaList, typeNames } from "./schema.js";

/** A property as a column: a PostgreSQL type name, whether it may be null, and what a reader should know. */
export interface ColumnType {
  type: string;
  nullable: boolean;
  labels?: string[];
  description?: string;
}

/** How many alternatives and parts are read for one column; a schema that contains itself ends here as `jsonb`. */
const maxNodes = 500;

/** What a schema says while it is read; `type` is undefined as long as nothing was said. */
interface Reading {
  type?: string;
  nullable: boolean;
  labels?: string[];
}

/**
 * Maps a property to a column.
 *
 * integer → bigint, number → double precision, boolean → boolean, string → text, its formats date-time → timestamptz and
 * date → date; strings of an enum → text with labels; arrays, objects, unions, unknown → jsonb. A type list, a union
 * with null or OpenAPI's `nullable` make the column nullable; `pgType` wins over all.
 * @param root the document that `$ref`s point into; the property itself when it stands alone
 */
export function columnTypeOf(node: JsonSchemaNode, root?: JsonSchema): ColumnType {
  const document = root ?? (typeof node === "boolean" ? {} : node);
  const reading = read(node, document, { nodes: maxNodes });
  const schema = resolveSchema(node, document);
  const column: ColumnType = { type: reading.type ?? "jsonb", nullable: reading.nullable };
  // A value that nothing is known of may be null, too.
  if (reading.type === undefined) column.nullable = true;
  if (reading.labels !== undefined && column.type === "text") column.labels = reading.labels;
  if (typeof schema.pgType === "string") column.type = schema.pgType;
  if (typeof schema.description === "string" && schema.description !== "") column.description = schema.description;
  return column;
}

function read(node: JsonSchemaNode | undefined, root: JsonSchema, budget: { nodes: number }): Reading {
  if (budget.nodes-- <= 0) return { type: "jsonb", nullable: true };
  const schema = resolveSchema(node, root);
  const readings: Reading[] = [ownReading(schema)];
  for (const part of schemaList(schema.allOf)) readings.push(read(part, root, budget));
  for (const alternatives of [schemaList(schema.anyOf), schemaList(schema.oneOf)]) {
    if (alternatives.length > 0) readings.push(eitherOf(alternatives.map((part) => read(part, root, budget))));
  }
  return allOf(readings);
}

/** What the schema's own keywords say: `type`, `enum`, `const`, `format`, `nullable`. */
function ownReading(schema: JsonSchema): Reading {
  const names = typeNames(schema);
  const values = Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : undefined;
  const nullable = schema.nullable === true || names.includes("null") || values?.includes(null) === true;
  const named = names.filter((name) => name !== "null").map((name) => ({ type: scalarType(name, schema), nullable }));
  const present = values?.filter((value) => value !== null);
  if (named.length > 0) {
    const reading = eitherOf(named);
    if (reading.type === "text" && present !== undefined) reading.labels = stringsOf(present);
    return reading;
  }
  if (present !== undefined && present.length > 0) return { ...typeOfValues(present), nullable };
  if (schema.properties !== undefined || schema.items !== undefined || schema.prefixItems !== undefined) {
    return { type: "jsonb", nullable };
  }
  const format = formatType(schema);
  return format === undefined ? { nullable } : { type: format, nullable };
}

/** Formats of strings that PostgreSQL has a type for; all others (uuid, email, uri …) stay text, as services send them. */
const stringFormats: ReadonlyMap<unknown, string> = new Map([
  ["date-time", "timestamptz"],
  ["date", "date"],
]);

function formatType(schema: JsonSchema): string | undefined {
  return stringFormats.get(schema.format);
}

function scalarType(name: string, schema: JsonSchema): string {
  switch (name) {
    case "integer":
      return "bigint";
    case "number":
      return "double precision";
    case "boolean":
      return "boolean";
    case "string":
      return formatType(schema) ?? "text";
    default:
      return "jsonb";
  }
}

function typeOfValues(values: readonly unknown[]): { type: string; labels?: string[] } {
  const labels = stringsOf(values);
  if (labels !== undefined) return { type: "text", labels };
  if (values.every((value) => Number.isInteger(value))) return { type: "bigint" };
  if (values.every((value) => typeof value === "number")) return { type: "double precision" };
  if (values.every((value) => typeof value === "boolean")) return { type: "boolean" };
  return { type: "jsonb" };
}

function stringsOf(values: readonly unknown[]): string[] | undefined {
  if (values.length === 0 || !values.every((value) => typeof value === "string")) return undefined;
  return [...new Set(values as string[])];
}

/** Types whose values JSON writes the same way, so that a union of them has a column type of its own. */
function widen(left: string, right: string): string {
  if (left === right) return left;
  const strings = ["text", "timestamptz", "date"];
  if (strings.includes(left) && strings.includes(right)) return "text";
  const numbers = ["bigint", "double precision"];
  if (numbers.includes(left) && numbers.includes(right)) return "double precision";
  return "jsonb";
}

/** One of several holds: the type that can hold each of them; labels only when all alternatives are closed sets. */
function eitherOf(readings: readonly Reading[]): Reading {
  const nullable = readings.some((reading) => reading.nullable);
  const known = readings.filter((reading) => reading.type !== undefined || !reading.nullable);
  if (known.length === 0) return { nullable };
  // An alternative that says nothing allows everything.
  if (known.some((reading) => reading.type === undefined)) return { type: "jsonb", nullable: true };
  const type = known.map((reading) => reading.type as string).reduce(widen);
  if (type !== "text" || !known.every((reading) => reading.labels !== undefined)) return { type, nullable };
  return { type, nullable, labels: [...new Set(known.flatMap((reading) => reading.labels ?? []))] };
}

/** All of several hold: the type the parts agree on; null only where every part that speaks of types allows it. */
function allOf(readings: readonly Reading[]): Reading {
  const known = readings.filter((reading) => reading.type !== undefined);
  if (known.length === 0) return { nullable: readings.some((reading) => reading.nullable) };
  // OpenAPI writes `nullable: true` beside an `allOf` of one reference, and means it.
  const declared = readings[0].type === undefined && readings[0].nullable;
  const types = [...new Set(known.map((reading) => reading.type as string))];
  const nullable = declared || known.every((reading) => reading.nullable);
  const type = types.length === 1 ? types[0] : narrow(types);
  const closed = known.filter((reading) => reading.labels !== undefined);
  if (type !== "text" || closed.length === 0) return { type, nullable };
  const labels = closed.map((reading) => reading.labels as string[]);
  return { type, nullable, labels: labels[0].filter((label) => labels.every((set) => set.includes(label))) };
}

/** Parts of an intersection: a format narrows text, an integer narrows a number. */
function narrow(types: readonly string[]): string {
  const without = (wide: string, narrower: readonly string[]) =>
    types.length === 2 && types.includes(wide) ? types.find((type) => narrower.includes(type)) : undefined;
  return without("text", ["timestamptz", "date"]) ?? without("double precision", ["bigint"]) ?? "jsonb";
}
