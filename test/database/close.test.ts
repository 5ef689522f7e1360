/** A closed database takes no more statements, whatever executes them. */
import { expect, test } from "vitest";
import { Database } from "../../src/index.js";
import { MemoryBackend } from "../../src/sql.js";

test.each([
  { name: "the built-in engine", backend: undefined },
  { name: "a backend", backend: () => MemoryBackend.create() },
])("$name: every session refuses", async ({ backend }) => {
  const db = await Database.create(backend === undefined ? {} : { backend: await backend() });
  const other = db.session();
  expect((await db.execute("SELECT 1 AS a")).rows).toEqual([{ a: 1 }]);
  await db.close();
  const refusal = { code: "08003", message: "the database is closed" };
  await expect(db.execute("SELECT 1 AS a")).rejects.toMatchObject(refusal);
  await expect(other.execute("BEGIN")).rejects.toMatchObject(refusal);
  await expect(db.explain("SELECT 1 AS a")).rejects.toMatchObject(refusal);
  await expect(db.session().execute("SELECT 1 AS a")).rejects.toMatchObject(refusal);
  await db.close();
});
