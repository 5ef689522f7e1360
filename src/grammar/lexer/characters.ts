/** Character classes of PostgreSQL's scanner, by character code. Source: PostgreSQL 15, 4.1 "Lexical Structure". */

/** Space, tab, line feed, form feed, carriage return. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13 && code !== 11);
}

/** What ends a `--` comment. */
export function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}

/** `0` to `9`. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** A letter, an underscore, or anything beyond ASCII. */
export function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 128;
}

/** What may stand in a name behind its first character. */
function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code) || code === 36;
}

/** The value of a hexadecimal digit, -1 for anything else. */
export function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  if (code >= 65 && code <= 70) return code - 55;
  return -1;
}

const operatorCharacters = new Uint8Array(128);
for (const character of "~!@#^&|`?+-*/%<>=") operatorCharacters[character.charCodeAt(0)] = 1;

/** What operators are made of. */
export function isOperatorCharacter(code: number): boolean {
  return code < 128 && operatorCharacters[code] === 1;
}

/** Where the name that starts before `offset` ends. */
export function endOfName(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && isNamePart(text.charCodeAt(end))) end++;
  return end;
}

const longestName = 63;
const encoder = new TextEncoder();

/** The name cut to the 63 bytes that PostgreSQL keeps, never in the middle of a character. */
export function truncateName(name: string): string {
  if (name.length * 3 <= longestName) return name;
  const { read, written } = encoder.encodeInto(name, new Uint8Array(longestName));
  return written !== undefined && read !== undefined && read < name.length ? name.slice(0, read) : name;
}

/** An unquoted name in lower case: only A to Z are folded, as in a UTF-8 database. */
export function foldName(name: string): string {
  let folded = "";
  let copied = 0;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code >= 65 && code <= 90) {
      folded += name.slice(copied, i) + String.fromCharCode(code + 32);
      copied = i + 1;
    }
  }
  return copied === 0 ? name : folded + name.slice(copied);
}
