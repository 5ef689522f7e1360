/** Every statement of the table: exactly the calls that it needs, in the right waves, and PostgreSQL's rows. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/index.js";
import { federation } from "./fixture.js";
import { type Answer, Oracle } from "./oracle.js";
import { type Step, stepsOf } from "./statements/statement.js";
import { statements } from "./statements.js";

const recorded: Readonly<Record<string, readonly Answer[]>> = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "rows.json"), "utf8"),
);

/** SCRATCHPAD_TEST_PG is the port of a PostgreSQL 15 on 127.0.0.1; without one the recorded answers are the judge. */
const port = process.env.SCRATCHPAD_TEST_PG;
let oracle: Oracle | undefined;

beforeAll(async () => {
  if (port !== undefined) oracle = await Oracle.open(Number(port));
});
afterAll(async () => {
  await oracle?.close();
});

describe.each(Object.entries(statements))("%s", (_, group) => {
  test.each(group)("$name", async (statement) => {
    const answers = recorded[statement.name];
    if (oracle !== undefined) expect(await oracle.answers(stepsOf(statement)), "recorded rows").toEqual(answers);
    const world = await federation(statement.options);
    for (const [i, step] of stepsOf(statement).entries()) {
      const got = await outcome(world.db, step);
      const calls = world.take();
      expect({ ...got, calls, pages: world.pages.splice(0).sort() }, step.sql).toEqual({
        ...expected(step, answers[i], got),
        calls: step.calls,
        pages: step.pages ?? [],
      });
    }
  });
});

test("the table is large enough, and names no statement twice", () => {
  const names = Object.values(statements).flatMap((group) => group.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(150);
  expect(Object.keys(recorded)).toEqual(names);
});

interface Outcome {
  readonly rows?: readonly unknown[];
  readonly code?: string;
  /** Everything that an error says. */
  readonly words?: string;
}

async function outcome(db: Database, { sql, params, ordered }: Step): Promise<Outcome> {
  try {
    const { rows } = await db.execute(sql, { ...(params !== undefined && { params }), limit: 1_000 });
    return {
      rows: inOrder(
        rows.map((row) => Object.values(row)),
        ordered,
      ),
    };
  } catch (error) {
    const { code, message, detail, hint } = error as { code?: string; message: string; detail?: string; hint?: string };
    return { code: code ?? "", words: [message, detail, hint].filter((part) => part !== undefined).join("\n") };
  }
}

/** A failure must be the declared one, and PostgreSQL's where it was asked; rows must be PostgreSQL's. */
function expected({ error, ordered }: Step, answer: Answer, got: Outcome): Outcome {
  if (error !== undefined) {
    const missing = (error.says ?? []).filter((words) => got.words?.includes(words) !== true);
    const code = answer !== null && "code" in answer ? answer.code : error.code;
    return { code, words: missing.length === 0 ? got.words : `… ${missing.join(" … ")} …` };
  }
  if (answer === null) return { rows: got.rows ?? [] };
  return "code" in answer ? { code: answer.code } : { rows: inOrder(answer.rows, ordered) };
}

/** Rows as JSON has them; without an order of their own in that of their text. */
function inOrder(rows: readonly (readonly unknown[])[], ordered: boolean | undefined): readonly unknown[] {
  const plain = rows.map((row) => JSON.stringify(row));
  return ordered === true ? plain : plain.sort();
}
