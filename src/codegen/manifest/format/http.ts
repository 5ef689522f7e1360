/** The format of an HTTP service: its connector and its verbs. */
import { z } from "zod";
import { callOptions, template, text } from "./parts.js";

export const fromEnvironment = z
  .strictObject({ env: z.string().regex(/^[A-Za-z_]\w*$/, "must be the name of an environment variable") })
  .describe("The environment variable that holds the secret");

const auth = z
  .strictObject({
    bearer: fromEnvironment.optional(),
    basic: z.strictObject({ user: fromEnvironment, password: fromEnvironment }).optional(),
    apiKey: z.strictObject({ in: z.enum(["header", "query"]), name: text, env: fromEnvironment.shape.env }).optional(),
    oauth2: z
      .strictObject({
        tokenUrl: text,
        clientId: fromEnvironment,
        clientSecret: fromEnvironment,
        scopes: z.array(text).optional(),
        audience: text.optional(),
      })
      .optional()
      .describe("Client credentials"),
  })
  .describe("How requests are authorized: one of bearer, basic, apiKey, oauth2");

export const httpConnector = z.strictObject({
  kind: z.literal("http"),
  baseUrl: text.describe("Absolute address that the paths of the verbs are below"),
  auth: auth.optional(),
  headers: z.record(z.string(), z.string()).optional().describe("Sent with every request; no secrets"),
  ...callOptions,
});

const parameter = z.union(
  [
    z.string(),
    z.number(),
    z.boolean(),
    z.array(z.union([z.string(), z.number(), z.boolean()])),
    z.strictObject({ value: template, join: z.string() }),
  ],
  "must be a text, a number, a list of them, or { value, join }",
);

const path = z.string().describe('Below baseUrl, such as "/repos/{repo}/pulls"');
const status = z.int().min(100).max(599);

const page = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("link") }).describe('Link: <…>; rel="next"'),
  z.strictObject({
    kind: z.literal("cursor"),
    next: text.describe("Path of the next cursor in the answer"),
    parameter: text,
    in: z.enum(["query", "body"]).optional(),
  }),
  z.strictObject({
    kind: z.literal("page"),
    parameter: text,
    first: z.int().min(0).optional(),
    sizeParameter: text.optional(),
    size: z.int().min(1).optional(),
  }),
  z.strictObject({
    kind: z.literal("offset"),
    parameter: text,
    sizeParameter: text.optional(),
    size: z.int().min(1),
  }),
  z.strictObject({ kind: z.literal("url"), next: text.describe("Path of the next page's address in the answer") }),
]);

export const httpVerb = z.strictObject({
  get: path.optional(),
  post: path.optional(),
  put: path.optional(),
  patch: path.optional(),
  delete: path.optional(),
  query: z.record(z.string(), parameter).optional(),
  headers: z.record(z.string(), template).optional(),
  body: template.optional().describe("JSON body"),
  form: z.record(z.string(), parameter).optional().describe("Form body, instead of body"),
  page: page.optional().describe("How further pages are asked for"),
  rows: text.optional().describe('Where the rows are in the answer: JMESPath, or a path such as "$.items"'),
  fields: z
    .record(z.string(), text)
    .optional()
    .describe("Column → path into a row, where it is not called like the column"),
  orderBy: z.record(z.string(), text).optional().describe("Column → the service's name of it in {$orderBy}"),
  errors: z
    .strictObject({
      empty: z.array(status).optional().describe("Statuses that mean: no rows"),
      retryable: z.array(status).optional().describe("Statuses that are worth another attempt"),
      failed: text
        .optional()
        .describe("JMESPath that is true in an answer of success when the service failed all the same, such as errors"),
      message: text.optional().describe("Path of the service's own message in the answer"),
    })
    .optional(),
});
