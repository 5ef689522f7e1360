/** Statements as trees: scripts, queries, writes, what is known by name only. */
import { describe, expect, test } from "vitest";
import { parse } from "../../src/grammar/parse.js";

describe("scripts", () => {
  test.each([
    { sql: "", kinds: [] },
    { sql: " ; ;; -- nothing", kinds: [] },
    {
      sql: "begin; insert into t default values; commit;",
      kinds: ["BeginStatement", "InsertStatement", "CommitStatement"],
    },
  ])("$sql", ({ sql, kinds }) => expect(parse(sql).map((statement) => statement.kind)).toEqual(kinds));

  test("a statement's range leaves out its semicolon", () => {
    expect(parse(" select 1 ; select 2").map((statement) => statement.range)).toEqual([
      { start: 1, end: 9 },
      { start: 12, end: 20 },
    ]);
  });
});

describe("statements known by name only", () => {
  test.each([
    { sql: "alter table t add column a int", keyword: "ALTER TABLE" },
    { sql: "grant select on t to u", keyword: "GRANT" },
    { sql: "copy t from '/etc/passwd'", keyword: "COPY" },
    { sql: "do $$ begin end $$", keyword: "DO" },
    { sql: "create function f() returns int language sql as 'select 1'", keyword: "CREATE FUNCTION" },
    { sql: "create or replace function f() returns int language sql as 'select 1'", keyword: "CREATE FUNCTION" },
    { sql: "create extension citext", keyword: "CREATE EXTENSION" },
    { sql: "create type t as (a int)", keyword: "CREATE TYPE" },
    { sql: "drop function f(int)", keyword: "DROP FUNCTION" },
    { sql: "vacuum", keyword: "VACUUM" },
    { sql: "set role u", keyword: "SET ROLE" },
    { sql: "prepare p as select 1", keyword: "PREPARE" },
  ])("$sql", ({ sql, keyword }) => {
    expect(parse(`${sql}; select 1`)).toMatchObject([
      { kind: "UnsupportedStatement", keyword },
      { kind: "SelectStatement" },
    ]);
  });
});

describe("queries", () => {
  test.each([
    { sql: "(select 1) order by 1", node: { body: { kind: "SelectCore" }, orderBy: [{}] } },
    {
      sql: "(select 1 order by 1) limit 2",
      node: { body: { kind: "SelectCore" }, orderBy: [{}], limit: { text: "2" } },
    },
    {
      sql: "select 1 union select 2 intersect select 3",
      node: { body: { operator: "union", right: { operator: "intersect" } } },
    },
    {
      sql: "select 1 except select 2 union select 3",
      node: { body: { operator: "union", left: { operator: "except" } } },
    },
    {
      sql: "(select 1 limit 1) union select 2",
      node: { body: { left: { kind: "SelectStatement", limit: { text: "1" } } } },
    },
    { sql: "select 1 limit all", node: { limit: { kind: "NullLiteral" } } },
    { sql: "select 1 fetch next row only", node: { limit: { text: "1" }, withTies: false } },
    { sql: "select a group by a, (b, c)", node: { body: { groupBy: { items: [{}, { kind: "RowConstructor" }] } } } },
    { sql: "select * from t user_1", node: { body: { from: [{ alias: { name: { name: "user_1" } } }] } } },
    {
      sql: "select * from f(1) as t (a, b)",
      node: { body: { from: [{ kind: "FunctionReference", alias: { columns: [{}, {}] } }] } },
    },
    {
      sql: "select * from a, b join c on true",
      node: { body: { from: [{ kind: "TableReference" }, { kind: "JoinClause" }] } },
    },
    {
      sql: "select * from a join b join c on 1 on 2",
      node: { body: { from: [{ right: { kind: "JoinClause" }, on: { text: "2" } }] } },
    },
    {
      sql: "select * from ((select 1) a join b on true)",
      node: { body: { from: [{ left: { kind: "SubqueryReference" } }] } },
    },
    {
      sql: "with t as (insert into u values (1) returning *) select * from t",
      node: { with: { ctes: [{ statement: { kind: "InsertStatement" } }] } },
    },
    {
      sql: "select count(*) filter (where a) from t",
      node: { body: { targets: [{ expression: { filter: { parts: ["a"] } } }] } },
    },
    { sql: "select a at from t", node: { body: { targets: [{ alias: { name: "at" } }] } } },
  ])("$sql", ({ sql, node }) => expect(parse(sql)).toMatchObject([node]));
});

describe("other statements", () => {
  test.each([
    {
      sql: "update t set set = 1",
      node: { target: { name: { name: "t" } }, assignments: [{ target: { column: { name: "set" } } }] },
    },
    { sql: "update t as set set a = 1", node: { target: { alias: { name: { name: "set" } } } } },
    { sql: "insert into t (select 1)", node: { columns: [], source: { kind: "SelectStatement" } } },
    { sql: "insert into t (a) values (1)", node: { columns: [{ column: { name: "a" } }] } },
    { sql: "explain analyze select 1", node: { options: [{ name: "analyze" }] } },
    {
      sql: "explain (format json, analyze off) select 1",
      node: {
        options: [
          { name: "format", value: "json" },
          { name: "analyze", value: "off" },
        ],
      },
    },
    { sql: "set time zone 'UTC'", node: { name: "timezone", values: [{ value: "UTC" }] } },
    {
      sql: "create table t (a int check (a > 0), primary key (a))",
      node: { columns: [{ constraints: [{ kind: "CheckConstraint" }] }], constraints: [{ primary: true }] },
    },
    { sql: "create table t (a int) partition by range (a)", node: { unsupported: ["PARTITION"] } },
    { sql: "rollback to savepoint", node: { kind: "RollbackToStatement", name: { name: "savepoint" } } },
  ])("$sql", ({ sql, node }) => expect(parse(sql)).toMatchObject([node]));
});
