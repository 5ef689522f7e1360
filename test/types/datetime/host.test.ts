/** Dates and times from and to host values. */
import { describe, expect, test } from "vitest";
import { dateOperations } from "../../../src/types/datetime/date.js";
import { intervalOperations } from "../../../src/types/datetime/interval.js";
import { timeOperations, timetzOperations } from "../../../src/types/datetime/time.js";
import { timestampOperations, timestamptzOperations } from "../../../src/types/datetime/timestamp.js";
import type { TypeOperations } from "../../../src/types/operations.js";
import { sessionIn } from "./cases.js";

const types: Record<string, TypeOperations> = {
  date: dateOperations,
  time: timeOperations,
  timetz: timetzOperations,
  timestamp: timestampOperations,
  timestamptz: timestamptzOperations,
  interval: intervalOperations,
};

/** What a result row shows of a value that a resource delivered. */
function roundTrip(type: string, value: unknown, typmod = -1, zone = "UTC"): unknown {
  const session = sessionIn(zone);
  const held = types[type].fromHost(value, typmod, session);
  return held === undefined ? undefined : types[type].toHost(held, session);
}

describe("values of resources come out as ISO 8601", () => {
  test.each([
    ["timestamptz", "2026-05-16T00:00:00Z", "2026-05-16T00:00:00.000Z"],
    ["timestamptz", "2026-05-16T00:00:00.123Z", "2026-05-16T00:00:00.123Z"],
    ["timestamptz", "2026-05-16T00:00:00.000123Z", "2026-05-16T00:00:00.000123Z"],
    ["timestamptz", "2026-05-16T02:00:00+02:00", "2026-05-16T00:00:00.000Z"],
    ["timestamptz", "2026-05-16 02:00:00+02", "2026-05-16T00:00:00.000Z"],
    ["timestamptz", "2026-05-16T02:00:00", "2026-05-16T02:00:00.000Z"],
    ["timestamptz", "2026-05-16", "2026-05-16T00:00:00.000Z"],
    ["timestamptz", "Mon, 10 Feb 1997 17:32:01 GMT", "1997-02-10T17:32:01.000Z"],
    ["timestamptz", "20260516T020000Z", "2026-05-16T02:00:00.000Z"],
    ["timestamptz", new Date(Date.UTC(2026, 4, 16, 1, 2, 3, 4)), "2026-05-16T01:02:03.004Z"],
    ["timestamptz", new Date(-1), "1969-12-31T23:59:59.999Z"],
    ["timestamptz", "infinity", "infinity"],
    ["timestamptz", "-infinity", "-infinity"],
    ["timestamptz", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["timestamptz", "0044-03-15 10:00:00 BC", "0044-03-15 10:00:00+00 BC"],
    ["timestamptz", "-000043-03-15T10:00:00.000Z", "0044-03-15 10:00:00+00 BC"],
    ["timestamptz", "+012345-06-07T00:00:00Z", "12345-06-07 00:00:00+00"],
    ["timestamp", "2026-05-16T00:00:00", "2026-05-16T00:00:00.000"],
    ["timestamp", "2026-05-16T00:00:00.5", "2026-05-16T00:00:00.500"],
    ["timestamp", "2026-05-16T00:00:00Z", "2026-05-16T00:00:00.000"],
    ["timestamp", "2026-05-16T00:00:00+05:00", "2026-05-16T00:00:00.000"],
    ["timestamp", new Date(Date.UTC(2026, 4, 16)), "2026-05-16T00:00:00.000"],
    ["date", "2026-05-16", "2026-05-16"],
    ["date", "2026-05-16T23:00:00Z", "2026-05-16"],
    ["date", new Date(Date.UTC(2026, 4, 16)), "2026-05-16"],
    ["date", "5874897-12-31", "5874897-12-31"],
    ["date", "+5874897-12-31", "5874897-12-31"],
    ["date", "infinity", "infinity"],
    ["time", "04:05:06.5", "04:05:06.5"],
    ["time", new Date(Date.UTC(2026, 4, 16, 4, 5, 6)), "04:05:06"],
    ["timetz", "04:05:06+02", "04:05:06+02"],
    ["timetz", new Date(Date.UTC(2026, 4, 16, 4, 5, 6)), "04:05:06+00"],
    ["interval", "P1Y2M3DT4H", "1 year 2 mons 3 days 04:00:00"],
    ["interval", "90 minutes", "01:30:00"],
  ])("%s %s is %s", (type, value, shown) => expect(roundTrip(type, value)).toBe(shown));
});

test("values outside the safe integers are bigint, others numbers", () => {
  const session = sessionIn("UTC");
  expect(timestamptzOperations.fromHost("2026-05-16T00:00:00Z", -1, session)).toBe(1_778_889_600_000_000);
  expect(timestamptzOperations.fromHost("9999-12-31T23:59:59.999999Z", -1, session)).toBe(253_402_300_799_999_999n);
  expect(timestamptzOperations.input("-infinity", -1, session)).toBe(Number.NEGATIVE_INFINITY);
});

describe("in a session with another zone", () => {
  test.each([
    ["timestamptz", "2026-05-16T02:00:00", "2026-05-16T06:00:00.000Z"],
    ["timestamptz", "2026-05-16T02:00:00Z", "2026-05-16T02:00:00.000Z"],
    ["timestamp", new Date(Date.UTC(2026, 4, 16)), "2026-05-15T20:00:00.000"],
    ["date", new Date(Date.UTC(2026, 4, 16)), "2026-05-15"],
    ["time", new Date(Date.UTC(2026, 4, 16)), "20:00:00"],
  ])("%s %s is %s", (type, value, shown) => expect(roundTrip(type, value, -1, "America/New_York")).toBe(shown));
});

describe("modifiers round what comes in", () => {
  test.each([
    ["timestamptz", "2026-05-16T00:00:00.5Z", 0, "2026-05-16T00:00:01.000Z"],
    ["timestamptz", new Date(1_499), 0, "1970-01-01T00:00:01.000Z"],
    ["timestamp", "2026-05-16T00:00:00.123456", 4, "2026-05-16T00:00:00.123500"],
    ["time", "23:59:59.9", 0, "24:00:00"],
  ])("%s %s to %i digits is %s", (type, value, typmod, shown) => expect(roundTrip(type, value, typmod)).toBe(shown));
});

describe("values that are none of the type", () => {
  test.each([
    ["timestamptz", 1_778_889_600_000],
    ["timestamptz", "now"],
    ["timestamptz", "tomorrow"],
    ["timestamptz", "2026-02-30T00:00:00Z"],
    ["timestamptz", "soon"],
    ["timestamptz", ""],
    ["timestamptz", new Date(Number.NaN)],
    ["timestamptz", {}],
    ["timestamptz", true],
    ["timestamp", 0],
    ["timestamp", "2026-05-16T25:00:00"],
    ["date", 20_589],
    ["date", "today"],
    ["date", "2026-13-01"],
    ["time", 3600],
    ["time", "now"],
    ["time", "25:00"],
    ["timetz", 3600],
    ["interval", 3600],
    ["interval", "soon"],
  ])("%s refuses %s", (type, value) => expect(roundTrip(type, value)).toBeUndefined());
});
