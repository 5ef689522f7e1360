/** Values as one text, the same for the same values: keys in order, types told apart that JSON writes alike. */

import { encodeHex } from "../../types/bytea.js";

/** SHA-256 of a text in UTF-8, hexadecimal. */
export async function sha256Hex(text: string): Promise<string> {
  return encodeHex(new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/**
 * Of plain data, of what JavaScript has built in for data (Date, Map, Set, bytes and other arrays of numbers, URL and all
 * that has `toJSON`), and of instances of classes that keep their data in properties. Order counts in arrays only.
 * @throws TypeError for a value that holds itself, and for one that cannot be told from another: a function, a symbol, an
 *   instance that shows nothing of itself
 */
export function canonicalText(value: unknown): string {
  return textOf(value, []);
}

function textOf(value: unknown, above: readonly object[]): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}n`;
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "null" : objectText(value, above);
    case "undefined":
      return "undefined";
    default:
      throw new TypeError(`a ${typeof value} can't be told from another`);
  }
}

function objectText(value: object, above: readonly object[]): string {
  if (above.includes(value)) throw new TypeError("a value holds itself");
  const inside = [...above, value];
  const text = (part: unknown) => textOf(part, inside);
  if (Array.isArray(value)) return `[${Array.from(value, text).join(",")}]`; // holes count as undefined
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof Map) return `Map(${sorted(Array.from(value, ([key, part]) => `${text(key)}=>${text(part)}`))})`;
  if (value instanceof Set) return `Set(${sorted(Array.from(value, text))})`;
  if (value instanceof RegExp) return `RegExp(${JSON.stringify([value.source, value.flags, value.lastIndex])})`;
  const bytes = bytesOf(value);
  if (bytes !== undefined) return bytes;
  const name = className(value);
  return name === undefined ? propertiesText(value, text) : instanceText(name, value, text);
}

/** A Buffer is the bytes that it holds; other arrays of numbers are told apart, since the same bytes are other numbers. */
function bytesOf(value: object): string | undefined {
  if (value instanceof Uint8Array) return `Bytes(${Array.from(value).join(",")})`;
  if (ArrayBuffer.isView(value)) {
    const held = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return `${Object.prototype.toString.call(value).slice(8, -1)}(${Array.from(held).join(",")})`;
  }
  return value instanceof ArrayBuffer ? `ArrayBuffer(${Array.from(new Uint8Array(value)).join(",")})` : undefined;
}

/** Of an instance of a class; `undefined` for a plain object, of another realm too. */
function className(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null || Object.getPrototypeOf(prototype) === null)
    return undefined;
  return value.constructor?.name || "Object";
}

function instanceText(name: string, value: object, text: (part: unknown) => string): string {
  const properties = propertiesText(value, text);
  if ("toJSON" in value && typeof value.toJSON === "function") return `${name}(${text(value.toJSON())}${properties})`;
  // `new Number(1)` and its like.
  const inner: unknown = value.valueOf();
  if (inner !== value && typeof inner !== "object") return `${name}(${text(inner)}${properties})`;
  if (value instanceof Error) return `${name}(${text([value.name, value.message])}${properties})`;
  if (properties === "{}") throw new TypeError(`a value of class ${name} can't be told from another`);
  return `${name}${properties}`;
}

function propertiesText(value: object, text: (part: unknown) => string): string {
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([key, part]): [string, string] => [key, `${JSON.stringify(key)}:${text(part)}`])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${parts.map(([, part]) => part).join(",")}}`;
}

function sorted(texts: string[]): string {
  return texts.sort().join(",");
}
