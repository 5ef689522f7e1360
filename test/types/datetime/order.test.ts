/** Order and equality of dates and times, of one type and across types. */
import { describe, expect, test } from "vitest";
import {
  compareDateWithTimestamp,
  compareDateWithTimestamptz,
  compareTimestampWithTimestamptz,
} from "../../../src/types/datetime/convert.js";
import { dateOperations } from "../../../src/types/datetime/date.js";
import { intervalOperations } from "../../../src/types/datetime/interval.js";
import { timetzOperations } from "../../../src/types/datetime/time.js";
import { timestampOperations, timestamptzOperations } from "../../../src/types/datetime/timestamp.js";
import type { TypeOperations } from "../../../src/types/operations.js";
import { sessionIn } from "./cases.js";

const session = sessionIn("UTC");

/** The texts are in ascending order; those joined by `=` are equal. */
test.each<[string, TypeOperations, string[]]>([
  ["date", dateOperations, ["-infinity", "4714-11-24 BC", "1999-01-08", "5874897-12-31", "infinity"]],
  [
    "timestamp",
    timestampOperations,
    ["-infinity", "4714-11-24 BC", "1600-01-01", "1969-12-31", "2020-01-01 00:00:00.000001", "9999-12-31", "infinity"],
  ],
  ["timetz", timetzOperations, ["00:00+15", "12:00+02", "11:00+01", "10:00+00", "09:00-01", "23:00-15"]],
  [
    "interval",
    intervalOperations,
    [
      "-178000000 years",
      "-1 mon",
      "-29 days",
      "0",
      "1 us",
      "24:00=1 day",
      "29 days",
      "1 mon=30 days=720:00",
      "1 year=360 days",
      "365 days",
      "2147483647 days",
      "178000000 years",
    ],
  ],
])("values of %s compare in order", (_, operations, texts) => {
  const groups = texts.map((text) => text.split("=").map((part) => operations.input(part, -1, session)));
  for (const [i, group] of groups.entries())
    for (const [j, other] of groups.entries())
      for (const a of group)
        for (const b of other) {
          expect(Math.sign(operations.compare?.(a, b) ?? Number.NaN)).toBe(Math.sign(i - j));
          const key = operations.key ?? ((value: unknown) => value);
          expect(key(a) === key(b)).toBe(i === j);
        }
});

describe("values of different types", () => {
  const date = (text: string) => dateOperations.input(text, -1, session) as number;
  const timestamp = (text: string) => timestampOperations.input(text, -1, session) as number | bigint;
  const instant = (text: string) => timestamptzOperations.input(text, -1, session) as number | bigint;

  test.each([
    ["2024-02-29", "2024-02-29 00:00", 0],
    ["2024-02-29", "2024-02-29 00:00:00.000001", -1],
    ["5874897-12-31", "294276-12-31", 1],
    ["5874897-12-31", "infinity", -1],
    ["infinity", "infinity", 0],
    ["-infinity", "4714-11-24 BC", -1],
  ])("date %s against timestamp %s", (a, b, order) =>
    expect(compareDateWithTimestamp(date(a), timestamp(b))).toBe(order),
  );

  test.each([
    ["2024-03-10", "2024-03-10 05:00+00", 0],
    ["2024-03-11", "2024-03-11 04:00+00", 0],
    ["2024-03-11", "2024-03-11 00:00+00", 1],
    ["infinity", "2024-03-11 00:00+00", 1],
  ])("date %s in New York against instant %s", (a, b, order) =>
    expect(compareDateWithTimestamptz(date(a), instant(b), "America/New_York")).toBe(order),
  );

  test.each([
    ["2024-03-10 12:00", "2024-03-10 16:00+00", 0],
    ["2024-01-10 12:00", "2024-01-10 16:00+00", 1],
    ["-infinity", "-infinity", 0],
  ])("timestamp %s in New York against instant %s", (a, b, order) =>
    expect(compareTimestampWithTimestamptz(timestamp(a), instant(b), "America/New_York")).toBe(order),
  );
});
