/**
 * Numbers of jsonb: a JavaScript number where its text is that of the numeric PostgreSQL would keep, otherwise a
 * {@link Numeric} (more digits than a double has, or trailing zeros).
 */
import { type Numeric, numericCompare, numericKey, numericText, numericToHost, parseNumeric } from "../numeric.js";
import type { JsonNumber } from "./item.js";

/** The number that a JSON (or numeric) text stands for. */
export function jsonNumber(text: string): JsonNumber {
  const number = Number(text);
  if (String(number) === text && Number.isFinite(number) && !text.includes("e")) return number;
  return compact(parseNumeric(text));
}

/** A finite numeric in the form jsonb holds it. */
export function compact(numeric: Numeric): JsonNumber {
  const text = numericText(numeric);
  const number = Number(text);
  return String(number) === text ? number : numeric;
}

/** The number as a numeric. */
export function asNumeric(number: JsonNumber): Numeric {
  return typeof number === "number" ? parseNumeric(String(number)) : number;
}

/** Text of the number as numeric prints it: no exponent, trailing zeros kept. */
export function numberText(number: JsonNumber): string {
  if (typeof number !== "number") return numericText(number);
  const text = String(number);
  return text.includes("e") ? parseNumeric(text).toString() : text;
}

/** By value: `1.0` and `1` are equal. Below, at or above zero, as for `sort`. */
export function compareNumbers(a: JsonNumber, b: JsonNumber): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  return numericCompare(asNumeric(a), asNumeric(b));
}

/** The same primitive exactly for equal numbers (`1.10` and `1.1`). */
export function numberKey(number: JsonNumber): string {
  if (typeof number !== "number") return String(numericKey(number));
  return Number.isSafeInteger(number) ? String(number + 0) : String(numericKey(asNumeric(number)));
}

/** The number as result rows show it: a JavaScript number when that is exact, otherwise its text. */
export function hostNumber(number: JsonNumber): number | string {
  return typeof number === "number" ? number : numericToHost(number);
}
