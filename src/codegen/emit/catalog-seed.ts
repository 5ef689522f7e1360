/** Emits the catalog seeds: what `information_schema` can say of the services before any of them is connected. */
import { columnTypeOf } from "../../json-schema/column-type.js";
import type { JsonSchema, JsonSchemaNode } from "../../json-schema/schema.js";
import { columnOfField } from "../../resources/columns-from-zod.js";
import type { ResourceModel } from "../manifest/model.js";
import { verbNames } from "../manifest/verbs.js";
import type { RowShape } from "../schema/shape.js";
import { rowToJsonSchema } from "../schema/to-json-schema.js";
import { header } from "./names.js";
import { literalText } from "./text.js";
import { insertColumns } from "./written-columns.js";

/** A resource and the shape of its row. */
export interface SeededResource {
  readonly resource: ResourceModel;
  readonly shape: RowShape;
}

/** The text of `information_schema.ts`: the tables by name. */
export function emitCatalogSeed(resources: readonly SeededResource[]): string {
  const tables = resources.map(seedOf).sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${header("manifests")}
import type { CatalogSeed } from "glove-scratchpad";

/** Every table of the manifests, for \`Database.create({ catalog })\`. */
export const catalogSeed: CatalogSeed = {
  // Made when it is read, so that importing it costs little.
  get tables(): CatalogSeed["tables"] {
    return ${literalText(tables, 4)};
  },
};
`;
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
