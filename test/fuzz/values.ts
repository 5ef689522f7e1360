/** Random values of every type, as PostgreSQL's input text. */
import { quote } from "./names.js";
import type { Rng } from "./rng.js";
import type { ValueType } from "./tree.js";

export const enumName = "stage_type";
export const enumLabels = ["new", "Active", "on hold", "done"];

export const castNames: Readonly<Record<ValueType, string>> = {
  int: "integer",
  bigint: "bigint",
  numeric: "numeric",
  float: "double precision",
  bool: "boolean",
  text: "text",
  date: "date",
  ts: "timestamp",
  tstz: "timestamptz",
  interval: "interval",
  jsonb: "jsonb",
  "text[]": "text[]",
  "int[]": "int[]",
  uuid: "uuid",
  enum: enumName,
};

const people = ["Alice", "Bob", "Carol", "dave", "Eve", "Frank", "grace", "Heidi", "Ivan", "Judy"];
const oddTexts = [
  ...[
    "",
    " ",
    "Éva",
    "Zoë",
    "O'Brien",
    "foo bar",
    "FOO",
    "日本語",
    "😀 ok",
    "a_b",
    "100%",
    "back\\slash",
    "two\nlines",
  ],
  ...["NULL", "123", "-5", "3.14", "Straße", "a,b;c", '"quoted"', "  padded  ", "{a}", "tab\there", "éclair", "ZZZ"],
];
const statuses = ["open", "closed", "pending", "in_progress", "blocked"];
const cities = ["Berlin", "Paris", "London", "New York", "São Paulo", "Tokyo"];
const tags = ["red", "blue", "green", "urgent", "bug", "ux", "q4"];
const uuids = [
  "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
  "00000000-0000-0000-0000-000000000000",
  "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "123e4567-e89b-12d3-a456-426614174000",
  "f47ac10b-58cc-4372-a567-0e02b2c3d479",
];

/** No two of these compare equal: a month counts as 30 days, a day as 24 hours. */
export const intervals = [
  ...["1 day", "2 hours 30 minutes", "1 year 2 mons", "-3 days", "00:00:00", "1 mon -1 days", "45 minutes"],
  ...["10 days 04:05:06.789", "3 mons", "-1 years", "00:00:01", "14 days", "2 years"],
];

const two = (n: number): string => String(n).padStart(2, "0");

export function randomDate(r: Rng, wide = false): string {
  if (wide && r.chance(0.3)) {
    return r.pick(["0001-01-01", "9999-12-31", "1970-01-01", "1900-02-28", "1582-10-15", "2100-02-28"]);
  }
  if (r.chance(0.15)) {
    const edges = ["2024-02-29", "2000-02-29", "2023-12-31", "2024-12-31", "2024-01-01", "2020-12-28", "2021-01-03"];
    return r.pick([...edges, "2025-03-30"]);
  }
  return new Date(Date.UTC(2023, 0, 1) + r.int(0, 900) * 86_400_000).toISOString().slice(0, 10);
}

export function randomStamp(r: Rng, wide = false): string {
  const fraction = r.chance(0.8) ? "" : `.${r.pick(["5", "123", "000001", "999999", "25"])}`;
  const time = r.chance(0.2) ? "00:00:00" : `${two(r.int(0, 23))}:${two(r.int(0, 59))}:${two(r.int(0, 59))}${fraction}`;
  return `${randomDate(r, wide)} ${time}`;
}

/** A document of one shape, with parts missing. */
function document(r: Rng): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  if (r.chance(0.85)) made.n = r.chance(0.1) ? null : r.int(-20, 200);
  if (r.chance(0.85)) made.name = r.pick([...people, ...(r.chance(0.3) ? oddTexts : [])]);
  if (r.chance(0.75)) made.tags = r.sample(tags, r.int(0, 3));
  if (r.chance(0.75)) {
    const deep = r.chance(0.3) ? { deep: { k: [1, { z: "q" }, null] } } : {};
    made.meta = { a: r.pick([1, 2.5, -3, 0, 100, 0.1]), ok: r.chance(0.5), ...deep };
  }
  if (r.chance(0.15)) made.x = null;
  return made;
}

/** Any JSON at all. */
function wildJson(r: Rng, depth = 2): unknown {
  switch (r.int(0, depth > 0 ? 7 : 4)) {
    case 0:
      return null;
    case 1:
      return r.chance(0.5);
    case 2:
      return r.pick([0, -1, 1, 42, 3.5, 1e10, -0.25]);
    case 3:
    case 4:
      return r.pick([...people, ...oddTexts]);
    case 5:
      return Array.from({ length: r.int(0, 3) }, () => wildJson(r, depth - 1));
    default: {
      const keys = r.sample(["a", "b", "name", "n", "tags", "meta", "é", ""], r.int(0, 3));
      return Object.fromEntries(keys.map((key) => [key, wildJson(r, depth - 1)]));
    }
  }
}

