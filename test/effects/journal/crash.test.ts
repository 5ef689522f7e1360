/**
 * A few of the kills of `npm run crash-test`: whenever a process dies, nothing has fired twice, no receipt is lost, and what is
 * in doubt is listed. The processes are those of the built package.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { crashRun } from "../crash/crash-run.js";
import { filePlace, postgresPlace } from "../crash/journals.js";
import { port } from "./kinds.js";

const dist = path.resolve(process.env.DIST ?? path.join(import.meta.dirname, "../../../dist"));
const kills = 6;
const seed = Date.now() % 1_000_000;

test("the package is built", () => {
  expect(existsSync(path.join(dist, "database/journal/door.js")), `run npm run build first: ${dist}`).toBe(true);
});

test(`a file journal, killed ${kills} times (seed ${seed})`, { timeout: 300_000 }, async () => {
  const { journal, remove } = await filePlace();
  try {
    const { violations, ...figures } = await crashRun({ journal, kills, dist, seed });
    expect(violations).toEqual([]);
    expect(figures.kills).toBe(kills);
    expect(figures.requests).toBeGreaterThan(0);
  } finally {
    await remove();
  }
});

if (port !== undefined)
  test(`two processes on one journal in PostgreSQL, killed ${kills} times (seed ${seed})`, {
    timeout: 300_000,
  }, async () => {
    const { journal, remove } = await postgresPlace(Number(port));
    try {
      const { violations, ...figures } = await crashRun({ journal, kills, dist, seed });
      expect(violations).toEqual([]);
      expect(figures.requests).toBeGreaterThan(0);
    } finally {
      await remove();
    }
  });
