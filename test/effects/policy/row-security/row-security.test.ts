/**
 * Row filters against PostgreSQL's row-level security with the same conditions: rows, tags, refusals, and what is in the
 * tables afterwards. Its answers are recorded in `answers.json`; a running PostgreSQL (SCRATCHPAD_TEST_PG: its port) is asked
 * again.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reads, type Statement, statements } from "./statements.js";
import { type Answer, answerHere, RowSecurity } from "./world.js";

const recorded = JSON.parse(readFileSync(new URL("answers.json", import.meta.url), "utf8")) as [
  string | null,
  string,
  Answer,
][];

function recordedFor({ actor, sql }: Statement): Answer {
  const found = recorded.find(([who, text]) => who === actor && text === sql);
  if (found === undefined) throw new Error(`not recorded: ${sql}`);
  return found[2];
}

test.each(statements.map((statement) => [statement.actor, statement.sql, statement] as const))(
  "%s: %s",
  async (_actor, _sql, statement) => {
    const { answer } = await answerHere(statement);
    expect(answer).toEqual(recordedFor(statement));
  },
);

test("most statements are answered, and enough are refused", () => {
  const refused = statements.map(recordedFor).filter((answer) => "code" in answer);
  expect(statements.length).toBeGreaterThan(100);
  expect(refused.length).toBeGreaterThan(10);
  expect(refused.length).toBeLessThan(statements.length / 3);
});

test("a filter that is an equality is an argument of every call", async () => {
  for (const statement of reads) {
    const { reads: made } = await answerHere(statement);
    for (const call of made.filter((text) => text.startsWith("docs(") || text.startsWith("mail(")))
      expect(call).toMatch(/^docs\(.*owner=|^mail\(.*box=/);
    if (statement.actor === null) expect(made.filter((text) => /^(docs|mail)\(/.test(text))).toEqual([]);
  }
});

const port = process.env.SCRATCHPAD_TEST_PG;

describe.runIf(port !== undefined)("a running PostgreSQL answers as recorded", () => {
  let oracle: RowSecurity;
  beforeAll(async () => {
    oracle = await RowSecurity.open(Number(port));
  });
  afterAll(() => oracle.close());

  test("all statements", async () => {
    for (const statement of statements)
      expect({ statement, answer: await oracle.answer(statement) }).toEqual({
        statement,
        answer: recordedFor(statement),
      });
  });
});
