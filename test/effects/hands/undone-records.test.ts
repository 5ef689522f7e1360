/** Undoing a write is recorded as its actor's: the record leaves out what the actor may not see. */
import { expect, test } from "vitest";
import { Database, defineResource, type Policy, type Receipt } from "../../../src/index.js";

const word = "hunter2hunter2";

test.each<{ name: string; policy: Policy }>([
  { name: "a labelled value", policy: { flows: [{ label: "secret", to: "result" }] } },
  { name: "a masked column", policy: { tables: { notes: { mask: { body: "redact" } } } } },
])("$name is in no record of compensate()", async ({ policy }) => {
  const records: unknown[] = [];
  const undone: unknown[] = [];
  const db = await Database.create({
    policy: { writes: true, ...policy },
    audit: {
      write: (record) => {
        records.push(record);
      },
    },
  });
  db.registerAll([
    defineResource({
      name: "vault",
      volatility: "stable",
      columns: [{ name: "word", type: "text", ...(policy.flows !== undefined && { labels: ["secret"] }) }],
      select: () => [{ word }],
    }),
    defineResource({
      name: "notes",
      volatility: "volatile",
      primaryKey: ["id"],
      columns: [
        { name: "id", type: "bigint" },
        { name: "body", type: "text" },
      ],
      select: () => [],
      insert: async () => "taken",
      compensate: {
        insert: (write) => {
          undone.push(write.rows);
          return `took back ${JSON.stringify(write.rows)}`;
        },
      },
    }),
  ]);
  const ann = { actor: "ann" };
  const { receipts } = await db.execute("INSERT INTO notes SELECT 1, word FROM vault", ann);
  await db.compensate((receipts as Receipt[])[0]);
  expect(undone).toEqual([[{ id: 1, body: word }]]);
  const statements = await db.execute("SELECT statement, sql FROM scratchpad.statements ORDER BY at", ann);
  expect(statements.rows.map((row) => row.statement)).toEqual(["INSERT", "COMPENSATE"]);
  expect(statements.rows[1].sql).toBe("-- undoes\nINSERT INTO notes (id, body) VALUES (1, '[redacted]')");
  const calls = await db.execute("SELECT * FROM scratchpad.calls", ann);
  expect(JSON.stringify([records, statements, calls])).not.toContain(word);
});
