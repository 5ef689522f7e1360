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
    const before = at >= 2 && isPairAt(text, at - 2) ? text.slice(at - 2, at) : text[at - 1];
    if (before === "\n") context |= afterNewline;
    else if (isWordCharacter(before)) context |= afterWord;
  }
  if (at >= text.length) context |= textEnd;
  else {
    const after = isPairAt(text, at) ? text.slice(at, at + 2) : text[at];
    if (after === "\n") context |= beforeNewline;
    else if (isWordCharacter(after)) context |= beforeWord;
  }
  return context;
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
