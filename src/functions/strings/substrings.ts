/**
 * Parts of strings by position. Positions count characters from 1, and may lie outside the string: the part is what
 * of the wanted range lies inside. Source: PostgreSQL 15, 9.4.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { characterCount, hasSurrogates, offsetOfCharacter, sliceCharacters } from "../../types/utf8.js";
import type { ScalarFunction } from "../function.js";
import { lengthTooLarge, maxAllocation, pure, pureInSession } from "./define.js";

/** @throws SqlError 22011, as every function that takes a length does */
export function negativeLength(): SqlError {
  return new SqlError(sqlstate.substringError, "negative substring length not allowed");
}

function substringFrom(text: string, start: number): string {
  return start <= 1 ? text : sliceCharacters(text, start - 1, text.length);
}

function substringFor(text: string, start: number, length: number): string {
  if (length < 0) throw negativeLength();
  const end = start + length; // first position that is not wanted any more
  return end <= 1 ? "" : sliceCharacters(text, Math.max(start, 1) - 1, end - 1);
}

function left(text: string, n: number): string {
  if (n >= 0) return sliceCharacters(text, 0, n);
  const length = characterCount(text) + n;
  return length <= 0 ? "" : sliceCharacters(text, 0, length);
}

function right(text: string, n: number): string {
  const skip = n < 0 ? -n : characterCount(text) - n;
  return skip <= 0 ? text : sliceCharacters(text, skip, text.length);
}

function overlay(text: string, replacement: string, start: number, length: number): string {
  if (start <= 0) throw negativeLength();
  const after = start + length;
  if (after > 0x7fffffff) throw new SqlError(sqlstate.numericValueOutOfRange, "integer out of range");
  return substringFor(text, 1, start - 1) + replacement + substringFrom(text, after);
}

/** Position from 1 of the first occurrence, 0 when there is none. */
export function position(text: string, part: string): number {
  const at = text.indexOf(part);
  return at <= 0 || !hasSurrogates(text) ? at + 1 : characterCount(text.slice(0, at)) + 1;
}

/** Field number `n` between delimiters; negative numbers count from the end. */
function splitPart(text: string, delimiter: string, n: number): string {
  if (n === 0) throw new SqlError(sqlstate.invalidParameterValue, "field position must not be zero");
  if (text === "") return "";
  if (delimiter === "") return n === 1 || n === -1 ? text : "";
  return (n > 0 ? fieldFromStart(text, delimiter, n) : fieldFromEnd(text, delimiter, -n)) ?? "";
}

function fieldFromStart(text: string, delimiter: string, n: number): string | undefined {
  let start = 0;
  for (let i = 1; ; i++) {
    const end = text.indexOf(delimiter, start);
    if (i === n) return text.slice(start, end === -1 ? text.length : end);
    if (end === -1) return undefined;
    start = end + delimiter.length;
  }
}

/** Fields are cut from the start even when counted from the end, which matters when occurrences could overlap. */
function fieldFromEnd(text: string, delimiter: string, n: number): string | undefined {
  const fields = text.split(delimiter);
  return fields[fields.length - n];
}

function repeat(text: string, count: number, reserve: (bytes: number) => void): string {
  if (count <= 0 || text === "") return "";
  const length = text.length * count;
  if (length > maxAllocation) throw lengthTooLarge();
  reserve(length * 2);
  return text.repeat(count);
}

/** Characters that bring `text` to `length`, taken from `fill` over and over; and the text itself, cut when longer. */
function padding(text: string, length: number, fill: string, reserve: (bytes: number) => void): [string, string] {
  const wanted = Math.max(length, 0);
  if (wanted * 4 > maxAllocation) throw lengthTooLarge();
  const have = characterCount(text);
  if (have >= wanted) return ["", sliceCharacters(text, 0, wanted)];
  if (fill === "") return ["", text];
  const missing = wanted - have;
  reserve(missing * 2);
  const fillLength = characterCount(fill);
  const whole = fill.repeat(Math.floor(missing / fillLength));
  return [whole + fill.slice(0, offsetOfCharacter(fill, missing % fillLength)), text];
}

export const substringFunctions: readonly ScalarFunction[] = [
  pure("substring", ["text", "int4"], "text", substringFrom),
  pure("substring", ["text", "int4", "int4"], "text", substringFor),
  pure("substr", ["text", "int4"], "text", substringFrom),
  pure("substr", ["text", "int4", "int4"], "text", substringFor),
  pure("left", ["text", "int4"], "text", left, "First n characters; all but the last -n when n is negative"),
  pure("right", ["text", "int4"], "text", right, "Last n characters; all but the first -n when n is negative"),
  pure("overlay", ["text", "text", "int4", "int4"], "text", overlay),
  pure("overlay", ["text", "text", "int4"], "text", (text: string, replacement: string, start: number) =>
    overlay(text, replacement, start, characterCount(replacement)),
  ),
  pure("position", ["text", "text"], "int4", position),
  pure("strpos", ["text", "text"], "int4", position),
  pure("split_part", ["text", "text", "int4"], "text", splitPart),
  pureInSession("repeat", ["text", "int4"], "text", ({ session }) => {
    const reserve = (bytes: number) => session.reserveBytes(bytes);
    return (text: string, count: number) => repeat(text, count, reserve);
  }),
  pureInSession("lpad", ["text", "int4", "text"], "text", ({ session }) => {
    const reserve = (bytes: number) => session.reserveBytes(bytes);
    return (text: string, length: number, fill: string) => padding(text, length, fill, reserve).join("");
  }),
  pureInSession("lpad", ["text", "int4"], "text", ({ session }) => {
    const reserve = (bytes: number) => session.reserveBytes(bytes);
    return (text: string, length: number) => padding(text, length, " ", reserve).join("");
  }),
  pureInSession("rpad", ["text", "int4", "text"], "text", ({ session }) => {
    const reserve = (bytes: number) => session.reserveBytes(bytes);
    return (text: string, length: number, fill: string) => padding(text, length, fill, reserve).reverse().join("");
  }),
  pureInSession("rpad", ["text", "int4"], "text", ({ session }) => {
    const reserve = (bytes: number) => session.reserveBytes(bytes);
    return (text: string, length: number) => padding(text, length, " ", reserve).reverse().join("");
  }),
];
