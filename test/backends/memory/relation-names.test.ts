/** Names of relations in texts: regclass and the functions of sequences. A name of nothing is told as PostgreSQL tells it. */
import { expect, test } from "vitest";
import { Database } from "../../../src/index.js";
import { MemoryBackend } from "../../../src/sql.js";

test.each([
  { sql: "SELECT 'nope'::regclass", code: "42P01" },
  { sql: "SELECT 'Public.Nope'::regclass", code: "42P01" },
  { sql: "SELECT 'nope'::text::regclass", code: "42P01" },
  { sql: "SELECT 'nope.x'::regclass", code: "3F000" },
  { sql: "SELECT 'a.b.c.d'::regclass", code: "42601" },
  { sql: "SELECT ''::regclass", code: "42602" },
  { sql: "SELECT '\"'::regclass", code: "42602" },
  { sql: "SELECT 't'::regclass", code: "0A000" }, // there, but without an oid
  { sql: "SELECT 'T'::regclass", code: "0A000" },
  { sql: "SELECT '\"T\"'::regclass", code: "42P01" },
  { sql: "SELECT 't_id_seq'::regclass", code: "0A000" },
  { sql: "SELECT 't_pkey'::regclass", code: "0A000" },
  { sql: "SELECT 'pg_proc'::regclass", code: "0A000" },
  { sql: "SELECT currval('nope')", code: "42P01" },
  { sql: "SELECT currval('t')", code: "42809" },
  { sql: "SELECT nextval('t_pkey')", code: "42809" },
  { sql: "SELECT currval('t_id_seq')", code: "55000" },
])("$sql: $code", async ({ sql, code }) => {
  const backend = await MemoryBackend.create();
  await backend.exec("CREATE TABLE t (id serial PRIMARY KEY)");
  await expect(backend.query(sql)).rejects.toMatchObject({ code });
});

test("the tables of resources are known too", async () => {
  const db = await Database.create();
  await expect(db.execute("SELECT 'nope'::regclass")).rejects.toMatchObject({ code: "42P01", position: 8 });
});
