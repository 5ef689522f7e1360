/**
 * Fills a number's digits into a format: signs where the format anchors them, blanks for digits that are not there,
 * separators only between digits. The locale is C: `.` and `,`, no currency sign.
 * Source: PostgreSQL 15, 9.8 "Data Type Formatting Functions", and the answers of a server.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { NumberPattern } from "./number-pattern.js";
import { ordinalEnding } from "./ordinal.js";
import { romanWidth } from "./roman.js";

/** A number ready to be filled in: its digits without a sign, and how many places before them stay empty. */
export interface PreparedNumber {
  readonly digits: string;
  readonly emptyPlaces: number;
  readonly negative: boolean;
}

/** The digits before and after the point fitted to a format; `#` when there are too many. */
export function prepare(pattern: NumberPattern, text: string): PreparedNumber {
  const negative = text.startsWith("-");
  let digits = negative ? text.slice(1) : text;
  const point = digits.indexOf(".");
  const whole = point === -1 ? digits.length : point;
  if (whole > pattern.pre) digits = `${"#".repeat(pattern.pre)}.${"#".repeat(pattern.post)}`;
  return { digits, emptyPlaces: whole < pattern.pre ? pattern.pre - whole : 0, negative };
}

export function fillPattern(pattern: NumberPattern, number: PreparedNumber): string {
  return new NumberWriter(pattern, number).write();
}

/** Whether a text ends in a digit; NaN and Infinity do not. */
function isNumberText(digits: string): boolean {
  const last = digits.charCodeAt(digits.length - 1);
  return last >= 48 && last <= 57;
}

class NumberWriter {
  private readonly sign: "-" | "+";
  private readonly digits: string;
  private readonly emptyPlaces: number;
  private signWritten: boolean;
  private readonly placeOfLast: number;
  /** With FM: index of the last digit that matters, the point itself when no decimal does. */
  private readonly lastRelevant: number | undefined;
  private text = "";
  private end: number | undefined;
  /** Place in the format's digits, and in the number's. */
  private place = 0;
  private at = 0;
  /** The digits have begun: a separator is shown. */
  private inNumber = false;
  private readonly zeroStart: number;

  constructor(
    private readonly pattern: NumberPattern,
    { digits, emptyPlaces, negative }: PreparedNumber,
  ) {
    this.sign = negative ? "-" : "+";
    this.digits = digits;
    this.emptyPlaces = emptyPlaces;
    this.zeroStart = pattern.zeroStart > 0 ? pattern.zeroStart - 1 : 0;
    if (pattern.plus || pattern.minus) this.signWritten = !(pattern.plus && !pattern.minus);
    else {
      if (!negative && pattern.fill) pattern.bracket = false;
      this.signWritten = !negative && pattern.fill && !pattern.sign;
      if (pattern.signPlace === "before" && pattern.pre === pattern.digitsBeforeSign) pattern.signPlace = "behind";
    }
    this.lastRelevant = this.findLastRelevant();
    const extra = !this.signWritten && emptyPlaces === 0 ? 1 : 0;
    this.placeOfLast = pattern.post + pattern.pre - 1 + extra + (emptyPlaces > 0 ? 1 : 0) + (pattern.decimal ? 1 : 0);
  }

  /** FM leaves out zeros at the end of the decimals, except where the format says 0. */
  private findLastRelevant(): number | undefined {
    const { fill, decimal, zeroEnd } = this.pattern;
    const point = this.digits.indexOf(".");
    if (!fill || !decimal || point === -1) return undefined;
    let last = point;
    for (let i = point + 1; i < this.digits.length; i++) if (this.digits[i] !== "0") last = i;
    if (zeroEnd > this.emptyPlaces) last = Math.max(last, Math.min(this.digits.length - 1, zeroEnd - this.emptyPlaces));
    return last;
  }

  write(): string {
    for (const node of this.pattern.nodes) {
      if (node.kind === "text") this.text += node.text;
      else this.writePattern(node.id, node.lower);
    }
    return this.end === undefined ? this.text : this.text.slice(0, this.end);
  }

