/**
 * Reads ISO 8601 durations: with designators (`P1Y2M3DT4H5M6.5S`, `P1W`) and in the alternative form
 * (`P0001-02-03T04:05:06`, `P00010203T040506`).
 * Source: PostgreSQL 15, 8.5.4 "Interval Input", and the answers of a server.
 */
import type { Interval } from "../value.js";
import { intervalFieldOutOfRange, invalidDateTime } from "./errors.js";
import { IntervalSum, type Quantity } from "./interval-sum.js";
import { isDigit } from "./text-fields.js";
import { microsecondsPerHour, microsecondsPerMinute, microsecondsPerSecond } from "./timestamp-value.js";

/** @throws SqlError 22007, 22015 */
export function readIsoInterval(text: string): Interval {
  return new IsoIntervalReader(text).read();
}

class IsoIntervalReader {
  private at = 1;
  private readonly sum: IntervalSum;
  private datePart = true;
  private haveField = false;

  constructor(private readonly text: string) {
    this.sum = new IntervalSum(text);
  }

  read(): Interval {
    if (this.text.length < 2) throw this.badFormat();
    while (this.at < this.text.length) {
      if (this.text[this.at] === "T") {
        this.at++;
        this.startTime();
        continue;
      }
      const start = this.at;
      const quantity = this.number();
      const unit = this.text[this.at++] ?? "";
      const finished = this.datePart
        ? this.readDateField(start, quantity, unit)
        : this.readTimeField(start, quantity, unit);
      if (finished) break;
    }
    return this.sum.result();
  }

  private startTime(): void {
    this.datePart = false;
    this.haveField = false;
  }

  /** Whether the text is at its end. */
  private readDateField(start: number, quantity: Quantity, unit: string): boolean {
    switch (unit) {
      case "Y":
        this.sum.addYears(quantity, 1);
        break;
      case "M":
        this.sum.addMonths(quantity);
        break;
      case "W":
        this.sum.addDays(quantity, 7);
        break;
      case "D":
        this.sum.addDays(quantity, 1);
        break;
      case "T":
      case "":
        if (this.digitsAt(start) === 8 && !this.haveField) {
          const { whole, fraction } = quantity;
          this.sum.addYears(exactly(whole / 10_000n), 1);
          this.sum.addMonths(exactly((whole / 100n) % 100n));
          this.sum.addDays({ whole: whole % 100n, fraction }, 1);
          return this.afterDate(unit);
        }
        return this.readExtendedDate(quantity, unit);
      case "-":
        return this.readExtendedDate(quantity, unit);
      default:
        throw this.badFormat();
    }
    this.haveField = true;
    return false;
  }

  /** `0001-02-03`, where the rest may be left out. */
  private readExtendedDate(years: Quantity, unit: string): boolean {
    if (this.haveField) throw this.badFormat();
    this.sum.addYears(years, 1);
    if (unit !== "-") return this.afterDate(unit);
    this.sum.addMonths(this.number());
    const next = this.text[this.at++] ?? "";
    if (next !== "-") return this.afterDate(next);
    this.sum.addDays(this.number(), 1);
    return this.afterDate(this.text[this.at++] ?? "");
  }

  private afterDate(next: string): boolean {
    if (next === "") return true;
    if (next !== "T") throw this.badFormat();
    this.startTime();
    return false;
  }

  private readTimeField(start: number, quantity: Quantity, unit: string): boolean {
    switch (unit) {
      case "H":
        this.sum.addMicroseconds(quantity, microsecondsPerHour);
        break;
      case "M":
        this.sum.addMicroseconds(quantity, microsecondsPerMinute);
        break;
      case "S":
        this.sum.addMicroseconds(quantity, microsecondsPerSecond);
        break;
      case "":
        if (this.digitsAt(start) === 6 && !this.haveField) {
          const { whole, fraction } = quantity;
          this.sum.addMicroseconds(exactly(whole / 10_000n), microsecondsPerHour);
          this.sum.addMicroseconds(exactly((whole / 100n) % 100n), microsecondsPerMinute);
          this.sum.addMicroseconds(exactly(whole % 100n), microsecondsPerSecond);
          this.sum.addMicroseconds({ whole: 0n, fraction }, 1);
          return true;
        }
        return this.readExtendedTime(quantity, unit);
      case ":":
        return this.readExtendedTime(quantity, unit);
      default:
        throw this.badFormat();
    }
    this.haveField = true;
    return false;
  }

  /** `04:05:06`, where the rest may be left out. */
  private readExtendedTime(hours: Quantity, unit: string): boolean {
    if (this.haveField) throw this.badFormat();
    this.sum.addMicroseconds(hours, microsecondsPerHour);
    if (unit === "") return true;
    this.sum.addMicroseconds(this.number(), microsecondsPerMinute);
    if (this.at >= this.text.length) return true;
    if (this.text[this.at++] !== ":") throw this.badFormat();
    this.sum.addMicroseconds(this.number(), microsecondsPerSecond);
    if (this.at < this.text.length) throw this.badFormat();
    return true;
  }

  /** A number with optional sign, fraction and exponent. */
  private number(): Quantity {
    const start = this.at;
    const code = this.text.charCodeAt(start);
    if (!isDigit(code) && code !== 45 && code !== 46) throw this.badFormat();
    if (code === 45) this.at++;
    const digitsFrom = this.at;
    this.skipDigits();
    let digits = this.at - digitsFrom;
    if (this.text[this.at] === ".") {
      this.at++;
      const fractionFrom = this.at;
      this.skipDigits();
      digits += this.at - fractionFrom;
    }
    if (digits === 0) throw this.badFormat();
    this.skipExponent();
    const value = Number(this.text.slice(start, this.at));
    if (!(value >= -1e15 && value <= 1e15)) throw intervalFieldOutOfRange(this.text);
    const whole = Math.trunc(value);
    return { whole: BigInt(whole), fraction: value - whole };
  }

  private skipDigits(): void {
    while (isDigit(this.text.charCodeAt(this.at))) this.at++;
  }

  private skipExponent(): void {
    const letter = this.text[this.at];
    if (letter !== "e" && letter !== "E") return;
    let from = this.at + 1;
    if (this.text[from] === "+" || this.text[from] === "-") from++;
    if (!isDigit(this.text.charCodeAt(from))) return;
    this.at = from;
    this.skipDigits();
  }

  private digitsAt(start: number): number {
    let at = this.text[start] === "-" ? start + 1 : start;
    const from = at;
    while (isDigit(this.text.charCodeAt(at))) at++;
    return at - from;
  }

  private badFormat() {
    return invalidDateTime("interval", this.text);
  }
}

function exactly(whole: bigint): Quantity {
  return { whole, fraction: 0 };
}
