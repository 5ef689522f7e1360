/** Parts that the formats of several connectors share. Descriptions are shown by editors that complete a manifest. */
import { z } from "zod";

/** Texts that say something. */
export const text = z.string().min(1, "must not be empty");
const columns = z.array(z.string());
const milliseconds = z.number().min(1);

/** JSON with `{column}` in its texts. */
export const template: z.ZodType<unknown> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(template), z.record(z.string(), template)]),
);

/** How calls are made; for a service as for one resource. */
export const callOptions = {
  timeoutMs: milliseconds.optional().describe("Milliseconds that one read may take, all its pages included"),
  idleTimeoutMs: milliseconds.optional().describe("Milliseconds without a page"),
  retry: z
    .strictObject({
      retries: z.int().min(0).optional().describe("Further attempts after the first; default 2"),
      minDelayMs: z.number().min(0).optional(),
      maxDelayMs: z.number().min(0).optional(),
    })
    .optional()
    .describe("How failed reads, and the writes in idempotent, are tried again; other writes never are"),
  rateLimit: z
    .strictObject({ perSecond: z.number().positive(), burst: z.number().min(1).optional() })
    .optional()
    .describe("Calls that the service takes in a time"),
  concurrency: z.int().min(1).optional().describe("Calls under way at once"),
  ttlMs: z.number().min(0).optional().describe("Milliseconds for which an answer is good across statements"),
  maxPages: z.int().min(1).optional().describe("Pages that one read may have; more is an error"),
  scope: text.optional().describe("Name shared by the tables that share limits; default: the service"),
};

export const operator = z.enum([">", ">=", "<", "<=", "<>", "like", "ilike", "is null", "is not null", "@>"]);

/** What a resource says beside its verbs. */
export const resourceFields = {
  description: text.describe("What a row is; a model reads it"),
  volatility: z
    .enum(["immutable", "stable", "volatile"])
    .describe("How long an answer holds: immutable for ever, stable for one statement, volatile never"),
  row: z.looseObject({}).describe("JSON Schema of a row; its properties are the columns"),
  keys: columns.default([]).describe("Columns that a read must be given a value for"),
  keyAlternatives: z
    .array(columns.min(1))
    .default([])
    .describe("Groups of columns of which one each must have a value"),
  primaryKey: columns.default([]).describe("Columns that identify a row; default: the keys of a table that is written"),
  operators: z
    .record(z.string(), z.array(operator))
    .default({})
    .describe("Column → operators beyond = that the service takes"),
  exact: z
    .union([z.boolean(), columns], "must be true, or a list of columns")
    .default(false)
    .describe("Columns (or true: all) whose predicates the service decides exactly as PostgreSQL does"),
  equality: z
    .record(z.string(), z.boolean())
    .default({})
    .describe("Column → false when the service can't filter by it"),
  arguments: columns.default([]).describe("Columns that exist only as arguments of the call"),
  lenient: columns.default([]).describe("Columns where a value that can't be read is NULL, with a notice"),
  labels: z
    .record(z.string(), z.array(text))
    .default({})
    .describe("Column → flow labels such as secret, pii, untrusted"),
  batch: z
    .strictObject({
      insert: z.boolean().optional().describe("One call takes all rows of a statement"),
      keys: z.union([z.boolean(), z.int().min(1)], "must be true, or how many values at most").optional(),
    })
    .optional(),
  accepts: z
    .strictObject({ limit: z.boolean().optional(), orderBy: columns.optional() })
    .optional()
    .describe("What a read takes beside predicates"),
  idempotent: z
    .array(z.enum(["insert", "update", "delete"]))
    .min(1)
    .optional()
    .describe(
      "Writes that are safe to send twice: by {$idempotencyKey} or the same arguments the service does the work once; they are tried again",
    ),
  ...callOptions,
};
