/** Type json: the text as it was written. Its parts are read through a tree of spans, so that they keep their text too. */
import type { TypeOperations } from "../operations.js";
import { JsonText, type Value } from "../value.js";
import { adopt } from "./item.js";
import { hostItem, parseItemLeniently } from "./jsonb.js";
import { type JsonBuilder, parseJson } from "./parse.js";
import { compactText } from "./write.js";

/** A piece of a json text, with its place in it. Fields are in the order of the text, duplicates included. */
export type JsonNode = { readonly start: number; readonly end: number } & (
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "number" }
  | { readonly kind: "boolean" }
  | { readonly kind: "null" }
  | { readonly kind: "array"; readonly items: readonly JsonNode[] }
  | { readonly kind: "object"; readonly keys: readonly string[]; readonly values: readonly JsonNode[] }
);

const nodeBuilder: JsonBuilder<JsonNode> = {
  decode: true,
  string: (value, start, end) => ({ kind: "string", value, start, end }),
  number: (_text, start, end) => ({ kind: "number", start, end }),
  literal: (value, start, end) => ({ kind: value === null ? "null" : "boolean", start, end }),
  array: (items, start, end) => ({ kind: "array", items, start, end }),
  object: (keys, values, start, end) => ({ kind: "object", keys, values, start, end }),
};

const checker: JsonBuilder<undefined> = {
  decode: false,
  string: () => undefined,
  number: () => undefined,
  literal: () => undefined,
  array: () => undefined,
  object: () => undefined,
};

/** The tree of a json text. @throws SqlError 22P05 for `\u0000`, 22P02 for half a surrogate pair, as PostgreSQL's functions do */
export function jsonTree(json: JsonText): JsonNode {
  return parseJson(json.text, nodeBuilder);
}

/** Reads and checks a json text. @throws SqlError 22P02 */
function parseJsonText(text: string): JsonText {
  parseJson(text, checker);
  return new JsonText(text);
}

export const jsonOperations: TypeOperations = {
  input: (text) => parseJsonText(text),
  output: (value) => (value as JsonText).text,
  fromHost(value): Value | undefined {
    if (value instanceof JsonText) return value;
    if (typeof value === "number" && !Number.isFinite(value)) return undefined;
    const item = adopt(value);
    return item === undefined ? undefined : new JsonText(compactText(item));
  },
  toHost: (value) => hostItem(parseItemLeniently((value as JsonText).text)),
};
