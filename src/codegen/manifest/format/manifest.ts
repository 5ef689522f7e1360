/** The format of a manifest as schemas, one for each connector; they check a parsed document and are published as JSON Schema. */
import { z } from "zod";
import { fromEnvironment, httpConnector, httpVerb } from "./http.js";
import { callOptions, resourceFields, template, text } from "./parts.js";

const secretOrText = "must be a text, or { env: NAME } for one that an environment variable of the program holds";

const mcpConnector = z.strictObject({
  kind: z.literal("mcp"),
  command: text.optional().describe("Program that is the server"),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.union([z.string(), fromEnvironment], secretOrText)).optional(),
  url: text.optional().describe("Address of a server, instead of command"),
  headers: z.record(z.string(), z.union([z.string(), fromEnvironment], secretOrText)).optional(),
  ...callOptions,
});

const mcpVerb = z.strictObject({
  tool: text.describe("Name of the tool"),
  input: z.record(z.string(), template).optional().describe("The tool's arguments; default: one a bound column"),
  rows: z
    .string()
    .regex(/^\$(\.[A-Za-z_][\w-]*)*$/, "must be a path such as $.items")
    .optional()
    .describe("Where the rows are in the answer"),
  page: z
    .strictObject({
      kind: z.literal("cursor"),
      parameter: text.describe("Argument of the tool that takes the cursor"),
      next: text.describe("Where the answer has the cursor of the next page, such as $.nextCursor"),
    })
    .optional()
    .describe("How further pages are asked for"),
  fields: z.record(z.string(), text).optional().describe("Column → property of a row, where they differ"),
});

const moduleConnector = z.strictObject({ kind: z.literal("module"), ...callOptions });
const moduleVerb = z.literal(true, "must be true: the verb is code").describe("The verb is code of the host");

const connectors = { http: httpConnector, mcp: mcpConnector, module: moduleConnector };

export type ConnectorKind = keyof typeof connectors;

export const connectorKinds = Object.keys(connectors) as ConnectorKind[];

const verbs = { http: httpVerb, mcp: mcpVerb, module: moduleVerb };

/** The format of one verb. */
export const verbFormats = verbs;

function resourceFormat<V extends z.ZodType>(verb: V) {
  return z.strictObject({
    ...resourceFields,
    select: verb.optional(),
    insert: verb.optional(),
    update: verb.optional(),
    delete: verb.optional(),
  });
}

const resources = {
  http: resourceFormat(httpVerb),
  mcp: resourceFormat(mcpVerb),
  module: resourceFormat(moduleVerb),
};

/** The format of one resource. */
export const resourceFormats = resources;

export type HttpConnectorDocument = z.output<typeof httpConnector>;
export type ConnectorDocument = z.output<(typeof connectors)[ConnectorKind]>;
export type HttpVerbDocument = z.output<typeof httpVerb>;
export type ResourceDocument = z.output<(typeof resources)[ConnectorKind]>;

function serviceFormat<C extends z.ZodType, R extends z.ZodType>(connector: C, resource: R) {
  return z.strictObject({
    $schema: z.string().optional(),
    service: text.describe("Name of the service: the tables' names begin with it"),
    description: text.describe("What the service is"),
    connector: connector.describe("Where the rows come from"),
    resources: z.record(z.string().min(1, "a resource needs a name"), resource).describe("Tables by name"),
  });
}

/** The format of a service, by its connector. */
export const serviceFormats = {
  http: serviceFormat(httpConnector, resources.http),
  mcp: serviceFormat(mcpConnector, resources.mcp),
  module: serviceFormat(moduleConnector, resources.module),
};

const name = z.string().regex(/^[a-z][a-z0-9_]*$/, "must be a lower-case name: letters, digits, _");

/** System relations. */
export const systemFormat = z.strictObject({
  $schema: z.string().optional(),
  service: name,
  kind: z.literal("system"),
  description: text,
  relations: z.record(
    name,
    z.strictObject({
      description: text,
      columns: z.record(
        name,
        z.strictObject({
          type: text,
          nullable: z.boolean().default(false),
          description: text,
        }),
      ),
    }),
  ),
});
