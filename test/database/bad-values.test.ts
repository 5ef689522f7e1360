/** A value that is none of its column's type is told by an error that shows it, whatever it is. */
import { expect, test } from "vitest";
import { Database, defineResource } from "../../src/index.js";

const circular: Record<string, unknown> = {};
circular.self = circular;
const unreadable = {
  get secret(): unknown {
    throw new Error("no");
  },
};

test.each([
  { name: "a text", value: "x", detail: 'Row 1: "x"' },
  { name: "an object", value: { a: [1n] }, detail: 'Row 1: {"a":["1"]}' },
  { name: "an object that refers to itself", value: circular, detail: 'Row 1: {"self":"[refers to itself]"}' },
  { name: "an object that can't be read", value: unreadable, detail: "no" },
  { name: "a function", value: () => 1, detail: "Row 1: a function" },
])("$name", async ({ value, detail }) => {
  const db = await Database.create();
  db.register(
    defineResource({
      name: "t",
      description: "t",
      volatility: "stable",
      columns: [{ name: "n", type: "bigint" }],
      select: () => [{ n: value }],
    }),
  );
  await expect(db.execute("SELECT n FROM t")).rejects.toMatchObject({ code: "HV000", detail });
  await db.close();
});
