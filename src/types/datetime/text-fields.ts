/**
 * Cuts the text of a date, time, timestamp or interval into fields and says what each looks like. What the fields mean
 * is decided in `read-datetime.ts`, `read-time.ts` and `read-interval.ts`.
 * Source: PostgreSQL 15, appendix B.1 "Date/Time Input Interpretation".
 */
import { dateWord } from "./keywords.js";

/**
 * `number`: digits with or without a fraction; `date`: parts joined by `-`, `/` or `.`, which may be a zone's name too;
 * `time`: digits with `:`; `zone`: a sign and digits; `word`: letters; `signedWord`: `-infinity`.
 */
export type FieldKind = "number" | "date" | "time" | "zone" | "word" | "signedWord";

export interface TextField {
  readonly kind: FieldKind;
  /** In lower case. */
  readonly text: string;
}

const maxFields = 25;
/** PostgreSQL's work space for one value; longer texts are none. */
const maxLength = 153;

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isPunctuation(code: number): boolean {
  return code > 32 && code < 127 && !isDigit(code) && !isLetter(code);
}

const dash = 45;
const slash = 47;
const dot = 46;
const colon = 58;
const plus = 43;
const underscore = 95;

/** The fields of a text, `undefined` when it cannot be a date or time at all. */
export function splitFields(source: string): TextField[] | undefined {
  const text = source.toLowerCase();
  const fields: TextField[] = [];
  let used = 0;
  let at = 0;
  const skipWhile = (test: (code: number) => boolean): void => {
    while (at < text.length && test(text.charCodeAt(at))) at++;
  };
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      at++;
      continue;
    }
    const start = at;
    let kind: FieldKind;
    let skipped = "";
    if (isDigit(code)) {
      skipWhile(isDigit);
      kind = restOfNumber();
    } else if (code === dot) {
      at++;
      skipWhile(isDigit);
      kind = "number";
    } else if (isLetter(code)) {
      skipWhile(isLetter);
      kind = restOfWord(start);
    } else if (code === plus || code === dash) {
      at++;
      const sign = text[start];
      skipWhile(isSpace);
      const after = text.charCodeAt(at);
      skipped = sign;
      const bodyStart = at;
      if (isDigit(after)) {
        skipWhile((c) => isDigit(c) || c === colon || c === dot || c === dash);
        kind = "zone";
      } else if (isLetter(after)) {
        skipWhile(isLetter);
        kind = "signedWord";
      } else return undefined;
      skipped += text.slice(bodyStart, at);
    } else if (isPunctuation(code)) {
      at++;
      continue;
    } else return undefined;
    const field = skipped === "" ? text.slice(start, at) : skipped;
    used += field.length + 1;
    if (fields.length >= maxFields || used > maxLength) return undefined;
    fields.push({ kind, text: field });
  }
  return fields;

  function restOfNumber(): FieldKind {
    const delimiter = text.charCodeAt(at);
    if (delimiter === colon) {
      skipWhile((c) => isDigit(c) || c === colon || c === dot);
      return "time";
    }
    if (delimiter !== dash && delimiter !== slash && delimiter !== dot) return "number";
    at++;
    if (!isDigit(text.charCodeAt(at))) {
      skipWhile((c) => isDigit(c) || isLetter(c) || c === delimiter);
      return "date";
    }
    skipWhile(isDigit);
    if (text.charCodeAt(at) !== delimiter) return delimiter === dot ? "number" : "date";
    skipWhile((c) => isDigit(c) || c === delimiter);
    return "date";
  }

  /** A word goes on as a date (`jan-8-1999`) or a zone's name (`america/new_york`, `utc+3`) unless a keyword ends here. */
  function restOfWord(start: number): FieldKind {
    const next = text.charCodeAt(at);
    const joined = next === dash || next === slash || next === dot;
    if (!joined && !((next === plus || isDigit(next)) && dateWord(text.slice(start, at)) === undefined)) return "word";
    skipWhile(
      (c) =>
        isDigit(c) ||
        isLetter(c) ||
        c === plus ||
        c === dash ||
        c === slash ||
        c === underscore ||
        c === dot ||
        c === colon,
    );
    return "date";
  }
}
