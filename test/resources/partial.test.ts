/** Answers without a part: an error unless the caller takes them, and then labelled, never kept, never written. */
import { describe, expect, test } from "vitest";
import { buildExecuteSqlTool, Database, defineResource, SqlError } from "../../src/index.js";

interface World {
  db: Database;
  calls: string[];
}

/** Servers in regions; what `outcome` says of a region is thrown, missing, or its rows. */
async function world(
  outcome: (region: string, missing: (part: string, reason: string) => void) => { name: string }[],
  volatility: "stable" | "immutable" | "volatile" = "stable",
): Promise<World> {
  const calls: string[] = [];
  const db = await Database.create({ policy: { writes: true } });
  db.register(
    defineResource({
      name: "server",
      volatility,
      columns: [
        { name: "region", type: "text", requiredKey: true },
        { name: "name", type: "text" },
      ],
      select: (bindings, ctx) => {
        const region = String(bindings.one("region"));
        calls.push(region);
        return outcome(region, ctx.missing);
      },
    }),
  );
  db.register(
    defineResource({
      name: "report",
      volatility: "volatile",
      columns: [{ name: "n", type: "bigint" }],
      insert: ([row]) => void calls.push(`report ${row?.["n"]}`),
    }),
  );
  return { db, calls };
}

const northFails = (region: string) => {
  if (region === "north") throw new Error("timed out");
  return [{ name: `${region}-1` }];
};
const northLacks = (region: string, missing: (part: string, reason: string) => void) => {
  if (region === "north") missing("rack 7", "no power");
  return [{ name: `${region}-1` }];
};
const both = "SELECT region, name FROM server WHERE region IN ('north', 'south') ORDER BY 1";

describe("without leave", () => {
  test("a call that fails fails the statement", async () => {
    const { db } = await world(northFails);
    await expect(db.execute(both)).rejects.toMatchObject({
      code: "HV000",
      detail: expect.stringContaining("timed out"),
    });
  });

  test("a missing part is an error that names it", async () => {
    const { db } = await world(northLacks);
    await expect(db.execute(both)).rejects.toMatchObject({
      code: "HV000",
      message: 'a part of table "server" could not be read',
      detail: expect.stringContaining("rack 7: no power (called with region = 'north')"),
    });
  });

  test("also when the resolver catches what missing() throws", async () => {
    const { db } = await world((region, missing) => {
      try {
        missing("rack 7", "no power");
      } catch {
        return [{ name: region }];
      }
      return [];
    });
    await expect(db.execute(both)).rejects.toMatchObject({ message: 'a part of table "server" could not be read' });
  });
});

describe("with allowPartial", () => {
  test("the rows of a failed call are left out, and the result says so", async () => {
    const { db } = await world(northFails);
    const result = await db.execute(both, { allowPartial: true });
    expect(result.rows).toEqual([{ region: "south", name: "south-1" }]);
    expect(result.missing).toEqual([
      {
        resource: "server",
        bindings: { region: ["north"] },
        reason: "reading table \"server\" failed: timed out (called with region = 'north')",
      },
    ]);
    expect(result.notices).toEqual([
      {
        severity: "WARNING",
        code: "01000",
        message: "the answer is incomplete: \"server\" without the rows of region = 'north'",
        hint: expect.any(String),
      },
    ]);
  });

  test("a missing part is listed in the resolver's words, its other rows are there", async () => {
    const { db } = await world(northLacks);
    const result = await db.execute(both, { allowPartial: true });
    expect(result.rows).toHaveLength(2);
    expect(result.missing).toEqual([
      { resource: "server", bindings: { region: ["north"] }, part: "rack 7", reason: "no power" },
    ]);
  });

  test("as the session says, unless the statement says otherwise", async () => {
    const { db } = await world(northFails);
    const session = db.session({ allowPartial: true });
    expect((await session.execute(both)).missing).toHaveLength(1);
    await expect(session.execute(both, { allowPartial: false })).rejects.toBeInstanceOf(SqlError);
  });

  test("leave is true or false, nothing that looks like it", async () => {
    const { db } = await world(northFails);
    const leave = { allowPartial: "false" } as never;
    await expect(db.execute(both, leave)).rejects.toMatchObject({ code: "22023" });
    expect(() => db.session(leave)).toThrow("allowPartial must be true or false");
  });

  test("a whole answer has no `missing`", async () => {
    const { db } = await world((region) => [{ name: region }]);
    const result = await db.execute(both, { allowPartial: true });
    expect(result).not.toHaveProperty("missing");
    expect(result).not.toHaveProperty("notices");
  });

  test("the same call twice in a statement is made and told once", async () => {
    const { db, calls } = await world(northFails);
    const sql = "SELECT count(*) AS n FROM server a, server b WHERE a.region = 'north' AND b.region = 'north'";
    const result = await db.execute(sql, { allowPartial: true });
    expect(result.rows).toEqual([{ n: 0 }]);
    expect(result.missing).toHaveLength(1);
    expect(calls).toEqual(["north"]);
  });

  test.each(["stable", "immutable"] as const)("an answer that lacks something is not kept: %s", async (volatility) => {
    for (const outcome of [northFails, northLacks]) {
      const { db, calls } = await world(outcome, volatility);
      const script = `BEGIN; ${both}; ${both}; ROLLBACK`;
      const result = await db.execute(script, { allowPartial: true });
      expect(calls).toEqual(["north", "south", "north"]);
      expect(result.notices).toHaveLength(2);
    }
  });

  test("a mistake in the statement is no missing part", async () => {
    const { db } = await world(() => {
      throw new SqlError("22023", "there is no such region", { hint: "Regions are north and south." });
    });
    await expect(db.execute(both, { allowPartial: true })).rejects.toMatchObject({ code: "22023" });
  });

  test("a statement that is canceled has no partial answer", async () => {
    const giveUp = new AbortController();
    const { db } = await world((region) => {
      giveUp.abort();
      return [{ name: region }];
    });
    const run = db.execute(both, { allowPartial: true, signal: giveUp.signal });
    await expect(run).rejects.toMatchObject({ code: "57014" });
  });

  test("what is written is never made of a part", async () => {
    for (const outcome of [northFails, northLacks]) {
      const { db, calls } = await world(outcome);
      const sql = "INSERT INTO report SELECT count(*) FROM server WHERE region IN ('north', 'south')";
      await expect(db.execute(sql, { allowPartial: true })).rejects.toMatchObject({ code: "HV000" });
      expect(calls).not.toContain("report 1");
    }
  });

  test("a model is told in the result of execute_sql", async () => {
    const { db } = await world(northLacks);
    const tool = buildExecuteSqlTool(db.session({ allowPartial: true }));
    expect(await tool.execute({ sql: both })).toMatchObject({
      ok: true,
      data: {
        missing: ["server(region = 'north'): rack 7 (no power)"],
        notices: [expect.stringContaining("the answer is incomplete")],
      },
    });
  });
});

test("a write cannot be without a part", async () => {
  const db = await Database.create({ policy: { writes: true } });
  db.register(
    defineResource({
      name: "mail",
      volatility: "volatile",
      columns: [{ name: "id", type: "bigint" }],
      insert: (_, ctx) => ctx.missing("half of it", "no paper"),
    }),
  );
  await expect(db.execute("INSERT INTO mail VALUES (1)", { allowPartial: true })).rejects.toMatchObject({
    detail: expect.stringContaining("missing() is for reads"),
  });
});
