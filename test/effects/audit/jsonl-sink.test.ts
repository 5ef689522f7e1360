/** Records as lines of a file that is turned over when it is full. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jsonlSink } from "../../../src/database/audit/door.js";
import { Database } from "../../../src/index.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "audit-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function linesOf(path: string): Promise<{ sql: string }[]> {
  const text = await readFile(path, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line) as { sql: string });
}

describe("a JSON lines sink", () => {
  test("appends one line a record, in order, to what is there", async () => {
    const path = join(folder, "deep", "audit.jsonl");
    for (let run = 0; run < 2; run++) {
      const db = await Database.create({ audit: jsonlSink({ path, sync: true }) });
      await db.execute(`SELECT ${run} AS "zäh\nlung"`);
      await db.close();
    }
    expect((await linesOf(path)).map((record) => record.sql)).toEqual([
      'SELECT 0 AS "zäh\nlung"',
      'SELECT 1 AS "zäh\nlung"',
    ]);
  });

  test("turns the file over before a line that would not fit, and drops the oldest", async () => {
    const path = join(folder, "audit.jsonl");
    const db = await Database.create({ audit: jsonlSink({ path, maxBytes: 700, maxFiles: 3 }) });
    for (let n = 0; n < 12; n++) await db.execute(`SELECT ${n} AS n`);
    await db.close();
    const files = (await readdir(folder)).sort();
    expect(files).toEqual(["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]);
    const kept = [];
    for (const file of ["audit.jsonl.2", "audit.jsonl.1", "audit.jsonl"])
      kept.push(...(await linesOf(join(folder, file))));
    const numbers = kept.map((record) => Number(record.sql.slice("SELECT ".length).split(" ")[0]));
    expect(numbers.at(-1)).toBe(11);
    expect(numbers).toEqual(numbers.map((_, i) => 12 - numbers.length + i));
    for (const file of files) expect((await readFile(join(folder, file))).length).toBeLessThanOrEqual(700);
  });

  test("a record larger than the file is written whole", async () => {
    const path = join(folder, "audit.jsonl");
    const db = await Database.create({ audit: jsonlSink({ path, maxBytes: 10, maxFiles: 2 }) });
    await db.execute("SELECT 1");
    await db.execute("SELECT 2");
    await db.close();
    expect((await linesOf(path)).map((record) => record.sql)).toEqual(["SELECT 2"]);
    expect((await linesOf(`${path}.1`)).map((record) => record.sql)).toEqual(["SELECT 1"]);
  });

  test("statements of several sessions at once do not mix their lines", async () => {
    const path = join(folder, "audit.jsonl");
    const db = await Database.create({ audit: jsonlSink({ path }) });
    const sessions = Array.from({ length: 20 }, () => db.session());
    await Promise.all(sessions.map((session, n) => session.execute(`SELECT ${n} AS n, repeat('x', ${n * 100}) AS t`)));
    await db.close();
    const numbers = (await linesOf(path)).map((record) => Number(record.sql.slice("SELECT ".length).split(" ")[0]));
    expect(numbers.sort((a, b) => a - b)).toEqual(sessions.map((_, n) => n));
  });

  test("half a line, of a crash or a full disk, does not take the next record with it", async () => {
    const path = join(folder, "audit.jsonl");
    await writeFile(path, '{"kind":"statement","sql":"SELECT 0"}\n{"kind":"sta');
    const db = await Database.create({ audit: jsonlSink({ path }) });
    await db.execute("SELECT 1");
    await db.execute("SELECT 2");
    await db.close();
    const lines = (await readFile(path, "utf8")).split("\n");
    expect(lines[1]).toBe('{"kind":"sta');
    expect(lines.slice(2, -1).map((line) => (JSON.parse(line) as { sql: string }).sql)).toEqual([
      "SELECT 1",
      "SELECT 2",
    ]);
    expect(lines.at(-1)).toBe("");
  });

  test("a folder that can't be made fails the statement", async () => {
    await writeFile(join(folder, "file"), "");
    const db = await Database.create({ audit: jsonlSink({ path: join(folder, "file", "audit.jsonl") }) });
    await expect(db.execute("SELECT 1")).rejects.toMatchObject({ code: "58030" });
  });

  test.each([
    { options: { maxBytes: 0 } },
    { options: { maxBytes: Number.NaN } },
    { options: { maxFiles: 0 } },
    { options: { maxFiles: 1.5 } },
  ])("$options is refused", ({ options }) => {
    expect(() => jsonlSink({ path: "x", ...options })).toThrow(RangeError);
  });
});
