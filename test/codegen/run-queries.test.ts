/** The functions that are generated for named statements, run on a database with resources that record their calls. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { Database } from "../../src/database/database.js";
import { defineResource } from "../../src/resources/define-resource.js";
import type * as generated from "./queries/expected/queries.js";

/** The module with its import of the package led to the sources: the package itself is what a build makes. */
async function importQueries(): Promise<typeof generated> {
  const text = readFileSync(path.join(import.meta.dirname, "queries/expected/queries.ts"), "utf8");
  const entry = path.join(import.meta.dirname, "../../src/index.ts");
  const file = path.join(mkdtempSync(path.join(tmpdir(), "queries-")), "queries.ts");
  writeFileSync(file, text.replace('"glove-scratchpad"', JSON.stringify(entry)));
  return import(file) as Promise<typeof generated>;
}

let queries: typeof generated;
beforeAll(async () => {
  queries = await importQueries();
});

const schema = z.object({
  repo: z.string(),
  number: z.int(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  score: z.number().nullish(),
  created_at: z.iso.datetime({ offset: true }),
  merged_at: z.iso.datetime({ offset: true }).nullable(),
  labels: z.unknown().optional(),
  tags: z.array(z.string()).meta({ pgType: "text[]" }).optional(),
});

async function hub(count: number): Promise<{ db: Database; calls: string[] }> {
  const calls: string[] = [];
  const rows = Array.from({ length: count }, (_, i) => ({
    repo: "a/b",
    number: i + 1,
    title: `Change ${i + 1}`,
    state: i % 2 === 0 ? ("open" as const) : ("closed" as const),
    created_at: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
    merged_at: null,
  }));
  const db = await Database.create({ policy: { writes: true } });
  db.register(
    defineResource({
      name: "hub_pr",
      volatility: "volatile",
      schema,
      keys: ["repo"],
      primaryKey: ["repo", "number"],
      select: (bindings) => {
        calls.push(`select ${bindings.one("repo")}`);
        return rows.filter((row) => row.repo === bindings.one("repo"));
      },
      insert: ([row]) => void calls.push(`insert ${JSON.stringify(row)}`),
      update: (set, bindings) =>
        void calls.push(`update ${bindings.one("repo")}#${bindings.one("number")} ${JSON.stringify(set)}`),
      delete: (bindings) => void calls.push(`delete ${bindings.one("repo")}#${bindings.one("number")}`),
    }),
  );
  return { db, calls };
}

test("many gives all rows", async () => {
  const { db, calls } = await hub(300);
  const rows = await queries.openPrs(db, { repo: "a/b" });
  expect(rows).toHaveLength(150);
  expect(rows[0]).toEqual({
    number: 299,
    title: "Change 299",
    state: "open",
    merged_at: null,
    labels: null,
    tags: null,
  });
  expect(calls).toEqual(["select a/b"]);
});

test("parameters of every kind", async () => {
  const { db } = await hub(6);
  const params = { repos: ["a/b", "x/y"], states: ["open"] as const };
  expect(await queries.prsInState(db, { ...params, since: null })).toHaveLength(3);
  expect(await queries.prsInState(db.session(), { ...params, since: new Date(Date.UTC(2026, 0, 1, 0, 4)) })).toEqual([
    { repo: "a/b", number: 5, number_1: 5 },
  ]);
});

test("one gives one row", async () => {
  const { db } = await hub(3);
  expect(await queries.counts(db, { repo: "none" })).toMatchObject({ prs: 0, numbers: null, newest: null });
  expect(await queries.counts(db, { repo: "a/b" })).toMatchObject({ prs: 3, numbers: [1, 2, 3], any_open: true });
});

test("writes, with documents whatever they are", async () => {
  const { db, calls } = await hub(0);
  const base = { repo: "a/b", title: "T", state: "open", score: null, tags: ["x"] } as const;
  expect(await queries.addPr(db, { ...base, labels: "5" })).toMatchObject({ rowCount: 1, command: "INSERT 0 1" });
  await queries.addPr(db, { ...base, labels: { a: [1] } });
  expect(await queries.renamePr(db, { title: "N", mergedAt: null, repo: "a/b", number: 7 })).toEqual({
    repo: "a/b",
    number: 7,
    title: "N",
    merged_at: null,
  });
  expect(await queries.dropPr(db, { repo: "a/b", number: "7" })).toMatchObject({ rowCount: 1, command: "DELETE 1" });
  expect(calls).toEqual([
    'insert {"repo":"a/b","title":"T","state":"open","score":null,"labels":"5","tags":["x"]}',
    'insert {"repo":"a/b","title":"T","state":"open","score":null,"labels":{"a":[1]},"tags":["x"]}',
    'update a/b#7 {"title":"N","merged_at":null}',
    "delete a/b#7",
  ]);
});
