/** Columns with declared labels: a value that is none is refused before any call, wherever it comes from. */
import { describe, expect, test } from "vitest";
import { Database } from "../../src/index.js";
import { prWorld } from "../support/pr-world.js";
import { Recorder } from "../support/recording.js";

const error = {
  code: "22P02",
  message: 'invalid label "Approved" for column "state"',
  detail: `The labels of "state" are: 'approved', 'rejected'.`,
};

describe("reads", () => {
  test.each<{ where: string; params?: unknown[] }>([
    { where: "state = 'Approved'" },
    { where: "state <> 'Approved'" },
    { where: "'Approved' = state" },
    { where: "state IN ('approved', 'Approved')" },
    { where: "state NOT IN ('Approved')" },
    { where: "state = ANY ('{Approved}')" },
    { where: "state = ANY (ARRAY['Approved'])" },
    { where: "state <> ALL ('{Approved}')" },
    { where: "(pr, state) = (1, 'Approved')" },
    { where: "state IS DISTINCT FROM 'Approved'" },
    { where: "state = $1", params: ["Approved"] },
    { where: "$1 <> state", params: ["Approved"] },
    { where: "state IN ('approved', $1)", params: ["Approved"] },
    { where: "state = ANY ($1)", params: [["approved", "Approved"]] },
    { where: "pr IN (SELECT pr FROM review WHERE state = $1)", params: ["Approved"] },
  ])("$where", async ({ where, params }) => {
    const { db, recorder } = await prWorld();
    const read = db.execute(`SELECT pr FROM review WHERE ${where}`, params === undefined ? {} : { params });
    await expect(read).rejects.toMatchObject(error);
    expect(recorder.calls).toEqual([]);
  });

  test.each<{ where: string; params: unknown[] }>([
    { where: "state = $1", params: ["approved"] },
    { where: "state = $1", params: [null] },
    { where: "state::text = $1", params: ["Approved"] },
    { where: "state LIKE $1", params: ["App%"] },
    { where: "state = ANY ($1)", params: [["approved", null]] },
    { where: "lower(state) = $1", params: ["Approved"] },
  ])("no error: $where with $params", async ({ where, params }) => {
    const { db } = await prWorld();
    await expect(db.execute(`SELECT pr FROM review WHERE ${where}`, { params })).resolves.toBeDefined();
  });
});

describe("writes", () => {
  test.each<{ sql: string; params?: unknown[] }>([
    { sql: "INSERT INTO review (pr, state) VALUES (1, 'Approved')" },
    { sql: "INSERT INTO review (pr, state) VALUES (1, 'approved'), (2, $1)", params: ["Approved"] },
    { sql: "INSERT INTO review (pr, state) SELECT 1, initcap('approved')" },
    { sql: "UPDATE review SET state = 'Approved' WHERE pr = 1" },
    { sql: "UPDATE review SET state = $1 WHERE pr = 1", params: ["Approved"] },
    { sql: "UPDATE review SET state = CASE WHEN pr = 1 THEN 'Approved' ELSE 'approved' END WHERE pr = 1" },
  ])("$sql", async ({ sql, params }) => {
    const recorder = new Recorder();
    const db = await Database.create({ policy: { writes: true } });
    db.register(
      recorder.resource({
        name: "review",
        columns: [
          { name: "pr", type: "bigint" },
          { name: "state", type: "text", enum: ["approved", "rejected"] },
        ],
        rows: [{ pr: 1, state: "rejected" }],
        primaryKey: ["pr"],
        verbs: ["select", "insert", "update"],
      }),
    );
    await expect(db.execute(sql, params === undefined ? {} : { params })).rejects.toMatchObject(error);
    expect(recorder.calls.filter((call) => call.op !== undefined)).toEqual([]);
  });
});
