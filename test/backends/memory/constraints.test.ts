/** Messages, details and hints of constraints and definitions, as PostgreSQL 15 gives them. */
import { describe, expect, test } from "vitest";
import { MemoryBackend, SqlError } from "../../../src/sql.js";

const schema = `
  CREATE TABLE p (a int, "B" text, c int CHECK (c > 0), PRIMARY KEY (a, "B"), CONSTRAINT only_c UNIQUE (c));
  CREATE TABLE child (id int PRIMARY KEY, a int, "B" text, FOREIGN KEY (a, "B") REFERENCES p, note varchar(3) NOT NULL DEFAULT 'n');
  CREATE TABLE two (x int, y int, CHECK (x < y), CHECK (x > 0), CONSTRAINT odd CHECK (y % 2 = 1));
  CREATE VIEW over_p AS SELECT a FROM p;
  INSERT INTO p VALUES (1, 'x', 5);
  INSERT INTO child VALUES (1, 1, 'x')`;

describe("violations", () => {
  test.each([
    {
      sql: "INSERT INTO p VALUES (1, 'x', 6)",
      code: "23505",
      message: 'duplicate key value violates unique constraint "p_pkey"',
      detail: 'Key (a, "B")=(1, x) already exists.',
    },
    {
      sql: "INSERT INTO p VALUES (2, 'x', 5)",
      code: "23505",
      message: 'duplicate key value violates unique constraint "only_c"',
      detail: "Key (c)=(5) already exists.",
    },
    {
      sql: "INSERT INTO p VALUES (2, 'x', -1)",
      code: "23514",
      message: 'new row for relation "p" violates check constraint "p_c_check"',
      detail: "Failing row contains (2, x, -1).",
    },
    {
      sql: "INSERT INTO p (\"B\") VALUES ('z')",
      code: "23502",
      message: 'null value in column "a" of relation "p" violates not-null constraint',
      detail: "Failing row contains (null, z, null).",
    },
    {
      sql: "UPDATE child SET note = NULL",
      code: "23502",
      message: 'null value in column "note" of relation "child" violates not-null constraint',
      detail: "Failing row contains (1, 1, x, null).",
    },
    {
      sql: "INSERT INTO child VALUES (2, 9, 'x')",
      code: "23503",
      message: 'insert or update on table "child" violates foreign key constraint "child_a_B_fkey"',
      detail: 'Key (a, "B")=(9, x) is not present in table "p".',
    },
    {
      sql: "DELETE FROM p",
      code: "23503",
      message: 'update or delete on table "p" violates foreign key constraint "child_a_B_fkey" on table "child"',
      detail: 'Key (a, "B")=(1, x) is still referenced from table "child".',
    },
    {
      sql: "INSERT INTO two VALUES (3, 2)",
      code: "23514",
      message: 'new row for relation "two" violates check constraint "odd"',
      detail: "Failing row contains (3, 2).",
    },
    {
      sql: "INSERT INTO two VALUES (4, 3)",
      code: "23514",
      message: 'new row for relation "two" violates check constraint "two_check"',
      detail: "Failing row contains (4, 3).",
    },
    {
      sql: "INSERT INTO two VALUES (-1, 3)",
      code: "23514",
      message: 'new row for relation "two" violates check constraint "two_x_check"',
      detail: "Failing row contains (-1, 3).",
    },
    {
      sql: "DROP TABLE p",
      code: "2BP01",
      message: "cannot drop table p because other objects depend on it",
      detail: "constraint child_a_B_fkey on table child depends on table p\nview over_p depends on table p",
    },
    {
      sql: "INSERT INTO p VALUES (9, 'q', 1), (9, 'q', 2) ON CONFLICT (a, \"B\") DO UPDATE SET c = excluded.c",
      code: "21000",
      message: "ON CONFLICT DO UPDATE command cannot affect row a second time",
      detail: undefined,
    },
    {
      sql: "TRUNCATE p",
      code: "0A000",
      message: "cannot truncate a table referenced in a foreign key constraint",
      detail: 'Table "child" references "p".',
    },
  ])("$sql", async ({ sql, code, message, detail }) => {
    const db = await MemoryBackend.create();
    await db.exec(schema);
    const before = (await db.query("SELECT * FROM p, child, two")).rows;
    try {
      await db.query(sql);
    } catch (error) {
      const { code: given, message: said, detail: more } = error as SqlError;
      expect({ code: given, message: said, detail: more }).toEqual({ code, message, detail });
      expect((await db.query("SELECT * FROM p, child, two")).rows).toEqual(before);
      return;
    }
    throw new Error("nothing failed");
  });
});

describe("refused rather than ignored", () => {
  test.each([
    "CREATE TABLE t (id int, UNIQUE (id) DEFERRABLE)",
    "CREATE TABLE t (id int PRIMARY KEY, p int REFERENCES t ON DELETE SET DEFAULT)",
    "CREATE TABLE t (id int PRIMARY KEY, p int REFERENCES t INITIALLY DEFERRED)",
    "CREATE TABLE t (id int PRIMARY KEY, p int REFERENCES t MATCH PARTIAL)",
    "CREATE TABLE t (id int) PARTITION BY RANGE (id)",
    'CREATE TABLE t (id text COLLATE "en_US")',
    "CREATE TEMP TABLE t (id int) ON COMMIT DROP",
    "CREATE INDEX ON base USING gin (v)",
    "CREATE VIEW w AS SELECT * FROM base WITH CHECK OPTION",
    "ALTER TABLE base ADD COLUMN x int",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "GRANT SELECT ON base TO PUBLIC",
    "COPY base FROM STDIN",
    "LOCK TABLE base",
    "CREATE TABLE t (a box)",
  ])("%s", async (sql) => {
    const db = await MemoryBackend.create();
    await db.exec("CREATE TABLE base (id int, v text)");
    await expect(db.query(sql)).rejects.toMatchObject({ code: "0A000" });
    await expect(db.query("SELECT * FROM t")).rejects.toBeInstanceOf(SqlError);
  });
});
