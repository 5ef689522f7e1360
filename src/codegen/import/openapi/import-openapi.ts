/** An OpenAPI document as a manifest: one table an entity, one operation a verb. */
import { assembleAll, type BoundOperation } from "../assemble.js";
import type { ManifestDraft, Note, Yaml } from "../draft.js";
import { groupOperations } from "../group.js";
import type { Parameter } from "../operation.js";
import { firstSentence, oneLine, wordsOf } from "../words.js";
import { type OpenApiDocument, partOf, readOpenApi, textOf } from "./document.js";
import { type HttpOperation, readOperations } from "./operations.js";
import { wholeBody } from "./request-parameters.js";
import { authorizationOf, serverOf, serviceName } from "./service.js";

/** What an importer of a document is told beside it. */
export interface OpenApiImportOptions {
  /** Name of the service: prefix of the tables. Default: from the document's title. */
  readonly service?: string;
  /** Address of the service, where the document's own is missing, relative or another. */
  readonly baseUrl?: string;
  /** Name of the file, for messages and the comment at the top. */
  readonly file: string;
}

/**
 * The draft of a manifest for the text of a document, JSON or YAML.
 * @throws Error that says why the document can't be read
 */
export async function importOpenApi(text: string, options: OpenApiImportOptions): Promise<ManifestDraft> {
  return draftOf(await readOpenApi(text, options.file), options);
}

function draftOf(document: OpenApiDocument, options: OpenApiImportOptions): ManifestDraft {
  const { root } = document;
  const info = partOf(root["info"], root);
  const service = options.service ?? serviceName(root);
  const server = serverOf(document, options.baseUrl);
  const authorization = authorizationOf(document, service);
  const { operations, skipped, count } = readOperations(document, authorization.parameters);
  const shared = sharedHeaders(operations);
  const words = textOf(info.description);
  const flagged = operations.filter((operation) => operation.hasOkFlag);
  const notes: Note[] = [...server.notes, ...authorization.notes];
  if (flagged.length > 0) {
    const text = `answers of ${flagged.length} operations have a flag "ok": a failure may come with status 200, and then looks like a success of a write`;
    notes.push({ at: ["connector"], text });
  }
  const title = oneLine(textOf(info["title"]) ?? service);
  return {
    service,
    description: words === undefined || words.length > 400 ? title : firstSentence(words),
    source: `Imported from ${options.file} (OpenAPI ${document.version}, "${title}") by glove-gen import openapi.`,
    connector: {
      kind: "http",
      baseUrl: server.baseUrl,
      ...(authorization.auth !== undefined && { auth: authorization.auth }),
      ...(shared.size > 0 && { headers: Object.fromEntries(shared) }),
    },
    resources: assembleAll(groupOperations(operations, wordsOf(service)), (bound) =>
      writeVerb(bound, bound.operation as HttpOperation, shared),
    ),
    notes,
    skipped,
    operations: count,
  };
}

/** Headers with one value that every operation which has them agrees on. */
function sharedHeaders(operations: readonly HttpOperation[]): Map<string, string> {
  const values = new Map<string, Set<string>>();
  for (const { headers } of operations)
    for (const [name, value] of headers) values.set(name, (values.get(name) ?? new Set()).add(value));
  return new Map([...values].flatMap(([name, set]) => (set.size === 1 ? [[name, [...set][0]]] : [])));
}

/** A verb of the `http` connector. */
function writeVerb(bound: BoundOperation, operation: HttpOperation, shared: ReadonlyMap<string, string>) {
  const { columnOf, fields, verb } = bound;
  const { method, answer, paging } = operation;
  let path = operation.path.startsWith("/") ? operation.path : `/${operation.path}`;
  const query: Record<string, Yaml> = {};
  const headers: Record<string, Yaml> = {};
  for (const [name, value] of operation.headers) if (!shared.has(name)) headers[name] = value;
  for (const [parameter, column] of columnOf) {
    const value = `{${column}}`;
    if (parameter.place === "path") path = path.replaceAll(`{${parameter.name}}`, value);
    else if (parameter.place === "query")
      query[parameter.name] = parameter.join === undefined ? value : { value, join: parameter.join };
    else if (parameter.place === "header") headers[parameter.name] = value;
  }
  for (const [name, value] of paging?.constants ?? []) query[name] = value;
  const rows = (answer?.path ?? []).map(pathStep).join(".");
  const isRead = verb === "select" || fields.size > 0;
  return {
    verb: {
      [method]: path,
      ...(Object.keys(query).length > 0 && { query }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...bodyOf(columnOf),
      ...(paging?.page !== undefined && verb === "select" && { page: paging.page }),
      ...(isRead && rows !== "" && { rows }),
      ...(fields.size > 0 && {
        fields: Object.fromEntries(
          [...fields].map(([column, property]) => [column, property === undefined ? "@" : pathStep(property)]),
        ),
      }),
    },
    notes: [],
  };
}

/** A name in JMESPath. */
function pathStep(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function bodyOf(columnOf: ReadonlyMap<Parameter, string>): { body?: Yaml; form?: Yaml } {
  const part = (place: "body" | "form"): Yaml | undefined => {
    const entries = [...columnOf].filter(([parameter]) => parameter.place === place);
    if (entries.length === 0) return undefined;
    const whole = entries.find(([parameter]) => parameter.name === wholeBody);
    if (whole !== undefined) return `{${whole[1]}}`;
    const fields = Object.fromEntries(entries.map(([parameter, column]) => [parameter.name, `{${column}}`]));
    return entries.some(([parameter]) => parameter.inListOf !== undefined) ? [fields] : fields;
  };
  const body = part("body");
  const form = part("form");
  return { ...(body !== undefined && { body }), ...(form !== undefined && body === undefined && { form }) };
}
