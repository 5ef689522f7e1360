/** A Zod object as the columns of a resource: what a row of it looks like to SQL. */
import type { ZodObject } from "zod";
import { columnTypeOf } from "../json-schema/column-type.js";
import { zodToJsonSchema } from "../json-schema/from-zod.js";
import { ownSchema } from "../json-schema/schema.js";
import type { ResourceColumn } from "./resource.js";

/**
 * The columns of a Zod object, in its order.
 *
 * int and bigint → bigint, number → double precision, boolean, string → text, `z.date()` and ISO date-times →
 * timestamptz, ISO dates → date, enum → text with its labels, everything with structure → jsonb. Optional and nullable
 * fields are nullable; `.describe()` gives the description; `.meta({ pgType: "uuid" })` wins over all of it.
 * @param keys names of fields that are required arguments
 * @throws TypeError when a key is no field of the schema
 */
export function columnsFromZod(schema: ZodObject, keys: readonly string[] = []): ResourceColumn[] {
  const root = zodToJsonSchema(schema, { io: "output" });
  const required = new Set(root.required ?? []);
  for (const key of keys) {
    if (!Object.hasOwn(schema.shape, key)) throw new TypeError(`key "${key}" is not a field of the schema`);
  }
  return Object.keys(schema.shape).map((name) => {
    const facts = { isKey: keys.includes(name), isRequired: required.has(name) };
    return {
      ...columnOfField(name, columnTypeOf(ownSchema(root.properties, name) ?? {}, root), facts),
      ...(holdsDate(schema.shape[name]) && { asDate: true }),
    };
  });
}

/** A property of a row's schema as a column. A key always has a value: it is the one that the statement gave. */
export function columnOfField(
  name: string,
  type: ReturnType<typeof columnTypeOf>,
  { isKey, isRequired }: { readonly isKey: boolean; readonly isRequired: boolean },
): ResourceColumn {
  return {
    name,
    type: type.type,
    ...(type.description !== undefined && { description: type.description }),
    ...(isKey && { requiredKey: true }),
    nullable: !isKey && (type.nullable || !isRequired),
    ...(type.labels !== undefined && { enum: type.labels }),
  };
}

/** Whether the field is a `z.date()`, perhaps optional, nullable or with a default. */
function holdsDate(field: unknown): boolean {
  let current = field as { _zod?: { def: { type: string; innerType?: unknown } } } | undefined;
  while (current?._zod !== undefined) {
    if (current._zod.def.type === "date") return true;
    current = current._zod.def.innerType as typeof current;
  }
  return false;
}
