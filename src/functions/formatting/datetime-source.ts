/**
 * Reads the source text of to_date and to_timestamp: the place reached in it, and the ways to read a number or a name
 * from there.
 * Source: PostgreSQL 15, 9.8 "Data Type Formatting Functions", and the answers of a server.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { type FieldNode, isBlank, type PatternNode } from "./datetime-pattern.js";

/** Patterns that are read as digits; before any other, a number may be longer than its pattern. */
const notDigits = new Set("A.D. A.M. AD AM B.C. BC DAY DY FX MONTH MON OF P.M. PM RM TZH TZ".split(" "));

const fixedWidthHint = 'If your source string is not fixed-width, try using the "FM" modifier.';

function malformed(message: string, detail: string, hint?: string): SqlError {
  return new SqlError(sqlstate.invalidDatetimeFormat, message, { detail, hint });
}

export class SourceText {
  at = 0;

  constructor(readonly text: string) {}

  atEnd(): boolean {
    return this.at >= this.text.length;
  }

  current(): string {
    return this.text[this.at] ?? "";
  }

  /** Skips blanks and says how many. */
  skipBlanks(): number {
    const from = this.at;
    while (!this.atEnd() && isBlank(this.current())) this.at++;
    return this.at - from;
  }

  /** Skips a whole character. */
  skipCharacter(): void {
    const code = this.text.codePointAt(this.at);
    if (code !== undefined) this.at += code > 0xffff ? 2 : 1;
  }

  /**
   * A whole number of exactly `width` characters, or of any length when the node has FM or nothing that could be a
   * digit follows. Gives the number and how many characters it took, blanks before it included.
   */
  integer(node: FieldNode, next: PatternNode | undefined, width = node.name.length): { value: number; taken: number } {
    const from = this.at;
    this.skipBlanks();
    const start = this.at;
    const remaining = [...this.text.slice(start)].length;
    const field = this.text.slice(start, start + width);
    if (node.fill || endsNumber(node, next)) this.at = this.endOfInteger(from, this.text.length);
    else {
      if (remaining < width)
        throw malformed(
          `source string too short for "${node.name}" formatting field`,
          `Field requires ${width} characters, but only ${remaining} remain.`,
          fixedWidthHint,
        );
      const end = this.endOfInteger(start, start + width);
      const used = end - start;
      if (used > 0 && used < width)
        throw malformed(
          `invalid value "${field}" for "${node.name}"`,
          `Field requires ${width} characters, but only ${used} could be parsed.`,
          fixedWidthHint,
        );
      this.at = end;
    }
    if (this.at === from || this.at === start)
      throw malformed(`invalid value "${field}" for "${node.name}"`, "Value must be an integer.");
    const value = Number(this.text.slice(start, this.at));
    if (!(value >= -2_147_483_648 && value <= 2_147_483_647))
      throw new SqlError(sqlstate.datetimeFieldOverflow, `value for "${node.name}" in source string is out of range`, {
        detail: "Value must be in the range -2147483648 to 2147483647.",
      });
    return { value: value + 0, taken: this.at - from };
  }

  /** Where the number that starts at a place ends, at most `limit`; the start when there is none. */
  private endOfInteger(from: number, limit: number): number {
    let at = from;
    while (at < limit && isBlank(this.text[at])) at++;
    if (this.text[at] === "-" || this.text[at] === "+") at++;
    const digitsFrom = at;
    while (at < limit && this.text[at] >= "0" && this.text[at] <= "9") at++;
    return at === digitsFrom ? from : at;
  }

  /** Index of the name that stands here, in any case. */
  name(node: FieldNode, names: readonly string[]): number {
    const rest = this.text.slice(this.at, this.at + 12).toLowerCase();
    const index = names.findIndex((name) => rest.startsWith(name.toLowerCase()));
    if (index === -1) {
      let end = this.at;
      while (end < this.text.length && !isBlank(this.text[end])) end++;
      throw malformed(
        `invalid value "${this.text.slice(this.at, end)}" for "${node.name}"`,
        "The given value did not match any of the allowed values for this field.",
      );
    }
    this.at += names[index].length;
    return index;
  }
}

function endsNumber(node: FieldNode, next: PatternNode | undefined): boolean {
  if (node.ordinal !== undefined || next === undefined) return true;
  if (next.kind === "field") return notDigits.has(next.id);
  return !(next.text >= "0" && next.text <= "9" && next.text.length === 1);
}
