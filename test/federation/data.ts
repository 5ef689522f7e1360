/**
 * The rows behind the recording resources, as PostgreSQL would hold them: NULLs, duplicates, empty strings, quotes,
 * slashes, percent signs, text beyond ASCII, a key beyond 2^53, instants written in several time zones.
 */
import type { ResourceColumn, Row } from "../../src/index.js";

/** A key that a double can't hold. */
export const bigKey = 9007199254740993n;

const instant = (text: string | null) => text;

export const rowsOf: Readonly<Record<string, readonly Row[]>> = {
  issue: [
    { id: 1, repo: "acme/app", state: "open", title: "Fix login", updated_at: instant("2024-05-01T10:00:00Z") },
    { id: 2, repo: "acme/app", state: "closed", title: "100% CPU", updated_at: instant("2024-05-02T23:30:00Z") },
    { id: 3, repo: "acme/web", state: "open", title: "It's broken", updated_at: "2024-05-03T08:15:30.123456Z" },
    { id: 4, repo: "acme/web", state: "open", title: null, updated_at: "2024-05-03T10:15:30.123456+02:00" },
    { id: 5, repo: "", state: "closed", title: "no repository", updated_at: null },
    { id: 6, repo: "ünï/çødé", state: "open", title: "🐙 octopus", updated_at: "2024-04-30T22:00:00-02:00" },
    { id: 7, repo: null, state: null, title: "", updated_at: "2024-01-01T00:00:00Z" },
    { id: bigKey, repo: "acme/big", state: "closed", title: "Fix login", updated_at: "2023-12-31T23:59:59Z" },
  ],
  comment: [
    { issue_id: 1, author: "ann", body: "nice" },
    { issue_id: 1, author: "bob", body: "nice" },
    { issue_id: 1, author: "ann", body: "nice" },
    { issue_id: 2, author: "bob", body: null },
    { issue_id: 3, author: null, body: "who?" },
    { issue_id: 3, author: "ann", body: "it's 100%" },
    { issue_id: 6, author: "çleo", body: "🐙" },
    { issue_id: 8, author: "ann", body: "lost" },
    { issue_id: bigKey, author: "bob", body: "big" },
  ],
  sim: [
    { principal: "ann", resource: "acme/app", action: "read", allowed: true },
    { principal: "ann", resource: "acme/app", action: "write", allowed: true },
    { principal: "bob", resource: "acme/app", action: "read", allowed: true },
    { principal: "bob", resource: "acme/app", action: "write", allowed: false },
    { principal: "bob", resource: "acme/web", action: "read", allowed: null },
    { principal: "ann", resource: "it's 100%", action: "read", allowed: true },
    { principal: "ann", resource: "", action: "read", allowed: false },
    { principal: "çleo", resource: "ünï/çødé", action: "read", allowed: true },
  ],
  img: [
    { repo: "acme/app", tag: "v1", digest: "sha256:a1", size: 10 },
    { repo: "acme/app", tag: "v2", digest: "sha256:a2", size: 20 },
    { repo: "acme/app", tag: null, digest: "sha256:a3", size: 30 },
    { repo: "acme/web", tag: "v1", digest: "sha256:b1", size: null },
    { repo: "acme/web", tag: "latest", digest: "sha256:b1", size: null },
  ],
  pull: [
    { id: 11, repo: "acme/app", title: "Fix login", closes: 1, author: "ann" },
    { id: 12, repo: "acme/app", title: "100% CPU", closes: 2, author: "bob" },
    { id: 13, repo: "acme/web", title: "a_b", closes: 3, author: "ann" },
    { id: 14, repo: "acme/web", title: "aXb", closes: null, author: null },
    { id: 15, repo: "acme/web", title: null, closes: 3, author: "bob" },
    { id: 16, repo: null, title: "", closes: 99, author: "ann" },
  ],
  release: [
    { repo: "acme/app", tag: "v1", published: "2024-01-15", downloads: 10 },
    { repo: "acme/app", tag: "v2", published: "2024-03-01", downloads: 30 },
    { repo: "acme/app", tag: "v3", published: null, downloads: null },
    { repo: "acme/web", tag: "v1", published: "2024-02-29", downloads: 10 },
    { repo: "acme/web", tag: "v2", published: "2024-04-01", downloads: 20 },
    { repo: "ünï/çødé", tag: "v1", published: "2024-03-01", downloads: 0 },
  ],
  event: [
    ...Array.from({ length: 20 }, (_, i) => ({ source: "main", seq: i + 1, kind: i % 3 === 0 ? null : `k${i % 2}` })),
    ...Array.from({ length: 12 }, (_, i) => ({ source: "broken", seq: i + 1, kind: "k0" })),
  ],
  member: Array.from({ length: 120 }, (_, i) => ({ id: i + 1, login: i % 10 === 9 ? null : `user${(i % 50) + 1}` })),
  quote: [
    { symbol: "A", price: "10.50" },
    { symbol: "B", price: "0.10" },
    { symbol: "C", price: null },
  ],
  flaky: [
    { mode: "first", value: 1 },
    { mode: "always", value: 2 },
    { mode: "fine", value: 3 },
  ],
  slow: [{ id: 1, name: "late" }],
  note: [
    { id: 1, issue_id: 1, body: "one" },
    { id: 2, issue_id: 3, body: "two" },
    { id: 3, issue_id: null, body: "three" },
    { id: 4, issue_id: 3, body: null },
  ],
  audit: [],
  search: [
    { query: "x", mode: "fast", hit: "x1" },
    { query: "x", mode: "deep", hit: "x2" },
    { query: "y", mode: "fast", hit: "y1" },
    { query: "y", mode: "deep", hit: null },
  ],
};

