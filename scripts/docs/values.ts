/** How values look in rows, which is what JSON.stringify makes of them. One literal or more for each type. */
import type { types } from "../../src/types/type.js";

type BaseType = Exclude<
  keyof typeof types,
  "unknown" | "void" | "record" | `any${string}` | `reg${string}` | "jsonpath" | "oid"
>;

export const examples: Readonly<Record<BaseType, readonly string[]>> = {
  bool: ["true"],
  int2: ["7::int2"],
  int4: ["42"],
  int8: ["9007199254740991", "9007199254740993"],
  numeric: ["1.50", "0.1 + 0.2", "1e30::numeric"],
  float4: ["0.1::float4"],
  float8: ["0.1::float8 + 0.2", "'Infinity'::float8"],
  text: ["'it''s'"],
  varchar: ["'abcdef'::varchar(3)"],
  bpchar: ["'ab'::char(4)"],
  char: ["'a'::\"char\""],
  name: ["'pr'::name"],
  citext: ["'Open'::citext"],
  bytea: ["'\\xdeadbeef'::bytea"],
  uuid: ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid"],
  date: ["DATE '2024-02-29'", "DATE 'infinity'"],
  time: ["TIME '04:05:06.5'"],
  timetz: ["'04:05:06+02'::timetz"],
  timestamp: ["TIMESTAMP '2024-02-29 04:05:06.123456'"],
  timestamptz: ["TIMESTAMPTZ '2024-02-29 04:05:06+02'"],
  interval: ["INTERVAL '1 year 2 days 03:04:05.5'"],
  json: [`'{"b": 1, "a": [true, null]}'::json`],
  jsonb: [`'{"b": 1, "a": [true, null]}'::jsonb`],
};

export const composite: readonly string[] = [
  "ARRAY[1, NULL, 3]",
  "ARRAY[['a', 'b'], ['c', 'd']]",
  "ROW(1, 'a')",
  "NULL",
];
