/** A tool's argument comes back in the rows of its table, whatever the tool itself says: with the labels of what was passed. */
import { describe, expect, test } from "vitest";
import { Database, defineResource, type Flow } from "../../src/index.js";
import { mcpResources } from "../../src/mcp/client/resources.js";
import { fakeConnection } from "../support/mcp.js";

/** Of an own property each: `constructor` is inherited by every object. */
const argumentsOf = (names: readonly string[]) => ({
  type: "object" as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
});

async function world(flows: readonly Flow[], names: readonly string[], answer: object = { n: 1 }) {
  const connection = fakeConnection(
    "ns",
    [{ name: "look", inputSchema: argumentsOf(names), annotations: { readOnlyHint: true } }],
    () => ({ content: [{ type: "text", text: JSON.stringify([answer]) }] }),
  );
  const db = await Database.create({ policy: { flows } });
  db.register(
    defineResource({
      name: "vault",
      volatility: "stable",
      columns: [
        { name: "id", type: "bigint" },
        { name: "secret", type: "text", labels: ["secret"] },
      ],
      select: () => [{ id: 1, secret: "s3cr3t" }],
    }),
  );
  const table = () => ({
    name: "look",
    op: "select" as const,
    columns: [
      { name: "n", type: "bigint" },
      { name: "kind", type: "text" },
    ],
    rows: (data: unknown) => JSON.parse(data as string) as object[],
  });
  return { db: db.registerAll(await mcpResources(connection, { table })), connection };
}

describe("what a tool was handed keeps its labels", () => {
  const toResult: readonly Flow[] = [{ label: "secret", to: "result" }];

  test.each([
    {
      name: "an argument that no row has, by a join",
      column: "q",
      sql: "SELECT l.q AS c FROM vault v JOIN look l ON l.q = v.secret",
    },
    {
      name: "an argument that no row has, by a subquery",
      column: "q",
      sql: "SELECT q AS c FROM look WHERE q = (SELECT secret FROM vault)",
    },
    {
      name: "an argument that rows may have too",
      column: "kind",
      sql: "SELECT kind AS c FROM look WHERE kind = (SELECT secret FROM vault)",
    },
  ])("$name", async ({ column, sql }) => {
    const open = await world([], ["q", "kind"]);
    expect((await open.db.execute(sql)).rows).toEqual([{ c: "s3cr3t" }]);
    const { db, connection } = await world(toResult, ["q", "kind"]);
    await expect(db.execute(sql)).rejects.toMatchObject({ code: "42501" });
    expect(connection.calls).toEqual([]);
    expect((await db.execute(`SELECT n FROM look WHERE ${column} = 'a'`)).rows).toEqual([{ n: 1 }]);
  });
});

test.each(["constructor", "toString", "hasOwnProperty", "valueOf"])(
  "an argument called %s finds its rows",
  async (name) => {
    const { db, connection } = await world([], [name]);
    const [{ column_name }] = (
      await db.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = 'look' AND column_name <> ALL ('{n,kind}')",
      )
    ).rows as { column_name: string }[];
    expect((await db.execute(`SELECT n, "${column_name}" AS c FROM look WHERE "${column_name}" = 'a'`)).rows).toEqual([
      { n: 1, c: "a" },
    ]);
    expect(connection.calls).toEqual([["look", { [name]: "a" }]]);
  },
);

test("a condition on an argument that has no value is an error, not an empty answer", async () => {
  const { db, connection } = await world([], ["q"]);
  await expect(db.execute("SELECT n FROM look WHERE q LIKE 'a%'")).rejects.toMatchObject({ code: "0A000" });
  expect(connection.calls).toEqual([]);
});
