/** Values as one text: the same for the same value, another for another one, and none for what can't be told apart. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { canonicalText } from "../../../src/database/policy/canonical.js";
import { Database, defineResource } from "../../../src/index.js";

class Money {
  constructor(
    readonly amount: number,
    readonly currency: string,
  ) {}
}
class Price {
  constructor(
    readonly amount: number,
    readonly currency: string,
  ) {}
}
class Sealed {
  #inner: number;
  constructor(inner: number) {
    this.#inner = inner;
  }
  get inner() {
    return this.#inner;
  }
}
class Shown extends Sealed {
  toJSON() {
    return { inner: this.inner };
  }
}

test("values that differ have different texts", () => {
  const values: unknown[] = [
    null,
    undefined,
    true,
    "true",
    0,
    -0,
    1,
    "1",
    1n,
    Number.NaN,
    "NaN",
    null,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    [],
    [undefined],
    [[]],
    {},
    { a: 1 },
    { a: "1" },
    { a: { b: 1 } },
    new Map(),
    new Map([["a", 1]]),
    new Map([["a", 2]]),
    new Map([["b", 1]]),
    new Map<unknown, number>([[1, 1]]),
    new Map<unknown, number>([["1", 1]]),
    new Map([["a", new Map([["b", 1]])]]),
    new Map([["a", new Map([["b", 2]])]]),
    new Set(),
    new Set(["a"]),
    new Set(["b"]),
    new Set(["a", "b"]),
    ["a", "b"],
    new Set([1, 2]),
    [1, 2],
    Uint8Array.of(1, 2),
    Uint8Array.of(12),
    Int8Array.of(1, 2),
    Uint16Array.of(1, 2),
    Float64Array.of(1),
    Float64Array.of(2),
    new DataView(Uint8Array.of(1, 2).buffer),
    Uint8Array.of(1, 2).buffer,
    new Date(0),
    new Date(1),
    new Date(Number.NaN),
    new Date(0).toISOString(),
    /a/,
    /b/,
    /a/i,
    new URL("https://a.example"),
    new URL("https://b.example"),
    new Money(1, "EUR"),
    new Money(2, "EUR"),
    new Price(1, "EUR"),
    { amount: 1, currency: "EUR" },
    new Shown(1),
    new Shown(2),
    Object(1),
    Object("1"),
    new Error("a"),
    new Error("b"),
    new TypeError("a"),
  ];
  const texts = values.map(canonicalText);
  const twice = texts.filter((text, i) => texts.indexOf(text) !== i);
  expect(twice).toEqual(["null"]); // which is there twice
});

test.each<{ name: string; a: unknown; b: unknown }>([
  { name: "keys in another order", a: { x: 1, y: 2 }, b: { y: 2, x: 1 } },
  {
    name: "entries of a Map in another order",
    a: new Map([
      ["x", 1],
      ["y", 2],
    ]),
    b: new Map([
      ["y", 2],
      ["x", 1],
    ]),
  },
  { name: "members of a Set in another order", a: new Set([1, 2]), b: new Set([2, 1]) },
  { name: "a key without a value", a: { x: 1, y: undefined }, b: { x: 1 } },
  { name: "bytes in a Buffer", a: Buffer.from([1, 2]), b: Uint8Array.of(1, 2) },
  { name: "a part of a buffer", a: Uint16Array.of(1, 2).subarray(1), b: Uint16Array.of(2) },
  { name: "an object without a prototype", a: Object.assign(Object.create(null), { x: 1 }), b: { x: 1 } },
  { name: "NaN", a: Number.NaN, b: 0 / 0 },
])("the same: $name", ({ a, b }) => expect(canonicalText(a)).toBe(canonicalText(b)));

test.each<{ name: string; value: unknown; message: string }>([
  { name: "a function", value: { f: () => 1 }, message: "a function can't be told from another" },
  { name: "a symbol", value: [Symbol("a")], message: "a symbol can't be told from another" },
  {
    name: "an instance that shows nothing",
    value: new Sealed(1),
    message: "a value of class Sealed can't be told from another",
  },
  { name: "a WeakMap", value: new WeakMap(), message: "a value of class WeakMap can't be told from another" },
  { name: "a promise", value: Promise.resolve(1), message: "a value of class Promise can't be told from another" },
  {
    name: "a Map that holds itself",
    value: (() => {
      const map = new Map<string, unknown>();
      return map.set("a", map);
    })(),
    message: "a value holds itself",
  },
])("refused: $name", ({ value, message }) => {
  expect(() => canonicalText(value)).toThrow(new TypeError(message));
});

describe("approvals", () => {
  /** A schema that decodes the tags of a row to what `decode` makes of them. */
  async function world(decode: (tags: string) => unknown, meanwhile: (decoded: unknown) => void = () => undefined) {
    const sent: unknown[] = [];
    const hashes: string[] = [];
    let decoded: unknown;
    const db = await Database.create({
      policy: {
        writes: true,
        approve: async (_, { hash }) => {
          hashes.push(hash);
          meanwhile(decoded);
          return true;
        },
      },
    });
    db.register(
      defineResource({
        name: "posts",
        volatility: "volatile",
        schema: z.object({
          id: z.int(),
          tags: z.string().transform((tags) => {
            decoded = decode(tags);
            return decoded;
          }),
        }),
        insert: ([row]) => {
          sent.push(row);
        },
      }),
    );
    return { db, sent, hashes };
  }

  const insert = "INSERT INTO posts (id, tags) VALUES (1, '\"a\"')";

  test("a Map that is changed while the host is asked is not sent", async () => {
    const { db, sent } = await world(
      (tags) => new Map([["tags", tags]]),
      (decoded) => (decoded as Map<string, string>).set("tags", "other"),
    );
    await expect(db.execute(insert)).rejects.toMatchObject({
      code: "42501",
      detail: "They were changed while the host was asked, so its answer was about others.",
    });
    expect(sent).toEqual([]);
  });

  test("what is not changed is sent", async () => {
    const { db, sent, hashes } = await world((tags) => new Set([tags]));
    await db.execute(insert);
    expect(sent).toEqual([{ id: 1, tags: new Set(["a"]) }]);
    expect(hashes).toHaveLength(1);
  });

  test("what can't be told from something else is refused, with a receipt", async () => {
    const { db, sent, hashes } = await world(() => new Sealed(1));
    await expect(db.execute(insert)).rejects.toMatchObject({
      code: "42501",
      detail: "What they hold can't be compared: a value of class Sealed can't be told from another.",
      receipts: [{ status: "not_tried" }],
    });
    expect([sent, hashes]).toEqual([[], []]);
  });
});
