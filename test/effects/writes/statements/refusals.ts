/** What is no write of the table, of the statement's reader, or of anybody. */
import type { WriteStatement } from "./statement.js";

export const refusedStatements: readonly WriteStatement[] = [
  {
    name: "a verb that the table does not have: UPDATE",
    sql: "UPDATE outbox SET msg = 'x' WHERE n = 1",
    calls: [],
    error: { code: "55000", says: ["It takes: INSERT."] },
    differs: "PostgreSQL's table has every verb",
  },
  {
    name: "a verb that the table does not have: DELETE",
    sql: "DELETE FROM delta WHERE id = 1",
    calls: [],
    error: { code: "55000", says: ["It takes: SELECT."] },
    differs: "PostgreSQL's table has every verb",
  },
  {
    name: "a verb that the table does not have: INSERT",
    sql: "INSERT INTO delta VALUES (1)",
    calls: [],
    error: { code: "55000", says: ["It takes: SELECT."] },
    differs: "PostgreSQL's table has every verb",
  },
  {
    name: "a verb that the table does not have: MERGE",
    sql: "MERGE INTO delta d USING item i ON d.id = i.id WHEN MATCHED THEN DELETE",
    calls: [],
    error: { code: "55000", says: ["It takes: SELECT."] },
    differs: "PostgreSQL's table has every verb",
  },
  {
    name: "a table that can't be read has no conflicts",
    sql: "INSERT INTO outbox VALUES ('x', 1) ON CONFLICT DO NOTHING",
    calls: [],
    error: { code: "55000", says: ["cannot be read"] },
    differs: "PostgreSQL's table can be read",
  },
  {
    name: "UPDATE without WHERE",
    sql: "UPDATE item SET qty = 0",
    calls: [],
    error: { code: "42501", says: ["WHERE"] },
    differs: "the policy asks for a WHERE",
  },
  {
    name: "DELETE without WHERE",
    sql: "DELETE FROM item",
    calls: [],
    error: { code: "42501", says: ["WHERE"] },
    differs: "the policy asks for a WHERE",
  },
  {
    name: "MERGE of all rows",
    sql: "MERGE INTO item i USING delta d ON d.id = 1 WHEN MATCHED THEN DELETE",
    calls: [],
    error: { code: "42501", says: ["ON target.key = source.key"] },
    differs: "the policy asks for a WHERE",
  },
  {
    name: "an unknown table",
    sql: "INSERT INTO items (id) VALUES (1)",
    calls: [],
    error: { code: "42P01", says: ["item"] },
  },
  {
    name: "a relation of information_schema",
    sql: "INSERT INTO information_schema.tables (table_name) VALUES ('x')",
    calls: [],
    error: { code: "42501", says: ["information_schema"] },
    differs: "PostgreSQL has a view there",
  },
  {
    name: "a relation of the program",
    sql: "DELETE FROM scratchpad.staged_writes WHERE id = 1",
    calls: [],
    error: { code: "42501", says: ["scratchpad"] },
    differs: "PostgreSQL has no such relation",
  },
  {
    name: "an update of a relation of the program",
    sql: "UPDATE scratchpad.calls SET resource = 'x' WHERE true",
    calls: [],
    error: { code: "42501", says: ["scratchpad"] },
    differs: "PostgreSQL has no such relation",
  },
  {
    name: "a CTE is no table",
    sql: "WITH c AS (SELECT 1 AS id) DELETE FROM c WHERE id = 1",
    calls: [],
    error: { code: "42P01", says: [] },
  },
];
