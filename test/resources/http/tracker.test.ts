/** The tracker, end to end: the resources of a whole service over HTTP. */
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { Database } from "../../../src/index.js";
import { defineHttpResource } from "../../../src/resources/connectors/http/define-http-resource.js";
import type { HttpService } from "../../../src/resources/connectors/http/definition.js";
import { startTracker, type TrackerOptions, type TrackerService } from "../../support/tracker-service.js";

let tracker: TrackerService | undefined;
afterEach(async () => {
  await tracker?.close();
  tracker = undefined;
});

const service: HttpService = {
  service: "tracker",
  baseUrl: "https://tracker.example/v1",
  auth: { kind: "bearer", token: { env: "TRACKER_TOKEN" } },
};

async function open(options?: TrackerOptions): Promise<{ db: Database; tracker: TrackerService }> {
  tracker = await startTracker(options);
  const host = { baseUrl: tracker.baseUrl, env: { TRACKER_TOKEN: tracker.token } };
  const db = await Database.create({ policy: { writes: true } });
  const common = { volatility: "stable", retry: { minDelayMs: 1 } } as const;
  db.register(
    defineHttpResource(
      service,
      {
        ...common,
        name: "tracker_projects",
        description: "Projects",
        verbs: {
          select: {
            method: "GET",
            path: "/projects",
            rows: "data",
            page: { kind: "cursor", next: "next_cursor", parameter: "cursor" },
          },
        },
      },
      z.object({ key: z.string(), name: z.string(), archived: z.boolean(), created_at: z.iso.datetime() }),
      [],
      host,
    ),
  );
  const assignee = "assignee.login";
  db.register(
    defineHttpResource(
      service,
      {
        ...common,
        name: "tracker_issues",
        description: "Issues of a project",
        primaryKey: ["project", "number"],
        exact: true,
        columns: { updated_at: { operators: [">="] }, labels: { operators: ["@>"] } },
        verbs: {
          select: {
            method: "GET",
            path: "/projects/{project}/issues",
            query: {
              state: "{state}",
              since: "{updated_at >=}",
              labels: { value: "{labels @>}", join: "," },
              limit: "{$limit}",
              sort: "{$orderBy}",
              direction: "{$direction}",
            },
            rows: "data",
            page: { kind: "cursor", next: "next_cursor", parameter: "cursor" },
            fields: { author: "author.login", assignee },
            orderBy: { created_at: "created", updated_at: "updated", number: "number" },
          },
          insert: {
            method: "POST",
            path: "/projects/{project}/issues",
            body: { title: "{title}", labels: "{labels}", assignee: "{assignee}" },
            fields: { author: "author.login", assignee },
          },
          update: {
            method: "PATCH",
            path: "/projects/{project}/issues/{number}",
            body: { title: "{title}", state: "{state}", labels: "{labels}", assignee: "{assignee}" },
          },
          delete: { method: "DELETE", path: "/projects/{project}/issues/{number}" },
        },
      },
      z.object({
        project: z.string(),
        number: z.int(),
        title: z.string(),
        state: z.enum(["open", "closed"]),
        labels: z.array(z.string()),
        author: z.string(),
        assignee: z.string().nullable(),
        created_at: z.iso.datetime(),
        updated_at: z.iso.datetime(),
        closed_at: z.iso.datetime().nullable(),
      }),
      ["project"],
      host,
    ),
  );
  db.register(
    defineHttpResource(
      service,
      {
        ...common,
        name: "tracker_comments",
        description: "Comments on an issue",
        primaryKey: ["project", "issue", "id"],
        verbs: {
          select: {
            method: "GET",
            path: "/projects/{project}/issues/{issue}/comments",
            page: { kind: "page", parameter: "page", sizeParameter: "per_page", size: 2 },
            fields: { author: "author.login" },
          },
          insert: { method: "POST", path: "/projects/{project}/issues/{issue}/comments", body: { text: "{text}" } },
          delete: { method: "DELETE", path: "/projects/{project}/issues/{issue}/comments/{id}" },
        },
      },
      z.object({ project: z.string(), issue: z.int(), id: z.bigint(), author: z.string(), text: z.string() }),
      ["project", "issue"],
      host,
    ),
  );
  return { db, tracker };
}

test("a join over three tables, by pages, with the keys of one in the paths of the next", async () => {
  const { db, tracker } = await open();
  const { rows } = await db.execute(`
    SELECT p.key, count(DISTINCT i.number) AS issues, count(c.id) AS comments, max(c.id) AS last
    FROM tracker_projects p
    JOIN tracker_issues i ON i.project = p.key AND i.number < 4
    LEFT JOIN tracker_comments c ON c.project = i.project AND c.issue = i.number
    GROUP BY p.key ORDER BY p.key`);
  expect(rows).toEqual([
    { key: "core", issues: 3, comments: 6, last: "9007199254741003" },
    { key: "old/legacy", issues: 2, comments: 3, last: "9007199254741021" },
    { key: "web", issues: 3, comments: 6, last: "9007199254741015" },
  ]);
  const requests = tracker.take();
  expect(requests.filter((request) => request.includes("/issues?cursor") || request.endsWith("/issues"))).toHaveLength(
    5,
  );
  expect(requests).toContain("GET /v1/projects/old%2Flegacy/issues/2/comments?page=1&per_page=2");
  expect(requests).toContain("GET /v1/projects/core/issues/3/comments?page=2&per_page=2");
});

