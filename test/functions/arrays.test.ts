/** Array functions on the recorded answers of PostgreSQL 15. */
import { describe, expect, test } from "vitest";
import { readAnswers } from "../support/answers.js";
import { differences, grouped } from "../support/differences.js";

describe("array functions answer as a PostgreSQL 15 server", () => {
  const byName = grouped(readAnswers("functions/data/arrays.json"));
  test.each([...byName.keys()])("%s", (name) => {
    expect(differences(byName.get(name) ?? [])).toEqual([]);
  });
});
