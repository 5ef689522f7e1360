/** Arguments from subqueries, and conditions around aggregates and windows. */
import type { Statement } from "./statement.js";

const openComments = ["comment(issue_id=1)", "comment(issue_id=3)", "comment(issue_id=4)", "comment(issue_id=6)"];
const appComments = ["comment(issue_id=1)", "comment(issue_id=2)"];

export const subqueryStatements: readonly Statement[] = [
  {
    name: "a required key from a scalar subquery",
    sql: "SELECT author, body FROM comment WHERE issue_id = (SELECT min(id) FROM issue WHERE repo = 'acme/web')",
    calls: [['issue(repo="acme/web")'], ["comment(issue_id=3)"]],
  },
  {
    name: "an optional column from a scalar subquery",
    sql: "SELECT id FROM pull WHERE repo = (SELECT repo FROM issue WHERE id = 3)",
    calls: [["issue(id=3)"], ['pull(repo="acme/web")']],
  },
  {
    name: "a scalar subquery that is NULL",
    sql: "SELECT author FROM comment WHERE issue_id = (SELECT id FROM issue WHERE repo = 'nowhere')",
    calls: [['issue(repo="nowhere")']],
  },
  {
    name: "a scalar subquery of several rows",
    sql: "SELECT author FROM comment WHERE issue_id = (SELECT id FROM issue WHERE repo = 'acme/app')",
    calls: [['issue(repo="acme/app")']],
    error: { code: "21000" },
  },
  {
    name: "a scalar subquery of several rows that no row is equal to",
    sql: "SELECT author FROM comment WHERE issue_id = (SELECT id FROM issue WHERE id IN (4, 5))",
    calls: [["issue(id=4|5)"]],
    error: { code: "21000" },
  },
  {
    name: "a scalar subquery of several rows for an optional column",
    sql: "SELECT id FROM pull WHERE closes = (SELECT id FROM issue WHERE id IN (4, 5))",
    calls: [["issue(id=4|5)"]],
    error: { code: "21000" },
  },
  {
    name: "a scalar subquery in an expression",
    sql: "SELECT author FROM comment WHERE issue_id = (SELECT min(id) FROM issue WHERE repo = 'acme/app') + 1",
    calls: [['issue(repo="acme/app")'], ["comment(issue_id=2)"]],
  },
  {
    name: "IN a subquery",
    sql: "SELECT issue_id, author FROM comment WHERE issue_id IN (SELECT id FROM issue WHERE repo = 'acme/app')",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "IN a subquery on an optional column",
    sql: "SELECT id, title FROM issue WHERE id IN (SELECT closes FROM pull WHERE repo = 'acme/app')",
    calls: [['pull(repo="acme/app")'], ["issue(id=1|2)"]],
  },
  {
    name: "IN an empty subquery",
    sql: "SELECT author FROM comment WHERE issue_id IN (SELECT id FROM issue WHERE repo = 'nowhere')",
    calls: [['issue(repo="nowhere")']],
  },
  {
    name: "IN a subquery of rows",
    sql: "SELECT principal, allowed FROM sim WHERE (principal, resource) IN (SELECT c.author, 'acme/app' FROM comment c WHERE c.issue_id = 1) AND action = 'write'",
    calls: [
      ["comment(issue_id=1)"],
      [
        'sim(action="write" principal="ann" resource="acme/app")',
        'sim(action="write" principal="bob" resource="acme/app")',
      ],
    ],
  },
  {
    name: "IN a subquery with LIMIT",
    sql: "SELECT issue_id, author FROM comment WHERE issue_id IN (SELECT id FROM issue ORDER BY id LIMIT 2)",
    calls: [["issue(order=id limit=2)"], appComments],
  },
  {
    name: "= ANY of an array subquery",
    sql: "SELECT issue_id, author FROM comment WHERE issue_id = ANY (ARRAY(SELECT id FROM issue WHERE repo = 'acme/app'))",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "NOT IN with a NULL in the subquery",
    sql: "SELECT id FROM issue WHERE id NOT IN (SELECT closes FROM pull)",
    calls: [["issue()", "pull()"]],
  },
  {
    name: "NOT IN without NULL",
    sql: "SELECT id FROM issue WHERE repo = 'acme/app' AND id NOT IN (SELECT closes FROM pull WHERE id = 11)",
    calls: [['issue(repo="acme/app")', "pull(id=11)"]],
  },
  {
    name: "NOT IN a subquery that has its key",
    sql: "SELECT id FROM issue WHERE repo = 'acme/app' AND id NOT IN (SELECT issue_id FROM comment WHERE issue_id IN (1, 3))",
    calls: [["comment(issue_id=1)", "comment(issue_id=3)", 'issue(repo="acme/app")']],
  },
  {
    name: "EXISTS",
    sql: "SELECT i.id FROM issue i WHERE i.state = 'open' AND EXISTS (SELECT 1 FROM comment c WHERE c.issue_id = i.id AND c.author = 'ann')",
    calls: [
      ['issue(state="open")'],
      [
        'comment(author="ann" issue_id=1)',
        'comment(author="ann" issue_id=3)',
        'comment(author="ann" issue_id=4)',
        'comment(author="ann" issue_id=6)',
      ],
    ],
  },
  {
    name: "NOT EXISTS",
    sql: "SELECT i.id FROM issue i WHERE i.state = 'open' AND NOT EXISTS (SELECT 1 FROM comment c WHERE c.issue_id = i.id)",
    calls: [['issue(state="open")'], openComments],
  },
  {
    name: "EXISTS with a NULL among the keys",
    sql: "SELECT p.id FROM pull p WHERE NOT EXISTS (SELECT 1 FROM comment c WHERE c.issue_id = p.closes) AND p.repo = 'acme/web'",
    calls: [['pull(repo="acme/web")'], ["comment(issue_id=3)"]],
  },
  {
    name: "NOT EXISTS with a condition on the query outside",
    sql: "SELECT p.id FROM pull p WHERE NOT EXISTS (SELECT 1 FROM comment c WHERE c.issue_id = p.closes AND p.author = 'ann')",
    calls: [["pull()"], ["comment(issue_id=1)", "comment(issue_id=3)", "comment(issue_id=99)"]],
  },
  {
    name: "EXISTS with a condition on the query outside",
    sql: "SELECT p.id FROM pull p WHERE EXISTS (SELECT 1 FROM comment c WHERE c.issue_id = p.closes AND p.author = 'ann')",
    calls: [["pull()"], ["comment(issue_id=1)", "comment(issue_id=3)", "comment(issue_id=99)"]],
  },
  {
    name: "EXISTS with a key that NULL has too",
    sql: "SELECT p.id FROM pull p WHERE EXISTS (SELECT 1 FROM comment c WHERE c.issue_id = COALESCE(p.closes, 2)) AND p.repo = 'acme/web'",
    calls: [['pull(repo="acme/web")'], ["comment(issue_id=2)", "comment(issue_id=3)"]],
  },
  {
    name: "EXISTS without correlation wants one row",
    sql: "SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM issue WHERE state = 'open')",
    calls: [['issue(state="open" limit=1)']],
  },
  {
    name: "a correlated scalar subquery",
    sql: "SELECT i.id, (SELECT count(*) FROM comment c WHERE c.issue_id = i.id) FROM issue i WHERE i.state = 'open'",
    calls: [['issue(state="open")'], openComments],
  },
  {
    name: "a correlated scalar subquery in WHERE",
    sql: "SELECT i.id FROM issue i WHERE i.repo = 'acme/app' AND (SELECT count(*) FROM comment c WHERE c.issue_id = i.id) > 1",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "a correlated scalar subquery in ORDER BY",
    sql: "SELECT i.id FROM issue i WHERE i.repo = 'acme/app' ORDER BY (SELECT count(*) FROM comment c WHERE c.issue_id = i.id)",
    ordered: true,
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "correlated through two levels",
    sql: `SELECT i.id FROM issue i WHERE i.repo = 'acme/app' AND EXISTS (
            SELECT 1 FROM comment c WHERE c.issue_id = i.id AND EXISTS (
              SELECT 1 FROM sim s WHERE s.principal = c.author AND s.resource = 'acme/app' AND s.action = 'write' AND NOT s.allowed))`,
    calls: [
      ['issue(repo="acme/app")'],
      appComments,
      [
        'sim(action="write" principal="ann" resource="acme/app")',
        'sim(action="write" principal="bob" resource="acme/app")',
      ],
    ],
  },
  {
    name: "LATERAL with an aggregate",
    sql: "SELECT i.id, x.n FROM issue i, LATERAL (SELECT count(*) AS n FROM comment c WHERE c.issue_id = i.id) x WHERE i.repo = 'acme/app'",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "LATERAL with LIMIT",
    sql: "SELECT i.id, x.author FROM issue i CROSS JOIN LATERAL (SELECT author FROM comment c WHERE c.issue_id = i.id ORDER BY author LIMIT 1) x WHERE i.repo = 'acme/app'",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "LEFT JOIN LATERAL",
    sql: "SELECT i.id, x.author FROM issue i LEFT JOIN LATERAL (SELECT author FROM comment c WHERE c.issue_id = i.id AND c.author = 'ann') x ON true WHERE i.repo = 'acme/app'",
    calls: [['issue(repo="acme/app")'], ['comment(author="ann" issue_id=1)', 'comment(author="ann" issue_id=2)']],
  },
  {
    name: "an aggregate over a dependent join",
    sql: "SELECT i.repo, count(c.body), count(*) FROM issue i LEFT JOIN comment c ON c.issue_id = i.id WHERE i.state = 'open' GROUP BY i.repo",
    calls: [['issue(state="open")'], openComments],
  },
  {
    name: "HAVING on the key",
    sql: "SELECT issue_id, count(*) FROM comment GROUP BY issue_id HAVING issue_id IN (1, 3)",
    calls: [["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "HAVING on the aggregate narrows nothing",
    sql: "SELECT state, count(*) FROM issue GROUP BY state HAVING count(*) > 1",
    calls: [["issue()"]],
  },
  {
    name: "a condition above GROUP BY on its key",
    sql: "SELECT * FROM (SELECT repo, count(*) AS n FROM issue GROUP BY repo) t WHERE repo = 'acme/web'",
    calls: [['issue(repo="acme/web")']],
  },
  {
    name: "a condition above GROUP BY on its result",
    sql: "SELECT * FROM (SELECT repo, min(id) AS first FROM issue GROUP BY repo) t WHERE first = 1",
    calls: [["issue()"]],
  },
  {
    name: "a FILTER of an aggregate narrows nothing",
    sql: "SELECT count(*) FILTER (WHERE state = 'open'), count(*) FROM issue",
    calls: [["issue()"]],
  },
  {
    name: "grouping sets keep the rows of every set",
    sql: "SELECT repo, state, count(*) FROM issue WHERE id IN (1, 2, 3) GROUP BY ROLLUP (repo, state)",
    calls: [["issue(id=1|2|3)"]],
  },
  {
    name: "a condition above grouping sets is no argument",
    sql: "SELECT * FROM (SELECT repo, count(*) AS n FROM issue GROUP BY ROLLUP (repo)) t WHERE repo IS NULL",
    calls: [["issue()"]],
  },
  {
    name: "a condition above a window on its partition",
    sql: "SELECT * FROM (SELECT issue_id, author, row_number() OVER (PARTITION BY issue_id ORDER BY author, body) AS n FROM comment) t WHERE issue_id = 1",
    calls: [["comment(issue_id=1)"]],
  },
  {
    name: "a condition above a window on another column",
    sql: "SELECT * FROM (SELECT id, repo, row_number() OVER (ORDER BY id) AS n FROM issue) t WHERE repo = 'acme/web'",
    calls: [["issue()"]],
  },
  {
    name: "a window over a dependent join",
    sql: "SELECT i.id, c.author, rank() OVER (PARTITION BY i.id ORDER BY c.author) FROM issue i JOIN comment c ON c.issue_id = i.id WHERE i.repo = 'acme/app'",
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "a condition above DISTINCT",
    sql: "SELECT * FROM (SELECT DISTINCT repo, state FROM issue) t WHERE repo = 'acme/web'",
    calls: [['issue(repo="acme/web")']],
  },
  {
    name: "a condition above DISTINCT ON another column",
    sql: "SELECT * FROM (SELECT DISTINCT ON (repo) repo, id, state FROM issue ORDER BY repo, id) t WHERE state = 'closed'",
    calls: [["issue()"]],
  },
  {
    name: "DISTINCT ON over a dependent join",
    sql: "SELECT DISTINCT ON (i.id) i.id, c.author FROM issue i JOIN comment c ON c.issue_id = i.id WHERE i.repo = 'acme/app' ORDER BY i.id, c.author",
    ordered: true,
    calls: [['issue(repo="acme/app")'], appComments],
  },
  {
    name: "DISTINCT over a dependent join",
    sql: "SELECT DISTINCT c.author FROM issue i JOIN comment c ON c.issue_id = i.id WHERE i.state = 'open'",
    calls: [['issue(state="open")'], openComments],
  },
  {
    name: "the same subquery twice",
    sql: "SELECT (SELECT count(*) FROM pull), (SELECT count(*) FROM pull) + 1, (SELECT max(id) FROM pull WHERE repo = 'acme/app')",
    calls: [["pull()", 'pull(repo="acme/app")']],
  },
  {
    name: "a scalar subquery and a join that waits for it",
    sql: "SELECT c.author FROM issue i JOIN comment c ON c.issue_id = i.id WHERE i.repo = (SELECT repo FROM pull WHERE id = 11)",
    calls: [["pull(id=11)"], ['issue(repo="acme/app")'], appComments],
  },
  {
    name: "an OR of a scalar subquery and a constant",
    sql: "SELECT body FROM comment WHERE issue_id = (SELECT min(id) FROM issue) OR issue_id = 3",
    calls: [["issue()"], ["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "an OR of a scalar subquery without rows and a constant",
    sql: "SELECT body FROM comment WHERE issue_id = (SELECT id FROM issue WHERE repo = 'none') OR issue_id = 3",
    calls: [['issue(repo="none")'], ["comment(issue_id=3)"]],
  },
  {
    name: "an OR of two scalar subqueries that say the same",
    sql: "SELECT body FROM comment WHERE issue_id = (SELECT min(id) FROM issue) OR issue_id = (SELECT min(i.id) FROM issue i)",
    calls: [["issue()"], ["comment(issue_id=1)"]],
  },
  {
    name: "an OR of a subquery of another type and a constant",
    sql: "SELECT body FROM comment WHERE issue_id = (SELECT 2.5 + min(id) FROM issue) OR issue_id = 3",
    calls: [["issue()"], ["comment(issue_id=3)"]],
  },
  {
    name: "a scalar subquery in a list",
    sql: "SELECT body FROM comment WHERE issue_id IN (3, (SELECT min(id) FROM issue), NULL)",
    calls: [["issue()"], ["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "an OR of IN (SELECT …) and a constant",
    sql: "SELECT body FROM comment WHERE issue_id IN (SELECT id FROM issue WHERE repo = 'acme/app') OR issue_id = 3",
    calls: [['issue(repo="acme/app")'], ["comment(issue_id=1)", "comment(issue_id=2)", "comment(issue_id=3)"]],
  },
  {
    name: "an OR of two IN (SELECT …)",
    sql: "SELECT body FROM comment WHERE issue_id IN (SELECT id FROM issue WHERE repo = 'acme/app') OR issue_id IN (SELECT closes FROM pull WHERE author = 'ann')",
    calls: [
      ['issue(repo="acme/app")', "pull()"],
      ["comment(issue_id=1)", "comment(issue_id=2)", "comment(issue_id=3)", "comment(issue_id=99)"],
    ],
  },
  {
    name: "an OR of subqueries over a CTE",
    sql: "WITH i AS MATERIALIZED (SELECT id FROM issue WHERE repo = 'acme/app') SELECT body FROM comment WHERE issue_id = (SELECT min(id) FROM i) OR issue_id = (SELECT max(id) FROM i)",
    calls: [['issue(repo="acme/app")'], ["comment(issue_id=1)", "comment(issue_id=2)"]],
  },
  {
    name: "an OR of pairs with a subquery in one",
    sql: "SELECT allowed FROM sim WHERE resource = 'acme/app' AND action = 'read' AND (principal = (SELECT min(author) FROM pull) OR principal = 'bob')",
    calls: [
      ["pull()"],
      [
        'sim(action="read" principal="ann" resource="acme/app")',
        'sim(action="read" principal="bob" resource="acme/app")',
      ],
    ],
  },
];
