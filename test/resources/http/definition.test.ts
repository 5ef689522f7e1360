/** Mistakes in a definition are told when the resource is made, naming resource, verb and mistake. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answerPath } from "../../../src/resources/connectors/http/answer-path.js";
import { retryAfterMs } from "../../../src/resources/connectors/http/errors.js";
import { nextLink } from "../../../src/resources/connectors/http/link-header.js";
import { type HttpTable, httpDatabase } from "../../support/http-database.js";

const schema = z.object({ repo: z.string(), id: z.int(), note: z.string().optional() });
const get = (more: object): HttpTable["verbs"] => ({ select: { method: "GET", path: "/x", ...more } });
const url = "http://127.0.0.1:1";

describe("refused", () => {
  const cases: { name: string; table: Partial<HttpTable>; baseUrl?: string; message: string }[] = [
    {
      name: "a path with a query",
      table: { verbs: get({ path: "/x?a=1" }) },
      message: 'resource "t", select: the path "/x?a=1" must not hold ?, #, \\ or blanks; parameters go into query',
    },
    {
      name: "a path without slash",
      table: { verbs: get({ path: "x" }) },
      message: 'resource "t", select: the path "x" must begin with /',
    },
    {
      name: "dots in the path",
      table: { verbs: get({ path: "/a/../b" }) },
      message: 'resource "t", select: the path "/a/../b" must not hold . or .. as a segment',
    },
    {
      name: "a placeholder that is no column",
      table: { verbs: get({ query: { a: "{nope}" } }) },
      message:
        'resource "t", select: {nope} is no column, no operator that a column declares, and nothing a select has',
    },
    {
      name: "an operator that no column declares",
      table: { verbs: get({ query: { a: "{id >=}" } }) },
      message:
        'resource "t", select: {id >=} is no column, no operator that a column declares, and nothing a select has',
    },
    {
      name: "an optional column in the path",
      table: { verbs: get({ path: "/{id}" }) },
      message: 'resource "t", select: the path needs {id}, so "id" must be a required key',
    },
    {
      name: "a batched key in the path",
      table: { keys: ["id"], batch: { keys: true }, verbs: get({ path: "/{id}" }) },
      message: 'resource "t", select: the path takes one value of "id", so its values can\'t be batched',
    },
    {
      name: "a GET with a body",
      table: { verbs: get({ body: {} }) },
      message: 'resource "t", select: a GET request has no body',
    },
    {
      name: "body and form",
      table: { verbs: { insert: { method: "POST", path: "/", body: {}, form: {} } } },
      message: 'resource "t", insert: it has a body and a form; a request has one of them',
    },
    {
      name: "pages of a write",
      table: { verbs: { insert: { method: "POST", path: "/", page: { kind: "link" } } } },
      message: 'resource "t", insert: a write has no pages',
    },
    {
      name: "a write that does not say which row",
      table: { primaryKey: ["repo", "id"], verbs: { delete: { method: "DELETE", path: "/{id}" } } },
      message: 'resource "t", delete: the request does not say which row: {repo} of the primary key is not in it',
    },
    {
      name: "an object in the query",
      table: { verbs: get({ query: { a: { b: "{id}" } } }) },
      message:
        'resource "t", select: query "a" must be a text, a number, a boolean, a list of them, or { value, join }',
    },
    {
      name: "a header's name",
      table: { verbs: get({ headers: { "X Y": "1" } }) },
      message: 'resource "t", select: "X Y" is no name of a header',
    },
    {
      name: "a path of rows",
      table: { verbs: get({ rows: "$..items" }) },
      message:
        'resource "t", select: rows: "$..items" is a JSONPath that is not supported from "..items" on; the steps .name, [\'name\'], [0] and [*] are, and any JMESPath (which does not begin with $)',
    },
    {
      name: "a path that computes by accident",
      table: { verbs: get({ fields: { note: "html-url" } }) },
      message:
        'resource "t", select: fields.note: "html-url" computes, which is left to SQL; a name with other characters than letters, digits and _ is written in double quotes, such as "html-url"',
    },
    {
      name: "a field of no column",
      table: { verbs: get({ fields: { nope: "a" } }) },
      message: 'resource "t", select: fields: column "nope" does not exist',
    },
    {
      name: "numbered pages of rows that are left out",
      table: { verbs: get({ rows: "[?a]", page: { kind: "page", parameter: "p", size: 2 } }) },
      message:
        'resource "t", select: rows: "[?a]" may leave rows out, so that a full page can\'t be told from the last one',
    },
    {
      name: "numbered pages of a size that a limit changes",
      table: { verbs: get({ query: { n: "{$limit}" }, page: { kind: "page", parameter: "p", size: 2 } }) },
      message: 'resource "t", select: {$limit} would change the size of the pages: use sizeParameter',
    },
    {
      name: "an order that the request does not say",
      table: { verbs: get({ orderBy: { id: "id" } }) },
      message:
        'resource "t", select: it lists columns to order by, so the request must hold {$orderBy} and {$direction}',
    },
    {
      name: "a cursor in the body of a GET",
      table: { verbs: get({ page: { kind: "cursor", next: "n", parameter: "c", in: "body" } }) },
      message: 'resource "t", select: page: the cursor goes into a JSON body, which there is none of',
    },
    {
      name: "a status",
      table: { verbs: get({ errors: { empty: [200] } }) },
      message: 'resource "t", select: errors: 200 is no status of a failure',
    },
    {
      name: "one request for many inserts",
      table: { batch: { insert: true }, verbs: { insert: { method: "POST", path: "/" } } },
      message: 'resource "t", insert: batch.insert needs a place for the rows in the body: { "$rows": … }',
    },
    {
      name: "a relative base address",
      table: { verbs: get({}) },
      baseUrl: "/v1",
      message: 'service "svc": baseUrl "/v1" must be an absolute address, such as https://api.example.com/v1',
    },
    {
      name: "a base address with a password",
      table: { verbs: get({}) },
      baseUrl: "http://u:p@h/",
      message: 'service "svc": baseUrl must not hold a user or password: use auth, such as https://api.example.com/v1',
    },
    {
      name: "a base address with a query",
      table: { verbs: get({}) },
      baseUrl: "http://h/?a",
      message: 'service "svc": baseUrl must not have a query or a fragment, such as https://api.example.com/v1',
    },
    {
      name: "a base address of another scheme",
      table: { verbs: get({}) },
      baseUrl: "ftp://h/",
      message: 'service "svc": baseUrl must begin with https:// or http://, such as https://api.example.com/v1',
    },
  ];

  test("a header of the host that can't be sent, without showing it", async () => {
    const table = { schema, verbs: get({}), options: { headers: { "X-Key": "secret\r\nX: 1" } } };
    await expect(httpDatabase(url, table)).rejects.toThrow(
      new TypeError('service "svc": header "x-key" can\'t be sent'),
    );
  });

  test.each(cases)("$name", async ({ table, baseUrl = url, message }) => {
    await expect(httpDatabase(baseUrl, { schema, verbs: {}, ...table })).rejects.toThrow(new TypeError(message));
  });
});

describe("paths", () => {
  const answer = { value: { a: { "b c": [{ x: 1 }, { x: null }] }, "it's": 2, n: null }, hasLongNumbers: false };
  test.each([
    { path: "$", found: answer.value },
    { path: "@", found: answer.value },
    { path: "$.a['b c'][0].x", found: 1 },
    { path: '$["a"]["b c"][*]', found: [{ x: 1 }, { x: null }] },
    { path: "$.a['b c'][*].x", found: [1] },
    { path: "$['it\\'s']", found: 2 },
    { path: 'a."b c"[-1]', found: { x: null } },
    { path: "n", found: null },
    { path: "a.missing", found: undefined },
    { path: "a.constructor", found: undefined },
    { path: 'length(a."b c")', found: 2 },
  ])("$path", ({ path, found }) => {
    expect(answerPath(path).find(answer)).toEqual(found);
  });

  test.each(["$.a[1:2]", "$[?(@.x)]", "$.a..b", "$a", "a[", "nosuch(a)", ""])("%s is refused", (path) => {
    expect(() => answerPath(path)).toThrow(TypeError);
  });
});

test.each([
  { header: null, next: undefined },
  { header: '<https://a/b?c=1,2>; rel="next"', next: "https://a/b?c=1,2" },
  { header: "<a>; rel=prev, <b>; rel=next", next: "b" },
  { header: '<a>; title="x, <y>; rel=next"; rel="last", <b>;rel="first Next"', next: "b" },
  { header: '<a>; rel="prev"', next: undefined },
  { header: "nonsense", next: undefined },
])("Link: $header", ({ header, next }) => {
  expect(nextLink(header)).toBe(next);
});

test.each([
  { header: null, ms: undefined },
  { header: "0", ms: 0 },
  { header: " 120 ", ms: 120_000 },
  { header: "1.5", ms: 1500 },
  { header: "Thu, 01 Jan 2026 00:00:30 GMT", ms: 30_000 },
  { header: "Thu, 01 Jan 2026 00:00:00 GMT", ms: 0 },
  { header: "Wed, 31 Dec 2025 00:00:00 GMT", ms: 0 },
  { header: "soon", ms: undefined },
  { header: "-5", ms: undefined },
])("Retry-After: $header", ({ header, ms }) => {
  expect(retryAfterMs(header, Date.parse("2026-01-01T00:00:00Z"))).toBe(ms);
});