test("filters, order and limit reach the service", async () => {
  const { db, tracker } = await open();
  const { rows } = await db.execute(
    `SELECT number, author, assignee FROM tracker_issues
     WHERE project = 'core' AND state = 'open' AND updated_at >= '2026-01-05' AND labels @> '["bug", "ui"]'
     ORDER BY updated_at DESC LIMIT 2`,
  );
  expect(rows).toEqual([
    { number: 20, author: "ada", assignee: "grace" },
    { number: 40, author: "ada", assignee: "grace" },
  ]);
  const plain = await db.execute(
    `SELECT number, labels, state, updated_at FROM tracker_issues WHERE project = 'core' AND number > 0`,
    { limit: 1000 },
  );
  const expected = plain.rows
    .filter(
      ({ labels, state }) => state === "open" && ["bug", "ui"].every((label) => (labels as string[]).includes(label)),
    )
    .sort((a, b) => ((a.updated_at as string) < (b.updated_at as string) ? 1 : -1))
    .slice(0, 2)
    .map(({ number }) => number);
  expect(rows.map(({ number }) => number)).toEqual(expected);
  expect(tracker.take()[0]).toBe(
    "GET /v1/projects/core/issues?state=open&since=2026-01-05T00%3A00%3A00.000Z&labels=bug%2Cui&limit=2&sort=updated&direction=desc",
  );
});

test("create, read, change and delete", async () => {
  const { db, tracker } = await open();
  const { rows } = await db.execute(
    `INSERT INTO tracker_issues (project, title, labels, assignee) VALUES ('old/legacy', 'It''s "new"', '["bug"]', 'ada')
     RETURNING number, author, assignee, state`,
  );
  expect(rows).toEqual([{ number: 3, author: "token-owner", assignee: "ada", state: "open" }]);
  await db.execute(
    "UPDATE tracker_issues SET state = 'closed', assignee = NULL WHERE project = 'old/legacy' AND number = 3",
  );
  db.invalidate();
  expect(
    (await db.execute("SELECT title, state, assignee FROM tracker_issues WHERE project = 'old/legacy' AND number = 3"))
      .rows,
  ).toEqual([{ title: `It's "new"`, state: "closed", assignee: null }]);
  await db.execute("DELETE FROM tracker_issues WHERE project = 'old/legacy' AND number = 3");
  const [comment] = (await db.execute("SELECT id FROM tracker_comments WHERE project = 'web' AND issue = 1")).rows;
  await db.execute("DELETE FROM tracker_comments WHERE project = 'web' AND issue = 1 AND id = $1", {
    params: [comment.id],
  });
  expect(
    tracker.requests.filter(({ method }) => method !== "GET").map(({ method, target, body }) => [method, target, body]),
  ).toEqual([
    ["POST", "/v1/projects/old%2Flegacy/issues", `{"title":"It's \\"new\\"","labels":["bug"],"assignee":"ada"}`],
    ["PATCH", "/v1/projects/old%2Flegacy/issues/3", '{"state":"closed","assignee":null}'],
    ["DELETE", "/v1/projects/old%2Flegacy/issues/3", ""],
    ["DELETE", `/v1/projects/web/issues/1/comments/${comment.id}`, ""],
  ]);
});

test("a rate limit is waited for; a project that is not there has no rows", async () => {
  const { db } = await open({ limitEvery: 2 });
  const sql = "SELECT count(*) AS n FROM tracker_issues WHERE project IN ('web', 'nope')";
  expect((await db.execute(sql)).rows).toEqual([{ n: 3 }]);
});

test("a mistake is told in the service's words", async () => {
  const { db } = await open();
  await expect(db.execute("INSERT INTO tracker_issues (project, title) VALUES ('web', '')")).rejects.toMatchObject({
    code: "HV000",
    detail: expect.stringContaining("title is missing"),
  });
});

test("a second look is confirmed, not sent again", async () => {
  const { db, tracker } = await open();
  const first = await db.execute("SELECT key FROM tracker_projects");
  db.invalidate();
  const second = await db.execute("SELECT key FROM tracker_projects");
  expect(second.rows).toEqual(first.rows);
  expect(tracker.requests.map(({ headers }) => headers["if-none-match"] !== undefined)).toEqual([false, true]);
});
