/** What is handed out of the list of effects is a copy: to readers of staged writes, and to the verbs themselves. */
import { expect, test } from "vitest";
import { Database, defineResource, ResourceError, type Row, type StagedWriteView } from "../../../src/index.js";

interface Doc {
  list: unknown[];
}

async function world(verb: (given: Row, call: number) => void = () => undefined) {
  const sent: string[] = [];
  const take = (given: Row) => {
    sent.push(JSON.stringify(given));
    verb(given, sent.length);
    return undefined;
  };
  const db = await Database.create({ policy: { writes: true } });
  db.register(
    defineResource({
      name: "docs",
      volatility: "stable",
      primaryKey: ["id"],
      columns: [
        { name: "id", type: "bigint" },
        { name: "doc", type: "jsonb" },
      ],
      idempotent: ["insert", "update"],
      retry: { retries: 2, minDelayMs: 1, maxDelayMs: 2 },
      select: async () => [{ id: 1, doc: { list: [1] } }],
      insert: async ([row]) => take(row as Row),
      update: async (set) => take(set as Row),
    }),
  );
  return { db, sent };
}

const insert = `INSERT INTO docs VALUES (2, '{"list": [2], "__proto__": {"a": 1}}')`;
const update = `UPDATE docs SET doc = '{"list": [3]}' WHERE id = 1`;
const expected = ['{"id":2,"doc":{"list":[2],"__proto__":{"a":1}}}', '{"doc":{"list":[3]}}'];

function spoil(views: readonly StagedWriteView[]): void {
  for (const { rows, set } of views) {
    const values = rows?.[0] ?? set;
    ((values as Record<string, unknown>).doc as Doc).list.push("changed");
  }
}

test.each([
  { name: "the answer's staged writes", read: "staged" },
  { name: "preview()", read: "preview" },
  { name: "rows of scratchpad.staged_writes", read: "relation" },
  { name: "rows of the session's own reads", read: "rows" },
] as const)("changing $name changes nothing that is sent", async ({ read }) => {
  const { db, sent } = await world();
  const session = db.session();
  await session.execute("BEGIN");
  await session.execute(insert);
  const { staged = [] } = await session.execute(update);
  if (read === "staged") spoil(staged);
  else if (read === "preview") spoil(session.preview());
  else {
    const sql = read === "rows" ? "SELECT doc FROM docs" : "SELECT rows, set FROM scratchpad.staged_writes";
    const { rows } = await session.execute(sql);
    expect(rows).toHaveLength(2);
    spoil(rows.map((row) => (read === "rows" ? { set: row } : row) as unknown as StagedWriteView).map(firstRow));
  }
  await session.execute("COMMIT");
  expect(sent).toEqual(expected);
});

/** NULL stands for what a view does not have. */
function firstRow(view: StagedWriteView): StagedWriteView {
  return { ...view, ...(view.rows === null && { rows: undefined }) };
}

test.each([
  { name: "INSERT", sql: insert, text: expected[0] },
  { name: "UPDATE", sql: update, text: expected[1] },
])("a verb that changes what it is given: $name sends the same again", async ({ sql, text }) => {
  const { db, sent } = await world((given, call) => {
    (given.doc as Doc).list.push("changed");
    if ("id" in given) given.id = 99;
    if (call < 3) throw new ResourceError("busy", { retryable: true });
  });
  const session = db.session();
  await session.execute(sql);
  expect(sent).toEqual([text, text, text]);
  const { rows } = await session.execute("SELECT doc FROM docs ORDER BY id DESC LIMIT 1");
  expect(JSON.stringify(rows)).not.toContain("changed");
});

test("options whose getter throws reject the promise, and nothing is sent", async () => {
  const { db, sent } = await world();
  const options = {
    get params(): unknown[] {
      throw new Error("not now");
    },
  };
  const promise = db.execute(insert, options);
  await expect(promise).rejects.toThrow("not now");
  await expect(db.explain(insert, options)).rejects.toThrow("not now");
  expect(sent).toEqual([]);
});
