/**
 * Reads the text of an interval: `1 year 2 mons`, `@ 1 minute ago`, SQL's `1-2 3 4:05:06`, and with the help of
 * `read-iso-interval.ts` ISO 8601's `P1Y2M`.
 * Source: PostgreSQL 15, 8.5.4 "Interval Input", and the answers of a server.
 */
import type { Interval } from "../value.js";
import { intervalFieldOutOfRange, invalidDateTime } from "./errors.js";
import { leadingInteger } from "./field-reader.js";
import { isInt64, roundHalfEven } from "./int64.js";
import { intervalField } from "./interval-modifier.js";
import { IntervalSum } from "./interval-sum.js";
import { type IntervalWord, intervalWord, type Unit } from "./keywords.js";
import { readIsoInterval } from "./read-iso-interval.js";
import { isDigit, splitFields, type TextField } from "./text-fields.js";
import { microsecondsPerHour, microsecondsPerMinute, microsecondsPerSecond } from "./timestamp-value.js";

/** The interval that a text means; `range` are the fields its type keeps. @throws SqlError 22007, 22015, 22008 */
export function readInterval(text: string, range: number): Interval {
  if (text.startsWith("P")) return readIsoInterval(text);
  const fields = splitFields(text);
  if (fields === undefined) throw invalidDateTime("interval", text);
  return new IntervalReader(text, range).read(fields);
}

/** Units that were given, as bits: each may be given once. */
const unitBit: Partial<Record<Unit, number>> = {
  microsecond: 1 << 0,
  millisecond: 1 << 1,
  second: 1 << 2,
  minute: 1 << 3,
  hour: 1 << 4,
  day: 1 << 5,
  week: 1 << 6,
  month: 1 << 7,
  year: 1 << 8,
  decade: 1 << 9,
  century: 1 << 10,
  millennium: 1 << 11,
};
const allSeconds = (1 << 0) | (1 << 1) | (1 << 2);
const clockBits = allSeconds | (1 << 3) | (1 << 4);

const { year, month, day, hour, minute, second } = intervalField;
/** The unit of a last number without one, by the fields that the type keeps. */
const unitOfRange: ReadonlyMap<number, Unit> = new Map([
  [year, "year"],
  [month, "month"],
  [year | month, "month"],
  [day, "day"],
  [hour, "hour"],
  [day | hour, "hour"],
  [minute, "minute"],
  [hour | minute, "minute"],
  [day | hour | minute, "minute"],
]);

class IntervalReader {
  private readonly sum: IntervalSum;
  private given = 0;
  /** Unit of the number that stands before what was read last; texts are read from the end. */
  private unit: IntervalWord | undefined;

  constructor(
    private readonly text: string,
    private readonly range: number,
  ) {
    this.sum = new IntervalSum(text);
  }

  read(fields: readonly TextField[]): Interval {
    let ago = false;
    for (let i = fields.length - 1; i >= 0; i--) {
      const { kind, text } = fields[i];
      if (kind === "word" || kind === "signedWord") {
        const word = intervalWord(text);
        if (word === "ignored") continue;
        if (word === undefined) throw this.badFormat();
        if (word === "ago") ago = true;
        this.unit = word;
        continue;
      }
      this.readQuantity(kind, text);
    }
    if (this.given === 0) throw this.badFormat();
    if (ago) this.sum.negate();
    return this.sum.result();
  }

  private readQuantity(kind: TextField["kind"], text: string): void {
    if (kind === "time" || (kind === "zone" && text.includes(":") && this.isClock(text))) {
      const signed = kind === "zone";
      const microseconds = this.readClock(signed ? text.slice(1) : text, signed);
      this.add(clockBits);
      const negative = signed && text.startsWith("-");
      this.sum.addMicroseconds({ whole: negative ? -microseconds : microseconds, fraction: 0 }, 1);
      this.unit = "day";
      return;
    }
    this.unit ??= unitOfRange.get(this.range) ?? "second";
    const { whole, fraction } = this.readNumber(text);
    this.addUnit(whole, fraction);
  }

