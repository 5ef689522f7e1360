/** The format of a policy as a Zod schema. Loaded only where a policy is given: the package starts without it. */
import { toJSONSchema, z } from "zod";

const name = z.string().min(1);
const names = z.array(name);
const bound = z.number().positive();

const tableRule = z.strictObject({
  verbs: z.array(z.enum(["select", "insert", "update", "delete"])).optional(),
  rowFilter: z.string().min(1).optional(),
  mask: z.record(name, z.enum(["redact", "hash", "null"])).optional(),
});

const lists = z.strictObject({ allow: names.optional(), deny: names.optional() });

const flow = z.strictObject({
  label: name,
  to: name,
  allow: z.literal(false).optional(),
  aggregate: z.strictObject({ minGroup: z.int().min(1) }).optional(),
  redact: z.boolean().optional(),
  strict: z.boolean().optional(),
});

const limits = z.strictObject({
  rows: bound.optional(),
  bytes: bound.optional(),
  timeoutMs: bound.optional(),
  callsPerStatement: bound.optional(),
  concurrency: bound.optional(),
  sqlLength: bound.optional(),
  depth: bound.optional(),
});

/** A policy as data: what a file of it may hold. `approve` is code and is added by the host. */
export const policySchema = z.strictObject({
  writes: z.boolean().optional(),
  readYourWrites: z.boolean().optional(),
  unboundedWrites: z.boolean().optional(),
  maxAffectedRows: z.int().min(0).optional(),
  tables: z.record(name, tableRule).optional(),
  relations: lists.optional(),
  functions: lists.optional(),
  labels: z.record(name, names).optional(),
  flows: z.array(flow).optional(),
  limits: limits.optional(),
  maskKey: z.string().min(1).optional(),
  approvalTimeoutMs: z.number().positive().optional(),
});

/** The schemas of values under keys that a host chooses, by the key that holds them. */
export const recordParts = { tables: tableRule, labels: names, mask: z.enum(["redact", "hash", "null"]) } as const;

/** The text of `policy.schema.json`, for editors. */
export function policySchemaText(): string {
  const schema = {
    title: "Policy of glove-scratchpad",
    description: "What statements may do: verbs, relations, functions, row filters, masks, flows, limits",
    ...toJSONSchema(policySchema, { io: "input" }),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
