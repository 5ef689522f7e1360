/** Arguments against their schema: what is missing, what nobody reads. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { missingRequired, unknownKeys } from "../../src/json-schema/arguments.js";
import { isZodSchema, toJsonSchema, zodToJsonSchema } from "../../src/json-schema/from-zod.js";
import { isObjectSchema, objectShape } from "../../src/json-schema/object-shape.js";
import { resolveSchema } from "../../src/json-schema/resolve.js";
import type { JsonSchema } from "../../src/json-schema/schema.js";
import { typeText } from "../../src/json-schema/type-text.js";
import { problemsOf } from "../../src/json-schema/validate.js";

const issues: JsonSchema = {
  type: "object",
  properties: { repo: { type: "string" }, state: { enum: ["open", "closed"] }, limit: { type: "integer", minimum: 1 } },
  required: ["repo"],
};

describe("missing and unknown arguments", () => {
  test.each<{
    name: string;
    schema: JsonSchema | undefined;
    args: Record<string, unknown>;
    missing: string[];
    unknown: object[];
  }>([
    { name: "all there", schema: issues, args: { repo: "a" }, missing: [], unknown: [] },
    { name: "required left out", schema: issues, args: {}, missing: ["repo"], unknown: [] },
    { name: "undefined is left out", schema: issues, args: { repo: undefined }, missing: ["repo"], unknown: [] },
    { name: "null is a value", schema: issues, args: { repo: null }, missing: [], unknown: [] },
    {
      name: "a typing error",
      schema: issues,
      args: { repo: "a", stat: "open" },
      missing: [],
      unknown: [{ key: "stat", hint: "state" }],
    },
    {
      name: "nothing near",
      schema: issues,
      args: { repo: "a", zzzzzzzz: 1 },
      missing: [],
      unknown: [{ key: "zzzzzzzz" }],
    },
    {
      name: "an open schema takes all",
      schema: { ...issues, additionalProperties: true },
      args: { repo: "a", other: 1 },
      missing: [],
      unknown: [],
    },
    { name: "no properties listed", schema: { type: "object" }, args: { x: 1 }, missing: [], unknown: [] },
    {
      name: "no properties allowed",
      schema: { type: "object", additionalProperties: false },
      args: { x: 1 },
      missing: [],
      unknown: [{ key: "x" }],
    },
    { name: "no schema", schema: undefined, args: { x: 1 }, missing: [], unknown: [] },
    {
      name: "a name of the prototype is unknown like any other",
      schema: issues,
      args: { repo: "a", constructor: 1 },
      missing: [],
      unknown: [{ key: "constructor" }],
    },
  ])("$name", ({ schema, args, missing, unknown }) => {
    expect(missingRequired(schema, args)).toEqual(missing);
    expect(unknownKeys(schema, args)).toEqual(unknown);
  });
});

describe("the shape of an object", () => {
  test("parts add up, alternatives require what all of them require", () => {
    const schema: JsonSchema = {
      allOf: [{ $ref: "#/$defs/Base" }, { properties: { b: { type: "string" } }, required: ["b"] }],
      anyOf: [
        { properties: { c: {} }, required: ["c", "x"] },
        { properties: { d: {} }, required: ["x"] },
      ],
      $defs: { Base: { type: "object", properties: { a: { type: "integer" } }, required: ["a"] } },
    };
    const shape = objectShape(schema, schema);
    expect([...shape.properties.keys()]).toEqual(["a", "b", "c", "d"]);
    expect([...shape.required]).toEqual(["a", "b", "x"]);
    expect(shape.open).toBe(false);
    expect(isObjectSchema(schema, schema)).toBe(true);
  });

  test("a part that contains itself ends", () => {
    const schema: JsonSchema = { allOf: [{ $ref: "#" }, { $ref: "#" }], properties: { a: {} } };
    expect([...objectShape(schema, schema).properties.keys()]).toEqual(["a"]);
  });

  test("a malformed schema has no properties", () => {
    const schema = { properties: [1, 2], required: "a" } as unknown as JsonSchema;
    expect(objectShape(schema, schema).properties.size).toBe(0);
    expect(isObjectSchema({ type: ["object", "null"] }, {})).toBe(true);
    expect(isObjectSchema({ type: ["object", "string"] }, {})).toBe(false);
  });
});

test("references are followed; one that leads nowhere allows everything", () => {
  const root: JsonSchema = { $defs: { A: { type: "string" } } };
  expect(resolveSchema({ $ref: "#/$defs/A" }, root)).toEqual({ type: "string" });
  expect(resolveSchema({ $ref: "#/$defs/B", title: "b" }, root)).toEqual({ title: "b" });
  expect(resolveSchema({ $ref: "#/$defs/toString" }, root)).toEqual({});
});

describe("problems of a value", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: {
      name: { type: "string", maxLength: 3 },
      tags: { type: "array", items: { type: "string" }, minItems: 1 },
      at: { type: "object", properties: { x: { type: "number" } }, required: ["x"], additionalProperties: false },
      id: { anyOf: [{ type: "integer" }, { type: "null" }] },
      kind: { enum: ["a", { b: 1 }] },
      pair: { prefixItems: [{ type: "string" }, { type: "integer" }] },
      limit: { $ref: "#/$defs/Limit" },
      never: false,
    },
    $defs: { Limit: { type: "integer", minimum: 1, maximum: 100 } },
  };
  test.each<{ value: unknown; problems: string[] }>([
    {
      value: { name: "abc", tags: ["x"], at: { x: 1 }, id: null, kind: { b: 1 }, pair: ["s", 1], limit: 5 },
      problems: [],
    },
    { value: [], problems: ["args must be an object, not an array"] },
    { value: { name: 5 }, problems: ["args.name must be a string, not 5"] },
    { value: { name: "abcd" }, problems: ["args.name must be at most 3 characters long"] },
    { value: { name: "😀😀😀" }, problems: [] },
    { value: { tags: [] }, problems: ["args.tags must be at least 1 elements long"] },
    { value: { tags: ["a", null] }, problems: ["args.tags[1] must be a string, not null"] },
    { value: { at: { y: 1 } }, problems: ["args.at.x is required", "args.at.y is not a known property"] },
    { value: { id: "1" }, problems: ['args.id must be an integer, not "1"'] },
    { value: { id: 1.5 }, problems: ["args.id must be an integer, not 1.5"] },
    { value: { kind: "c" }, problems: ['args.kind must be one of "a", {"b":1}, not "c"'] },
    { value: { pair: [1, 1] }, problems: ["args.pair[0] must be a string, not 1"] },
    { value: { limit: 0 }, problems: ["args.limit must be at least 1"] },
    { value: { never: 1 }, problems: ["args.never is not allowed"] },
  ])("$value", ({ value, problems }) => expect(problemsOf(value, schema, schema, "args")).toEqual(problems));

  test("a schema that contains itself ends", () => {
    const loop: JsonSchema = { anyOf: [{ $ref: "#" }, { $ref: "#" }, { $ref: "#" }] };
    expect(problemsOf(1, loop, loop)).toEqual([]);
  });
});

describe("types as text", () => {
  test.each<{ schema: JsonSchema; text: string }>([
    { schema: issues, text: '{ repo: string, state?: "open" | "closed", limit?: number }' },
    { schema: { type: "array", items: { type: ["string", "null"] } }, text: "(string | null)[]" },
    {
      schema: { type: "array", items: issues, nullable: true },
      text: `{ repo: string, state?: "open" | "closed", limit?: number }[] | null`,
    },
    { schema: { prefixItems: [{ type: "string" }, { type: "integer" }] }, text: "[string, number]" },
    { schema: { anyOf: [{ type: "integer" }, { type: "number" }, { type: "null" }] }, text: "number | null" },
    { schema: { anyOf: [{ type: "integer" }, {}] }, text: "unknown" },
    { schema: {}, text: "unknown" },
    { schema: { type: "object", properties: { "a-b": {} } }, text: '{ "a-b"?: unknown }' },
    {
      schema: { enum: Array.from({ length: 20 }, (_, i) => i) },
      text: "0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | …",
    },
    { schema: { properties: { next: { $ref: "#" } } }, text: "{ next?: { next?: { next?: object } } }" },
    { schema: { prefixItems: [{ $ref: "#" }] }, text: "[[[unknown[]]]]" },
  ])("$text", ({ schema, text }) => expect(typeText(schema, schema)).toBe(text));
});

describe("schemas of authors", () => {
  test("Zod is recognised by its shape", () => {
    expect(isZodSchema(z.object({}))).toBe(true);
    expect(isZodSchema({ type: "object" })).toBe(false);
    expect(isZodSchema(null)).toBe(false);
  });
  test("a JSON schema passes through, nothing stays nothing", () => {
    expect(toJsonSchema(issues)).toBe(issues);
    expect(toJsonSchema(undefined)).toBeUndefined();
  });
  test("a schema of Zod 3 is refused with the way out", () => {
    expect(() => toJsonSchema({ _def: {}, parse() {} })).toThrow(/Zod 4/);
    expect(() => toJsonSchema("x")).toThrow(TypeError);
  });
  test("a default makes an input optional, and an output certain", () => {
    const schema = z.object({ a: z.string().default("x"), n: z.int() });
    expect(zodToJsonSchema(schema).required).toEqual(["n"]);
    expect(zodToJsonSchema(schema, { io: "output" }).required).toEqual(["a", "n"]);
    expect(zodToJsonSchema(schema).properties?.n).toEqual({ type: "integer" });
  });
});
