/** Functions of byte strings. Source: PostgreSQL 15, 9.5 "Binary String Functions and Operators". */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { ScalarFunction } from "../function.js";
import { concatBytes } from "./concatenation.js";
import { pure } from "./define.js";
import { negativeLength } from "./substrings.js";

function substringFrom(bytes: Uint8Array, start: number): Uint8Array {
  return bytes.subarray(Math.max(start, 1) - 1);
}

function substringFor(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (length < 0) throw negativeLength();
  return bytes.subarray(Math.max(start, 1) - 1, Math.max(start + length - 1, 0));
}

function overlay(bytes: Uint8Array, replacement: Uint8Array, start: number, length: number): Uint8Array {
  if (start <= 0) throw negativeLength();
  const after = start + length;
  if (after > 0x7fffffff) throw new SqlError(sqlstate.numericValueOutOfRange, "integer out of range");
  return concatBytes(concatBytes(bytes.subarray(0, start - 1), replacement), substringFrom(bytes, after));
}

function position(bytes: Uint8Array, part: Uint8Array): number {
  for (let at = 0; at + part.length <= bytes.length; at++) {
    let i = 0;
    while (i < part.length && bytes[at + i] === part[i]) i++;
    if (i === part.length) return at + 1;
  }
  return 0;
}

function trimmer(fromStart: boolean, fromEnd: boolean): (bytes: Uint8Array, set: Uint8Array) => Uint8Array {
  return (bytes, set) => {
    let start = 0;
    let end = bytes.length;
    if (fromStart) while (start < end && set.includes(bytes[start])) start++;
    if (fromEnd) while (end > start && set.includes(bytes[end - 1])) end--;
    return bytes.subarray(start, end);
  };
}

function checkIndex(index: number | bigint, length: number): number {
  if (index < 0 || index >= length)
    throw new SqlError(
      sqlstate.arraySubscriptError,
      length === 0 ? `index ${index} out of valid range, 0..-1` : `index ${index} out of valid range, 0..${length - 1}`,
    );
  return Number(index);
}

function getByte(bytes: Uint8Array, index: number): number {
  return bytes[checkIndex(index, bytes.length)];
}

function setByte(bytes: Uint8Array, index: number, value: number): Uint8Array {
  const at = checkIndex(index, bytes.length);
  const copy = bytes.slice();
  copy[at] = value & 0xff;
  return copy;
}

function getBit(bytes: Uint8Array, index: number | bigint): number {
  const at = checkIndex(index, bytes.length * 8);
  return (bytes[at >> 3] >> (at & 7)) & 1;
}

function setBit(bytes: Uint8Array, index: number | bigint, bit: number): Uint8Array {
  const at = checkIndex(index, bytes.length * 8);
  if (bit !== 0 && bit !== 1) throw new SqlError(sqlstate.invalidParameterValue, "new bit must be 0 or 1");
  const copy = bytes.slice();
  copy[at >> 3] = bit === 1 ? copy[at >> 3] | (1 << (at & 7)) : copy[at >> 3] & ~(1 << (at & 7));
  return copy;
}

function bitCount(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) for (let rest = byte; rest !== 0; rest &= rest - 1) count++;
  return count;
}

export const binaryFunctions: readonly ScalarFunction[] = [
  pure("substring", ["bytea", "int4"], "bytea", substringFrom),
  pure("substring", ["bytea", "int4", "int4"], "bytea", substringFor),
  pure("substr", ["bytea", "int4"], "bytea", substringFrom),
  pure("substr", ["bytea", "int4", "int4"], "bytea", substringFor),
  pure("overlay", ["bytea", "bytea", "int4", "int4"], "bytea", overlay),
  pure("overlay", ["bytea", "bytea", "int4"], "bytea", (bytes: Uint8Array, replacement: Uint8Array, start: number) =>
    overlay(bytes, replacement, start, replacement.length),
  ),
  pure("position", ["bytea", "bytea"], "int4", position),
  pure("btrim", ["bytea", "bytea"], "bytea", trimmer(true, true)),
  pure("ltrim", ["bytea", "bytea"], "bytea", trimmer(true, false)),
  pure("rtrim", ["bytea", "bytea"], "bytea", trimmer(false, true)),
  pure("get_byte", ["bytea", "int4"], "int4", getByte),
  pure("set_byte", ["bytea", "int4", "int4"], "bytea", setByte),
  pure("get_bit", ["bytea", "int8"], "int4", getBit, "Bit n, counted from the right within each byte"),
  pure("set_bit", ["bytea", "int8", "int4"], "bytea", setBit),
  pure("bit_count", ["bytea"], "int8", bitCount),
];
