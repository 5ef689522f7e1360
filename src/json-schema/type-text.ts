/** A schema printed as a TypeScript-like type on one line, for signatures that a model reads. */
import { objectShape } from "./object-shape.js";
import { resolveSchema } from "./resolve.js";
import { type JsonSchema, type JsonSchemaNode, schemaList, typeNames } from "./schema.js";

/** Limits that keep a signature on a line: deeper structure prints as `object`, more members as `…`. */
export interface TypeTextLimits {
  depth: number;
  members: number;
}

const defaultLimits: TypeTextLimits = { depth: 3, members: 16 };

/** How many schemas are printed for one type; alternatives that contain themselves end here. */
const maxNodes = 500;

/** What every step of one print needs to know. */
interface Printing {
  readonly root: JsonSchema;
  readonly limits: TypeTextLimits;
  left: number;
}

/** The type of a schema, e.g. `{ repo: string, state?: "open" | "closed" }[]`; `unknown` when it says nothing. */
export function typeText(node: JsonSchemaNode | undefined, root: JsonSchema, limits = defaultLimits): string {
  return print(node, { root, limits, left: maxNodes }, limits.depth);
}

/** A property name as it is written in a type: bare when it is an identifier, quoted otherwise. */
export function propertyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Members joined by `|`, each once, cut after `limit`. */
function union(members: readonly string[], limit: number): string {
  const distinct = [...new Set(members)];
  if (distinct.includes("unknown")) return "unknown";
  return distinct.length > limit ? `${distinct.slice(0, limit).join(" | ")} | …` : distinct.join(" | ");
}

function print(node: JsonSchemaNode | undefined, printing: Printing, depth: number): string {
  if (node === false) return "never";
  if (printing.left-- <= 0) return "unknown";
  const schema = resolveSchema(node, printing.root);
  const text = withoutNull(schema, printing, depth);
  return schema.nullable === true && text !== "unknown" ? union([text, "null"], printing.limits.members) : text;
}

function withoutNull(schema: JsonSchema, printing: Printing, depth: number): string {
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literalText), printing.limits.members);
  if ("const" in schema) return literalText(schema.const);
  const alternatives = [...schemaList(schema.anyOf), ...schemaList(schema.oneOf)];
  const types = typeNames(schema);
  if (alternatives.length > 0 && (types.length === 0 || !types.includes("object"))) {
    return union(
      alternatives.slice(0, 2 * printing.limits.members).map((part) => print(part, printing, depth)),
      printing.limits.members,
    );
  }
  const parts = schemaList(schema.allOf);
  if (types.length === 0) {
    if (
      schema.properties !== undefined ||
      (parts.length > 0 && objectShape(schema, printing.root).properties.size > 0)
    ) {
      return objectText(schema, printing, depth);
    }
    if (schema.items !== undefined || schema.prefixItems !== undefined) return arrayText(schema, printing, depth);
    if (parts.length > 0) {
      const said = parts.map((part) => print(part, printing, depth)).filter((text) => text !== "unknown");
      return said.length > 0 ? [...new Set(said)].join(" & ") : "unknown";
    }
    return "unknown";
  }
  return union(
    types.map((name) => {
      if (name === "integer") return "number";
      if (name === "object") return objectText(schema, printing, depth);
      return name === "array" ? arrayText(schema, printing, depth) : name;
    }),
    printing.limits.members,
  );
}

function literalText(value: unknown): string {
  const text = JSON.stringify(value);
  return text === undefined ? "unknown" : text;
}

function objectText(schema: JsonSchema, printing: Printing, depth: number): string {
  const { properties, required } = objectShape(schema, printing.root);
  if (properties.size === 0 || depth <= 0) return "object";
  const members = [...properties]
    .slice(0, printing.limits.members)
    .map(
      ([name, property]) =>
        `${propertyText(name)}${required.has(name) ? "" : "?"}: ${print(property, printing, depth - 1)}`,
    );
  if (properties.size > printing.limits.members) members.push("…");
  return `{ ${members.join(", ")} }`;
}

function arrayText(schema: JsonSchema, printing: Printing, depth: number): string {
  if (depth <= 0) return "unknown[]";
  const fixed = schemaList(Array.isArray(schema.items) ? schema.items : schema.prefixItems);
  if (fixed.length > 0) return `[${fixed.map((item) => print(item, printing, depth - 1)).join(", ")}]`;
  if (schema.items === undefined) return "unknown[]";
  const element = print(schema.items as JsonSchemaNode, printing, depth - 1);
  return isCompound(element) ? `(${element})[]` : `${element}[]`;
}

/** Has the type a `|` or `&` outside of braces and quotes? Then it needs parentheses before `[]`. */
function isCompound(text: string): boolean {
  let nesting = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quoted) {
      if (char === "\\") i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[" || char === "(") nesting++;
    else if (char === "}" || char === "]" || char === ")") nesting--;
    else if (nesting === 0 && (char === "|" || char === "&")) return true;
  }
  return false;
}
