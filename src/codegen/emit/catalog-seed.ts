/** Emits the catalog seeds: what `information_schema` can say of the services before any of them is connected. */
import { columnTypeOf } from "../../json-schema/column-type.js";
import { columnOfField } from "../../resources/columns-from-zod.js";
import type { ResourceModel, ServiceManifest } from "../manifest/model.js";
import { header } from "./names.js";

/** The text of `information_schema.ts`: the tables by name. */
export function emitCatalogSeed(manifests: readonly ServiceManifest[]): string {
  const tables = manifests
    .flatMap((manifest) => manifest.resources.map(seedOf))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${header("manifests")}
import type { CatalogSeed } from "glove-scratchpad";

/** Every table of the manifests, for \`Database.create({ catalog })\`. */
export const catalogSeed: CatalogSeed = ${JSON.stringify({ tables }, null, 2)};
`;
}

function seedOf(resource: ResourceModel) {
  const required = new Set(resource.row.required ?? []);
  return {
    schema: "public",
    name: resource.table,
    description: resource.description,
    volatility: resource.volatility,
    verbs: Object.keys(resource.verbs.verbs),
    columns: Object.entries(resource.row.properties ?? {}).map(([name, schema]) =>
      columnOfField(name, columnTypeOf(schema, resource.row), {
        isKey: resource.keys.includes(name),
        isRequired: required.has(name),
      }),
    ),
    keys: resource.keys,
    primaryKey: resource.primaryKey,
  };
}
