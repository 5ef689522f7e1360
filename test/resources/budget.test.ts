/** The calls of a statement are counted before they are made; too many are refused with what would narrow them. */
import { describe, expect, test } from "vitest";
import { Database, defineResource, type SqlError } from "../../src/index.js";

interface World {
  db: Database;
  calls: string[];
}

async function world(callsPerStatement: number, volatility: "stable" | "volatile" = "volatile"): Promise<World> {
  const calls: string[] = [];
  const db = await Database.create({ limits: { callsPerStatement } });
  db.register(
    defineResource({
      name: "issue",
      volatility,
      columns: [
        { name: "id", type: "bigint", requiredKey: true },
        { name: "title", type: "text" },
      ],
      select: (bindings) => {
        calls.push(`issue ${bindings.one("id")}`);
        return [{ title: `t${bindings.one("id")}` }];
      },
    }),
  );
  db.register(
    defineResource({
      name: "comment",
      volatility,
      columns: [
        { name: "repo", type: "text", requiredKey: true },
        { name: "issue_id", type: "bigint", requiredKey: true },
        { name: "body", type: "text" },
      ],
      select: (bindings) => {
        calls.push(`comment ${bindings.one("repo")}/${bindings.one("issue_id")}`);
        return [{ body: "b" }];
      },
    }),
  );
  db.register(
    defineResource({
      name: "list",
      volatility,
      columns: [{ name: "id", type: "bigint" }],
      select: () => {
        calls.push("list");
        return Array.from({ length: 12 }, (_, i) => ({ id: i + 1 }));
      },
    }),
  );
  return { db, calls };
}

async function refusal(db: Database, sql: string): Promise<SqlError> {
  return db.execute(sql).then(
    () => {
      throw new Error("it was answered");
    },
    (error: SqlError) => error,
  );
}

describe("known from constants: refused before the first call", () => {
  test("one scan", async () => {
    const { db, calls } = await world(3);
    const error = await refusal(db, "SELECT * FROM issue WHERE id IN (1, 2, 3, 4)");
    expect(error).toMatchObject({
      code: "53400",
      message: "the statement would make more than 3 calls",
      detail: 'Table "issue" needs 4 calls: one for each value of "id" (4). No call was made.',
      hint: expect.stringContaining("limits.callsPerStatement"),
      position: 15,
    });
    expect(calls).toEqual([]);
  });

  test("the sum over all scans, although each alone would do", async () => {
    const { db, calls } = await world(5);
    const error = await refusal(
      db,
      "SELECT 1 FROM issue i, comment c WHERE i.id IN (1, 2) AND c.repo = 'a' AND c.issue_id IN (5, 6, 7, 8)",
    );
    expect(error.detail).toBe(
      'Table "comment" needs 4 calls: one for each value of "issue_id" (4). ' +
        'Table "issue" needs 2 calls: one for each value of "id" (2). ' +
        "That brings the statement to 6. No call was made.",
    );
    expect(calls).toEqual([]);
  });

  test("a product of keys is named by both, and not written out when it is huge", async () => {
    const { db, calls } = await world(5);
    const two = await refusal(db, "SELECT 1 FROM comment WHERE repo IN ('a', 'b') AND issue_id IN (1, 2, 3)");
    expect(two.detail).toContain('one for each value of "repo" (2) and "issue_id" (3)');
    const many = await refusal(
      db,
      `SELECT 1 FROM comment WHERE repo IN (SELECT 'r' || g FROM generate_series(1, 2000) g)
         AND issue_id IN (SELECT g FROM generate_series(1, 2000) g)`,
    );
    expect(many.detail).toMatch(/needs 4,000,000 calls: one for each value of "\w+" \(2,000\) and "\w+" \(2,000\)\./);
    expect(calls).toEqual([]);
  });

  test("identical calls count once", async () => {
    const { db, calls } = await world(2);
    await db.execute("SELECT 1 FROM issue a, issue b WHERE a.id IN (1, 2) AND b.id IN (2, 1)");
    expect(calls).toEqual(["issue 1", "issue 2"]);
  });

  test("exactly as many as allowed", async () => {
    const { db, calls } = await world(3);
    await db.execute("SELECT 1 FROM issue WHERE id IN (1, 2, 3)");
    expect(calls).toHaveLength(3);
  });
});

describe("known only when other rows are there", () => {
  test("refused before the first call of that scan; the error says what was made", async () => {
    const { db, calls } = await world(10);
    const error = await refusal(db, "SELECT i.title FROM list l JOIN issue i ON i.id = l.id");
    expect(error.detail).toBe(
      'Table "issue" needs 12 calls: one for each value of "id" (12). ' +
        'That brings the statement to 13. Asked for before: 1 of "list".',
    );
    expect(calls).toEqual(["list"]);
  });

  test("narrowed as the hint says, it is answered", async () => {
    const { db } = await world(10);
    const sql = "SELECT i.title FROM (SELECT id FROM list ORDER BY id LIMIT 9) l JOIN issue i ON i.id = l.id";
    expect((await db.execute(sql)).rows).toHaveLength(9);
  });

  test("answers of an earlier statement cost nothing", async () => {
    const { db, calls } = await world(3, "stable");
    const script =
      "BEGIN; SELECT 1 FROM issue WHERE id IN (1, 2, 3); SELECT 1 FROM issue WHERE id IN (1, 2, 3, 4); ROLLBACK";
    await db.execute(script);
    expect(calls).toEqual(["issue 1", "issue 2", "issue 3", "issue 4"]);
  });

  test("each statement of a script has its own budget", async () => {
    const { db, calls } = await world(2);
    await db.execute("BEGIN; SELECT 1 FROM issue WHERE id IN (1, 2); SELECT 1 FROM issue WHERE id IN (1, 2); ROLLBACK");
    expect(calls).toHaveLength(4);
  });
});
