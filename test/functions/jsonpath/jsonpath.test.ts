/** SQL/JSON paths on the recorded answers of PostgreSQL 15. */
import { describe, expect, test } from "vitest";
import { readAnswers } from "../../support/answers.js";
import { differences, grouped } from "../../support/differences.js";

describe.each(["jsonpath"])("%s: answers as a PostgreSQL 15 server", (file) => {
  const byName = grouped(readAnswers(`functions/data/${file}.json`));
  test.each([...byName.keys()])("%s", (name) => {
    expect(differences(byName.get(name) ?? [])).toEqual([]);
  });
});
