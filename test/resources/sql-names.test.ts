/** Names of servers, tools and arguments as SQL names. */
import { describe, expect, test } from "vitest";
import { sqlName, tableName, uniqueNames } from "../../src/resources/sql-names.js";

test.each([
  { name: "list-pull-requests", identifier: "list_pull_requests" },
  { name: "maxResults", identifier: "maxresults" },
  { name: "a.b/c d", identifier: "a_b_c_d" },
  { name: "2fa", identifier: "_2fa" },
  { name: "_private", identifier: "_private" },
  { name: "größe", identifier: "größe" },
  { name: "--", identifier: "x_cd1d0f" },
  { name: "x".repeat(63), identifier: "x".repeat(63) },
])("$name → $identifier", ({ name, identifier }) => expect(sqlName(name)).toBe(identifier));

test("a name that is too long is cut to 63 bytes and told apart by a hash", () => {
  const [first, second] = [sqlName(`${"é".repeat(60)}a`), sqlName(`${"é".repeat(60)}b`)];
  expect(new TextEncoder().encode(first).length).toBeLessThanOrEqual(63);
  expect(first).not.toBe(second);
  expect(first).toMatch(/^é+_[0-9a-f]{6}$/);
});

test.each([
  { namespace: "github", tool: "list_issues", table: "github_list_issues" },
  { namespace: "github", tool: "github_list_issues", table: "github_list_issues" },
  { namespace: "git", tool: "github_list_issues", table: "git_github_list_issues" },
  { namespace: "hubspot", tool: "hubspot-get-user", table: "hubspot_get_user" },
  { namespace: "stripe", tool: "get_stripe_account", table: "get_stripe_account" },
  { namespace: "Google Calendar", tool: "list-events", table: "google_calendar_list_events" },
  { namespace: "n", tool: "2fa", table: "n_2fa" },
])("table of $namespace / $tool", ({ namespace, tool, table }) => expect(tableName(namespace, tool)).toBe(table));

describe("names that would be the same", () => {
  test("the one spelled like the identifier keeps it, whatever the order", () => {
    const forward = uniqueNames(["list_items", "list-items", "List.Items"]);
    const backward = uniqueNames(["List.Items", "list-items", "list_items"]);
    expect(forward.get("list_items")).toBe("list_items");
    expect(forward.get("list-items")).toMatch(/^list_items_[0-9a-f]{6}$/);
    expect(new Set(forward.values()).size).toBe(3);
    expect(Object.fromEntries(backward)).toEqual(Object.fromEntries(forward));
  });
  test("without such a one all carry a hash", () => {
    const names = [...uniqueNames(["a-b", "a.b"]).values()];
    expect(names.every((name) => /^a_b_[0-9a-f]{6}$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(2);
  });
  test("of tables too", () => {
    const names = uniqueNames(["list", "ns_list", "ns-list"], (name) => tableName("ns", name));
    expect(names.get("ns_list")).toBe("ns_list");
    expect(new Set(names.values()).size).toBe(3);
  });
});
