/** Finds the ends of numbers and operators by PostgreSQL's rules. */
import { isDigit, isNameStart, isOperatorCharacter } from "./characters.js";

/** A number: where it ends, whether it is digits only, and where the junk behind it ends if there is any. */
export interface ScannedNumber {
  readonly end: number;
  readonly isInteger: boolean;
  /** End of "trailing junk after numeric literal", 0 when there is none. */
  readonly junkEnd: number;
}

/** Reads `12`, `1.5`, `.5`, `1.`, `1e10`; `1..2` is the integer 1 and two dots. */
export function scanNumber(text: string, offset: number): ScannedNumber | undefined {
  let end = digits(text, offset);
  let isInteger = true;
  if (text.charCodeAt(end) === 46 && text.charCodeAt(end + 1) !== 46) {
    const fraction = digits(text, end + 1);
    if (end === offset && fraction === end + 1) return undefined;
    end = fraction;
    isInteger = false;
  } else if (end === offset) {
    return undefined;
  }
  const code = text.charCodeAt(end);
  if (code === 101 || code === 69) {
    const sign = text.charCodeAt(end + 1);
    const signed = sign === 43 || sign === 45;
    const exponent = digits(text, end + (signed ? 2 : 1));
    if (exponent > end + (signed ? 2 : 1)) {
      return { end: exponent, isInteger: false, junkEnd: junk(text, exponent) };
    }
    if (signed) return { end, isInteger, junkEnd: end + 2 };
  }
  return { end, isInteger, junkEnd: junk(text, end) };
}

/** Where the first character of a name right behind a literal ends; 0 when there is none. */
export function junk(text: string, offset: number): number {
  if (offset >= text.length || !isNameStart(text.charCodeAt(offset))) return 0;
  return offset + ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1);
}

/** The offset behind the digits that stand at `offset`; `offset` itself when there are none. */
export function digits(text: string, offset: number): number {
  let end = offset;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

/**
 * Where the operator ends: as many operator characters as there are, but not into a comment, and without trailing
 * `+` or `-` unless it holds one of `~ ! @ # ^ & | ? %` or a backquote. So `a=-1` is `a = -1`, and `a@-1` one operator.
 */
export function endOfOperator(text: string, offset: number): number {
  let end = offset;
  let hasSpecial = false;
  while (end < text.length && isOperatorCharacter(text.charCodeAt(end))) {
    const code = text.charCodeAt(end);
    const next = text.charCodeAt(end + 1);
    if ((code === 45 && next === 45) || (code === 47 && next === 42)) break;
    end++;
    if (isSpecial(code)) hasSpecial = true;
  }
  if (!hasSpecial) {
    while (end - offset > 1 && isSign(text.charCodeAt(end - 1))) end--;
  }
  return end;
}

function isSign(code: number): boolean {
  return code === 43 || code === 45;
}

/** One of ~ ! @ # ^ & | ? % and the backquote. */
function isSpecial(code: number): boolean {
  return (
    code === 126 ||
    code === 33 ||
    code === 64 ||
    code === 35 ||
    code === 94 ||
    code === 38 ||
    code === 124 ||
    code === 96 ||
    code === 63 ||
    code === 37
  );
}
