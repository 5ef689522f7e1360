/** Checks what a definition says of its requests when the resource is made: a mistake would show at the first call. */
import type { ResourceTable } from "../../resource.js";
import { type Template, templateColumns } from "../template.js";
import { answerPath } from "./answer-path.js";
import { batchColumns, qualPlaceholder } from "./call-values.js";
import type { HttpPaging, HttpQueryValue, HttpVerb, HttpVerbs } from "./definition.js";
import { hasRows } from "./placeholders.js";
import { joinOf } from "./request.js";

type VerbName = keyof HttpVerbs;
type Fail = (problem: string) => never;
type Checked = Pick<ResourceTable, "name" | "columns" | "primaryKey" | "batch" | "keyAlternatives" | "accepts">;

/**
 * @param table the resource as it will be
 * @throws TypeError naming the resource, the verb and what is wrong
 */
export function checkVerbs(table: Checked, verbs: HttpVerbs): void {
  for (const name of ["select", "insert", "update", "delete"] as const) {
    const verb = verbs[name];
    if (verb === undefined) continue;
    const fail: Fail = (problem) => {
      throw new TypeError(`resource "${table.name}", ${name}: ${problem}`);
    };
    checkRequest(verb, fail);
    checkPlaceholders(verb, name, table, fail);
    checkAnswer(verb, table, fail);
    if (name === "select") checkRead(verb, table, fail);
    else checkWrite(verb, name, table, fail);
  }
}

