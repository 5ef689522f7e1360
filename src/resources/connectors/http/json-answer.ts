/**
 * Reads the JSON of an answer without losing a digit. `JSON.parse` makes 9007199254740992 of 9007199254740993; here an
 * integer beyond the safe range is a bigint, and a decimal of more digits than a double holds a `Numeric`.
 */

import { newObject, setField } from "../../../types/json/item.js";
import { type JsonBuilder, parseJson } from "../../../types/json/parse.js";
import { Numeric, numericToHost, parseNumeric } from "../../../types/numeric.js";

/** A value that was read, and whether a number in it is no JavaScript number. */
export interface JsonAnswer {
  readonly value: unknown;
  readonly hasLongNumbers: boolean;
}

/** Up to fifteen digits without exponent are the same number again when the double is printed. */
const mayHaveLongNumbers = /[\d.]{16}|\d[eE]/;

/** @throws SyntaxError, or SqlError 22P02 and 54001, for what is no JSON */
export function readJson(text: string): JsonAnswer {
  if (!mayHaveLongNumbers.test(text)) return { value: JSON.parse(text), hasLongNumbers: false };
  let hasLongNumbers = false;
  const builder: JsonBuilder<unknown> = {
    decode: false, // \u0000 and half surrogate pairs: refused where a column gets them, as with JSON.parse
    string: (value) => value,
    number: (digits) => {
      const number = exactNumber(digits);
      if (typeof number !== "number") hasLongNumbers = true;
      return number;
    },
    literal: (value) => value,
    array: (items) => items,
    object: (keys, values) => {
      const object = newObject();
      for (let i = 0; i < keys.length; i++) setField(object, keys[i], values[i] as never);
      return object;
    },
  };
  const value = parseJson(text, builder);
  return { value, hasLongNumbers };
}

function exactNumber(digits: string): number | bigint | Numeric {
  const number = Number(digits);
  if (Number.isSafeInteger(number) && String(number) === digits) return number;
  const numeric = parseNumeric(digits);
  const host = numericToHost(numeric);
  if (typeof host === "number") return host;
  return /^-?\d+$/.test(host) ? BigInt(host) : numeric;
}

/**
 * A value of a row in the form that its column takes: documents keep their numbers as they are, other types take the digits
 * as text.
 */
export function columnValue(value: unknown, isDocument: boolean): unknown {
  if (isDocument) return value;
  if (value instanceof Numeric) return value.toString();
  return Array.isArray(value) ? value.map((item) => columnValue(item, false)) : value;
}

/** The value with long numbers as text, for receipts: what shows them writes JSON. */
export function plainJson(value: unknown): unknown {
  if (typeof value === "bigint" || value instanceof Numeric) return value.toString();
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== "object" || value === null) return value;
  const plain = newObject();
  for (const [name, field] of Object.entries(value)) setField(plain, name, plainJson(field) as never);
  return plain;
}
