/** Which of the known names a wrong one is related to. */
import { expect, test } from "vitest";
import { relatedName, sameName } from "../../../src/planner/bind/related-names.js";

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

test.each([
  { name: "pullrequests", candidates: ["github_issues", "github_pull_requests"], same: "github_pull_requests" },
  {
    name: "pull_request",
    candidates: ["github_pull_request_reviews", "github_pull_requests"],
    same: "github_pull_requests",
  },
  { name: "PullRequest", candidates: ["github_pull_requests", "pull_requests"], same: "pull_requests" },
  { name: "github_pull_request", candidates: ["github_pull_requests"], same: "github_pull_requests" },
  { name: "issues", candidates: ["linear_issue", "jira_cloud_issues"], same: "linear_issue" },
  { name: "quests", candidates: ["github_pull_requests"], same: undefined },
  { name: "id", candidates: ["pr_id"], same: undefined },
])("$name is $same among $candidates", ({ name, candidates, same }) => {
  expect(sameName(name, candidates)).toBe(same);
});
