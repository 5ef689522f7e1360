/** Which column a parameter of an operation is: one of the row, or one that exists only as an argument. */
import { columnTypeOf } from "../../json-schema/column-type.js";
import { isObjectSchema } from "../../json-schema/object-shape.js";
import { resolveSchema } from "../../json-schema/resolve.js";
import { elementOf } from "../../json-schema/rows-in.js";
import { type JsonSchema, type JsonSchemaNode, schemaList } from "../../json-schema/schema.js";
import type { Parameter } from "./operation.js";
import { columnName } from "./words.js";

/** What is known of the columns of a table before parameters are looked at. */
export interface RowColumn {
  readonly schema: JsonSchemaNode;
  readonly root: JsonSchema;
}

/** How a value is written in JSON, as far as it decides whether two schemas speak of the same values. */
type Kind = "text" | "number" | "boolean" | "list" | "object" | "open";

/** The kind of value that a schema describes. */
export function kindOf(node: JsonSchemaNode, root: JsonSchema): Kind {
  switch (columnTypeOf(node, root).type) {
    case "text":
    case "timestamptz":
    case "date":
      return "text";
    case "bigint":
    case "double precision":
      return "number";
    case "boolean":
      return "boolean";
    default: {
      const schema = resolveSchema(node, root);
      if (elementOf(schema, root) !== undefined || schema.type === "array") return "list";
      return schemaList(schema.oneOf).length + schemaList(schema.anyOf).length === 0 && isObjectSchema(schema, root)
        ? "object"
        : "open";
    }
  }
}

/** Is a value of structure: does it become `jsonb`? */
export function isStructured(kind: Kind): boolean {
  return kind === "list" || kind === "object" || kind === "open";
}

/** Names that say nothing without the thing they belong to. */
const genericNames: readonly string[] = ["id", "name", "key", "slug", "uuid", "number", "code", "login"];

/** Does the parameter's name tell one thing from another? */
export function namesIdentity(name: string): boolean {
  return /^(.*_)?(id|ids|gid|key|keys|number|name|uuid|ts|timestamp|sha|slug|path|email|username|login|title_id|or_key)$/.test(
    columnName(name),
  );
}

/** Is it what a row holds rather than which row it is? */
export function isContent(name: string): boolean {
  return /^(new_)?(text|body|content|name|title|description|summary|message|value|status|state|data|response|update|label|comment|url|type|color|event)$/.test(
    columnName(name),
  );
}

/**
 * The column of a parameter.
 * @param row columns of the row so far
 * @param entity words of the thing the table is about: `issue_number` of an issue is its `number`
 * @param writes the value is written to a row: structure may go where structure is read
 */
export function columnOfParameter(
  parameter: Parameter,
  row: ReadonlyMap<string, RowColumn>,
  entity: readonly string[],
  writes: boolean,
): string {
  const name = columnName(parameter.columnName ?? parameter.name);
  const fits = (column: string) => {
    const known = row.get(column);
    return known !== undefined && isSameKind(parameter, known, writes);
  };
  if (fits(name)) return name;
  if (parameter.required || parameter.place === "path") {
    const short = withoutEntity(name, entity);
    if (short !== undefined && fits(short)) return short;
    // `subscription` of a subscription: what its row calls `id`, or else `name`.
    if (name === entity.join("_") || name === entity.at(-1)) {
      const own = ["id", "name"].find(fits);
      if (own !== undefined) return own;
    }
  }
  return row.has(name) ? `${name}_argument` : name;
}

function isSameKind(parameter: Parameter, column: RowColumn, writes: boolean): boolean {
  const given = kindOf(parameter.schema, parameter.root);
  const kept = kindOf(column.schema, column.root);
  // A filter with structure asks something of its own; it is no equality with what the row holds.
  if (isStructured(given)) return writes && (isStructured(kept) || given === "open");
  return given === kept;
}

/** `issue_number` of an issue → `number`; `undefined` when the name does not begin with the entity's. */
function withoutEntity(name: string, entity: readonly string[]): string | undefined {
  const prefixes = [entity.join("_"), entity.at(-1), entity[0]];
  for (const prefix of prefixes) {
    if (prefix !== undefined && name.startsWith(`${prefix}_`)) return name.slice(prefix.length + 1);
  }
  return undefined;
}

/**
 * Does a required parameter of a list only look like a column of the rows? The `id` that a list of posts needs is no
 * post's.
 */
export function isOwnersName(column: string, parameter: Parameter): boolean {
  return genericNames.includes(column) && columnName(parameter.name) === column;
}
