/**
 * Takes apart the format texts of to_char, to_date and to_timestamp for dates and times: `YYYY-MM-DD HH24:MI`, with the
 * prefixes FM and TM, the suffixes TH and th, quoted text, and the separators that input may vary.
 * Source: PostgreSQL 15, tables 9.27 "Template Patterns for Date/Time Formatting" and 9.28 "… Pattern Modifiers".
 */

/** A piece of a format. */
export type PatternNode =
  | FieldNode
  /** `separator` is punctuation outside quotes, which input may leave out or replace; `text` stands for itself. */
  | { readonly kind: "separator" | "space" | "text"; readonly text: string };

export interface FieldNode {
  readonly kind: "field";
  /** The pattern as the format spells it. */
  readonly name: string;
  /** The pattern in upper case. */
  readonly id: string;
  readonly letterCase: "upper" | "lower" | "capital";
  /** FM: no padding. */
  readonly fill: boolean;
  /** TM: names in the session's language. */
  readonly translated: boolean;
  readonly ordinal: "TH" | "th" | undefined;
}

/** In the order in which they are tried: longer ones before their beginnings. */
const patterns =
  "A.D. A.M. AD AM B.C. BC CC DAY DDD DD DY D FF1 FF2 FF3 FF4 FF5 FF6 FX HH24 HH12 HH IDDD ID IW IYYY IYY IY I J MI MM MONTH MON MS OF P.M. PM Q RM SSSSS SSSS SS TZH TZM TZ US WW W Y,YYY YYYY YYY YY Y".split(
    " ",
  );
/** Patterns that can also be written with a capital only. */
const capitalized = ["Month", "Mon", "Day", "Dy"];

const spelled: readonly (readonly [string, string, FieldNode["letterCase"]])[] = [
  ...capitalized.map((name) => [name, name.toUpperCase(), "capital"] as const),
  ...patterns.map((name) => [name, name, "upper"] as const),
  ...patterns.map((name) => [name.toLowerCase(), name, "lower"] as const),
];

const parsed = new Map<string, readonly PatternNode[]>();
/** Formats are nearly always constants; the memory for others is bounded. */
const maxParsed = 200;

/** The pieces of a format. */
export function parsePattern(format: string): readonly PatternNode[] {
  let nodes = parsed.get(format);
  if (nodes === undefined) {
    nodes = parse(format);
    if (parsed.size >= maxParsed) parsed.clear();
    parsed.set(format, nodes);
  }
  return nodes;
}

function parse(format: string): PatternNode[] {
  const nodes: PatternNode[] = [];
  let at = 0;
  while (at < format.length) {
    const prefix = format.slice(at, at + 2).toUpperCase();
    const written = format.slice(at, at + 2);
    // Only `FM`, `fm`, `TM` and `tm` are prefixes; one with no pattern after it is dropped.
    const isPrefix = (prefix === "FM" || prefix === "TM") && (written === prefix || written === prefix.toLowerCase());
    if (isPrefix) at += 2;
    const found = spelled.find(([name]) => format.startsWith(name, at));
    if (found !== undefined) {
      const [name, id, letterCase] = found;
      at += name.length;
      const { ordinal, length } = suffixAt(format, at);
      at += length;
      const fill = isPrefix && prefix === "FM";
      nodes.push({ kind: "field", name, id, letterCase, fill, translated: isPrefix && prefix === "TM", ordinal });
    } else if (at < format.length) at = parseLiteral(format, at, nodes);
  }
  return nodes;
}

/** The suffix of a pattern: an ordinal ending, or SP, which has no effect. */
function suffixAt(format: string, at: number): { ordinal: "TH" | "th" | undefined; length: number } {
  const written = format.slice(at, at + 2);
  if (written === "TH" || written === "th") return { ordinal: written, length: 2 };
  return { ordinal: undefined, length: written === "SP" ? 2 : 0 };
}

/** One character that stands for itself, or a quoted text. Gives the place after it. */
function parseLiteral(format: string, from: number, nodes: PatternNode[]): number {
  let at = from;
  if (format[at] === '"') {
    at++;
    while (at < format.length && format[at] !== '"') {
      if (format[at] === "\\" && at + 1 < format.length) at++;
      const text = characterAt(format, at);
      nodes.push({ kind: "text", text });
      at += text.length;
    }
    return at + 1;
  }
  if (format[at] === "\\" && format[at + 1] === '"') at++;
  const text = characterAt(format, at);
  const kind = isSeparator(text) ? "separator" : isBlank(text) ? "space" : "text";
  nodes.push({ kind, text });
  return at + text.length;
}

/** The whole character at a place, which may take two units. */
export function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** Punctuation of ASCII. */
export function isSeparator(character: string): boolean {
  const code = character.charCodeAt(0);
  const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return character.length === 1 && code > 32 && code < 127 && !letter && !(code >= 48 && code <= 57);
}

export function isBlank(character: string): boolean {
  const code = character.charCodeAt(0);
  return code === 32 || (code >= 9 && code <= 13);
}
