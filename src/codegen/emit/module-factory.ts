/** Emits the contract of a resource that is code of the host, and the factory that takes the code. */
import type { VerbName } from "../manifest/model.js";
import { commonDefinition, factoryComment } from "./definition.js";
import type { Factory, ResourceSource } from "./resource.js";
import { docComment, fieldLines } from "./text.js";

export function moduleFactory(source: ResourceSource, verbs: readonly VerbName[]): Factory {
  const { manifest, resource, names } = source;
  const keys = resource.keys.length > 0 ? resource.keys.map((key) => JSON.stringify(key)).join(" | ") : "never";
  const boundType = `Bindings<${names.row}, ${keys}>`;
  const bindings = `bindings: ${boundType}`;
  // Keys that the rows leave out are stamped from the argument.
  const given = resource.keys.length > 0 ? `RowWithoutKeys<${names.row}, ${keys}>` : names.row;
  const methods: Record<
    VerbName,
    { comment: string; parameters: string; result: string; given: string; passed: string }
  > = {
    select: {
      comment: "Reads the rows that the bindings ask for; more are left out, fewer would be a wrong answer.",
      parameters: `${bindings}, context: ResourceContext`,
      result: `Awaitable<Rows<${given}>>`,
      given: "bindings, context",
      passed: `bindings as ${boundType}, context`,
    },
    insert: {
      comment:
        resource.batch?.insert === true
          ? "Adds the rows of one statement. Rows that it answers feed RETURNING."
          : "Adds one row. Rows that it answers feed RETURNING.",
      parameters: `rows: [${names.insert}, ...${names.insert}[]], context: ResourceContext`,
      result: "Awaitable<unknown>",
      given: "rows, context",
      passed: `rows as [${names.insert}, ...${names.insert}[]], context`,
    },
    update: {
      comment: "Sets columns of the row that the bindings name.",
      parameters: `set: ${names.update}, ${bindings}, context: ResourceContext`,
      result: "Awaitable<unknown>",
      given: "set, bindings, context",
      passed: `set as ${names.update}, bindings as ${boundType}, context`,
    },
    delete: {
      comment: "Removes the row that the bindings name.",
      parameters: `${bindings}, context: ResourceContext`,
      result: "Awaitable<unknown>",
      given: "bindings, context",
      passed: `bindings as ${boundType}, context`,
    },
  };
  const members = verbs.map((verb) => {
    const { comment, parameters, result } = methods[verb];
    return `${docComment([comment], 2)}  ${verb}(${parameters}): ${result};\n`;
  });
  const definition = {
    ...commonDefinition(manifest, resource),
    keys: resource.keys.length > 0 ? resource.keys : undefined,
  };
  // The schema gives `undefined` for what is left out; the row's type, read exactly, leaves it out.
  const passed = verbs.map((verb) => {
    const { given, passed } = methods[verb];
    return `      ${verb}: (${given}) => resolvers.${verb}(${passed}),
`;
  });
  const imported = [
    verbs.length > 0 && "type Awaitable",
    (verbs as readonly string[]).some((verb) => verb !== "insert") && "type Bindings",
    "defineResource",
    "type ResourceContext",
    verbs.includes("select") && "type Rows",
    verbs.includes("select") && resource.keys.length > 0 && "type RowWithoutKeys",
  ].filter((name) => name !== false);
  return {
    imports: { "glove-scratchpad": imported },
    before: `${docComment([`The code behind table \`${resource.table}\`.`])}export interface ${names.resolvers} {
${members.join("")}}
`,
    comment: factoryComment(source, "@param resolvers the code that it stands for"),
    parameters: `resolvers: ${names.resolvers}`,
    body: `defineResource({
${fieldLines(definition, 6)}      schema: ${names.schema},
${passed.join("")}    })`,
  };
}
