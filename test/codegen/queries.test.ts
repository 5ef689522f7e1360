/** Named statements: files of SQL become typed functions and snapshots of plans, and what is wrong with them is told with its place. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { generate } from "../../src/codegen/generate.js";
import { ManifestError } from "../../src/codegen/manifest/model.js";
import { compareGenerated, writeGenerated } from "../../src/codegen/write-generated.js";

const folder = path.join(import.meta.dirname, "queries");
const manifests = path.join(folder, "manifests");
const manifest = readFileSync(path.join(manifests, "hub.yaml"), "utf8");

/** The files that are made of statements. */
function ofStatements(files: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...files].filter(([name]) => name === "queries.ts" || name.startsWith("__plans__/")));
}

function temporaryFolder(files: Readonly<Record<string, string>>): string {
  const made = mkdtempSync(path.join(tmpdir(), "queries-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(made, name), text);
  return made;
}

async function problemsOf(sql: string | Readonly<Record<string, string>>): Promise<string> {
  const files = typeof sql === "string" ? { "a.sql": sql } : sql;
  try {
    await generate(temporaryFolder({ "hub.yaml": manifest, ...files }));
  } catch (error) {
    if (error instanceof ManifestError) return error.message;
    throw error;
  }
  return "no problem";
}

test("statements become functions and plans", async () => {
  const files = ofStatements((await generate(manifests)).files);
  for (const [name, text] of files) await expect(text).toMatchFileSnapshot(path.join(folder, "expected", name));
  const expected = readdirSync(path.join(folder, "expected"), { recursive: true, withFileTypes: true });
  expect(expected.filter((entry) => entry.isFile())).toHaveLength(files.size);
});

test("the same statements give the same bytes, in any order of files", async () => {
  const sql = readFileSync(path.join(manifests, "hub.sql"), "utf8");
  const [first, second] = [
    temporaryFolder({ "hub.yaml": manifest, "hub.sql": sql }),
    temporaryFolder({ "hub.sql": sql, "hub.yaml": manifest }),
  ];
  expect([...(await generate(first)).files]).toEqual([...(await generate(second)).files]);
});

test("a plan that changed, is missing or has no statement any more is stale", async () => {
  const { files } = await generate(manifests);
  const out = temporaryFolder({});
  await writeGenerated(out, files);
  expect(await compareGenerated(out, files)).toEqual({ changed: [], missing: [], extra: [] });
  writeFileSync(path.join(out, "__plans__/counts.txt"), `${files.get("__plans__/counts.txt")}Limit`);
  const fewer = new Map([...files].filter(([name]) => name !== "__plans__/dropPr.txt"));
  fewer.set("__plans__/other.txt", "x");
  expect(await compareGenerated(out, fewer)).toEqual({
    changed: ["__plans__/counts.txt"],
    missing: ["__plans__/other.txt"],
    extra: ["__plans__/dropPr.txt"],
  });
});

test("the index has the functions; a folder without statements has no file of them", async () => {
  const { files } = await generate(manifests);
  expect(files.get("index.ts")).toContain('export * from "./queries.js";');
  const without = await generate(temporaryFolder({ "hub.yaml": manifest }));
  expect(without.files.has("queries.ts")).toBe(false);
  expect(without.files.get("index.ts")).not.toContain("queries");
});

describe("what is wrong is told with its place", () => {
  test.each([
    {
      name: "an unknown column",
      sql: "-- name: a :many\nSELECT number,\n  titel\nFROM hub_pr WHERE repo = $1",
      says: 'a.sql:3:3: column "titel" does not exist\n  hint: Perhaps you meant to reference the column "hub_pr.title".',
    },
    {
      name: "an unknown table",
      sql: "-- name: a :many\n\tSELECT 1 FROM hub_prs",
      says: 'a.sql:2:16: relation "hub_prs" does not exist\n  hint: Perhaps you meant the table "hub_pr".',
    },
    {
      name: "an operator that is not there",
      sql: "-- name: a :many\nSELECT 1 FROM hub_pr WHERE repo = $1 AND number = title",
      says: "a.sql:2:49: operator does not exist: bigint = text\n  hint: No operator matches the given name and argument types. You might need to add explicit type casts.",
    },
    {
      name: "a constant that is no label",
      sql: "-- name: a :many\nSELECT 1 FROM hub_pr WHERE repo = $1 AND state = 'opened'",
      says: 'a.sql:2:50: invalid label "opened" for column "state"',
    },
    {
      name: "a required key without a value",
      sql: "-- name: a :many\nSELECT number FROM hub_pr",
      says: 'a.sql:2:20: table "hub_pr" needs a value for "repo"',
    },
    {
      name: "a syntax error",
      sql: "-- name: a :many\nSELECT number FORM hub_pr",
      says: 'a.sql:2:20: syntax error at or near "hub_pr"',
    },
    {
      name: "a text that does not end",
      sql: "-- name: a :many\nSELECT 'abc\n-- name: b :many\nSELECT 1",
      says: "a.sql:2:8: unterminated quoted string",
    },
    {
      name: "a parameter without a type",
      sql: "-- name: a :many\nSELECT $1 IS NULL AS a",
      says: "a.sql:2:8: could not determine data type of parameter $1",
    },
    {
      name: "a constant that fails",
      sql: "-- name: a :many\nSELECT 1 / 0 AS a",
      says: "a.sql:2:8: division by zero",
    },
    {
      name: "two statements of one name, over files",
      sql: { "a.sql": "-- name: a :many\nSELECT 1", "b.sql": "\n-- name: A :one\nSELECT 2" },
      says: 'b.sql:2:1: there is a statement "a" already (a.sql:1)\n  hint: Give one of them another name.',
    },
    {
      name: "two statements under one name",
      sql: "-- name: a :many\nSELECT 1;\nSELECT 2",
      says: "a.sql:3:1: there is a second statement under one name\n  hint: Give it a name of its own: -- name: …",
    },
    {
      name: "a statement without a name",
      sql: "SELECT 1;\n-- name: a :many\nSELECT 2",
      says: "a.sql:1:1: the statement has no name\n  hint: Write a line above it: -- name: openPrs :many",
    },
    {
      name: "a name without a statement",
      sql: "-- name: a :many\n-- name: b :many\nSELECT 2",
      says: 'a.sql:1:1: the statement "a" is empty',
    },
    {
      name: "an unknown form",
      sql: "-- name: a :all\nSELECT 2",
      says: 'a.sql:1:1: ":all" is not known\n  hint: Write :many for all rows, :one for exactly one, :exec for a write without rows.',
    },
    {
      name: "no form",
      sql: "-- name: a\nSELECT 2",
      says: 'a.sql:1:1: "a" does not say what it gives',
    },
    {
      name: "a name that is none",
      sql: "-- name: open-prs :many\nSELECT 2",
      says: 'a.sql:1:1: "open-prs" is no name for a function',
    },
    {
      name: "a word of the language",
      sql: "-- name: delete :many\nSELECT 2",
      says: 'a.sql:1:1: "delete" is a word that no function can have',
    },
    {
      name: "a name of a table's module",
      sql: "-- name: hubPr :many\nSELECT 2",
      says: 'a.sql:1:1: "hubPr" is generated for a table already',
    },
    {
      name: "a name whose row type is taken",
      sql: "-- name: HubPr :many\nSELECT 2",
      says: 'a.sql:1:1: "HubPrRow" is generated for a table already',
    },
    {
      name: "a read for its effect",
      sql: "-- name: a :exec\nSELECT 2",
      says: 'a.sql:1:1: "a" reads, so it is not :exec',
    },
    {
      name: "rows of a write that has none",
      sql: "-- name: a :one\nDELETE FROM hub_pr WHERE repo = $1 AND number = 1",
      says: 'a.sql:1:1: "a" gives no rows, so it is not :one\n  hint: Write :exec, or add RETURNING.',
    },
    {
      name: "too few names of parameters",
      sql: "-- name: a :many\n-- params: repo\nSELECT 1 FROM hub_pr WHERE repo = $1 AND number = $2",
      says: 'a.sql:1:1: "a" has 2 parameters, and 1 names for them',
    },
    {
      name: "one name for two parameters",
      sql: "-- name: a :many\n-- params: x, x\nSELECT 1 FROM hub_pr WHERE repo = $1 AND number = $2",
      says: 'a.sql:1:1: two parameters of "a" are called "x"',
    },
    {
      name: "a transaction",
      sql: "-- name: a :exec\nCOMMIT",
      says: "a.sql:1:1: only SELECT, VALUES, INSERT, UPDATE and DELETE can have a name",
    },
    {
      name: "a verb that the table has not",
      sql: "-- name: a :exec\nDELETE FROM hub_review WHERE pr = $1",
      says: 'a.sql:2:13: table "hub_review" cannot be written with DELETE',
    },
    {
      name: "everything at once",
      sql: "-- name: a :many\nSELECT x FROM hub_review;\n-- name: b :nope\nSELECT 1;\n-- name: c :many\nSELECT y FROM hub_review",
      says: 'a.sql:2:8: column "x" does not exist',
    },
  ])("$name", async ({ sql, says }) => expect(`${await problemsOf(sql)}\n`).toContain(says));

  test("all of them", async () => {
    const sql =
      "-- name: a :many\nSELECT x FROM hub_review;\n-- name: b :nope\nSELECT 1;\n-- name: c :many\nSELECT y FROM hub_review";
    expect(
      (await problemsOf(sql))
        .split("\n")
        .filter((line) => line.startsWith("a.sql"))
        .map((line) => line.slice(0, 10)),
    ).toEqual(["a.sql:2:8:", "a.sql:3:1:", "a.sql:6:8:"]);
  });
});
