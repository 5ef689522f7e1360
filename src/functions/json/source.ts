/** One way to read json and jsonb for the functions that make rows of them: a piece of either kind, with its parts. */
import { elementAt, fieldOf, fromTop, isObject, type JsonItem, kindOf, toTop } from "../../types/json/item.js";
import { type JsonNode, jsonTree } from "../../types/json/json.js";
import { parseJsonb } from "../../types/json/jsonb.js";
import { itemText } from "../../types/json/write.js";
import { JsonText, type Value } from "../../types/value.js";
import { nodeAsText, nodeField, nodeJson } from "./access.js";

export interface JsonSource {
  readonly kind: "null" | "string" | "number" | "boolean" | "array" | "object";
  /** Strings without quotes, everything else as JSON text; `null` for JSON null. */
  text(): string | null;
  json(): JsonText;
  jsonb(): Value;
  field(name: string): JsonSource | undefined;
  items(): JsonSource[];
}

/** A value of type json as a source. */
export function jsonSource(json: JsonText): JsonSource {
  return nodeSource(json, jsonTree(json));
}

function nodeSource(json: JsonText, node: JsonNode): JsonSource {
  return {
    kind: node.kind,
    text: () => nodeAsText(json, node),
    json: () => nodeJson(json, node),
    jsonb: () => parseJsonb(json.text.slice(node.start, node.end)),
    field: (name) => {
      const field = nodeField(node, name);
      return field && nodeSource(json, field);
    },
    items: () => (node.kind === "array" ? node.items.map((item) => nodeSource(json, item)) : []),
  };
}

/** A value of type jsonb as a source. */
export function jsonbSource(value: Value): JsonSource {
  return itemSource(fromTop(value));
}

function itemSource(item: JsonItem): JsonSource {
  return {
    kind: kindOf(item),
    text: () => (item === null ? null : typeof item === "string" ? item : itemText(item)),
    json: () => new JsonText(itemText(item)),
    jsonb: () => toTop(item),
    field: (name) => {
      const field = isObject(item) ? fieldOf(item, name) : undefined;
      return field === undefined ? undefined : itemSource(field);
    },
    items: () => (Array.isArray(item) ? item.map((_, i) => itemSource(elementAt(item, i))) : []),
  };
}
