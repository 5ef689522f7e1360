/** jsonb from and to host values. */
import { describe, expect, test } from "vitest";
import { SqlError } from "../../../src/errors/sql-error.js";
import { subscriptJsonb } from "../../../src/functions/json/access.js";
import { toJsonb, toJsonText } from "../../../src/functions/json/build.js";
import {
  type ArrayValue,
  boundedArray,
  dimensions,
  nestArrays,
  sliceArray,
  subscriptArray,
} from "../../../src/types/array-shape.js";
import { operationsOf } from "../../../src/types/families.js";
import { arrayOf, recordType, types } from "../../../src/types/type.js";
import { JsonText, jsonNull, RecordValue, type Value } from "../../../src/types/value.js";
import { testSession } from "../../support/call-function.js";

const jsonb = operationsOf(types.jsonb);
const json = operationsOf(types.json);
const ints = operationsOf(arrayOf(types.int4));
const context = testSession;

/** A host value as jsonb, printed. */
function printed(value: unknown): string {
  return jsonb.output(jsonb.fromHost(value, -1, context) as Value, context);
}

describe("jsonb from resources", () => {
  test("objects are adopted, not copied", () => {
    const object = { a: [1, { b: 2 }] };
    expect(jsonb.fromHost(object, -1, context)).toBe(object);
    expect(jsonb.toHost(object, context)).toBe(object);
  });
  test.each<[name: string, value: unknown, text: string]>([
    ["fields are printed shorter names first", { bb: 1, a: 2, c: 3 }, '{"a": 2, "c": 3, "bb": 1}'],
    ["undefined fields and functions are left out", { a: undefined, b: () => 1, c: null }, '{"c": null}'],
    ["holes and undefined elements are null", [1, undefined, 3], "[1, null, 3]"],
    ["dates are ISO text", { at: new Date(0) }, '{"at": "1970-01-01T00:00:00.000Z"}'],
    ["toJSON is followed", { x: { toJSON: () => [1] } }, '{"x": [1]}'],
    ["bigints are numbers", { n: 9007199254740993n }, '{"n": 9007199254740993}'],
    ["no exponents", [1e21, 1e-7, 123456789012345680000], "[1000000000000000000000, 0.0000001, 123456789012345680000]"],
    ["NaN inside is null, as in JSON", { n: Number.NaN }, '{"n": null}'],
    ["a string is a string, not parsed", '{"a": 1}', '"{\\"a\\": 1}"'],
    ["negative zero is zero", -0, "0"],
    [
      "names of prototypes are names",
      JSON.parse('{"__proto__": 1, "constructor": 2}'),
      '{"__proto__": 1, "constructor": 2}',
    ],
  ])("%s", (_name, value, text) => {
    expect(printed(value)).toBe(text);
  });
  test("inherited properties are no fields", () => {
    expect(subscriptJsonb({ a: 1 }, ["constructor"])).toBeNull();
    expect(subscriptJsonb({ a: 1 }, ["__proto__", "toString"])).toBeNull();
    expect(printed(Object.create({ inherited: 1 }))).toBe("{}");
  });
  test("__proto__ in text makes a field and no prototype", () => {
    const value = jsonb.input('{"__proto__": {"polluted": true}}', -1, context) as { polluted?: boolean };
    expect(value.polluted).toBeUndefined();
    expect(jsonb.output(value, context)).toBe('{"__proto__": {"polluted": true}}');
  });
  test("a cyclic object is refused when it is printed", () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(() => jsonb.output(cyclic, context)).toThrow(SqlError);
    expect(() => jsonb.key?.(cyclic)).toThrow("stack depth limit exceeded");
    expect(() => jsonb.toHost(cyclic, context)).toThrow("stack depth limit exceeded");
  });
  test("text nested too deep is refused", () => {
    const text = "[".repeat(100_000) + "]".repeat(100_000);
    expect(() => jsonb.input(text, -1, context)).toThrow("stack depth limit exceeded");
    expect(() => json.input(text, -1, context)).toThrow("stack depth limit exceeded");
    const deep = "[".repeat(900) + "]".repeat(900);
    expect(jsonb.output(jsonb.input(deep, -1, context), context)).toBe(deep);
  });
  test("numbers that doubles cannot hold are shown as text", () => {
    const value = jsonb.input('{"big": 12345678901234567890, "exact": 1.10, "n": 1}', -1, context);
    expect(jsonb.toHost(value, context)).toEqual({ big: "12345678901234567890", exact: 1.1, n: 1 });
  });
  test("JSON null is told apart from SQL NULL", () => {
    expect(jsonb.input("null", -1, context)).toBe(jsonNull);
    expect(jsonb.toHost(jsonNull, context)).toBeNull();
  });
  test.each([Number.NaN, Number.POSITIVE_INFINITY, () => 1, undefined])("no jsonb value: %s", (value) => {
    expect(jsonb.fromHost(value, -1, context)).toBeUndefined();
  });
});

