/**
 * Reads what PostgreSQL prints (and what a JavaScript program holds instead) into forms that can be compared by value:
 * decimal numbers, moments, intervals, arrays.
 */

/** `digits` without zeros at either end, times ten to the `exponent`; zero is "0". Also `nan`, `inf`, `-inf`. */
export function decimalForm(text: string): string | undefined {
  const word = text.trim().toLowerCase().replace(/^\+/, "").replace("infinity", "inf");
  if (word === "nan" || word === "inf" || word === "-inf") return word;
  const match = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/.exec(word);
  if (match === null) return undefined;
  const [, sign, whole, fraction = "", power = "0"] = match;
  if (whole === "" && fraction === "") return undefined;
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return "0";
  return `${sign === "-" ? "-" : ""}${kept}e${Number(power) - fraction.length + digits.length - kept.length}`;
}

/** A number as a double; `undefined` for a text that is none. */
export function toDouble(text: string): number | undefined {
  const word = text.trim().toLowerCase();
  if (word === "nan") return Number.NaN;
  if (/^\+?inf(inity)?$/.test(word)) return Number.POSITIVE_INFINITY;
  if (/^-inf(inity)?$/.test(word)) return Number.NEGATIVE_INFINITY;
  return word === "" || Number.isNaN(Number(word)) ? undefined : Number(word);
}

const tolerance = 1e-9;

/** Equal to nine digits (absolutely so below one): sums of doubles depend on the order of the rows. */
export function isClose(a: number, b: number, relative = tolerance): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  if (a === b) return true;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= relative * Math.max(1, Math.abs(a), Math.abs(b));
}

/** ISO 8601 writes years beyond four digits with a sign, and 1 BC as year 0. */
const moment =
  /^(\d{4,6}|[-+]\d{6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s*(Z|[-+]\d\d(?::?\d\d)?(?::?\d\d)?)?( BC)?$/i;

/** Microseconds since 1970, or `infinity` and `-infinity` as they are; `undefined` for what is no moment. */
export function microseconds(text: string, zoned: boolean): bigint | string | undefined {
  if (/^-?infinity$/.test(text)) return text;
  const match = moment.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone, era] = match;
  const days = daysSince1970(era === undefined ? Number(year) : 1 - Number(year), Number(month), Number(day));
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const local = BigInt(days * 86_400 + clock) * 1_000_000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
  if (!zoned || zone === undefined || zone.toUpperCase() === "Z") return local;
  const digits = zone.slice(1).replaceAll(":", "").padEnd(6, "0");
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4, 6));
  const offset = BigInt(seconds) * 1_000_000n;
  return zone[0] === "-" ? local + offset : local - offset;
}

/** PostgreSQL's years reach beyond those of Date. The Gregorian calendar repeats after 400 years, which are 146,097 days. */
function daysSince1970(year: number, month: number, day: number): number {
  const cycles = Math.floor((year - 1970) / 400);
  return cycles * 146_097 + Date.UTC(year - cycles * 400, month - 1, day) / 86_400_000;
}

export interface IntervalParts {
  readonly months: number;
  readonly days: number;
  readonly microseconds: number;
}

const unitLengths: readonly [RegExp, keyof IntervalParts, number][] = [
  [/^y/, "months", 12],
  [/^mo/, "months", 1],
  [/^w/, "days", 7],
  [/^d/, "days", 1],
  [/^h/, "microseconds", 3.6e9],
  [/^(millisecond|ms)/, "microseconds", 1e3],
  [/^m/, "microseconds", 6e7],
  [/^s/, "microseconds", 1e6],
];

/** An interval in PostgreSQL's form, in ISO 8601's, or as an object of units. */
export function intervalParts(value: unknown): IntervalParts | undefined {
  if (typeof value === "object" && value !== null) return intervalOfObject(value as Record<string, unknown>);
  const text = String(value).trim();
  return isoInterval(text) ?? postgresInterval(text);
}

