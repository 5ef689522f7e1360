/** Pieces of source text: literals, property names, doc comments. */

/** Longest literal that stays on one line. */
const lineWidth = 100;

/**
 * A JSON value as a literal of TypeScript, over several lines where one would be too long.
 * @param indent blanks before the line that it begins on
 */
export function literalText(value: unknown, indent = 0): string {
  const flat = flatText(value);
  if (flat.length + indent <= lineWidth || typeof value !== "object" || value === null) return flat;
  const end = " ".repeat(indent);
  if (!Array.isArray(value)) return `{\n${fieldLines(value, indent + 2)}${end}}`;
  return `[\n${value.map((item) => `${end}  ${literalText(item, indent + 2)},\n`).join("")}${end}]`;
}

/** The fields of an object, each on a line of its own (or more), to be put between braces. */
export function fieldLines(value: object, indent: number): string {
  const start = " ".repeat(indent);
  return entriesOf(value)
    .map(([name, item]) => `${start}${propertyKey(name)}: ${literalText(item, indent)},\n`)
    .join("");
}

function flatText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return scalarText(value);
  const fields = entriesOf(value).map(([name, item]) => `${propertyKey(name)}: ${flatText(item)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** A text, number, boolean or null. Line separators are escaped, as old readers of JavaScript end a line at them. */
export function scalarText(value: unknown): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** A text as a template literal, over as many lines as it has. */
export function templateText(text: string): string {
  return `\`${text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${").replaceAll("\r", "\\r")}\``;
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}

/** A key of an object literal. `__proto__` is computed: written plainly, it would set the prototype. */
export function propertyKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : scalarText(name);
}

/** A doc comment; text inside can't end it. */
export function docComment(lines: readonly string[], indent = 0): string {
  const start = " ".repeat(indent);
  const text = lines.flatMap((line) => commentLines(line));
  if (text.length === 1) return `${start}/** ${text[0]} */\n`;
  return `${start}/**\n${text.map((line) => `${start} * ${line}`.trimEnd()).join("\n")}\n${start} */\n`;
}

/** Longest line of a comment. */
const commentWidth = 110;

/** The lines of a text inside a comment: wrapped, and without what would end the comment or be read as a tag. */
function commentLines(text: string): string[] {
  return commentText(text)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((line) => wrapped(line.trim()));
}

/** Text that can stand inside of a comment. */
export function commentText(text: string): string {
  return text.replaceAll("*/", "*\\/");
}

function wrapped(line: string): string[] {
  const lines = [""];
  for (const word of line.split(/\s+/)) {
    const last = lines[lines.length - 1];
    if (last !== "" && last.length + 1 + word.length > commentWidth) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

/** A sentence's end, unless the text has one. */
export function sentence(text: string): string {
  return /[.!?…:]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
