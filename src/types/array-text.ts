/**
 * The text form of arrays: `{1,2,NULL,"a b"}`, nested braces for several dimensions, `[0:2]={…}` for other lower bounds.
 * Errors are those of PostgreSQL 15's array_in: 22P02 with the literal, and what is wrong as detail.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { type ArrayValue, checkDimensionCount, dimensionCount, dimensions, lowerBounds } from "./array-shape.js";
import type { SqlType } from "./type.js";
import type { Value } from "./value.js";

/** An element as the literal has it; `quoted` when quotes or escapes keep it from being NULL. */
export interface ArrayLiteralItem {
  readonly text: string;
  readonly quoted: boolean;
}

/** A literal taken apart: the elements in order, the length and lower bound of each dimension (none for an empty array). */
export interface ArrayLiteral {
  readonly items: readonly ArrayLiteralItem[];
  readonly lengths: readonly number[];
  readonly bounds: readonly number[];
}

/** Takes a literal apart. @throws SqlError 22P02, 2202E, 54000 */
export function parseArrayLiteral(literal: string): ArrayLiteral {
  const header = new LiteralHeader(literal);
  const body = new LiteralBody(literal, header.end).read();
  const explicit = header.bounds.length > 0;
  if (explicit) {
    const sameShape =
      body.lengths.length === header.lengths.length && body.lengths.every((n, i) => n === header.lengths[i]);
    if (!sameShape) throw malformed(literal, "Specified array dimensions do not match array contents.");
  }
  return { ...body, bounds: explicit ? header.bounds : body.lengths.map(() => 1) };
}

/** 22P02 `malformed array literal`. */
function malformed(literal: string, detail: string): SqlError {
  return new SqlError(sqlstate.invalidTextRepresentation, `malformed array literal: "${literal}"`, {
    detail,
    hint: "Write an array literal as '{1,2,3}', or use ARRAY[1, 2, 3].",
  });
}

/** The explicit dimensions in front of a literal, `[0:2][1:3]=`. */
class LiteralHeader {
  readonly lengths: number[] = [];
  readonly bounds: number[] = [];
  end = 0;

  constructor(private readonly literal: string) {
    this.skipSpace();
    while (literal[this.end] === "[") {
      checkDimensionCount(this.bounds.length + 1);
      this.end++;
      this.dimension();
      this.skipSpace();
    }
    if (this.bounds.length > 0) {
      if (literal[this.end] !== "=") throw malformed(literal, 'Missing "=" after array dimensions.');
      this.end++;
      this.skipSpace();
      if (literal[this.end] !== "{") throw malformed(literal, 'Array contents must start with "{".');
    } else if (literal[this.end] !== "{")
      throw malformed(literal, 'Array value must start with "{" or dimension information.');
  }

  private dimension(): void {
    const first = this.integer();
    if (first === undefined) throw malformed(this.literal, '"[" must introduce explicitly-specified array dimensions.');
    let lower = 1;
    let upper = first;
    if (this.literal[this.end] === ":") {
      this.end++;
      lower = first;
      const second = this.integer();
      if (second === undefined) throw malformed(this.literal, "Missing array dimension value.");
      upper = second;
    }
    if (this.literal[this.end] !== "]") throw malformed(this.literal, 'Missing "]" after array dimensions.');
    this.end++;
    if (upper < lower) throw new SqlError(sqlstate.arraySubscriptError, "upper bound cannot be less than lower bound");
    this.bounds.push(lower);
    this.lengths.push(upper - lower + 1);
  }

  private integer(): number | undefined {
    const start = this.end;
    while ("0123456789+-".includes(this.literal[this.end] ?? " ")) this.end++;
    if (this.end === start) return undefined;
    const number = Number.parseInt(this.literal.slice(start, this.end), 10);
    return Number.isNaN(number) ? 0 : number;
  }

  private skipSpace(): void {
    while (isSpace(this.literal[this.end])) this.end++;
  }
}

type State =
  | "no level"
  | "level started"
  | "element started"
  | "quoted started"
  | "quoted completed"
  | "element delimited"
  | "level completed"
  | "level delimited";

/** The braces of a literal and what is in them. */
class LiteralBody {
  private state: State = "no level";
  private readonly items: ArrayLiteralItem[] = [];
  /** Number of elements or sub-arrays read so far in each open level. */
  private readonly counts: number[] = [];
  /** Length that each level had when it was closed for the first time. */
  private readonly lengths: (number | undefined)[] = [];
  private elementDepth: number | undefined;
  private text = "";
  /** Length of `text` without trailing blanks that are not escaped. */
  private significant = 0;
  private quoted = false;

  constructor(
    private readonly literal: string,
    private at: number,
  ) {}

