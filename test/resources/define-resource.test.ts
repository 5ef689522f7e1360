/** The typed front of resources: what the schema says is what resolvers, columns and checks say. */
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { type Bindings, columnsFromZod, Database, defineResource, resourceFromTool } from "../../src/index.js";

const schema = z.object({
  repo: z.string().describe("owner/name"),
  number: z.int(),
  score: z.number().optional(),
  at: z.date(),
  seen: z.iso.datetime().nullable(),
  day: z.iso.date(),
  big: z.bigint(),
  state: z.enum(["open", "closed"]),
  labels: z.array(z.string()),
  id: z.string().meta({ pgType: "uuid" }),
});

describe("columnsFromZod", () => {
  test("types, nullability, labels, descriptions", () => {
    expect(columnsFromZod(schema, ["repo"])).toEqual([
      { name: "repo", type: "text", description: "owner/name", requiredKey: true, nullable: false },
      { name: "number", type: "bigint", nullable: false },
      { name: "score", type: "double precision", nullable: true },
      { name: "at", type: "timestamptz", nullable: false, asDate: true },
      { name: "seen", type: "timestamptz", nullable: true },
      { name: "day", type: "date", nullable: false },
      { name: "big", type: "bigint", nullable: false },
      { name: "state", type: "text", nullable: false, enum: ["open", "closed"] },
      { name: "labels", type: "jsonb", nullable: false },
      { name: "id", type: "uuid", nullable: false },
    ]);
  });

  test("a key must be a field", () => {
    expect(() => columnsFromZod(schema, ["nope"])).toThrow('key "nope" is not a field of the schema');
  });
});

test("resolvers are typed by the schema", () => {
  defineResource({
    name: "t",
    volatility: "stable",
    schema,
    keys: ["repo", "number"],
    select: (bindings, context) => {
      expectTypeOf(bindings.one("repo")).toEqualTypeOf<string>();
      expectTypeOf(bindings.one("number")).toEqualTypeOf<number>();
      expectTypeOf(bindings.one("state")).toEqualTypeOf<"open" | "closed" | undefined>();
      expectTypeOf(bindings.all("at")).toEqualTypeOf<Date[]>();
      expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
      // @ts-expect-error a column that the schema does not have
      bindings.one("nope");
      return [];
    },
    insert: (rows) => {
      expectTypeOf(rows).toEqualTypeOf<[z.output<typeof schema>, ...z.output<typeof schema>[]]>();
    },
    update: (set, bindings) => {
      expectTypeOf(set.state).toEqualTypeOf<"open" | "closed" | undefined>();
      expectTypeOf(bindings.one("number")).toEqualTypeOf<number>();
    },
  });
  const unknownKey = { name: "t", volatility: "stable" as const, schema, keys: ["nope"], select: () => [] };
  // @ts-expect-error a key that the schema does not have
  expect(() => defineResource(unknownKey)).toThrow('key "nope"');
  const rowOf = z.object({ id: z.int(), title: z.string() });
  // The key may be left out of a row, another column may not.
  defineResource({ name: "t", volatility: "stable", schema: rowOf, keys: ["id"], select: () => ({ title: "x" }) });
  // @ts-expect-error title is missing
  defineResource({ name: "t", volatility: "stable", schema: rowOf, keys: ["id"], select: () => ({ id: 1 }) });
});

describe("what cannot be a table is refused when it is defined or registered", () => {
  const column = { name: "a", type: "text" };
  test.each([
    { name: "no verb", options: { columns: [column] }, message: /at least one verb/ },
    { name: "no column", options: { columns: [], select: () => [] }, message: /at least one column/ },
    {
      name: "two columns of one name",
      options: { columns: [column, column], select: () => [] },
      message: /"a" is declared twice/,
    },
    {
      name: "a primary key that is no column",
      options: { columns: [column], primaryKey: ["b"], select: () => [] },
      message: /"b" does not exist/,
    },
    {
      name: "an unknown type",
      options: { columns: [{ name: "a", type: "txet" }], select: () => [] },
      message: /column "a": type "txet" does not exist/,
    },
  ])("$name", async ({ options, message }) => {
    const db = await Database.create();
    expect(() => db.register(defineResource({ name: "t", volatility: "stable", ...options }))).toThrow(message);
  });
});

