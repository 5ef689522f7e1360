/** Which full joins are answered and which are refused: as PostgreSQL 15 does, whose answers these lists are. */
import { beforeAll, expect, test } from "vitest";
import { MemoryBackend } from "../../../src/sql.js";

let backend: MemoryBackend;

beforeAll(async () => {
  backend = await MemoryBackend.create();
  await backend.exec("CREATE TABLE a (x int, y text, j json, n numeric)");
  await backend.exec("CREATE TABLE b (x int, y text, j json, n numeric, d date, t timestamptz, b bool)");
});

/** A condition alone stands for a full join of a and b on it. */
const statement = (text: string) => (text.startsWith("ON ") ? `SELECT count(*) FROM a FULL JOIN b ${text}` : text);

test.each([
  "ON true",
  "ON false",
  "ON null::bool",
  "ON 1=1",
  "ON 1=2",
  "ON a.x = b.x",
  "ON a.x = b.x and a.y < b.y",
  "ON a.x = b.x and a.x > 3",
  "ON a.x + 1 = b.x * 2",
  "ON a.x = b.n",
  "ON a.x::bigint = b.x",
  "ON not (a.x <> b.x)",
  "ON (a.x, a.y) = (b.x, b.y)",
  "ON a.x in (b.x)",
  "ON a.x = b.x and random() < 2",
  "ON a.x = b.x where a.x = 1",
  "ON a.x < b.x where a.x = 1",
  "ON a.x < b.x where a.x = 1 and b.x = 2",
  "ON a.x < b.x where false",
  "select count(*) from a full join (select 1 as x) c on true",
  "select count(*) from a full join (select 1 as x) c on a.x = c.x",
  "select count(*) from (select 1 as x) a full join (select 1 as x) c on a.x = c.x",
  "select count(*) from (select 1 as x) a full join (values (1),(2)) c(x) on a.x = c.x",
  "select count(*) from (values (1),(2)) a(x) full join (values (1),(2)) c(x) on a.x = c.x",
  "select count(*) from (values (1)) a(x) full join (values (1)) c(x) on a.x = c.x",
  "ON a.x = (select b.x)",
  "ON a.x = (select max(z.x) from b z where z.x = b.x)",
  "ON $$x$$ = 'x'",
  "ON coalesce(a.x, 1) = coalesce(b.x, 1)",
  "ON a.x = b.x and false",
  "ON a.x < b.x and false",
  "ON a.x < b.x or true",
  "ON a.x < b.x and null",
  "ON a.j::jsonb = b.j::jsonb",
  "ON array[a.x] = array[b.x]",
  "ON row(a.x) = row(b.x)",
  "ON case when true then a.x = b.x end",
  'ON a.y = b.y collate "C"',
  "ON not (not (a.x = b.x))",
  "ON (a.x = b.x) = true",
  "ON (a.x = b.x or false)",
  "ON (a.x = b.x and a.y = b.y) or (a.x = b.x and a.n = b.n)",
  "ON 3 = 3 and 4 = 4",
  "select 1 from a where exists (select 1 from b full join b c on b.x = c.x and a.x = c.x)",
  "select 1 from a cross join lateral (select 1 from b full join b c on b.x = c.x+a.x) s",
  "ON a.x < b.x where a.x is not null",
  "ON a.x < b.x where b.x is not null",
  "select count(*) from b full join (a full join (select 1 as x) c on a.x = c.x) on b.x = c.x",
  "select count(*) from (select x from a where false) a full join (select x from a where false) c on a.x < c.x",
  "ON a.x = 1 and b.x = a.x",
])("answered: %s", async (text) => {
  await expect(backend.query(statement(text))).resolves.toMatchObject({ command: "SELECT" });
});

test.each([
  "ON a.x < b.x",
  "ON a.x = 3",
  "ON a.x = 3 and b.x = 3",
  "ON a.x = b.x or a.y = b.y",
  "ON a.x + b.x = 3",
  "ON b.d = b.t",
  "ON a.y like b.y",
  "ON (a.x = b.x) is true",
  "ON (a.x, a.y) < (b.x, b.y)",
  "ON row(a.x, a.y) is not distinct from row(b.x, b.y)",
  "ON a.x is not distinct from b.x",
  "ON a.x = any (array[b.x])",
  "ON a.x in (b.x, 3)",
  "ON a.x = b.x + random()::int",
  "ON random() < 2",
  "ON now() > '2020-01-01'",
  "ON b.b",
  "ON a.x between b.x and b.x",
  "select count(*) from a full join (select 1 as x) c on a.x < c.x",
  "select count(*) from a full join (select 1 as x) c on c.x = 1",
  "select count(*) from (select 1 as x) a full join (select 1 as x) c on a.x <= c.x",
  "select count(*) from (values (1)) a(x) full join (values (1)) c(x) on a.x <= c.x",
  "ON exists (select 1 from a z where z.x = a.x)",
  "ON exists (select 1)",
  "ON (select true)",
  "ON a.x = (select max(z.x) from b z)",
  "ON a.x = a.x",
  "ON case when a.x > 1 then a.x = b.x end",
  "ON (a.x = b.x) = (b.b)",
  "ON (a.x = b.x) = false",
  "ON int4eq(a.x, b.x)",
  "ON a.x >= b.x and a.x <= b.x",
  "select 1 from a where exists (select 1 from b full join b c on b.x < c.x)",
  "select 1 from a where exists (select 1 from b full join b c on a.x = c.x)",
  "select 1 from a where exists (select 1 from b full join b c on a.x = 1)",
  "select 1 from a cross join lateral (select 1 from b full join b c on a.x = 1) s",
  "select 1 from a left join (b full join b c on b.x<c.x) on true",
  "select count(*) from a full join (select 1 as x, 2 as y) c on a.x + c.y = c.x",
  "select count(*) from a full join (select x from a where false) c on a.x < c.x",
])("refused: %s", async (text) => {
  await expect(backend.query(statement(text))).rejects.toMatchObject({
    code: "0A000",
    message: "FULL JOIN is only supported with merge-joinable or hash-joinable join conditions",
  });
});
