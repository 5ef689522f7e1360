/** Whether a cast may depend on the session: dates and times read or written as text, and whatever needs the time zone. */
import { findCast } from "../casts.js";
import { type SqlType, types } from "../type.js";

/**
 * As pg_proc says of the function behind the cast, or of the input and output functions that it goes through; no cast is
 * volatile.
 */
export function castVolatility(source: SqlType, target: SqlType): "immutable" | "stable" {
  if (source === target) return "immutable";
  const path = findCast(source, target);
  switch (path?.kind) {
    case "relabel":
      return "immutable";
    case "array":
      return castVolatility(source.element as SqlType, target.element as SqlType);
    case "io":
      return writesBySession(source) || readsBySession(target) ? "stable" : "immutable";
    case "function":
      return source === types.timestamptz ||
        target === types.timestamptz ||
        target === types.timetz ||
        (target === types.regclass && source.category === "S")
        ? "stable"
        : "immutable";
    default:
      return "stable";
  }
}

/** Whether reading a text as this type may look at the clock, a setting or a name. */
function readsBySession(type: SqlType): boolean {
  return isMadeOfParts(type) || type.category === "D" || type === types.interval || type.name.startsWith("reg");
}

/** The same of the text form: that of a time of day is always the same, with its zone too. */
function writesBySession(type: SqlType): boolean {
  return readsBySession(type) && type !== types.time && type !== types.timetz;
}

/** The text form of an array or a record is stable in PostgreSQL whatever its parts are. */
function isMadeOfParts(type: SqlType): boolean {
  return type.element !== undefined || type.kind === "record";
}
