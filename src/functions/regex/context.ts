/** What the assertions of a pattern can ask of a place in the text, as bits. */
import { isPairAt } from "../../types/utf8.js";
import { isWordCharacter } from "./character-set.js";
import type { Assertion } from "./syntax.js";

const newline = 10;

const textStart = 1;
const textEnd = 2;
const afterNewline = 4;
const beforeNewline = 8;
const afterWord = 16;
const beforeWord = 32;

/** Number of different contexts. */
export const contextCount = 64;

/** Context of the place before unit `at`; without `words`, what only assertions about words ask is left out. */
export function contextAt(text: string, at: number, words: boolean): number {
  let context = 0;
  if (!words) {
    if (at === 0) context |= textStart;
    else if (text.charCodeAt(at - 1) === newline) context |= afterNewline;
    if (at >= text.length) context |= textEnd;
    else if (text.charCodeAt(at) === newline) context |= beforeNewline;
    return context;
  }
  if (at === 0) context |= textStart;
  else {
    const before = text.charCodeAt(at - 1);
    if (before === newline) context |= afterNewline;
    else if (before < 128 ? asciiWord[before] === 1 : isWordEnding(text, at)) context |= afterWord;
  }
  if (at >= text.length) context |= textEnd;
  else {
    const after = text.charCodeAt(at);
    if (after === newline) context |= beforeNewline;
    else if (after < 128 ? asciiWord[after] === 1 : isWordStarting(text, at)) context |= beforeWord;
  }
  return context;
}

const asciiWord = Uint8Array.from({ length: 128 }, (_, code) => Number(isWordCharacter(String.fromCharCode(code))));

function isWordEnding(text: string, at: number): boolean {
  return isWordCharacter(at >= 2 && isPairAt(text, at - 2) ? text.slice(at - 2, at) : text[at - 1]);
}

function isWordStarting(text: string, at: number): boolean {
  return isWordCharacter(isPairAt(text, at) ? text.slice(at, at + 2) : text[at]);
}

/** Whether an assertion holds in a context. */
export function holds(assertion: Assertion, context: number): boolean {
  const wordBefore = (context & afterWord) !== 0;
  const wordAfter = (context & beforeWord) !== 0;
  switch (assertion) {
    case "text start":
      return (context & textStart) !== 0;
    case "text end":
      return (context & textEnd) !== 0;
    case "line start":
      return (context & (textStart | afterNewline)) !== 0;
    case "line end":
      return (context & (textEnd | beforeNewline)) !== 0;
    case "word start":
      return !wordBefore && wordAfter;
    case "word end":
      return wordBefore && !wordAfter;
    case "word edge":
      return wordBefore !== wordAfter;
    case "no word edge":
      return wordBefore === wordAfter;
  }
}