  read(): { items: ArrayLiteralItem[]; lengths: number[] } {
    const { literal } = this;
    do {
      const character = literal[this.at];
      if (character === undefined) throw malformed(literal, "Unexpected end of input.");
      this.take(character);
      this.at++;
    } while (this.counts.length > 0);
    while (isSpace(literal[this.at])) this.at++;
    if (this.at < literal.length) throw malformed(literal, "Junk after closing right brace.");
    return { items: this.items, lengths: this.items.length === 0 ? [] : (this.lengths as number[]) };
  }

  private take(character: string): void {
    const inQuotes = this.state === "quoted started";
    if (character === "\\") this.escape();
    else if (character === '"') this.quote();
    else if (inQuotes) this.add(character, true);
    else if (character === "{") this.open();
    else if (character === "}") this.close();
    else if (character === ",") this.delimit();
    else if (!isSpace(character)) {
      if (this.state !== "level started" && this.state !== "element started" && this.state !== "element delimited")
        throw malformed(this.literal, "Unexpected array element.");
      this.state = "element started";
      this.add(character, true);
    } else if (this.state === "element started") this.add(character, false);
  }

  private escape(): void {
    if (!["level started", "element started", "quoted started", "element delimited"].includes(this.state))
      throw malformed(this.literal, 'Unexpected "\\" character.');
    if (this.state !== "quoted started") this.state = "element started";
    this.at++;
    if (this.at >= this.literal.length) throw malformed(this.literal, "Unexpected end of input.");
    this.quoted = true;
    this.add(this.literal[this.at], true);
  }

  private quote(): void {
    if (this.state === "quoted started") this.state = "quoted completed";
    else if (this.state === "level started" || this.state === "element delimited") {
      this.state = "quoted started";
      this.quoted = true;
    } else throw malformed(this.literal, "Unexpected array element.");
  }

  private open(): void {
    if (this.state !== "no level" && this.state !== "level started" && this.state !== "level delimited")
      throw malformed(this.literal, 'Unexpected "{" character.');
    this.state = "level started";
    checkDimensionCount(this.counts.length + 1);
    this.counts.push(0);
  }

  private close(): void {
    const { state, counts } = this;
    if (state === "level started" ? counts.length !== 1 : !this.afterItem())
      throw malformed(this.literal, 'Unexpected "}" character.');
    this.finishElement();
    const depth = counts.length - 1;
    const count = counts.pop() as number;
    if (this.lengths[depth] !== undefined && this.lengths[depth] !== count) throw this.ragged();
    this.lengths[depth] = count;
    if (depth > 0) counts[depth - 1]++;
    this.state = "level completed";
  }

  private delimit(): void {
    if (!this.afterItem()) throw malformed(this.literal, 'Unexpected "," character.');
    this.finishElement();
    this.state = this.state === "level completed" ? "level delimited" : "element delimited";
  }

  private afterItem(): boolean {
    return this.state === "element started" || this.state === "quoted completed" || this.state === "level completed";
  }

  private add(character: string, significant: boolean): void {
    this.text += character;
    if (significant) this.significant = this.text.length;
  }

  /** Ends the element that stands before a comma or brace, when there is one. */
  private finishElement(): void {
    if (this.state !== "element started" && this.state !== "quoted completed") return;
    const depth = this.counts.length;
    if (this.elementDepth !== undefined && this.elementDepth !== depth) throw this.ragged();
    this.elementDepth = depth;
    this.items.push({ text: this.text.slice(0, this.significant), quoted: this.quoted });
    this.counts[depth - 1]++;
    this.text = "";
    this.significant = 0;
    this.quoted = false;
  }

  private ragged(): SqlError {
    return malformed(this.literal, "Multidimensional arrays must have sub-arrays with matching dimensions.");
  }
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && " \t\n\r\v\f".includes(character);
}

/** The text form; `elementText` gives that of an element, which is quoted here where it must be. */
export function arrayText(array: ArrayValue, element: SqlType, elementText: (value: Value) => string): string {
  const depth = dimensionCount(array, element);
  if (depth === 0) return "{}";
  const bounds = lowerBounds(array, element);
  const body = levelText(array, depth, elementText);
  if (bounds.every((bound) => bound === 1)) return body;
  const lengths = dimensions(array, element);
  return `${bounds.map((bound, i) => `[${bound}:${bound + lengths[i] - 1}]`).join("")}=${body}`;
}

function levelText(level: ArrayValue, depth: number, elementText: (value: Value) => string): string {
  let text = "{";
  for (let i = 0; i < level.length; i++) {
    if (i > 0) text += ",";
    const item = level[i];
    if (depth > 1) text += levelText(item as ArrayValue, depth - 1, elementText);
    else text += item === null ? "NULL" : quoteElement(elementText(item));
  }
  return `${text}}`;
}

function quoteElement(text: string): string {
  if (text === "" || text.toLowerCase() === "null") return `"${text}"`;
  let plain = true;
  let escaped = "";
  for (const character of text) {
    if (character === '"' || character === "\\") {
      escaped += "\\";
      plain = false;
    } else if (plain && ("{},".includes(character) || isSpace(character))) plain = false;
    escaped += character;
  }
  return plain ? text : `"${escaped}"`;
}
