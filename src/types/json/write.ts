/** Writes JSON items as PostgreSQL prints jsonb: fields in jsonb's order, `", "` and `": "` between the parts. */

import { spendWork } from "../work.js";
import { adopt, elementAt, isObject, type JsonItem, keysOf } from "./item.js";
import { numberText } from "./number.js";
import { checkDepth } from "./parse.js";

/** Strings from here on count by their length. */
const longText = 1024;
/** What an item costs, in units of work. */
const unitsOfItem = 8;

/** The text of a string in JSON, quotes included. */
export function quoteJson(text: string): string {
  return needsEscape(text) ? escapeText(text) : `"${text}"`;
}

/** The text form of jsonb. */
export function itemText(item: JsonItem, depth = 0): string {
  spendWork(unitsOfItem);
  if (typeof item === "string") return quoteJson(item);
  if (typeof item === "boolean") return item ? "true" : "false";
  if (item === null) return "null";
  if (Array.isArray(item)) {
    checkDepth(depth);
    let text = "[";
    for (let i = 0; i < item.length; i++) text += (i > 0 ? ", " : "") + itemText(elementAt(item, i), depth + 1);
    return `${text}]`;
  }
  if (!isObject(item)) return numberText(item);
  checkDepth(depth);
  let text = "{";
  for (const key of keysOf(item)) {
    if (text.length > 1) text += ", ";
    text += `${quoteJson(key)}: ${itemText(adopt(item[key]) ?? null, depth + 1)}`;
  }
  return `${text}}`;
}

/** Without white space, fields in the order they have: how a host value is written as json. */
export function compactText(item: JsonItem, depth = 0): string {
  spendWork(unitsOfItem);
  checkDepth(depth);
  if (Array.isArray(item)) return `[${item.map((_, i) => compactText(elementAt(item, i), depth + 1)).join()}]`;
  if (!isObject(item)) return itemText(item);
  const parts: string[] = [];
  for (const key of Object.keys(item)) {
    const field = adopt(item[key]);
    if (field !== undefined) parts.push(`${quoteJson(key)}:${compactText(field, depth + 1)}`);
  }
  return `{${parts.join()}}`;
}

/** The form of `jsonb_pretty`: four blanks a level. */
export function prettyText(item: JsonItem, depth = 0): string {
  spendWork(unitsOfItem);
  const inner = `\n${"    ".repeat(depth + 1)}`;
  const outer = `\n${"    ".repeat(depth)}`;
  checkDepth(depth);
  if (Array.isArray(item)) {
    const parts = item.map((_, i) => inner + prettyText(elementAt(item, i), depth + 1));
    return `[${parts.join(",")}${outer}]`;
  }
  if (isObject(item)) {
    const parts = keysOf(item).map(
      (key) => `${inner}${quoteJson(key)}: ${prettyText(adopt(item[key]) ?? null, depth + 1)}`,
    );
    return `{${parts.join(",")}${outer}}`;
  }
  return itemText(item);
}

function needsEscape(text: string): boolean {
  if (text.length > longText) spendWork(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c) return true;
  }
  return false;
}

function escapeText(text: string): string {
  let result = '"';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) result += '\\"';
    else if (code === 0x5c) result += "\\\\";
    else if (code >= 0x20) result += text[i];
    else result += controlEscapes[code] ?? `\\u${code.toString(16).padStart(4, "0")}`;
  }
  return `${result}"`;
}

const controlEscapes: Record<number, string> = { 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r" };
