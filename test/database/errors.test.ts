/** What is wrong with a statement is said before anything is called: code, message, place, hint. */
import { describe, expect, test } from "vitest";
import { formatError, SqlError } from "../../src/index.js";
import { prWorld } from "../support/pr-world.js";

const failing: { name: string; sql: string; writes?: boolean; text: string }[] = [
  {
    name: "a mistyped column",
    sql: "SELECT titel FROM pr",
    text: `ERROR 42703: column "titel" does not exist
LINE 1: SELECT titel FROM pr
               ^
HINT: Perhaps you meant to reference the column "pr.title".`,
  },
  {
    name: "an unknown table",
    sql: "SELECT * FROM reviews",
    text: `ERROR 42P01: relation "reviews" does not exist
LINE 1: SELECT * FROM reviews
                      ^
HINT: Perhaps you meant the table "review".`,
  },
  {
    name: "a missing key",
    sql: "SELECT state FROM issue",
    text: `ERROR HV002: table "issue" needs a value for "id"
LINE 1: SELECT state FROM issue
                          ^
DETAIL: "id" is a required key: it is passed to the tool as an argument.
HINT: Add WHERE issue.id = '…', or join issue.id to a column of another table.`,
  },
  {
    name: "text + integer",
    sql: "SELECT title + 1 FROM pr",
    text: `ERROR 42883: operator does not exist: text + integer
LINE 1: SELECT title + 1 FROM pr
                     ^
HINT: No operator matches the given name and argument types. You might need to add explicit type casts.`,
  },
  {
    name: "a write in a read-only database",
    sql: "DELETE FROM pr WHERE id = 1",
    writes: false,
    text: `ERROR 42501: DELETE is not allowed: the database is read-only
LINE 1: DELETE FROM pr WHERE id = 1
        ^
HINT: Only the host can allow writes (policy: { writes: true }). Read with SELECT instead.`,
  },
  {
    name: "two statements that are no transaction",
    sql: "SELECT id FROM pr; SELECT pr FROM review",
    text: `ERROR 0A000: several statements must be one transaction
LINE 1: SELECT id FROM pr; SELECT pr FROM review
                           ^
HINT: Send them one at a time, or write BEGIN; … COMMIT; around them.`,
  },
  {
    name: "CREATE TABLE",
    sql: "CREATE TABLE t (a int)",
    text: `ERROR 42501: CREATE is not allowed: the tables are fixed
LINE 1: CREATE TABLE t (a int)
        ^
HINT: The tables stand for tools; SELECT table_name FROM information_schema.tables lists them. Use WITH for intermediate results.`,
  },
  {
    name: "DROP TABLE",
    sql: "DROP TABLE pr",
    text: `ERROR 42501: DROP is not allowed: the tables are fixed
LINE 1: DROP TABLE pr
        ^
HINT: The tables stand for tools; SELECT table_name FROM information_schema.tables lists them. Use WITH for intermediate results.`,
  },
  {
    name: "an unterminated string",
    sql: "SELECT 'abc FROM pr",
    text: `ERROR 42601: unterminated quoted string at or near "'abc FROM pr"
LINE 1: SELECT 'abc FROM pr
               ^`,
  },
  {
    name: "a constant that is no label",
    sql: "SELECT pr FROM review WHERE state = 'APPROVED'",
    text: `ERROR 22P02: invalid label "APPROVED" for column "state"
LINE 1: SELECT pr FROM review WHERE state = 'APPROVED'
                                            ^
DETAIL: The labels of "state" are: 'approved', 'rejected'.
HINT: Perhaps you meant 'approved'. To compare with a value outside the declared labels, write state::text = 'APPROVED'.`,
  },
];

describe("errors found before any call", () => {
  test.each(failing)("$name", async ({ sql, writes, text }) => {
    const { db, recorder } = await prWorld({ policy: { writes: writes ?? true } });
    const error = await db.execute(sql).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(SqlError);
    expect(formatError(error, sql)).toBe(text);
    expect(recorder.take()).toEqual([]);
    expect(db.inTransaction()).toBe(false);
  });

  test.each([
    { name: "a syntax error", sql: "SELECT FROM WHERE", code: "42601" },
    { name: "an empty text", sql: "  ; ", code: "42601" },
    { name: "a statement that is not SQL of ours", sql: "VACUUM", code: "0A000" },
    { name: "an ungrouped column", sql: "SELECT title, count(*) FROM pr", code: "42803" },
    {
      name: "a script that is wrong at its end",
      sql: "BEGIN; DELETE FROM pr WHERE id = 1; SELECT nope FROM pr; COMMIT",
      code: "42703",
      isAborted: true, // as in PostgreSQL, BEGIN has been by then
    },
    { name: "a statement behind COMMIT", sql: "BEGIN; COMMIT; DELETE FROM pr WHERE id = 1", code: "0A000" },
    { name: "a read of a table that is only written", sql: "SELECT * FROM emails", code: "55000" },
    { name: "a verb that the table lacks", sql: "INSERT INTO issue (id) VALUES ('A-9')", code: "55000" },
    { name: "UPDATE without WHERE", sql: "UPDATE pr SET title = 'x'", code: "42501" },
    {
      name: "tables that wait for each other",
      sql: "SELECT 1 FROM issue a JOIN issue b ON a.id = b.id",
      code: "HV002",
    },
    { name: "a parameter without a value", sql: "SELECT id FROM pr WHERE id = $1", code: "42P02" },
    { name: "a statement with a NUL", sql: "SELECT '\u0000'", code: "22021" },
  ])("$name: $code", async ({ sql, code, isAborted }) => {
    const { db, recorder } = await prWorld();
    await expect(db.execute(sql)).rejects.toMatchObject({ code });
    expect(recorder.take()).toEqual([]);
    expect(db.inTransaction()).toBe(isAborted === true);
    expect(db.preview()).toEqual([]);
  });

  test("explain finds the same errors and calls nothing", async () => {
    const { db, recorder } = await prWorld();
    await expect(db.explain("SELECT titel FROM pr")).rejects.toMatchObject({ code: "42703" });
    await expect(db.explain("EXPLAIN ANALYZE SELECT id FROM pr")).rejects.toMatchObject({ code: "0A000" });
    const explained = await db.explain("UPDATE pr SET title = 'x' WHERE id = 1");
    expect(explained).toMatchObject({ statementKind: "UPDATE", readOnly: false });
    expect(recorder.take()).toEqual([]);
  });
});