function checkRequest(verb: HttpVerb, fail: Fail): void {
  const { method, path, body, form } = verb;
  if (!["GET", "POST", "PUT", "PATCH", "DELETE"].includes(method)) fail(`there is no method ${JSON.stringify(method)}`);
  if (path !== "" && !path.startsWith("/")) fail(`the path ${JSON.stringify(path)} must begin with /`);
  if (/[?#\\\s]/.test(path.replace(/\{[^{}]*\}/g, "")))
    fail(`the path ${JSON.stringify(path)} must not hold ?, #, \\ or blanks; parameters go into query`);
  if (path.split("/").some((segment) => segment === "." || segment === ".."))
    fail(`the path ${JSON.stringify(path)} must not hold . or .. as a segment`);
  if (body !== undefined && form !== undefined) fail("it has a body and a form; a request has one of them");
  if (method === "GET" && (body !== undefined || form !== undefined)) fail("a GET request has no body");
  for (const name of Object.keys(verb.headers ?? {}))
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) fail(`${JSON.stringify(name)} is no name of a header`);
  for (const [kind, parameters] of [["query", verb.query ?? {}] as const, ["form", form ?? {}] as const])
    for (const [name, value] of Object.entries(parameters))
      if (!isParameter(value))
        fail(`${kind} "${name}" must be a text, a number, a boolean, a list of them, or { value, join }`);
}

function isParameter(value: HttpQueryValue): boolean {
  const isSimple = (item: unknown) => ["string", "number", "boolean"].includes(typeof item);
  const template = joinOf(value) === undefined ? value : (value as { value: Template }).value;
  return Array.isArray(template) ? template.every(isSimple) : isSimple(template);
}

/** Every placeholder of a verb, and in which part it stands. */
function placeholdersOf(verb: HttpVerb): { readonly name: string; readonly part: "path" | "request" }[] {
  const parameters = [...Object.values(verb.query ?? {}), ...Object.values(verb.form ?? {})].map((value) =>
    joinOf(value) === undefined ? (value as Template) : (value as { value: Template }).value,
  );
  const rest = [...parameters, ...Object.values(verb.headers ?? {}), ...(verb.body === undefined ? [] : [verb.body])];
  return [
    ...templateColumns(verb.path).map((name) => ({ name, part: "path" as const })),
    ...rest.flatMap(templateColumns).map((name) => ({ name, part: "request" as const })),
  ];
}

function checkPlaceholders(verb: HttpVerb, name: VerbName, table: Checked, fail: Fail): void {
  const known = new Set(table.columns.map((column) => column.name));
  if (name === "select") {
    for (const special of ["$limit", "$orderBy", "$direction", "$columns"]) known.add(special);
    for (const column of table.columns)
      for (const operator of column.operators ?? []) known.add(qualPlaceholder(column.name, operator));
  } else known.add("$idempotencyKey");
  const strange = placeholdersOf(verb).find((placeholder) => !known.has(placeholder.name));
  if (strange !== undefined)
    fail(`{${strange.name}} is no column, no operator that a column declares, and nothing a ${name} has`);
}

function checkAnswer({ rows, fields, errors }: HttpVerb, { columns }: Checked, fail: Fail): void {
  const path = (what: string, text: string) => {
    try {
      answerPath(text);
    } catch (error) {
      fail(`${what}: ${(error as Error).message}`);
    }
  };
  if (rows !== undefined) path("rows", rows);
  if (errors?.failed !== undefined) path("errors.failed", errors.failed);
  if (errors?.message !== undefined) path("errors.message", errors.message);
  for (const [column, text] of Object.entries(fields ?? {})) {
    if (!columns.some(({ name }) => name === column)) fail(`fields: column "${column}" does not exist`);
    path(`fields.${column}`, text);
  }
  for (const status of [...(errors?.empty ?? []), ...(errors?.retryable ?? [])])
    if (!Number.isInteger(status) || status < 300 || status > 599) fail(`errors: ${status} is no status of a failure`);
}

function checkRead(verb: HttpVerb, table: Checked, fail: Fail): void {
  if (hasRows(verb.body)) fail('{ "$rows": … } is for an insert with batch: { insert: true }');
  const placeholders = placeholdersOf(verb);
  const batch = batchColumns(table);
  for (const { name } of placeholders.filter(({ part }) => part === "path")) {
    if (table.columns.find((column) => column.name === name)?.requiredKey !== true)
      fail(`the path needs {${name}}, so "${name}" must be a required key`);
    if (batch.has(name)) fail(`the path takes one value of "${name}", so its values can't be batched`);
  }
  const has = (name: string) => placeholders.some((placeholder) => placeholder.name === name);
  const names = Object.keys(verb.orderBy ?? {});
  const strange = names.find((name) => !table.columns.some((column) => column.name === name));
  if (strange !== undefined) fail(`orderBy: column "${strange}" does not exist`);
  if (names.length > 0 && !(has("$orderBy") && has("$direction")))
    fail("it lists columns to order by, so the request must hold {$orderBy} and {$direction}");
  const unnamed = table.accepts?.orderBy?.find((name) => !names.includes(name));
  if (unnamed !== undefined) fail(`accepts.orderBy: orderBy does not say how the service calls "${unnamed}"`);
  if (verb.page !== undefined) checkPaging(verb, verb.page, has("$limit"), fail);
}

function checkPaging(verb: HttpVerb, page: HttpPaging, hasLimit: boolean, fail: Fail): void {
  if (page.kind === "cursor" && page.in === "body") {
    if (verb.method === "GET" || verb.form !== undefined)
      fail("page: the cursor goes into a JSON body, which there is none of");
  }
  if (page.kind === "cursor" || page.kind === "url") {
    try {
      answerPath(page.next);
    } catch (error) {
      fail(`page.next: ${(error as Error).message}`);
    }
  }
  if (page.kind !== "page" && page.kind !== "offset") return;
  if (page.size !== undefined && !(Number.isInteger(page.size) && page.size > 0))
    fail(`page.size must be a whole number above 0, not ${page.size}`);
  if (page.kind === "offset" && page.size === undefined) fail("page: rows that are counted need a size");
  // A page is known to be the last by its number of rows.
  if (hasLimit) fail("{$limit} would change the size of the pages: use sizeParameter");
  if (!answerPath(verb.rows ?? "@").keepsAll)
    fail(`rows: ${JSON.stringify(verb.rows)} may leave rows out, so that a full page can't be told from the last one`);
}

function checkWrite(verb: HttpVerb, name: VerbName, table: Checked, fail: Fail): void {
  if (verb.page !== undefined) fail("a write has no pages");
  const takesRows = name === "insert" && table.batch?.insert === true;
  if (takesRows && !hasRows(verb.body)) fail('batch.insert needs a place for the rows in the body: { "$rows": … }');
  if (!takesRows && hasRows(verb.body)) fail('{ "$rows": … } is for an insert with batch: { insert: true }');
  if (name === "insert") return;
  const keys = table.primaryKey ?? [];
  const placeholders = placeholdersOf(verb);
  const missing = keys.find((key) => !placeholders.some((placeholder) => placeholder.name === key));
  // Without it, the request would mean other rows as well.
  if (missing !== undefined) fail(`the request does not say which row: {${missing}} of the primary key is not in it`);
  for (const { name: column, part } of placeholders)
    if (part === "path" && !keys.includes(column)) fail(`the path needs {${column}}, which is not in the primary key`);
}
