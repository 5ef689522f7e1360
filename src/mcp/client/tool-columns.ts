/** The columns of a tool's table: its arguments by the input schema, its results by the output schema. */
import { columnTypeOf } from "../../json-schema/column-type.js";
import { isObjectSchema, objectShape } from "../../json-schema/object-shape.js";
import { resolveSchema } from "../../json-schema/resolve.js";
import { rowsIn } from "../../json-schema/rows-in.js";
import { isJsonSchema, type JsonSchema, type JsonSchemaNode } from "../../json-schema/schema.js";
import type { ResourceColumn } from "../../resources/resource.js";
import { sqlName, uniqueNames } from "../../resources/sql-names.js";
import type { McpTool } from "./types.js";

/** An argument of the tool and the column it is taken from. */
export interface ArgumentColumn {
  /** The argument's own name. */
  readonly field: string;
  readonly column: ResourceColumn;
  readonly required: boolean;
  /** Schema of the value, and the document its references point into. */
  readonly schema: JsonSchemaNode;
  readonly root: JsonSchema;
}

/** What the caller says about one argument. */
export interface ArgumentOverride {
  column?: string;
  required?: boolean;
  description?: string;
}

/**
 * The arguments of a tool as columns, required ones first to be seen. Names are made identifiers; a name that changed
 * stands in the description.
 * @param asKeys required arguments are required keys (reads, and writes of existing rows)
 */
export function argumentColumns(
  tool: McpTool,
  overrides: Readonly<Record<string, ArgumentOverride>>,
  asKeys: boolean,
): ArgumentColumn[] {
  const root = isJsonSchema(tool.inputSchema) ? tool.inputSchema : {};
  const shape = objectShape(root, root);
  const fields = new Set([...shape.properties.keys(), ...Object.keys(overrides)]);
  const names = uniqueNames(fields);
  return [...fields].map((field) => {
    const schema = shape.properties.get(field) ?? true;
    const override = Object.hasOwn(overrides, field) ? overrides[field] : {};
    const required = override.required ?? shape.required.has(field);
    const name = override.column ?? names.get(field) ?? sqlName(field);
    const type = columnTypeOf(schema, root);
    const description = override.description ?? argumentDescription(field, name, type.description, schema, root);
    return {
      field,
      required,
      schema,
      root,
      column: {
        name,
        type: type.type,
        nullable: !required || type.nullable,
        ...(description !== undefined && { description }),
        ...(type.labels !== undefined && { enum: type.labels }),
        ...(required && asKeys && { requiredKey: true, nullable: false }),
      },
    };
  });
}

/** The description a reader needs: the schema's words, the default, and the original name where ours differs. */
function argumentDescription(
  field: string,
  column: string,
  words: string | undefined,
  node: JsonSchemaNode,
  root: JsonSchema,
): string | undefined {
  const schema = resolveSchema(node, root);
  const remarks: string[] = [];
  if (column !== field) remarks.push(`argument ${JSON.stringify(field)}`);
  if (schema.default !== undefined && schema.default !== null)
    remarks.push(`default ${JSON.stringify(schema.default)}`);
  const remark = remarks.length === 0 ? undefined : `(${remarks.join(", ")})`;
  if (words === undefined) return remark;
  return remark === undefined ? words : `${words} ${remark}`;
}

/** Where the rows of a structured answer are, and what a row looks like. */
export interface ResultShape {
  /** Properties to follow from the answer to the rows; empty when the answer itself is the row or the list of rows. */
  readonly path: readonly string[];
  /** Property of a row → its column. */
  readonly columns: ReadonlyMap<string, ResourceColumn>;
}

/**
 * Reads the output schema: one property that is an array of objects gives the rows (directly, or inside the only object
 * there is); otherwise the answer is one row of its properties. `undefined` when no columns can be told from it.
 */
export function resultShape(tool: McpTool): ResultShape | undefined {
  if (!isJsonSchema(tool.outputSchema)) return undefined;
  const root = tool.outputSchema;
  const list = rowsIn(root, root);
  if (list !== undefined) return shapeOf(list.path, list.row, root);
  return isObjectSchema(root, root) ? shapeOf([], root, root) : undefined;
}

function shapeOf(path: readonly string[], row: JsonSchemaNode, root: JsonSchema): ResultShape | undefined {
  const { properties } = objectShape(row, root);
  if (properties.size === 0) return undefined;
  const names = uniqueNames(properties.keys());
  const columns = new Map<string, ResourceColumn>();
  for (const [property, schema] of properties) {
    const name = names.get(property) ?? sqlName(property);
    const { type, labels, description } = columnTypeOf(schema, root);
    const remark = name === property ? undefined : `(property ${JSON.stringify(property)})`;
    const words = [description, remark].filter((part) => part !== undefined).join(" ");
    columns.set(property, {
      name,
      type,
      // What a server promises is not always what it sends.
      nullable: true,
      ...(words !== "" && { description: words }),
      ...(labels !== undefined && { enum: labels }),
    });
  }
  return { path, columns };
}
