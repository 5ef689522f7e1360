/** What resolvers may get wrong: it is an error in words, never rows full of NULL. */
import { describe, expect, test } from "vitest";
import { Database, defineResource, type ResourceTable, SqlError } from "../../src/index.js";

const columns = [{ name: "a", type: "bigint" }];

async function answerOf(select: () => unknown): Promise<unknown> {
  const db = await Database.create();
  db.register(
    defineResource({ name: "x", volatility: "volatile", columns, select: select as ResourceTable["select"] }),
  );
  return db.execute("SELECT a FROM x").then(
    (result) => result.rows,
    (error: unknown) => error,
  );
}

describe("answers that are no rows", () => {
  test.each<{ name: string; select: () => unknown; detail: string }>([
    { name: "a Set", select: () => new Set([{ a: 1 }]), detail: "it gave a Set; give an array" },
    { name: "a Map", select: () => new Map([["a", 1]]), detail: "it gave a Map; give an array" },
    {
      name: "a generator",
      select: function* () {
        yield [{ a: 1 }];
      },
      detail: "it gave a Generator; give an array",
    },
    { name: "promises of rows", select: () => [Promise.resolve({ a: 1 })], detail: "Row 1 is Promise." },
    { name: "a list in a list", select: () => [{ a: 1 }, [{ a: 2 }]], detail: "Row 2 is an array." },
    { name: "an envelope", select: () => ({ items: [{ a: 1 }], total: 1 }), detail: "Row 1 has: items, total." },
    { name: "other names", select: () => [{ a: 1 }, { A: 2 }], detail: "Row 2 has: A." },
  ])("$name", async ({ select, detail }) => {
    const error = await answerOf(select);
    expect(error).toBeInstanceOf(SqlError);
    expect(error).toMatchObject({ code: "HV000", detail: expect.stringContaining(detail) });
  });

  test("a row may be empty, and may have its values from a class", async () => {
    class Row {
      get a() {
        return 3;
      }
    }
    expect(await answerOf(() => [{}, new Row(), Object.create({ a: 7 })])).toEqual([{ a: null }, { a: 3 }, { a: 7 }]);
  });
});

describe("a key that is left out of the rows", () => {
  const world = async (options: Partial<ResourceTable>) => {
    const db = await Database.create();
    db.register(
      defineResource({
        name: "x",
        volatility: "volatile",
        columns: [{ name: "k", type: "text", requiredKey: true }, { name: "tag", type: "text" }, ...columns],
        select: () => [{ a: 1 }, { a: 2 }],
        ...options,
      }),
    );
    return db;
  };

  test("is filled in when the call had one value of it", async () => {
    const db = await world({ batch: { keys: true } });
    expect((await db.execute("SELECT k, a FROM x WHERE k = 'p'")).rows).toEqual([
      { k: "p", a: 1 },
      { k: "p", a: 2 },
    ]);
  });

  test.each([
    { name: "a batched key", options: { batch: { keys: true } }, where: "k IN ('p', 'q')", column: "k" },
    {
      name: "an alternative that goes along",
      options: { keyAlternatives: [["a", "tag"]] },
      where: "k = 'p' AND a = 1 AND tag IN ('p', 'q')",
      column: "tag",
    },
  ])("is an error when it had several, not rows that no condition holds for: $name", async (given) => {
    const db = await world(given.options);
    await expect(db.execute(`SELECT count(*) FROM x WHERE ${given.where}`)).rejects.toMatchObject({
      code: "HV000",
      message: `resource "x" gave a row without "${given.column}"`,
    });
  });
});

test.each<{ name: string; reason: unknown; words: string }>([
  { name: "a text", reason: "boom", words: "boom" },
  { name: "nothing", reason: undefined, words: "no reason was given" },
  { name: "an object", reason: { code: 1 }, words: '{"code":1}' },
  { name: "an object with a message", reason: { message: "no such page" }, words: "no such page" },
  { name: "an object that is no text", reason: Object.create(null), words: "{}" },
  { name: "an error without words", reason: new RangeError(""), words: "RangeError" },
])("a resolver that throws $name", async ({ reason, words }) => {
  expect(await answerOf(() => Promise.reject(reason))).toMatchObject({ code: "HV000", detail: words });
});

