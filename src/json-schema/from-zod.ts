/** Zod 4 schemas as JSON Schema, by Zod's own converter, with the types that JSON has no word for put in our words. */
import { toJSONSchema, type ZodType } from "zod";
import type { JsonSchema } from "./schema.js";

/** Is this a schema made by Zod 4? Recognised by its shape, so that a second copy of Zod in the program does no harm. */
export function isZodSchema(value: unknown): value is ZodType {
  return (
    typeof value === "object" &&
    value !== null &&
    "_zod" in value &&
    "safeParse" in value &&
    typeof value.safeParse === "function"
  );
}

/**
 * A Zod schema as JSON Schema.
 *
 * Dates become `{ type: "string", format: "date-time" }`, big integers `{ type: "integer" }`; what JSON Schema can't say
 * (functions, maps, transforms) becomes "anything". `.meta()` is carried over, `pgType` with it.
 * @param options.io `input` (default) describes what a caller may pass (a field with a default is optional), `output`
 *   what the schema gives back
 */
export function zodToJsonSchema(schema: ZodType, options: { io?: "input" | "output" } = {}): JsonSchema {
  const { $schema: _dialect, ...converted } = toJSONSchema(schema, {
    io: options.io ?? "input",
    unrepresentable: "any",
    cycles: "ref",
    override({ zodSchema, jsonSchema }) {
      const kind = zodSchema._zod.def.type;
      if (kind === "date") {
        jsonSchema.type = "string";
        jsonSchema.format = "date-time";
      } else if (kind === "bigint") {
        jsonSchema.type = "integer";
      } else if (kind === "number") {
        dropSafeIntegerBounds(jsonSchema);
      }
    },
  });
  return converted as JsonSchema;
}

/** `z.int()` states the bounds of a safe integer; they say nothing to a reader and cost tokens. */
function dropSafeIntegerBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/**
 * The JSON Schema of what an author may write for an input: a Zod schema, a JSON Schema, or nothing.
 * @throws TypeError for a schema of Zod 3, which has no converter
 */
export function toJsonSchema(input: unknown): JsonSchema | undefined {
  if (input === undefined || input === null) return undefined;
  if (isZodSchema(input)) return zodToJsonSchema(input);
  if (typeof input !== "object" || Array.isArray(input)) throw new TypeError("a schema must be a Zod or JSON schema");
  if ("_def" in input) throw new TypeError("the schema was made by Zod 3: make it with Zod 4, or pass a JSON Schema");
  return input as JsonSchema;
}
