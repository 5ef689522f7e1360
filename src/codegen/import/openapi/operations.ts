/** Operations of an OpenAPI document: what method and path say that they do, what they take and answer. */
import { objectShape } from "../../../json-schema/object-shape.js";
import { isJsonSchema, type JsonSchemaNode } from "../../../json-schema/schema.js";
import { answerOf } from "../answer.js";
import { actionOf, singularWords } from "../classify.js";
import type { Action, Operation, Parameter, Skipped } from "../operation.js";
import { columnName, firstSentence, isPlural, oneLine, wordsOf } from "../words.js";
import { type OpenApiDocument, type Part, partOf, textOf } from "./document.js";
import { headersOf, type RecognisedPaging, recognisePaging } from "./paging.js";
import { isJson, requestParameters } from "./request-parameters.js";

/** An operation with what its request needs beside the parameters. */
export interface HttpOperation extends Operation {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly paging?: RecognisedPaging;
  /** The answer of success has a flag that says whether it is one. */
  readonly hasOkFlag: boolean;
}

/** What a document has: operations that can be tables, and the rest with the reason. */
export interface ReadOperations {
  readonly operations: readonly HttpOperation[];
  readonly skipped: readonly Skipped[];
  readonly count: number;
}

const methods = ["get", "post", "put", "patch", "delete"] as const;
type Method = (typeof methods)[number];

/** @param secrets `place:name` of parameters that carry the connector's secret */
export function readOperations(document: OpenApiDocument, secrets: ReadonlySet<string>): ReadOperations {
  const { root } = document;
  const skipped: Skipped[] = [];
  const operations: HttpOperation[] = [];
  let count = 0;
  const paths = Object.entries(partOf(root["paths"], root));
  const collections = collectionEntities(paths.map(([path]) => path));
  for (const [path, value] of paths) {
    const item = partOf(value, root);
    for (const [method, part] of Object.entries(item)) {
      if (!isJsonSchema(part)) continue;
      if (["head", "options", "trace"].includes(method)) {
        count++;
        skipped.push({
          operation: `${method.toUpperCase()} ${path}`,
          reason: "no verb of a table stands for this method",
        });
      }
      if (!methods.includes(method as Method)) continue;
      count++;
      const read = operationOf(document, item, part, method as Method, path, collections, secrets);
      if ("reason" in read) skipped.push(read);
      else operations.push(read);
      if (Object.keys(partOf(part["callbacks"], root)).length > 0)
        skipped.push({ operation: `${idOf(part, method, path)} (callbacks)`, reason: "the service would call us" });
    }
  }
  for (const name of Object.keys(partOf(root["webhooks"], root))) {
    count++;
    skipped.push({ operation: `webhook ${name}`, reason: "the service would call us" });
  }
  return { operations, skipped, count };
}

function idOf(part: Part, method: string, path: string): string {
  return textOf(part["operationId"]) ?? `${method} ${path}`;
}

function operationOf(
  document: OpenApiDocument,
  item: Part,
  part: Part,
  method: Method,
  path: string,
  collections: ReadonlyMap<string, readonly string[]>,
  secrets: ReadonlySet<string>,
): HttpOperation | Skipped {
  const { root } = document;
  const id = idOf(part, method, path);
  const request = requestParameters(document, item, part, method, path, secrets);
  if (request.unsupported !== undefined) return { operation: id, reason: request.unsupported };
  const response = successOf(document, part);
  const first = readPath(method, path, collections, undefined);
  const guess = response.schema === undefined ? undefined : answerOf(response.schema, root, first.entity);
  const { action, entity, reads } = readPath(method, path, collections, guess?.many);
  if (reads && response.types.length > 0 && !response.types.some(isJson))
    return { operation: id, reason: `it answers ${response.types.join(", ")}, not JSON` };
  if (reads && response.types.length === 0 && response.schema === undefined)
    return { operation: id, reason: "its answer has no content" };
  if (method === "get" && request.parameters.some(({ place }) => place === "body" || place === "form"))
    return { operation: id, reason: "it is a GET with a body" };
  if (request.parameters.some(({ place, name }) => place === "path" && !path.includes(`{${name}}`)))
    return { operation: id, reason: "a parameter of its path is not in the path" };
  const answer = response.schema === undefined ? undefined : answerOf(response.schema, root, entity);
  const paging =
    reads && (answer === undefined || answer.many)
      ? recognisePaging(request.parameters, response.schema, root, response.headers)
      : undefined;
  const words = [textOf(part["summary"]), textOf(part.description)].filter((text) => text !== undefined);
  return {
    id,
    action,
    entity,
    reads,
    description: descriptionOf(words) ?? id,
    parameters: withOwners(request.parameters, path).filter((parameter) => paging?.taken.has(parameter) !== true),
    answer,
    notes: [
      ...(paging?.notes ?? []),
      ...(part["deprecated"] === true ? ["the document calls this operation deprecated"] : []),
    ],
    method,
    path,
    headers: request.headers,
    ...(paging !== undefined && { paging }),
    hasOkFlag: response.schema !== undefined && objectShape(response.schema, root).properties.has("ok"),
  };
}

