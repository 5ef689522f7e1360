/** format(): `%s`, `%I`, `%L`, `%%` with positions, widths and the `-` flag. Source: PostgreSQL 15, 9.4.1. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { characterCount } from "../../types/utf8.js";
import type { CallSite, ScalarFunction, SessionContext } from "../function.js";
import { lengthTooLarge, maxAllocation, outputFunction } from "./define.js";
import { quoteIdentifier, quoteLiteral } from "./quoting.js";

/** A text piece, or a place for an argument. Positions: 0 is the next argument; -1 as `widthFrom` is no `*`. */
interface Specifier {
  readonly kind: "s" | "I" | "L";
  readonly argument: number;
  readonly left: boolean;
  readonly width: number;
  readonly widthFrom: number;
}

const lone = 'For a single "%" use "%%".';

function unterminated(): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, "unterminated format() type specifier", { hint: lone });
}

/** Reads a format text once; the parts are used for every row that has the same. */
function parseFormat(format: string): readonly (string | Specifier)[] {
  const parts: (string | Specifier)[] = [];
  let literal = "";
  let at = 0;
  for (let percent = format.indexOf("%"); percent !== -1; percent = format.indexOf("%", at)) {
    literal += format.slice(at, percent);
    at = percent + 1;
    if (format[at] === "%") {
      literal += "%";
      at++;
      continue;
    }
    const reader = new SpecifierReader(format, at);
    const specifier = reader.read();
    at = reader.at;
    if (literal !== "") parts.push(literal);
    literal = "";
    parts.push(specifier);
  }
  literal += format.slice(at);
  if (literal !== "") parts.push(literal);
  return parts;
}

/** Reads what follows a `%`: position, flag, width, type. The text may not end before the type. */
class SpecifierReader {
  constructor(
    private readonly format: string,
    public at: number,
  ) {}

  /** @throws SqlError 22023, 22003 */
  read(): Specifier {
    this.requireMore();
    const first = this.number();
    if (first !== undefined && this.format[this.at] !== "$")
      return { argument: 0, left: false, width: first, widthFrom: -1, kind: this.kind() };
    if (first !== undefined) this.at++;
    const argument = first === undefined ? 0 : argumentNumber(first);
    const left = this.flag();
    return { argument, left, ...this.width(), kind: this.kind() };
  }

  private flag(): boolean {
    this.requireMore();
    const start = this.at;
    while (this.format[this.at] === "-") this.at++;
    this.requireMore();
    return this.at > start;
  }

  /** A number, or `*` for one that an argument gives. */
  private width(): { width: number; widthFrom: number } {
    if (this.format[this.at] !== "*") return { width: this.number() ?? 0, widthFrom: -1 };
    this.at++;
    const from = this.number();
    if (from === undefined) return { width: 0, widthFrom: 0 };
    if (this.format[this.at] !== "$")
      throw new SqlError(sqlstate.invalidParameterValue, 'width argument position must be ended by "$"');
    const widthFrom = argumentNumber(from);
    this.at++;
    return { width: 0, widthFrom };
  }

  private kind(): Specifier["kind"] {
    this.requireMore();
    const kind = String.fromCodePoint(this.format.codePointAt(this.at) as number);
    if (kind !== "s" && kind !== "I" && kind !== "L")
      throw new SqlError(sqlstate.invalidParameterValue, `unrecognized format() type specifier "${kind}"`, {
        hint: lone,
      });
    this.at++;
    return kind;
  }

  private number(): number | undefined {
    const { format } = this;
    const start = this.at;
    let value = 0;
    while (format[this.at] >= "0" && format[this.at] <= "9") {
      value = value * 10 + (format.charCodeAt(this.at++) - 0x30);
      if (value > 0x7fffffff) throw new SqlError(sqlstate.numericValueOutOfRange, "number is out of range");
    }
    if (this.at === start) return undefined;
    this.requireMore();
    return value;
  }

  private requireMore(): void {
    if (this.at >= this.format.length) throw unterminated();
  }
}

function argumentNumber(n: number): number {
  if (n === 0)
    throw new SqlError(
      sqlstate.invalidParameterValue,
      "format specifies argument 0, but arguments are numbered from 1",
    );
  return n;
}

function formatter(site: CallSite): (...values: unknown[]) => string | null {
  const outputs = site.argTypes.slice(1).map((type) => outputFunction(type, site.session));
  const integer = site.argTypes.slice(1).map((type) => type.name === "int4" || type.name === "int2");
  let lastFormat: string | undefined;
  let parts: readonly (string | Specifier)[] = [];
  return (format, ...values) => {
    if (format === null) return null;
    if (format !== lastFormat) {
      parts = parseFormat(format as string);
      lastFormat = format as string;
    }
    const last = outputs.length - 1; // a VARIADIC array gives more values than types, all of the last type
    const textOf = (n: number): string => outputs[Math.min(n - 1, last)](values[n - 1]);
    let next = 0;
    let result = "";
    const take = (wanted: number): number => {
      next = wanted > 0 ? wanted : next + 1;
      if (next > values.length) throw new SqlError(sqlstate.invalidParameterValue, "too few arguments for format()");
      return next;
    };
    for (const part of parts) {
      if (typeof part === "string") {
        result += part;
        continue;
      }
      let { width, left } = part;
      if (part.widthFrom >= 0) {
        const n = take(part.widthFrom);
        const value = values[n - 1];
        width = value === null ? 0 : integer[Math.min(n - 1, last)] ? (value as number) : parseWidth(textOf(n));
        if (width < 0) {
          left = true;
          width = -width;
        }
      }
      const n = take(part.argument);
      result += pad(valueText(part.kind, values[n - 1] === null ? null : textOf(n)), width, left, site.session);
    }
    return result;
  };
}

function valueText(kind: Specifier["kind"], text: string | null): string {
  if (kind === "s") return text ?? "";
  if (kind === "L") return text === null ? "NULL" : quoteLiteral(text);
  if (text === null)
    throw new SqlError(sqlstate.nullValueNotAllowed, "null values cannot be formatted as an SQL identifier");
  return quoteIdentifier(text);
}

function pad(text: string, width: number, left: boolean, session: SessionContext): string {
  if (width === 0) return text;
  const missing = width - characterCount(text);
  if (missing <= 0) return text;
  if (missing > maxAllocation) throw lengthTooLarge();
  session.reserveBytes(missing * 2);
  return left ? text + " ".repeat(missing) : " ".repeat(missing) + text;
}

/** A width that is not an integer argument goes through text, as PostgreSQL does. */
function parseWidth(text: string): number {
  const trimmed = text.trim();
  if (!/^[+-]?[0-9]+$/.test(trimmed))
    throw new SqlError(sqlstate.invalidTextRepresentation, `invalid input syntax for type integer: "${text}"`);
  const value = Number(trimmed);
  if (value > 0x7fffffff || value < -0x80000000)
    throw new SqlError(sqlstate.numericValueOutOfRange, `value "${text}" is out of range for type integer`);
  return value;
}

export const formatFunctions: readonly ScalarFunction[] = [
  {
    kind: "scalar",
    name: "format",
    args: ["text", "any"],
    variadic: true,
    returns: "text",
    volatility: "stable",
    strict: false,
    description: "Text with %s, %I (quoted name) and %L (quoted literal) replaced by the arguments",
    specialize: formatter,
  },
  {
    kind: "scalar",
    name: "format",
    args: ["text"],
    returns: "text",
    volatility: "stable",
    strict: false,
    specialize: formatter,
  },
];
