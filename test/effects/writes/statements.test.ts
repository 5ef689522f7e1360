/**
 * Every statement of the table: exactly its calls, and PostgreSQL's rows, command tag, SQLSTATE and tables afterwards. Then
 * the same in a transaction: nothing before COMMIT, and the same writing calls at it.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type World, world } from "./fixture.js";
import { type Answer, Oracle } from "./oracle.js";
import { isWrite, outcome } from "./outcome.js";
import { asked, statements } from "./statements.js";

const recorded: Readonly<Record<string, Answer>> = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "answers.json"), "utf8"),
);

/** SCRATCHPAD_TEST_PG is the port of a PostgreSQL 15 on 127.0.0.1; without one the recorded answers are the judge. */
const port = process.env.SCRATCHPAD_TEST_PG;
let oracle: Oracle | undefined;
let before: ReturnType<World["state"]>;

beforeAll(async () => {
  if (port !== undefined) oracle = await Oracle.open(Number(port));
  before = (await world()).state();
});
afterAll(async () => {
  await oracle?.close();
});

describe.each(Object.entries(statements))("%s", (group, list) => {
  test.each(list)("$name", async (statement) => {
    const answer = recorded[`${group}: ${statement.name}`];
    if (oracle !== undefined && statement.differs === undefined)
      expect(await oracle.answer(statement), "recorded answer").toEqual(answer);
    const own = await world();
    const { words, ...got } = await outcome(own, statement, before);
    expect({ ...got, calls: own.take() }).toEqual({
      ...(answer ?? (statement.error === undefined ? got : { code: statement.error.code })),
      calls: statement.calls,
    });
    if (statement.error === undefined) return;
    expect(got).toEqual({ code: statement.error.code });
    for (const part of statement.error.says) expect(words).toContain(part);
    expect(own.state()).toEqual(before);
  });

  const staged = list.filter(({ error }) => error === undefined);
  if (staged.length === 0) return;
  test.each(staged)("staged: $name", async (statement) => {
    const direct = await world();
    await outcome(direct, statement, before);
    const own = await world();
    await own.db.execute("BEGIN");
    const { words, ...got } = await outcome(own, statement, before);
    if (statement.unstaged === true) {
      expect(got).toEqual({ code: "0A000" });
      expect(words).toContain("not known before COMMIT");
      expect(own.take().filter(isWrite)).toEqual([]);
      return;
    }
    expect("rows" in got && got.rows).toEqual((recorded[`${group}: ${statement.name}`] as { rows?: unknown }).rows);
    expect(own.take().filter(isWrite)).toEqual([]);
    expect(own.state()).toEqual(before);
    await own.db.execute("COMMIT");
    expect(own.take()).toEqual(statement.calls.filter(isWrite));
    expect(own.state()).toEqual(direct.state());
  });
});

test("the table is large enough, names no statement twice, and has an answer for each", () => {
  const keys = Object.entries(statements).flatMap(([group, list]) => list.map(({ name }) => `${group}: ${name}`));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThanOrEqual(200);
  expect(Object.keys(recorded)).toEqual(asked().map(({ key }) => key));
});
