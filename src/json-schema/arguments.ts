/** Checks of an argument object against its schema that a caller can act on: what is missing, what has no meaning. */
import { closest } from "../errors/did-you-mean.js";
import { objectShape } from "./object-shape.js";
import type { JsonSchema } from "./schema.js";

/** An argument nobody reads, with the name that was probably meant. */
export interface UnknownKey {
  key: string;
  hint?: string;
}

/** Required properties that the arguments leave out (or give as `undefined`), in the schema's order. */
export function missingRequired(schema: JsonSchema | undefined, args: Readonly<Record<string, unknown>>): string[] {
  if (schema === undefined) return [];
  const { required } = objectShape(schema, schema);
  return [...required].filter((name) => !Object.hasOwn(args, name) || args[name] === undefined);
}

/** Arguments that the schema has no property for; none when the schema is open or lists no properties. */
export function unknownKeys(schema: JsonSchema | undefined, args: Readonly<Record<string, unknown>>): UnknownKey[] {
  if (schema === undefined) return [];
  const { properties, open } = objectShape(schema, schema);
  if (open) return [];
  return Object.keys(args)
    .filter((key) => !properties.has(key) && args[key] !== undefined)
    .map((key) => {
      const hint = closest(key, properties.keys());
      return hint === undefined ? { key } : { key, hint };
    });
}
