/**
 * The `id` that `.keyvalue()` gives an object. PostgreSQL takes the object's place in the binary form of the value it is
 * part of, so the sizes of that form are computed here: a header and one entry a part (4 bytes each), then the data,
 * numbers and containers aligned to 4 bytes.
 */
import { byteLength, elementAt, fieldOf, isObject, isScalar, type JsonItem, keysOf } from "../../types/json/item.js";
import { numberText } from "../../types/json/number.js";
import { isNumber, type PathValue } from "./evaluate.js";

/** A value that objects are numbered in: the root (0), the variables (1), or a pair that `.keyvalue()` made (2, 3, …). */
export interface ObjectBase {
  readonly root: JsonItem;
  readonly number: number;
  /** Offsets of the containers inside, computed on first use. */
  offsets?: Map<unknown, number>;
}

const idsPerBase = 10_000_000_000;

/** The id of an object that is part of `base`. */
export function objectId(base: ObjectBase, object: PathValue): number {
  if (base.offsets === undefined) {
    base.offsets = new Map();
    place(base.root, 0, base.offsets);
  }
  return base.number * idsPerBase + (base.offsets.get(object) ?? 0);
}

const align = (offset: number): number => Math.ceil(offset / 4) * 4;

/** Notes where an item's containers begin, given where its data would; gives the offset behind it. */
function place(item: JsonItem, offset: number, offsets: Map<unknown, number>): number {
  if (typeof item === "string") return offset + byteLength(item);
  if (isNumber(item)) return align(offset) + numericSize(numberText(item));
  if (isScalar(item)) return offset;
  const start = align(offset);
  offsets.set(item, start);
  if (Array.isArray(item)) {
    let end = start + 4 + 4 * item.length;
    for (let i = 0; i < item.length; i++) end = place(elementAt(item, i), end, offsets);
    return end;
  }
  if (!isObject(item)) return start;
  const keys = keysOf(item);
  let end = start + 4 + 8 * keys.length;
  for (const key of keys) end += byteLength(key);
  for (const key of keys) end = place(fieldOf(item, key) ?? null, end, offsets);
  return end;
}

/** Bytes of a numeric: two headers, and two bytes for every four decimal digits that are not all zero at the ends. */
function numericSize(text: string): number {
  const unsigned = text.startsWith("-") ? text.slice(1) : text;
  const [whole, fraction = ""] = unsigned.split(".");
  const padded = whole.padStart(Math.ceil(whole.length / 4) * 4, "0");
  const digits = padded + fraction.padEnd(Math.ceil(fraction.length / 4) * 4, "0");
  const groups: string[] = [];
  for (let i = 0; i < digits.length; i += 4) groups.push(digits.slice(i, i + 4));
  let first = 0;
  let last = groups.length;
  while (first < last && groups[first] === "0000") first++;
  while (last > first && groups[last - 1] === "0000") last--;
  const weight = padded.length / 4 - 1 - first;
  const short = fraction.length <= 63 && weight >= -64 && weight <= 63;
  return 4 + (short ? 2 : 4) + 2 * (last - first);
}
