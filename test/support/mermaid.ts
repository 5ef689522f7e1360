/**
 * A strict reader of the part of Mermaid that plans are written in: `flowchart TD`, boxes with quoted labels, plain arrows,
 * dotted arrows with a quoted label. Whatever Mermaid could read as something else is refused.
 * Source: Mermaid, "Flowcharts – Basic Syntax": special characters and entity codes.
 */

/** A diagram as data. */
export interface Diagram {
  /** Box → its label, decoded, one entry a line. */
  readonly boxes: ReadonlyMap<string, readonly string[]>;
  readonly arrows: readonly { readonly from: string; readonly to: string; readonly label?: string }[];
}

const entities: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">" };

/** @throws Error for a line that is not of this form, for an arrow to a box that is not there, for a label that Mermaid changes */
export function readMermaid(text: string): Diagram {
  const [head, ...lines] = text.split("\n");
  if (head !== "flowchart TD") throw new Error(`not a flowchart: ${head}`);
  const boxes = new Map<string, readonly string[]>();
  const arrows: { from: string; to: string; label?: string }[] = [];
  for (const line of lines) {
    const box = /^ {2}(n\d+)\["([^"]*)"\]$/.exec(line);
    const arrow = /^ {2}(n\d+) --> (n\d+)$/.exec(line);
    const dotted = /^ {2}(n\d+) -\. "([^"]*)" \.-> (n\d+)$/.exec(line);
    if (box !== null) {
      if (boxes.has(box[1])) throw new Error(`box ${box[1]} twice`);
      boxes.set(box[1], box[2].split("<br/>").map(decoded));
    } else if (arrow !== null) arrows.push({ from: arrow[1], to: arrow[2] });
    else if (dotted !== null) arrows.push({ from: dotted[1], to: dotted[3], label: decoded(dotted[2]) });
    else throw new Error(`not a line of a flowchart: ${line}`);
  }
  for (const { from, to } of arrows)
    for (const name of [from, to]) if (!boxes.has(name)) throw new Error(`no box ${name}`);
  return { boxes, arrows };
}

/** The text that Mermaid shows for a label. */
function decoded(label: string): string {
  const bare = label.replaceAll(entity, "");
  // HTML, directives and comments, formulas, Markdown, escapes, entities that are not closed.
  const sign = /[<>&%$`\\#"]/u.exec(bare)?.[0] ?? [...bare].find(isUnprintable);
  if (sign !== undefined) throw new Error(`${JSON.stringify(sign)} in a label: ${label}`);
  return label.replaceAll(entity, (_, code: string) => {
    const character = /^\d/.test(code) ? String.fromCodePoint(Number(code)) : entities[code];
    if (character === undefined) throw new Error(`no entity ${code}`);
    return character;
  });
}

const entity = /#(\d+|[a-z]+);/g;

/** Control characters, line ends of any kind, halves of characters. */
function isUnprintable(character: string): boolean {
  const code = character.codePointAt(0) as number;
  return (
    code < 0x20 ||
    (code >= 0x7f && code < 0xa0) ||
    code === 0x2028 ||
    code === 0x2029 ||
    (code >= 0xd800 && code <= 0xdfff)
  );
}