function arrayText(items: readonly (string | null)[]): string {
  const written = items.map((item) => {
    if (item === null) return "NULL";
    const plain = /^[a-z0-9_]+$/i.test(item) && item.toLowerCase() !== "null";
    return plain ? item : `"${item.replace(/(["\\])/g, "\\$1")}"`;
  });
  return `{${written.join(",")}}`;
}

/** `sub` tells what kind of value: see `makeColumn` of `world.ts`. */
export function randomValue(r: Rng, type: ValueType, sub: string | null = null): string {
  switch (type) {
    case "int":
      if (sub === "small") return String(r.int(0, 10));
      if (sub === "wide") {
        return r.chance(0.3) ? r.pick(["2147483647", "-2147483648", "0", "-1", "1"]) : String(r.int(-100_000, 100_000));
      }
      return String(r.chance(0.1) ? r.pick([0, -1, 1]) : r.int(-1000, 1000));
    case "bigint": {
      const ends = ["9223372036854775807", "-9223372036854775808", "9007199254740993", "-9007199254740993"];
      if (sub === "wide") return r.pick([...ends, "4294967296", "0", "1", "9007199254740992"]);
      return String(r.int(-1_000_000, 1_000_000));
    }
    case "numeric":
      if (sub === "wide") {
        return r.pick(["99999999.99", "-99999999.99", "0.01", "-0.01", "0.00", "1.10", "12345678.91"]);
      }
      if (r.chance(0.1)) return r.pick(["0.00", "0.10", "-0.50", "100.00", "19.99"]);
      return (r.int(-100_000, 1_000_000) / 100).toFixed(2);
    case "float":
      if (sub === "wide") {
        return r.pick(["NaN", "Infinity", "-Infinity", "0", "-0", "1e-7", "123456789.125", "1e+20", "0.1", "-2.5"]);
      }
      return String(r.int(-8000, 80_000) / 8); // eighths: sums do not depend on their order
    case "bool":
      return r.chance(0.5) ? "true" : "false";
    case "text":
      return randomText(r, sub);
    case "date":
      return randomDate(r, sub === "wide");
    case "ts":
      return randomStamp(r);
    case "tstz":
      return `${randomStamp(r, sub === "wide")}+00`;
    case "jsonb":
      return JSON.stringify(sub === "doc" ? document(r) : wildJson(r));
    case "text[]": {
      const odd = oddTexts.filter((text) => !/[\n\t]/.test(text));
      const item = (): string | null => (r.chance(0.06) ? null : r.chance(0.1) ? r.pick(odd) : r.pick(tags));
      return arrayText(Array.from({ length: r.int(0, 4) }, item));
    }
    case "int[]":
      return arrayText(Array.from({ length: r.int(0, 4) }, () => (r.chance(0.06) ? null : String(r.int(-5, 20)))));
    case "interval":
      return r.pick(intervals);
    case "uuid":
      return r.pick(uuids);
    case "enum":
      return r.pick(enumLabels);
  }
}

function randomText(r: Rng, sub: string | null): string {
  switch (sub) {
    case "status":
      return r.pick(statuses);
    case "city":
      return r.pick(cities);
    case "email": {
      const host = r.pick(["example.com", "test.org", "mail.example.com"]);
      return `${r.pick(people).toLowerCase()}${r.int(1, 9)}@${host}`;
    }
    case "code":
      return `${r.pick(["AB", "CX", "ZZ"])}-${r.int(1, 999)}`;
    case "num":
      return String(r.int(-50, 500));
    case "datetext":
      return randomDate(r);
    case "odd":
      return r.chance(0.7) ? r.pick(oddTexts) : r.pick(people);
    default:
      return r.chance(0.2) ? `${r.pick(people)} ${r.pick(["Smith", "Jones", "Lee"])}` : r.pick(people);
  }
}

/** A value as a literal of SQL: numbers and booleans bare, all else quoted without a type. */
export function literalText(type: ValueType, value: string | null): string {
  if (value === null) return "NULL";
  switch (type) {
    case "int":
    case "bigint":
    case "numeric":
      return value;
    case "float":
      return /^-?[\d.]+$/.test(value) ? value : quote(value);
    case "bool":
      return value.toUpperCase();
    default:
      return quote(value);
  }
}
