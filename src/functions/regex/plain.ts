/**
 * Patterns, or parts of them, that are plain text and so can be searched as text: `fix`, `^fix`, `fix$` as a whole, and
 * a text that every match contains, by which most texts without a match are known at once.
 */
import type { RegexNode } from "./syntax.js";

/** A pattern that is text between anchors. */
export interface PlainPattern {
  readonly length: number;
  /** Unit where the first match at or behind `from` starts, or -1. */
  find(text: string, from: number): number;
}

export function plainPattern(node: RegexNode): PlainPattern | undefined {
  const items = node.kind === "concat" ? [...node.items] : [node];
  const isAnchor = (item: RegexNode | undefined, assertion: string): boolean =>
    item?.kind === "assertion" && item.assertion === assertion;
  const atStart = isAnchor(items[0], "text start");
  if (atStart) items.shift();
  const atEnd = isAnchor(items[items.length - 1], "text end");
  if (atEnd) items.pop();
  let literal = "";
  for (const item of items) {
    const character = literalCharacter(item);
    if (character === undefined) return undefined;
    literal += character;
  }
  const { length } = literal;
  if (atStart) {
    const fits = atEnd ? (text: string) => text === literal : (text: string) => text.startsWith(literal);
    return { length, find: (text, from) => (from === 0 && fits(text) ? 0 : -1) };
  }
  if (!atEnd) return { length, find: (text, from) => text.indexOf(literal, from) };
  return {
    length,
    find: (text, from) => (text.length - length >= from && text.endsWith(literal) ? text.length - length : -1),
  };
}

function literalCharacter(node: RegexNode): string | undefined {
  if (node.kind !== "set" || node.set.single === undefined || node.set.single > 0x10ffff) return undefined;
  return String.fromCodePoint(node.set.single);
}

/** The longest text that stands in every match as far as that is plain to see; empty when there is none. */
export function requiredText(node: RegexNode): string {
  let longest = "";
  let current = "";
  const visit = (part: RegexNode): void => {
    const character = literalCharacter(part);
    if (character !== undefined) {
      current += character;
      if (current.length > longest.length) longest = current;
    } else if (part.kind === "concat") part.items.forEach(visit);
    else if (part.kind === "group") visit(part.item);
    else if (part.kind === "repeat" && part.min > 0) {
      // once at least, and what follows need not be next to it
      visit(part.item);
      current = "";
    } else if (part.kind !== "assertion" && part.kind !== "empty") current = "";
  };
  visit(node);
  return longest;
}
