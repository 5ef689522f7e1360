/** OpenAPI documents as manifests: what each part becomes, what is refused, what is left out. */
import { describe, expect, test } from "vitest";
import type { ResourceDraft } from "../../../src/codegen/import/draft.js";
import { importOpenApi } from "../../../src/codegen/import/openapi/import-openapi.js";
import { writeManifest } from "../../../src/codegen/import/write-manifest.js";

const issue = {
  type: "object",
  required: ["id", "title"],
  properties: {
    id: { type: "integer", description: "Number of the issue" },
    title: { type: "string" },
    state: { type: "string", enum: ["open", "closed"] },
    parent: { $ref: "#/components/schemas/Issue" },
    createdAt: { type: "string", format: "date-time", readOnly: true },
  },
};
const json = (schema: unknown) => ({ content: { "application/json": { schema } } });
const ref = { $ref: "#/components/schemas/Issue" };
const query = (name: string, schema: object = { type: "string" }, more: object = {}) => ({
  in: "query",
  name,
  schema,
  ...more,
});

function document(paths: object, more: object = {}): string {
  return JSON.stringify({
    openapi: "3.0.3",
    info: { title: "Tracker API", version: "1" },
    servers: [{ url: "https://tracker.example.com/v1/" }],
    paths,
    components: { schemas: { Issue: issue } },
    ...more,
  });
}

const list = (parameters: object[], schema: unknown = { type: "array", items: ref }, headers?: object) => ({
  "/issues": { get: { operationId: "listIssues", parameters, responses: { 200: { ...json(schema), headers } } } },
});

const draftOf = (text: string, options: object = {}) => importOpenApi(text, { file: "tracker.json", ...options });
const tableOf = async (text: string, name: string): Promise<ResourceDraft> => {
  const found = (await draftOf(text)).resources.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`there is no table ${name}`);
  return found;
};

test("operations of one entity become one table, as a person would have written it", async () => {
  const item = { in: "path", name: "issue_id", required: true, schema: { type: "integer" } };
  const text = document({
    ...list([query("state", issue.properties.state), query("label", { type: "string" }, { description: "One label" })]),
    "/issues/{issue_id}": {
      parameters: [item],
      get: { operationId: "getIssue", summary: "One issue", responses: { 200: json(ref) } },
      patch: { operationId: "updateIssue", requestBody: json(ref), responses: { 200: json(ref) } },
      delete: { operationId: "deleteIssue", responses: { 204: { description: "gone" } } },
    },
  });
  await expect(await writeManifest(await draftOf(text))).toMatchFileSnapshot("cases/tracker.yaml");
});

describe("paging", () => {
  const page = query("page", { type: "integer" });
  const size = query("per_page", { type: "integer", maximum: 100 });
  const envelope = (more: object) => ({
    type: "object",
    properties: { items: { type: "array", items: ref }, ...more },
  });
  test.each([
    {
      name: "links",
      text: list([page, size], undefined, { Link: { schema: { type: "string" } } }),
      is: { kind: "link" },
    },
    {
      name: "numbered pages",
      text: list([page, size]),
      is: { kind: "page", parameter: "page", sizeParameter: "per_page", size: 100 },
    },
    {
      name: "a cursor",
      text: list(
        [query("cursor"), size],
        envelope({ paging: { type: "object", properties: { next_cursor: { type: "string" } } } }),
      ),
      is: { kind: "cursor", next: "paging.next_cursor", parameter: "cursor" },
    },
    {
      name: "counted rows",
      text: list([query("offset", { type: "integer" }), query("limit", { type: "integer", default: 20 })]),
      is: { kind: "offset", parameter: "offset", sizeParameter: "limit", size: 20 },
    },
    {
      name: "the next address",
      text: list([page], envelope({ next: { type: "string", format: "uri" } })),
      is: { kind: "url", next: "next" },
    },
  ])("$name", async ({ text, is }) => {
    const table = await tableOf(document(text), "issues");
    expect(table.verbs.get("select")?.["page"]).toEqual(is);
    expect(table.arguments).toEqual([]);
  });

  test("a limit that nothing continues is told", async () => {
    const table = await tableOf(document(list([query("limit", { type: "integer" })])), "issues");
    expect(table.notes.filter((note) => note.at[0] === "select").map((note) => note.text)).toEqual([
      'limit limits the answer, and nothing asks for the rest: a longer list comes cut; where all come without it, write "{$limit}" in its place, and LIMIT reaches the service',
    ]);
  });
});

