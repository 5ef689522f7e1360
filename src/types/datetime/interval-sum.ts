/** Adds up the parts of an interval text: fractions flow into smaller units as PostgreSQL does it, every part is checked. */
import type { Interval } from "../value.js";
import { intervalFieldOutOfRange, outOfRange } from "./errors.js";
import { isInt64, normalize, roundHalfEven } from "./int64.js";
import { microsecondsPerDay } from "./timestamp-value.js";

const daysPerMonth = 30;

function isInt32(value: number): boolean {
  return value >= -2_147_483_648 && value <= 2_147_483_647;
}

/** A number of an interval text: `-1.5` is -1 and -0.5. The whole part may be any int64. */
export interface Quantity {
  readonly whole: bigint;
  readonly fraction: number;
}

/** Adds up the quantities of an interval's text. Fields that overflow are refused as they are added, with the text. */
export class IntervalSum {
  private years = 0;
  private months = 0;
  private days = 0;
  private microseconds = 0n;

  constructor(private readonly text: string) {}

  /** `scale` microseconds for each one. */
  addMicroseconds({ whole, fraction }: Quantity, scale: number): void {
    this.microseconds += whole * BigInt(scale);
    this.check(isInt64(this.microseconds));
    this.addFraction(fraction, scale);
  }

  addDays({ whole, fraction }: Quantity, scale: number): void {
    this.days += this.int32(whole) * scale;
    this.check(isInt32(this.days));
    if (scale === 1) this.addFraction(fraction, microsecondsPerDay);
    else this.addDayFraction(fraction, scale);
  }

  addMonths({ whole, fraction }: Quantity): void {
    this.months += this.int32(whole);
    this.check(isInt32(this.months));
    this.addDayFraction(fraction, daysPerMonth);
  }

  /** Units of `scale` years; a fraction becomes months. */
  addYears({ whole, fraction }: Quantity, scale: number): void {
    this.years += this.int32(whole) * scale;
    this.check(isInt32(this.years));
    this.months += roundHalfEven(fraction * scale * 12);
    this.check(isInt32(this.months));
  }

  negate(): void {
    this.years = -this.years;
    this.months = -this.months;
    this.days = -this.days;
    this.microseconds = -this.microseconds;
    this.check(isInt64(this.microseconds));
  }

  /** @throws SqlError 22008 when years and months together are too many */
  result(): Interval {
    const months = this.years * 12 + this.months;
    if (!isInt32(months)) throw outOfRange("interval");
    return { months: months + 0, days: this.days + 0, microseconds: normalize(this.microseconds) };
  }

  private addDayFraction(fraction: number, scale: number): void {
    if (fraction === 0) return;
    const exact = fraction * scale;
    const whole = Math.trunc(exact);
    this.days += whole;
    this.check(isInt32(this.days));
    this.addFraction(exact - whole, microsecondsPerDay);
  }

  private addFraction(fraction: number, scale: number): void {
    if (fraction === 0) return;
    const exact = fraction * scale;
    const whole = Math.trunc(exact);
    const rest = exact - whole;
    this.microseconds += BigInt(whole + (rest > 0.5 ? 1 : rest < -0.5 ? -1 : 0));
    this.check(isInt64(this.microseconds));
  }

  private int32(value: bigint): number {
    this.check(value <= 2_147_483_647n && value >= -2_147_483_648n);
    return Number(value);
  }

  private check(fits: boolean): void {
    if (!fits) throw intervalFieldOutOfRange(this.text);
  }
}
