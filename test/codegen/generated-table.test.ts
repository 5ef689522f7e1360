/** One value of a generated module is both: the factory of the table, and the typed statements on it. */
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { clockTimes, memoryEntities, trackerIssues } from "../../generated/index.js";
import { Database } from "../../src/index.js";
import { startTracker, type TrackerService } from "../support/tracker-service.js";

let tracker: TrackerService;
let db: Database;
beforeAll(async () => {
  tracker = await startTracker();
  db = await Database.create({ policy: { writes: true } });
  db.register(trackerIssues({ baseUrl: tracker.baseUrl, env: { TRACKER_TOKEN: tracker.token } }));
});
afterAll(async () => {
  await db.close();
  await tracker.close();
});

describe("a generated table", () => {
  test("is read by its own statements, with rows typed by the selection", async () => {
    const rows = await trackerIssues
      .select("number", "title")
      .where({ project: "core", state: "open" })
      .orderBy("created_at", "desc")
      .limit(10)
      .all(db);
    expectTypeOf(rows).toEqualTypeOf<{ number: number; title: string }[]>();
    const { rows: same } = await db.execute(
      "SELECT number, title FROM tracker_issues WHERE project = 'core' AND state = 'open' ORDER BY created_at DESC LIMIT 10",
    );
    expect(rows).toHaveLength(10);
    expect(rows).toEqual(same);
  });

  test("has the methods of its verbs alone", () => {
    expect(Object.keys(trackerIssues)).toEqual(["select", "insert", "update", "delete"]);
    expect(Object.keys(memoryEntities)).toEqual(["select", "insert", "delete"]);
    expect(Object.keys(clockTimes)).toEqual(["select"]);
    expect(trackerIssues.name).toBe("trackerIssues");
  });

  test("refuses what its columns, keys and verbs do not allow when it is compiled", () => {
    // @ts-expect-error no such column
    trackerIssues.select("titel");
    // @ts-expect-error no such label
    trackerIssues.select().where({ state: "OPEN" });
    // @ts-expect-error a read needs its project
    void (() => trackerIssues.select("title").where({ state: "open" }).all(db));
    // @ts-expect-error entities are not updated
    void (() => memoryEntities.update({ name: "x" }));
  });
});