/** The summary, and the description's first words where they say more. */
function descriptionOf(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const [summary, description] = words.map(oneLine);
  if (description === undefined || summary.length > 40 || description.startsWith(summary)) {
    return description?.startsWith(summary) ? firstSentence(description) : summary;
  }
  return `${summary.replace(/\.$/, "")}. ${firstSentence(description)}`;
}

interface Response {
  readonly schema?: JsonSchemaNode;
  readonly types: readonly string[];
  readonly headers: Part;
}

/** The answer of success: 200 before others of its class, and `default` when there is no other. */
function successOf({ version, root }: OpenApiDocument, operation: Part): Response {
  const responses = partOf(operation["responses"], root);
  const codes = Object.keys(responses)
    .filter((code) => /^2(\d\d|XX)$/i.test(code))
    .sort();
  const found = codes.map((code) => partOf(responses[code], root));
  const fitting = found.find(
    (one) => one["schema"] !== undefined || Object.keys(partOf(one["content"], root)).length > 0,
  );
  const response = fitting ?? found[0] ?? {};
  const headers = headersOf(response, root);
  if (version === "2.0") {
    const schema = response["schema"];
    const produces = operation["produces"] ?? root["produces"];
    const types = Array.isArray(produces) && schema !== undefined ? produces.map(String) : [];
    return { ...(isJsonSchema(schema) && { schema }), types, headers };
  }
  const content = partOf(response["content"], root);
  const types = Object.keys(content);
  const json = types.find(isJson) ?? types.find((type) => type === "*/*");
  const schema = json === undefined ? undefined : partOf(content[json], root)["schema"];
  // `*/*` says nothing of the form; JSON is what it is taken for.
  const known = types.map((type) => (type === "*/*" ? "application/json" : type));
  return { ...(isJsonSchema(schema) && { schema }), types: known, headers };
}

/** `id` in `/users/{id}/posts` belongs to the user: as a column it is `user_id`. */
function withOwners(parameters: readonly Parameter[], path: string): Parameter[] {
  const segments = path.split("/").filter((segment) => segment !== "");
  return parameters.map((parameter) => {
    if (parameter.place !== "path") return parameter;
    const at = segments.indexOf(`{${parameter.name}}`);
    const owner = segments[at - 1];
    const isOfItem = at === segments.length - 1;
    const isGeneric = /^(id|name|key|slug|uuid|number|code)$/.test(columnName(parameter.name));
    if (isOfItem || !isGeneric || owner === undefined || owner.startsWith("{")) return parameter;
    return { ...parameter, columnName: [...singularWords(wordsOf(owner)), parameter.name].join("_") };
  });
}

/** Last words of paths that say what is done to a thing, whatever the method. */
const doings: ReadonlySet<string> = new Set(
  "merge move archive unarchive close reopen lock unlock star unstar cancel publish unpublish start stop pause resume approve reject send".split(
    " ",
  ),
);

interface PathReading {
  readonly action: Action;
  readonly entity: readonly string[];
  readonly reads: boolean;
}

