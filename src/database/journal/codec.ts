/**
 * Arguments of effects as JSON and back: what a journal reads must be sent as it was. An object with one field `$` stands
 * for a value that JSON has no word for; an object that has such a field itself is wrapped.
 */
import { decodeHex, encodeHex } from "../../types/bytea.js";
import { Numeric, parseNumeric } from "../../types/numeric.js";

/** @throws TypeError for what is no value of a column: a function, a symbol, an object that refers to itself */
export function encodeValue(value: unknown): unknown {
  return encode(value, []);
}

function encode(value: unknown, within: readonly object[]): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0) ? value : tagged("number", writtenNumber(value));
    case "bigint":
      return tagged("bigint", String(value));
    case "undefined":
      return tagged("undefined", null);
    case "object":
      return value === null ? null : encodeObject(value, within);
    default:
      throw new TypeError(`a ${typeof value} can't be written to a journal`);
  }
}

function encodeObject(value: object, outer: readonly object[]): unknown {
  if (outer.includes(value)) throw new TypeError("an object that refers to itself can't be written to a journal");
  const within = [...outer, value];
  if (value instanceof Date) return tagged("date", Number.isNaN(value.getTime()) ? null : value.toISOString());
  if (value instanceof Numeric) return tagged("numeric", value.toString());
  if (value instanceof Uint8Array) return tagged("bytes", encodeHex(value));
  if (Array.isArray(value)) return value.map((item) => encode(item, within));
  const object = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item, within)]));
  return Object.hasOwn(object, "$") ? tagged("object", object) : object;
}

function tagged(kind: string, value: unknown): { readonly $: readonly [string, unknown] } {
  return { $: [kind, value] };
}

function writtenNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** What {@link encodeValue} was given. @throws TypeError for what it does not write */
export function decodeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeValue);
  if (typeof value !== "object" || value === null) return value;
  const tag = (value as { $?: unknown }).$;
  if (!Object.hasOwn(value, "$")) return decodeFields(value);
  const [kind, written] = Array.isArray(tag) ? (tag as unknown[]) : [];
  switch (kind) {
    case "number":
      return Number(written);
    case "bigint":
      return BigInt(written as string);
    case "numeric":
      return parseNumeric(written as string);
    case "undefined":
      return undefined;
    case "date":
      return new Date((written as string | null) ?? Number.NaN);
    case "bytes":
      return decodeHex(written as string);
    case "object":
      return decodeFields(written as object);
    default:
      throw new TypeError(`the journal has a value of an unknown kind: ${JSON.stringify(value)}`);
  }
}

function decodeFields(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, decodeValue(item)]));
}
