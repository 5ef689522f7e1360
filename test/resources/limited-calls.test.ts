/** Rows of a limited call that fail a condition which the resource has declared that it decides. */
import { expect, test } from "vitest";
import { Database, defineResource, type Row } from "../../src/index.js";

const rows: readonly Row[] = [
  { id: 1, state: "Open" },
  { id: 2, state: "open" },
  { id: 3, state: "open" },
];

/** Compares states without regard to case, though it says that it is exact. */
async function loose(options: { exact: boolean }): Promise<Database> {
  const db = await Database.create();
  db.register(
    defineResource({
      name: "issue",
      columns: [
        { name: "id", type: "integer" },
        { name: "state", type: "text" },
      ],
      volatility: "stable",
      accepts: { limit: true },
      ...options,
      select: (bindings, { limit }) =>
        rows
          .filter((row) => String(row.state).toLowerCase() === String(bindings.one("state") ?? row.state).toLowerCase())
          .slice(0, limit),
    }),
  );
  return db;
}

test("a row that takes the place of another one is an error", async () => {
  const db = await loose({ exact: true });
  await expect(db.execute("SELECT id FROM issue WHERE state = 'open' LIMIT 2")).rejects.toMatchObject({
    code: "HV000",
    message: `resource "issue" gave a row that does not fulfil (issue.state = 'open')`,
    detail: expect.stringContaining('state = "Open"'),
    hint: expect.stringContaining('Take "exact" away from "state"'),
  });
});

test("so it is with a limit that is a parameter", async () => {
  const db = await loose({ exact: true });
  const asked = db.execute("SELECT id FROM issue WHERE state = $1 LIMIT $2", { params: ["open", 2] });
  await expect(asked).rejects.toMatchObject({ code: "HV000" });
});

test("where the call was not full no row is missing", async () => {
  const db = await loose({ exact: true });
  const answer = await db.execute("SELECT id FROM issue WHERE state = 'open' LIMIT 5");
  expect(answer.rows).toEqual([{ id: 2 }, { id: 3 }]);
});

test("without exact the rows are checked here, and the call is not limited", async () => {
  const db = await loose({ exact: false });
  const answer = await db.execute("SELECT id FROM issue WHERE state = 'open' LIMIT 2");
  expect(answer.rows).toEqual([{ id: 2 }, { id: 3 }]);
});

test("a full call that gives rows of another call's key is an error: its own were cut off", async () => {
  const db = await Database.create();
  const rows = [
    { repo: "a", id: 1 },
    { repo: "b", id: 2 },
    { repo: "a", id: 3 },
  ];
  db.register(
    defineResource({
      name: "loose_key",
      volatility: "stable",
      columns: [
        { name: "repo", type: "text", requiredKey: true },
        { name: "id", type: "bigint" },
      ],
      exact: true,
      accepts: { limit: true },
      select: (_, { limit }) => rows.slice(0, limit),
    }),
  );
  const sql = "SELECT id FROM loose_key WHERE repo IN ('a', 'b') LIMIT 2";
  await expect(db.execute(sql)).rejects.toMatchObject({
    code: "HV000",
    message: 'resource "loose_key" gave rows with a key that the call did not ask for',
  });
});
