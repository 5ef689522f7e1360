/**
 * Time zones by name: IANA names through the JavaScript runtime, POSIX descriptions (`UTC+3`, `<+03>-3`) read here,
 * and the abbreviations PostgreSQL knows. Offsets are seconds east of Greenwich everywhere.
 */
import { unknownTimeZone } from "./errors.js";
import { daylightAbbreviations, standardAbbreviations, zoneAbbreviations } from "./zone-abbreviations.js";
import { intlZone } from "./zone-intl.js";
import { posixZone } from "./zone-posix.js";

/** A zone's rules. Seconds count from 1970. */
export interface Zone {
  readonly name: string;
  /** The offset at an instant. */
  offsetAt(utcSeconds: number): number;
  /**
   * The offset that a local time means. A time skipped in spring is read with the offset before the change, a time
   * that occurs twice in autumn with the offset after it.
   */
  offsetOfLocal(localSeconds: number): number;
  /** The one offset of a zone that never changes. */
  readonly fixedOffset?: number;
  /** Its abbreviation at an instant, where the zone's own description gives it. */
  abbreviationAt?(utcSeconds: number): string;
}

/** A zone with one offset. */
export function fixedZone(name: string, offset: number): Zone {
  return {
    name,
    fixedOffset: offset,
    offsetAt: () => offset,
    offsetOfLocal: () => offset,
    abbreviationAt: () => name,
  };
}

const utc: Zone = fixedZone("UTC", 0);

const zones = new Map<string, Zone | undefined>([["utc", utc]]);
/** Names come from statements: the memory they take is bounded. */
const maxRemembered = 2000;

/** The zone of that name, in any case, or `undefined`; not looked up among the abbreviations. */
export function findZone(name: string): Zone | undefined {
  const key = name.toLowerCase();
  let zone = zones.get(key);
  if (zone === undefined && !zones.has(key)) {
    zone = intlZone(key) ?? posixZone(name);
    if (zones.size >= maxRemembered) zones.clear();
    zones.set(key, zone);
  }
  return zone;
}

let sessionName = "UTC";
let sessionZone: Zone = utc;

/** The zone that a session's setting names; remembers the last one, as nearly every call asks for the same. */
export function zoneOfSession(name: string): Zone {
  if (name === sessionName) return sessionZone;
  const zone = findZone(name);
  if (zone === undefined) throw unknownTimeZone(name);
  sessionName = name;
  sessionZone = zone;
  return zone;
}

/** What an abbreviation says: a fixed offset, or the zone that tells its offset at a moment. */
export type Abbreviation =
  | { readonly kind: "fixed"; readonly offset: number; readonly daylight: boolean }
  | { readonly kind: "zone"; readonly zone: Zone };

/** The abbreviation's meaning; `name` in lower case. */
export function findAbbreviation(name: string): Abbreviation | undefined {
  if (Object.hasOwn(standardAbbreviations, name))
    return { kind: "fixed", offset: standardAbbreviations[name], daylight: false };
  if (Object.hasOwn(daylightAbbreviations, name))
    return { kind: "fixed", offset: daylightAbbreviations[name], daylight: true };
  if (!Object.hasOwn(zoneAbbreviations, name)) return undefined;
  const zone = name === "msk" ? moscowStandard : findZone(zoneAbbreviations[name]);
  return zone === undefined ? undefined : { kind: "zone", zone };
}

/** MSK named two offsets: four hours from 2011-03-27 to 2014-10-26, when Moscow kept summer time all the year. */
const moscowFourFrom = 1_301_180_400;
const moscowFourUntil = 1_414_274_400;
const moscowStandard: Zone = {
  name: "MSK",
  offsetAt: (utcSeconds) => (utcSeconds >= moscowFourFrom && utcSeconds < moscowFourUntil ? 14_400 : 10_800),
  offsetOfLocal: (localSeconds) =>
    localSeconds - 10_800 >= moscowFourFrom && localSeconds - 14_400 < moscowFourUntil ? 14_400 : 10_800,
};

/** The zone that a function's argument or AT TIME ZONE names: abbreviations first. @throws SqlError 22023 */
export function zoneOfArgument(name: string): Zone {
  const abbreviation = findAbbreviation(name.toLowerCase());
  if (abbreviation !== undefined)
    return abbreviation.kind === "zone" ? abbreviation.zone : fixedZone(name.toUpperCase(), abbreviation.offset);
  const zone = findZone(name);
  if (zone === undefined) throw unknownTimeZone(name);
  return zone;
}
