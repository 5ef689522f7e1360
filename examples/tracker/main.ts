/**
 * Generated modules at work: an HTTP service, an MCP server and code of our own, declared in `manifests/`, joined by typed
 * statements. `npm run example:tracker` starts the service on this machine and ends with it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "glove-scratchpad";
import {
  type ClockTimesResolvers,
  clockTimes,
  commentOn,
  issueWithComments,
  memoryEntities,
  openIssues,
  openIssuesByPerson,
  trackerComments,
  trackerIssues,
  trackerProjects,
} from "glove-scratchpad/generated";
import { connectMcp } from "glove-scratchpad/mcp";
import { startTracker } from "../../test/support/tracker-service.js";

const require = createRequire(import.meta.url);

/** The code behind `clock_times`: the generated types say what it is asked for and what it has to give. */
const clock: ClockTimesResolvers = {
  select: (bindings) => {
    const parts = new Intl.DateTimeFormat("sv-SE", {
      timeZone: bindings.one("zone"),
      dateStyle: "short",
      timeStyle: "medium",
    });
    const weekday = new Intl.DateTimeFormat("en-US", { timeZone: bindings.one("zone"), weekday: "long" });
    const at = new Date(bindings.one("at"));
    return [{ local_time: parts.format(at), weekday: weekday.format(at).toLowerCase() as "monday" }];
  },
};

const scratch = await mkdtemp(join(tmpdir(), "scratchpad-tracker-"));
const tracker = await startTracker();
const memory = await connectMcp({
  namespace: "memory",
  command: process.execPath,
  args: [require.resolve("@modelcontextprotocol/server-memory/dist/index.js")],
  env: { MEMORY_FILE_PATH: join(scratch, "memory.jsonl") },
});
try {
  const db = await Database.create({ policy: { writes: true } });
  const service = { baseUrl: tracker.baseUrl, env: { TRACKER_TOKEN: tracker.token } };
  db.registerAll([
    trackerProjects(service),
    trackerIssues(service),
    trackerComments(service),
    memoryEntities({ connection: memory }),
    clockTimes(clock),
  ]);

  // A builder: the rows have the types of the columns that were selected.
  const latest = await trackerIssues
    .select("number", "title", "updated_at")
    .where({ project: "core", state: "open" })
    .orderBy("updated_at", "desc")
    .limit(3)
    .all(db);
  print("The three open issues that changed last", latest);

  // Named statements of manifests/tracker.sql: parameters and rows are typed by what the binder found.
  print("Open issues by person", await openIssuesByPerson(db));
  const since = latest[latest.length - 1].updated_at;
  print("Changed since the third of them", await openIssues(db, { project: "core", since }));

  // Two of the services in one statement: the HTTP service gives the moment, our code the time in a zone.
  const { rows } = await db.execute(`
    SELECT i.number, t.local_time, t.weekday
    FROM tracker_issues i JOIN clock_times t ON t.at = i.updated_at AND t.zone = 'Asia/Tokyo'
    WHERE i.project = 'web' ORDER BY i.number`);
  print("When the issues of web changed, in Tokyo", rows);

  // A write, and what it did.
  await commentOn(db, { project: "core", issue: 4, text: "Looked at it." });
  print("Issue 4", [await issueWithComments(db, { project: "core", number: 4 })]);
  await memoryEntities.insert({ name: "core#4", entity_type: "issue", observations: ["commented on"] }).run(db);
  print("Remembered", await memoryEntities.select("name", "observations").all(db));
  console.log(`${tracker.requests.length} requests to the service`);
  await db.close();
} finally {
  await memory.close();
  await tracker.close();
  await rm(scratch, { recursive: true, force: true });
}

function print(title: string, rows: readonly object[]): void {
  console.log(`\n${title}`);
  for (const row of rows) console.log(`  ${JSON.stringify(row)}`);
}
