/** A function that takes a label off is given the value: when it fails, its words may hold it. */
import { expect, test } from "vitest";
import { Database, defineResource, SqlError } from "../../src/index.js";

const word = "hunter2";

async function world() {
  const sent: unknown[] = [];
  const db = await Database.create({
    policy: { writes: true, flows: [{ label: "secret", to: "result" }] },
    functions: [
      {
        name: "domain_of",
        arguments: ["text"],
        returns: "text",
        volatility: "immutable",
        declassifies: ["secret"],
        call: (text) => {
          throw new TypeError(`no domain in ${String(text)}`);
        },
      },
    ],
  });
  db.registerAll([
    defineResource({
      name: "vault",
      volatility: "stable",
      columns: [
        { name: "id", type: "bigint" },
        { name: "word", type: "text", labels: ["secret"] },
      ],
      select: () => [{ id: 1, word }],
    }),
    defineResource({
      name: "notes",
      volatility: "volatile",
      columns: [
        { name: "id", type: "bigint" },
        { name: "title", type: "text" },
      ],
      primaryKey: ["id"],
      select: (bindings) => {
        sent.push(Object.fromEntries(bindings.eq));
        return [];
      },
      insert: async (rows) => {
        sent.push(...rows);
      },
    }),
  ]);
  return { db, sent };
}

test.each([
  { name: "in the result", sql: "SELECT domain_of(word) FROM vault" },
  { name: "in a condition", sql: "SELECT id FROM vault WHERE domain_of(word) = 'x'" },
  { name: "in a written value", sql: "INSERT INTO notes SELECT id, domain_of(word) FROM vault" },
  { name: "in an argument", sql: "SELECT id FROM notes WHERE title = (SELECT domain_of(word) FROM vault)" },
  { name: "in an aggregate", sql: "SELECT string_agg(domain_of(word), ',') FROM vault" },
])("$name", async ({ sql }) => {
  const { db, sent } = await world();
  const error = await db.execute(sql).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SqlError);
  const { code, message, detail, cause } = error as SqlError;
  expect({ code, message, detail, cause }).toEqual({
    code: "38000",
    message: "external routine exception (the details are left out)",
    detail: 'The statement reads values labelled "secret", and words of the error may hold some of them.',
    cause: undefined,
  });
  const told = await db.execute("SELECT * FROM scratchpad.statements");
  expect(JSON.stringify(told)).not.toContain(word);
  expect(sent).toEqual([]);
});
