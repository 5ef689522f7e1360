/** Session information, random numbers, enum functions. */
import { describe, expect, test } from "vitest";
import { functionNames, functionsNamed, operatorSymbols, operatorsNamed } from "../../src/functions/registry.js";
import { resolveOperator } from "../../src/types/resolution.js";
import { arrayOf, enumType, recordType, type SqlType, types } from "../../src/types/type.js";
import { JsonText, RecordValue, type Value } from "../../src/types/value.js";
import { type Argument, evaluate, testSession } from "../support/call-function.js";

const mood = enumType("mood", ["sad", "ok", "happy"]);
const text = (value: string): Argument => ({ type: "text", text: value });

test.each<{ name: string; args: Argument[]; type: string; answer: string | null }>([
  { name: "pg_typeof", args: [{ type: "int4", text: "1" }], type: "regtype", answer: "integer" },
  { name: "pg_typeof", args: [{ type: "unknown", text: "x" }], type: "regtype", answer: "unknown" },
  {
    name: "pg_typeof",
    args: [{ type: "timestamptz", text: null }],
    type: "regtype",
    answer: "timestamp with time zone",
  },
  { name: "pg_typeof", args: [{ type: arrayOf(types.numeric), text: null }], type: "regtype", answer: "numeric[]" },
  { name: "pg_typeof", args: [{ type: mood, text: "ok" }], type: "regtype", answer: "mood" },
  { name: "current_user", args: [], type: "name", answer: "postgres" },
  { name: "current_database", args: [], type: "name", answer: "postgres" },
  { name: "current_schema", args: [], type: "name", answer: "public" },
  { name: "current_schemas", args: [{ type: "bool", text: "t" }], type: "name[]", answer: "{pg_catalog,public}" },
  { name: "current_setting", args: [text("TimeZone")], type: "text", answer: "UTC" },
  { name: "current_setting", args: [text("search_path")], type: "text", answer: "public" },
  { name: "current_setting", args: [text("nope"), { type: "bool", text: "t" }], type: "text", answer: null },
  { name: "version", args: [], type: "text", answer: "PostgreSQL 15.0 (glove-scratchpad)" },
  { name: "to_regtype", args: [text("int4")], type: "regtype", answer: "integer" },
  { name: "to_regtype", args: [text("nope")], type: "regtype", answer: null },
  {
    name: "format_type",
    args: [
      { type: "oid", text: "1043" },
      { type: "int4", text: "14" },
    ],
    type: "text",
    answer: "character varying(10)",
  },
  {
    name: "format_type",
    args: [
      { type: "oid", text: "99999999" },
      { type: "int4", text: null },
    ],
    type: "text",
    answer: "???",
  },
  { name: "enum_first", args: [{ type: mood, text: null }], type: "mood", answer: "sad" },
  { name: "enum_last", args: [{ type: mood, text: null }], type: "mood", answer: "happy" },
  { name: "enum_range", args: [{ type: mood, text: null }], type: "mood[]", answer: "{sad,ok,happy}" },
  {
    name: "enum_range",
    args: [
      { type: mood, text: "ok" },
      { type: mood, text: null },
    ],
    type: "mood[]",
    answer: "{ok,happy}",
  },
  {
    name: "<",
    args: [
      { type: mood, text: "sad" },
      { type: "unknown", text: "happy" },
    ],
    type: "boolean",
    answer: "t",
  },
])("$name gives $answer", ({ name, args, type, answer }) => {
  expect(evaluate(name, args)).toMatchObject({ type, text: answer });
});

test.each([
  { name: "current_setting", args: [text("nope")], error: '42704 unrecognized configuration parameter "nope"' },
  {
    name: "setseed",
    args: [{ type: "float8", text: "2" }],
    error: "22023 setseed parameter 2 is out of allowed range [-1,1]",
  },
])("$name fails: $error", ({ name, args, error }) => {
  const [code, message] = [error.slice(0, 5), error.slice(6)];
  expect(() => evaluate(name, args)).toThrow(expect.objectContaining({ code, message }));
});

