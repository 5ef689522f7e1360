/** The field names of extract, date_part and date_trunc, and the errors when a type has no such field. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { intervalWord, type Unit, unitNamed } from "../../types/datetime/keywords.js";

const known = new Map<string, Unit | "moment" | undefined>();
/** Field names are mostly constants; a statement that makes them up from data must not fill the memory. */
const maxKnown = 500;

/** The field that a text names, any case. @throws SqlError 22023 for no field at all */
export function fieldNamed(name: string, typeName: string): Unit | "moment" {
  let unit = known.get(name);
  if (unit === undefined) {
    unit = unitNamed(name.toLowerCase());
    if (known.size >= maxKnown) known.clear();
    known.set(name, unit);
  }
  if (unit !== undefined) return unit;
  throw fieldNotRecognized(name, typeName);
}

/** As {@link fieldNamed} for date_trunc, which knows only the words of intervals: `epoch` and `dow` are none. */
export function unitToCutTo(name: string, typeName: string): Unit | "moment" {
  if (name === lastCut && lastUnit !== undefined) return lastUnit;
  const word = intervalWord(name.toLowerCase());
  if (word === undefined || word === "ago" || word === "ignored") throw fieldNotRecognized(name, typeName);
  lastCut = name;
  lastUnit = word;
  return word;
}

/** The name is nearly always the same constant. */
let lastCut: string | undefined;
let lastUnit: Unit | undefined;

/** No type has such a field, or it is a word that only dates know. */
export function fieldNotRecognized(name: string, typeName: string): SqlError {
  const message = `unit "${name.toLowerCase()}" not recognized for type ${typeName}`;
  return new SqlError(sqlstate.invalidParameterValue, message);
}

/** The type has no such field. */
export function fieldNotSupported(name: string, typeName: string, detail?: string): SqlError {
  return new SqlError(
    sqlstate.featureNotSupported,
    `unit "${name.toLowerCase()}" not supported for type ${typeName}`,
    detail === undefined ? {} : { detail },
  );
}