describe("json from resources", () => {
  test.each<[value: unknown, text: string]>([
    [{ b: 1, a: [1, "x"], u: undefined }, '{"b":1,"a":[1,"x"]}'],
    ["[1]", '"[1]"'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [12n, "12"],
  ])("%s", (value, text) => {
    expect(json.output(json.fromHost(value, -1, context) as Value, context)).toBe(text);
  });
  test("is shown as the value it stands for", () => {
    expect(json.toHost(new JsonText('{"a":  [1, 2.50, "\\u0000"]}'), context)).toEqual({ a: [1, 2.5, "\u0000"] });
  });
});

describe("arrays from resources", () => {
  test.each<[value: unknown, text: string | undefined]>([
    [[1, 2, null], "{1,2,NULL}"],
    [[], "{}"],
    [
      [
        [1, 2],
        [3, 4],
      ],
      "{{1,2},{3,4}}",
    ],
    [[[], []], "{}"],
    [[[1], [2, 3]], undefined],
    [[[1], 2], undefined],
    ["{1,2}", "{1,2}"],
    ["[1, 2]", "{1,2}"],
    ["[0:1]={1,2}", "[0:1]={1,2}"],
    ["x", undefined],
    [5, undefined],
    [[1, "x"], undefined],
  ])("%j", (value, text) => {
    const array = ints.fromHost(value, -1, context);
    expect(array === undefined ? undefined : ints.output(array, context)).toBe(text);
  });
  test("elements of type jsonb can be arrays", () => {
    const documents = operationsOf(arrayOf(types.jsonb));
    const value = documents.fromHost([[1, 2], [3]], -1, context) as ArrayValue;
    expect(dimensions(value, types.jsonb)).toEqual([2]);
    expect(documents.output(value, context)).toBe('{"[1, 2]",[3]}');
  });
  test("results are plain arrays, whatever the bounds", () => {
    expect(ints.toHost(boundedArray([1, 2], [0]), context)).toEqual([1, 2]);
    expect(ints.toHost([[1], [2]], context)).toEqual([[1], [2]]);
  });
});

describe("subscripts and slices", () => {
  const plain = [1, 2, 3];
  const bounded = boundedArray([5, 6, 7], [0]);
  const matrix = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  test.each<[array: ArrayValue, indexes: (number | null)[], value: Value]>([
    [plain, [1], 1],
    [plain, [0], null],
    [plain, [4], null],
    [plain, [null], null],
    [plain, [1, 1], null],
    [bounded, [0], 5],
    [bounded, [3], null],
    [matrix, [2, 3], 6],
    [matrix, [2], null],
    [[], [1], null],
  ])("%j %j", (array, indexes, value) => {
    expect(subscriptArray(array, indexes, types.int4)).toEqual(value);
  });
  test.each<[array: ArrayValue, slices: { lower?: number | null; upper?: number | null }[], text: string | null]>([
    [plain, [{ lower: 2, upper: 3 }], "{2,3}"],
    [plain, [{ lower: -5, upper: 2 }], "{1,2}"],
    [plain, [{ lower: 3, upper: 2 }], "{}"],
    [plain, [{ lower: 7, upper: 9 }], "{}"],
    [plain, [{ upper: 2 }], "{1,2}"],
    [plain, [{ lower: 2 }], "{2,3}"],
    [plain, [{}], "{1,2,3}"],
    [plain, [{ lower: null, upper: 2 }], null],
    [plain, [{}, {}], "{}"],
    [bounded, [{ lower: 1, upper: 9 }], "{6,7}"],
    [
      matrix,
      [
        { lower: 1, upper: 2 },
        { lower: 2, upper: 3 },
      ],
      "{{2,3},{5,6}}",
    ],
    [matrix, [{ lower: 2, upper: 2 }], "{{4,5,6}}"],
    [[], [{}], "{}"],
  ])("%j %j", (array, slices, text) => {
    const slice = sliceArray(array, slices, types.int4);
    expect(slice === null ? null : ints.output(slice, context)).toBe(text);
  });
  test("ARRAY[…] over arrays needs equal shapes", () => {
    expect(nestArrays([plain, [4, 5, 6]], types.int4)).toEqual([plain, [4, 5, 6]]);
    expect(nestArrays([[], []], types.int4)).toEqual([]);
    expect(() => nestArrays([plain, [1]], types.int4)).toThrow("matching dimensions");
  });
});

describe("row values", () => {
  const fields = [
    { name: "id", type: types.int4 },
    { name: "name", type: types.text },
    { name: "tags", type: arrayOf(types.text) },
  ];
  const type = recordType(fields);
  const operations = operationsOf(type);
  const row = (...values: Value[]): RecordValue => new RecordValue(values, fields);
  test.each<[value: RecordValue, text: string]>([
    [row(1, "a b", null), '(1,"a b",)'],
    [row(null, "", ["x", "y z"]), '(,"","{x,""y z""}")'],
    [row(1, 'q"u\\o', []), '(1,"q""u\\\\o",{})'],
    [row(1, "(x,y)", [null]), '(1,"(x,y)",{NULL})'],
  ])("%j", (value, text) => {
    expect(operations.output(value, context)).toBe(text);
    expect(operations.compare?.(operations.input(text, -1, context), value)).toBe(0);
  });
  test("the first field that differs decides, NULL comes last", () => {
    expect(operations.compare?.(row(1, "b", null), row(1, "a", null))).toBeGreaterThan(0);
    expect(operations.compare?.(row(null, "a", null), row(5, "a", null))).toBeGreaterThan(0);
    expect(operations.compare?.(row(null, "a", null), row(null, "a", null))).toBe(0);
  });
  test("keys are equal for equal rows only", () => {
    expect(operations.key?.(row(1, "a", ["b"]))).toBe(operations.key?.(row(1, "a", ["b"])));
    expect(operations.key?.(row(1, "a", ["b", "c"]))).not.toBe(operations.key?.(row(1, "a", ["bc"])));
    expect(operations.key?.(row(1, "n", null))).not.toBe(operations.key?.(row(1, "n", [])));
  });
  test("rows of other shapes do not compare", () => {
    const other = new RecordValue([1, 2, 3], [fields[0], fields[0], fields[0]]);
    expect(() => operations.compare?.(row(1, "a", null), other)).toThrow(
      "cannot compare dissimilar column types text and integer at record column 2",
    );
    const short = new RecordValue([1], [fields[0]]);
    expect(() => operations.compare?.(row(1, "a", null), short)).toThrow(
      "cannot compare record types with different numbers of columns",
    );
  });
  test("are text in results and objects in JSON", () => {
    expect(operations.toHost(row(1, "a", ["b"]), context)).toBe("(1,a,{b})");
    expect(toJsonText(row(1, "a", ["b"]), type, context)).toBe('{"id":1,"name":"a","tags":["b"]}');
    expect(toJsonText(row(1, "a", ["b"]), type, context, true)).toBe('{"id":1,\n "name":"a",\n "tags":["b"]}');
    expect(toJsonb(row(1, "a", null), type, context)).toEqual({ id: 1, name: "a", tags: null });
  });
  test.each([
    ["(1,a)", "Too few columns."],
    ["(1,a,{},2)", "Too many columns."],
    ["1,a,{}", "Missing left parenthesis."],
    ["(1,a,{}) x", "Junk after right parenthesis."],
    ['(1,"a', "Unexpected end of input."],
  ])("malformed: %s", (text, detail) => {
    expect(() => operations.input(text, -1, context)).toThrow(
      expect.objectContaining({ code: "22P02", message: `malformed record literal: "${text}"`, detail }),
    );
  });
});
