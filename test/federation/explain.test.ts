/** EXPLAIN of what is only known when the statement runs: conditions on keys, and limits that are parameters. */
import { expect, test } from "vitest";
import { federation } from "./fixture.js";

async function explained(sql: string, params: unknown[] = []): Promise<string> {
  const { db } = await federation();
  const { rows } = await db.execute(`EXPLAIN ${sql}`, { params });
  return rows.map((row) => Object.values(row)[0]).join("\n");
}

test("a condition on the keys of a join", async () => {
  const text = await explained(
    "SELECT c.body FROM pull p JOIN comment c ON c.issue_id = p.closes WHERE c.issue_id > 3",
  );
  expect(text).toContain("Keys: (c.issue_id > 3)");
  expect(text).toContain("Calls: at most one for each value of p.closes");
});

test("constants that fail a condition are no arguments", async () => {
  const text = await explained("SELECT body FROM comment WHERE issue_id IN (1, 2, 3, 4) AND issue_id > 2");
  expect(text).not.toContain("Keys:");
  expect(text).toContain("Arguments: issue_id = each of 3, 4");
  expect(text).toContain("Calls: 2");
});

test("a condition that takes the running statement", async () => {
  const text = await explained(
    "SELECT body FROM comment WHERE issue_id IN (1, 2) AND issue_id > extract(day FROM now())",
  );
  expect(text).toContain("Keys: ");
  expect(text).toContain("Calls: at most 2");
});

test("a limit that is a parameter", async () => {
  const text = await explained("SELECT id FROM issue LIMIT $1 OFFSET $2", [2, 1]);
  expect(text).toContain("Fetch: $1 + $2");
});

test("an OR of subqueries and constants", async () => {
  const text = await explained("SELECT body FROM comment WHERE issue_id = (SELECT min(id) FROM issue) OR issue_id = 3");
  expect(text).toContain("Arguments: issue_id = each of the min of (issue), 3");
  expect(text).toContain("Calls: at most 2");
});

test("an OR of IN (SELECT …) and constants", async () => {
  const text = await explained(
    "SELECT body FROM comment WHERE issue_id IN (SELECT closes FROM pull) OR issue_id IN (7, 8)",
  );
  expect(text).toContain("Arguments: issue_id = each of every pull.closes of (pull), 7, 8");
  expect(text).toContain("Calls: one for each value of pull.closes and 2 more");
});

test("an OR over alternatives: one scan each, no row in both", async () => {
  const text = await explained("SELECT size FROM img WHERE repo = 'a' AND (tag = 'v1' OR digest = 'd')");
  expect(text).toContain("Arguments: repo = 'a'; tag = 'v1'");
  expect(text).toContain("Arguments: repo = 'a'; digest = 'd'");
  expect(text).toContain("Filter: ((img.tag = 'v1') IS NOT TRUE)");
});