  private writePattern(id: string, lower: boolean): void {
    const { fill } = this.pattern;
    switch (id) {
      case "9":
      case "0":
      case ".":
      case "D":
        if (!this.pattern.roman) this.writePlace(id);
        return;
      case ",":
      case "G":
        if (this.inNumber) this.text += ",";
        else if (!fill) this.text += " ";
        return;
      case "L":
        this.text += " ";
        return;
      case "RN": {
        const numeral = lower ? this.digits.toLowerCase() : this.digits;
        this.text += fill ? numeral : numeral.padStart(romanWidth);
        return;
      }
      case "TH":
        if (this.pattern.roman || this.digits[0] === "#" || this.sign === "-" || this.pattern.decimal) return;
        if (!isNumberText(this.digits))
          throw new SqlError(sqlstate.invalidTextRepresentation, `"${this.digits}" is not a number`);
        this.text += ordinalEnding(this.digits, !lower);
        return;
      case "MI":
        if (this.sign === "-") this.text += "-";
        else if (!fill) this.text += " ";
        return;
      case "PL":
        if (this.sign === "+" && !this.pattern.roman) this.text += "+";
        else if (!fill) this.text += " ";
        return;
      case "SG":
        // A numeral has no sign; PostgreSQL writes the end of the text for it.
        if (this.pattern.roman) this.end ??= this.text.length;
        else this.text += this.sign;
        return;
      default:
        return;
    }
  }

  /** A digit or the point, with the sign before the first or behind the last one. */
  private writePlace(id: string): void {
    const { pattern } = this;
    this.inNumber = false;
    this.writeLeadingSign();
    const before = this.place < this.emptyPlaces;
    if (before && (this.zeroStart > this.place || !pattern.zero)) {
      if (!pattern.fill) this.text += " ";
    } else if (before) {
      this.text += "0";
      this.inNumber = true;
    } else this.writeDigit(id);
    const end = this.lastRelevant !== undefined && this.lastRelevant === this.at ? this.place : this.placeOfLast;
    if (this.place + 1 === end) this.writeTrailingSign();
    this.place++;
  }

  private writeLeadingSign(): void {
    const { pattern } = this;
    if (this.signWritten) return;
    const begins = this.place >= this.emptyPlaces || (pattern.zero && this.zeroStart === this.place);
    const onlyPoint = this.lastRelevant !== undefined && this.digits[this.lastRelevant] === ".";
    if (!begins || (this.isLeadingZero() && !onlyPoint)) return;
    if (pattern.sign) {
      if (pattern.signPlace !== "before") return;
      this.text += this.sign;
    } else if (pattern.bracket) this.text += this.sign === "+" ? " " : "<";
    else if (this.sign === "-") this.text += "-";
    else if (!pattern.fill) this.text += " ";
    this.signWritten = true;
  }

  private writeTrailingSign(): void {
    const { pattern } = this;
    if (this.signWritten && pattern.bracket) this.text += this.sign === "+" ? " " : ">";
    else if (pattern.sign && pattern.signPlace === "behind") this.text += this.sign;
  }

  /** The 0 of 0.1, which `9.9` shows as a blank. */
  private isLeadingZero(): boolean {
    return !this.pattern.zero && this.at === 0 && this.digits[0] === "0" && this.pattern.post !== 0;
  }

  private writeDigit(id: string): void {
    const { pattern, lastRelevant, digits } = this;
    const onlyPoint = lastRelevant !== undefined && digits[lastRelevant] === ".";
    if (this.at < digits.length) {
      const character = digits[this.at];
      if (character === ".") this.text += ".";
      else if (lastRelevant !== undefined && this.at > lastRelevant && id !== "0") {
        // FM leaves it out.
      } else if (this.isLeadingZero()) {
        if (!pattern.fill) this.text += " ";
        else if (onlyPoint) this.text += "0";
      } else {
        this.text += character;
        this.inNumber = true;
      }
      this.at++;
    } else if (lastRelevant === undefined || this.at <= lastRelevant || id === "0") {
      this.inNumber = true;
      // The format has more places than a float has digits: PostgreSQL's text ends here.
      this.end ??= this.text.length;
    }
  }
}
