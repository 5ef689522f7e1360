/** A negative LIMIT or OFFSET is told before any call, where PostgreSQL tells it whatever the rows are. */
import { expect, test } from "vitest";
import { Database } from "../../src/index.js";
import { Recorder } from "../support/recording.js";

async function world() {
  const recorder = new Recorder();
  const db = await Database.create();
  db.register(
    recorder.resource({ name: "t", columns: [{ name: "id", type: "bigint" }], rows: [{ id: 1 }, { id: 2 }] }),
  );
  return { db, calls: () => recorder.take() };
}

test.each<[string, unknown[], string]>([
  ["SELECT id FROM t LIMIT $1", [-1], "2201W"],
  ["SELECT id FROM t LIMIT -1", [], "2201W"],
  ["SELECT id FROM t ORDER BY id OFFSET $1", [-1], "2201X"],
  ["SELECT id FROM t LIMIT $1 OFFSET $2", [-1, -1], "2201X"],
  ["SELECT id + 1 FROM t ORDER BY id FETCH FIRST ($1) ROWS ONLY", [-1], "2201W"],
  ["WITH x AS MATERIALIZED (SELECT id FROM t) SELECT id FROM x LIMIT $1", ["-9223372036854775808"], "2201W"],
  ["SELECT id FROM t UNION ALL SELECT id FROM t LIMIT $1", [-1], "2201W"],
])("%s with %j", async (sql, params, code) => {
  const { db, calls } = await world();
  await expect(db.execute(sql, { params })).rejects.toMatchObject({ code });
  expect(calls()).toEqual([]);
});

test.each<[string, unknown[], number]>([
  ["SELECT id FROM t LIMIT $1", [null], 2],
  ["SELECT id FROM t LIMIT $1 OFFSET $2", [1, 1], 1],
  // Never reached: no row of t asks for it.
  ["SELECT id, CASE WHEN id > 5 THEN (SELECT id FROM t LIMIT $1) END FROM t", [-1], 2],
])("%s with %j is run", async (sql, params, count) => {
  const { db } = await world();
  expect((await db.execute(sql, { params })).rows).toHaveLength(count);
});
