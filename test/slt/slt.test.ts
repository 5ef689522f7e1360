/** Every script of this folder on the built-in engine and on PGlite: both must give what the script says. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ScratchpadBackend } from "../../src/backends/backend.js";
import { SqlError } from "../../src/errors/sql-error.js";
import { MemoryBackend } from "../../src/sql.js";
import { emptyPglite } from "../support/pglite.js";
import { readSlt, type SltRecord, shownRows, typeLetters } from "../support/slt.js";

const folder = import.meta.dirname;
const files = readdirSync(folder)
  .filter((file) => file.endsWith(".slt"))
  .sort();

/** What an engine gives for a record, in the form of the script. */
async function answerOf(backend: ScratchpadBackend, record: SltRecord) {
  try {
    const result = await backend.query(record.sql, [], { rowMode: "array" });
    const types = result.fields.map((field) => field.type);
    return { result, types, sqlstate: undefined };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return { error: `${error.code} ${error.message}`, sqlstate: error.code };
  }
}

type Answer = Awaited<ReturnType<typeof answerOf>>;

/** What the script says of the record, and the same of an answer. */
function compared(record: SltRecord, answer: Answer): { wanted: unknown; given: unknown } {
  if (record.kind === "query") {
    const wanted = { types: record.types, rows: record.rows };
    if (answer.result === undefined) return { wanted, given: answer.error };
    const rows = shownRows(answer.result.rows as unknown[][], record.sort);
    return { wanted, given: { types: typeLetters(answer.types), rows } };
  }
  switch (record.expect) {
    case "ok":
      return { wanted: "ok", given: answer.error ?? "ok" };
    case "count":
      return { wanted: record.count, given: answer.error ?? answer.result?.rowCount };
    case "error": {
      const given = answer.error ?? "no error";
      return { wanted: record.sqlstate, given: answer.sqlstate === record.sqlstate ? answer.sqlstate : given };
    }
  }
}

describe.each(files)("%s", (file) => {
  const engines: { name: string; backend: ScratchpadBackend }[] = [];

  beforeAll(async () => {
    engines.push({ name: "builtin", backend: await MemoryBackend.create() });
    engines.push({ name: "pglite", backend: await emptyPglite() });
  });

  afterAll(async () => {
    await engines[0].backend.close();
  });

  test.each(
    readSlt(readFileSync(path.join(folder, file), "utf8")).map((record) => ({ ...record, title: titleOf(record) })),
  )("$title", async (record) => {
    const answers: { name: string; answer: Answer }[] = [];
    for (const { name, backend } of engines) {
      if (record.skipIf.includes(name) || (record.onlyIf.length > 0 && !record.onlyIf.includes(name))) continue;
      answers.push({ name, answer: await answerOf(backend, record) });
    }
    expect(answers.length).toBeGreaterThan(0);
    for (const { name, answer } of answers) {
      const { wanted, given } = compared(record, answer);
      expect(given, name).toEqual(wanted);
    }
    const [first, second] = answers;
    if (second !== undefined) expect(first.answer.types, "types of both").toEqual(second.answer.types);
  });
});

function titleOf(record: SltRecord): string {
  const sql = record.sql.replaceAll("\n", " ");
  return `line ${record.line}: ${sql.length > 100 ? `${sql.slice(0, 100)}…` : sql}`;
}
