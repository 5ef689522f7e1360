/**
 * Reads the text of a time of day, with or without a zone; a date may stand before it and then decides which offset
 * the zone has.
 * Source: PostgreSQL 15, 8.5.1.2 "Times", and the answers of a server.
 */
import type { TypeContext } from "../operations.js";
import { civilDate, dayNumber } from "./calendar.js";
import { dateSeen, seen, timeSeen } from "./field-reader.js";
import { dateWord, type Moment } from "./keywords.js";
import { localNow, WordReader } from "./read-datetime.js";
import { isDigit, splitFields, type TextField } from "./text-fields.js";
import { findAbbreviation, findZone } from "./zone.js";

/** A time of day as read, and the offset (seconds east) that it was given in or has in the session's zone. */
export interface ReadTime {
  readonly microseconds: number;
  readonly offset: number;
}

/** @throws SqlError 22007, 22008, 22009, 22023 */
export function readTimeOfDay(text: string, typeName: string, context: TypeContext): ReadTime {
  const fields = splitFields(text);
  const reader = new TimeReader(text, typeName, context);
  if (fields === undefined) throw reader.badFormat();
  return reader.read(fields);
}

class TimeReader extends WordReader {
  read(fields: readonly TextField[]): ReadTime {
    for (let i = 0; i < fields.length; i++) this.readField(fields, i);
    this.validateDate();
    this.applyMeridiem();
    if (this.timeOverflows()) throw this.overflow();
    if ((this.mask & timeSeen) !== timeSeen) throw this.badFormat();
    const microseconds = this.timeOfDay();
    return { microseconds, offset: this.offsetFor(microseconds) };
  }

  private offsetFor(microseconds: number): number {
    if ((this.mask & dateSeen) === dateSeen)
      return this.resolveOffset(dayNumber(this.year, this.month, this.day), microseconds);
    // A named zone without a date has an offset only when it never changes; otherwise today decides.
    if (this.namedZone !== undefined && this.namedZone.fixedOffset === undefined) throw this.badFormat();
    const zoneGiven = (this.mask & seen.zone) !== 0 && this.changingAbbreviation === undefined;
    if (!zoneGiven && (this.mask & dateSeen) !== 0) throw this.badFormat(); // half a date decides nothing
    return this.resolveOffset(localNow(this.context).days, microseconds);
  }

  private readField(fields: readonly TextField[], i: number): void {
    const { kind, text } = fields[i];
    switch (kind) {
      case "date":
        this.add(this.readJoined(fields, i));
        return;
      case "time":
        this.takeTimePrefix();
        this.readTime(text);
        this.add(timeSeen);
        return;
      case "zone":
        this.offset = this.readOffset(text);
        this.add(seen.zone);
        return;
      case "number":
        this.add(this.readSingle(fields, i));
        return;
      default:
        this.readWord(text, fields[i + 1]);
    }
  }

  private readJoined(fields: readonly TextField[], i: number): number {
    const { text } = fields[i];
    const dateFirst =
      i === 0 && fields.length >= 2 && (fields[fields.length - 1].kind === "date" || fields[1].kind === "time");
    if (dateFirst && this.prefix === undefined) return this.readDate(text);
    this.prefix = undefined;
    if (isDigit(text.charCodeAt(0))) return this.readTimeWithOffset(text, this.mask | dateSeen);
    this.useNamedZone(text);
    return seen.zone;
  }

  private readSingle(fields: readonly TextField[], i: number): number {
    const { text } = fields[i];
    if (this.prefix !== undefined) {
      const bits = this.readPrefixed(text, this.prefix);
      this.prefix = undefined;
      return bits;
    }
    const point = text.indexOf(".");
    if (point !== -1) {
      if (i === 0 && fields.length >= 2 && fields[fields.length - 1].kind === "date") return this.readDate(text);
      if (point > 2) return this.readDigits(text, this.mask | dateSeen);
      throw this.badFormat();
    }
    if (text.length > 4) return this.readDigits(text, this.mask | dateSeen);
    return this.readNumber(text, false, this.mask | dateSeen);
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
      this.checkIsoTime(next);
      return;
    }
    const bits = word.kind === "moment" ? this.readMoment(word.moment) : this.useCommonWord(word);
    if (bits === undefined || word.kind === "month" || word.kind === "weekday") throw this.badFormat();
    this.add(bits);
  }

  private readMoment(moment: Moment): number {
    if (moment === "now") {
      const now = localNow(this.context);
      ({ year: this.year, month: this.month, day: this.day } = civilDate(now.days));
      this.setTimeOfDay(now.microseconds);
      this.offset = now.offset;
      return timeSeen | seen.zone;
    }
    if (moment !== "allballs") throw this.badFormat();
    this.setTimeOfDay(0);
    this.offset = 0;
    return timeSeen | seen.zone;
  }
}
