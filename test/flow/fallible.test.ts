/** Which expressions over a strictly hidden value are refused because they fail for some values, and which are not. */
import { describe, expect, test } from "vitest";
import { Database, SqlError } from "../../src/index.js";
import { Recorder } from "../support/recording.js";

async function world() {
  const recorder = new Recorder();
  const policy = { writes: true, flows: [{ label: "secret", to: "result", strict: true }] };
  const db = await Database.create({ policy });
  const column = (name: string, type: string) => ({ name, type, labels: ["secret"] });
  db.registerAll([
    recorder.resource({
      name: "vault",
      columns: [
        { name: "id", type: "bigint" },
        column("word", "text"),
        column("bytes", "bytea"),
        column("amount", "numeric"),
        column("size", "int"),
        column("ratio", "double precision"),
        column("day", "date"),
        column("at", "timestamp"),
        column("span", "interval"),
        column("raw", "json"),
        column("doc", "jsonb"),
        column("list", "int[]"),
        column("words", "text[]"),
      ],
      rows: [],
    }),
    recorder.resource({ name: "notes", columns: [{ name: "body", type: "text" }], rows: [], verbs: ["insert"] }),
  ]);
  return { db, recorder };
}

async function failure(run: Promise<unknown>): Promise<SqlError | undefined> {
  try {
    await run;
    return undefined;
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
  }
}

/** What goes to `notes`, which no rule forbids: only that it may fail is told to the reader of the result. */
const written = (expr: string) => `INSERT INTO notes (body) SELECT (${expr})::text FROM vault`;

describe("refused before any call, since PostgreSQL fails for some value", () => {
  test.each([
    { expr: "array_position(list, 1)", value: "array_position('{{1,2}}'::int[], 1)", code: "0A000" },
    { expr: "array_position('{1}'::int[], 1, size)", value: "array_position('{1}'::int[], 1, NULL)", code: "22004" },
    { expr: "to_jsonb(raw)", value: `to_jsonb('"\\u0000"'::json)`, code: "22P05" },
    { expr: "jsonb_build_array(raw)", value: `jsonb_build_array('"\\u0000"'::json)`, code: "22P05" },
    { expr: "raw -> 'a'", value: `'{"\\u0000": 1}'::json -> 'a'`, code: "22P05" },
    { expr: "raw ->> 0", value: `'["\\u0000"]'::json ->> 0`, code: "22P05" },
    { expr: "raw #>> '{a}'", value: `'{"a": "\\u0000"}'::json #>> '{a}'`, code: "22P05" },
    { expr: "length(bytes, 'utf8')", value: "length('\\xff'::bytea, 'utf8')", code: "22021" },
    { expr: "amount * 10", value: "1e131071::numeric * 10", code: "22003" },
    { expr: "amount + 1", value: "9e131071::numeric + 9e131071::numeric", code: "22003" },
    { expr: "amount - 1", value: "-9e131071::numeric - 9e131071::numeric", code: "22003" },
    { expr: "-size", value: "-('-2147483648'::int)", code: "22003" },
    { expr: "abs(size)", value: "abs('-2147483648'::int)", code: "22003" },
    { expr: "date_trunc('month', at)", value: "date_trunc('month', '4714-11-24 BC'::timestamp)", code: "22008" },
    { expr: "coalesce(at, day)", value: "'5874897-12-31'::date::timestamp", code: "22008" },
    { expr: "greatest(ratio, amount)", value: "1e400::numeric::float8", code: "22003" },
    { expr: "ARRAY[list, list]", value: "ARRAY['{1}'::int[], '{1,2}'::int[]]", code: "2202E" },
    { expr: "'a' LIKE ANY (words)", value: "'ab' LIKE ANY ('{\"a\\\\\"}'::text[])", code: "22025" },
    { expr: "replace('a', 'a', word)", value: undefined, code: "" },
    { expr: "bit_length(word)", value: undefined, code: "" },
  ])("$expr", async ({ expr, value, code }) => {
    const { db, recorder } = await world();
    const error = await failure(db.execute(written(expr)));
    expect(error).toMatchObject({
      code: "42501",
      message: 'an expression over values labelled "secret" could fail, which would tell what they are',
    });
    expect(recorder.calls).toEqual([]);
    if (value !== undefined) expect((await failure(db.execute(`SELECT ${value}`)))?.code).toBe(code);
  });

  test.each([
    {
      name: "beside a value of the reader's own",
      expr: "v",
      from: "(SELECT amount v FROM vault UNION ALL SELECT 9) x",
    },
    { name: "in the place of NULL", expr: "coalesce(amount, 9)", from: "vault" },
    { name: "of intervals", expr: "coalesce(span, '1 day')", from: "vault" },
  ])("a sum $name", async ({ expr, from }) => {
    for (const sum of [`sum(${expr})`, `avg(${expr})`, `sum(${expr}) OVER ()`]) {
      const { db, recorder } = await world();
      const error = await failure(db.execute(`INSERT INTO notes (body) SELECT (${sum})::text FROM ${from}`));
      expect(error?.message).toContain("could fail");
      expect(recorder.calls).toEqual([]);
    }
    const { db } = await world();
    const overflow = "SELECT sum(x) FROM (VALUES (9e131071::numeric), (9e131071::numeric)) v(x)";
    expect((await failure(db.execute(overflow)))?.code).toBe("22003");
  });
});

test.each([
  "lower(word)",
  "left(word, size)",
  "word || 'x'",
  "replace(word, 'a', 'b')",
  "length(word)",
  "length(bytes)",
  "md5(bytes)",
  "ascii(word)",
  "-amount",
  "-ratio",
  "to_jsonb(amount)",
  "to_json(raw)",
  "jsonb_build_array(word, ratio)",
  "doc -> 'a'",
  "doc #>> '{a}'",
  "extract(month FROM at)",
  "date_trunc('day', at)",
  "isfinite(day)",
  "ARRAY[[size, 1], [2, size]]",
  "word LIKE ANY (ARRAY['a%', 'b%'])",
  "size = ANY (list)",
  "array_to_string(list, ',')",
  "sum(amount)",
  "avg(ratio)",
  "sum(size)",
])("not refused: %s", async (expr) => {
  const { db } = await world();
  expect(await failure(db.execute(written(expr)))).toBeUndefined();
});
