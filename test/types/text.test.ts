/** Order, keys and host values of the string types, bytea and uuid. */
import { describe, expect, test } from "vitest";
import { byteaOperations } from "../../src/types/bytea.js";
import { lowerText, upperText } from "../../src/types/letter-case.js";
import {
  bpcharOperations,
  citextOperations,
  coerceBpchar,
  coerceVarchar,
  compareText,
  nameOperations,
  textOperations,
  varcharOperations,
} from "../../src/types/text.js";
import { uuidOperations } from "../../src/types/uuid.js";
import { testSession } from "../support/call-function.js";

test("text is ordered by code point, beyond the basic plane too", () => {
  const sorted = ["", "A", "Z", "a", "aa", "z", "é", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{1f600}"];
  expect([...sorted].reverse().sort(compareText)).toEqual(sorted);
  expect(compareText("x\u{1f600}", "x\uffff")).toBeGreaterThan(0);
  expect(compareText("same", "same")).toBe(0);
});

test.each([
  { name: "NUL", text: "a\0b", message: 'invalid byte sequence for encoding "UTF8": 0x00' },
  { name: "half a pair", text: "a\ud83d", message: 'invalid byte sequence for encoding "UTF8": 0xed 0xa0 0xbd' },
])("$name is no text", ({ text, message }) => {
  expect(() => textOperations.input(text, -1, testSession)).toThrow(
    expect.objectContaining({ code: "22021", message }),
  );
  expect(textOperations.fromHost(text, -1, testSession)).toBeUndefined();
});

describe("lengths", () => {
  test.each([
    { value: "abc", limit: 5, varchar: "abc", bpchar: "abc  " },
    { value: "ab   ", limit: 3, varchar: "ab ", bpchar: "ab " },
    { value: "😀😀", limit: 2, varchar: "😀😀", bpchar: "😀😀" },
  ])("$value in $limit", ({ value, limit, varchar, bpchar }) => {
    expect(coerceVarchar(value, limit + 4, false)).toBe(varchar);
    expect(coerceBpchar(value, limit + 4, false)).toBe(bpchar);
  });

  test("too long is an error when stored and cut when cast", () => {
    expect(() => coerceVarchar("abcd", 7, false)).toThrow("value too long for type character varying(3)");
    expect(() => coerceBpchar("abcd", 7, false)).toThrow("value too long for type character(3)");
    expect(coerceVarchar("a😀cd", 6, true)).toBe("a😀");
    expect(varcharOperations.fromHost("abcd", 7, testSession)).toBeUndefined();
    expect(bpcharOperations.fromHost("ab", 7, testSession)).toBe("ab ");
  });

  test("names are cut at 63 bytes, between characters", () => {
    expect(nameOperations.input("é".repeat(40), -1, testSession)).toBe("é".repeat(31));
  });
});

test("blank padding and case do not count where the type says so", () => {
  expect(bpcharOperations.compare?.("a ", "a")).toBe(0);
  expect(bpcharOperations.key?.("a ")).toBe("a");
  expect(citextOperations.compare?.("ÀB", "àb")).toBe(0);
  expect(citextOperations.key?.("ÀB")).toBe("àb");
});

test.each([
  { text: "straße ŉ ﬁ", upper: "STRAßE ŉ ﬁ", lower: "straße ŉ ﬁ" },
  { text: "İΣΑΣ", upper: "İΣΑΣ", lower: "iσασ" },
  { text: "ᾳǆ", upper: "ᾼǄ", lower: "ᾳǆ" },
])("case of $text, character by character", ({ text, upper, lower }) => {
  expect(upperText(text)).toBe(upper);
  expect(lowerText(text)).toBe(lower);
});

test.each([
  { value: 42, text: "42" },
  { value: 12345678901234567890n, text: "12345678901234567890" },
  { value: true, text: "true" },
  { value: new Date(0), text: "1970-01-01T00:00:00.000Z" },
  { value: {}, text: undefined },
  { value: undefined, text: undefined },
])("a resource's $value as text", ({ value, text }) => {
  expect(textOperations.fromHost(value, -1, testSession)).toBe(text);
});

test("bytes from a resource and to a result", () => {
  expect(byteaOperations.fromHost(Uint8Array.of(1, 255), -1, testSession)).toEqual(Uint8Array.of(1, 255));
  expect(byteaOperations.fromHost("\\x01ff", -1, testSession)).toEqual(Uint8Array.of(1, 255));
  expect(byteaOperations.fromHost("\\xzz", -1, testSession)).toBeUndefined();
  expect(byteaOperations.toHost(Uint8Array.of(1, 255), testSession)).toBe("\\x01ff");
  expect(byteaOperations.compare?.(Uint8Array.of(1), Uint8Array.of(1, 0))).toBeLessThan(0);
});

test("uuids are held in canonical form", () => {
  const canonical = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
  expect(uuidOperations.fromHost(canonical.toUpperCase(), -1, testSession)).toBe(canonical);
  expect(uuidOperations.fromHost("no uuid", -1, testSession)).toBeUndefined();
});
