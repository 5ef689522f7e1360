/** Recognizes patterns that are plain text, perhaps anchored, so that they are searched as text: `fix`, `^fix`, `fix$`. */
import type { RegexNode } from "./syntax.js";

/** A test by string search, or `undefined` when the pattern is more than text between anchors. */
export function compilePlainSearch(node: RegexNode): ((text: string) => boolean) | undefined {
  const items = node.kind === "concat" ? [...node.items] : [node];
  const isAnchor = (item: RegexNode | undefined, assertion: string): boolean =>
    item?.kind === "assertion" && item.assertion === assertion;
  const atStart = isAnchor(items[0], "text start");
  if (atStart) items.shift();
  const atEnd = isAnchor(items[items.length - 1], "text end");
  if (atEnd) items.pop();
  let literal = "";
  for (const item of items) {
    if (item.kind !== "set" || item.set.single === undefined || item.set.single > 0x10ffff) return undefined;
    literal += String.fromCodePoint(item.set.single);
  }
  if (atStart && atEnd) return (text) => text === literal;
  if (atStart) return (text) => text.startsWith(literal);
  if (atEnd) return (text) => text.endsWith(literal);
  return (text) => text.includes(literal);
}
