/**
 * Values on their way into a request: as text where HTTP has only text (path, query, form, headers), as JSON in a body.
 * A value that the place cannot carry is refused: a changed one would ask for something else.
 */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";

/**
 * One value as text: numbers and booleans as JSON writes them, a Date as ISO 8601 in UTC.
 * @param place where it goes, for the message: `query parameter "since"`
 * @throws SqlError 22023 for a list, an object, and a Date that is none
 */
export function valueText(value: unknown, place: string): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    default:
      if (value instanceof Date) return dateText(value, place);
      throw cannotCarry(place, Array.isArray(value) ? "a list" : value === null ? "NULL" : "an object");
  }
}

function dateText(date: Date, place: string): string {
  if (Number.isNaN(date.getTime())) throw cannotCarry(place, "a date that is out of range");
  return date.toISOString();
}

/** The place has no form for such a value. */
export function cannotCarry(place: string, what: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, `${place} can't carry ${what}`);
}

/** A value that may stand in text more than once: the elements of a list, otherwise the value alone. */
export function valueTexts(value: unknown, place: string): string[] {
  if (!Array.isArray(value)) return [valueText(value, place)];
  return value.map((item) => {
    if (item === null || item === undefined) throw cannotCarry(place, "a list with NULL in it");
    return valueText(item, place);
  });
}

/**
 * JSON text with the digits of every number: a bigint is written as it is, where `JSON.stringify` fails.
 * @throws SqlError 22023 for what JSON has no form for, where `JSON.stringify` would write null or leave it out
 */
export function jsonText(value: unknown): string {
  switch (typeof value) {
    case "string":
    case "boolean":
      return JSON.stringify(value);
    case "bigint":
      return String(value);
    case "number":
      if (!Number.isFinite(value)) throw cannotCarry("a JSON body", String(value));
      return JSON.stringify(value);
    case "object":
      return value === null ? "null" : structureText(value);
    default:
      throw cannotCarry("a JSON body", `a ${typeof value}`);
  }
}

function structureText(value: object): string {
  if (value instanceof Date) return JSON.stringify(dateText(value, "a JSON body"));
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item ?? null)).join(",")}]`;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return jsonText(toJSON.call(value));
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${jsonText(field)}`).join(",")}}`;
}
