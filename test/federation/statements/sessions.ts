/** Several statements of one session, scripts, EXPLAIN, writes. */
import type { Statement } from "./statement.js";

const appComments = ["comment(issue_id=1)", "comment(issue_id=2)"];

export const sessionStatements: readonly Statement[] = [
  {
    name: "two rows, then a narrower read",
    sql: "SELECT count(*) FROM (SELECT id FROM issue LIMIT 2) t",
    calls: [["issue(limit=2)"]],
    then: [{ sql: "SELECT id FROM issue WHERE state = 'closed'", calls: [['issue(state="closed")']] }],
  },
  {
    name: "two rows, then all of them",
    sql: "SELECT count(*) FROM (SELECT id FROM issue WHERE repo = 'acme/web' LIMIT 1) t",
    calls: [['issue(repo="acme/web" limit=1)']],
    then: [{ sql: "SELECT id FROM issue WHERE repo = 'acme/web'", calls: [['issue(repo="acme/web")']] }],
  },
  {
    name: "two rows, then a narrower read, in one transaction",
    sql: "BEGIN; SELECT count(*) FROM (SELECT id FROM issue LIMIT 2) t; SELECT id FROM issue WHERE state = 'closed'; COMMIT",
    oracle: "SELECT id FROM issue WHERE state = 'closed'",
    calls: [["issue(limit=2)"], ['issue(state="closed")']],
  },
  {
    name: "a key that is not found, then one that is",
    sql: "SELECT author FROM comment WHERE issue_id = 42",
    calls: [["comment(issue_id=42)"]],
    then: [{ sql: "SELECT author FROM comment WHERE issue_id = 1", calls: [["comment(issue_id=1)"]] }],
  },
  {
    name: "a key that is not found beside one that is",
    sql: "SELECT issue_id, author FROM comment WHERE issue_id IN (42, 1)",
    calls: [["comment(issue_id=1)", "comment(issue_id=42)"]],
  },
  {
    name: "a stable answer is shared within a script",
    sql: "BEGIN; SELECT count(id) FROM pull; SELECT max(id) FROM pull; COMMIT",
    oracle: "SELECT max(id) FROM pull",
    calls: [["pull()"]],
  },
  {
    name: "and asked for again by the next statement",
    sql: "SELECT count(*) FROM pull",
    calls: [["pull()"]],
    then: [{ sql: "SELECT count(*) FROM pull", calls: [["pull()"]] }],
  },
  {
    name: "a volatile answer is paid for once in a statement",
    sql: "SELECT a.price, b.price FROM quote a, quote b WHERE a.symbol = 'A' AND b.symbol = 'A'",
    calls: [['quote(symbol="A")']],
    then: [{ sql: "SELECT price FROM quote WHERE symbol = 'A'", calls: [['quote(symbol="A")']] }],
  },
  {
    name: "and for each statement of a script",
    sql: "BEGIN; SELECT price FROM quote WHERE symbol = 'B'; SELECT price FROM quote WHERE symbol = 'B'; COMMIT",
    oracle: "SELECT price FROM quote WHERE symbol = 'B'",
    calls: [['quote(symbol="B")'], ['quote(symbol="B")']],
  },
  {
    name: "a volatile answer in two places of a statement",
    sql: "SELECT (SELECT price FROM quote WHERE symbol = 'A') + price FROM quote WHERE symbol IN ('A', 'B')",
    calls: [['quote(symbol="A")', 'quote(symbol="B")']],
  },
  {
    name: "one prepared statement with several parameters",
    sql: "SELECT author FROM comment WHERE issue_id = $1",
    params: [1],
    calls: [["comment(issue_id=1)"]],
    then: [
      { sql: "SELECT author FROM comment WHERE issue_id = $1", params: [null], calls: [] },
      { sql: "SELECT author FROM comment WHERE issue_id = $1", params: [2], calls: [["comment(issue_id=2)"]] },
    ],
  },
  {
    name: "a failed call is not remembered",
    sql: "SELECT value FROM flaky WHERE mode = 'always'",
    calls: [['flaky(mode="always")']],
    oracle: null,
    error: { code: "HV000" },
    then: [
      {
        sql: "SELECT value FROM flaky WHERE mode IN ('fine', 'always')",
        calls: [['flaky(mode="always")', 'flaky(mode="fine")']],
        oracle: null,
        error: { code: "HV000" },
      },
      { sql: "SELECT value FROM flaky WHERE mode = 'fine'", calls: [['flaky(mode="fine")']] },
    ],
  },
  {
    name: "EXPLAIN",
    sql: "EXPLAIN SELECT c.body FROM issue i JOIN comment c ON c.issue_id = i.id WHERE i.id = (SELECT min(id) FROM pull)",
    oracle: null,
    calls: [],
  },
  {
    name: "EXPLAIN of a write",
    sql: "EXPLAIN INSERT INTO audit SELECT issue_id, author FROM comment WHERE issue_id = 1",
    oracle: null,
    calls: [],
  },
  {
    name: "EXPLAIN of a statement without its key",
    sql: "EXPLAIN SELECT body FROM comment",
    oracle: null,
    calls: [],
    error: { code: "HV002", says: ['"issue_id"'] },
  },
  {
    name: "EXPLAIN ANALYZE",
    sql: "EXPLAIN ANALYZE SELECT i.id, c.author FROM issue i JOIN comment c ON c.issue_id = i.id WHERE i.repo = 'acme/app'",
    oracle: null,
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "INSERT … SELECT with a dependent join",
    sql: "INSERT INTO audit SELECT c.issue_id, c.author FROM issue i JOIN comment c ON c.issue_id = i.id WHERE i.repo = 'acme/app' ORDER BY 1, 2",
    calls: [
      ['issue(repo="acme/app")'],
      appComments,
      ['insert audit(author="ann" issue_id=1)'],
      ['insert audit(author="ann" issue_id=1)'],
      ['insert audit(author="bob" issue_id=1)'],
      ['insert audit(author="bob" issue_id=2)'],
    ],
    then: [{ sql: "SELECT issue_id, author FROM audit", calls: [["audit()"]] }],
  },
  {
    name: "INSERT … SELECT that is rolled back",
    sql: "BEGIN; INSERT INTO audit SELECT issue_id, author FROM comment WHERE issue_id = 1; SELECT author FROM audit; ROLLBACK",
    oracle: "SELECT author FROM comment WHERE issue_id = 1",
    calls: [["comment(issue_id=1)"], ["audit()"]],
    then: [{ sql: "SELECT count(*) FROM audit", calls: [["audit()"]] }],
  },
  {
    name: "UPDATE with a key from a subquery",
    sql: "UPDATE note SET body = 'x' WHERE issue_id IN (SELECT id FROM issue WHERE repo = 'acme/web')",
    calls: [
      ['issue(repo="acme/web")'],
      ["note(issue_id=3|4)"],
      ['update note(id=2) set (body="x")'],
      ['update note(id=4) set (body="x")'],
    ],
    then: [{ sql: "SELECT id, body FROM note", calls: [["note()"]] }],
  },
  {
    name: "UPDATE by its key reads nothing",
    sql: "UPDATE note SET body = 'it''s 100%' WHERE id = 1",
    calls: [[`update note(id=1) set (body="it's 100%")`]],
  },
  {
    name: "UPDATE of a contradiction",
    sql: "UPDATE note SET body = 'x' WHERE id = 1 AND id = 2",
    calls: [],
  },
  {
    name: "UPDATE … FROM with a dependent join",
    sql: "UPDATE note SET body = c.author FROM comment c WHERE c.issue_id = note.issue_id AND c.author = 'bob' AND note.id = 1",
    calls: [["note(id=1)"], ['comment(author="bob" issue_id=1)'], ['update note(id=1) set (body="bob")']],
    then: [{ sql: "SELECT body FROM note WHERE id = 1", calls: [["note(id=1)"]] }],
  },
  {
    name: "DELETE … USING",
    sql: "DELETE FROM note USING issue i WHERE i.id = note.issue_id AND i.repo = 'acme/web'",
    calls: [['issue(repo="acme/web")', "note()"], ["delete note(id=2)"], ["delete note(id=4)"]],
    then: [{ sql: "SELECT id FROM note", calls: [["note()"]] }],
  },
  {
    name: "DELETE by its key reads nothing",
    sql: "DELETE FROM note WHERE id = 2",
    calls: [["delete note(id=2)"]],
    then: [{ sql: "SELECT id FROM note WHERE id IN (1, 2)", calls: [["note(id=1|2)"]] }],
  },
  {
    name: "LIMIT over a table with staged deletions reads all of it",
    sql: "BEGIN; DELETE FROM note WHERE id = 1; SELECT count(*) FROM (SELECT id FROM note LIMIT 3) t; ROLLBACK",
    oracle: "SELECT 3",
    calls: [["note()"]],
  },
  {
    name: "LIMIT over a table with staged changes reads all of it",
    sql: "BEGIN; UPDATE note SET issue_id = 9 WHERE id = 4; SELECT id FROM note WHERE issue_id = 9 LIMIT 1; ROLLBACK",
    oracle: "SELECT 4",
    calls: [["note()"]],
  },
  {
    name: "a staged change brings a row into the condition",
    sql: "BEGIN; UPDATE note SET issue_id = 9, body = 'moved' WHERE id = 4; SELECT id, body FROM note WHERE issue_id IN (1, 9) AND body IN ('one', 'moved') AND id < 9; ROLLBACK",
    oracle: "SELECT * FROM (VALUES (1::bigint, 'one'), (4, 'moved')) v",
    calls: [["note()"]],
  },
  {
    name: "a staged change leaves other columns as arguments",
    sql: "BEGIN; UPDATE note SET body = 'x' WHERE id = 2; SELECT id, body FROM note WHERE issue_id = 3 AND body IS NOT NULL; ROLLBACK",
    oracle: "SELECT 2::bigint, 'x'",
    calls: [["note(issue_id=3)"]],
  },
  {
    name: "equal rows are staged as often as they were written",
    sql: "BEGIN; INSERT INTO audit VALUES (1, 'ann'), (1, 'ann'); INSERT INTO audit VALUES (1, 'ann'); SELECT issue_id, author FROM audit; ROLLBACK",
    oracle: "SELECT 1::bigint, 'ann' FROM generate_series(1, 3)",
    calls: [["audit()"]],
  },
  {
    name: "LIMIT over a table without staged writes beside one that has them",
    sql: "BEGIN; DELETE FROM note WHERE id = 1; SELECT count(*) FROM (SELECT id FROM issue LIMIT 2) t; ROLLBACK",
    oracle: "SELECT 2",
    calls: [["issue(limit=2)"]],
  },
  {
    name: "staged rows are read with those of the service",
    sql: "BEGIN; INSERT INTO note VALUES (9, 1, 'nine'); SELECT id, body FROM note WHERE issue_id = 1; ROLLBACK",
    oracle: "SELECT * FROM (VALUES (1::bigint, 'one'), (9, 'nine')) v",
    calls: [["note(issue_id=1)"]],
  },
  {
    name: "a script that fails to bind calls nothing",
    sql: "BEGIN; SELECT count(*) FROM pull; SELECT titel FROM issue; COMMIT",
    oracle: null,
    calls: [],
    error: { code: "42703" },
  },
];
