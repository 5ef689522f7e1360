/** What the verbs of a resource mention, whatever its connector. */
import type { HttpVerb } from "../../resources/connectors/http/definition.js";
import { type Template, templateColumns } from "../../resources/connectors/template.js";
import type { ResourceModel, ResourceVerbs, VerbName } from "./model.js";

/** The verbs that there are, in the order that documentation lists them. */
export const allVerbs: readonly VerbName[] = ["select", "insert", "update", "delete"];

/** The verbs of a resource. */
export function verbNames({ verbs }: Pick<ResourceModel, "verbs">): VerbName[] {
  if (verbs.kind === "module") return allVerbs.filter((verb) => verbs.verbs.includes(verb));
  return allVerbs.filter((verb) => verbs.verbs[verb] !== undefined);
}

/**
 * The placeholders of a verb, `number >=` and `$limit` too; `undefined` when the verb takes whatever is bound: an MCP tool
 * without a template, and code.
 */
export function placeholdersOf(verbs: ResourceVerbs, name: VerbName): ReadonlySet<string> | undefined {
  if (verbs.kind === "module") return undefined;
  if (verbs.kind === "mcp") {
    const input = verbs.verbs[name]?.input;
    return input === undefined ? undefined : new Set(templateColumns(input));
  }
  const verb = verbs.verbs[name];
  return verb === undefined ? new Set() : new Set(httpTemplates(verb).flatMap(templateColumns));
}

/** Placeholders of an HTTP verb that have to have a value: those of its path. */
export function pathPlaceholders(verb: HttpVerb): string[] {
  return templateColumns(verb.path);
}

function httpTemplates(verb: HttpVerb): Template[] {
  const parameters = [verb.query, verb.headers, verb.form].flatMap((part) => Object.values(part ?? {}));
  return [verb.path, ...parameters.map((value) => value as Template), ...(verb.body === undefined ? [] : [verb.body])];
}
