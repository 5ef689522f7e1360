/** What reaches the tracker of its generated resources: as few rows as the statement wants, where none can be lost by it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { trackerIssues, trackerProjects } from "../../generated/index.js";
import { Database } from "../../src/index.js";
import { startTracker, type TrackerService } from "../support/tracker-service.js";

let tracker: TrackerService;
beforeAll(async () => {
  tracker = await startTracker();
});
afterAll(() => tracker.close());

test.each([
  {
    name: "beside the key alone",
    sql: "SELECT number FROM tracker_issues WHERE project = 'core' LIMIT 3",
    requests: ["GET /v1/projects/core/issues?limit=3"],
    rows: 3,
  },
  {
    name: "beside columns that the service decides",
    sql: "SELECT number FROM tracker_issues WHERE project = 'core' AND state = 'open' AND updated_at >= '2026-01-01' LIMIT 2",
    requests: ["GET /v1/projects/core/issues?state=open&since=2026-01-01T00%3A00%3A00.000Z&limit=2"],
    rows: 2,
  },
  {
    name: "with an order that the service has a name for",
    sql: "SELECT number FROM tracker_issues WHERE project = 'core' ORDER BY number DESC LIMIT 2 OFFSET 1",
    requests: ["GET /v1/projects/core/issues?sort=number&direction=desc&limit=3"],
    rows: 2,
  },
  {
    name: "for each of two keys",
    sql: "SELECT number FROM tracker_issues WHERE project IN ('core', 'docs') ORDER BY number LIMIT 2",
    requests: [
      "GET /v1/projects/core/issues?sort=number&direction=asc&limit=2",
      "GET /v1/projects/docs/issues?sort=number&direction=asc&limit=2",
    ],
    rows: 2,
  },
  {
    name: "without a key",
    sql: "SELECT key FROM tracker_projects LIMIT 1",
    requests: ["GET /v1/projects?limit=1"],
    rows: 1,
  },
])("LIMIT reaches the service $name", async ({ sql, requests, rows }) => {
  expect(await run(sql)).toEqual({ requests, rows });
});

test.each([
  {
    name: "a column that is compared here",
    sql: "SELECT number FROM tracker_issues WHERE project = 'core' AND author = 'ada' LIMIT 1",
  },
  {
    name: "an order by two columns, of which the service takes one",
    sql: "SELECT number FROM tracker_issues WHERE project = 'core' ORDER BY created_at, number DESC LIMIT 1",
  },
  {
    name: "an order that the service has no name for",
    sql: "SELECT number FROM tracker_issues WHERE project = 'core' ORDER BY title LIMIT 1",
  },
])("no LIMIT reaches the service beside $name: it would cut off rows that are wanted", async ({ sql }) => {
  const { requests } = await run(sql);
  expect(requests.length).toBeGreaterThan(1);
  expect(requests.join(" ")).not.toMatch(/limit=|sort=/);
});

/** Runs the statement on a database of its own. */
async function run(sql: string): Promise<{ requests: string[]; rows: number }> {
  const options = { baseUrl: tracker.baseUrl, env: { TRACKER_TOKEN: tracker.token } };
  const db = await Database.create();
  db.registerAll([trackerIssues(options), trackerProjects(options)]);
  tracker.take();
  const { rows } = await db.execute(sql);
  const requests = tracker.take();
  await db.close();
  return { requests: requests.sort(), rows: rows.length };
}
