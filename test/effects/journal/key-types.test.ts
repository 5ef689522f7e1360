/** A write that is sent again is called as it was the first time, whatever way its key is spelled. */
import { expect, test } from "vitest";
import { SqlError } from "../../../src/index.js";
import { mailWorld } from "./mail-world.js";

test.each([
  { name: "an integer beyond 2^53, as a text", id: "9007199254740993", bound: 9007199254740993n },
  { name: "an integer, as a text", id: "7", bound: "7" },
  { name: "an integer", id: 7, bound: 7 },
  { name: "a bigint", id: 9007199254740993n, bound: 9007199254740993n },
])("$name", async ({ id, bound }) => {
  const { db, calls } = await mailWorld({
    table: { select: () => [{ id, subject: "x", meta: null }], idempotent: ["delete"], retry: { retries: 0 } },
    answer: (_, number) => {
      if (number === 1) throw new SqlError("40003", "no answer");
    },
  });
  await expect(db.execute("DELETE FROM mail WHERE subject LIKE 'x%'")).rejects.toMatchObject({ code: "40003" });
  expect((await db.recover({ refire: true })).map(({ status }) => status)).toEqual(["fired"]);
  expect(calls.map(({ match }) => match)).toEqual([{ id: [bound] }, { id: [bound] }]);
  await db.close();
});
