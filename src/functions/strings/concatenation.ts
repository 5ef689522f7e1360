/** `||`, concat, and the way between strings and arrays of strings. Source: PostgreSQL 15, 9.4 and 9.19. */
import { elements } from "../../types/array-shape.js";
import type { SqlType } from "../../types/type.js";
import { spendWork } from "../../types/work.js";
import type { CallSite, Operator, ScalarFunction, SessionContext } from "../function.js";
import { castToText, outputFunction } from "./define.js";

export const concatenationOperators: readonly Operator[] = [
  {
    kind: "operator",
    name: "||",
    left: "text",
    right: "text",
    returns: "text",
    volatility: "immutable",
    call: (a: string, b: string) => a + b,
  },
  {
    kind: "operator",
    name: "||",
    left: "text",
    right: "anynonarray",
    returns: "text",
    volatility: "stable",
    specialize({ argTypes, session }) {
      const toText = castToText(argTypes[1], session);
      return (text: string, value: unknown) => text + toText(value);
    },
  },
  {
    kind: "operator",
    name: "||",
    left: "anynonarray",
    right: "text",
    returns: "text",
    volatility: "stable",
    specialize({ argTypes, session }) {
      const toText = castToText(argTypes[0], session);
      return (value: unknown, text: string) => toText(value) + text;
    },
  },
  {
    kind: "operator",
    name: "||",
    left: "bytea",
    right: "bytea",
    returns: "bytea",
    volatility: "immutable",
    call: concatBytes,
  },
];

/** The bytes of both, in a new array. */
export function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const result = new Uint8Array(a.length + b.length);
  result.set(a);
  result.set(b, a.length);
  return result;
}

/** Text forms of the arguments from number `first` on, NULLs left out. */
function presentTexts(site: CallSite, first: number): (values: readonly unknown[]) => string[] {
  const outputs = site.argTypes.map((type) => outputFunction(type, site.session));
  return (values) => {
    const texts: string[] = [];
    for (let i = first; i < values.length; i++) {
      // more values than types come from a VARIADIC array, whose elements are of the last type
      if (values[i] !== null) texts.push(outputs[Math.min(i, outputs.length - 1)](values[i]));
    }
    return texts;
  };
}

/** Splits at a delimiter; NULL splits into characters, an empty one not at all; pieces equal to `nullText` are NULL. */
export function splitString(text: string, delimiter: string | null, nullText: string | null): (string | null)[] {
  if (text === "") return [];
  const pieces = delimiter === null ? [...text] : delimiter === "" ? [text] : piecesOf(text, delimiter);
  return nullText === null ? pieces : pieces.map((piece) => (piece === nullText ? null : piece));
}

/** Texts from here on are split in a loop that tells of its work. */
const longText = 65_536;

function piecesOf(text: string, delimiter: string): string[] {
  if (text.length < longText) return text.split(delimiter);
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, from)) {
    pieces.push(text.slice(from, at));
    from = at + delimiter.length;
    spendWork(unitsOfPiece);
  }
  pieces.push(text.slice(from));
  return pieces;
}
/** What cutting off a piece costs, in units of work. */
const unitsOfPiece = 8;

/** {@link splitString}, after the memory for the pieces has been asked for. */
function splitWithin(
  session: SessionContext,
  text: string,
  delimiter: string | null,
  nullText: string | null,
): (string | null)[] {
  if (text.length > 10_000) reservePieces(session, text, delimiter);
  return splitString(text, delimiter, nullText);
}

/** What a short string and its place in an array take. */
const bytesPerPiece = 40;
/** Pieces that are counted before the limit is asked again. */
const piecesAtOnce = 100_000;

function reservePieces(session: SessionContext, text: string, delimiter: string | null): void {
  if (delimiter === "") return;
  if (delimiter === null) {
    session.reserveBytes(text.length * bytesPerPiece);
    return;
  }
  let count = 1;
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + delimiter.length)) {
    if (++count % piecesAtOnce !== 0) continue;
    session.reserveBytes(piecesAtOnce * bytesPerPiece);
    spendWork(piecesAtOnce * unitsOfPiece);
  }
}

/** Elements of an array of any dimensions in storage order, joined; NULL elements are left out or written as `nullText`. */
function arrayJoiner(
  arrayType: SqlType,
  session: SessionContext,
): (array: readonly unknown[], delimiter: string, nullText: string | null) => string {
  const element = arrayType.element ?? arrayType;
  const output = outputFunction(element, session);
  return (array, delimiter, nullText) => {
    const texts: string[] = [];
    for (const item of elements(array, element)) {
      spendWork(unitsOfPiece);
      if (item !== null) texts.push(output(item));
      else if (nullText !== null) texts.push(nullText);
    }
    return texts.join(delimiter);
  };
}

export const concatenationFunctions: readonly ScalarFunction[] = [
  {
    kind: "scalar",
    name: "concat",
    args: ["any"],
    variadic: true,
    returns: "text",
    volatility: "stable",
    strict: false,
    description: "Text forms of all arguments one after the other, NULLs left out",
    specialize(site) {
      const texts = presentTexts(site, 0);
      return (...values: unknown[]) => texts(values).join("");
    },
  },
  {
    kind: "scalar",
    name: "concat_ws",
    args: ["text", "any"],
    variadic: true,
    returns: "text",
    volatility: "stable",
    strict: false,
    description: "Text forms of the arguments after the first, with the first between them, NULLs left out",
    specialize(site) {
      const texts = presentTexts(site, 1);
      return (...values: unknown[]) => (values[0] === null ? null : texts(values).join(values[0] as string));
    },
  },
  {
    kind: "scalar",
    name: "string_to_array",
    args: ["text", "text"],
    returns: "text[]",
    volatility: "immutable",
    strict: false,
    specialize:
      ({ session }) =>
      (text: string | null, delimiter: string | null) =>
        text === null ? null : splitWithin(session, text, delimiter, null),
  },
  {
    kind: "scalar",
    name: "string_to_array",
    args: ["text", "text", "text"],
    returns: "text[]",
    volatility: "immutable",
    strict: false,
    specialize:
      ({ session }) =>
      (text: string | null, delimiter: string | null, nullText: string | null) =>
        text === null ? null : splitWithin(session, text, delimiter, nullText),
  },
  {
    kind: "scalar",
    name: "array_to_string",
    args: ["anyarray", "text"],
    returns: "text",
    volatility: "stable",
    strict: true,
    specialize({ argTypes, session }) {
      const join = arrayJoiner(argTypes[0], session);
      return (array: readonly unknown[], delimiter: string) => join(array, delimiter, null);
    },
  },
  {
    kind: "scalar",
    name: "array_to_string",
    args: ["anyarray", "text", "text"],
    returns: "text",
    volatility: "stable",
    strict: false,
    specialize({ argTypes, session }) {
      const join = arrayJoiner(argTypes[0], session);
      return (array: readonly unknown[] | null, delimiter: string | null, nullText: string | null) =>
        array === null || delimiter === null ? null : join(array, delimiter, nullText);
    },
  },
];
