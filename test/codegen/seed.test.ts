/** The catalog's seed and the generated factories say the same of every table: both come from one manifest. */
import { describe, expect, test } from "vitest";
import * as generated from "../../generated/index.js";
import { seedTables } from "../../src/database/seed.js";
import { Database, type ResourceTable } from "../../src/index.js";
import { registeredResource } from "../../src/resources/table-info.js";

const connection = { callTool: async () => ({ content: [] }) };
const resolvers = { select: () => [], insert: () => undefined, update: () => undefined, delete: () => undefined };

const tables: readonly ResourceTable[] = [
  generated.trackerProjects(),
  generated.trackerIssues(),
  generated.trackerComments(),
  generated.memoryEntities({ connection }),
  generated.memoryRelations({ connection }),
  generated.clockZones(resolvers),
  generated.clockTimes(resolvers),
  generated.clockAlarms(resolvers),
] as ResourceTable[];

/** What discovery answers of a database. */
async function discovered(db: Database): Promise<Record<string, unknown>[][]> {
  const statements = [
    "SELECT * FROM information_schema.tables ORDER BY table_name",
    "SELECT * FROM information_schema.columns ORDER BY table_name, ordinal_position",
  ];
  const answers: Record<string, unknown>[][] = [];
  for (const sql of statements) answers.push((await db.execute(sql, { limit: 10_000 })).rows);
  return answers;
}

describe("the seed of the committed manifests", () => {
  test("has every table", () => {
    expect(generated.catalogSeed.tables.map(({ name }) => name)).toEqual(tables.map(({ name }) => name).sort());
  });

  test("answers discovery as the connected tables do", async () => {
    const seeded = await Database.create({ catalog: generated.catalogSeed, policy: { writes: true } });
    const connected = (await Database.create({ policy: { writes: true } })).registerAll(tables);
    expect(await discovered(seeded)).toEqual(await discovered(connected));
  });

  test("is the same to the planner, but for what stands behind a table", () => {
    const seeded = seedTables(generated.catalogSeed).sort((a, b) => (a.name < b.name ? -1 : 1));
    const connected = tables.map((table) => registeredResource(table, "public"));
    const facts = connected.map(({ resource: _, ...table }) => table).sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(seeded).toEqual(facts);
  });
});
