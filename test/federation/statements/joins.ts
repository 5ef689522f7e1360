/** Arguments from other relations: joins, VALUES, functions in FROM, CTEs, set operations. */
import type { Statement } from "./statement.js";

const appComments = ["comment(issue_id=1)", "comment(issue_id=2)"];

export const joinStatements: readonly Statement[] = [
  {
    name: "a required key from a join",
    sql: "SELECT i.id, c.author FROM issue i JOIN comment c ON c.issue_id = i.id WHERE i.repo = 'acme/app'",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "the order of FROM does not matter",
    sql: "SELECT i.id, c.author FROM comment c, issue i WHERE i.repo = 'acme/app' AND c.issue_id = i.id",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "USING",
    sql: "SELECT issue_id, author FROM comment JOIN (SELECT id AS issue_id FROM issue WHERE repo = 'acme/app') i USING (issue_id)",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "NATURAL JOIN",
    sql: "SELECT issue_id, author FROM comment NATURAL JOIN (SELECT issue_id FROM note WHERE id = 2) n",
    calls: [["note(id=2)"], ["comment(issue_id=3)"]],
  },
  {
    name: "a constant travels through the join's equality",
    sql: "SELECT i.title, c.author FROM issue i JOIN comment c ON c.issue_id = i.id WHERE c.issue_id = 1",
    calls: [["comment(issue_id=1)", "issue(id=1)"]],
  },
  {
    name: "a constant travels through two equalities",
    sql: "SELECT p.id, i.title, c.body FROM pull p JOIN issue i ON i.id = p.closes JOIN comment c ON c.issue_id = i.id WHERE p.closes = 3",
    calls: [["comment(issue_id=3)", "issue(id=3)", "pull(closes=3)"]],
  },
  {
    name: "keys without NULL and without duplicates",
    sql: "SELECT p.id, c.body FROM pull p JOIN comment c ON c.issue_id = p.closes",
    calls: [["pull()"], ["comment(issue_id=1)", "comment(issue_id=2)", "comment(issue_id=3)", "comment(issue_id=99)"]],
  },
  {
    name: "a key computed from another relation",
    sql: "SELECT p.id, c.author FROM pull p JOIN comment c ON c.issue_id = p.id - 10 WHERE p.id IN (11, 16)",
    calls: [["pull(id=11|16)"], ["comment(issue_id=1)", "comment(issue_id=6)"]],
  },
  {
    name: "a key put together from a text",
    sql: "SELECT v.x, s.allowed FROM (VALUES ('app'), ('web')) v(x) JOIN sim s ON s.resource = 'acme/' || v.x WHERE s.principal = 'bob' AND s.action = 'read'",
    calls: [
      [
        'sim(action="read" principal="bob" resource="acme/app")',
        'sim(action="read" principal="bob" resource="acme/web")',
      ],
    ],
  },
  {
    name: "two keys from joins and a literal",
    sql: `SELECT c.issue_id, c.author, s.allowed FROM issue i
          JOIN comment c ON c.issue_id = i.id
          JOIN sim s ON s.principal = c.author AND s.resource = i.repo AND s.action = 'read'
          WHERE i.repo = 'acme/app'`,
    calls: [
      ['issue(repo="acme/app")'],
      appComments,
      [
        'sim(action="read" principal="ann" resource="acme/app")',
        'sim(action="read" principal="bob" resource="acme/app")',
      ],
    ],
  },
  {
    name: "two keys from two relations are the pairs that occur",
    sql: `SELECT c.issue_id, s.allowed FROM issue i
          JOIN comment c ON c.issue_id = i.id
          JOIN sim s ON s.principal = c.author AND s.resource = i.repo AND s.action = 'read'
          WHERE i.state = 'open'`,
    calls: [
      ['issue(state="open")'],
      ["comment(issue_id=1)", "comment(issue_id=3)", "comment(issue_id=4)", "comment(issue_id=6)"],
      [
        'sim(action="read" principal="ann" resource="acme/app")',
        'sim(action="read" principal="ann" resource="acme/web")',
        'sim(action="read" principal="bob" resource="acme/app")',
        'sim(action="read" principal="çleo" resource="ünï/çødé")',
      ],
    ],
  },
  {
    name: "two keys from one relation are its pairs",
    sql: `SELECT v.p, s.allowed FROM (VALUES ('ann', 'acme/app'), ('bob', 'acme/web'), ('bob', NULL)) v(p, r)
          JOIN sim s ON s.principal = v.p AND s.resource = v.r AND s.action = 'read'`,
    calls: [
      [
        'sim(action="read" principal="ann" resource="acme/app")',
        'sim(action="read" principal="bob" resource="acme/web")',
      ],
    ],
  },
  {
    name: "a key from one relation and a list on another key",
    sql: `SELECT s.action, s.allowed FROM (VALUES ('ann'), ('bob')) v(p)
          JOIN sim s ON s.principal = v.p WHERE s.resource = 'acme/app' AND s.action IN ('read', 'write')`,
    calls: [
      [
        'sim(action="read" principal="ann" resource="acme/app")',
        'sim(action="read" principal="bob" resource="acme/app")',
        'sim(action="write" principal="ann" resource="acme/app")',
        'sim(action="write" principal="bob" resource="acme/app")',
      ],
    ],
  },
  {
    name: "a list on the key and a join: the list is known and nothing waits",
    sql: "SELECT i.id, c.author FROM issue i JOIN comment c ON c.issue_id = i.id WHERE i.repo = 'acme/app' AND c.issue_id IN (1, 3)",
    calls: [["comment(issue_id=1)", "comment(issue_id=3)", 'issue(id=1|3 repo="acme/app")']],
  },
  {
    name: "two levels",
    sql: "SELECT n.id, c.author, s.allowed FROM note n JOIN comment c ON c.issue_id = n.issue_id JOIN sim s ON s.principal = c.author AND s.resource = 'acme/app' AND s.action = 'write' WHERE n.id = 1",
    calls: [
      ["note(id=1)"],
      ["comment(issue_id=1)"],
      [
        'sim(action="write" principal="ann" resource="acme/app")',
        'sim(action="write" principal="bob" resource="acme/app")',
      ],
    ],
  },
  {
    name: "two tables that wait for the same one",
    sql: "SELECT i.id, c.author, m.login FROM issue i JOIN comment c ON c.issue_id = i.id JOIN member m ON m.id = i.id WHERE i.repo = 'acme/app'",
    calls: [['issue(repo="acme/app")'], [...appComments, "member(id=1|2)"]],
  },
  {
    name: "independent tables side by side",
    sql: "SELECT count(*) FROM issue, pull, note",
    calls: [["issue()", "note()", "pull()"]],
  },
  {
    name: "keys that turn out empty call nothing",
    sql: "SELECT c.author FROM issue i JOIN comment c ON c.issue_id = i.id WHERE i.repo = 'nowhere'",
    calls: [['issue(repo="nowhere")']],
  },
  {
    name: "an optional column needs no waiting",
    sql: "SELECT p.id, i.title FROM pull p JOIN issue i ON i.id = p.closes",
    calls: [["issue()", "pull()"]],
  },
  {
    name: "a self-join on the key",
    sql: "SELECT a.author, b.author FROM comment a JOIN comment b ON b.issue_id = a.issue_id WHERE a.issue_id = 3",
    calls: [["comment(issue_id=3)"]],
  },
  {
    name: "a self-join with two keys",
    sql: "SELECT a.author, b.author FROM comment a, comment b WHERE a.issue_id = 1 AND b.issue_id = 3",
    calls: [["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "two aliases whose keys overlap",
    sql: "SELECT count(*) FROM comment a, comment b WHERE a.issue_id IN (1, 2) AND b.issue_id IN (2, 3)",
    calls: [["comment(issue_id=1)", "comment(issue_id=2)", "comment(issue_id=3)"]],
  },
  {
    name: "UNION ALL of two keys",
    sql: "SELECT author FROM comment WHERE issue_id = 1 UNION ALL SELECT author FROM comment WHERE issue_id = 3",
    calls: [["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "UNION of the same call twice",
    sql: "SELECT author FROM comment WHERE issue_id = 1 UNION SELECT author FROM comment WHERE issue_id = 1",
    calls: [["comment(issue_id=1)"]],
  },
  {
    name: "UNION ALL of the same call twice counts its rows twice",
    sql: "SELECT count(*) FROM (SELECT author FROM comment WHERE issue_id = 1 UNION ALL SELECT author FROM comment WHERE issue_id = 1) t",
    calls: [["comment(issue_id=1)"]],
  },
  {
    name: "a filter above UNION ALL reaches both branches",
    sql: "SELECT * FROM (SELECT id, repo FROM issue UNION ALL SELECT id, repo FROM pull) t WHERE repo = 'acme/web'",
    calls: [['issue(repo="acme/web")', 'pull(repo="acme/web")']],
  },
  {
    name: "a key above a UNION of two uses",
    sql: "SELECT * FROM (SELECT issue_id, author FROM comment UNION SELECT issue_id, body FROM note) t WHERE issue_id = 3",
    calls: [["comment(issue_id=3)", "note(issue_id=3)"]],
  },
  {
    name: "EXCEPT reads both sides",
    sql: "SELECT author FROM comment WHERE issue_id = 1 EXCEPT SELECT author FROM comment WHERE issue_id = 2",
    calls: [["comment(issue_id=1)", "comment(issue_id=2)"]],
  },
  {
    name: "INTERSECT ALL",
    sql: "SELECT author FROM comment WHERE issue_id = 1 INTERSECT ALL SELECT author FROM comment WHERE issue_id = 2",
    calls: [["comment(issue_id=1)", "comment(issue_id=2)"]],
  },
  {
    name: "a key from VALUES",
    sql: "SELECT v.k, c.author FROM (VALUES (1), (3), (NULL), (3)) v(k) JOIN comment c ON c.issue_id = v.k",
    calls: [["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "a key from generate_series",
    sql: "SELECT g, c.author FROM generate_series(1, 3) g JOIN comment c ON c.issue_id = g",
    calls: [["comment(issue_id=1)", "comment(issue_id=2)", "comment(issue_id=3)"]],
  },
  {
    name: "a key from unnest of a parameter",
    sql: "SELECT k, c.body FROM unnest($1::bigint[]) k JOIN comment c ON c.issue_id = k",
    params: [[3, 6, null]],
    calls: [["comment(issue_id=3)", "comment(issue_id=6)"]],
  },
  {
    name: "a key from a document",
    sql: `SELECT d.value, c.body FROM jsonb_array_elements_text('["1", "3"]') d JOIN comment c ON c.issue_id = d.value::bigint`,
    calls: [["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "a batch key in three calls",
    sql: "SELECT count(*), count(m.login) FROM generate_series(1, 120) g JOIN member m ON m.id = g",
    calls: [["member(id=1..50)", "member(id=101..120)", "member(id=51..100)"]],
  },
  {
    name: "a batch key from a join",
    sql: "SELECT i.id, m.login FROM issue i JOIN member m ON m.id = i.id WHERE i.state = 'open'",
    calls: [['issue(state="open")'], ["member(id=1|3|4|6)"]],
  },
  {
    name: "a key from a CTE",
    sql: "WITH k AS (SELECT id FROM issue WHERE repo = 'acme/app') SELECT c.issue_id, c.author FROM k JOIN comment c ON c.issue_id = k.id",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "a key from a materialized CTE",
    sql: "WITH k AS MATERIALIZED (SELECT id FROM issue WHERE repo = 'acme/app') SELECT c.issue_id, c.author FROM k JOIN comment c ON c.issue_id = k.id",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "a CTE that is read twice",
    sql: "WITH k AS (SELECT id, state FROM issue WHERE repo = 'acme/app') SELECT a.id, b.id FROM k a, k b WHERE a.id < b.id",
    calls: [['issue(repo="acme/app")']],
  },
  {
    name: "a CTE that gives keys and a count",
    sql: "WITH k AS (SELECT id FROM issue WHERE repo = 'acme/app') SELECT c.author, (SELECT count(*) FROM k) FROM comment c JOIN k ON k.id = c.issue_id",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "a CTE that nobody reads",
    sql: "WITH k AS (SELECT id FROM issue) SELECT author FROM comment WHERE issue_id = 2",
    calls: [["comment(issue_id=2)"]],
  },
  {
    name: "a condition outside reaches into a CTE",
    sql: "WITH k AS (SELECT issue_id, author FROM comment) SELECT author FROM k WHERE issue_id = 2",
    calls: [["comment(issue_id=2)"]],
  },
  {
    name: "keys from a recursive CTE",
    sql: "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n, c.author FROM r JOIN comment c ON c.issue_id = r.n",
    calls: [["comment(issue_id=1)", "comment(issue_id=2)", "comment(issue_id=3)"]],
  },
  {
    name: "LEFT JOIN takes its keys from the side that is kept",
    sql: "SELECT p.id, c.body FROM pull p LEFT JOIN comment c ON c.issue_id = p.closes WHERE p.repo = 'acme/web'",
    calls: [['pull(repo="acme/web")'], ["comment(issue_id=3)"]],
  },
  {
    name: "LEFT JOIN with a condition on the side that is kept",
    sql: "SELECT p.id, c.body FROM pull p LEFT JOIN comment c ON c.issue_id = p.closes AND p.author = 'ann'",
    calls: [["pull()"], ["comment(issue_id=1)", "comment(issue_id=3)", "comment(issue_id=99)"]],
  },
  {
    name: "LEFT JOIN with a condition on the side that may be NULL",
    sql: "SELECT p.id, c.body FROM pull p LEFT JOIN comment c ON c.issue_id = p.closes AND c.author = 'ann' WHERE p.repo = 'acme/app'",
    calls: [['pull(repo="acme/app")'], ['comment(author="ann" issue_id=1)', 'comment(author="ann" issue_id=2)']],
  },
  {
    name: "LEFT JOIN with an equality in WHERE on the side that may be NULL",
    sql: "SELECT p.id, c.body FROM pull p LEFT JOIN comment c ON c.issue_id = p.closes WHERE p.repo = 'acme/app' AND c.author = 'ann'",
    calls: [['pull(repo="acme/app")'], ['comment(author="ann" issue_id=1)', 'comment(author="ann" issue_id=2)']],
  },
  {
    name: "LEFT JOIN with IS NULL in WHERE",
    sql: "SELECT i.id FROM issue i LEFT JOIN comment c ON c.issue_id = i.id WHERE i.state = 'open' AND c.issue_id IS NULL",
    calls: [
      ['issue(state="open")'],
      ["comment(issue_id=1)", "comment(issue_id=3)", "comment(issue_id=4)", "comment(issue_id=6)"],
    ],
  },
  {
    name: "a key that NULL-extended rows have",
    sql: "SELECT n.id, c.author FROM note n LEFT JOIN issue x ON x.id = n.issue_id AND x.id = 3 JOIN comment c ON c.issue_id = COALESCE(x.id, 2) WHERE n.id IN (1, 2)",
    calls: [
      ["issue(id=3)", "note(id=1|2)"],
      ["comment(issue_id=2)", "comment(issue_id=3)"],
    ],
  },
  {
    name: "a key that only NULL-extended rows have",
    sql: "SELECT n.id, c.author FROM note n LEFT JOIN issue x ON x.id = n.issue_id JOIN comment c ON c.issue_id = CASE WHEN x.id IS NULL THEN 1 END WHERE n.id = 3",
    calls: [["issue()", "note(id=3)"], ["comment(issue_id=1)"]],
  },
  {
    name: "LEFT JOIN with conditions on both sides and a third table",
    sql: "SELECT p.id, n.id, c.author FROM pull p LEFT JOIN note n ON n.issue_id = p.closes LEFT JOIN comment c ON c.issue_id = p.closes AND n.id = 2 AND p.repo = 'acme/web'",
    calls: [["note()", "pull()"], ["comment(issue_id=3)"]],
  },
  {
    name: "a constant of the preserved side's ON does not narrow it",
    sql: "SELECT i.id, n.body FROM issue i LEFT JOIN note n ON n.issue_id = i.id AND i.repo = 'acme/app'",
    calls: [["issue()", "note()"]],
  },
  {
    name: "RIGHT JOIN",
    sql: "SELECT p.id, c.author FROM comment c RIGHT JOIN pull p ON c.issue_id = p.closes WHERE p.repo = 'acme/app'",
    calls: [['pull(repo="acme/app")'], appComments],
  },
  {
    name: "RIGHT JOIN with a condition on the side that is kept",
    sql: "SELECT p.id, c.author FROM comment c RIGHT JOIN pull p ON c.issue_id = p.closes AND p.author = 'ann'",
    calls: [["pull()"], ["comment(issue_id=1)", "comment(issue_id=3)", "comment(issue_id=99)"]],
  },
  {
    name: "a key from both sides of an outer join",
    sql: "SELECT p.id, x.id, s.allowed FROM pull p LEFT JOIN issue x ON x.id = p.closes AND x.state = 'closed' JOIN sim s ON s.principal = p.author AND s.resource = COALESCE(x.repo, p.repo) AND s.action = 'read' WHERE p.id < 14",
    calls: [
      ['issue(state="closed")', "pull(id<14)"],
      [
        'sim(action="read" principal="ann" resource="acme/app")',
        'sim(action="read" principal="ann" resource="acme/web")',
        'sim(action="read" principal="bob" resource="acme/app")',
      ],
    ],
  },
  {
    name: "FULL JOIN of two that need no key",
    sql: "SELECT p.id, n.id FROM pull p FULL JOIN note n ON n.issue_id = p.closes",
    calls: [["note()", "pull()"]],
  },
  {
    name: "FULL JOIN of two that have their keys",
    sql: "SELECT a.author, b.author FROM (SELECT * FROM comment WHERE issue_id = 1) a FULL JOIN (SELECT * FROM comment WHERE issue_id = 2) b ON a.author = b.author",
    calls: [appComments],
  },
  {
    name: "three tables, the last by LEFT JOIN",
    sql: "SELECT i.id, c.author, s.allowed FROM issue i JOIN comment c ON c.issue_id = i.id LEFT JOIN sim s ON s.principal = c.author AND s.resource = 'acme/app' AND s.action = 'write' WHERE i.id = 1",
    calls: [
      ["comment(issue_id=1)", "issue(id=1)"],
      [
        'sim(action="write" principal="ann" resource="acme/app")',
        'sim(action="write" principal="bob" resource="acme/app")',
      ],
    ],
  },
  {
    name: "an alternative from a join",
    sql: "SELECT r.tag, m.size FROM release r JOIN img m ON m.repo = r.repo AND m.tag = r.tag WHERE r.repo = 'acme/app'",
    calls: [
      ['release(repo="acme/app")'],
      ['img(repo="acme/app" tag="v1")', 'img(repo="acme/app" tag="v2")', 'img(repo="acme/app" tag="v3")'],
    ],
  },
  {
    name: "an inequality between tables narrows nothing",
    sql: "SELECT count(*) FROM issue i JOIN note n ON n.id < i.id WHERE i.repo = 'acme/app'",
    calls: [['issue(repo="acme/app")', "note()"]],
  },
  {
    name: "a condition on the key leaves out keys of a join",
    sql: "SELECT c.body FROM pull p JOIN comment c ON c.issue_id = p.closes WHERE c.issue_id > 1 AND c.issue_id < 99",
    calls: [["pull()"], ["comment(issue_id=2)", "comment(issue_id=3)"]],
  },
  {
    name: "a condition on the key in ON leaves out keys of an outer join",
    sql: "SELECT p.id, c.body FROM pull p LEFT JOIN comment c ON c.issue_id = p.closes AND c.issue_id > 2",
    calls: [["pull()"], ["comment(issue_id=3)", "comment(issue_id=99)"]],
  },
  {
    name: "IS NULL on the key above an outer join leaves out none",
    sql: "SELECT p.id FROM pull p LEFT JOIN comment c ON c.issue_id = p.closes WHERE c.issue_id IS NULL OR c.issue_id = 3",
    calls: [["pull()"], ["comment(issue_id=1)", "comment(issue_id=2)", "comment(issue_id=3)", "comment(issue_id=99)"]],
  },
];
