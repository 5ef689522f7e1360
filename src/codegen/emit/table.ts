/** Emits the table of a resource: one value that is the factory of the table and has the typed statements on it as methods. */
import { seedOf } from "./catalog-seed.js";
import type { Imports } from "./imports.js";
import type { Factory, ResourceSource } from "./resource.js";
import { fieldLines } from "./text.js";

/** What {@link tableText} imports. */
export const tableImports: Imports = { "glove-scratchpad": ["type ResourceTable", "tableQuery"] };

/** The text of the table. It is marked free of effects, so that a program that does not use it need not carry it. */
export function tableText(source: ResourceSource, { comment, parameters, body }: Factory): string {
  const { resource, names } = source;
  const { columns, keys, keyAlternatives, verbs } = seedOf(source);
  const types = verbs.includes("insert") ? `${names.row}, ${names.insert}` : names.row;
  const definition = {
    columns: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
    keys: keys.length > 0 ? keys : undefined,
    keyAlternatives,
    verbs,
  };
  return `${comment}export const ${names.factory} = /* @__PURE__ */ Object.assign(
  function ${names.factory}(${parameters}): ResourceTable {
    return ${body};
  },
  /* @__PURE__ */ (/* @__PURE__ */ tableQuery<${types}>())(${JSON.stringify(resource.table)}, {
${fieldLines(definition, 4)}  }),
);
`;
}
