/** Answers in pages: read to the end or not at all, stopped when there is enough, never twice round. */
import { describe, expect, test } from "vitest";
import { Database, defineResource, type Limits, type Page, pages, type ResourceTable } from "../../src/index.js";

interface World {
  db: Database;
  /** Pages that were asked for. */
  asked: unknown[];
  /** Whether the iterator was told that no more is wanted. */
  closed: boolean;
}

/** A table whose pages are what `pageOf` gives; it ends with `undefined`. */
async function world(
  pageOf: (number: number) => unknown,
  options: Partial<ResourceTable> = {},
  limits: Limits = {},
): Promise<World> {
  const seen: World = { db: await Database.create({ limits }), asked: [], closed: false };
  seen.db.register(
    defineResource({
      name: "log",
      volatility: "stable",
      columns: [{ name: "id", type: "bigint" }],
      accepts: { limit: true },
      select: async function* () {
        try {
          for (let number = 1; ; number++) {
            seen.asked.push(number);
            const page = pageOf(number);
            if (page === undefined) return;
            yield page as never;
          }
        } finally {
          seen.closed = true;
        }
      },
      ...options,
    }),
  );
  return seen;
}

const tens = (number: number) => Array.from({ length: 10 }, (_, i) => ({ id: (number - 1) * 10 + i }));

describe("reading", () => {
  test("to the end, with empty pages between", async () => {
    const { db, asked } = await world((number) => [tens(1), [], tens(2), []][number - 1]);
    expect((await db.execute("SELECT count(*) AS n FROM log")).rows).toEqual([{ n: 20 }]);
    expect(asked).toEqual([1, 2, 3, 4, 5]);
  });

  test("a LIMIT that is passed on stops it, and the iterator is closed", async () => {
    const seen = await world((number) => (number <= 10 ? tens(number) : undefined));
    const { rows } = await seen.db.execute("SELECT id FROM log LIMIT 12");
    expect(rows.map((row) => row["id"])).toEqual([...tens(1), ...tens(2)].slice(0, 12).map((row) => row.id));
    expect(seen.asked).toEqual([1, 2]);
    expect(seen.closed).toBe(true);
  });

  test("an iterator that hangs when it is closed does not hold the statement", async () => {
    let returned = 0;
    const { db } = await world(() => undefined, {
      select: () => ({
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ done: false as const, value: tens(1) }),
          return: () => {
            returned += 1;
            return new Promise<never>(() => undefined);
          },
        }),
      }),
    });
    expect((await db.execute("SELECT id FROM log LIMIT 3")).rows).toHaveLength(3);
    expect(returned).toBe(1);
  });

  test("without a limit above it, all pages are read although few rows are shown", async () => {
    const { db, asked } = await world((number) => (number <= 3 ? tens(number) : undefined));
    const result = await db.execute("SELECT id FROM log", { limit: 5 });
    expect([result.rows.length, result.truncated]).toEqual([5, true]);
    expect(asked).toEqual([1, 2, 3, 4]);
  });
});

describe("what is no whole answer is an error", () => {
  test.each<{ name: string; page: unknown; words: string }>([
    { name: "an envelope", page: { items: [] }, words: "page 2 is Object, not an array" },
    { name: "a single row", page: { id: 1 }, words: "page 2 is Object, not an array" },
    { name: "null", page: null, words: "page 2 is null, not an array" },
    { name: "a text", page: "[]", words: "page 2 is string, not an array" },
  ])("a page that is $name", async ({ page, words }) => {
    const seen = await world((number) => (number === 1 ? tens(1) : page));
    await expect(seen.db.execute("SELECT count(*) FROM log")).rejects.toMatchObject({
      code: "HV000",
      detail: expect.stringContaining(words),
    });
    expect(seen.closed).toBe(true);
  });

  test("an error after some pages: COUNT never counts a part", async () => {
    const { db } = await world((number) => {
      if (number === 3) throw new Error("page 3 is gone");
      return tens(number);
    });
    await expect(db.execute("SELECT count(*) FROM log")).rejects.toMatchObject({
      code: "HV000",
      detail: "page 3 is gone",
    });
  });

  test("more pages than the resource may have", async () => {
    const seen = await world(tens, { maxPages: 3 });
    await expect(seen.db.execute("SELECT count(*) FROM log")).rejects.toMatchObject({
      code: "HV000",
      message: 'reading table "log" took more than 3 pages',
    });
    expect(seen.closed).toBe(true);
    const three = await world((number) => (number <= 3 ? tens(number) : undefined), { maxPages: 3 });
    expect((await three.db.execute("SELECT count(*) AS n FROM log")).rows).toEqual([{ n: 30 }]);
  });

  test("more rows than a statement may hold, before the last page is there", async () => {
    const seen = await world(tens, {}, { rows: 25 });
    await expect(seen.db.execute("SELECT count(*) FROM log")).rejects.toMatchObject({
      code: "53400",
      message: "statement needs more than 25 rows in memory",
    });
    expect(seen.asked).toEqual([1, 2, 3]);
  });
});

