/** A table of pull requests for tests of typed statements: its row, its builder, and a resource that records its calls. */

import { z } from "zod";
import { defineResource } from "../../../src/resources/define-resource.js";
import type { ResourceTable } from "../../../src/resources/resource.js";
import { tableQuery } from "../../../src/surfaces/query/table-query.js";

export const prSchema = z.object({
  repo: z.string(),
  number: z.int(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean(),
  created_at: z.iso.datetime({ offset: true }),
  merged_at: z.iso.datetime({ offset: true }).nullable(),
  labels: z.array(z.string()).optional(),
});

export type PrRow = z.output<typeof prSchema>;

export const pr = tableQuery<PrRow>()("github_pr", {
  columns: {
    repo: "text",
    number: "bigint",
    title: "text",
    state: "text",
    draft: "boolean",
    created_at: "timestamp with time zone",
    merged_at: "timestamp with time zone",
    labels: "jsonb",
  },
  keys: ["repo"],
  verbs: ["select", "insert", "update", "delete"],
});

const day = (n: number) => `2026-01-${String(n).padStart(2, "0")}T00:00:00.000Z`;

/** `count` pull requests of `a/b`; every third is closed, every fifth has labels. */
export function prRows(count: number): PrRow[] {
  return Array.from({ length: count }, (_, i) => ({
    repo: "a/b",
    number: i + 1,
    title: `Change ${i + 1}`,
    state: i % 3 === 2 ? ("closed" as const) : ("open" as const),
    draft: i % 2 === 1,
    created_at: day((i % 28) + 1),
    merged_at: i % 3 === 2 ? day((i % 28) + 1) : null,
    ...(i % 5 === 0 && { labels: ["bug", `n${i}`] }),
  }));
}

/** The table over some rows; `calls` collects what its verbs are asked. */
export function prResource(rows: readonly PrRow[], calls: string[] = []): ResourceTable {
  return defineResource({
    name: "github_pr",
    volatility: "volatile",
    schema: prSchema,
    keys: ["repo"],
    primaryKey: ["repo", "number"],
    select: (bindings) => {
      calls.push(`select ${bindings.all("repo").join(",")}`);
      return rows.filter((row) => bindings.all("repo").includes(row.repo));
    },
    insert: ([row]) => {
      calls.push(`insert ${JSON.stringify(row)}`);
      return { number: 100 };
    },
    update: (set, bindings) => {
      calls.push(`update ${bindings.one("repo")}#${bindings.one("number")} ${JSON.stringify(set)}`);
      return undefined;
    },
    delete: (bindings) => {
      calls.push(`delete ${bindings.one("repo")}#${bindings.one("number")}`);
      return undefined;
    },
  });
}
