/** Predicates beyond equality that reach the call, and those that must not. */
import type { Statement } from "./statement.js";

export const operatorStatements: readonly Statement[] = [
  { name: "greater than", sql: "SELECT id FROM pull WHERE id > 13", calls: [["pull(id>13)"]] },
  { name: "turned round", sql: "SELECT id FROM pull WHERE 13 >= id", calls: [["pull(id<=13)"]] },
  {
    name: "BETWEEN is two bounds",
    sql: "SELECT id FROM pull WHERE id BETWEEN 12 AND 14",
    calls: [["pull(id<=14 id>=12)"]],
  },
  { name: "NOT BETWEEN is an OR", sql: "SELECT id FROM pull WHERE id NOT BETWEEN 12 AND 14", calls: [["pull()"]] },
  { name: "NOT of a bound", sql: "SELECT id FROM pull WHERE NOT id < 14", calls: [["pull(id>=14)"]] },
  { name: "a fraction is no bigint", sql: "SELECT id FROM pull WHERE id > 12.5", calls: [["pull()"]] },
  { name: "a bound that is NULL calls nothing", sql: "SELECT id FROM pull WHERE id > NULL::bigint", calls: [] },
  { name: "a parameter as bound", sql: "SELECT id FROM pull WHERE id >= $1", params: [15], calls: [["pull(id>=15)"]] },
  { name: "a parameter that is NULL as bound", sql: "SELECT id FROM pull WHERE id >= $1", params: [null], calls: [] },
  {
    name: "a bound from a scalar subquery",
    sql: "SELECT id FROM pull WHERE id > (SELECT max(id) + 10 FROM issue WHERE repo = 'acme/web')",
    calls: [['issue(repo="acme/web")'], ["pull(id>14)"]],
  },
  {
    name: "an instant written in another zone",
    sql: "SELECT id FROM issue WHERE updated_at >= '2024-05-03 01:30:00+02'",
    calls: [['issue(updated_at>="2024-05-02T23:30:00.000Z")']],
  },
  {
    name: "local time of a zone",
    sql: "SELECT id FROM issue WHERE updated_at > timestamp '2024-05-01 12:00' AT TIME ZONE 'Europe/Berlin'",
    calls: [['issue(updated_at>"2024-05-01T10:00:00.000Z")']],
  },
  {
    name: "microseconds of a bound",
    sql: "SELECT id FROM issue WHERE updated_at >= '2024-05-03T08:15:30.123456Z'",
    calls: [['issue(updated_at>="2024-05-03T08:15:30.123456Z")']],
  },
  {
    name: "the statement's clock",
    sql: "SELECT id FROM issue WHERE updated_at >= now() - interval '1 day'",
    options: { now: () => new Date("2024-05-03T12:00:00Z") },
    oracle: "SELECT id FROM issue WHERE updated_at >= timestamptz '2024-05-03 12:00Z' - interval '1 day'",
    calls: [['issue(updated_at>="2024-05-02T12:00:00.000Z")']],
  },
  {
    name: "an operator that was not declared",
    sql: "SELECT id FROM issue WHERE updated_at < '2024-05-01T00:00:00Z'",
    calls: [["issue()"]],
  },
  {
    name: "an equality that the service does not take",
    sql: "SELECT id FROM issue WHERE updated_at = '2024-05-01T02:00:00+02'",
    calls: [["issue()"]],
  },
  {
    name: "a bound beside an equality",
    sql: "SELECT id FROM issue WHERE state = 'open' AND updated_at > '2024-05-01T10:00:00Z'",
    calls: [['issue(state="open" updated_at>"2024-05-01T10:00:00.000Z")']],
  },
  {
    name: "a predicate on a column under an expression",
    sql: "SELECT id FROM pull WHERE id + 0 > 13",
    calls: [["pull()"]],
  },
  { name: "LIKE", sql: "SELECT id FROM pull WHERE title LIKE 'Fix%'", calls: [['pull(title like "Fix%")']] },
  { name: "ILIKE", sql: "SELECT id FROM pull WHERE title ILIKE 'FIX%'", calls: [['pull(title ilike "FIX%")']] },
  {
    name: "LIKE with a percent sign",
    sql: "SELECT id FROM pull WHERE title LIKE '100\\%%'",
    calls: [['pull(title like "100\\\\%%")']],
  },
  {
    name: "LIKE with an underscore",
    sql: "SELECT id FROM pull WHERE title LIKE 'a\\_b'",
    calls: [['pull(title like "a\\\\_b")']],
  },
  {
    name: "LIKE with an escape of its own arrives with the usual one",
    sql: "SELECT id FROM pull WHERE title LIKE 'a!_b' ESCAPE '!'",
    calls: [['pull(title like "a\\\\_b")']],
  },
  { name: "NOT LIKE", sql: "SELECT id FROM pull WHERE title NOT LIKE 'a%'", calls: [["pull()"]] },
  { name: "LIKE NULL is never true", sql: "SELECT id FROM pull WHERE title LIKE NULL::text", calls: [] },
  { name: "IS NULL", sql: "SELECT id FROM pull WHERE title IS NULL", calls: [["pull(title is null)"]] },
  { name: "IS NOT NULL", sql: "SELECT id FROM pull WHERE closes IS NOT NULL", calls: [["pull(closes is not null)"]] },
  {
    name: "NOT of IS NULL",
    sql: "SELECT id FROM pull WHERE NOT (closes IS NULL)",
    calls: [["pull(closes is not null)"]],
  },
  { name: "unequal", sql: "SELECT id FROM pull WHERE repo <> 'acme/app'", calls: [['pull(repo<>"acme/app")']] },
  {
    name: "NOT of an equality",
    sql: "SELECT id FROM pull WHERE NOT (repo = 'acme/app')",
    calls: [['pull(repo<>"acme/app")']],
  },
  {
    name: "IS DISTINCT FROM is not unequal",
    sql: "SELECT id FROM pull WHERE repo IS DISTINCT FROM 'acme/app'",
    calls: [["pull()"]],
  },
  { name: "a bound inside an OR", sql: "SELECT id FROM pull WHERE id > 15 OR repo = 'acme/app'", calls: [["pull()"]] },
  {
    name: "a bound on a date",
    sql: "SELECT repo, tag FROM release WHERE published > '2024-02-29'",
    calls: [['release(published>"2024-02-29")']],
  },
  {
    name: "a date that is unequal",
    sql: "SELECT repo, tag FROM release WHERE published <> DATE '2024-03-01'",
    calls: [['release(published<>"2024-03-01")']],
  },
  {
    name: "a date equal to a midnight",
    sql: "SELECT repo FROM release WHERE published = timestamp '2024-03-01 00:00'",
    calls: [['release(published="2024-03-01")']],
  },
  {
    name: "no date is equal to a timestamp with hours",
    sql: "SELECT repo FROM release WHERE published = timestamp '2024-03-01 06:00'",
    calls: [],
  },
  {
    name: "IS NULL above an outer join says nothing of the table",
    sql: "SELECT i.id FROM issue i LEFT JOIN pull p ON p.closes = i.id WHERE p.closes IS NULL",
    calls: [["issue()", "pull()"]],
  },
  {
    name: "a bound above an outer join drops its NULL rows",
    sql: "SELECT i.id, p.id FROM issue i LEFT JOIN pull p ON p.closes = i.id WHERE p.id > 12",
    calls: [["issue()", "pull(id>12)"]],
  },
  {
    name: "a bound in ON of an outer join, on the side that may be NULL",
    sql: "SELECT i.id, p.id FROM issue i LEFT JOIN pull p ON p.closes = i.id AND p.id > 12",
    calls: [["issue()", "pull(id>12)"]],
  },
  {
    name: "a bound in ON of an outer join, on the side that is kept",
    sql: "SELECT p.id, i.id FROM pull p LEFT JOIN issue i ON p.closes = i.id AND p.id > 12",
    calls: [["issue()", "pull()"]],
  },
  {
    name: "a bound below FULL JOIN's ON",
    sql: "SELECT p.id, n.id FROM pull p FULL JOIN note n ON n.issue_id = p.closes AND p.id > 12",
    calls: [["note()", "pull()"]],
  },
];