describe("pages()", () => {
  /** Pages by cursor: what each cursor leads to. */
  async function read(
    service: Record<string, Page<{ id: number }, unknown>>,
    options: { maxPages?: number; sql?: string } = {},
  ) {
    const cursors: unknown[] = [];
    const db = await Database.create();
    db.register(
      defineResource({
        name: "log",
        volatility: "stable",
        columns: [{ name: "id", type: "bigint" }],
        accepts: { limit: true },
        select: (_, ctx) =>
          pages<{ id: number }, unknown>({
            signal: ctx.signal,
            ...(options.maxPages !== undefined && { maxPages: options.maxPages }),
            fetch: (cursor, { number }) => {
              cursors.push([number, cursor]);
              return service[String(cursor)];
            },
          }),
      }),
    );
    const answer = await db.execute(options.sql ?? "SELECT id FROM log").then(
      ({ rows }) => rows.map((row) => row["id"]),
      (error: unknown) => error,
    );
    return { answer, cursors };
  }

  test("follows cursors of any type until there is none", async () => {
    const { answer, cursors } = await read({
      undefined: { rows: [{ id: 1 }], next: "a" },
      a: { rows: [], next: 7 },
      7: { rows: [{ id: 2 }], next: null },
    });
    expect(answer).toEqual([1, 2]);
    expect(cursors).toEqual([
      [1, undefined],
      [2, "a"],
      [3, 7],
    ]);
  });

  test("an empty cursor is the end, as services give it", async () => {
    expect((await read({ undefined: { rows: [{ id: 1 }], next: "" } })).answer).toEqual([1]);
  });

  test("a cursor that comes twice is refused by its name", async () => {
    const { answer, cursors } = await read({
      undefined: { rows: [{ id: 1 }], next: "a" },
      a: { rows: [{ id: 2 }], next: "b" },
      b: { rows: [{ id: 3 }], next: "a" },
    });
    expect(answer).toMatchObject({ code: "HV000", message: 'the service gave the cursor "a" a second time' });
    expect(cursors).toHaveLength(3);
  });

  test("asks for no page that is not wanted", async () => {
    const service = { undefined: { rows: [{ id: 1 }, { id: 2 }], next: "a" }, a: { rows: [{ id: 3 }], next: "b" } };
    const { answer, cursors } = await read(service, { sql: "SELECT id FROM log LIMIT 2" });
    expect(answer).toEqual([1, 2]);
    expect(cursors).toHaveLength(1);
  });

  test("its own bound is an error", async () => {
    const service = { undefined: { rows: [], next: "a" }, a: { rows: [], next: "b" }, b: { rows: [] } };
    expect((await read(service, { maxPages: 2 })).answer).toMatchObject({
      code: "HV000",
      message: "the read took more than 2 pages",
    });
    expect((await read(service, { maxPages: 3 })).answer).toEqual([]);
  });

  test("a page without rows is named", async () => {
    const service = { undefined: { items: [] } } as never;
    expect((await read(service)).answer).toMatchObject({ detail: expect.stringContaining("page 1 has no rows") });
  });
});
