/** What PostgreSQL has and this program has not is refused by name, before anything is called. */
import pg from "pg";
import { describe, expect, test } from "vitest";
import { missingFunction, missingOperator } from "../../../src/functions/missing.js";
import { functionsNamed, operatorsNamed } from "../../../src/functions/registry.js";
import { Database } from "../../../src/index.js";
import { MemoryBackend } from "../../../src/sql.js";
import { isMissingType } from "../../../src/types/missing-types.js";
import { types } from "../../../src/types/type.js";
import { Recorder } from "../../support/recording.js";

const refused: { sql: string; message: string; hint?: RegExp }[] = [
  { sql: "SELECT pg_sleep(1) FROM t", message: "function pg_sleep() is not supported", hint: /docs\/sql\.md/ },
  { sql: "SELECT hashtext(s) FROM t", message: "function hashtext() is not supported", hint: /md5/ },
  { sql: "SELECT to_tsvector(s) FROM t", message: "function to_tsvector() is not supported", hint: /ILIKE/ },
  { sql: "SELECT * FROM t, pg_ls_dir('.')", message: "function pg_ls_dir() is not supported" },
  { sql: "SELECT xmlagg(s) FROM t", message: "function xmlagg() is not supported", hint: /jsonb/ },
  { sql: "SELECT lower(int4range(1, 2)) FROM t", message: "function int4range() is not supported" },
  { sql: "SELECT pg_catalog.obj_description(1) FROM t", message: "function obj_description() is not supported" },
  { sql: "SELECT set_config('a.b', s, false) FROM t", message: "function set_config() is not supported", hint: /SET/ },
  { sql: "SELECT money(n) FROM t", message: "function money() is not supported", hint: /numeric/ },
  { sql: "SELECT nextval('s') FROM t", message: "function nextval() is not supported", hint: /gen_random_uuid/ },
  { sql: "SELECT s @@ 'x' FROM t", message: "operator text @@ unknown is not supported", hint: /ILIKE/ },
  // two literals mean the operator of text search, not that of jsonb
  { sql: "SELECT '2' @@ '$ == 1' FROM t", message: "operator unknown @@ unknown is not supported" },
  { sql: "SELECT s <-> 'x' FROM t", message: "operator text <-> unknown is not supported" },
  { sql: "SELECT !! 'x' FROM t", message: "operator !! unknown is not supported" },
  { sql: "SELECT s::tsvector FROM t", message: 'type "tsvector" is not supported', hint: /text/ },
  { sql: "SELECT s::_point FROM t", message: 'type "_point" is not supported' },
  { sql: "SELECT s::bit(3) FROM t", message: 'type "bit" is not supported' },
  { sql: "SELECT s::anyrange FROM t", message: 'type "anyrange" is not supported' },
  { sql: "SELECT inet '10.0.0.1' FROM t", message: 'type "inet" is not supported' },
  { sql: "SELECT 'bit varying'::regtype FROM t", message: 'type "bit varying" is not supported' },
];

test.each(refused)("$sql", async ({ sql, message, hint }) => {
  const recorder = new Recorder();
  const db = await Database.create();
  const columns = [
    { name: "n", type: "int" },
    { name: "s", type: "text" },
  ];
  db.register(recorder.resource({ name: "t", columns, rows: [{ n: 1, s: "a" }] }));
  const error = { code: "0A000", message, ...(hint && { hint: expect.stringMatching(hint) }) };
  await expect(db.execute(sql)).rejects.toMatchObject({ ...error, position: expect.any(Number) });
  expect(recorder.take()).toEqual([]);
});

test.each([
  { sql: "SELECT lengt('a')", code: "42883", hint: 'Perhaps you meant the function "length".' },
  { sql: "SELECT 1::tsvectr", code: "42704", hint: undefined },
  { sql: "SELECT '1'::public.point", code: "42704", hint: undefined },
  { sql: "SELECT 1 <=> 2", code: "42883", hint: expect.any(String) },
])("a name that PostgreSQL has not either: $sql", async ({ sql, code, hint }) => {
  const backend = await MemoryBackend.create();
  await expect(backend.query(sql)).rejects.toMatchObject({ code, hint });
});

test("a column is found by the name of a function that is not there", async () => {
  const backend = await MemoryBackend.create();
  await backend.exec("CREATE TABLE land (area int); INSERT INTO land VALUES (7)");
  expect((await backend.query("SELECT area(land) AS a FROM land")).rows).toEqual([{ a: 7 }]);
});

describe("names of types", () => {
  test("an oid that may be that of a type we have not is refused", async () => {
    const backend = await MemoryBackend.create();
    await expect(backend.query("SELECT 600::regtype")).rejects.toMatchObject({ code: "0A000" });
    await expect(backend.query("SELECT format_type(1560, -1)")).rejects.toMatchObject({ code: "0A000" });
    await expect(backend.query("SELECT to_regtype('point')")).rejects.toMatchObject({ code: "0A000" });
    expect((await backend.query("SELECT to_regtype('nosuch') AS t")).rows).toEqual([{ t: null }]);
  });
});

const port = process.env.SCRATCHPAD_TEST_PG;

/** Functions that no statement can call. */
const uncallable = `array['internal', 'cstring', 'trigger', 'event_trigger', 'language_handler', 'fdw_handler',
  'index_am_handler', 'tsm_handler', 'table_am_handler', 'pg_node_tree']`;

if (port !== undefined) {
  describe("the lists are those of PostgreSQL 15", () => {
    async function names(sql: string): Promise<string[]> {
      const client = new pg.Client({ host: "127.0.0.1", port: Number(port), user: "postgres", database: "postgres" });
      await client.connect();
      try {
        return (await client.query<{ name: string }>(sql)).rows.map((row) => row.name);
      } finally {
        await client.end();
      }
    }

    test("functions", async () => {
      const wanted = await names(`
        SELECT DISTINCT proname::text AS name FROM pg_proc p
        WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind <> 'p'
          AND NOT EXISTS (SELECT FROM unnest(coalesce(proallargtypes, proargtypes::oid[]) || prorettype) a(o)
            JOIN pg_type t ON t.oid = a.o WHERE t.typname::text = ANY (${uncallable}))
          AND proname !~ '(send|recv|typmodin|typmodout|_support|sel)$|^binary_upgrade_|^RI_'`);
      const unknown = wanted.filter((name) => !Object.hasOwn(types, name) && functionsNamed(name).length === 0);
      expect(unknown.filter((name) => missingFunction(name, 1) === undefined)).toEqual([]);
    });

    test("operators", async () => {
      const wanted = await names("SELECT DISTINCT oprname::text AS name FROM pg_operator");
      const unknown = wanted.filter((name) => operatorsNamed(name).length === 0);
      expect(unknown.filter((name) => missingOperator(name) === undefined)).toEqual([]);
    });

    test("types", async () => {
      const wanted = await names(`
        SELECT typname::text AS name FROM pg_type
        WHERE typnamespace = 'pg_catalog'::regnamespace AND typrelid = 0 AND typname !~ '^_'`);
      const unknown = wanted.filter((name) => !Object.hasOwn(types, name));
      expect(unknown.filter((name) => !isMissingType(name))).toEqual([]);
    });
  });
} else {
  console.warn("The lists of names are not compared with a server: SCRATCHPAD_TEST_PG is not set.");
}
