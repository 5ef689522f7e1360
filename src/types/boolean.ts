/** The type boolean: `t` and `f` as text; input takes any unambiguous beginning of true, false, yes, no, on, off, and 1, 0. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { TypeOperations } from "./operations.js";
import { trimSpace } from "./scan.js";

/** @throws SqlError 22P02 */
function parseBoolean(text: string): boolean {
  const value = booleanFromWord(trimSpace(text).toLowerCase());
  if (value === undefined) {
    throw new SqlError(sqlstate.invalidTextRepresentation, `invalid input syntax for type boolean: "${text}"`);
  }
  return value;
}

function booleanFromWord(word: string): boolean | undefined {
  if (word === "") return undefined;
  if ("true".startsWith(word) || "yes".startsWith(word) || word === "on" || word === "1") return true;
  if ("false".startsWith(word) || "no".startsWith(word) || word === "0") return false;
  return word === "of" || word === "off" ? false : undefined;
}

export const booleanOperations: TypeOperations = {
  input: (text) => parseBoolean(text),
  output: (value) => (value ? "t" : "f"),
  compare: (a, b) => Number(a) - Number(b),
  fromHost(value) {
    if (typeof value === "boolean") return value;
    return typeof value === "string" ? booleanFromWord(trimSpace(value).toLowerCase()) : undefined;
  },
  toHost: (value) => value,
};
