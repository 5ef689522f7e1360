/** EXPLAIN of writes: nothing is called, and all verbs that may be are named. */
import { expect, test } from "vitest";
import { world } from "./fixture.js";

const scan = (relation: string) => `Resource Scan on ${relation}`;

test.each([
  {
    name: "MERGE tells its actions",
    sql: `MERGE INTO item i USING delta d ON d.id = i.id WHEN MATCHED AND d.name IS NULL THEN DELETE
      WHEN MATCHED THEN UPDATE SET qty = i.qty + d.qty, note = NULL WHEN NOT MATCHED AND d.id = 9 THEN DO NOTHING
      WHEN NOT MATCHED THEN INSERT (id, name) VALUES (d.id, d.name)`,
    text: [
      "Merge on item  (1 call a row)",
      "  When Matched and (d.name IS NULL): Delete",
      "  When Matched: Update qty = (i.qty + d.qty), note = NULL",
      "  When Not Matched and (d.id = 9): Do Nothing",
      "  When Not Matched: Insert (id, name)",
      "  ->  Hash Left Join  (d.id = i.id)",
      `        ->  ${scan("delta d")}`,
      `        ->  ${scan("item i")}`,
    ],
    relations: ["item select", "delta select", "item delete", "item update", "item insert"],
  },
  {
    name: "ON CONFLICT DO UPDATE tells what it reads, and its condition",
    sql: "INSERT INTO pair VALUES (1, 'x', 2) ON CONFLICT (b, a) DO UPDATE SET v = excluded.v WHERE pair.v > 1",
    text: [
      "Insert on pair  (1 call a row)",
      "  Columns: a, b, v",
      "  Conflict Resolution: UPDATE",
      "  Conflict Arbiter: a, b",
      "  Conflict Set: v = excluded.v",
      "  Conflict Filter: (pair.v > 1)",
      "  Reads: pair by the proposed keys, before the first write",
      "  ->  Values Scan  (1 row)",
    ],
    relations: ["pair select", "pair insert", "pair update"],
  },
  {
    name: "ON CONFLICT DO NOTHING without a target means the declared key",
    sql: "INSERT INTO bulk VALUES (1, 'x') ON CONFLICT DO NOTHING",
    text: [
      "Insert on bulk  (1 call for all rows)",
      "  Columns: id, v",
      "  Conflict Resolution: NOTHING",
      "  Conflict Arbiter: id",
      "  Reads: bulk by the proposed keys, before the first write",
      "  ->  Values Scan  (1 row)",
    ],
    relations: ["bulk select", "bulk insert"],
  },
])("$name", async ({ sql, text, relations }) => {
  const { db, take } = await world();
  const explained = await db.explain(sql);
  expect(explained.text.split("\n")).toEqual(text);
  expect(explained.relations.map(({ name, op }) => `${name} ${op}`)).toEqual(relations);
  expect(explained.readOnly).toBe(false);
  expect(take()).toEqual([]);
});
