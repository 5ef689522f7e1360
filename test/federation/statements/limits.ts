/** LIMIT and ORDER BY: where the call may stop early, and where a row too few would be a wrong answer. */
import type { Statement } from "./statement.js";

export const limitStatements: readonly Statement[] = [
  { name: "LIMIT alone", sql: "SELECT count(*) FROM (SELECT id FROM issue LIMIT 2) t", calls: [["issue(limit=2)"]] },
  {
    name: "LIMIT above an exact filter",
    sql: "SELECT count(*) FROM (SELECT id FROM issue WHERE state = 'open' LIMIT 3) t",
    calls: [['issue(state="open" limit=3)']],
  },
  {
    name: "LIMIT above an exact list",
    sql: "SELECT count(*) FROM (SELECT id FROM issue WHERE id IN (1, 2, 3, 42) LIMIT 2) t",
    calls: [["issue(id=1|2|3|42 limit=2)"]],
  },
  {
    name: "rows of OFFSET are read as well",
    sql: "SELECT count(*) FROM (SELECT id FROM issue LIMIT 2 OFFSET 7) t",
    calls: [["issue(limit=9)"]],
  },
  {
    name: "LIMIT above a filter that is not exact",
    sql: "SELECT id FROM pull WHERE repo = 'acme/app' LIMIT 2",
    calls: [['pull(repo="acme/app")']],
  },
  {
    name: "LIMIT above a filter that the service does not take",
    sql: "SELECT count(*) FROM (SELECT id FROM issue WHERE title = 'Fix login' LIMIT 2) t",
    calls: [["issue()"]],
  },
  {
    name: "LIMIT above one filter that is passed and one that is not",
    sql: "SELECT id FROM issue WHERE state = 'closed' AND title = 'Fix login' LIMIT 1",
    calls: [['issue(state="closed")']],
  },
  {
    name: "LIMIT above an exact bound",
    sql: "SELECT count(*) FROM (SELECT id FROM issue WHERE updated_at >= '2024-05-01T00:00:00Z' LIMIT 2) t",
    calls: [['issue(updated_at>="2024-05-01T00:00:00.000Z" limit=2)']],
  },
  {
    name: "LIMIT above a bound on the other side",
    sql: "SELECT id FROM issue WHERE updated_at < '2024-01-01T00:00:00Z' LIMIT 1",
    calls: [["issue()"]],
  },
  {
    name: "LIMIT above a contradiction",
    sql: "SELECT id FROM issue WHERE id = 1 AND id = 2 LIMIT 1",
    calls: [],
  },
  {
    name: "LIMIT above DISTINCT",
    sql: "SELECT count(*) FROM (SELECT DISTINCT state FROM issue LIMIT 3) t",
    calls: [["issue()"]],
  },
  {
    name: "LIMIT above GROUP BY",
    sql: "SELECT count(*) FROM (SELECT repo, count(*) FROM issue GROUP BY repo LIMIT 3) t",
    calls: [["issue()"]],
  },
  { name: "LIMIT above an aggregate", sql: "SELECT max(id) FROM pull LIMIT 1", calls: [["pull()"]] },
  {
    name: "LIMIT above a window",
    sql: "SELECT count(*), max(n) FROM (SELECT count(*) OVER () AS n FROM issue LIMIT 2) t",
    calls: [["issue()"]],
  },
  {
    name: "LIMIT above a join",
    sql: "SELECT count(*) FROM (SELECT i.id FROM issue i JOIN note n ON n.issue_id = i.id LIMIT 3) t",
    calls: [["issue()", "note()"]],
  },
  {
    name: "LIMIT above a cross join",
    sql: "SELECT count(*) FROM (SELECT i.id FROM issue i, note n WHERE n.id = 99 LIMIT 1) t",
    calls: [["issue()", "note(id=99)"]],
  },
  {
    name: "LIMIT above EXISTS",
    sql: "SELECT id FROM issue i WHERE EXISTS (SELECT 1 FROM note n WHERE n.issue_id = i.id) ORDER BY id LIMIT 1",
    calls: [["issue()", "note()"]],
  },
  {
    name: "LIMIT above a dependent LEFT JOIN reaches the side that is kept",
    sql: "SELECT i.id FROM issue i LEFT JOIN comment c ON c.issue_id = i.id ORDER BY i.id LIMIT 2",
    ordered: true,
    calls: [["issue(order=id limit=2)"], ["comment(issue_id=1)", "comment(issue_id=2)"]],
  },
  {
    name: "LIMIT above a LEFT JOIN with a condition on the side that may be NULL",
    sql: "SELECT count(*) FROM (SELECT i.id FROM issue i LEFT JOIN note n ON n.issue_id = i.id WHERE n.id IS NULL LIMIT 3) t",
    calls: [["issue()", "note()"]],
  },
  {
    name: "LIMIT above UNION ALL",
    sql: "SELECT count(*) FROM (SELECT id FROM issue UNION ALL SELECT id FROM pull LIMIT 3) t",
    calls: [["issue(limit=3)", "pull(limit=3)"]],
  },
  {
    name: "LIMIT above UNION",
    sql: "SELECT count(*) FROM (SELECT repo FROM issue UNION SELECT repo FROM pull LIMIT 3) t",
    calls: [["issue()", "pull()"]],
  },
  {
    name: "LIMIT above EXCEPT",
    sql: "SELECT count(*) FROM (SELECT repo FROM issue EXCEPT SELECT repo FROM pull LIMIT 2) t",
    calls: [["issue()", "pull()"]],
  },
  {
    name: "LIMIT of a CTE that is read twice",
    sql: "WITH k AS (SELECT id FROM issue ORDER BY id LIMIT 2) SELECT count(*) FROM k a, k b",
    calls: [["issue(order=id limit=2)"]],
  },
  {
    name: "a condition above LIMIT stays above it",
    sql: "SELECT * FROM (SELECT id, repo FROM issue ORDER BY id LIMIT 3) t WHERE repo = 'acme/web'",
    calls: [["issue(order=id limit=3)"]],
  },
  {
    name: "ORDER BY and LIMIT on columns that the service orders by",
    sql: "SELECT id FROM issue ORDER BY id DESC LIMIT 2",
    ordered: true,
    calls: [["issue(order=id desc limit=2)"]],
  },
  {
    name: "ORDER BY … DESC begins with NULL",
    sql: "SELECT updated_at FROM issue ORDER BY updated_at DESC LIMIT 2",
    ordered: true,
    calls: [["issue(order=updated_at desc limit=2)"]],
  },
  {
    name: "ORDER BY … DESC NULLS LAST is another order",
    sql: "SELECT updated_at FROM issue ORDER BY updated_at DESC NULLS LAST LIMIT 2",
    ordered: true,
    calls: [["issue()"]],
  },
  {
    name: "ORDER BY two columns",
    sql: "SELECT id FROM issue ORDER BY updated_at, id DESC LIMIT 6",
    ordered: true,
    calls: [["issue(order=updated_at,id desc limit=6)"]],
  },
  {
    name: "ORDER BY a column that the service does not order by",
    sql: "SELECT title FROM issue ORDER BY title LIMIT 3",
    ordered: true,
    calls: [["issue()"]],
  },
  {
    name: "ORDER BY with a second column that the service does not order by",
    sql: "SELECT updated_at, title FROM issue ORDER BY updated_at, title LIMIT 5",
    ordered: true,
    calls: [["issue()"]],
  },
  {
    name: "ORDER BY an expression",
    sql: "SELECT id FROM issue ORDER BY -id LIMIT 2",
    ordered: true,
    calls: [["issue()"]],
  },
  {
    name: "ORDER BY and LIMIT above an exact filter",
    sql: "SELECT repo, tag FROM release WHERE published > '2024-01-31' ORDER BY published, tag LIMIT 2",
    ordered: true,
    calls: [['release(published>"2024-01-31" order=published,tag limit=2)']],
  },
  {
    name: "ORDER BY and LIMIT above a filter that is not passed",
    sql: "SELECT tag FROM release WHERE downloads = 10 ORDER BY published LIMIT 1",
    ordered: true,
    calls: [["release()"]],
  },
  {
    name: "WITH TIES needs the rows after the last",
    sql: "SELECT published FROM release ORDER BY published FETCH FIRST 3 ROWS WITH TIES",
    ordered: true,
    calls: [["release()"]],
  },
  {
    name: "DISTINCT ON with LIMIT",
    sql: "SELECT DISTINCT ON (repo) repo, tag FROM release ORDER BY repo, tag DESC LIMIT 2",
    ordered: true,
    calls: [["release()"]],
  },
  {
    name: "pages until the limit is there",
    sql: "SELECT count(*) FROM (SELECT seq FROM event WHERE source = 'main' LIMIT 6) t",
    calls: [['event(source="main" limit=6)']],
    pages: ['event(source="main" limit=6): 2'],
  },
  {
    name: "every page without a limit",
    sql: "SELECT count(*), count(kind) FROM event WHERE source = 'main'",
    calls: [['event(source="main")']],
    pages: ['event(source="main"): 5'],
  },
  {
    name: "every page under a filter that is not passed",
    sql: "SELECT count(*) FROM (SELECT seq FROM event WHERE source = 'main' AND kind = 'k1' LIMIT 2) t",
    calls: [['event(source="main")']],
    pages: ['event(source="main"): 5'],
  },
  {
    name: "a page that fails after the limit is not asked for",
    sql: "SELECT count(*) FROM (SELECT seq FROM event WHERE source = 'broken' LIMIT 8) t",
    calls: [['event(source="broken" limit=8)']],
    pages: ['event(source="broken" limit=8): 2'],
  },
  {
    name: "each of several calls may give the whole limit",
    sql: "SELECT count(*) FROM (SELECT seq FROM event WHERE source IN ('main', 'nowhere') LIMIT 4) t",
    calls: [['event(source="main" limit=4)', 'event(source="nowhere" limit=4)']],
    pages: ['event(source="main" limit=4): 1', 'event(source="nowhere" limit=4): 0'],
  },
];
