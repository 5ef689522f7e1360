/** Names, strings and types as SQL. */
import type * as ast from "../ast.js";
import { keywordClasses } from "../tokens.js";

/** A name, quoted only when it has to be. Key words other than the unreserved ones are quoted, as PostgreSQL does. */
export function quoteName(name: string): string {
  const kind = keywordClasses.get(name);
  return isPlain(name) && (kind === undefined || kind === "unreserved") ? name : quoted(name);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Lower case letters, digits and underscores, not beginning with a digit. */
function isPlain(name: string): boolean {
  if (name === "") return false;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    const isLetter = (code >= 97 && code <= 122) || code === 95;
    const isDigit = code >= 48 && code <= 57;
    if (!isLetter && !(isDigit && i > 0)) return false;
  }
  return true;
}

/** A string literal; a backslash stands for itself (standard_conforming_strings). */
export function quoteString(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** `schema.name`, each part quoted where it has to be. */
export function qualifiedName(name: ast.QualifiedName): string {
  return [name.catalog, name.schema, name.name]
    .filter((part) => part !== undefined)
    .map(quoteName)
    .join(".");
}

/** Names with commas, without parentheses. */
export function nameList(names: readonly ast.Identifier[]): string {
  return names.map((name) => quoteName(name.name)).join(", ");
}

/** Types whose plain name is a keyword of the type syntax and means just that type. */
const keywordTypes: ReadonlySet<string> = new Set(["numeric", "interval", "varchar", "timestamp", "time"]);

/** A type under its catalog name; `modifier` prints what stands in its parentheses. */
export function typeName(type: ast.TypeName, modifier: (expression: ast.Expression) => string): string {
  const modifiers = type.modifiers.length === 0 ? "" : `(${type.modifiers.map(modifier).join(", ")})`;
  // A single digit count binds to the seconds when fields are written.
  const fields = type.intervalFields === undefined ? "" : ` ${type.intervalFields}`;
  let name: string;
  if (type.schema !== undefined) {
    name = `${type.schema.split(".").map(quoteName).join(".")}.${quoteName(type.name)}`;
  } else if (keywordTypes.has(type.name) || (type.name === "bit" && modifiers !== "")) {
    name = type.name;
  } else {
    name = quoteName(type.name);
  }
  const bounds = type.arrayBounds.map((bound) => (bound === null ? "[]" : `[${bound}]`)).join("");
  return `${type.setOf ? "SETOF " : ""}${name}${fields}${modifiers}${type.percentType ? "%TYPE" : ""}${bounds}`;
}
