/** Random statements: what changes with a column names it in its lineage. Seeds stand in the name and in the report. */
import { expect, test } from "vitest";
import { searchInterference } from "./interference.js";

test.each([
  { profile: "core", seed: 1, worlds: 12 },
  { profile: "core", seed: 2, worlds: 12 },
  { profile: "full", seed: 3, worlds: 12 },
] as const)(
  "no result of the $profile profile (seed $seed) changes with a column outside its lineage",
  { timeout: 240_000 },
  async ({ profile, seed, worlds }) => {
    const report = await searchInterference({ profile, seed, worlds, statements: 20, changes: 6 });
    expect(report.findings).toEqual([]);
    expect(report.counts.statements).toBeGreaterThan(worlds * 10);
    expect(report.counts.shown).toBeGreaterThan(worlds * 5);
  },
);

test.each(["made", "decided"] as const)(
  "a lineage that forgets what results are %s by is found out",
  async (forget) => {
    const report = await searchInterference({
      profile: "core",
      seed: 1,
      worlds: 3,
      statements: 20,
      changes: 6,
      forget,
    });
    expect(report.findings.length).toBeGreaterThan(0);
  },
);
