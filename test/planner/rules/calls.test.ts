/** What the rules save: the calls of statements with subqueries, constants and equalities, the whole list each. */
import { expect, test } from "vitest";
import { prWorld } from "../../support/pr-world.js";
import type { RecordedCall } from "../../support/recording.js";

test.each<{ name: string; sql: string; rows: unknown[][]; calls: RecordedCall[] }>([
  {
    name: "IN asks an optional column for its values only",
    sql: "SELECT id FROM pr WHERE id IN (SELECT pr FROM review WHERE state = 'rejected')",
    rows: [[1]],
    calls: [
      { table: "review", args: { state: ["rejected"] } },
      { table: "pr", args: { id: [1] } },
    ],
  },
  {
    name: "IN over a table that needs the left side's keys",
    sql: "SELECT id FROM pr WHERE closes IN (SELECT id FROM issue WHERE state = 'open')",
    rows: [[2]],
    calls: [
      { table: "pr" },
      { table: "issue", args: { state: ["open"], id: ["A-1"] } },
      { table: "issue", args: { state: ["open"], id: ["A-2"] } },
    ],
  },
  {
    name: "NOT EXISTS",
    sql: "SELECT id FROM pr p WHERE NOT EXISTS (SELECT 1 FROM review r WHERE r.pr = p.id AND r.state = 'approved')",
    rows: [[3]],
    calls: [{ table: "pr" }, { table: "review", args: { state: ["approved"] } }],
  },
  {
    name: "a correlated count over a table that needs keys",
    sql: "SELECT p.id, (SELECT count(*) FROM issue i WHERE i.id = p.closes) FROM pr p ORDER BY 1",
    rows: [
      [1, 1],
      [2, 1],
      [3, 0],
    ],
    calls: [{ table: "pr" }, { table: "issue", args: { id: ["A-1"] } }, { table: "issue", args: { id: ["A-2"] } }],
  },
  {
    name: "EXISTS as a value over a table that needs keys",
    sql: "SELECT p.id, EXISTS (SELECT 1 FROM issue i WHERE i.id = p.closes AND i.points > 4) FROM pr p ORDER BY 1",
    rows: [
      [1, false],
      [2, true],
      [3, false],
    ],
    calls: [{ table: "pr" }, { table: "issue", args: { id: ["A-1"] } }, { table: "issue", args: { id: ["A-2"] } }],
  },
  {
    name: "a value goes over an equality, so that nothing waits",
    sql: "SELECT i.points, c.body FROM issue i JOIN comment c ON c.issue_id = i.id WHERE i.id = 'A-1' AND c.pr_id = 1",
    rows: [[3, "nice"]],
    calls: [
      { table: "issue", args: { id: ["A-1"] } },
      { table: "comment", args: { pr_id: [1], issue_id: ["A-1"] } },
    ],
  },
  {
    name: "a condition that is never true calls nothing",
    sql: "SELECT p.id FROM pr p JOIN issue i ON i.id = p.closes WHERE 1 = 2",
    rows: [],
    calls: [],
  },
  {
    name: "the query of a UNION that is ruled out is not called",
    sql: "SELECT title FROM (SELECT 'pr' AS kind, title FROM pr UNION ALL SELECT 'issue', state FROM issue WHERE id = 'A-1') q WHERE kind = 'issue'",
    rows: [["done"]],
    calls: [{ table: "issue", args: { id: ["A-1"] } }],
  },
  {
    name: "a write through IN reads the rows it is about",
    sql: "UPDATE pr SET title = 'x' WHERE id IN (SELECT pr FROM review WHERE state = 'rejected')",
    rows: [],
    calls: [
      { table: "review", args: { state: ["rejected"] } },
      { table: "pr", args: { id: [1] } },
      { table: "pr", op: "update", set: { title: "x" }, args: { id: [1] } },
    ],
  },
  {
    name: "a write whose condition is never true writes nothing",
    sql: "DELETE FROM pr WHERE id = 1 AND false",
    rows: [],
    calls: [],
  },
])("$name", async ({ sql, rows, calls }) => {
  const { db, recorder } = await prWorld();
  const result = await db.execute(sql);
  expect(result.rows.map((row) => Object.values(row))).toEqual(rows);
  expect(recorder.take()).toEqual(calls);
});
