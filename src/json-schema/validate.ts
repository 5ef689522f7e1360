/**
 * A small check of a value against a schema, for arguments that would otherwise reach a handler unchecked.
 * It reads types, closed sets, properties, elements, bounds and combinations; keywords it does not read allow everything.
 */
import { objectShape } from "./object-shape.js";
import { resolveSchema } from "./resolve.js";
import { isJsonSchema, type JsonSchema, type JsonSchemaNode, ownSchema, schemaList, typeNames } from "./schema.js";

/** How many checks are made for one value; the rest passes, so that a schema that contains itself ends. */
const maxChecks = 20_000;

/** How deep a value or a schema is followed; what lies deeper passes. */
const maxDepth = 64;

/** What every step of one check needs to know. */
interface Checking {
  readonly root: JsonSchema;
  left: number;
  depth: number;
}

/**
 * What is wrong with a value, each with its path (`filter.state must be one of "open", "closed"`); empty when nothing is.
 * @param path how messages call the value itself
 */
export function problemsOf(value: unknown, node: JsonSchemaNode, root: JsonSchema, path = "value"): string[] {
  return check(value, node, { root, left: maxChecks, depth: 0 }, path);
}

function check(value: unknown, node: JsonSchemaNode, checking: Checking, path: string): string[] {
  if (node === false) return [`${path} is not allowed`];
  if (node === true || checking.left-- <= 0 || checking.depth >= maxDepth) return [];
  const schema = resolveSchema(node, checking.root);
  if (value === null && schema.nullable === true) return [];
  const types = typeNames(schema);
  if (types.length > 0 && !types.some((name) => isOfType(value, name))) {
    return [`${path} must be ${types.map(withArticle).join(" or ")}, not ${describe(value)}`];
  }
  checking.depth++;
  const problems = [
    ...checkValues(value, schema, path),
    ...checkBounds(value, schema, path),
    ...checkProperties(value, schema, checking, path),
    ...checkElements(value, schema, checking, path),
    ...checkCombinations(value, schema, checking, path),
  ];
  checking.depth--;
  return problems;
}

function isOfType(value: unknown, name: string): boolean {
  switch (name) {
    case "null":
      return value === null;
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number" || typeof value === "bigint";
    case "integer":
      return typeof value === "bigint" || Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonSchema(value);
    default:
      return true;
  }
}

function checkValues(value: unknown, schema: JsonSchema, path: string): string[] {
  const allowed = Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : undefined;
  if (allowed === undefined || allowed.some((candidate) => isSame(candidate, value))) return [];
  const listed = allowed.map((candidate) => JSON.stringify(candidate)).join(", ");
  return [`${path} must be ${allowed.length === 1 ? "" : "one of "}${listed}, not ${describe(value)}`];
}

function checkBounds(value: unknown, schema: JsonSchema, path: string): string[] {
  const problems: string[] = [];
  const check = (size: number | bigint, least: unknown, most: unknown, unit: string) => {
    if (typeof least === "number" && size < least) problems.push(`${path} must be at least ${least}${unit}`);
    if (typeof most === "number" && size > most) problems.push(`${path} must be at most ${most}${unit}`);
  };
  if (typeof value === "number" || typeof value === "bigint") check(value, schema.minimum, schema.maximum, "");
  if (typeof value === "string") check([...value].length, schema.minLength, schema.maxLength, " characters long");
  if (Array.isArray(value)) check(value.length, schema.minItems, schema.maxItems, " elements long");
  return problems;
}

function checkProperties(value: unknown, schema: JsonSchema, checking: Checking, path: string): string[] {
  if (!isJsonSchema(value)) return [];
  const problems: string[] = [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const name of required) {
    if (typeof name === "string" && (!Object.hasOwn(value, name) || value[name] === undefined)) {
      problems.push(`${member(path, name)} is required`);
    }
  }
  const rest = schema.additionalProperties;
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const property = ownSchema(schema.properties, name);
    if (property !== undefined) problems.push(...check(item, property, checking, member(path, name)));
    else if (isJsonSchema(rest)) problems.push(...check(item, rest, checking, member(path, name)));
    else if (rest === false && !objectShape(schema, checking.root).open && !isJsonSchema(schema.patternProperties)) {
      problems.push(`${member(path, name)} is not a known property`);
    }
  }
  return problems;
}

function checkElements(value: unknown, schema: JsonSchema, checking: Checking, path: string): string[] {
  if (!Array.isArray(value)) return [];
  const first = Array.isArray(schema.items) ? schema.items : schema.prefixItems;
  const prefix = schemaList(first);
  const rest = Array.isArray(schema.items) ? undefined : (schema.items as JsonSchemaNode | undefined);
  return value.flatMap((item, index) => {
    const element = prefix[index] ?? rest;
    return element === undefined ? [] : check(item, element, checking, `${path}[${index}]`);
  });
}

function checkCombinations(value: unknown, schema: JsonSchema, checking: Checking, path: string): string[] {
  const problems = schemaList(schema.allOf).flatMap((part) => check(value, part, checking, path));
  for (const alternatives of [schemaList(schema.anyOf), schemaList(schema.oneOf)]) {
    if (alternatives.length === 0) continue;
    const tried = alternatives.map((part) => check(value, part, checking, path));
    if (tried.some((result) => result.length === 0)) continue;
    // The alternative that got furthest is usually the one that was meant.
    problems.push(tried.reduce((best, next) => (next.length < best.length ? next : best)).join(", or "));
  }
  return problems;
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  return JSON.stringify(left) === JSON.stringify(right);
}

const member = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

function withArticle(name: string): string {
  if (name === "null") return name;
  return name === "integer" || name === "array" || name === "object" ? `an ${name}` : `a ${name}`;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
