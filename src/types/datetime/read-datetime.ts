/**
 * Reads the text of a date or timestamp in any of the forms PostgreSQL takes: ISO 8601, month names, `1/8/1999`,
 * Julian days, BC years, zones by name, abbreviation or offset, and words such as `tomorrow`.
 * Source: PostgreSQL 15, 8.5.1 "Date/Time Input", appendix B.1, and the answers of a server.
 */
import type { TypeContext } from "../operations.js";
import { civilDate, dayNumber } from "./calendar.js";
import { unknownTimeZone } from "./errors.js";
import { dateSeen, FieldReader, seen, timeSeen } from "./field-reader.js";
import { type Int64, roundHalfEven } from "./int64.js";
import { dateWord, type Keyword, type Moment, type Unit } from "./keywords.js";
import { isDigit, splitFields, type TextField } from "./text-fields.js";
import { microsecondsPerDay, secondsPerDay, shiftSeconds, splitTimestamp } from "./timestamp-value.js";
import { type Abbreviation, findAbbreviation, findZone, type Zone, zoneOfSession } from "./zone.js";

/** A point in time as read: local day and time of day, and the offset (seconds east) that they are meant in. */
export interface ReadPoint {
  readonly kind: "point";
  readonly days: number;
  /** May reach and pass 24 hours, for `24:00` and leap seconds. */
  readonly microseconds: number;
  readonly offset: number;
}

/** What a text of a date or timestamp says; `now`, `today` and their kin are points already. */
export type ReadDateTime =
  | ReadPoint
  | { readonly kind: "infinity" }
  | { readonly kind: "-infinity" }
  | { readonly kind: "epoch" };

/** What a number means after a prefix such as `J` or `T`. */
type Prefix = Unit | "isoTime";

/** The present moment in a session's zone: day, microseconds of the day, offset. */
export function localNow(context: TypeContext): { days: number; microseconds: number; offset: number } {
  const offset = zoneOfSession(context.timeZone).offsetAt(Math.floor(context.nowMicroseconds / 1_000_000));
  const { days, microseconds } = splitTimestamp(shiftSeconds(context.nowMicroseconds as Int64, offset));
  return { days, microseconds, offset };
}

/** @throws SqlError 22007, 22008, 22009, 22023 */
export function readDateTime(text: string, typeName: string, context: TypeContext): ReadDateTime {
  const fields = splitFields(text);
  const reader = new DateTimeReader(text, typeName, context);
  if (fields === undefined) throw reader.badFormat();
  return reader.read(fields);
}

/** A reader that understands words and zones; times of day and timestamps go on from here. */
export class WordReader extends FieldReader {
  /** What zone was given: an offset, a named zone, or an abbreviation that depends on the date. */
  offset: number | undefined;
  namedZone: Zone | undefined;
  changingAbbreviation: Zone | undefined;
  prefix: Prefix | undefined;

  constructor(
    text: string,
    typeName: string,
    readonly context: TypeContext,
  ) {
    super(text, typeName);
  }

  useNamedZone(name: string): void {
    const zone = findZone(name);
    if (zone === undefined) throw unknownTimeZone(name);
    this.namedZone = zone;
  }

  /** Zone abbreviations come before words: `sat` is Saturday, `sast` a zone. Gives the bits read. */
  useAbbreviation(abbreviation: Abbreviation): number {
    if (abbreviation.kind === "zone") {
      this.changingAbbreviation = abbreviation.zone;
      return seen.zone;
    }
    this.offset = abbreviation.offset;
    return abbreviation.daylight ? seen.zone | seen.daylightZone : seen.zone;
  }

