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
  const scanner = new FieldScanner(source.toLowerCase());
  const fields: TextField[] = [];
  let used = 0;
  while (scanner.skipSeparators()) {
    const field = scanner.next();
    if (field === undefined) return undefined;
    used += field.text.length + 1;
    if (fields.length >= maxFields || used > maxLength) return undefined;
    fields.push(field);
  }
  return fields;
}

/** Reads one field after the other; `text` is in lower case. */
class FieldScanner {
  private at = 0;

  constructor(private readonly text: string) {}

  /** Goes to the next field: past spaces, and punctuation that begins none. Whether there is one. */
  skipSeparators(): boolean {
    this.skipWhile((c) => isSpace(c) || (isPunctuation(c) && c !== dot && c !== plus && c !== dash));
    return this.at < this.text.length;
  }

  /** The field that starts here, `undefined` when none can. */
  next(): TextField | undefined {
    const code = this.text.charCodeAt(this.at);
    if (isDigit(code)) return this.field(isDigit, () => this.restOfNumber());
    if (isLetter(code)) return this.field(isLetter, (start) => this.restOfWord(start));
    if (code === plus || code === dash) return this.signed();
    if (code !== dot) return undefined;
    this.at++;
    const start = this.at - 1;
    this.skipWhile(isDigit);
    return { kind: "number", text: this.text.slice(start, this.at) };
  }

  /** A field that begins with characters of one kind; `rest` reads on from there and says what it is. */
  private field(begins: (code: number) => boolean, rest: (start: number) => FieldKind): TextField {
    const start = this.at;
    this.skipWhile(begins);
    const kind = rest(start);
    return { kind, text: this.text.slice(start, this.at) };
  }

  /** A zone's distance or a word with a sign; spaces behind the sign are not part of it. */
  private signed(): TextField | undefined {
    const sign = this.text[this.at++];
    this.skipWhile(isSpace);
    const start = this.at;
    const after = this.text.charCodeAt(start);
    let kind: FieldKind;
    if (isDigit(after)) {
      this.skipWhile((c) => isDigit(c) || c === colon || c === dot || c === dash);
      kind = "zone";
    } else if (isLetter(after)) {
      this.skipWhile(isLetter);
      kind = "signedWord";
    } else return undefined;
    return { kind, text: sign + this.text.slice(start, this.at) };
  }

  private restOfNumber(): FieldKind {
    const { text } = this;
    const delimiter = text.charCodeAt(this.at);
    if (delimiter === colon) {
      this.skipWhile((c) => isDigit(c) || c === colon || c === dot);
      return "time";
    }
    if (delimiter !== dash && delimiter !== slash && delimiter !== dot) return "number";
    this.at++;
    if (!isDigit(text.charCodeAt(this.at))) {
      this.skipWhile((c) => isDigit(c) || isLetter(c) || c === delimiter);
      return "date";
    }
    this.skipWhile(isDigit);
    if (text.charCodeAt(this.at) !== delimiter) return delimiter === dot ? "number" : "date";
    this.skipWhile((c) => isDigit(c) || c === delimiter);
    return "date";
  }

  /** A word goes on as a date (`jan-8-1999`) or a zone's name (`america/new_york`, `utc+3`) unless a keyword ends here. */
  private restOfWord(start: number): FieldKind {
    const { text } = this;
    const next = text.charCodeAt(this.at);
    const joined = next === dash || next === slash || next === dot;
    const isKeyword = () => dateWord(text.slice(start, this.at)) !== undefined;
    if (!joined && !((next === plus || isDigit(next)) && !isKeyword())) return "word";
    this.skipWhile(isPartOfName);
    return "date";
  }

  private skipWhile(test: (code: number) => boolean): void {
    while (this.at < this.text.length && test(this.text.charCodeAt(this.at))) this.at++;
  }
}

function isPartOfName(code: number): boolean {
  return (
    isDigit(code) ||
    isLetter(code) ||
    code === plus ||
    code === dash ||
    code === slash ||
    code === underscore ||
    code === dot ||
    code === colon
  );
}
