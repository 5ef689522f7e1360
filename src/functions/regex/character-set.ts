/** Sets of characters in patterns: single characters, ranges, named classes, complements. */
import {
  isAlphabetic,
  isAlphanumeric,
  isControl,
  isDigit,
  isGraphic,
  isLower,
  isPrintable,
  isPunctuation,
  isSpace,
  isUpper,
  lowerCharacter,
  upperCharacter,
} from "../../types/letter-case.js";

/** A test of one code point. Sets are compared by identity. */
export interface CharacterSet {
  has(codePoint: number): boolean;
  /** The characters, when there are few of them: lets plain patterns be recognized. */
  readonly single?: number;
}

type ClassTest = (character: string) => boolean;

/** Classes that `[[:name:]]` knows; `word` is `\w`. */
const classes = new Map<string, ClassTest>([
  ["alnum", isAlphanumeric],
  ["alpha", isAlphabetic],
  ["ascii", (character) => character < "\x80"],
  ["blank", (character) => character === " " || character === "\t"],
  ["cntrl", isControl],
  ["digit", isDigit],
  ["graph", isGraphic],
  ["lower", isLower],
  ["print", isPrintable],
  ["punct", isPunctuation],
  ["space", isSpace],
  ["upper", isUpper],
  ["xdigit", (character) => /^[0-9A-Fa-f]$/.test(character)],
  ["word", isWordCharacter],
]);

/** Letters, digits and the underscore. */
export function isWordCharacter(character: string): boolean {
  return character === "_" || isAlphanumeric(character);
}

/** Builds a set item by item; every item may be added without regard to case. */
export class CharacterSetBuilder {
  private readonly points = new Set<number>();
  private readonly ranges: [number, number][] = [];
  private readonly tests: ((codePoint: number) => boolean)[] = [];

  constructor(private readonly ignoreCase: boolean) {}

  addCharacter(point: number): this {
    this.points.add(point);
    if (this.ignoreCase) this.addCases(point);
    return this;
  }

  /** Both ends included. */
  addRange(first: number, last: number): this {
    this.ranges.push([first, last]);
    if (this.ignoreCase) {
      // no character behind this one has upper and lower case
      for (let point = first; point <= Math.min(last, 0x1ffff); point++) this.addCases(point);
    }
    return this;
  }

  /** False when there is no class of that name. */
  addClass(name: string, negated = false): boolean {
    const caseless = this.ignoreCase && (name === "lower" || name === "upper") ? "alpha" : name;
    const test = classes.get(caseless);
    if (test === undefined) return false;
    this.tests.push((point) => test(String.fromCodePoint(point)) !== negated);
    return true;
  }

  private addCases(point: number): void {
    if ((point >= 0xd800 && point <= 0xdfff) || point > 0x10ffff) return;
    const character = String.fromCodePoint(point);
    this.points.add(lowerCharacter(character).codePointAt(0) as number);
    this.points.add(upperCharacter(character).codePointAt(0) as number);
  }

  build(): CharacterSet {
    const { points, ranges, tests } = this;
    if (ranges.length === 0 && tests.length === 0 && points.size === 1) {
      const [single] = points;
      return { has: (point) => point === single, single };
    }
    return {
      has: (point) =>
        points.has(point) ||
        ranges.some(([first, last]) => point >= first && point <= last) ||
        tests.some((test) => test(point)),
    };
  }
}

/** All characters that are not in a set. */
export function complement(set: CharacterSet): CharacterSet {
  return { has: (point) => !set.has(point) };
}

export const anyCharacterSet: CharacterSet = { has: () => true };
export const notNewlineSet: CharacterSet = { has: (point) => point !== 10 };

/** Names of ASCII characters in `[[.name.]]`. Source: POSIX portable character set. */
const characterNames = new Map<string, number>();
const control =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC IS4 IS3 IS2 IS1";
control.split(" ").forEach((name, code) => {
  characterNames.set(name, code);
});
for (const [first, names] of [
  [7, "alert backspace tab newline vertical-tab form-feed carriage-return"],
  [
    32,
    "space exclamation-mark quotation-mark number-sign dollar-sign percent-sign ampersand apostrophe left-parenthesis " +
      "right-parenthesis asterisk plus-sign comma hyphen period slash zero one two three four five six seven eight nine " +
      "colon semicolon less-than-sign equals-sign greater-than-sign question-mark commercial-at",
  ],
  [91, "left-square-bracket backslash right-square-bracket circumflex underscore grave-accent"],
  [123, "left-brace vertical-line right-brace tilde DEL"],
] as const)
  names.split(" ").forEach((name, i) => {
    characterNames.set(name, first + i);
  });
for (const [name, code] of [
  ["hyphen-minus", 45],
  ["full-stop", 46],
  ["solidus", 47],
  ["reverse-solidus", 92],
  ["circumflex-accent", 94],
  ["low-line", 95],
  ["left-curly-bracket", 123],
  ["right-curly-bracket", 125],
] as const)
  characterNames.set(name, code);

/** Code point of a collating element: a single character, or the name of one. */
export function collatingElement(text: string): number | undefined {
  const point = text.codePointAt(0);
  if (point !== undefined && text.length === (point > 0xffff ? 2 : 1)) return point;
  return characterNames.get(text);
}