  /** Words that mean the same for times and timestamps; `undefined` for others. */
  useCommonWord(word: Keyword): number | undefined {
    switch (word.kind) {
      case "month": {
        let bits: number = seen.month;
        // A number before was taken for the month: it is the day.
        const numeric = (this.mask & seen.month) !== 0 && !this.textMonth && (this.mask & seen.day) === 0;
        if (numeric && this.month >= 1 && this.month <= 31) {
          this.day = this.month;
          bits = seen.day;
        }
        this.textMonth = true;
        this.month = word.month;
        return bits;
      }
      case "weekday":
        return seen.weekday;
      case "era":
        this.bc = word.bc;
        return seen.era;
      case "meridiem":
        this.meridiem = word.pm ? "pm" : "am";
        return seen.meridiem;
      case "daylight":
        this.offset = (this.offset ?? 0) + 3600;
        return seen.daylightModifier | seen.daylightZone;
      case "unit":
        this.prefix = word.unit;
        return 0;
      default:
        return undefined;
    }
  }

  /** A number after a prefix: `y2001`, `j2451187`, `t040506`. */
  readPrefixed(text: string, prefix: Prefix): number {
    const { value, end } = this.integer(text, 0);
    if (end < text.length && text[end] !== ".") throw this.badFormat();
    switch (prefix) {
      case "year":
        this.year = value;
        return seen.year;
      case "month":
        // After a month and an hour, `m` is a minute.
        if ((this.mask & seen.month) !== 0 && (this.mask & seen.hour) !== 0) {
          this.minute = value;
          return seen.minute;
        }
        this.month = value;
        return seen.month;
      case "day":
        this.day = value;
        return seen.day;
      case "hour":
        this.hour = value;
        return seen.hour;
      case "minute":
        this.minute = value;
        return seen.minute;
      case "second":
        this.second = value;
        if (end === text.length) return seen.second;
        this.fraction = this.readFraction(text, end);
        return seen.second | seen.fraction;
      case "julian":
        this.setJulian(value);
        if (end === text.length) return dateSeen;
        this.setTimeOfDay(roundHalfEven(Number(`0${text.slice(end)}`) * microsecondsPerDay));
        return dateSeen | timeSeen;
      case "isoTime": {
        const bits = this.readDigits(text, this.mask | dateSeen);
        if (bits !== timeSeen) throw this.badFormat();
        return bits;
      }
      default:
        throw this.badFormat();
    }
  }

  /** `hhmmss-zz`: a time run together with its offset. */
  readTimeWithOffset(text: string, mask: number): number {
    if ((this.mask & timeSeen) === timeSeen) throw this.badFormat();
    const at = text.indexOf("-");
    if (at === -1) throw this.badFormat();
    this.offset = this.readOffset(text, at);
    return this.readDigits(text.slice(0, at), mask) | seen.zone;
  }

  /** A `t` must be followed by something that can be a time. */
  checkIsoTime(next: TextField | undefined): void {
    if (next === undefined || (next.kind !== "number" && next.kind !== "time" && next.kind !== "date"))
      throw this.badFormat();
    this.prefix = "isoTime";
  }

  /** The prefix before a time or a joined field can only be `t`. */
  takeTimePrefix(): void {
    if (this.prefix === undefined) return;
    if (this.prefix !== "isoTime") throw this.badFormat();
    this.prefix = undefined;
  }

  /** The offset in force at a local time, from what was given or from the session's zone. */
  resolveOffset(days: number, microseconds: number): number {
    const local = days * secondsPerDay + Math.floor(microseconds / 1_000_000);
    const zone = this.namedZone ?? this.changingAbbreviation;
    const modified = (this.mask & seen.daylightModifier) !== 0;
    if (this.namedZone !== undefined && modified) throw this.badFormat();
    if (zone !== undefined) return zone.offsetOfLocal(local);
    if ((this.mask & seen.zone) !== 0) return this.offset ?? 0;
    if (modified) throw this.badFormat();
    return zoneOfSession(this.context.timeZone).offsetOfLocal(local);
  }
}

class DateTimeReader extends WordReader {
  private moment: Moment | undefined;

  read(fields: readonly TextField[]): ReadDateTime {
    for (let i = 0; i < fields.length; i++) this.readField(fields[i], fields[i + 1]);
    this.validateDate();
    this.applyMeridiem();
    const special = this.moment;
    if (special === "infinity" || special === "-infinity" || special === "epoch") return { kind: special };
    if ((this.mask & dateSeen) !== dateSeen) throw this.badFormat();
    const days = dayNumber(this.year, this.month, this.day);
    const microseconds = this.timeOfDay();
    return { kind: "point", days, microseconds, offset: this.resolveOffset(days, microseconds) };
  }

