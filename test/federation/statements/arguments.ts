/** Arguments from constants, parameters and what can be computed before any call. */
import type { Statement } from "./statement.js";

export const argumentStatements: readonly Statement[] = [
  { name: "no condition is one call", sql: "SELECT id, title FROM issue", calls: [["issue()"]] },
  {
    name: "two equalities are one call",
    sql: "SELECT id FROM issue WHERE repo = 'acme/app' AND state = 'open'",
    calls: [['issue(repo="acme/app" state="open")']],
  },
  { name: "arithmetic is computed first", sql: "SELECT title FROM issue WHERE id = 2 - 1", calls: [["issue(id=1)"]] },
  {
    name: "a function is computed first",
    sql: "SELECT id FROM issue WHERE repo = lower('ACME/App')",
    calls: [['issue(repo="acme/app")']],
  },
  {
    name: "concatenation is computed first",
    sql: "SELECT id FROM issue WHERE repo = 'acme' || '/' || 'web'",
    calls: [['issue(repo="acme/web")']],
  },
  {
    name: "a cast of a text to the key's type",
    sql: "SELECT body FROM comment WHERE issue_id = '3'::bigint",
    calls: [["comment(issue_id=3)"]],
  },
  {
    name: "a text literal takes the key's type",
    sql: "SELECT body FROM comment WHERE issue_id = '3'",
    calls: [["comment(issue_id=3)"]],
  },
  {
    name: "a numeric without fraction is the same key",
    sql: "SELECT body FROM comment WHERE issue_id = 1.0",
    calls: [["comment(issue_id=1)"]],
  },
  { name: "no integer is equal to a fraction", sql: "SELECT id FROM issue WHERE id = 2.5", calls: [] },
  {
    name: "COALESCE and CASE of constants",
    sql: "SELECT body FROM comment WHERE issue_id = COALESCE(NULL, CASE WHEN 1 > 2 THEN 1 ELSE 2 END)",
    calls: [["comment(issue_id=2)"]],
  },
  {
    name: "the constant may stand first",
    sql: "SELECT body FROM comment WHERE 2 = issue_id",
    calls: [["comment(issue_id=2)"]],
  },
  {
    name: "an optional column with several values is one call",
    sql: "SELECT title FROM issue WHERE id IN (1, 3, 1)",
    calls: [["issue(id=1|3)"]],
  },
  {
    name: "a required key with several values is one call for each",
    sql: "SELECT body FROM comment WHERE issue_id IN (1, 3)",
    calls: [["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "OR of equalities on an optional column",
    sql: "SELECT title FROM issue WHERE id = 1 OR id = 3",
    calls: [["issue(id=1|3)"]],
  },
  {
    name: "OR of equalities on a required key",
    sql: "SELECT author FROM comment WHERE issue_id = 1 OR issue_id = 2 OR issue_id = 1",
    calls: [["comment(issue_id=1)", "comment(issue_id=2)"]],
  },
  {
    name: "OR over different columns narrows nothing",
    sql: "SELECT id FROM issue WHERE id = 1 OR repo = 'acme/web'",
    calls: [["issue()"]],
  },
  {
    name: "OR of tuples keeps the pairs",
    sql: "SELECT body FROM comment WHERE (issue_id = 1 AND author = 'ann') OR (issue_id = 2 AND author = 'bob')",
    calls: [['comment(author="ann" issue_id=1)', 'comment(author="bob" issue_id=2)']],
  },
  {
    name: "OR of tuples over three required keys",
    sql: `SELECT allowed FROM sim
          WHERE (principal = 'ann' AND resource = 'acme/app' AND action = 'read')
             OR (principal = 'bob' AND resource = 'acme/web' AND action = 'read')`,
    calls: [
      [
        'sim(action="read" principal="ann" resource="acme/app")',
        'sim(action="read" principal="bob" resource="acme/web")',
      ],
    ],
  },
  {
    name: "IN over rows",
    sql: `SELECT principal, action, allowed FROM sim
          WHERE (principal, resource, action) IN (('ann', 'acme/app', 'write'), ('bob', 'acme/app', 'write'))`,
    calls: [
      [
        'sim(action="write" principal="ann" resource="acme/app")',
        'sim(action="write" principal="bob" resource="acme/app")',
      ],
    ],
  },
  {
    name: "a row with a NULL in IN over rows adds no call",
    sql: "SELECT allowed FROM sim WHERE (principal, resource, action) IN (('ann', 'acme/app', 'write'), ('bob', NULL, 'write'))",
    calls: [['sim(action="write" principal="ann" resource="acme/app")']],
  },
  {
    name: "equality of rows",
    sql: "SELECT allowed FROM sim WHERE (principal, resource, action) = ('bob', 'acme/app', 'read')",
    calls: [['sim(action="read" principal="bob" resource="acme/app")']],
  },
  {
    name: "lists on two required keys are their product",
    sql: "SELECT principal, action, allowed FROM sim WHERE principal IN ('ann', 'bob') AND resource = 'acme/app' AND action IN ('read', 'write')",
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
    name: "NOT of an inequality is an equality",
    sql: "SELECT body FROM comment WHERE NOT (issue_id <> 3)",
    calls: [["comment(issue_id=3)"]],
  },
  {
    name: "NOT of an OR of inequalities",
    sql: "SELECT body FROM comment WHERE NOT (issue_id <> 1 OR author <> 'ann')",
    calls: [['comment(author="ann" issue_id=1)']],
  },
  {
    name: "a list and an equality have one value in common",
    sql: "SELECT body FROM comment WHERE issue_id IN (1, 2, 3) AND issue_id = 2",
    calls: [["comment(issue_id=2)"]],
  },
  {
    name: "two lists intersect",
    sql: "SELECT body FROM comment WHERE issue_id IN (1, 2, 3) AND issue_id IN (3, 4, 1)",
    calls: [["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "a key beyond 2^53",
    sql: "SELECT author, body FROM comment WHERE issue_id = 9007199254740993",
    calls: [["comment(issue_id=9007199254740993)"]], // a bigint: a number could not hold it
  },
  {
    name: "a key beyond bigint is no key",
    sql: "SELECT author FROM comment WHERE issue_id = 9223372036854775808",
    calls: [],
  },
  {
    name: "a quote and a percent sign in a key",
    sql: "SELECT allowed FROM sim WHERE principal = 'ann' AND resource = 'it''s 100%' AND action = 'read'",
    calls: [[`sim(action="read" principal="ann" resource="it's 100%")`]],
  },
  {
    name: "an empty key",
    sql: "SELECT allowed FROM sim WHERE principal = 'ann' AND resource = '' AND action = 'read'",
    calls: [['sim(action="read" principal="ann" resource="")']],
  },
  {
    name: "letters beyond ASCII and a slash in a key",
    sql: "SELECT allowed FROM sim WHERE principal = 'çleo' AND resource = 'ünï/çødé' AND action = 'read'",
    calls: [['sim(action="read" principal="çleo" resource="ünï/çødé")']],
  },
  {
    name: "an empty text on an optional column",
    sql: "SELECT id FROM issue WHERE repo = ''",
    calls: [['issue(repo="")']],
  },
  {
    name: "a column that the service can't filter by is checked here",
    sql: "SELECT id FROM issue WHERE title = 'Fix login'",
    calls: [["issue()"]],
  },
  { name: "= NULL calls nothing", sql: "SELECT body FROM comment WHERE issue_id = NULL", calls: [] },
  { name: "a list of NULL calls nothing", sql: "SELECT body FROM comment WHERE issue_id IN (NULL, NULL)", calls: [] },
  {
    name: "a NULL in a list adds no call",
    sql: "SELECT author FROM comment WHERE issue_id IN (2, NULL)",
    calls: [["comment(issue_id=2)"]],
  },
  { name: "contradictory keys", sql: "SELECT body FROM comment WHERE issue_id = 1 AND issue_id = 2", calls: [] },
  {
    name: "contradictory optional columns",
    sql: "SELECT id FROM issue WHERE state IN ('open') AND state = 'closed'",
    calls: [],
  },
  {
    name: "contradiction in an aggregate still gives its row",
    sql: "SELECT count(*) FROM issue WHERE id = 1 AND id = 2",
    calls: [],
  },
  { name: "WHERE false", sql: "SELECT id FROM issue WHERE false", calls: [] },
  { name: "LIMIT 0", sql: "SELECT id FROM issue LIMIT 0", calls: [] },
  {
    name: "NOT IN with a NULL in the list is never true",
    sql: "SELECT id FROM issue WHERE id NOT IN (1, NULL)",
    calls: [],
  },
  {
    name: "a parameter",
    sql: "SELECT body FROM comment WHERE issue_id = $1",
    params: [3],
    calls: [["comment(issue_id=3)"]],
  },
  {
    name: "a parameter that is NULL calls nothing",
    sql: "SELECT body FROM comment WHERE issue_id = $1",
    params: [null],
    calls: [],
  },
  {
    name: "a parameter in an expression",
    sql: "SELECT body FROM comment WHERE issue_id = $1 + 1",
    params: [2],
    calls: [["comment(issue_id=3)"]],
  },
  {
    name: "a parameter with quotes is a value and no SQL",
    sql: "SELECT allowed FROM sim WHERE principal = 'ann' AND resource = $1 AND action = 'read'",
    params: ["it's 100%"],
    calls: [[`sim(action="read" principal="ann" resource="it's 100%")`]],
  },
  {
    name: "= ANY of an array parameter, with a NULL in it",
    sql: "SELECT body FROM comment WHERE issue_id = ANY($1)",
    params: [[3, null, 1, 3]],
    calls: [["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "= ANY of an array literal",
    sql: "SELECT body FROM comment WHERE issue_id = ANY('{1,2}')",
    calls: [["comment(issue_id=1)", "comment(issue_id=2)"]],
  },
  { name: "= ANY of an empty array", sql: "SELECT body FROM comment WHERE issue_id = ANY('{}'::bigint[])", calls: [] },
  {
    name: "a batch key takes its values in one call",
    sql: "SELECT id, login FROM member WHERE id IN (3, 1, 2)",
    calls: [["member(id=1|2|3)"]],
  },
  {
    name: "one of two alternatives",
    sql: "SELECT size FROM img WHERE repo = 'acme/app' AND tag = 'v1'",
    calls: [['img(repo="acme/app" tag="v1")']],
  },
  {
    name: "the other of two alternatives",
    sql: "SELECT tag FROM img WHERE repo = 'acme/web' AND digest = 'sha256:b1'",
    calls: [['img(digest="sha256:b1" repo="acme/web")']],
  },
  {
    name: "both alternatives",
    sql: "SELECT size FROM img WHERE repo = 'acme/app' AND tag = 'v1' AND digest = 'sha256:a1'",
    calls: [['img(digest="sha256:a1" repo="acme/app" tag="v1")']],
  },
  {
    name: "an alternative with several values is one call for each",
    sql: "SELECT size FROM img WHERE repo = 'acme/app' AND tag IN ('v1', 'v2')",
    calls: [['img(repo="acme/app" tag="v1")', 'img(repo="acme/app" tag="v2")']],
  },
  {
    name: "the catalog is at hand",
    sql: "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name = 'issue'",
    calls: [],
  },
  {
    name: "a value for what is only an argument is stamped on the rows",
    sql: "SELECT query, mode, hit FROM search WHERE query = 'x' AND mode IN ('fast', 'deep') AND mode <> 'fast'",
    calls: [['search(mode="deep" query="x")']],
  },
  {
    name: "every branch binds what is only an argument",
    sql: "SELECT mode, hit FROM search WHERE (query = 'x' AND mode = 'fast') OR (query = 'y' AND mode = 'deep')",
    calls: [['search(mode="deep" query="y")', 'search(mode="fast" query="x")']],
  },
  {
    name: "a join binds what is only an argument",
    sql: "SELECT v.m, hit FROM (VALUES ('fast'), ('deep')) v(m) LEFT JOIN search ON query = 'x' AND mode = v.m",
    calls: [['search(mode="deep" query="x")', 'search(mode="fast" query="x")']],
  },
  {
    name: "a comparison leaves out values of a list",
    sql: "SELECT body FROM comment WHERE issue_id IN (1, 2, 3) AND issue_id > 2",
    calls: [["comment(issue_id=3)"]],
  },
  {
    name: "a comparison with a parameter leaves out values of a list",
    sql: "SELECT body FROM comment WHERE issue_id IN (1, 2, 3) AND issue_id > $1",
    params: [2],
    calls: [["comment(issue_id=3)"]],
  },
  {
    name: "a comparison leaves out elements of an array parameter",
    sql: "SELECT body FROM comment WHERE issue_id = ANY($1) AND issue_id % 2 = 1",
    params: [[1, 2, 3]],
    calls: [["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "a condition that fails on a value leaves the values as they are",
    sql: "SELECT body FROM comment WHERE issue_id = ANY($1) AND 6 / issue_id > 2",
    params: [[0, 1, 2, 6]],
    calls: [["comment(issue_id=0)", "comment(issue_id=1)", "comment(issue_id=2)", "comment(issue_id=6)"]],
  },
  {
    name: "a condition under OR leaves out values",
    sql: "SELECT body FROM comment WHERE issue_id IN (1, 2, 3) AND (issue_id > 2 OR issue_id < 2)",
    calls: [["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "an equality and its opposite",
    sql: "SELECT body FROM comment WHERE issue_id = 1 AND issue_id <> 1",
    calls: [],
  },
  {
    name: "an equality and IS NULL",
    sql: "SELECT body FROM comment WHERE issue_id = 1 AND issue_id IS NULL",
    calls: [],
  },
  {
    name: "LIKE leaves out values",
    sql: "SELECT tag FROM img WHERE repo IN ('acme/app', 'other/app') AND tag = 'v1' AND repo LIKE 'acme/%'",
    calls: [['img(repo="acme/app" tag="v1")']],
  },
  {
    name: "a comparison of two keys leaves out pairs",
    sql: `SELECT allowed FROM sim
          WHERE (principal, resource, action) IN (('ann', 'acme/app', 'read'), ('zed', 'acme/app', 'read')) AND principal < 'b' || resource`,
    calls: [['sim(action="read" principal="ann" resource="acme/app")']],
  },
  {
    name: "IS NOT DISTINCT FROM a value",
    sql: "SELECT body FROM comment WHERE issue_id IS NOT DISTINCT FROM 1",
    calls: [["comment(issue_id=1)"]],
  },
  {
    name: "an equality that IS TRUE",
    sql: "SELECT body FROM comment WHERE (issue_id = 1) IS TRUE AND (author <> 'ann') IS FALSE",
    calls: [['comment(author="ann" issue_id=1)']],
  },
  {
    name: "BETWEEN a value and itself",
    sql: "SELECT body FROM comment WHERE issue_id BETWEEN 2 AND 2",
    calls: [["comment(issue_id=2)"]],
  },
  {
    name: "BETWEEN two values the wrong way round",
    sql: "SELECT body FROM comment WHERE issue_id BETWEEN 5 AND 3",
    calls: [],
  },
  {
    name: "<> ALL of an array with a NULL is never true",
    sql: "SELECT id FROM issue WHERE id <> ALL ('{1,NULL}'::bigint[])",
    calls: [],
  },
  {
    name: "an OR of an integer and a numeric: each converted from its own type",
    sql: "SELECT body FROM comment WHERE issue_id = 2.0 OR issue_id = 1",
    calls: [["comment(issue_id=1)", "comment(issue_id=2)"]],
  },
  {
    name: "an OR of an integer and a numeric with a fraction",
    sql: "SELECT body FROM comment WHERE issue_id = 2.5 OR issue_id = 1 OR issue_id = 3::smallint",
    calls: [["comment(issue_id=1)", "comment(issue_id=3)"]],
  },
  {
    name: "an OR of pairs of different types",
    sql: "SELECT id FROM issue WHERE (id = 1.0 AND repo = 'acme/app') OR (id = 3 AND repo = 'acme/web'::varchar)",
    calls: [['issue(id=1|3 repo="acme/app"|"acme/web")']],
  },
  {
    name: "an OR over alternatives: the table is read by each of them",
    sql: "SELECT tag, digest FROM img WHERE repo = 'acme/app' AND (tag = 'v1' OR digest = 'sha256:a3')",
    calls: [['img(digest="sha256:a3" repo="acme/app")', 'img(repo="acme/app" tag="v1")']],
  },
  {
    name: "an OR over alternatives: a row that fulfils both comes once",
    sql: "SELECT tag, digest FROM img WHERE repo = 'acme/web' AND (tag = 'v1' OR digest = 'sha256:b1')",
    calls: [['img(digest="sha256:b1" repo="acme/web")', 'img(repo="acme/web" tag="v1")']],
  },
  {
    name: "an OR over alternatives with several values of each",
    sql: "SELECT count(*), sum(size) FROM img WHERE (tag IN ('v1', 'v2') OR digest = 'sha256:a2' OR digest = 'sha256:a3') AND repo = 'acme/app'",
    calls: [
      [
        'img(digest="sha256:a2" repo="acme/app")',
        'img(digest="sha256:a3" repo="acme/app")',
        'img(repo="acme/app" tag="v1")',
        'img(repo="acme/app" tag="v2")',
      ],
    ],
  },
  {
    name: "an OR over alternatives beside another condition on one of them is one call",
    sql: "SELECT digest FROM img WHERE repo = 'acme/app' AND tag = 'v1' AND (tag = 'v2' OR digest = 'sha256:a1')",
    calls: [['img(repo="acme/app" tag="v1")']],
  },
  {
    name: "an OR over alternatives, of which one never holds",
    sql: "SELECT digest FROM img WHERE repo = 'acme/app' AND (tag = 'v1' OR digest = NULL)",
    calls: [['img(repo="acme/app" tag="v1")']],
  },
  {
    name: "an OR over alternatives on the null-supplying side",
    sql: "SELECT r.tag, m.size FROM release r LEFT JOIN img m ON m.repo = r.repo AND (m.tag = 'v1' OR m.digest = 'sha256:a2') WHERE r.repo = 'acme/app'",
    calls: [['img(digest="sha256:a2" repo="acme/app")', 'img(repo="acme/app" tag="v1")', 'release(repo="acme/app")']],
  },
  {
    name: "an OR over alternatives under LIMIT",
    sql: "SELECT size FROM img WHERE repo = 'acme/app' AND (tag = 'v1' OR digest = 'sha256:a3') ORDER BY size LIMIT 1",
    calls: [['img(digest="sha256:a3" repo="acme/app")', 'img(repo="acme/app" tag="v1")']],
  },
];
