/** `docs/sql.md` is what the code makes of it, and every example does what the page says. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { refusals } from "../../scripts/docs/refused.js";
import { runExample } from "../../scripts/docs/sample.js";
import { sqlPage } from "../../scripts/docs/sql-page.js";
import { expressions, statements } from "../../scripts/docs/statements.js";

test("the page is up to date: npm run docs writes it", async () => {
  expect(readFileSync(path.resolve(import.meta.dirname, "../../docs/sql.md"), "utf8")).toBe(await sqlPage());
});

describe("every form runs", () => {
  const examples = [...Object.values(statements), ...Object.values(expressions)].flat();
  test.each(examples)("$title: $sql", async ({ sql }) => {
    expect((await runExample(sql)).error?.message).toBeUndefined();
  });
});

describe("what is refused is refused so", () => {
  test.each(refusals)("$what: $sql", async ({ sql, code }) => {
    expect((await runExample(sql)).error).toMatchObject({ code });
  });
});
