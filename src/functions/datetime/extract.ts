/**
 * extract(field FROM source), which gives numeric, and date_part('field', source), which gives double precision.
 * Source: PostgreSQL 15, 9.9.1 "EXTRACT, date_part".
 */
import { dateToTimestamp } from "../../types/datetime/convert.js";
import type { Int64 } from "../../types/datetime/int64.js";
import type { Unit } from "../../types/datetime/keywords.js";
import { toLocal } from "../../types/datetime/timestamp.js";
import { isInfinite, secondsOf } from "../../types/datetime/timestamp-value.js";
import { zoneOfSession } from "../../types/datetime/zone.js";
import { Numeric } from "../../types/numeric.js";
import { type TypeName, typeNamed } from "../../types/type.js";
import type { Interval, TimeWithZone } from "../../types/value.js";
import type { Callable, CallSite, ScalarFunction } from "../function.js";
import { fieldNamed, fieldNotRecognized, fieldNotSupported } from "./fields.js";
import {
  datePart,
  intervalPart,
  isMonotonic,
  type Part,
  partToFloat,
  partToNumeric,
  timePart,
  timestampPart,
  timetzPart,
} from "./part.js";

/** What a field of a value is: a part, an infinity, or NULL (for an infinite value's day or hour). */
type Found = Part | number | null;

/** Finds a field of one type's values. */
type Finder = (unit: Unit | "moment", value: never, site: CallSite) => Found | undefined;

function infinitePart(unit: Unit | "moment", value: Int64, hasField: boolean): Found | undefined {
  if (!hasField) return undefined;
  return isMonotonic(unit) ? Number(value) : null;
}

const timestampFinder = (unit: Unit | "moment", value: Int64): Found | undefined => {
  if (isInfinite(value)) return infinitePart(unit, value, timestampPart(unit, 0, 0) !== undefined);
  return timestampPart(unit, value);
};

const timestamptzFinder = (unit: Unit | "moment", value: Int64, site: CallSite): Found | undefined => {
  if (isInfinite(value)) return infinitePart(unit, value, timestampPart(unit, 0, 0) !== undefined);
  const zone = zoneOfSession(site.session.timeZone);
  return timestampPart(unit, toLocal(value, zone), zone.offsetAt(secondsOf(value)));
};

const dateFinder = (unit: Unit | "moment", days: number): Found | undefined => {
  if (!Number.isFinite(days)) return infinitePart(unit, days, datePart(unit, 0) !== undefined);
  return datePart(unit, days);
};

const finders: readonly (readonly [TypeName, Finder])[] = [
  ["timestamp", timestampFinder],
  ["timestamptz", timestamptzFinder],
  ["time", (unit, value: number) => timePart(unit, value)],
  ["timetz", (unit, value: TimeWithZone) => timetzPart(unit, value)],
  ["interval", (unit, value: Interval) => intervalPart(unit, value)],
];

function toNumeric(found: Found): Numeric | null {
  if (found === null) return null;
  if (typeof found === "number") return found > 0 ? Numeric.infinity : Numeric.negativeInfinity;
  return partToNumeric(found);
}

function toFloat(found: Found): number | null {
  return found === null || typeof found === "number" ? found : partToFloat(found);
}

function entry(
  name: "extract" | "date_part",
  source: TypeName,
  find: Finder,
  convert: (found: Found) => Numeric | number | null,
  typeName = typeNamed(source).display,
): ScalarFunction {
  const hasDate = source === "date" || source === "timestamp" || source === "timestamptz";
  return {
    kind: "scalar",
    name,
    args: ["text", source],
    returns: name === "extract" ? "numeric" : "float8",
    volatility: source === "timestamptz" ? "stable" : "immutable",
    strict: true,
    specialize:
      (site): Callable =>
      (field: string, value: never) => {
        const unit = fieldNamed(field, typeName);
        if (unit === "moment" && !hasDate) throw fieldNotRecognized(field, typeName);
        const found = find(unit, value, site);
        if (found === undefined) throw fieldNotSupported(field, typeName);
        return convert(found);
      },
  };
}

/** date_part of a date goes by the timestamp at its midnight, so that it has hours; extract does not. */
const datePartOfDate: Finder = (unit, days: number) => timestampFinder(unit, dateToTimestamp(days));

export const extractFunctions: readonly ScalarFunction[] = [
  ...finders.map(([source, find]) => entry("extract", source, find, toNumeric)),
  entry("extract", "date", dateFinder, toNumeric),
  ...finders.map(([source, find]) => entry("date_part", source, find, toFloat)),
  entry("date_part", "date", datePartOfDate, toFloat, typeNamed("timestamp").display),
];
