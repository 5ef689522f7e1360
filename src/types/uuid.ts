/** The type uuid: held as its canonical text, lower case with hyphens, so that text order is byte order. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { hexValue } from "./bytea.js";
import type { TypeOperations } from "./operations.js";

/** Canonical text, or `undefined`. Accepted are braces around it and a hyphen, or none, after every four digits. */
function parseUuid(text: string): string | undefined {
  const braces = text.startsWith("{");
  let at = braces ? 1 : 0;
  let digits = "";
  for (let byte = 0; byte < 16; byte++) {
    if (hexValue(text.charCodeAt(at)) < 0 || hexValue(text.charCodeAt(at + 1)) < 0) return undefined;
    digits += text.slice(at, at + 2);
    at += 2;
    if (text[at] === "-" && byte % 2 === 1 && byte < 15) at++;
  }
  if (braces && text[at++] !== "}") return undefined;
  if (at !== text.length) return undefined;
  const hex = digits.toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export const uuidOperations: TypeOperations = {
  input(text) {
    const uuid = parseUuid(text);
    if (uuid === undefined)
      throw new SqlError(sqlstate.invalidTextRepresentation, `invalid input syntax for type uuid: "${text}"`, {
        hint: "A uuid has 32 hexadecimal digits, such as 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'.",
      });
    return uuid;
  },
  output: (value) => value as string,
  compare: (a, b) => ((a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0),
  fromHost: (value) => (typeof value === "string" ? parseUuid(value) : undefined),
  toHost: (value) => value,
};
