/**
 * Zones described as POSIX does: `UTC+3` (three hours WEST of Greenwich), `<+03>-3`, `EST5EDT4,M3.2.0,M11.1.0`.
 * Source: PostgreSQL 15, appendix B.5 "POSIX Time Zone Specifications".
 */

import { civilDate, dayNumber, dayOfWeek, daysInMonth, isLeapYear } from "./calendar.js";
import { zoneWithoutRule } from "./errors.js";
import type { Zone } from "./zone.js";

/** When in a year summer time begins or ends; `seconds` counts from local midnight. */
type Rule =
  | { readonly kind: "month"; readonly month: number; readonly week: number; readonly weekday: number; seconds: number }
  | { readonly kind: "day"; readonly day: number; readonly leapDays: boolean; seconds: number };

/** The zone described, or `undefined` when the text is no description. */
export function posixZone(text: string): Zone | undefined {
  const reader = new PosixReader(text);
  const standard = reader.abbreviation();
  if (standard === undefined) return undefined;
  const west = reader.time(167);
  if (west === undefined) return undefined;
  const standardOffset = 0 - west;
  if (reader.atEnd()) {
    return {
      name: text,
      fixedOffset: standardOffset,
      offsetAt: () => standardOffset,
      offsetOfLocal: () => standardOffset,
      abbreviationAt: () => standard.toUpperCase(),
    };
  }
  const daylight = reader.abbreviation();
  if (daylight === undefined || daylight === "") return undefined;
  let daylightOffset = standardOffset + 3600;
  if (!reader.atEnd() && !reader.atComma()) {
    const given = reader.time(167);
    if (given === undefined) return undefined;
    daylightOffset = 0 - given;
  }
  if (reader.atEnd()) throw zoneWithoutRule(text);
  const start = reader.rule();
  const end = reader.rule();
  if (start === undefined || end === undefined || !reader.atEnd()) return undefined;
  const names = [standard.toUpperCase(), daylight.toUpperCase()] as const;
  return new PosixZone(text, names, standardOffset, daylightOffset, start, end);
}

class PosixReader {
  private at = 0;

  constructor(private readonly text: string) {}

  atEnd(): boolean {
    return this.at >= this.text.length;
  }

  atComma(): boolean {
    return this.text[this.at] === ",";
  }

  /** Letters up to a digit, a sign or a comma, or anything between `<` and `>`. */
  abbreviation(): string | undefined {
    if (this.text[this.at] === "<") {
      const end = this.text.indexOf(">", this.at);
      if (end === -1) return undefined;
      const name = this.text.slice(this.at + 1, end);
      this.at = end + 1;
      return name;
    }
    const start = this.at;
    while (!this.atEnd() && !this.digit() && !"+-,".includes(this.text[this.at])) this.at++;
    return this.text.slice(start, this.at);
  }

  /** `[+-]h[h][:mm[:ss]]` in seconds. */
  time(maxHours: number): number | undefined {
    let sign = 1;
    if (this.text[this.at] === "-") {
      sign = -1;
      this.at++;
    } else if (this.text[this.at] === "+") this.at++;
    const hours = this.number(0, maxHours);
    if (hours === undefined) return undefined;
    let seconds = hours * 3600;
    for (const unit of [60, 1]) {
      if (this.text[this.at] !== ":") break;
      this.at++;
      const part = this.number(0, unit === 1 ? 60 : 59);
      if (part === undefined) return undefined;
      seconds += part * unit;
    }
    return sign * seconds + 0;
  }

  /** `,M3.2.0/2`, `,J60`, `,59`. */
  rule(): Rule | undefined {
    if (!this.atComma()) return undefined;
    this.at++;
    let rule: Rule | undefined;
    if (this.text[this.at] === "M") {
      this.at++;
      const month = this.number(1, 12);
      const week = this.dotted(1, 5);
      const weekday = this.dotted(0, 6);
      if (month === undefined || week === undefined || weekday === undefined) return undefined;
      rule = { kind: "month", month, week, weekday, seconds: 7200 };
    } else {
      const julian = this.text[this.at] === "J";
      if (julian) this.at++;
      const day = this.number(julian ? 1 : 0, 365);
      if (day === undefined) return undefined;
      rule = { kind: "day", day: julian ? day - 1 : day, leapDays: !julian, seconds: 7200 };
    }
    if (this.text[this.at] === "/") {
      this.at++;
      const seconds = this.time(167);
      if (seconds === undefined) return undefined;
      rule.seconds = seconds;
    }
    return rule;
  }

  private dotted(min: number, max: number): number | undefined {
    if (this.text[this.at] !== ".") return undefined;
    this.at++;
    return this.number(min, max);
  }

  private digit(): boolean {
    const code = this.text.charCodeAt(this.at);
    return code >= 48 && code <= 57;
  }

  private number(min: number, max: number): number | undefined {
    if (!this.digit()) return undefined;
    let value = 0;
    while (this.digit()) {
      value = value * 10 + this.text.charCodeAt(this.at++) - 48;
      if (value > max) return undefined;
    }
    return value >= min ? value : undefined;
  }
}

class PosixZone implements Zone {
  constructor(
    readonly name: string,
    private readonly names: readonly [standard: string, daylight: string],
    private readonly standard: number,
    private readonly daylight: number,
    private readonly start: Rule,
    private readonly end: Rule,
  ) {}

  offsetAt(utcSeconds: number): number {
    const year = civilDate(Math.floor((utcSeconds + this.standard) / 86_400)).year;
    const start = secondsOfRule(this.start, year) - this.standard;
    const end = secondsOfRule(this.end, year) - this.daylight;
    const summer = start < end ? utcSeconds >= start && utcSeconds < end : utcSeconds >= start || utcSeconds < end;
    return summer ? this.daylight : this.standard;
  }

  abbreviationAt(utcSeconds: number): string {
    return this.names[this.offsetAt(utcSeconds) === this.standard ? 0 : 1];
  }

  offsetOfLocal(localSeconds: number): number {
    const before = this.offsetAt(localSeconds - 86_400);
    const asBefore = localSeconds - before;
    const after = before === this.standard ? this.daylight : this.standard;
    const asAfter = localSeconds - after;
    const beforeHolds = this.offsetAt(asBefore) === before;
    const afterHolds = this.offsetAt(asAfter) === after;
    if (beforeHolds !== afterHolds) return beforeHolds ? before : after;
    return asBefore > asAfter ? before : after;
  }
}

/** Local second, counted from 1970, at which a rule applies in a year. */
function secondsOfRule(rule: Rule, year: number): number {
  if (rule.kind === "day") {
    const leap = !rule.leapDays && isLeapYear(year) && rule.day >= 59 ? 1 : 0;
    return (dayNumber(year, 1, 1) + rule.day + leap) * 86_400 + rule.seconds;
  }
  const first = dayNumber(year, rule.month, 1);
  let day = first + ((rule.weekday - dayOfWeek(first) + 7) % 7) + (rule.week - 1) * 7;
  if (day >= first + daysInMonth(year, rule.month)) day -= 7;
  return day * 86_400 + rule.seconds;
}
