/** Functions of the moment: one clock, shown in the session's zone. */
import { expect, test } from "vitest";
import { currentFunctions } from "../../../src/functions/datetime/current.js";
import { answer, sessionIn } from "../../types/datetime/cases.js";

// The moment of the cases' session: 2026-05-28 20:26:40.123456 UTC.
test("the moment that the answers below are made from", () => {
  expect(new Date(sessionIn("UTC").nowMicroseconds / 1000).toISOString()).toBe("2026-05-28T20:26:40.123Z");
});

test.each([
  ["now", "UTC", "2026-05-28 20:26:40.123456+00"],
  ["now", "Asia/Tokyo", "2026-05-29 05:26:40.123456+09"],
  ["transaction_timestamp", "UTC", "2026-05-28 20:26:40.123456+00"],
  ["statement_timestamp", "UTC", "2026-05-28 20:26:40.123457+00"],
  ["clock_timestamp", "UTC", "2026-05-28 20:26:40.123458+00"],
  ["timeofday", "Asia/Tokyo", "Fri May 29 05:26:40.123458 2026 JST"],
])("%s() in %s", (name, zone, result) => {
  expect(answer({ function: name, zone, args: [] }, currentFunctions, [])).toEqual({ result });
});

test.each([
  ["date", "now", "2026-05-29"],
  ["date", "yesterday", "2026-05-28"],
  ["timestamp", "today", "2026-05-29 00:00:00"],
  ["timestamp", "tomorrow 04:05", "2026-05-30 04:05:00"],
  ["timestamptz", "now", "2026-05-29 05:26:40.123456+09"],
  ["timestamptz", "tomorrow", "2026-05-30 00:00:00+09"],
  ["timestamptz", "tomorrow 10:00 UTC", "2026-05-30 19:00:00+09"],
  ["time", "now", "05:26:40.123456"],
  ["timetz", "10:00", "10:00:00+09"],
])("%s '%s' in Tokyo", (type, input, result) => {
  expect(answer({ type, input, zone: "Asia/Tokyo" }, [], [])).toEqual({ result });
});
