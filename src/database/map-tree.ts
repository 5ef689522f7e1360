/** Rebuilds a syntax tree with some of its nodes replaced. */
import type * as ast from "../grammar/ast.js";

/** `change` sees every node, parents first; what it gives back is walked on. */
export function mapTree<T extends ast.Node>(node: T, change: (node: ast.Node) => ast.Node): T {
  const changed = change(node);
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(changed)) copy[key] = mapValue(value, change);
  return copy as unknown as T;
}

function mapValue(value: unknown, change: (node: ast.Node) => ast.Node): unknown {
  if (Array.isArray(value)) return value.map((item) => mapValue(item, change));
  if (typeof value === "object" && value !== null && "kind" in value) return mapTree(value as ast.Node, change);
  return value;
}
