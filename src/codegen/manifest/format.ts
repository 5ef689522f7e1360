/** The manifest's format, as a schema that checks a parsed document. */
import { z } from "zod";

const name = z.string().regex(/^[a-z][a-z0-9_]*$/, "must be a lower-case name: letters, digits, _");
const jsonSchema = z.looseObject({});
const template: z.ZodType<unknown> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(template), z.record(z.string(), template)]),
);
const path = z.string().regex(/^\$(\.[A-Za-z_][\w-]*)*$/, "must be a path such as $.items");

const verb = z.strictObject({
  tool: z.string().min(1),
  input: z.record(z.string(), template).optional(),
  rows: path.optional(),
  fields: z.record(z.string(), z.string()).optional(),
});

const resource = z.strictObject({
  description: z.string().min(1),
  volatility: z.enum(["immutable", "stable", "volatile"]),
  row: jsonSchema,
  keys: z.array(z.string()).default([]),
  primaryKey: z.array(z.string()).default([]),
  select: verb.optional(),
  insert: verb.optional(),
  update: verb.optional(),
  delete: verb.optional(),
});

/** A service: resources behind a connector. */
export const serviceFormat = z.strictObject({
  $schema: z.string().optional(),
  service: name,
  description: z.string().min(1),
  connector: z.strictObject({ kind: z.literal("mcp") }),
  resources: z.record(name, resource),
});

/** System relations. */
export const systemFormat = z.strictObject({
  $schema: z.string().optional(),
  service: name,
  kind: z.literal("system"),
  description: z.string().min(1),
  relations: z.record(
    name,
    z.strictObject({
      description: z.string().min(1),
      columns: z.record(
        name,
        z.strictObject({
          type: z.string().min(1),
          nullable: z.boolean().default(false),
          description: z.string().min(1),
        }),
      ),
    }),
  ),
});
