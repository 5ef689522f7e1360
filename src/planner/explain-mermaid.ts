/**
 * A plan as a Mermaid flowchart: a box an operator, an arrow from each input to what reads it, a dotted arrow from the scan
 * that an argument comes from to the scan that waits for it.
 *
 * Labels hold whatever a statement holds, so everything that Mermaid reads as its own is written as an entity code:
 * quotes and `#`, HTML, `%%{…}%%` directives, `$$…$$` formulas, `\n`, and the backtick that begins Markdown.
 */
import { detailsOf, type ExplainNode } from "./explain-node.js";

/** Characters of one line of a label. */
const maxLineLength = 80;
/** Lines below the operator's own. */
const maxDetails = 8;

/** EXPLAIN (FORMAT MERMAID): the text of a diagram, without a last line break. */
export function explainMermaid(root: ExplainNode): string {
  const names = new Map<ExplainNode, string>();
  const scans = new Map<number, string>();
  nameNodes(root, names, scans);
  const boxes: string[] = [];
  const arrows: string[] = [];
  for (const [node, name] of names) {
    boxes.push(`  ${name}["${labelOf(node)}"]`);
    for (const input of node.inputs) arrows.push(`  ${names.get(input)} --> ${name}`);
    for (const { scan, argument } of node.waitsFor ?? []) {
      const source = scans.get(scan);
      if (source !== undefined) arrows.push(`  ${source} -. "${escaped(cut(argument))}" .-> ${name}`);
    }
  }
  return ["flowchart TD", ...boxes, ...arrows].join("\n");
}

/** Names nodes from the root down: `n1`, `n2`, …; a scan that is printed twice is the first one to what waits for it. */
function nameNodes(node: ExplainNode, names: Map<ExplainNode, string>, scans: Map<number, string>): void {
  const name = `n${names.size + 1}`;
  names.set(node, name);
  if (node.scan !== undefined && !scans.has(node.scan)) scans.set(node.scan, name);
  for (const input of node.inputs) nameNodes(input, names, scans);
}

function labelOf(node: ExplainNode): string {
  const details = detailsOf(node);
  const shown = details.slice(0, maxDetails);
  if (details.length > maxDetails) shown.push(`… ${details.length - maxDetails} more`);
  return [node.node, ...shown].map((line) => escaped(cut(line))).join("<br/>");
}

/** Cuts between characters, never inside one. */
function cut(text: string): string {
  const characters = [...text];
  return characters.length <= maxLineLength ? text : `${characters.slice(0, maxLineLength - 1).join("")}…`;
}

const codes: Readonly<Record<string, string>> = {
  '"': "#quot;",
  "#": "#35;",
  "&": "#amp;",
  "<": "#lt;",
  ">": "#gt;",
  "%": "#37;",
  $: "#36;",
  "`": "#96;",
  "\\": "#92;",
};

/** One line of a label; line breaks and control characters are spaces, halves of a surrogate pair the replacement character. */
function escaped(line: string): string {
  let text = "";
  for (const character of line) {
    const code = character.codePointAt(0) as number;
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029) text += " ";
    else if (code >= 0xd800 && code <= 0xdfff) text += "\ufffd";
    else text += codes[character] ?? character;
  }
  return text;
}
