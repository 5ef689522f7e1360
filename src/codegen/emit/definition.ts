/** What the definition of a resource says whatever its connector, as data. */
import type { ResourceModel, ServiceManifest } from "../manifest/model.js";
import { verbNames } from "../manifest/verbs.js";
import type { ResourceSource } from "./resource.js";
import { docComment, sentence } from "./text.js";

/** The fields that a manifest gave, in the order in which they are written. */
export function commonDefinition(manifest: ServiceManifest, resource: ResourceModel): Record<string, unknown> {
  const { connector, defaults, service } = manifest;
  // Limits of a service are shared by its tables; an HTTP resource knows so by itself, as it knows where it comes from.
  const sharesLimits = connector.kind !== "http" && (defaults.rateLimit ?? defaults.concurrency) !== undefined;
  const calls = { ...(sharesLimits && { scope: service }), ...defaults, ...resource.calls };
  const hasColumns = Object.keys(resource.columns).length > 0;
  return {
    name: resource.table,
    description: resource.description,
    volatility: resource.volatility,
    primaryKey: resource.primaryKey.length > 0 ? resource.primaryKey : undefined,
    keyAlternatives: resource.keyAlternatives.length > 0 ? resource.keyAlternatives : undefined,
    columns: hasColumns ? resource.columns : undefined,
    batch: resource.batch,
    accepts: resource.accepts,
    exact: resource.exact,
    idempotent: resource.idempotent,
    ...calls,
    source: connector.kind === "http" ? undefined : { name: service, kind: connector.kind },
  };
}

/** The comment of a table. @param parameter the line for the factory's parameter */
export function factoryComment({ resource, names }: ResourceSource, parameter: string): string {
  const verbs = verbNames(resource);
  const needs = [...resource.keys, ...resource.keyAlternatives.map((group) => group.join(" or "))];
  return docComment([
    sentence(resource.description),
    "",
    `Table \`${resource.table}\`: ${verbs.join(", ")}.${needs.length > 0 ? ` A read needs a value for ${needs.join(", ")}.` : ""}`,
    `Typed statements on it are methods: \`${names.factory}.${verbs[0]}(…)\`.`,
    parameter,
  ]);
}