  private readField(field: TextField, next: TextField | undefined): void {
    switch (field.kind) {
      case "date":
        this.add(this.readJoined(field.text));
        return;
      case "time":
        this.takeTimePrefix();
        this.readTime(field.text);
        if (this.timeOverflows()) throw this.overflow();
        this.add(timeSeen);
        return;
      case "zone":
        this.offset = this.readOffset(field.text);
        this.add(seen.zone);
        return;
      case "number":
        this.add(this.readSingle(field.text));
        return;
      default:
        this.readWord(field.text, next);
    }
  }

  /** Digits with separators are a date; after month and day, a zone's name or a time with its offset. */
  private readJoined(text: string): number {
    if (this.prefix === "julian") {
      const { value, end } = this.integer(text, 0);
      this.setJulian(value);
      this.offset = this.readOffset(text, end);
      this.prefix = undefined;
      return dateSeen | timeSeen | seen.zone;
    }
    const monthAndDay = seen.month | seen.day;
    if (this.prefix === undefined && (this.mask & monthAndDay) !== monthAndDay) return this.readDate(text);
    if (this.prefix !== undefined || isDigit(text.charCodeAt(0))) {
      this.takeTimePrefix();
      return this.readTimeWithOffset(text, this.mask);
    }
    this.useNamedZone(text);
    return seen.zone;
  }

  private readSingle(text: string): number {
    if (this.prefix !== undefined) {
      const bits = this.readPrefixed(text, this.prefix);
      this.prefix = undefined;
      this.moment = undefined;
      return bits;
    }
    const point = text.indexOf(".");
    if (point !== -1 && (this.mask & dateSeen) === 0) return this.readDate(text);
    if (point > 2) return this.readDigits(text, this.mask);
    const incomplete = (this.mask & dateSeen) === 0 || (this.mask & timeSeen) === 0;
    if (text.length >= 6 && incomplete) return this.readDigits(text, this.mask);
    return this.readNumber(text, this.textMonth, this.mask);
  }

  private readWord(text: string, next: TextField | undefined): void {
    const abbreviation = findAbbreviation(text);
    if (abbreviation !== undefined) {
      this.add(this.useAbbreviation(abbreviation));
      return;
    }
    const word = dateWord(text);
    if (word === undefined) {
      this.namedZone = findZone(text);
      if (this.namedZone === undefined) throw this.badFormat();
      this.add(seen.zone);
      return;
    }
    if (word.kind === "ignored") return;
    if (word.kind === "isoTime") {
      if ((this.mask & dateSeen) !== dateSeen) throw this.badFormat();
      this.checkIsoTime(next);
      return;
    }
    if (word.kind === "moment") {
      this.add(this.readMoment(word.moment));
      return;
    }
    const bits = this.useCommonWord(word);
    if (bits === undefined) throw this.badFormat();
    this.add(bits);
  }

  private readMoment(moment: Moment): number {
    switch (moment) {
      case "now": {
        const now = localNow(this.context);
        this.setDay(now.days);
        this.setTimeOfDay(now.microseconds);
        this.offset = now.offset;
        this.moment = undefined;
        return dateSeen | timeSeen | seen.zone;
      }
      case "yesterday":
      case "today":
      case "tomorrow": {
        const shift = moment === "today" ? 0 : moment === "tomorrow" ? 1 : -1;
        this.setDay(localNow(this.context).days + shift);
        this.moment = undefined;
        return dateSeen;
      }
      case "allballs":
        this.setTimeOfDay(0);
        this.offset = 0;
        this.moment = undefined;
        return timeSeen | seen.zone;
      default:
        this.moment = moment;
        return seen.moment;
    }
  }

  private setDay(days: number): void {
    ({ year: this.year, month: this.month, day: this.day } = civilDate(days));
  }
}
