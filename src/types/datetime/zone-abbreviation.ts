/** The abbreviation that a zone uses at a moment: `CET`, `EDT`, `+0545`. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { civilDate } from "./calendar.js";
import type { Zone } from "./zone.js";
import { abbreviationsByOffset, abbreviationsSince } from "./zone-names.js";

interface KnownNames {
  readonly byOffset: ReadonlyMap<number, string>;
  /** First year in which they hold. */
  since: number;
}

const firstYear = 1970;
let known: Map<string, KnownNames> | undefined;

function namesByZone(): Map<string, KnownNames> {
  const zones = new Map<string, KnownNames>();
  for (const [names, list] of abbreviationsByOffset) {
    const pairs = names.split(" ").map((pair): [number, string] => {
      const [name, offset] = pair.split("=");
      return [Number(offset), name];
    });
    const byOffset = new Map(pairs);
    for (const zone of list.split(" ")) zones.set(zone, { byOffset, since: firstYear });
  }
  for (const [since, list] of abbreviationsSince)
    for (const zone of list.split(" ")) {
      const names = zones.get(zone);
      if (names === undefined) zones.set(zone, { byOffset: new Map(), since });
      else zones.set(zone, { ...names, since });
    }
  return zones;
}

/** Offset as an abbreviation: `+03`, `-0330`. */
function offsetName(offset: number): string {
  const magnitude = Math.abs(offset);
  const parts = [Math.floor(magnitude / 3600), Math.floor(magnitude / 60) % 60, magnitude % 60];
  while (parts.length > 1 && parts[parts.length - 1] === 0) parts.pop();
  return (offset < 0 ? "-" : "+") + parts.map((part) => String(part).padStart(2, "0")).join("");
}

/** @throws SqlError 0A000 for years before the abbreviations are known */
export function zoneAbbreviation(zone: Zone, utcSeconds: number): string {
  const own = zone.abbreviationAt?.(utcSeconds);
  if (own !== undefined) return own;
  known ??= namesByZone();
  const plain = zone.name.startsWith("posix/") ? zone.name.slice(6) : zone.name;
  const names = known.get(plain);
  const offset = zone.offsetAt(utcSeconds);
  if (zone.fixedOffset !== undefined) return names?.byOffset.get(offset) ?? offsetName(offset);
  const year = civilDate(Math.floor(utcSeconds / 86_400)).year;
  const name = names === undefined || names.byOffset.size === 0 ? offsetName(offset) : names.byOffset.get(offset);
  if (name !== undefined && year >= (names?.since ?? firstYear)) return name;
  throw new SqlError(
    sqlstate.featureNotSupported,
    `the abbreviation of time zone "${zone.name}" for the year ${year} is not known`,
    { hint: "Use the pattern OF for the offset, or convert with AT TIME ZONE 'UTC' first." },
  );
}
