/** Input, output and casts of numbers, booleans, arrays and lengths against recorded answers of a PostgreSQL 15 server. */
import { expect, test } from "vitest";
import { differences } from "../support/compare-answers.js";

test("casts", () => {
  expect(differences("types/data/casts.json")).toEqual([]);
});
