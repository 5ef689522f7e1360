/**
 * Compares one value of PostgreSQL's answer (in its text form) with a value that an engine gave. Integers and numerics
 * are compared exactly by value, floats to nine digits, JSON by structure, times and intervals by what they mean, all else by text.
 */
import {
  type ArrayItem,
  arrayElements,
  decimalForm,
  intervalLength,
  intervalParts,
  isClose,
  microseconds,
  toDouble,
} from "./postgres-text.js";

/** `nearly`: equal to nine digits, or within a millisecond, where it must be exact. */
export type Likeness = "same" | "nearly" | "different";

export interface ValueOptions {
  /** As ORDER BY sees equality: near numbers are equal, a month is 30 days. */
  readonly asOrderSees?: boolean;
}

const decide = (same: boolean): Likeness => (same ? "same" : "different");

/** @param type pg_type name: `int4`, `_text` */
export function compareValue(type: string, want: string | null, got: unknown, options: ValueOptions = {}): Likeness {
  const value = got === undefined ? null : got;
  if (type === "json" || type === "jsonb") return compareJson(want, value);
  if (want === null || value === null) return decide(want === value);
  if (type.startsWith("_")) return compareArray(type.slice(1), want, value, options);
  switch (type) {
    case "bool":
      return decide(booleanLetter(value) === want);
    case "int2":
    case "int4":
    case "int8":
    case "oid":
    case "numeric":
      return compareExact(want, value, options);
    case "float4":
    case "float8":
      return compareFloat(want, value, type === "float4" ? 1e-6 : undefined);
    case "date":
      return compareDate(want, textOf(value));
    case "timestamp":
    case "timestamptz":
      return compareMoment(want, value, type === "timestamptz");
    case "interval":
      return compareInterval(want, value, options);
    case "time":
    case "timetz":
      return decide(timeForm(textOf(value)) === timeForm(want));
    case "uuid":
      return decide(textOf(value).toLowerCase() === want);
    case "bpchar":
      return decide(textOf(value).trimEnd() === want.trimEnd());
    case "record":
      return decide(textOf(value) === want || recordText(value) === want);
    default:
      return decide(textOf(value) === want);
  }
}

/** The text that a JavaScript value stands for. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Object.is(value, -0) ? "0" : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (typeof value !== "object" || value === null) return String(value);
  return JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? String(item) : item));
}

function booleanLetter(value: unknown): string | undefined {
  if (typeof value === "boolean") return value ? "t" : "f";
  return { t: "t", f: "f", true: "t", false: "f" }[String(value)];
}

function compareExact(want: string, value: unknown, { asOrderSees }: ValueOptions): Likeness {
  if (typeof value === "boolean" || typeof value === "object") return "different";
  const text = textOf(value);
  if (decimalForm(want) === decimalForm(text)) return "same";
  const [a, b] = [toDouble(want), toDouble(text)];
  if (a === undefined || b === undefined || !isClose(a, b)) return "different";
  return asOrderSees ? "same" : "nearly";
}

function compareFloat(want: string, value: unknown, relative?: number): Likeness {
  if (typeof value === "boolean") return "different";
  const [a, b] = [toDouble(want), toDouble(textOf(value))];
  return decide(a !== undefined && b !== undefined && isClose(a, b, relative));
}

const midnight = /[T ]00:00:00(\.0+)?(Z|[-+]00(:?00)?)?$/;

function compareDate(want: string, text: string): Likeness {
  if (text === want) return "same";
  const day = text.replace(midnight, "");
  const wanted = microseconds(want, false);
  return decide(!day.includes(":") && wanted !== undefined && microseconds(day, false) === wanted);
}

function compareMoment(want: string, value: unknown, zoned: boolean): Likeness {
  const text = textOf(value);
  if (text === want) return "same";
  const [a, b] = [microseconds(want, zoned), typeof value === "number" ? undefined : microseconds(text, zoned)];
  if (a !== undefined && a === b) return "same";
  // a Date holds milliseconds only
  return typeof a === "bigint" && typeof b === "bigint" && a / 1000n === b / 1000n ? "nearly" : "different";
}

function compareInterval(want: string, value: unknown, { asOrderSees }: ValueOptions): Likeness {
  const [a, b] = [intervalParts(want), intervalParts(value)];
  if (a === undefined || b === undefined) return decide(textOf(value) === want);
  if (asOrderSees) return decide(intervalLength(a) === intervalLength(b));
  return decide(a.months === b.months && a.days === b.days && a.microseconds === b.microseconds);
}

/** `10:20:30.500` and `10:20:30.5` are one time. */
function timeForm(text: string): string {
  return text.replace(/(:\d\d)\.(\d*?)0*(?=$|[-+])/, (_, seconds: string, fraction: string) =>
    fraction === "" ? seconds : `${seconds}.${fraction}`,
  );
}

/** An object of fields as PostgreSQL writes a row. */
function recordText(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = Object.values(value).map((field) => {
    if (field === null) return "";
    const text = typeof field === "boolean" ? (field ? "t" : "f") : textOf(field);
    return text === "" || /[\s,()"\\]/.test(text) ? `"${text.replace(/(["\\])/g, "$1$1")}"` : text;
  });
  return `(${fields.join(",")})`;
}

function compareArray(element: string, want: string, value: unknown, options: ValueOptions): Likeness {
  const wanted = arrayElements(want);
  const given = Array.isArray(value) ? (value as unknown[]) : arrayElements(textOf(value));
  if (wanted === undefined || given === undefined) return decide(textOf(value) === want);
  return compareElements(element, wanted, given, options);
}

function compareElements(element: string, wanted: ArrayItem[], given: unknown[], options: ValueOptions): Likeness {
  if (wanted.length !== given.length) return "different";
  let worst: Likeness = "same";
  for (const [i, item] of wanted.entries()) {
    const other = given[i];
    const isJson = element === "json" || element === "jsonb";
    const likeness = Array.isArray(item)
      ? Array.isArray(other)
        ? compareElements(element, item, other, options)
        : "different"
      : Array.isArray(other) && !isJson
        ? "different"
        : compareValue(element, item, other, options);
    if (likeness === "different") return likeness;
    if (likeness === "nearly") worst = likeness;
  }
  return worst;
}

/** A JavaScript `null` may stand for a JSON `null`, a bare text for a JSON string. */
function compareJson(want: string | null, got: unknown): Likeness {
  if (want === null) return decide(got === null);
  const wanted = parsedJson(want);
  if (wanted === undefined) return decide(textOf(got) === want);
  if (sameJson(wanted.value, got)) return "same";
  const given = typeof got === "string" ? parsedJson(got) : undefined;
  return decide(given !== undefined && sameJson(wanted.value, given.value));
}

export function parsedJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function sameJson(a: unknown, b: unknown): boolean {
  const [x, y] = [jsonNumber(a), jsonNumber(b)];
  if (typeof x === "number") return typeof y === "number" ? isClose(x, y) : isLongNumber(y, x);
  if (typeof x !== "object" || typeof y !== "object" || x === null || y === null) return x === y;
  if (Array.isArray(x) !== Array.isArray(y)) return false;
  const [one, other] = [x as Record<string, unknown>, y as Record<string, unknown>];
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key], other[key]))
  );
}

/** A number with more digits than a double holds is given as text. */
function isLongNumber(value: unknown, double: number): boolean {
  return typeof value === "string" && Number(value) === double && String(double) !== value;
}

function jsonNumber(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === "bigint" ? Number(value) : value;
}
