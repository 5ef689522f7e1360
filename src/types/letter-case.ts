/**
 * Upper and lower case, and which characters are letters, digits and so on, as PostgreSQL sees them with the C.UTF-8
 * character type: one character maps to one character (`upper('ß')` is `ß`), context does not matter.
 */

/** Characters whose mapping in JavaScript is longer than one character, or depends on context. */
const specialUpper = /[\u00df\u0149\u01f0\u0390\u03b0\u0587\u1e96-\u1e9a\u1f50-\u1f56\u1f80-\u1fff\ufb00-\ufb17]/;
const specialLower = /[\u0130\u03a3]/; // dotted I gets a combining dot, sigma a final form
const ascii = /^[\0-\x7f]*$/;

/** `upper()`. */
export function upperText(text: string): string {
  if (ascii.test(text) || !specialUpper.test(text)) return text.toUpperCase();
  let result = "";
  for (const character of text) result += upperCharacter(character);
  return result;
}

/** `lower()`. */
export function lowerText(text: string): string {
  if (ascii.test(text) || !specialLower.test(text)) return text.toLowerCase();
  let result = "";
  for (const character of text) result += lowerCharacter(character);
  return result;
}

/** Upper case of one character (code point): itself when Unicode has no single character for it. */
export function upperCharacter(character: string): string {
  const upper = character.toUpperCase();
  if (upper.length === character.length) return upper;
  if (upper.length === 2 && upper.codePointAt(0)! > 0xffff) return upper;
  return titleForms.get(character) ?? character;
}

/** Lower case of one character (code point). */
export function lowerCharacter(character: string): string {
  if (character === "\u0130") return "i";
  const lower = character.toLowerCase();
  return lower.length <= 2 && [...lower].length === 1 ? lower : character;
}

/** Greek letters with iota subscript: Unicode's full mapping writes the iota out, the simple one keeps one character. */
const titleForms = new Map<string, string>();
for (const first of [0x1f80, 0x1f90, 0x1fa0])
  for (let i = 0; i < 8; i++) titleForms.set(String.fromCharCode(first + i), String.fromCharCode(first + 8 + i));
for (const point of [0x1fb3, 0x1fc3, 0x1ff3])
  titleForms.set(String.fromCharCode(point), String.fromCharCode(point + 9));

/** `initcap()`: the first letter of each word upper, the rest lower; words are runs of letters and digits. */
export function initialCapitals(text: string): string {
  let result = "";
  let insideWord = false;
  for (const character of text) {
    result += insideWord ? lowerCharacter(character) : upperCharacter(character);
    insideWord = isAlphanumeric(character);
  }
  return result;
}

const alphabetic = /[\p{Alphabetic}\p{Nd}]/u;
const asciiAlphabetic = /[A-Za-z]/;
const printable = /[^\p{Cc}\p{Cn}\p{Cs}\u2028\u2029]/u;
const space = /[\t-\r \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/;

/** `[[:alpha:]]`; digits of other scripts than ASCII's count as letters. */
export function isAlphabetic(character: string): boolean {
  return character < "\x80" ? asciiAlphabetic.test(character) : alphabetic.test(character);
}

/** `[[:alnum:]]`. */
export function isAlphanumeric(character: string): boolean {
  return isAlphabetic(character) || isDigit(character);
}

/** `[[:digit:]]`: the ten ASCII digits. */
export function isDigit(character: string): boolean {
  return character >= "0" && character <= "9" && character.length === 1;
}

/** `[[:upper:]]`, title case included. */
export function isUpper(character: string): boolean {
  return /[\p{Uppercase}\p{Lt}]/u.test(character);
}

/** `[[:lower:]]`; the four Latin title case letters are both. */
export function isLower(character: string): boolean {
  return /[\p{Lowercase}\u01c5\u01c8\u01cb\u01f2]/u.test(character);
}

/** `[[:space:]]`: no-break spaces are not among them. */
export function isSpace(character: string): boolean {
  return space.test(character);
}

/** `[[:print:]]`. */
export function isPrintable(character: string): boolean {
  return printable.test(character);
}

/** `[[:graph:]]`. */
export function isGraphic(character: string): boolean {
  return isPrintable(character) && !isSpace(character);
}

/** `[[:punct:]]`. */
export function isPunctuation(character: string): boolean {
  return isGraphic(character) && !isAlphanumeric(character);
}

/** `[[:cntrl:]]`. */
export function isControl(character: string): boolean {
  return /\p{Cc}/u.test(character);
}
