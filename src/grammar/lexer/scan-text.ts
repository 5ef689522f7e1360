/** Finds the ends of strings, quoted names and comments. Each function starts at an offset and looks at characters only. */
import { endOfName, isLineBreak, isNameStart, isSpace } from "./characters.js";

/** A quoted piece of text: where it ends, and what stood inside with doubled quotes made single. */
export interface Quoted {
  readonly end: number;
  /** `undefined` when the closing quote is missing. */
  readonly content: string | undefined;
}

const quote = 39;
const backslash = 92;

/**
 * Reads from behind an opening quote. Strings in pieces ('a' newline 'b') are one string.
 * @param escapes whether a backslash protects the character behind it, as in E''
 */
export function scanString(text: string, offset: number, escapes: boolean): Quoted {
  let content = "";
  let pieceStart = offset;
  let i = offset;
  for (;;) {
    if (i >= text.length) return { end: text.length, content: undefined };
    const code = text.charCodeAt(i);
    if (escapes && code === backslash) {
      // A quote that is protected must not be taken for a doubled one later on: both stay as written.
      i += 2;
    } else if (code !== quote) {
      i++;
    } else if (text.charCodeAt(i + 1) === quote) {
      content += text.slice(pieceStart, i + 1);
      i += 2;
      pieceStart = i;
    } else {
      content += text.slice(pieceStart, i);
      const next = continuation(text, i + 1);
      if (next === -1) return { end: i + 1, content };
      i = next;
      pieceStart = next;
    }
  }
}

/** Where the next piece of a string begins, behind its quote; -1 when the string is over. */
function continuation(text: string, offset: number): number {
  let i = offset;
  let sawLineBreak = false;
  for (;;) {
    const code = text.charCodeAt(i);
    if (isLineBreak(code)) {
      sawLineBreak = true;
      i++;
    } else if (isSpace(code)) {
      i++;
    } else if (code === 45 && text.charCodeAt(i + 1) === 45) {
      i = endOfLine(text, i);
    } else {
      return code === quote && sawLineBreak ? i + 1 : -1;
    }
  }
}

/** Reads a quoted name from behind its opening quote. */
export function scanQuotedName(text: string, offset: number): Quoted {
  let content = "";
  let pieceStart = offset;
  for (;;) {
    const i = text.indexOf('"', pieceStart);
    if (i === -1) return { end: text.length, content: undefined };
    if (text.charCodeAt(i + 1) !== 34) return { end: i + 1, content: content + text.slice(pieceStart, i) };
    content += text.slice(pieceStart, i + 1);
    pieceStart = i + 2;
  }
}

/** Reads a dollar-quoted string at its first dollar; `undefined` when no dollar quote begins here. */
export function scanDollarString(text: string, offset: number): Quoted | undefined {
  let tagEnd = offset + 1;
  if (isNameStart(text.charCodeAt(tagEnd))) {
    tagEnd = endOfName(text, tagEnd);
    const dollar = text.indexOf("$", offset + 1);
    if (dollar === -1 || dollar > tagEnd) return undefined;
    tagEnd = dollar;
  }
  if (text.charCodeAt(tagEnd) !== 36) return undefined;
  const tag = text.slice(offset, tagEnd + 1);
  const close = text.indexOf(tag, tagEnd + 1);
  if (close === -1) return { end: text.length, content: undefined };
  return { end: close + tag.length, content: text.slice(tagEnd + 1, close) };
}

/** Where the line ends (before its line break). */
export function endOfLine(text: string, offset: number): number {
  let i = offset;
  while (i < text.length && !isLineBreak(text.charCodeAt(i))) i++;
  return i;
}

/** Where the nested comment that opens at `offset` ends, -1 when it doesn't. */
export function endOfComment(text: string, offset: number): number {
  let depth = 1;
  let i = offset + 2;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    const next = text.charCodeAt(i + 1);
    if (code === 42 && next === 47) {
      i += 2;
      if (--depth === 0) return i;
    } else if (code === 47 && next === 42) {
      i += 2;
      depth++;
    } else {
      i++;
    }
  }
  return -1;
}