const key = (name: string, type: string): ResourceColumn => ({ name, type, requiredKey: true });
const range = ["<", "<=", ">", ">="] as const;

/** The columns of each table, with what its service takes of them. */
export const columnsOf: Readonly<Record<string, readonly ResourceColumn[]>> = {
  issue: [
    { name: "id", type: "bigint", exact: true },
    { name: "repo", type: "text", exact: true },
    { name: "state", type: "text", enum: ["open", "closed"], exact: true },
    { name: "title", type: "text", equality: false },
    { name: "updated_at", type: "timestamptz", equality: false, operators: [">", ">="], exact: true },
  ],
  comment: [
    key("issue_id", "bigint"),
    { name: "author", type: "text" },
    { name: "body", type: "text", equality: false },
  ],
  sim: [
    key("principal", "text"),
    key("resource", "text"),
    key("action", "text"),
    { name: "allowed", type: "boolean", equality: false },
  ],
  img: [
    key("repo", "text"),
    { name: "tag", type: "text" },
    { name: "digest", type: "text" },
    { name: "size", type: "integer", equality: false },
  ],
  pull: [
    { name: "id", type: "bigint", operators: range },
    { name: "repo", type: "text", operators: ["<>", "is null", "is not null"] },
    { name: "title", type: "text", equality: false, operators: ["like", "ilike", "is null", "is not null"] },
    { name: "closes", type: "bigint", operators: ["is null", "is not null"] },
    { name: "author", type: "text", equality: false },
  ],
  release: [
    { name: "repo", type: "text" },
    { name: "tag", type: "text" },
    { name: "published", type: "date", operators: [...range, "<>", "is null", "is not null"] },
    { name: "downloads", type: "integer", equality: false },
  ],
  event: [
    key("source", "text"),
    { name: "seq", type: "integer", equality: false },
    { name: "kind", type: "text", equality: false },
  ],
  member: [key("id", "bigint"), { name: "login", type: "text", equality: false }],
  quote: [key("symbol", "text"), { name: "price", type: "numeric(10,2)", equality: false }],
  flaky: [key("mode", "text"), { name: "value", type: "integer", equality: false }],
  slow: [key("id", "bigint"), { name: "name", type: "text", equality: false }],
  note: [
    { name: "id", type: "bigint" },
    { name: "issue_id", type: "bigint" },
    { name: "body", type: "text" },
  ],
  audit: [
    { name: "issue_id", type: "bigint" },
    { name: "author", type: "text" },
  ],
  search: [
    key("query", "text"),
    { name: "mode", type: "text", argument: true },
    { name: "hit", type: "text", equality: false },
  ],
};

/** The same tables and rows as statements of PostgreSQL. */
export function worldSql(): string[] {
  return Object.entries(columnsOf).flatMap(([table, columns]) => {
    const names = columns.map(({ name, type }) => `"${name}" ${type}`).join(", ");
    const rows = rowsOf[table].map(
      (row) => `(${columns.map(({ name, type }) => `${literal(row[name])}::${type}`).join(", ")})`,
    );
    return [
      `CREATE TABLE "${table}" (${names})`,
      ...(rows.length === 0 ? [] : [`INSERT INTO "${table}" VALUES ${rows.join(", ")}`]),
    ];
  });
}

function literal(value: unknown): string {
  return value === null || value === undefined ? "NULL" : `'${String(value).replaceAll("'", "''")}'`;
}
