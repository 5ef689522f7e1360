/** Checks the schema of a row: that it has columns, that references lead somewhere, that its types are there. */
import { resolveColumnType } from "../../../catalog/type-name.js";
import { closest } from "../../../errors/did-you-mean.js";
import { SqlError } from "../../../errors/sql-error.js";
import { parseTypeName } from "../../../grammar/parse.js";
import { objectShape } from "../../../json-schema/object-shape.js";
import { referenced, resolveSchema } from "../../../json-schema/resolve.js";
import { isJsonSchema, type JsonSchema, typeNames } from "../../../json-schema/schema.js";
import { sqlName } from "../../../resources/sql-names.js";
import type { Path, Report } from "../source.js";

const typeWords = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** @returns the names of the columns; none when there is no telling */
export function checkRow(row: JsonSchema, path: Path, report: Report): string[] {
  walkSchemas(row, path, (schema, place) => checkSchema(schema, place, row, report));
  const whole = resolveSchema(row, row);
  const types = typeNames(whole);
  const { properties } = objectShape(row, row);
  if ((types.length > 0 && !types.includes("object")) || properties.size === 0) {
    report(path, "row must be an object with properties: they are the columns", {
      hint: "Write { type: object, properties: { name: { type: string } } }.",
    });
    return [];
  }
  for (const name of properties.keys()) checkColumnName(name, [...path, "properties", name], report);
  for (const [name, property] of properties) {
    const { pgType } = resolveSchema(property, row);
    if (pgType !== undefined) checkType(String(pgType), [...path, "properties", name, "pgType"], report);
  }
  return [...properties.keys()];
}

/** @param type a PostgreSQL spelling of a type */
export function checkType(type: string, path: Path, report: Report): void {
  try {
    resolveColumnType(parseTypeName(type));
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    report(path, `"${type}" is not a PostgreSQL type: ${error.message}`);
  }
}

function checkColumnName(name: string, path: Path, report: Report): void {
  const bytes = new TextEncoder().encode(name).length;
  const problem =
    name === ""
      ? "a column needs a name"
      : name.includes("\0")
        ? "a column's name can't contain a NUL character"
        : name === "__proto__"
          ? 'no row can have a column "__proto__"'
          : bytes > 63
            ? `the column's name has ${bytes} bytes; SQL takes 63`
            : undefined;
  if (problem === undefined) return;
  const better = name === "" ? "value" : name === "__proto__" ? "proto" : sqlName(name);
  report(path, problem, {
    hint: `Call it ${better} and say in the verb's fields how the service calls it.`,
    key: true,
  });
}

function checkSchema(schema: JsonSchema, path: Path, root: JsonSchema, report: Report): void {
  if (typeof schema.$ref === "string") checkReference(schema.$ref, [...path, "$ref"], root, report);
  const names = typeof schema.type === "string" ? [schema.type] : Array.isArray(schema.type) ? schema.type : [];
  for (const name of names) {
    if (typeWords.includes(String(name))) continue;
    const meant = synonyms[String(name).toLowerCase()] ?? closest(String(name), typeWords);
    report([...path, "type"], `JSON Schema has no type ${JSON.stringify(name)}`, {
      hint: meant === undefined ? `Possible: ${typeWords.join(", ")}.` : `Perhaps you meant "${meant}".`,
    });
  }
  if (Array.isArray(schema.enum) && schema.enum.length === 0)
    report([...path, "enum"], "an enum without values allows nothing", { hint: "List the values, or leave enum out." });
  checkRequired(schema, path, root, report);
}

const synonyms: Readonly<Record<string, string>> = {
  int: "integer",
  bigint: "integer",
  float: "number",
  double: "number",
  decimal: "number",
  text: "string",
  str: "string",
  bool: "boolean",
  list: "array",
  map: "object",
};

function checkRequired(schema: JsonSchema, path: Path, root: JsonSchema, report: Report): void {
  if (!Array.isArray(schema.required)) {
    // Draft 3 wrote `required: true` at the property itself.
    if (schema.required !== undefined && schema.required !== null)
      report([...path, "required"], "required is a list of properties", {
        hint: "List the names of required properties at the object that has them.",
      });
    return;
  }
  if (!isJsonSchema(schema.properties) || schema.allOf !== undefined || schema.$ref !== undefined) return;
  const known = [...objectShape(schema, root).properties.keys()];
  for (const [index, name] of schema.required.entries()) {
    if (known.includes(name)) continue;
    const meant = closest(String(name), known);
    report([...path, "required", index], `${JSON.stringify(name)} is required, but no property`, {
      ...(meant !== undefined && { hint: `Perhaps you meant "${meant}".` }),
    });
  }
}

function checkReference(ref: string, path: Path, root: JsonSchema, report: Report): void {
  if (!ref.startsWith("#")) {
    report(path, `the reference "${ref}" leads out of the manifest`, {
      hint: "Put what it refers to into $defs of the row, and write #/$defs/name.",
    });
    return;
  }
  if (referenced(ref, root) !== undefined) return;
  const known = Object.keys(root.$defs ?? {}).map((name) => `#/$defs/${name}`);
  known.push(...Object.keys(root.definitions ?? {}).map((name) => `#/definitions/${name}`));
  const meant = closest(ref, known);
  report(path, `the reference "${ref}" leads nowhere`, {
    hint:
      meant === undefined
        ? "References are looked for in the row's schema: #/$defs/name."
        : `Perhaps you meant "${meant}".`,
  });
}

/** Every schema inside of a schema, itself too. */
function walkSchemas(node: unknown, path: Path, visit: (schema: JsonSchema, path: Path) => void): void {
  if (!isJsonSchema(node)) return;
  visit(node, path);
  for (const keyword of ["properties", "patternProperties", "$defs", "definitions"]) {
    const map = node[keyword];
    if (!isJsonSchema(map)) continue;
    for (const [name, part] of Object.entries(map)) walkSchemas(part, [...path, keyword, name], visit);
  }
  for (const keyword of [
    "items",
    "additionalItems",
    "additionalProperties",
    "prefixItems",
    "anyOf",
    "oneOf",
    "allOf",
  ]) {
    const part = node[keyword];
    if (!Array.isArray(part)) walkSchemas(part, [...path, keyword], visit);
    else for (const [index, item] of part.entries()) walkSchemas(item, [...path, keyword, index], visit);
  }
}