  /** `12`, `-1.5`, or SQL's years and months `1-2`, which sets the unit. */
  private readNumber(text: string): { whole: bigint; fraction: number } {
    let end = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    while (isDigit(text.charCodeAt(end))) end++;
    const digits = text.slice(text.startsWith("+") ? 1 : 0, end);
    const whole = digits === "" || digits === "-" ? 0n : BigInt(digits);
    if (!isInt64(whole)) throw this.overflow();
    const negative = text.startsWith("-");
    if (text[end] === "-") {
      const months = leadingInteger(text, end + 1);
      if (months.value < 0 || months.value >= 12) throw this.overflow();
      if (months.end < text.length) throw this.badFormat();
      this.unit = "month";
      const total = whole * 12n + BigInt(negative ? -months.value : months.value);
      if (!isInt64(total)) throw this.overflow();
      return { whole: total, fraction: 0 };
    }
    if (end === text.length) return { whole, fraction: 0 };
    if (text[end] !== ".") throw this.badFormat();
    for (let i = end + 1; i < text.length; i++) if (!isDigit(text.charCodeAt(i))) throw this.badFormat();
    const fraction = end + 1 === text.length ? 0 : Number(`0${text.slice(end)}`);
    return { whole, fraction: negative ? -fraction : fraction };
  }

  private addUnit(whole: bigint, fraction: number): void {
    const unit = this.unit;
    const bit = unit === undefined || unit === "ago" || unit === "ignored" ? undefined : unitBit[unit];
    if (bit === undefined) throw this.badFormat();
    const quantity = { whole, fraction };
    switch (unit) {
      case "microsecond":
        this.sum.addMicroseconds(quantity, 1);
        break;
      case "millisecond":
        this.sum.addMicroseconds(quantity, 1000);
        break;
      case "second":
        this.sum.addMicroseconds(quantity, microsecondsPerSecond);
        break;
      case "minute":
        this.sum.addMicroseconds(quantity, microsecondsPerMinute);
        break;
      case "hour":
        this.sum.addMicroseconds(quantity, microsecondsPerHour);
        this.unit = "day";
        break;
      case "day":
        this.sum.addDays(quantity, 1);
        break;
      case "week":
        this.sum.addDays(quantity, 7);
        break;
      case "month":
        this.sum.addMonths(quantity);
        break;
      case "year":
        this.sum.addYears(quantity, 1);
        break;
      case "decade":
        this.sum.addYears(quantity, 10);
        break;
      case "century":
        this.sum.addYears(quantity, 100);
        break;
      default:
        this.sum.addYears(quantity, 1000);
    }
    // Seconds with a fraction are milliseconds and microseconds as well.
    this.add(unit === "second" && fraction !== 0 ? allSeconds : bit);
  }

  private add(bits: number): void {
    if ((this.given & bits) !== 0) throw this.badFormat();
    this.given |= bits;
  }

  /** Whether a signed field is a time of the clock; `+1.5:00` is not. */
  private isClock(text: string): boolean {
    let colons = 0;
    for (let i = 1; i < text.length; i++) {
      if (text[i] === ":") colons++;
      else if (text[i] === "-") return false;
    }
    return colons <= 2;
  }

  /** `hh:mm[:ss[.fff]]`, `mm:ss.fff`; two parts are minutes and seconds where the type keeps only those. */
  private readClock(text: string, signed: boolean): bigint {
    const parts = text.split(":");
    let [hours, minutes, seconds] = [parts[0], parts[1], parts[2] ?? "0"];
    if (parts.length < 2 || parts.length > 3) throw this.badFormat();
    if (parts.length === 2 && (minutes.includes(".") || this.range === (minute | second)))
      [hours, minutes, seconds] = ["0", parts[0], parts[1]];
    const point = seconds.indexOf(".");
    const wholeSeconds = point === -1 ? seconds : seconds.slice(0, point);
    const fraction = point === -1 ? "" : seconds.slice(point);
    for (const digits of [hours, minutes, wholeSeconds, fraction.slice(1)])
      for (let i = 0; i < digits.length; i++) if (!isDigit(digits.charCodeAt(i))) throw this.badFormat();
    if (hours.length === 0 && parts.length === 3) throw this.badFormat();
    const hour = BigInt(hours === "" ? 0 : hours);
    const m = Number(minutes);
    const s = Number(wholeSeconds);
    // PostgreSQL reads a signed clock that does not fit as a number, which it is not either.
    const tooLarge = signed ? this.badFormat() : this.overflow();
    if (m > 59 || s > 60 || !isInt64(hour)) throw tooLarge;
    const micros = fraction.length > 1 ? roundHalfEven(Number(`0${fraction}`) * 1_000_000) : 0;
    const total = hour * BigInt(microsecondsPerHour) + BigInt((m * 60 + s) * microsecondsPerSecond + micros);
    if (!isInt64(total)) throw tooLarge;
    return total;
  }

  private badFormat() {
    return invalidDateTime("interval", this.text);
  }

  private overflow() {
    return intervalFieldOutOfRange(this.text);
  }
}
