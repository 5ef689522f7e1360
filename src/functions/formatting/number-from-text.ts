/**
 * to_number: picks sign, digits and decimal point out of a text along a format. The locale is C.
 * Source: PostgreSQL 15, 9.8 "Data Type Formatting Functions", and the answers of a server.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import {
  applyNumericModifier,
  type Numeric,
  Numeric as NumericValue,
  numericMultiply,
  parseNumeric,
} from "../../types/numeric.js";
import { numericPower } from "../../types/numeric-math.js";
import { type NumberPattern, parseNumberPattern } from "./number-pattern.js";

/** @throws SqlError 22P02, 22003, 42601, 0A000; gives null for an empty format, as PostgreSQL does */
export function readNumber(text: string, format: string): Numeric | null {
  if (format === "") return null;
  const pattern = parseNumberPattern(format);
  const { number, decimals } = new NumberReader(text, pattern).read();
  const precision = pattern.pre + pattern.multi + decimals;
  const value = applyNumericModifier(parseNumeric(number), ((precision << 16) | decimals) + 4);
  if (!pattern.multiply) return value;
  return numericMultiply(value, numericPower(NumericValue.of(10, 0), NumericValue.of(-pattern.multi, 0)));
}

const dataCharacters = "0123456789.,+-";

class NumberReader {
  private at = 0;
  private sign = " ";
  private digits = "";
  private before = 0;
  private after = 0;
  private pointRead = false;

  constructor(
    private readonly text: string,
    private readonly pattern: NumberPattern,
  ) {}

  read(): { number: string; decimals: number } {
    const { pattern, text } = this;
    if (pattern.exponent) throw notForInput("EEEE");
    if (pattern.roman) throw notForInput("RN");
    for (const node of pattern.nodes) {
      if (this.at >= text.length) break;
      if (node.kind === "text") this.skipCharacter();
      else this.readPattern(node.id);
    }
    const digits = this.digits.endsWith(".") ? this.digits.slice(0, -1) : this.digits;
    return { number: this.sign + digits, decimals: this.after };
  }

  private current(): string {
    return this.text[this.at] ?? "";
  }

  private skipCharacter(): void {
    const code = this.text.codePointAt(this.at) ?? 0;
    this.at += code > 0xffff ? 2 : 1;
  }

  /** Up to `count` characters that are no part of a number. */
  private skipOther(count: number): void {
    for (let i = 0; i < count && this.at < this.text.length; i++) {
      if (dataCharacters.includes(this.current())) return;
      this.skipCharacter();
    }
  }

  private readPattern(id: string): void {
    const { fill } = this.pattern;
    switch (id) {
      case "9":
      case "0":
      case ".":
      case "D":
        this.readDigit(id);
        this.at++;
        return;
      case ",":
      case "G":
        // No digit is "current" when reading, so FM passes over separators of the format.
        if (!fill && this.current() === ",") this.at++;
        return;
      case "L":
        this.skipOther(1);
        return;
      case "TH":
        if (!this.pattern.decimal) this.skipOther(2);
        return;
      case "MI":
        this.readSign("-");
        return;
      case "PL":
        this.readSign("+");
        return;
      case "SG":
        this.readSign("-+");
        return;
      default:
        return;
    }
  }

  private readSign(signs: string): void {
    if (this.at < this.text.length && signs.includes(this.current())) {
      this.sign = this.current();
      this.at++;
    } else this.skipOther(1);
  }

  /** Leaves the place on the last character read: the caller steps over it. */
  private readDigit(id: string): void {
    const { pattern, text } = this;
    if (this.current() === " ") this.at++;
    if (this.at >= text.length) return;
    if (this.sign === " " && (id === "0" || id === "9") && this.before + this.after === 0) this.readLeadingSign();
    if (this.at >= text.length) return;
    let isRead = false;
    const character = this.current();
    if (character >= "0" && character <= "9") {
      if (this.pointRead && this.after === pattern.post) return;
      this.digits += character;
      if (this.pointRead) this.after++;
      else this.before++;
      isRead = true;
    } else if (pattern.decimal && !this.pointRead && character === ".") {
      this.digits += ".";
      this.pointRead = true;
      isRead = true;
    }
    if (this.sign === " " && this.before + this.after > 0) this.readTrailingSign(isRead);
  }

  private readLeadingSign(): void {
    const { pattern } = this;
    const character = this.current();
    if (pattern.sign && pattern.signPlace === "before") {
      if (character !== "-" && character !== "+") return;
      this.sign = character;
      this.at++;
    } else if (character === "-" || (pattern.bracket && character === "<")) {
      this.sign = "-";
      this.at++;
    } else if (character === "+") {
      this.sign = "+";
      this.at++;
    }
  }

  /** The sign stands behind the last digit where the format's S does, or where a loose format left it. */
  private readTrailingSign(isRead: boolean): void {
    const { pattern, text } = this;
    const next = text[this.at + 1] ?? "";
    if (pattern.sign && isRead && next !== "" && !(next >= "0" && next <= "9")) {
      if (next !== "-" && next !== "+") return;
      this.sign = next;
      this.at++;
    } else if (!isRead && !pattern.sign && (pattern.plus || pattern.minus)) {
      const character = this.current();
      if (character === "-" || character === "+") this.sign = character;
    }
  }
}

function notForInput(pattern: string): SqlError {
  return new SqlError(sqlstate.featureNotSupported, `"${pattern}" not supported for input`);
}
