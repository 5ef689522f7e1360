/** Text forms of dates and times on the recorded answers of PostgreSQL 15. */
import { describe, expect, test } from "vitest";
import cases from "../data/datetime-input.json" with { type: "json" };
import { answer, type Case } from "./cases.js";

describe("text forms read and written as by a PostgreSQL 15 server", () => {
  test.each((cases as Case[]).map((item) => ({ item, name: `${item.type} '${item.input}' in ${item.zone ?? "UTC"}` })))(
    "$name",
    ({ item }) => {
      const { result, error, message, hint } = item;
      const expected =
        error === undefined ? { result } : hint === undefined ? { error, message } : { error, message, hint };
      expect(answer(item, [], [])).toEqual(expected);
    },
  );
});