test("a filter that narrows by default has to be given", async () => {
  const table = await tableOf(
    document(list([query("state", { ...issue.properties.state, default: "open" })])),
    "issues",
  );
  expect(table.keys).toEqual(["state"]);
});

test("a filter of another type than the column is an argument of its own", async () => {
  const table = await tableOf(document(list([query("id", { type: "string" })])), "issues");
  expect(table.arguments).toEqual(["id_argument"]);
  expect(table.verbs.get("select")).toMatchObject({ query: { id: "{id_argument}" } });
});

test("the id of an owner is no id of the rows", async () => {
  const id = { in: "path", name: "id", required: true, schema: { type: "integer" } };
  const get = {
    operationId: "issuesOfUser",
    parameters: [id],
    responses: { 200: json({ type: "array", items: ref }) },
  };
  const table = await tableOf(document({ "/users/{id}/issues": { get } }), "issues");
  expect(table.keys).toEqual(["user_id"]);
  expect(table.verbs.get("select")?.["get"]).toBe("/users/{user_id}/issues");
});

describe("authorization", () => {
  const scheme = (one: object) =>
    document(list([]), { components: { schemas: { Issue: issue }, securitySchemes: { one } } });
  test.each([
    { name: "bearer", one: { type: "http", scheme: "bearer" }, auth: { bearer: { env: "TRACKER_TOKEN" } } },
    {
      name: "basic",
      one: { type: "http", scheme: "basic" },
      auth: { basic: { user: { env: "TRACKER_USER" }, password: { env: "TRACKER_PASSWORD" } } },
    },
    {
      name: "key",
      one: { type: "apiKey", in: "header", name: "X-Key" },
      auth: { apiKey: { in: "header", name: "X-Key", env: "TRACKER_API_KEY" } },
    },
    {
      name: "client credentials",
      one: {
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl: "https://id.example.com/token", scopes: { read: "" } } },
      },
      auth: {
        oauth2: {
          tokenUrl: "https://id.example.com/token",
          clientId: { env: "TRACKER_CLIENT_ID" },
          clientSecret: { env: "TRACKER_CLIENT_SECRET" },
          scopes: ["read"],
        },
      },
    },
    { name: "a cookie, which is not supported", one: { type: "apiKey", in: "cookie", name: "s" }, auth: undefined },
  ])("$name", async ({ one, auth }) => {
    expect((await draftOf(scheme(one))).connector["auth"]).toEqual(auth);
  });
});

test.each([
  { name: "absolute", url: "https://a.example.com/v1/", base: undefined, is: "https://a.example.com/v1" },
  { name: "relative, with the host given", url: "/v1", base: "https://b.example.com", is: "https://b.example.com/v1" },
  { name: "relative", url: "/v1", base: undefined, is: "http://localhost/v1" },
])("server: $name", async ({ url, base, is }) => {
  const draft = await draftOf(document(list([]), { servers: [{ url }] }), base === undefined ? {} : { baseUrl: base });
  expect(draft.connector["baseUrl"]).toBe(is);
});

test("what can't be a verb is listed with its reason", async () => {
  const multipart = { requestBody: { content: { "multipart/form-data": {} } }, responses: {} };
  const draft = await draftOf(
    document(
      {
        ...list([]),
        "/files": { post: { operationId: "upload", ...multipart }, head: { responses: {} } },
        "/picture": { get: { operationId: "picture", responses: { 200: { content: { "image/png": {} } } } } },
      },
      { webhooks: { changed: {} } },
    ),
  );
  expect(draft.skipped).toEqual([
    { operation: "upload", reason: "its body is multipart/form-data, neither JSON nor a form" },
    { operation: "HEAD /files", reason: "no verb of a table stands for this method" },
    { operation: "picture", reason: "it answers image/png, not JSON" },
    { operation: "webhook changed", reason: "the service would call us" },
  ]);
});

test.each([
  {
    name: "references to other files",
    text: document({ "/a": { $ref: "a.yaml#/paths/a" } }),
    message: "refers to other documents, which are not read:\n  a.yaml#/paths/a",
  },
  {
    name: "another version",
    text: '{"openapi":"4.0.0"}',
    message: "tracker.json is of OpenAPI 4.0.0; 2.0, 3.0 and 3.1 can be read",
  },
  {
    name: "another document",
    text: "a: 1",
    message: 'tracker.json is no OpenAPI document: it has neither "openapi" nor "swagger"',
  },
  { name: "broken YAML", text: "openapi: 3.0.0\npaths: [", message: "tracker.json:2:9" },
])("refused: $name", async ({ text, message }) => {
  await expect(draftOf(text)).rejects.toThrow(message);
});