describe("random numbers", () => {
  test("come from the session until it is seeded, then in PostgreSQL's order", () => {
    const session = { ...testSession };
    expect(evaluate("random", [], session).text).toBe("0.5");
    evaluate("setseed", [{ type: "float8", text: "0.5" }], session);
    expect([evaluate("random", [], session).text, evaluate("random", [], session).text]).toEqual([
      "0.9851677175347999",
      "0.825301858027981",
    ]);
    evaluate("setseed", [{ type: "float8", text: "-0.25" }], session);
    expect(evaluate("random", [], session).text).toBe("0.5553213340039351");
  });
  test("a uuid is of version 4", () => {
    const uuid = evaluate("gen_random_uuid", []).text as string;
    expect([uuid.length, uuid[14]]).toEqual([36, "4"]);
  });
});

describe("the registry", () => {
  test("has no function twice", () => {
    const signatures = [...functionNames()].flatMap((name) =>
      functionsNamed(name).map((entry) => `${name}(${entry.args.join(", ")}${entry.variadic ? " …" : ""})`),
    );
    expect(signatures.filter((signature, i) => signatures.indexOf(signature) !== i)).toEqual([]);
  });
  test("has no operator twice", () => {
    const signatures = [...operatorSymbols()].flatMap((symbol) =>
      operatorsNamed(symbol).map((entry) => `${entry.left ?? ""} ${symbol} ${entry.right}`),
    );
    expect(signatures.filter((signature, i) => signatures.indexOf(signature) !== i)).toEqual([]);
  });
  test("names only commutators and negators that exist", () => {
    const lost: string[] = [];
    for (const symbol of operatorSymbols()) {
      for (const { left, right, commutator, negator } of operatorsNamed(symbol)) {
        const has = (name: string, a = left, b: string = right) =>
          operatorsNamed(name).some((entry) => entry.left === a && entry.right === b);
        if (commutator !== undefined && !has(commutator, right, left))
          lost.push(`${commutator} of ${left} ${symbol} ${right}`);
        if (negator !== undefined && !has(negator)) lost.push(`${negator} of ${left} ${symbol} ${right}`);
      }
    }
    expect(lost).toEqual([]);
  });
});

describe("rows", () => {
  const row = (...fields: [type: SqlType, value: Value][]) => {
    const named = fields.map(([type], i) => ({ name: `f${i + 1}`, type }));
    return {
      type: recordType(named),
      value: new RecordValue(
        fields.map(([, value]) => value),
        named,
      ),
    };
  };
  const apply = (symbol: string, left: ReturnType<typeof row>, right: ReturnType<typeof row>) => {
    const match = resolveOperator(left.type, right.type, operatorsNamed(symbol));
    if (match.kind !== "match") throw new Error(`${symbol}: ${match.kind}`);
    const site = { argTypes: match.argTypes, resultType: match.resultType, session: testSession };
    const call = match.entry.specialize?.(site) as ((a: Value, b: Value) => Value) | undefined;
    return call?.(left.value, right.value);
  };
  test.each([
    { name: "equal", symbol: "=", left: row([types.int4, 1]), right: row([types.int4, 1]), answer: true },
    {
      name: "ordered by the first difference",
      symbol: "<",
      left: row([types.int4, 1], [types.text, "a"]),
      right: row([types.int4, 1], [types.text, "b"]),
      answer: true,
    },
    { name: "NULL last", symbol: "<", left: row([types.int4, null]), right: row([types.int4, 1]), answer: false },
  ])("$name", ({ symbol, left, right, answer }) => {
    expect(apply(symbol, left, right)).toBe(answer);
  });
  test.each([
    {
      left: row([types.int4, 1]),
      right: row([types.text, "a"]),
      code: "42804",
      message: "cannot compare dissimilar column types integer and text at record column 1",
    },
    {
      left: row([types.int4, 1]),
      right: row([types.int4, 1], [types.int4, 1]),
      code: "42804",
      message: "cannot compare record types with different numbers of columns",
    },
    {
      left: row([types.json, new JsonText("1")]),
      right: row([types.json, new JsonText("1")]),
      code: "42883",
      message: "could not identify an equality operator for type json",
    },
  ])("$message", ({ left, right, code, message }) => {
    expect(() => apply("=", left, right)).toThrow(expect.objectContaining({ code, message }));
  });
});
