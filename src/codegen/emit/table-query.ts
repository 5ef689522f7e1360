/** Emits the typed statements of a table: a call of `tableQuery` beside its factory. */
import { seedOf } from "./catalog-seed.js";
import type { ResourceSource } from "./resource.js";
import { commentText, docComment, fieldLines } from "./text.js";

/** What {@link tableQueryText} imports. */
export const tableQueryImport = 'import { tableQuery } from "glove-scratchpad";';

/** The text of the builder. It is marked free of effects, so that a program that does not use it need not carry it. */
export function tableQueryText(source: ResourceSource): string {
  const { resource, names } = source;
  const { columns, keys, keyAlternatives, verbs } = seedOf(source);
  const types = verbs.includes("insert") ? `${names.row}, ${names.insert}` : names.row;
  const definition = {
    columns: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
    keys: keys.length > 0 ? keys : undefined,
    keyAlternatives,
    verbs,
  };
  const table = commentText(resource.table);
  return `${docComment([`Typed statements on \`${table}\`: \`${names.query}.${verbs[0]}(…)\`.`])}export const ${names.query} = /* @__PURE__ */ (/* @__PURE__ */ tableQuery<${types}>())(${JSON.stringify(resource.table)}, {
${fieldLines(definition, 2)}});
`;
}
