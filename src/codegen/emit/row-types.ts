/**
 * Shapes as TypeScript types, by json-schema-to-typescript. It is given one definition at a time, in the dialect that it
 * reads without fault: references are names, tuples are lists of items with their numbers, and texts are fit for comments.
 */

import { optionalPeer } from "../peers.js";
import type { RowShape, Shape } from "../schema/shape.js";
import type { ResourceNames } from "./names.js";
import { commentText, scalarText, sentence } from "./text.js";

type SchemaToTypeScript = typeof import("json-schema-to-typescript");
type Schema = Parameters<SchemaToTypeScript["compile"]>[0];

/** The name that the library gets, for it changes names that it does not like; ours is put in its place. */
const placeholder = "Placeholder";

/** The interface of a row and the types that it refers to. @param description of the row, for its comment */
export async function typeDeclarations(
  { row, definitions }: RowShape,
  names: ResourceNames,
  description: string,
): Promise<string> {
  const declared: string[] = [];
  for (const [reference, { shape }] of definitions)
    declared.push(await declaration(shape, names.definitions.get(reference) as string, names));
  declared.unshift(await declaration({ ...row, kind: "object", description }, names.row, names));
  return declared.join("\n");
}

async function declaration(shape: Shape, name: string, names: ResourceNames): Promise<string> {
  const { compile } = await optionalPeer<SchemaToTypeScript>(
    "json-schema-to-typescript",
    () => import("json-schema-to-typescript"),
  );
  const schema = typeSchema(shape, names);
  const text = await compile(schema, placeholder, {
    bannerComment: "",
    format: false,
    ignoreMinAndMaxItems: false,
  });
  const declared = new RegExp(`^export (interface|type) ${placeholder}\\b`, "m");
  return `${withOwnNames(text)
    .trim()
    .replace(declared, (_, kind: string) => `export ${kind} ${name}`)}\n`;
}

/** The library calls methods of the schemas that it is given: a property called `hasOwnProperty` would stand in for one. */
const methods = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== "__proto__");

function heldName(name: string): string {
  return methods.includes(name) ? `${placeholder}_${methods.indexOf(name)}_` : name;
}

function withOwnNames(text: string): string {
  return text.replaceAll(new RegExp(`\\b${placeholder}_(\\d+)_`, "g"), (_, index: string) => methods[Number(index)]);
}

/** The schema that the library is given for a shape. */
function typeSchema(shape: Shape, names: ResourceNames): Schema {
  const description =
    shape.description === undefined ? {} : { description: commentText(sentence(shape.description)).trim() };
  return { ...formSchema(shape, names), ...description };
}

function formSchema(shape: Shape, names: ResourceNames): Schema {
  const inner = (part: Shape) => typeSchema(part, names);
  switch (shape.kind) {
    case "unknown":
    case "never":
      return { tsType: shape.kind };
    case "null":
    case "boolean":
    case "string":
    case "integer":
    case "number":
      return { type: shape.kind };
    case "literal":
      return { tsType: shape.values.map(scalarText).join(" | ") };
    case "array":
      return { type: "array", items: inner(shape.element) };
    case "tuple":
      return {
        type: "array",
        items: shape.items.map(inner),
        minItems: shape.required,
        ...(shape.rest === undefined
          ? { maxItems: shape.items.length, additionalItems: false }
          : { additionalItems: inner(shape.rest) }),
      };
    case "object":
      return {
        type: "object",
        properties: Object.fromEntries(
          [...shape.properties].map(([name, property]) => [heldName(name), inner(property.shape)]),
        ),
        required: [...shape.properties].filter(([, { required }]) => required).map(([name]) => heldName(name)),
        additionalProperties:
          shape.rest === undefined ? false : shape.rest.kind === "unknown" ? true : inner(shape.rest),
      };
    case "union":
      return { anyOf: shape.options.map(inner) };
    case "intersection":
      return { allOf: shape.parts.map(inner) };
    case "reference":
      return { tsType: names.definitions.get(shape.name) as string };
  }
}