describe("names", () => {
  test.each(["constructor", "toString", "hasOwnProperty", "a b", 'a"b', "é😀", "select", "$1"])(
    "a column called %s is bound, written and shown",
    async (name) => {
      const quoted = `"${name.replaceAll('"', '""')}"`;
      const written: unknown[] = [];
      const db = await Database.create({ policy: { writes: true } });
      db.register(
        defineResource({
          name,
          volatility: "volatile",
          columns: [
            { name, type: "text", requiredKey: true },
            { name: "v", type: "text" },
          ],
          select: (bindings) => [{ v: `of ${bindings.one(name)}` }],
          insert: ([row]) => written.push(row),
          delete: (bindings) => written.push(bindings.one(name)),
        }),
      );
      const { rows, touched } = await db.execute(`SELECT * FROM ${quoted} WHERE ${quoted} IN ('k', 'l') ORDER BY 1`);
      expect(rows).toEqual(
        ["k", "l"].map((key) =>
          Object.fromEntries([
            [name, key],
            ["v", `of ${key}`],
          ]),
        ),
      );
      expect(Object.entries(touched[0].bindings)).toEqual([[name, ["k", "l"]]]);
      await db.execute(`INSERT INTO ${quoted} (${quoted}) VALUES ('n')`);
      await db.execute(`DELETE FROM ${quoted} WHERE ${quoted} = 'n'`);
      expect(written).toEqual([Object.fromEntries([[name, "n"]]), "n"]);
    },
  );

  test.each<{ name: string; table?: string; column?: string; type?: string; message: string }>([
    { name: "a name that SQL cuts", table: "n".repeat(64), message: "is too long: 64 bytes, where SQL takes 63" },
    { name: "a column that SQL cuts", column: "é".repeat(32), message: "is too long: 64 bytes" },
    { name: "an empty column", column: "", message: 'the name of column "" is empty' },
    { name: "NUL", column: "a\0", message: "contains a NUL character" },
    { name: "the prototype", column: "__proto__", message: "is not possible for a property" },
  ])("$name is refused", ({ table, column, message }) => {
    expect(() =>
      defineResource({
        name: table ?? "x",
        volatility: "stable",
        columns: [{ name: column ?? "a", type: "text" }],
        select: () => [],
      }),
    ).toThrow(message);
  });
});

describe("lists and documents as required keys", () => {
  test.each<{ name: string; type: string; where: string; keys: unknown[] }>([
    { name: "jsonb", type: "jsonb", where: `k = '["a", "b"]'`, keys: [["a", "b"]] },
    { name: "a computed document", type: "jsonb", where: "k = jsonb_build_array('a')", keys: [["a"]] },
    {
      name: "several documents",
      type: "jsonb",
      where: `k IN ('{"a": 1}', '{"a": 2}', '{"a":1}')`,
      keys: [{ a: 1 }, { a: 2 }],
    },
    { name: "an array", type: "text[]", where: "k = ARRAY['a,b', 'c']", keys: [["a,b", "c"]] },
    { name: "arrays that look alike", type: "text[]", where: `k IN ('{"a,b"}', '{a,b}')`, keys: [["a,b"], ["a", "b"]] },
  ])("$name", async ({ type, where, keys }) => {
    const asked: unknown[] = [];
    const db = await Database.create();
    db.register(
      defineResource({
        name: "t",
        volatility: "stable",
        columns: [
          { name: "k", type, requiredKey: true },
          { name: "v", type: "bigint" },
        ],
        select: (bindings) => [{ v: asked.push(bindings.one("k")) }],
      }),
    );
    const { rows } = await db.execute(`SELECT k, v FROM t WHERE ${where} ORDER BY v`);
    expect(asked).toEqual(keys);
    expect(rows).toEqual(keys.map((k, i) => ({ k, v: i + 1 })));
  });
});

test("what is done to a result stays out of the cache and of the resource's own objects", async () => {
  const own = { doc: { list: [1] }, tags: ["x"] };
  const db = await Database.create();
  db.register(
    defineResource({
      name: "t",
      volatility: "immutable",
      columns: [
        { name: "doc", type: "jsonb" },
        { name: "tags", type: "text[]" },
      ],
      select: () => [own],
    }),
  );
  const { rows } = await db.execute("SELECT doc, tags FROM t");
  (rows[0].doc as { list: number[] }).list.push(2);
  (rows[0].tags as string[]).push("y");
  rows[0].more = true;
  expect((await db.execute("SELECT * FROM t")).rows).toEqual([{ doc: { list: [1] }, tags: ["x"] }]);
  expect(own).toEqual({ doc: { list: [1] }, tags: ["x"] });
});
