/** Functions as text for a reader: a one-line signature, and a description of every argument. */
import { objectShape } from "../json-schema/object-shape.js";
import { resolveSchema } from "../json-schema/resolve.js";
import type { JsonSchema } from "../json-schema/schema.js";
import { propertyText, typeText } from "../json-schema/type-text.js";
import { inputSchemaOf, type ToolFn } from "./tool-fn.js";

/** One argument of a function. */
export interface FnParam {
  name: string;
  type: string;
  required?: boolean;
  description?: string;
  /** The values it may have, when they are a closed set. */
  enum?: unknown[];
}

/** A function with all of its arguments. */
export interface FnDescription {
  name: string;
  description?: string;
  params: FnParam[];
  /** Takes arguments that are not listed. */
  open?: boolean;
  readOnlyHint?: boolean;
  /** Type of the answer, when it is known. */
  returns?: string;
}

/** A function's signature on one line, e.g. `github__list_issues({ repo: string, state?: "open" | "closed" }): { … }[]`. */
export function fnSignature(fn: ToolFn): string {
  const returns = fn.resultShape === undefined || fn.resultShape === "" ? "" : `: ${fn.resultShape}`;
  return `${fn.name}(${parametersText(fn)})${returns}`;
}

function parametersText(fn: ToolFn): string {
  const schema = inputSchemaOf(fn);
  if (schema === undefined) return "args?: object";
  const { properties, required, open } = objectShape(schema, schema);
  const members = [...properties].map(
    ([name, property]) => `${propertyText(name)}${required.has(name) ? "" : "?"}: ${typeText(property, schema)}`,
  );
  if (open && saysOpen(schema)) members.push("[key: string]: unknown");
  if (members.length === 0) return "";
  return `{ ${members.join(", ")} }`;
}

/** Does a schema ask for unlisted arguments? One that lists nothing usually belongs to a function without arguments. */
function saysOpen(schema: JsonSchema): boolean {
  return schema.additionalProperties !== undefined || schema.patternProperties !== undefined;
}

/** Everything known of a function, its required arguments first. */
export function describeFn(fn: ToolFn): FnDescription {
  const schema = inputSchemaOf(fn);
  const shape = schema === undefined ? undefined : objectShape(schema, schema);
  const params: FnParam[] = [];
  for (const [name, property] of shape?.properties ?? []) {
    const resolved = resolveSchema(property, schema ?? {});
    const param: FnParam = { name, type: typeText(property, schema ?? {}) };
    if (shape?.required.has(name)) param.required = true;
    if (typeof resolved.description === "string" && resolved.description !== "") {
      param.description = resolved.description;
    }
    if (Array.isArray(resolved.enum)) param.enum = [...resolved.enum];
    params.push(param);
  }
  params.sort((left, right) => Number(right.required === true) - Number(left.required === true));
  const description: FnDescription = { name: fn.name, params };
  if (fn.description !== undefined) description.description = fn.description;
  if (schema === undefined || (shape?.open === true && saysOpen(schema))) description.open = true;
  if (fn.readOnlyHint !== undefined) description.readOnlyHint = fn.readOnlyHint;
  if (fn.resultShape !== undefined) description.returns = fn.resultShape;
  return description;
}
