/** Aggregates against recorded answers of a PostgreSQL 15 server, and over frames that move. */
import { describe, expect, test } from "vitest";
import { SqlError } from "../../src/errors/sql-error.js";
import type { AggregateFunction } from "../../src/functions/function.js";
import { functionsNamed } from "../../src/functions/registry.js";
import { types } from "../../src/types/type.js";
import { aggregateSql, evaluateAggregate, movingFrames, readAggregateAnswers } from "../support/aggregate-answers.js";
import { testSession } from "../support/call-function.js";

const answers = readAggregateAnswers("functions/data/aggregates.json");

test.each([...new Set(answers.map((answer) => answer.name))])("%s", (name) => {
  for (const answer of answers.filter((each) => each.name === name)) {
    const sql = aggregateSql(answer);
    try {
      const { type, text } = evaluateAggregate(answer);
      expect({ sql, type, text }).toEqual({ sql, type: answer.type, text: answer.text });
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      expect({ sql, error: `${error.code} ${error.message}` }).toEqual({ sql, error: answer.error });
    }
  }
});

describe("a moving frame gives what a fresh one gives", () => {
  test.each([
    { name: "count", types: ["integer"], values: ["1", null, "3", "4"] },
    { name: "sum", types: ["integer"], values: ["1", "2147483647", "2147483647", "-5", "3"] },
    { name: "sum", types: ["bigint"], values: ["9223372036854775807", "9223372036854775807", "-1", "2", "3"] },
    { name: "avg", types: ["integer"], values: ["1", "2", "2", "9"] },
    { name: "sum", types: ["numeric"], values: ["1.5", "2.25", "3", "NaN", "4", "5", "6.125"] },
    { name: "avg", types: ["numeric"], values: ["1.5", "2", "Infinity", "4", "-Infinity", "7", "8"] },
    { name: "variance", types: ["numeric"], values: ["1.5", "2", "3", "4", "7"] },
    { name: "stddev", types: ["integer"], values: ["1", "2", "3", "9", "9"] },
    { name: "bool_and", types: ["boolean"], values: ["t", "t", "f", "t", "t"] },
    { name: "sum", types: ["interval"], values: ["1 day", "2 hours", "1 month"] },
    { name: "string_agg", types: ["text"], values: ["a", "b", "c"] },
  ])("$name over $types", ({ name, types: argTypes, values }) => {
    const columns = name === "string_agg" ? ["text", "text"] : argTypes;
    const rows = values.map((value) => (name === "string_agg" ? [value, ","] : [value]));
    const { moved, fresh } = movingFrames({ name, types: columns, rows }, 2);
    expect(moved).toEqual(fresh);
  });
});

describe("hypothetical-set aggregates", () => {
  /** Values 1, 1, 2, 3 in ascending order, told as the engine does; the answers are those of PostgreSQL for these rows. */
  test.each([
    { name: "rank", hypothetical: 2, expected: 3 },
    { name: "dense_rank", hypothetical: 2, expected: 2 },
    { name: "percent_rank", hypothetical: 2, expected: 0.5 },
    { name: "cume_dist", hypothetical: 2, expected: 0.8 },
    { name: "rank", hypothetical: 0, expected: 1 },
    { name: "dense_rank", hypothetical: 9, expected: 4 },
    { name: "cume_dist", hypothetical: 0, expected: 0.2 },
  ])("$name($hypothetical)", ({ name, hypothetical, expected }) => {
    const entry = functionsNamed(name).find((candidate) => candidate.kind === "aggregate") as AggregateFunction;
    const accumulator = entry.create({ argTypes: [types.int4], resultType: types.int8, session: testSession });
    const values = [1, 1, 2, 3];
    let state = accumulator.init();
    values.forEach((value, i) => {
      state = accumulator.step(state, value - hypothetical, i === 0 || values[i - 1] !== value);
    });
    expect(accumulator.final(state)).toBe(expected);
  });
});
