/** The comparison itself: what counts as the same value, and what does not. */
import { describe, expect, test } from "vitest";
import { compareAnswers, type RowOrder } from "./compare-rows.js";
import { compareValue, type Likeness } from "./compare-value.js";

const values: [type: string, want: string | null, got: unknown, likeness: Likeness][] = [
  ["int4", "5", 5, "same"],
  ["int4", "5", "5", "same"],
  ["int4", "5", 5n, "same"],
  ["int4", "5", 5.0000000001, "nearly"],
  ["int4", "5", 6, "different"],
  ["int4", "1", true, "different"],
  ["int8", "9007199254740993", 9007199254740992, "nearly"],
  ["int8", "9007199254740993", "9007199254740993", "same"],
  ["numeric", "1.50", "1.5", "same"],
  ["numeric", "0.3", 0.30000000000000004, "nearly"],
  ["numeric", "NaN", Number.NaN, "same"],
  ["numeric", "100000000000000000000000", "1e23", "same"],
  ["float8", "0.1", 0.1, "same"],
  ["float8", "Infinity", Number.POSITIVE_INFINITY, "same"],
  ["float8", "-0", 0, "same"],
  ["float8", "NaN", null, "different"],
  ["bool", "t", true, "same"],
  ["bool", "t", 1, "different"],
  ["date", "2024-02-29", "2024-02-29T00:00:00.000Z", "same"],
  ["date", "2024-02-29", "2024-02-29 10:00:00", "different"],
  ["date", "0044-02-01 BC", "-000043-02-01", "same"],
  ["timestamptz", "2024-01-01 10:00:00+00", "2024-01-01T12:00:00+02:00", "same"],
  ["timestamptz", "294276-12-31 23:59:59+00", "+294276-12-31T23:59:59.000Z", "same"],
  ["timestamptz", "2024-01-01 10:00:00.000001+00", "2024-01-01T10:00:00.000Z", "nearly"],
  ["timestamptz", "2024-01-01 10:00:00+00", Number.NaN, "different"],
  ["timestamp", "2024-01-01 10:00:00", "2024-01-01T10:00:00", "same"],
  ["time", "10:00:00.5", "10:00:00.500", "same"],
  ["interval", "1 day 02:00:00", { days: 1, hours: 2 }, "same"],
  ["interval", "1 mon", "30 days", "different"],
  ["interval", "-1 days +02:03:04", "P-1DT2H3M4S", "same"],
  ["jsonb", '{"a": [1, 2.50]}', { a: [1, 2.5] }, "same"],
  ["jsonb", '"x"', "x", "same"],
  ["jsonb", "null", null, "same"],
  ["jsonb", '{"a": 1}', { a: 2 }, "different"],
  ["jsonb", '{"a": 1}', { a: "1" }, "different"],
  ["_text", '{a,NULL,"b c"}', ["a", null, "b c"], "same"],
  ["_text", '{"NULL"}', [null], "different"],
  [
    "_int4",
    "{{1,2},{3,4}}",
    [
      [1, 2],
      [3, 4],
    ],
    "same",
  ],
  ["_text", "{}", [], "same"],
  ["record", '(1,"a b",)', { a: 1, b: "a b", c: null }, "same"],
  ["text", "a", null, "different"],
  ["text", null, undefined, "same"],
];

test.each(values)("%s %s and %s", (type, want, got, likeness) => {
  expect(compareValue(type, want, got)).toBe(likeness);
});

describe("rows", () => {
  const columns = [
    { name: "a", type: "int4" },
    { name: "b", type: "text" },
  ];
  const compare = (want: string[][], got: unknown[][], order: RowOrder): string | undefined =>
    compareAnswers({ columns, rows: want }, { columns, rows: got }, order)?.kind;
  const pairs: [name: string, want: string[][], got: unknown[][], order: RowOrder, kind: string | undefined][] = [
    [
      "in any order",
      [
        ["1", "x"],
        ["2", "y"],
      ],
      [
        [2, "y"],
        [1, "x"],
      ],
      "any",
      undefined,
    ],
    [
      "in another order",
      [
        ["1", "x"],
        ["2", "y"],
      ],
      [
        [2, "y"],
        [1, "x"],
      ],
      { keys: [0] },
      "order",
    ],
    [
      "tied by the keys",
      [
        ["1", "x"],
        ["1", "y"],
      ],
      [
        [1, "y"],
        [1, "x"],
      ],
      { keys: [0] },
      undefined,
    ],
    [
      "tied in a run",
      [
        ["1", "x"],
        ["1", "y"],
      ],
      [
        [1, "y"],
        [1, "x"],
      ],
      { runs: [2] },
      undefined,
    ],
    [
      "out of its run",
      [
        ["1", "x"],
        ["2", "y"],
      ],
      [
        [2, "y"],
        [1, "x"],
      ],
      { runs: [1, 1] },
      "order",
    ],
    [
      "near numbers in any order",
      [
        ["9007199254740993", "x"],
        ["9007199254740992", "x"],
      ],
      [
        ["9007199254740992", "x"],
        ["9007199254740993", "x"],
      ],
      "any",
      undefined,
    ],
    ["near numbers that are off", [["9007199254740993", "x"]], [["9007199254740992", "x"]], "any", "precision"],
    [
      "one too many",
      [["1", "x"]],
      [
        [1, "x"],
        [1, "x"],
      ],
      "any",
      "row count",
    ],
    [
      "twice another",
      [
        ["1", "x"],
        ["1", "x"],
        ["2", "x"],
      ],
      [
        [1, "x"],
        [2, "x"],
        [2, "x"],
      ],
      "any",
      "value",
    ],
  ];
  test.each(pairs)("%s", (_, want, got, order, kind) => expect(compare(want, got, order)).toBe(kind));
});
