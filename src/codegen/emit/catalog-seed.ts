/** Emits the catalog seeds: what `information_schema` can say of the services before any of them is connected. */
import { columnTypeOf } from "../../json-schema/column-type.js";
import type { JsonSchema, JsonSchemaNode } from "../../json-schema/schema.js";
import { columnOfField } from "../../resources/columns-from-zod.js";
import type { ResourceModel } from "../manifest/model.js";
import { verbNames } from "../manifest/verbs.js";
import type { RowShape } from "../schema/shape.js";
import { rowToJsonSchema } from "../schema/to-json-schema.js";
import { header } from "./names.js";
import { templateText } from "./text.js";
import { insertColumns } from "./written-columns.js";

/** A resource and the shape of its row. */
export interface SeededResource {
  readonly resource: ResourceModel;
  readonly shape: RowShape;
}

/**
 * The text of `information_schema.ts`: the tables by name, each as JSON in a template, one line a column. A text is skipped
 * over where a literal would be parsed, so that importing hundreds of tables takes a few milliseconds.
 */
export function emitCatalogSeed(resources: readonly SeededResource[]): string {
  const tables = resources.map(seedOf).sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${header("manifests")}
import type { CatalogSeed } from "glove-scratchpad";

type Table = CatalogSeed["tables"][number];

/** Every table of the manifests, for \`Database.create({ catalog })\`. */
export const catalogSeed: CatalogSeed = {
  // Read when it is asked for, so that importing it costs little.
  get tables(): Table[] {
    const texts = [
${tables.map((table) => `      ${templateText(tableText(table))},\n`).join("")}    ];
    return texts.map((text) => {
      const { columns, ...table } = JSON.parse(text) as Table;
      return { ...table, columns: columns.map((column) => ({ ...column, nullable: column.nullable ?? true })) };
    });
  },
};
`;
}

/** A table as JSON. Columns that may be NULL, as most are, do not say so. */
function tableText({ columns, ...table }: ReturnType<typeof seedOf>): string {
  const lines = columns.map(({ nullable, ...column }) =>
    JSON.stringify(nullable === false ? { ...column, nullable } : column),
  );
  return `${JSON.stringify(table).slice(0, -1)},"columns":[\n${lines.join(",\n")}]}`;
}

/** One table of the seed: the same columns as the generated factory's, for both come from the row's shape. */
export function seedOf({ resource, shape }: SeededResource) {
  const row: JsonSchema = rowToJsonSchema(shape);
  const required = new Set(row.required ?? []);
  const { required: needed } = insertColumns(resource);
  const properties = (row.properties ?? {}) as Readonly<Record<string, JsonSchemaNode>>;
  return {
    schema: "public",
    name: resource.table,
    description: resource.description,
    volatility: resource.volatility,
    verbs: verbNames(resource),
    columns: Object.entries(properties).map(([name, schema]) => ({
      ...columnOfField(name, columnTypeOf(schema, row), {
        isKey: resource.keys.includes(name),
        isRequired: required.has(name),
      }),
      ...resource.columns[name],
      ...(needed.includes(name) && { insertArgument: name }),
    })),
    keys: resource.keys,
    ...(resource.keyAlternatives.length > 0 && { keyAlternatives: resource.keyAlternatives }),
    primaryKey: resource.primaryKey,
    ...(resource.batch !== undefined && { batch: resource.batch }),
    ...(resource.accepts !== undefined && { accepts: resource.accepts }),
    ...(resource.exact === true && { exact: true }),
  };
}
