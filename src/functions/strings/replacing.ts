/** Trimming, replacing and translating characters. Source: PostgreSQL 15, 9.4. */

import { hasSurrogates, isPairAt } from "../../types/utf8.js";
import { spendWork } from "../../types/work.js";
import type { ScalarFunction } from "../function.js";
import { lengthTooLarge, maxAllocation, pure, pureInSession } from "./define.js";

type Trimmer = (text: string, characters: string) => string;

/** Cuts characters of a set from the start, the end, or both. */
function trimmer(fromStart: boolean, fromEnd: boolean): Trimmer {
  return (text, characters) => {
    if (text === "" || characters === "") return text;
    const paired = hasSurrogates(text) || hasSurrogates(characters);
    let start = 0;
    let end = text.length;
    if (fromStart) {
      while (start < end) {
        const width = paired && isPairAt(text, start) ? 2 : 1;
        if (!includesCharacter(characters, text.slice(start, start + width))) break;
        start += width;
      }
    }
    if (fromEnd) {
      while (end > start) {
        const width = paired && end - 2 >= start && isPairAt(text, end - 2) ? 2 : 1;
        if (!includesCharacter(characters, text.slice(end - width, end))) break;
        end -= width;
      }
    }
    return text.slice(start, end);
  };
}

function includesCharacter(characters: string, character: string): boolean {
  return characters.includes(character); // both are well formed, so a unit never matches half of a pair
}

/** Every occurrence of `from`, left to right without overlap; an empty `from` replaces nothing. */
function replace(text: string, from: string, to: string, reserve: (bytes: number) => void): string {
  if (from === "" || text === "" || !text.includes(from)) return text;
  if (text.length > longText) return replaceInPieces(text, from, to, reserve);
  const parts = text.split(from);
  const length = text.length + (parts.length - 1) * (to.length - from.length);
  if (length > maxAllocation) throw lengthTooLarge();
  if (length > text.length) reserve(length * 2);
  return parts.join(to);
}

/** Texts from here on are replaced in pieces: all parts at once would take many times the memory of the text. */
const longText = 65_536;
/** Occurrences in a piece. */
const occurrencesAtOnce = 4096;

function replaceInPieces(text: string, from: string, to: string, reserve: (bytes: number) => void): string {
  const pieces: string[] = [];
  let parts: string[] = [];
  let length = 0;
  let reserved = text.length;
  let copied = 0;
  const join = (): void => {
    const piece = parts.join(to);
    parts = [];
    length += piece.length;
    if (length > maxAllocation) throw lengthTooLarge();
    if (length > reserved) {
      reserve((length - reserved) * 2);
      reserved = length;
    }
    pieces.push(piece);
    spendWork(occurrencesAtOnce * 4);
  };
  for (let at = text.indexOf(from); at !== -1; at = text.indexOf(from, copied)) {
    parts.push(text.slice(copied, at));
    copied = at + from.length;
    if (parts.length < occurrencesAtOnce) continue;
    parts.push("");
    // The last part is empty: what joins it is the replacement of the last occurrence.
    if (length + (parts.length - 1) * to.length > maxAllocation) throw lengthTooLarge();
    join();
  }
  parts.push(text.slice(copied));
  if (length + (parts.length - 1) * to.length > maxAllocation) throw lengthTooLarge();
  join();
  return pieces.join("");
}

/** Each character of `from` becomes the character of `to` in the same place, or is deleted when `to` is shorter. */
export function translate(text: string, from: string, to: string): string {
  if (text === "" || from === "") return text;
  const sources = [...from];
  const targets = [...to];
  let result = "";
  for (const character of text) {
    spendWork(1);
    const at = sources.indexOf(character);
    if (at === -1) result += character;
    else if (at < targets.length) result += targets[at];
  }
  return result;
}

const both = trimmer(true, true);
const leading = trimmer(true, false);
const trailing = trimmer(false, true);

export const replacingFunctions: readonly ScalarFunction[] = [
  pure("btrim", ["text"], "text", (text: string) => both(text, " ")),
  pure("btrim", ["text", "text"], "text", both, "Without the given characters at both ends"),
  pure("ltrim", ["text"], "text", (text: string) => leading(text, " ")),
  pure("ltrim", ["text", "text"], "text", leading),
  pure("rtrim", ["text"], "text", (text: string) => trailing(text, " ")),
  pure("rtrim", ["text", "text"], "text", trailing),
  pure("translate", ["text", "text", "text"], "text", translate),
  pureInSession("replace", ["text", "text", "text"], "text", ({ session }) => {
    const reserve = (bytes: number) => session.reserveBytes(bytes);
    return (text: string, from: string, to: string) => replace(text, from, to, reserve);
  }),
];
