/** Goes through trees without knowing their nodes. Never recursive, so that long chains are no problem. */
import type * as ast from "./ast.js";

/** Called with each node, parents first; giving `false` leaves out what is below. */
export type Visitor = (node: ast.Node) => unknown;

/** Whether a value found in a tree is a node. */
function isNode(value: unknown): value is ast.Node {
  return typeof value === "object" && value !== null && typeof (value as { kind?: unknown }).kind === "string";
}

/** The nodes directly below a node, in the order of its properties, which is that of the text for nearly all. */
export function children(node: ast.Node): ast.Node[] {
  const found: ast.Node[] = [];
  for (const value of Object.values(node)) collect(value, found);
  return found;
}

/** Lists may hold lists (the rows of VALUES), no deeper. */
function collect(value: unknown, into: ast.Node[]): void {
  if (isNode(value)) {
    into.push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, into);
  }
}

/** Visits a node and everything below it, parents before children, left before right. */
export function walk(root: ast.Node, visit: Visitor): void {
  const pending: ast.Node[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (visit(node) === false) continue;
    const below = children(node);
    for (let i = below.length - 1; i >= 0; i--) pending.push(below[i]);
  }
}
