/** Which of the known names a wrong one is related to. */
import { expect, test } from "vitest";
import { relatedName } from "../../../src/planner/bind/related-names.js";

test.each([
  { name: "event_count", candidates: ["id", "count", "level"], related: "count" },
  { name: "repo_name", candidates: ["repo", "title"], related: "repo" },
  { name: "pull_requests", candidates: ["github_issues", "github_pull_requests"], related: "github_pull_requests" },
  { name: "assigneeLogin", candidates: ["assignee", "id"], related: "assignee" },
  { name: "user", candidates: ["users_affected", "title"], related: "users_affected" },
  { name: "date", candidates: ["start_date", "end_date"], related: undefined },
  { name: "start", candidates: ["start_date", "end_date"], related: "start_date" },
  { name: "price", candidates: ["id", "title"], related: undefined },
])("$name among $candidates", ({ name, candidates, related }) => {
  expect(relatedName(name, candidates)).toBe(related);
});