function intervalOfObject(units: Record<string, unknown>): IntervalParts | undefined {
  const of = (name: string): number => Number(units[name] ?? 0);
  const parts = {
    months: of("years") * 12 + of("months"),
    days: of("days") + of("weeks") * 7,
    microseconds: Math.round(
      of("hours") * 3.6e9 + of("minutes") * 6e7 + of("seconds") * 1e6 + of("milliseconds") * 1e3 + of("microseconds"),
    ),
  };
  return Number.isFinite(parts.months + parts.days + parts.microseconds) ? parts : undefined;
}

function isoInterval(text: string): IntervalParts | undefined {
  const match =
    /^(-)?P(?:(-?[\d.]+)Y)?(?:(-?[\d.]+)M)?(?:(-?[\d.]+)W)?(?:(-?[\d.]+)D)?(?:T(?:(-?[\d.]+)H)?(?:(-?[\d.]+)M)?(?:(-?[\d.]+)S)?)?$/.exec(
      text,
    );
  if (match === null) return undefined;
  const sign = match[1] === undefined ? 1 : -1;
  const of = (group: number): number => sign * Number(match[group] ?? 0);
  return {
    months: of(2) * 12 + of(3),
    days: of(4) * 7 + of(5),
    microseconds: Math.round(of(6) * 3.6e9 + of(7) * 6e7 + of(8) * 1e6),
  };
}

function postgresInterval(text: string): IntervalParts | undefined {
  const parts = { months: 0, days: 0, microseconds: 0 };
  let found = false;
  const withoutUnits = text.replace(
    /([-+]?\d+(?:\.\d+)?)\s*(years?|mons?|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|milliseconds?|ms)\b/g,
    (_, amount: string, unit: string) => {
      const entry = unitLengths.find(([pattern]) => pattern.test(unit));
      if (entry === undefined) return unit;
      parts[entry[1]] += Number(amount) * entry[2];
      found = true;
      return " ";
    },
  );
  const rest = withoutUnits.replace(
    /([-+]?)(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?/,
    (_, sign: string, hours: string, minutes: string, seconds: string | undefined) => {
      const length = Number(hours) * 3.6e9 + Number(minutes) * 6e7 + Number(seconds ?? 0) * 1e6;
      parts.microseconds += sign === "-" ? -length : length;
      found = true;
      return " ";
    },
  );
  if (!found || rest.trim() !== "") return undefined;
  return { ...parts, microseconds: Math.round(parts.microseconds) };
}

/** Its length with 30 days a month, as ORDER BY sees it. */
export function intervalLength(parts: IntervalParts): number {
  return (parts.months * 30 + parts.days) * 864e8 + parts.microseconds;
}

export type ArrayItem = string | null | ArrayItem[];

/** The elements of an array in PostgreSQL's text form, bounds left out; `undefined` for what is no array. */
export function arrayElements(text: string): ArrayItem[] | undefined {
  let at = text[0] === "[" ? text.indexOf("=") + 1 : 0;
  if (text[at] !== "{") return undefined;

  function list(): ArrayItem[] | undefined {
    const items: ArrayItem[] = [];
    at++;
    if (text[at] === "}") {
      at++;
      return items;
    }
    for (;;) {
      const item = text[at] === "{" ? list() : text[at] === '"' ? quoted() : bare();
      if (item === undefined) return undefined;
      items.push(item);
      if (at >= text.length) return undefined;
      if (text[at++] === "}") return items;
    }
  }

  function quoted(): string | undefined {
    let value = "";
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === "\\") at++;
      value += text[at];
    }
    at++;
    return at > text.length ? undefined : value;
  }

  function bare(): string | null {
    let value = "";
    for (; at < text.length && text[at] !== "," && text[at] !== "}"; at++) {
      if (text[at] === "\\") at++;
      value += text[at];
    }
    return value.toUpperCase() === "NULL" ? null : value;
  }

  return list();
}
