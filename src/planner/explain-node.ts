/** The printed form of a plan: a tree of nodes with facts, and the tree as EXPLAIN's text. */

/** What a fact of a node is in JSON. */
export type ExplainValue =
  | string
  | number
  | boolean
  | null
  | readonly ExplainValue[]
  | { readonly [key: string]: ExplainValue };

/** One thing that EXPLAIN says of a node: its key and value in JSON, and the lines that say it in text (none: JSON only). */
export interface ExplainFact {
  readonly key: string;
  readonly value: ExplainValue;
  readonly lines: readonly string[];
}

/** One operator: its line, what is said below it, its inputs. */
export interface ExplainNode {
  /** The line in text: `Resource Scan on pr p`. */
  readonly node: string;
  /** PostgreSQL's name of the operator, for `Node Type` in JSON. */
  readonly type: string;
  readonly facts: readonly ExplainFact[];
  readonly inputs: readonly ExplainNode[];
  /** The scan it prints, so that what happened at run time can be added. */
  readonly scan?: number;
  /** Scans whose rows give it arguments, and how. */
  readonly waitsFor?: readonly { readonly scan: number; readonly argument: string }[];
  /** It only names what is below it: a CTE, or a subquery of an expression. */
  readonly wraps?: "InitPlan" | "SubPlan";
}

/** A fact with one line, `key: value` unless other lines are given. */
export function fact(key: string, value: ExplainValue, lines?: readonly string[]): ExplainFact {
  return { key, value, lines: lines ?? [`${key}: ${Array.isArray(value) ? value.join(", ") : String(value)}`] };
}

/** A fact for JSON; the text has it in the node's line, or takes it for granted. */
export function unprinted(key: string, value: ExplainValue): ExplainFact {
  return { key, value, lines: [] };
}

/** The lines below a node's own. */
export function detailsOf(node: ExplainNode): string[] {
  return node.facts.flatMap((item) => item.lines);
}

/** EXPLAIN's text: one line an operator, `->` before each input, details indented below. */
export function explainText(root: ExplainNode): string {
  const lines: string[] = [];
  writeNode(root, 0, lines);
  return lines.join("\n");
}

function writeNode(node: ExplainNode, depth: number, lines: string[]): void {
  const indent = depth === 0 ? "" : " ".repeat(depth * 6 - 4);
  lines.push(depth === 0 ? node.node : `${indent}->  ${node.node}`);
  const below = " ".repeat(depth * 6 + 2);
  for (const detail of detailsOf(node)) lines.push(`${below}${detail}`);
  for (const input of node.inputs) writeNode(input, depth + 1, lines);
}