/** @param many whether the answer is a list; undefined when that is not known */
function readPath(
  method: Method,
  path: string,
  collections: ReadonlyMap<string, readonly string[]>,
  many: boolean | undefined,
): PathReading {
  const segments = segmentsOf(path);
  const last = segments.at(-1) ?? "";
  const entity = collections.get(collectionOf(path)) ?? [];
  if (isParameter(last)) return { ...itemAction(method), entity };
  const rpc = last.includes(".") ? readRpc(method, last) : undefined;
  if (rpc !== undefined) return rpc;
  const words = wordsOf(last);
  const named = actionOf(words[0] ?? "");
  const parent = segments.slice(0, -1).filter((segment) => !isParameter(segment));
  const parentEntity = singularWords(wordsOf(parent.at(-1) ?? ""));
  if (named !== undefined && parent.length > 0) {
    const isRead = ["list", "search", "get"].includes(named) && (method === "get" || method === "post");
    if (isRead)
      return { action: words.length === 1 || named === "get" ? named : "search", entity: parentEntity, reads: true };
    if (method !== "get") return { action: named, entity: parentEntity, reads: false };
  }
  const isSearch = actionOf(parent.at(-1) ?? "") === "search";
  if (method !== "get" && words.length === 1 && doings.has(words[0])) return { action: "other", entity, reads: false };
  switch (method) {
    case "get":
      if (isSearch) return { action: "search", entity, reads: true };
      return { action: (many ?? isPlural(words.at(-1) ?? "")) ? "list" : "get", entity, reads: true };
    case "post":
      // `/pages/{id}/move` does something to a page; `/pages/{id}/comments` makes a comment.
      return isParameter(segments.at(-2) ?? "") && !isPlural(words.at(-1) ?? "")
        ? { action: "other", entity, reads: false }
        : { action: "create", entity, reads: false };
    default:
      return { ...itemAction(method), entity };
  }
}

function itemAction(method: Method): { action: Action; reads: boolean } {
  if (method === "get") return { action: "get", reads: true };
  return { action: method === "delete" ? "delete" : "update", reads: false };
}

/** `conversations.list`, `chat.postMessage`, `search.messages`. */
function readRpc(method: Method, name: string): PathReading {
  const [subject, ...rest] = name.split(".").map(wordsOf);
  const words = rest.flat();
  const thing = singularWords(subject);
  const reads = method === "get";
  if (subject.length === 1 && actionOf(subject[0]) === "search")
    return { action: "search", entity: singularWords(words), reads };
  const action = actionOf(words[0] ?? "");
  if (action === undefined) {
    return {
      action: reads ? (isPlural(words.at(-1) ?? "") ? "list" : "get") : "other",
      entity: [...thing, ...singularWords(words)],
      reads,
    };
  }
  const isRead = ["list", "search", "get"].includes(action);
  if (isRead !== reads) return { action: "other", entity: thing, reads };
  const object = words.slice(1);
  if (object.length === 0 || isRead) return { action, entity: thing, reads };
  return { action, entity: [...thing, ...singularWords(object)], reads };
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && !/^(v\d+(\.\d+)*|api|rest)$/i.test(segment));
}

function isParameter(segment: string): boolean {
  return /\{[^{}]+\}/.test(segment);
}

/** The path without a last parameter: `/issues/{number}` and `/issues` are of one collection. */
function collectionOf(path: string): string {
  const segments = segmentsOf(path);
  while (segments.length > 0 && isParameter(segments[segments.length - 1])) segments.pop();
  return segments.map((segment) => (isParameter(segment) ? "{}" : segment)).join("/");
}

/**
 * Words for the things of each collection. Where two collections end in the same word, the one nearest to the root keeps
 * it and the others add the one they belong to: labels of a repository are `label`, those of an issue `issue label`.
 */
function collectionEntities(paths: readonly string[]): Map<string, readonly string[]> {
  const byWord = new Map<string, string[]>();
  for (const collection of new Set(paths.map(collectionOf))) {
    const word = singularWords(wordsOf(collection.split("/").at(-1) ?? "")).join(" ");
    byWord.set(word, [...(byWord.get(word) ?? []), collection]);
  }
  const entities = new Map<string, readonly string[]>();
  for (const [word, collections] of byWord) {
    const ordered = [...collections].sort((a, b) => a.split("/").length - b.split("/").length);
    ordered.forEach((collection, index) => {
      const parents = collection
        .split("/")
        .slice(0, -1)
        .filter((segment) => segment !== "{}");
      const own = word.split(" ").filter((part) => part !== "");
      const parent = singularWords(wordsOf(parents.at(-1) ?? ""));
      const alone = own.length === 1 && ["me", "self", "current", "search", "property", "children"].includes(own[0]);
      const isSearch = parent.length === 1 && actionOf(parent[0]) !== undefined;
      entities.set(collection, (index > 0 || alone) && parent.length > 0 && !isSearch ? [...parent, ...own] : own);
    });
  }
  return entities;
}
