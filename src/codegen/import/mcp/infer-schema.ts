/** The schema that recorded answers have in common. */
import type { JsonSchema } from "../../../json-schema/schema.js";

/** A schema that takes every one of the values; nothing in it is required, since the next value may lack it. */
export function inferSchema(values: readonly unknown[]): JsonSchema {
  const present = values.filter((value) => value !== undefined);
  const types = [...new Set(present.map(typeOf))];
  // A whole number is a number; what is a number once is not promised to be whole.
  const merged = types.includes("number") ? types.filter((type) => type !== "integer") : types;
  const known = merged.filter((type) => type !== "null");
  if (known.length !== 1) return {};
  const type = merged.includes("null") ? [known[0], "null"] : known[0];
  if (known[0] === "array") {
    const items = inferSchema(present.flatMap((value) => (Array.isArray(value) ? value : [])));
    return { type, ...(Object.keys(items).length > 0 && { items }) };
  }
  if (known[0] !== "object") return { type };
  const objects = present.filter(isObject);
  const names = [...new Set(objects.flatMap((value) => Object.keys(value)))];
  return {
    type,
    ...(names.length > 0 && {
      properties: Object.fromEntries(
        names.map((name) => [
          name,
          inferSchema(objects.map((value) => (Object.hasOwn(value, name) ? value[name] : undefined))),
        ]),
      ),
    }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}
