/** Brings checked documents into the form that the emitters work from. */

import { acceptedBy } from "../../resources/connectors/http/define-http-resource.js";
import type { HttpAuth, HttpMethod, HttpVerb } from "../../resources/connectors/http/definition.js";
import type { McpVerb } from "../../resources/connectors/mcp.js";
import type { ColumnOptions } from "../../resources/define-resource.js";
import type { ResourceTable } from "../../resources/resource.js";
import type {
  ConnectorDocument,
  ConnectorKind,
  HttpConnectorDocument,
  HttpVerbDocument,
  ResourceDocument,
} from "./format/manifest.js";
import type { CallOptions, ConnectorModel, ResourceModel, ResourceVerbs, VerbName } from "./model.js";
import { allVerbs, placeholdersOf } from "./verbs.js";

export function connectorModel(document: ConnectorDocument): ConnectorModel {
  switch (document.kind) {
    case "http":
      return defined({
        kind: "http" as const,
        baseUrl: document.baseUrl,
        auth: authModel(document.auth),
        headers: document.headers,
      });
    case "mcp": {
      const { command, args, env, url, headers } = document;
      if (command !== undefined) return { kind: "mcp", server: defined({ command, args, env }) };
      return url === undefined ? { kind: "mcp" } : { kind: "mcp", server: defined({ url, headers }) };
    }
    case "module":
      return { kind: "module" };
  }
}

function authModel(auth: HttpConnectorDocument["auth"]): HttpAuth | undefined {
  if (auth?.bearer !== undefined) return { kind: "bearer", token: auth.bearer };
  if (auth?.basic !== undefined) return { kind: "basic", ...auth.basic };
  if (auth?.apiKey !== undefined) {
    const { env, ...where } = auth.apiKey;
    return { kind: "apiKey", ...where, value: { env } };
  }
  return auth?.oauth2 === undefined ? undefined : (defined({ kind: "oauth2" as const, ...auth.oauth2 }) as HttpAuth);
}

/** What a document says of how calls are made. */
export function callOptions(document: ConnectorDocument | ResourceDocument): CallOptions {
  const { timeoutMs, idleTimeoutMs, retry, rateLimit, concurrency, ttlMs, maxPages, scope } = document;
  return defined({ timeoutMs, idleTimeoutMs, retry, rateLimit, concurrency, ttlMs, maxPages, scope }) as CallOptions;
}

/** @param names of the resource, of its table and its file */
export function resourceModel(
  names: Pick<ResourceModel, "name" | "table" | "file">,
  document: ResourceDocument,
  columnNames: readonly string[],
  kind: ConnectorKind,
): ResourceModel {
  const { description, volatility, row, keys, keyAlternatives, batch, exact, idempotent } = document;
  const verbs = verbsModel(document, kind);
  // A read-only list of a project's issues has many rows a project: its keys are no identity, and GROUP BY must not take
  // them for one.
  const isWritten = document.insert !== undefined || document.update !== undefined || document.delete !== undefined;
  const primaryKey = document.primaryKey.length > 0 || !isWritten ? document.primaryKey : keys;
  const accepts = acceptedOf(document, verbs);
  return {
    ...names,
    ...{ description, volatility, row, columnNames, keys, keyAlternatives, primaryKey },
    columns: columnOptions(document, columnNames, primaryKey, verbs),
    ...(batch !== undefined && { batch: defined(batch) as NonNullable<ResourceTable["batch"]> }),
    ...(accepts !== undefined && Object.keys(accepts).length > 0 && { accepts: defined(accepts) }),
    ...(exact === true && { exact: true }),
    ...(idempotent !== undefined && { idempotent: [...new Set(idempotent)] }),
    calls: callOptions(document),
    verbs,
  };
}

/** What the connector takes beside predicates, whether the document says so or not. */
function acceptedOf(document: ResourceDocument, verbs: ResourceVerbs): ResourceTable["accepts"] {
  if (verbs.kind === "http") return acceptedBy(verbs.verbs.select, document.accepts);
  const isPaged = verbs.kind === "mcp" && verbs.verbs.select?.page !== undefined;
  return isPaged ? { limit: true, ...document.accepts } : document.accepts;
}

/** What is said of each column; those of which nothing is said are left out. */
function columnOptions(
  document: ResourceDocument,
  columnNames: readonly string[],
  primaryKey: readonly string[],
  verbs: ResourceVerbs,
): Readonly<Record<string, ColumnOptions>> {
  const { operators, equality, labels, lenient, exact } = document;
  const isNeeded = needed(document, primaryKey, verbs);
  const options = columnNames.map((name): [string, ColumnOptions] => {
    const takesEquality = Object.hasOwn(equality, name) ? equality[name] : isNeeded(name);
    return [
      name,
      defined({
        operators: Object.hasOwn(operators, name) ? operators[name] : undefined,
        exact: Array.isArray(exact) && exact.includes(name) ? true : undefined,
        equality: takesEquality ? undefined : false,
        lenient: lenient.includes(name) ? true : undefined,
        labels: Object.hasOwn(labels, name) ? labels[name] : undefined,
        argument: document.arguments.includes(name) ? true : undefined,
      }),
    ];
  });
  return Object.fromEntries(options.filter(([, said]) => Object.keys(said).length > 0));
}

/**
 * Whether an equality on a column has a use: a verb that has no place for it would be called once more for each value, with
 * the same request.
 */
function needed(
  document: ResourceDocument,
  primaryKey: readonly string[],
  verbs: ResourceVerbs,
): (column: string) => boolean {
  // Rows to write are found by the read, where there is one.
  const searching = document.select !== undefined ? (["select"] as const) : (["update", "delete"] as const);
  const mentioned = searching.filter((verb) => document[verb] !== undefined).map((verb) => placeholdersOf(verbs, verb));
  if (mentioned.includes(undefined)) return () => true;
  const always = new Set([...document.keys, ...document.arguments, ...document.keyAlternatives.flat(), ...primaryKey]);
  return (column) => always.has(column) || mentioned.some((names) => names?.has(column) === true);
}

function verbsModel(document: ResourceDocument, kind: ConnectorKind): ResourceVerbs {
  const given = allVerbs.filter((verb) => document[verb] !== undefined);
  if (kind === "module") return { kind, verbs: given };
  if (kind === "mcp") return { kind, verbs: byVerb(given, (verb) => document[verb] as McpVerb) };
  return { kind, verbs: byVerb(given, (verb) => httpVerbModel(document[verb] as HttpVerbDocument)) };
}

function byVerb<V>(verbs: readonly VerbName[], model: (verb: VerbName) => V): { readonly [name in VerbName]?: V } {
  return Object.fromEntries(verbs.map((verb) => [verb, model(verb)]));
}

function httpVerbModel({ get, post, put, patch, delete: remove, ...rest }: HttpVerbDocument): HttpVerb {
  const requests = Object.entries({ GET: get, POST: post, PUT: put, PATCH: patch, DELETE: remove });
  const [method, path] = requests.find(([, value]) => value !== undefined) ?? ["GET", ""];
  return {
    method: method as HttpMethod,
    path: path as string,
    ...(defined(rest) as Omit<HttpVerb, "method" | "path">),
  };
}

/** The object without what is `undefined`. */
function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}
