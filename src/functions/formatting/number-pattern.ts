/**
 * Takes apart the format texts of to_char and to_number for numbers: `FM999,990.00`, `S9999`, `9.99EEEE`, `RN`, and
 * checks that its parts go together.
 * Source: PostgreSQL 15, table 9.29 "Template Patterns for Numeric Formatting".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { characterAt } from "./datetime-pattern.js";

export type NumberNode =
  | { readonly kind: "pattern"; readonly id: string; readonly lower: boolean }
  | { readonly kind: "text"; readonly text: string };

/** A format and what is counted of it. */
export interface NumberPattern {
  readonly nodes: readonly NumberNode[];
  /** Digits before and after the decimal point, and after V. */
  pre: number;
  post: number;
  multi: number;
  /** The first and last place that shows a zero, counted from 1; 0 for none. */
  zeroStart: number;
  zeroEnd: number;
  /** Where S stands: before or behind the digits. */
  signPlace: "before" | "behind" | undefined;
  /** Digits before S. */
  digitsBeforeSign: number;
  fill: boolean;
  decimal: boolean;
  zero: boolean;
  blank: boolean;
  sign: boolean;
  bracket: boolean;
  minus: boolean;
  plus: boolean;
  roman: boolean;
  multiply: boolean;
  exponent: boolean;
}

/** In the order in which they are tried. */
const patterns = ", . 0 9 B C D EEEE FM G L MI PL PR RN SG SP S TH V".split(" ");
const spelled: readonly (readonly [string, string, boolean])[] = [
  ...patterns.map((name) => [name, name, false] as const),
  ...patterns.map((name) => [name.toLowerCase(), name, true] as const),
];

const parsed = new Map<string, NumberPattern>();
const maxParsed = 200;

/** The pieces of a format; the caller gets a copy of its own to change. @throws SqlError 42601 */
export function parseNumberPattern(format: string): NumberPattern {
  let pattern = parsed.get(format);
  if (pattern === undefined) {
    pattern = parse(format);
    if (parsed.size >= maxParsed) parsed.clear();
    parsed.set(format, pattern);
  }
  return { ...pattern };
}

function parse(format: string): NumberPattern {
  const nodes: NumberNode[] = [];
  const pattern: NumberPattern = {
    nodes,
    pre: 0,
    post: 0,
    multi: 0,
    zeroStart: 0,
    zeroEnd: 0,
    signPlace: undefined,
    digitsBeforeSign: 0,
    fill: false,
    decimal: false,
    zero: false,
    blank: false,
    sign: false,
    bracket: false,
    minus: false,
    plus: false,
    roman: false,
    multiply: false,
    exponent: false,
  };
  let at = 0;
  while (at < format.length) {
    const found = spelled.find(([name]) => format.startsWith(name, at));
    if (found !== undefined) {
      const [name, id, lower] = found;
      at += name.length;
      nodes.push({ kind: "pattern", id, lower });
      count(pattern, id);
    } else if (format[at] === '"') at = parseQuoted(format, at + 1, nodes);
    else {
      if (format[at] === "\\" && format[at + 1] === '"') at++;
      const text = characterAt(format, at);
      nodes.push({ kind: "text", text });
      at += text.length;
    }
  }
  return pattern;
}

function parseQuoted(format: string, from: number, nodes: NumberNode[]): number {
  let at = from;
  while (at < format.length && format[at] !== '"') {
    if (format[at] === "\\" && at + 1 < format.length) at++;
    const text = characterAt(format, at);
    nodes.push({ kind: "text", text });
    at += text.length;
  }
  return at + 1;
}

function refuse(message: string, detail?: string): SqlError {
  return new SqlError(sqlstate.syntaxError, message, detail === undefined ? {} : { detail });
}

/** Notes what a pattern means for the whole. */
function count(pattern: NumberPattern, id: string): void {
  if (pattern.exponent && id !== "EEEE") throw refuse('"EEEE" must be the last pattern used');
  switch (id) {
    case "9":
    case "0":
      countDigit(pattern, id);
      return;
    case "B":
      if (pattern.pre === 0 && pattern.post === 0 && !pattern.zero) pattern.blank = true;
      return;
    case "D":
    case ".":
      if (pattern.decimal) throw refuse("multiple decimal points");
      if (pattern.multiply) throw refuse('cannot use "V" and decimal point together');
      pattern.decimal = true;
      return;
    case "FM":
      pattern.fill = true;
      return;
    case "S":
    case "MI":
    case "PL":
    case "SG":
    case "PR":
      countSign(pattern, id);
      return;
    case "RN":
      pattern.roman = true;
      return;
    case "V":
      if (pattern.decimal) throw refuse('cannot use "V" and decimal point together');
      pattern.multiply = true;
      return;
    case "EEEE":
      countExponent(pattern);
      return;
    default:
      return;
  }
}

function countDigit(pattern: NumberPattern, id: "9" | "0"): void {
  if (pattern.bracket) throw refuse(`"${id}" must be ahead of "PR"`);
  if (id === "9") {
    if (pattern.multiply) pattern.multi++;
    else if (pattern.decimal) pattern.post++;
    else pattern.pre++;
    return;
  }
  if (!pattern.zero && !pattern.decimal) {
    pattern.zero = true;
    pattern.zeroStart = pattern.pre + 1;
  }
  if (pattern.decimal) pattern.post++;
  else pattern.pre++;
  pattern.zeroEnd = pattern.pre + pattern.post;
}

function countSign(pattern: NumberPattern, id: "S" | "MI" | "PL" | "SG" | "PR"): void {
  switch (id) {
    case "S":
      if (pattern.sign) throw refuse('cannot use "S" twice');
      if (pattern.plus || pattern.minus || pattern.bracket)
        throw refuse('cannot use "S" and "PL"/"MI"/"SG"/"PR" together');
      pattern.sign = true;
      pattern.signPlace = pattern.decimal ? "behind" : "before";
      if (!pattern.decimal) pattern.digitsBeforeSign = pattern.pre;
      return;
    case "MI":
      if (pattern.sign) throw refuse('cannot use "S" and "MI" together');
      pattern.minus = true;
      return;
    case "PL":
      if (pattern.sign) throw refuse('cannot use "S" and "PL" together');
      pattern.plus = true;
      return;
    case "SG":
      if (pattern.sign) throw refuse('cannot use "S" and "SG" together');
      pattern.minus = true;
      pattern.plus = true;
      return;
    case "PR":
      if (pattern.sign || pattern.plus || pattern.minus)
        throw refuse('cannot use "PR" and "S"/"PL"/"MI"/"SG" together');
      pattern.bracket = true;
      return;
  }
}

function countExponent(pattern: NumberPattern): void {
  if (pattern.exponent) throw refuse('cannot use "EEEE" twice');
  const { blank, fill, sign, bracket, minus, plus, roman, multiply } = pattern;
  if (blank || fill || sign || bracket || minus || plus || roman || multiply)
    throw refuse(
      '"EEEE" is incompatible with other formats',
      '"EEEE" may only be used together with digit and decimal point patterns.',
    );
  pattern.exponent = true;
}
