/** Enums as values of regtype: found by the name they have in their own database. */
import { expect, test } from "vitest";
import { MemoryBackend } from "../../../src/sql.js";

async function withEnum(definition: string): Promise<MemoryBackend> {
  const backend = await MemoryBackend.create();
  await backend.exec(`CREATE TYPE ${definition}`);
  return backend;
}

async function answerOf(backend: MemoryBackend, expression: string): Promise<unknown> {
  const { rows } = await backend.query(`SELECT ${expression}`, [], { rowMode: "array" });
  return (rows as unknown[][])[0][0];
}

test.each([
  { expression: "'mood'::regtype", value: "mood" },
  { expression: "'public.mood'::regtype", value: "mood" },
  { expression: "'mood[]'::regtype", value: "mood[]" },
  { expression: "'_mood'::regtype", value: "mood[]" },
  { expression: "to_regtype('mood')", value: "mood" },
  { expression: "to_regtype('nosuch')", value: null },
  { expression: "('mo' || 'od')::text::regtype", value: "mood" },
  { expression: "pg_typeof('sad'::mood)", value: "mood" },
  { expression: "pg_typeof(ARRAY['sad'::mood])", value: "mood[]" },
  { expression: "pg_typeof('sad'::mood) = 'mood'::regtype", value: true },
  { expression: "format_type('mood'::regtype, -1)", value: "mood" },
])("$expression", async ({ expression, value }) => {
  expect(await answerOf(await withEnum("mood AS ENUM ('sad', 'ok')"), expression)).toBe(value);
});

test("a name that has to be quoted", async () => {
  const backend = await withEnum(`"My Mood" AS ENUM ('sad')`);
  expect(await answerOf(backend, `'"My Mood"'::regtype`)).toBe('"My Mood"');
  expect(await answerOf(backend, `pg_typeof(ARRAY['sad'::"My Mood"])`)).toBe('"My Mood"[]');
});

test("two databases with enums of one name do not mix", async () => {
  const first = await withEnum("mood AS ENUM ('sad')");
  const second = await withEnum("mood AS ENUM ('glad')");
  for (const [backend, label] of [[first, "sad"] as const, [second, "glad"] as const]) {
    expect(await answerOf(backend, `pg_typeof('${label}'::mood) = 'mood'::regtype`)).toBe(true);
  }
});

test("a database without the enum does not know the name, nor one that dropped it", async () => {
  const first = await withEnum("mood AS ENUM ('sad')");
  await answerOf(first, "'mood'::regtype");
  await expect(answerOf(await MemoryBackend.create(), "'mood'::regtype")).rejects.toMatchObject({ code: "42704" });
  await first.exec("DROP TYPE mood");
  await expect(answerOf(first, "'mood'::regtype")).rejects.toMatchObject({ code: "42704" });
});

test("names that every JavaScript object has are names of types like others", async () => {
  const backend = await withEnum(`constructor AS ENUM ('a', 'b')`);
  await backend.exec("CREATE TABLE t (c constructor, many constructor[]); INSERT INTO t VALUES ('a', '{a,b}')");
  expect(await answerOf(backend, "pg_typeof(many) FROM t")).toBe("constructor[]");
  expect(await answerOf(backend, "(SELECT many[2] || '' FROM t)")).toBe("b");
  expect(await answerOf(backend, "c IN (SELECT coalesce(x.c, 'b') FROM t x WHERE x.c = t.c) FROM t")).toBe(true);
  await expect(backend.exec("CREATE TABLE u (c valueof)")).rejects.toMatchObject({ code: "42704" });
  await expect(backend.exec(`CREATE TABLE u (c "toString")`)).rejects.toMatchObject({ code: "42704" });
  await expect(backend.exec("SET statement_timeout = '5 constructor'")).rejects.toMatchObject({ code: "22023" });
});
