/** Arguments come back from a journal as they were; states are what their entries say. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeValue, encodeValue } from "../../../src/database/journal/codec.js";
import { isSettled, stateOf, statusOf } from "../../../src/database/journal/effect-state.js";
import type { JournalEntry } from "../../../src/index.js";
import { parseNumeric } from "../../../src/types/numeric.js";
import { intent, outcome } from "./kinds.js";

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    fc.constantFrom(null, undefined, true, false, -0, Number.NaN, Number.POSITIVE_INFINITY, "", "\u0000", "\ud800"),
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.integer(),
    fc.bigInt(),
    fc.date({ noInvalidDate: true }),
    fc.uint8Array(),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("$", "constructor", "toString")), tie("any"), { maxKeys: 4 }),
  ),
})).any;

test("any value, through JSON", () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(decodeValue(JSON.parse(JSON.stringify(encodeValue(given))))).toEqual(plain(given));
    }),
  );
});

/** Objects of the generator may be without a prototype. */
function plain(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(plain);
  if (typeof given !== "object" || given === null || given instanceof Date || given instanceof Uint8Array) return given;
  return Object.fromEntries(Object.entries(given).map(([key, item]) => [key, plain(item)]));
}

test("numerics keep their digits", () => {
  const numeric = parseNumeric("12345678901234567890.10");
  const back = decodeValue(JSON.parse(JSON.stringify(encodeValue({ n: numeric })))) as { n: unknown };
  expect(String(back.n)).toBe("12345678901234567890.10");
});

test("prototype names are names", () => {
  const given = JSON.parse('{"__proto__": {"polluted": 1}, "$": 1, "constructor": {"$": []}}');
  const back = decodeValue(JSON.parse(JSON.stringify(encodeValue(given)))) as object;
  expect(JSON.stringify(back)).toBe(JSON.stringify(given));
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

describe("what no journal can keep", () => {
  const circular: unknown[] = [];
  circular.push(circular);
  test("functions, symbols, what refers to itself", () => {
    for (const given of [() => 1, Symbol("s"), circular, { a: [() => 1] }])
      expect(() => encodeValue(given)).toThrow(TypeError);
  });
  test("a value of a kind that nobody wrote", () => {
    for (const written of [{ $: ["map", []] }, { $: 1 }, { $: [] }])
      expect(() => decodeValue(written)).toThrow(TypeError);
  });
});

describe("the state that entries give", () => {
  const again = (number: number) => intent("k", { number, attempt: 2, writer: "w2" });
  const cases: readonly {
    name: string;
    entries: readonly JournalEntry[];
    status: string | undefined;
    next?: number;
  }[] = [
    { name: "none", entries: [], status: undefined },
    { name: "an outcome alone", entries: [outcome("k")], status: undefined },
    { name: "an intent", entries: [intent("k")], status: "open", next: 1 },
    { name: "fired", entries: [intent("k"), outcome("k")], status: "fired", next: 2 },
    { name: "failed", entries: [intent("k"), outcome("k", { status: "failed" })], status: "failed" },
    { name: "not tried", entries: [intent("k"), outcome("k", { status: "not_tried" })], status: "not_tried" },
    { name: "no answer", entries: [intent("k"), outcome("k", { status: "unknown" })], status: "unknown" },
    {
      name: "failed, then again",
      entries: [intent("k"), outcome("k", { status: "failed" }), again(2)],
      status: "open",
      next: 3,
    },
    {
      name: "no answer, then failed: the first may have happened",
      entries: [
        intent("k"),
        outcome("k", { status: "unknown" }),
        again(2),
        outcome("k", { number: 3, attempt: 2, status: "failed" }),
      ],
      status: "unknown",
    },
    {
      name: "two at once, one failed",
      entries: [intent("k"), again(1), outcome("k", { number: 2, attempt: 2, status: "failed" })],
      status: "open",
    },
    {
      name: "two at once, the first fired late",
      entries: [
        intent("k"),
        again(1),
        outcome("k", { number: 2, attempt: 2, status: "failed" }),
        outcome("k", { number: 3 }),
      ],
      status: "fired",
      next: 4,
    },
    {
      name: "fired, whatever is said later",
      entries: [
        intent("k"),
        outcome("k"),
        outcome("k", { number: 2, status: "unknown" }),
        outcome("k", { number: 3, status: "failed", settledBy: "host" }),
      ],
      status: "fired",
      next: 4,
    },
    {
      name: "settled by hand as failed",
      entries: [
        intent("k"),
        outcome("k", { status: "unknown" }),
        outcome("k", { number: 2, status: "failed", settledBy: "host" }),
      ],
      status: "failed",
    },
    {
      name: "settled by hand, fired all the same",
      entries: [intent("k"), outcome("k", { status: "failed", settledBy: "host" }), outcome("k", { number: 2 })],
      status: "fired",
    },
  ];
  test.each(cases)("$name: $status", ({ entries, status, next }) => {
    const state = stateOf(entries);
    expect(state === undefined ? undefined : statusOf(state)).toBe(status);
    if (next !== undefined) expect(state?.next).toBe(next);
    if (state !== undefined) expect(isSettled(state)).toBe(status !== "open" && status !== "unknown");
  });
});
