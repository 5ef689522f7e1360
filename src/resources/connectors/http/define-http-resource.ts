/** `defineHttpResource`: a resource whose verbs are requests, as generated modules make it. */
import type { ZodObject } from "zod";
import { columnsFromZod } from "../../columns-from-zod.js";
import { defineResource, type SchemaResourceOptions } from "../../define-resource.js";
import type { Bindings, ResourceColumn, ResourceContext, ResourceTable, Row } from "../../resource.js";
import { type Template, templateColumns } from "../template.js";
import { baseAddress } from "./address.js";
import { authorizerOf } from "./auth.js";
import { checkVerbs } from "./check-verbs.js";
import type { HttpOptions, HttpService, HttpVerb, HttpVerbs } from "./definition.js";
import { selectOf } from "./read.js";
import { lowerCased, type RequestBase } from "./request.js";
import { Secrets } from "./secrets.js";
import type { Sender } from "./send.js";
import { type Writer, writerOf } from "./write.js";

/** A resource of an HTTP service without what its Zod schema says. */
export type HttpDefinition = Omit<
  SchemaResourceOptions<ZodObject, string>,
  "schema" | "keys" | "select" | "insert" | "update" | "delete"
> & { readonly verbs: HttpVerbs };

/**
 * Makes the resource. Nothing is sent and no environment variable is looked up before the first call.
 *
 * Unless `accepts` says otherwise, a paged read and one that mentions `{$limit}` take a limit, and a read takes the order of
 * the columns in its `orderBy`. Tables of one service share their `scope`, the service's name by default.
 * @param service what all resources of the service share; those made with the same object share an OAuth2 token
 * @param schema what a row is
 * @param keys names of the required keys
 * @throws TypeError for a definition that can't work, naming the resource, the verb and the mistake
 */
export function defineHttpResource(
  service: HttpService,
  definition: HttpDefinition,
  schema: ZodObject,
  keys: readonly string[],
  options: HttpOptions = {},
): ResourceTable {
  const { verbs, ...rest } = definition;
  const accepts = acceptedBy(verbs.select, definition.accepts);
  const own = columnsFromZod(schema, keys).map((column) => ({ ...column, ...definition.columns?.[column.name] }));
  const columns = own.map((column) => ({ ...column, ...(isUnplaced(column, definition) && { equality: false }) }));
  checkVerbs({ ...rest, columns, accepts, primaryKey: definition.primaryKey ?? keys }, verbs);
  const base: RequestBase = {
    address: baseAddress(service, options.baseUrl),
    headers: fixedHeaders(service, options),
  };
  const sender = senderOf(service, base, options);
  const writers = writersOf(verbs, (verb) =>
    writerOf(definition.name, { ...verb, fields: verb.fields ?? verbs.select?.fields }, columns, base, sender),
  );
  const resource = defineResource({
    scope: service.service,
    source: { name: service.service, kind: "http" },
    ...rest,
    accepts,
    schema,
    keys,
    ...(verbs.select !== undefined && { select: selectOf(verbs.select, { ...rest, columns }, base, sender) }),
    ...writesOf(writers),
  } as SchemaResourceOptions<ZodObject, string>);
  return {
    ...resource,
    columns: withInsertArguments(columns, verbs.insert),
    checkWrite: ({ op, rows, set, match, idempotencyKey }) => writers[op]?.check({ rows, set, match, idempotencyKey }),
  };
}

/** Whether a read's request has no place for the column: the service can't filter by it, so that it is no argument. */
function isUnplaced({ name, requiredKey, argument }: ResourceColumn, definition: HttpDefinition): boolean {
  const { select } = definition.verbs;
  if (select === undefined || requiredKey === true || argument === true) return false;
  // A write finds its row by the primary key.
  const isKey = [...(definition.primaryKey ?? []), ...(definition.keyAlternatives ?? []).flat()].includes(name);
  return !isKey && !mentions(select, name);
}

type Writers = { readonly [V in "insert" | "update" | "delete"]?: Writer };

function writersOf({ insert, update, delete: remove }: HttpVerbs, writer: (verb: HttpVerb) => Writer): Writers {
  return {
    ...(insert && { insert: writer(insert) }),
    ...(update && { update: writer(update) }),
    ...(remove && { delete: writer(remove) }),
  };
}

function writesOf({ insert, update, delete: remove }: Writers): Pick<ResourceTable, "insert" | "update" | "delete"> {
  return {
    ...(insert && { insert: (rows: Row[], context: ResourceContext) => insert.send({ rows }, context) }),
    ...(update && {
      update: (set: Row, match: Bindings, context: ResourceContext) =>
        update.send({ set, match: matched(match) }, context),
    }),
    ...(remove && {
      delete: (match: Bindings, context: ResourceContext) => remove.send({ match: matched(match) }, context),
    }),
  };
}

/** Which row a write is for: column → its one value. */
function matched({ eq }: Bindings): Row {
  return Object.fromEntries([...eq].map(([column, [value]]) => [column, value]));
}

/** What a read takes when the definition does not say: an early end of its pages, the order that it has names for. */
export function acceptedBy(select: HttpVerb | undefined, given: ResourceTable["accepts"]): ResourceTable["accepts"] {
  if (select === undefined) return given;
  const asksForLimit = select.page !== undefined || mentions(select, "$limit");
  const names = Object.keys(select.orderBy ?? {});
  return { ...(asksForLimit && { limit: true }), ...(names.length > 0 && { orderBy: names }), ...given };
}

function mentions({ path, query, headers, body, form }: HttpVerb, placeholder: string): boolean {
  return [path, query, headers, body, form].some((part) =>
    templateColumns((part ?? null) as Template).includes(placeholder),
  );
}

/** An INSERT without a value for the path can't be sent: it is refused before any call of the statement. */
function withInsertArguments(
  columns: ResourceTable["columns"],
  insert: HttpVerb | undefined,
): ResourceTable["columns"] {
  if (insert === undefined) return columns;
  const needed = new Set(templateColumns(insert.path));
  return columns.map((column) => (needed.has(column.name) ? { ...column, insertArgument: column.name } : column));
}

/** @throws TypeError for a header that can't be sent; its value is not shown, since it may be a secret */
function fixedHeaders(service: HttpService, options: HttpOptions): Readonly<Record<string, string>> {
  const headers = { ...lowerCased(service.headers ?? {}), ...lowerCased(options.headers ?? {}) };
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\x20-\x7e\t]*$/.test(value))
      throw new TypeError(`service "${service.service}": header ${JSON.stringify(name)} can't be sent`);
  }
  return headers;
}

function senderOf(service: HttpService, base: RequestBase, options: HttpOptions): Sender {
  const secrets = new Secrets(service.service, options.env);
  // Looked up at each call, so that a program may put another fetch in place; called without `this`, which browsers want.
  const fetch: typeof globalThis.fetch = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);
  for (const value of Object.values(options.headers ?? {})) secrets.remember(value);
  return {
    service: service.service,
    authorizer: authorizerOf(service, secrets, fetch),
    secrets,
    fetch,
    hasCredentials: service.auth !== undefined || Object.keys(base.headers).length > 0,
  };
}
