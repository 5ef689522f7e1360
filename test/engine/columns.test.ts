/** Columns and numberings that grow without being moved: nothing is lost or mixed up where their pieces meet. */
import { describe, expect, test } from "vitest";
import { ValueCodes } from "../../src/engine/value-codes.js";
import { ValueColumn } from "../../src/engine/value-column.js";
import { MemoryBackend } from "../../src/sql.js";

const edge = 65_536;

describe("values by row", () => {
  test.each([
    { name: "in batches that straddle a piece", sizes: [1000, edge - 1500, 1024, 1024] },
    { name: "in batches that end with a piece", sizes: [edge, 1, edge - 1, 7] },
    { name: "in a batch of several pieces", sizes: [3 * edge + 5] },
  ])("added $name", ({ sizes }) => {
    const column = new ValueColumn();
    let next = 0;
    for (const size of sizes) {
      const vector = Array.from({ length: size }, (_, k) => next + k);
      column.append(vector, Int32Array.from(vector.keys()), size);
      next += size;
    }
    expect(column.length).toBe(next);
    const rows = [0, 999, edge - 1, edge, edge + 1, next - 1].filter((row) => row < next);
    expect(rows.map((row) => column.at(row))).toEqual(rows);
    const out: unknown[] = [];
    column.read(
      Int32Array.from([...rows, -1]),
      Int32Array.from([...rows.keys(), rows.length]),
      rows.length + 1,
      out as never,
    );
    expect(out).toEqual([...rows, null]);
  });

  test("set in places that are used again", () => {
    const column = new ValueColumn();
    for (let row = 0; row < edge + 10; row++) column.set(row, row);
    column.set(3, "three");
    column.set(edge + 3, "far");
    expect([column.at(2), column.at(3), column.at(edge + 3), column.length]).toEqual([2, "three", "far", edge + 10]);
  });
});

test.each([
  { name: "texts", value: (i: number) => `word ${i}` },
  { name: "texts that differ in front", value: (i: number) => `${i} is the number of this text` },
  { name: "numbers", value: (i: number) => i / 8 - 1000 },
  { name: "large numbers", value: (i: number) => BigInt(i) * 10_000_000_019n - 5n },
])("more values than one Map: $name", ({ value }) => {
  const codes = new ValueCodes();
  const count = 260_000;
  for (let i = 0; i < count; i++) {
    if (codes.get(value(i)) !== undefined) throw new Error(`${value(i)} is taken for another value`);
    codes.add(value(i), i);
  }
  expect(codes.size).toBe(count);
  for (let i = 0; i < count; i += 7) if (codes.get(value(i)) !== i) throw new Error(`${value(i)} was lost`);
  expect(codes.get(value(count))).toBeUndefined();
});

test("zeros of both signs are one value", () => {
  const codes = new ValueCodes();
  for (let i = 0; i < 200_000; i++) codes.add(`filler ${i}`, i);
  codes.add(0, 7);
  expect([codes.get(-0), codes.get(Number.NaN)]).toEqual([7, undefined]);
});

test.each([
  {
    name: "a sort by texts",
    sql: "SELECT v FROM (SELECT lpad(g::text, 6, '0') AS v FROM generate_series(1, 150000) g ORDER BY 1 DESC OFFSET 3) s LIMIT 2",
    rows: [["149997"], ["149996"]],
  },
  {
    name: "groups",
    sql: "SELECT count(*), sum(n)::int FROM (SELECT 'k' || g % 210000 AS k, count(*) AS n FROM generate_series(1, 300000) g GROUP BY 1) s",
    rows: [[210000, 300000]],
  },
  {
    name: "a window in two partitions",
    sql: "SELECT g % 2, max(l), count(l) FILTER (WHERE l <> g - 2) FROM (SELECT g, lag(g) OVER (PARTITION BY g % 2 ORDER BY g) AS l FROM generate_series(1, 150000) g) s GROUP BY 1 ORDER BY 1",
    rows: [
      [0, 149998, 0],
      [1, 149997, 0],
    ],
  },
  {
    name: "a window with a filter",
    sql: "SELECT max(c) FROM (SELECT count(*) FILTER (WHERE g % 3 = 0) OVER (ORDER BY g) AS c FROM generate_series(1, 150000) g) s",
    rows: [[50000]],
  },
  {
    name: "an ordered aggregate in groups",
    sql: "SELECT k, length(a), left(a, 7) FROM (SELECT g % 2 AS k, string_agg(g::text, ',' ORDER BY g DESC) AS a FROM generate_series(1, 150000) g GROUP BY 1) s ORDER BY k",
    rows: [
      [0, 469449, "150000,"],
      [1, 469444, "149999,"],
    ],
  },
  {
    name: "array_agg",
    sql: "SELECT cardinality(a), a[65536], a[65537], a[150000] FROM (SELECT array_agg(g) AS a FROM generate_series(1, 150000) g) s",
    rows: [[150000, 65536, 65537, 150000]],
  },
  {
    name: "a recursion",
    sql: "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 70000) SELECT count(*), max(n), sum(n) FROM t",
    rows: [[70000, 70000, 2450035000]],
  },
])("in statements: $name", { timeout: 60_000 }, async ({ sql, rows }) => {
  const backend = await MemoryBackend.create();
  expect((await backend.query(sql, [], { rowMode: "array" })).rows).toEqual(rows);
});
