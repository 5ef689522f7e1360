/** The project's statements, and those of the corpora where they are at hand: read, printed, and read again. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { deparse } from "../../src/grammar/deparse.js";
import { parse } from "../../src/grammar/parse.js";
import { corpusStatements, haveCorpora } from "./corpora.js";
import { withoutRanges } from "./shape.js";

if (!haveCorpora)
  console.log("The conformance corpora are not here (CORPORA): only the statements of this project are read.");
const own = readFileSync(new URL("./data/statements.sql", import.meta.url), "utf8")
  .split(";\n")
  .map((sql) => sql.trim())
  .filter((sql) => sql !== "")
  .map((sql, index) => ({ id: `own ${index + 1}`, sql, error: undefined, message: undefined }));
const statements = haveCorpora ? [...own, ...corpusStatements()] : own;

/** Errors with the code of a syntax error that come from binding or from functions, not from the grammar. */
const laterErrors = [
  "jsonpath",
  "invalid unicode sequence",
  "invalid Unicode surrogate pair",
  "@ is not allowed in root",
  "column definition list",
  "INTO is not allowed here",
];

test(`${statements.length} statements are read, or refused where PostgreSQL refuses them`, () => {
  const wrong: string[] = [];
  for (const { id, sql, error, message } of statements) {
    let failed: unknown;
    try {
      parse(sql);
    } catch (caught) {
      failed = caught;
    }
    const mustFail = error === "42601" && !laterErrors.some((later) => message?.includes(later));
    if (mustFail) {
      if ((failed as { message?: string } | undefined)?.message !== message) wrong.push(`${id}: ${message}: ${sql}`);
    } else if (failed !== undefined && (failed as { code?: string }).code !== error) {
      wrong.push(`${id}: ${failed}: ${sql}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("what is printed reads as the same tree", () => {
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const { id, sql, error } of statements) {
    // Long lists of rows take their time and say nothing new.
    if (error === "42601" || sql.length > 20_000 || seen.has(sql)) continue;
    seen.add(sql);
    let text = "";
    try {
      const read = parse(sql);
      text = read.map(deparse).join(";\n");
      expect(withoutRanges(parse(text))).toEqual(withoutRanges(read));
    } catch (caught) {
      wrong.push(`${id}: ${caught}\n${sql}\n${text}`);
    }
  }
  expect(wrong).toEqual([]);
});
