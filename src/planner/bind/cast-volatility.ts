/** Whether a cast may depend on the session: dates and times read or written as text, and whatever needs the time zone. */
import type { Volatility } from "../../functions/function.js";
import { findCast } from "../../types/casts.js";
import { type SqlType, types } from "../../types/type.js";

export function castVolatility(source: SqlType, target: SqlType): Volatility {
  if (source === target) return "immutable";
  const path = findCast(source, target);
  switch (path?.kind) {
    case "relabel":
      return "immutable";
    case "array":
      return castVolatility(source.element as SqlType, target.element as SqlType);
    case "io":
      return isMadeOfParts(source) || isMadeOfParts(target) || hasTime(source) || hasTime(target)
        ? "stable"
        : "immutable";
    case "function":
      return source === types.timestamptz || target === types.timestamptz || target === types.timetz || isJson(target)
        ? "stable"
        : "immutable";
    default:
      return "stable";
  }
}

function isJson(type: SqlType): boolean {
  return type === types.json || type === types.jsonb;
}

/** The text form of an array or a record is stable in PostgreSQL whatever its parts are. */
function isMadeOfParts(type: SqlType): boolean {
  return type.element !== undefined || type.kind === "record";
}

/** Whether a value holds a date or a time, or something that its text form may look up. */
function hasTime(type: SqlType): boolean {
  return type.category === "D" || type === types.interval || type.name.startsWith("reg");
}
