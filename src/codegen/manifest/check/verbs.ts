/** Checks the verbs of a resource: templates, paths into answers, and that what is declared is passed on. */

import { answerPath } from "../../../resources/connectors/http/answer-path.js";
import { checkVerbs } from "../../../resources/connectors/http/check-verbs.js";
import { checkPages } from "../../../resources/connectors/mcp.js";
import type { ResourceTable } from "../../../resources/resource.js";
import type { HttpVerbDocument, ResourceDocument } from "../format/manifest.js";
import type { ResourceModel } from "../model.js";
import type { Path, Report } from "../source.js";
import { allVerbs, placeholdersOf, verbNames } from "../verbs.js";
import { checkColumn } from "./columns.js";
import { checkHeaders } from "./connector.js";
import { checkTemplate, type Placeholders } from "./templates.js";

const readSpecials = ["$limit", "$orderBy", "$direction", "$columns"];
const writeSpecials = ["$idempotencyKey"];

/** Checks what each verb says by itself. */
export function checkVerbDocuments(
  document: ResourceDocument,
  columns: readonly string[],
  path: Path,
  report: Report,
): void {
  if (allVerbs.every((verb) => document[verb] === undefined))
    report(path, "a resource needs a verb", { hint: "Give it select, insert, update or delete.", key: true });
  if (document.batch !== undefined && allVerbs.some((verb) => isTool(document[verb])))
    report([...path, "batch"], "a call of a tool is for one row and one value of a key", { hint: "Leave batch out." });
  for (const verb of allVerbs) {
    const said = document[verb];
    if (said === undefined || said === true) continue;
    const place = [...path, verb];
    const { operators } = document;
    for (const name of Object.keys(said.fields ?? {}))
      checkColumn(name, columns, [...place, "fields", name], report, true);
    if (isTool(said)) {
      const specials = verb === "select" ? ["$limit"] : [];
      checkTemplate(said.input, { verb, columns, operators, specials }, [...place, "input"], report);
    } else {
      const specials = verb === "select" ? readSpecials : writeSpecials;
      checkHttpVerb(said, { verb, columns, operators, specials }, place, report);
    }
  }
}

type VerbDocument = ResourceDocument["select"];

function isTool(verb: VerbDocument): verb is Extract<VerbDocument, { tool: string }> {
  return typeof verb === "object" && "tool" in verb;
}

const methods = ["get", "post", "put", "patch", "delete"] as const;

function checkHttpVerb(said: HttpVerbDocument, known: Placeholders, path: Path, report: Report): void {
  const given = methods.filter((method) => said[method] !== undefined);
  if (given.length !== 1)
    report(
      path,
      given.length === 0
        ? `${known.verb} has no method`
        : `${known.verb} has ${given.join(" and ")}; it is one request`,
      {
        hint: 'Write one of get, post, put, patch, delete with a path: { get: "/items" }.',
      },
    );
  for (const method of given) {
    checkTemplate(said[method], known, [...path, method], report);
    if (said[method]?.replaceAll(/\{[^{}]*\}/g, "").includes("?"))
      report([...path, method], "the path has a query", { hint: "Put parameters into query: { name: value }." });
  }
  for (const part of ["query", "headers", "body", "form"] as const)
    checkTemplate(said[part], known, [...path, part], report);
  checkHeaders(
    said.headers,
    [...path, "headers"],
    report,
    "Use auth of the connector: it takes the secret from the environment.",
  );
  checkPath(said.rows, [...path, "rows"], report);
  for (const [name, field] of Object.entries(said.fields ?? {})) checkPath(field, [...path, "fields", name], report);
  checkPath(said.errors?.failed, [...path, "errors", "failed"], report);
  checkPath(said.errors?.message, [...path, "errors", "message"], report);
  if (said.page !== undefined && "next" in said.page) checkPath(said.page.next, [...path, "page", "next"], report);
  for (const name of Object.keys(said.orderBy ?? {}))
    checkColumn(name, known.columns, [...path, "orderBy", name], report, true);
}

function checkPath(text: string | undefined, path: Path, report: Report): void {
  if (text === undefined) return;
  try {
    answerPath(text);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [message, ...advice] = error.message.split("; ");
    const hint = advice.join("; ");
    report(path, message, hint === "" ? {} : { hint: `${hint[0].toUpperCase()}${hint.slice(1)}.` });
  }
}

/** Checks that what a resource declares is passed on by its select, and all that the connector itself would refuse. */
export function checkDeclared(model: ResourceModel, table: ResourceTable, path: Path, report: Report): void {
  if (model.verbs.kind === "http") {
    for (const verb of verbNames(model)) {
      try {
        checkVerbs(table, { [verb]: model.verbs.verbs[verb] });
      } catch (error) {
        reportRefusal(error, `resource "${table.name}", ${verb}: `, [...path, verb], report);
      }
    }
  }
  if (model.verbs.kind === "mcp") {
    try {
      checkPages({ ...table, verbs: model.verbs.verbs });
    } catch (error) {
      reportRefusal(error, `${table.name}: select: `, [...path, "select", "page"], report);
    }
  }
  const sent = verbNames(model).includes("select") ? placeholdersOf(model.verbs, "select") : undefined;
  if (sent !== undefined) checkSent(model, sent, path, report);
}

function checkSent(model: ResourceModel, sent: ReadonlySet<string>, path: Path, report: Report): void {
  for (const [index, key] of model.keys.entries())
    if (!sent.has(key))
      report([...path, "keys", index], `the key "${key}" is never sent`, { hint: `Mention {${key}} in select.` });
  for (const [column, { operators = [], argument, exact }] of Object.entries(model.columns)) {
    for (const [index, operator] of operators.entries())
      if (!sent.has(`${column} ${operator}`))
        report([...path, "operators", column, index], `${column} ${operator} is never sent`, {
          hint: `Mention {${column} ${operator}} in select.`,
        });
    // One that a write takes is there to be written; the connector refuses to search by it.
    if (argument === true && !sent.has(column) && !isWritten(model, column))
      report([...path, "arguments"], `the argument "${column}" is never sent`, {
        hint: `Mention {${column}} in select.`,
      });
    if (exact === true && !sent.has(column) && operators.length === 0)
      report([...path, "exact"], `"${column}" is exact, but never sent`, { hint: `Mention {${column}} in select.` });
  }
  if (
    model.verbs.kind === "mcp" &&
    model.accepts?.limit === true &&
    model.verbs.verbs.select?.page === undefined &&
    !sent.has("$limit")
  )
    report([...path, "accepts", "limit"], "the limit is never sent", { hint: "Mention {$limit} in select." });
}

function isWritten(model: ResourceModel, column: string): boolean {
  return verbNames(model).some((verb) => verb !== "select" && placeholdersOf(model.verbs, verb)?.has(column) !== false);
}

/** Reports what the code that will run would refuse; anything that is no refusal goes on. */
export function reportRefusal(error: unknown, prefix: string, path: Path, report: Report): void {
  if (!(error instanceof TypeError)) throw error;
  report(path, error.message.replace(prefix, ""));
}
