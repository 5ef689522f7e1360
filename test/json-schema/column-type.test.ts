/** JSON Schema and Zod fields as columns. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { columnTypeOf } from "../../src/json-schema/column-type.js";
import { zodToJsonSchema } from "../../src/json-schema/from-zod.js";
import type { JsonSchema, JsonSchemaNode } from "../../src/json-schema/schema.js";

const root: JsonSchema = {
  $defs: {
    State: { type: "string", enum: ["open", "closed"] },
    Chain: { $ref: "#/$defs/State" },
    Loop: { $ref: "#/$defs/Loop2" },
    Loop2: { $ref: "#/$defs/Loop" },
    "a/b": { type: "integer" },
    Named: { $anchor: "named", type: "boolean" },
    Tree: { anyOf: [{ $ref: "#/$defs/Tree" }, { $ref: "#/$defs/Tree" }, { $ref: "#/$defs/Tree" }, { type: "string" }] },
  },
  definitions: { Old: { type: "number" } },
};

describe("the type of a property", () => {
  test.each<{ name: string; schema: JsonSchemaNode; column: object }>([
    { name: "integer", schema: { type: "integer" }, column: { type: "bigint", nullable: false } },
    { name: "number", schema: { type: "number" }, column: { type: "double precision", nullable: false } },
    { name: "boolean", schema: { type: "boolean" }, column: { type: "boolean", nullable: false } },
    { name: "string", schema: { type: "string" }, column: { type: "text", nullable: false } },
    {
      name: "date-time",
      schema: { type: "string", format: "date-time" },
      column: { type: "timestamptz", nullable: false },
    },
    { name: "date", schema: { type: "string", format: "date" }, column: { type: "date", nullable: false } },
    { name: "uuid stays text", schema: { type: "string", format: "uuid" }, column: { type: "text", nullable: false } },
    {
      name: "labels of an enum, without null",
      schema: { type: ["string", "null"], enum: ["a", "b", null] },
      column: { type: "text", nullable: true, labels: ["a", "b"] },
    },
    {
      name: "an enum without a type",
      schema: { enum: ["a", "b"] },
      column: { type: "text", nullable: false, labels: ["a", "b"] },
    },
    { name: "whole numbers of an enum", schema: { enum: [1, 2] }, column: { type: "bigint", nullable: false } },
    { name: "mixed values of an enum", schema: { enum: [1, "a"] }, column: { type: "jsonb", nullable: false } },
    { name: "a constant", schema: { const: "x" }, column: { type: "text", nullable: false, labels: ["x"] } },
    { name: "array", schema: { type: "array", items: { type: "string" } }, column: { type: "jsonb", nullable: false } },
    { name: "object", schema: { properties: { a: {} } }, column: { type: "jsonb", nullable: false } },
    { name: "unknown", schema: {}, column: { type: "jsonb", nullable: true } },
    { name: "true", schema: true, column: { type: "jsonb", nullable: true } },
    { name: "type list with null", schema: { type: ["integer", "null"] }, column: { type: "bigint", nullable: true } },
    {
      name: "nullable, as OpenAPI writes it",
      schema: { type: "string", nullable: true },
      column: { type: "text", nullable: true },
    },
    {
      name: "nullable beside allOf",
      schema: { nullable: true, allOf: [{ $ref: "#/$defs/State" }] },
      column: { type: "text", nullable: true, labels: ["open", "closed"] },
    },
    {
      name: "anyOf with null",
      schema: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
      column: { type: "timestamptz", nullable: true },
    },
    {
      name: "union of constants is a closed set",
      schema: { oneOf: [{ const: "p" }, { const: "q" }] },
      column: { type: "text", nullable: false, labels: ["p", "q"] },
    },
    {
      name: "an open alternative opens the set",
      schema: { anyOf: [{ const: "p" }, { type: "string" }] },
      column: { type: "text", nullable: false },
    },
    {
      name: "a union of unlike types",
      schema: { type: ["string", "integer"] },
      column: { type: "jsonb", nullable: false },
    },
    {
      name: "integer or number",
      schema: { anyOf: [{ type: "integer" }, { type: "number" }] },
      column: { type: "double precision", nullable: false },
    },
    {
      name: "an alternative that says nothing",
      schema: { anyOf: [{ type: "integer" }, {}] },
      column: { type: "jsonb", nullable: true },
    },
    {
      name: "a part that narrows",
      schema: { type: "string", allOf: [{ format: "date" }] },
      column: { type: "date", nullable: false },
    },
    {
      name: "parts with labels",
      schema: { allOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] },
      column: { type: "text", nullable: false, labels: ["b"] },
    },
    {
      name: "a chain of references; words beside it win",
      schema: { $ref: "#/$defs/Chain", description: "State now" },
      column: { type: "text", nullable: false, labels: ["open", "closed"], description: "State now" },
    },
    {
      name: "definitions",
      schema: { $ref: "#/definitions/Old" },
      column: { type: "double precision", nullable: false },
    },
    { name: "an escaped pointer", schema: { $ref: "#/$defs/a~1b" }, column: { type: "bigint", nullable: false } },
    {
      name: "a percent-escaped pointer",
      schema: { $ref: "#/%24defs/a~1b" },
      column: { type: "bigint", nullable: false },
    },
    { name: "an anchor", schema: { $ref: "#named" }, column: { type: "boolean", nullable: false } },
    { name: "a dangling reference", schema: { $ref: "#/$defs/Nowhere" }, column: { type: "jsonb", nullable: true } },
    {
      name: "a reference out",
      schema: { $ref: "https://x.example/s.json" },
      column: { type: "jsonb", nullable: true },
    },
    { name: "a reference in a circle", schema: { $ref: "#/$defs/Loop" }, column: { type: "jsonb", nullable: true } },
    {
      name: "a format named as a property that every object has",
      schema: { type: "string", format: "constructor" },
      column: { type: "text", nullable: false },
    },
    { name: "such a format alone", schema: { format: "toString" }, column: { type: "jsonb", nullable: true } },
    { name: "a malformed escape", schema: { $ref: "#/%zz" }, column: { type: "jsonb", nullable: true } },
    {
      name: "a type of its own",
      schema: { type: "string", pgType: "citext" },
      column: { type: "citext", nullable: false },
    },
  ])("$name", ({ schema, column }) => expect(columnTypeOf(schema, root)).toEqual(column));

  // Followed to the end it would be 3^n readings: the limit on nodes makes an answer of it.
  test("a union that contains itself three times over ends", () => {
    expect(columnTypeOf({ $ref: "#/$defs/Tree" }, root).nullable).toBe(true);
  });
});

describe("the type of a Zod field", () => {
  test.each([
    { name: "date", field: z.date(), type: "timestamptz", nullable: false },
    { name: "nullable date", field: z.date().nullable(), type: "timestamptz", nullable: true },
    { name: "coerced date", field: z.coerce.date(), type: "timestamptz", nullable: false },
    { name: "iso datetime", field: z.iso.datetime(), type: "timestamptz", nullable: false },
    { name: "iso date", field: z.iso.date(), type: "date", nullable: false },
    { name: "int", field: z.int(), type: "bigint", nullable: false },
    { name: "bigint", field: z.bigint(), type: "bigint", nullable: false },
    { name: "number", field: z.number(), type: "double precision", nullable: false },
    { name: "map", field: z.map(z.string(), z.number()), type: "jsonb", nullable: true },
    { name: "record", field: z.record(z.string(), z.number()), type: "jsonb", nullable: false },
    {
      name: "transform, as it is passed in",
      field: z.string().transform((s) => s.length),
      type: "text",
      nullable: false,
    },
    { name: "pgType", field: z.string().meta({ pgType: "uuid" }), type: "uuid", nullable: false },
  ])("$name", ({ field, type, nullable }) => {
    const schema = zodToJsonSchema(z.object({ field }));
    expect(columnTypeOf(schema.properties?.field ?? false, schema)).toMatchObject({ type, nullable });
  });
});
