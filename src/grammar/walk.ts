/** Walks a syntax tree, parents before children, in the order of the text; without recursion, however deep the tree. */
import type * as ast from "./ast.js";

export function walk(root: ast.Node, visit: (node: ast.Node) => void): void {
  const stack: ast.Node[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    visit(node);
    const children = childrenOf(node);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]);
  }
}

/** The direct children of a node in the order of its fields. */
export function childrenOf(node: ast.Node): ast.Node[] {
  const children: ast.Node[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children;
}

function isNode(value: unknown): value is ast.Node {
  return typeof value === "object" && value !== null && "kind" in value;
}