describe("rows as resolvers may give them", () => {
  const of = (select: (bindings: Bindings) => unknown) =>
    defineResource({
      name: "t",
      volatility: "volatile",
      columns: [
        { name: "a", type: "bigint" },
        { name: "b", type: "jsonb" },
      ],
      select: select as never,
    });

  test.each([
    { name: "an array", select: () => [{ a: 1 }, { a: 2 }], rows: [1, 2] },
    { name: "one row", select: () => ({ a: 1 }), rows: [1] },
    { name: "null", select: () => null, rows: [] },
    { name: "nothing", select: () => undefined, rows: [] },
    {
      name: "pages",
      select: async function* () {
        yield [{ a: 1 }];
        yield [];
        yield [{ a: 3 }];
      },
      rows: [1, 3],
    },
  ])("$name", async ({ select, rows }) => {
    const db = (await Database.create()).register(of(select));
    expect((await db.execute("SELECT a FROM t")).rows.map((row) => row.a)).toEqual(rows);
  });

  test.each([
    { name: "a row that is no object", select: () => [1], message: 'resource "t" gave a row that is not an object' },
    {
      name: "a value of another type",
      select: () => [{ a: 1 }, { a: "x" }],
      message: 'resource "t" gave a value for column "a" that is not a bigint',
    },
    {
      name: "a resolver that throws",
      select: () => Promise.reject(new Error("boom")),
      message: 'reading table "t" failed',
    },
  ])("$name is an error", async ({ select, message }) => {
    const db = (await Database.create()).register(of(select));
    await expect(db.execute("SELECT a FROM t")).rejects.toMatchObject({ code: "HV000", message });
  });

  test("objects are neither copied nor changed", async () => {
    const rows = Object.freeze([Object.freeze({ a: 1, b: Object.freeze({ deep: [1] }) })]);
    const db = (await Database.create()).register(of(() => rows));
    expect((await db.execute("SELECT a, b, b -> 'deep' AS d FROM t")).rows).toEqual([
      { a: 1, b: { deep: [1] }, d: [1] },
    ]);
  });

  test("a resolver that ignores its signal does not hold the statement", async () => {
    const db = (await Database.create()).register(of(() => new Promise(() => undefined)));
    await expect(db.execute("SELECT a FROM t", { timeoutMs: 30 })).rejects.toMatchObject({ code: "57014" });
    await expect(db.execute("SELECT a FROM t", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "57014",
    });
  });
});

describe("resourceFromTool", () => {
  const tool = {
    name: "search",
    description: "Searches",
    inputSchema: z.object({ query: z.string().describe("Words"), page: z.int().optional() }),
    do: async (input: { query: string; page?: number }) =>
      input.query === "bad"
        ? { status: "error", data: null, message: "no such word" }
        : { status: "success", data: { hits: [{ title: input.query, page: input.page ?? 1 }] } },
  };

  test("input fields are columns, required ones required keys", () => {
    const resource = resourceFromTool(tool, {
      name: "web",
      volatility: "volatile",
      schema: z.object({ title: z.string() }),
    });
    expect(resource.description).toBe("Searches");
    expect(resource.columns).toEqual([
      { name: "title", type: "text", nullable: false },
      { name: "query", type: "text", nullable: false, description: "Words", requiredKey: true, argument: true },
      { name: "page", type: "bigint", nullable: true, argument: true },
    ]);
  });

  test("rows(), inputs and buildInput", async () => {
    const db = await Database.create();
    db.register(
      resourceFromTool(tool, {
        name: "web",
        volatility: "volatile",
        columns: [{ name: "title", type: "text" }],
        inputs: { query: { column: "words" } },
        rows: (data) => (data as { hits: object[] }).hits,
      }),
    );
    expect((await db.execute("SELECT title, words, page FROM web WHERE words = 'sql' AND page = 2")).rows).toEqual([
      { title: "sql", words: "sql", page: 2 },
    ]);
    await expect(db.execute("SELECT title FROM web WHERE words = 'bad'")).rejects.toMatchObject({
      code: "HV000",
      detail: expect.stringContaining("no such word"),
    });
  });

  test("a tool with an effect is an INSERT", async () => {
    const sent: unknown[] = [];
    const db = await Database.create({ policy: { writes: true } });
    db.register(
      resourceFromTool(
        {
          name: "send",
          inputSchema: z.object({ to: z.string(), text: z.string() }),
          call: async (input) => sent.push(input),
        },
        { name: "message", op: "insert", volatility: "volatile" },
      ),
    );
    await db.execute(`INSERT INTO message ("to", text) VALUES ('a', 'hi')`);
    expect(sent).toEqual([{ to: "a", text: "hi" }]);
  });
});

test("a column of z.bigint() takes every whole number, small ones too", async () => {
  const written: unknown[] = [];
  const db = await Database.create({ policy: { writes: true } });
  db.register(
    defineResource({
      name: "counter",
      volatility: "volatile",
      schema: z.object({ id: z.bigint() }),
      primaryKey: ["id"],
      insert: async (rows) => written.push(...rows),
    }),
  );
  await db.execute("INSERT INTO counter VALUES (1), (-9007199254740993)");
  expect(written).toEqual([{ id: 1n }, { id: -9007199254740993n }]);
});
