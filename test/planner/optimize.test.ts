/** The list of rules as a whole: its steps, its guards, and plans that are too deep for recursion. */
import { describe, expect, test } from "vitest";
import { optimize } from "../../src/planner/optimize.js";
import { type LogicalPlan, outputOf } from "../../src/planner/plan.js";
import type { Rule, WholePlanRule } from "../../src/planner/rule.js";
import { explained, planOf } from "./support/plan-world.js";

test("steps name the rules that changed the plan, in order", () => {
  const steps: string[] = [];
  optimize(planOf("SELECT p.id FROM pr p WHERE 1 = 1 AND EXISTS (SELECT 1 FROM review r WHERE r.pr = p.id)"), (step) =>
    steps.push(step.rule),
  );
  expect(steps).toEqual(["fold-constants", "decorrelate-subqueries", "prune-projections", "bind-arguments"]);
});

test("a plan is the same object when no rule has anything to do", () => {
  const plan = optimize(planOf("SELECT id FROM team"));
  expect(optimize(plan)).toBe(plan);
});

describe("guards", () => {
  test("a rule that loses a column is refused", () => {
    const lossy: WholePlanRule = {
      name: "lossy",
      rewriteWhole: (plan) => ({ kind: "Empty", columns: outputOf(plan).slice(1) }),
    };
    expect(() => optimize(planOf("SELECT id, title FROM pr"), undefined, [lossy])).toThrow(
      "rule lossy changed the columns of the plan",
    );
  });

  test("a rule that runs in circles is stopped", () => {
    const circular: Rule = { name: "circular", rewrite: (plan): LogicalPlan => ({ ...plan }) };
    expect(() => optimize(planOf("SELECT id FROM pr"), undefined, [circular])).toThrow(
      "rule circular does not come to an end",
    );
  });
});

describe("long plans", () => {
  const union = (operator: string) =>
    Array.from({ length: 2_000 }, (_, i) => `SELECT ${i} AS k, title FROM pr`).join(` ${operator} `);

  test("of thousands of UNION ALL, those that a constant rules out go", () => {
    expect(explained(`SELECT title FROM (${union("UNION ALL")}) q WHERE k = 1999`)).toBe("Resource Scan on pr");
  });

  test.each(["UNION ALL", "UNION", "EXCEPT"])("thousands of %s are no depth of recursion", (operator) => {
    const plan = planOf(`SELECT title FROM (${union(operator)}) q WHERE title IN (SELECT author FROM pr)`);
    expect(outputOf(optimize(plan))).toEqual(outputOf(plan));
  });

  test.each([200, 2_000])("a chain of %i CTEs, each of which reads the one before, is inlined or too deep", (n) => {
    const chain = Array.from({ length: n }, (_, i) =>
      i === 0 ? "c0 AS (SELECT id AS x FROM pr)" : `c${i} AS (SELECT x + 1 AS x FROM c${i - 1})`,
    );
    const sql = `WITH ${chain.join(", ")} SELECT x FROM c${n - 1}`;
    let answer: unknown;
    try {
      answer = explained(sql);
    } catch (error) {
      answer = (error as { code?: string }).code;
    }
    expect(["Resource Scan on pr", "54001"]).toContain(answer);
    if (n === 200) expect(answer).not.toBe("54001"); // PostgreSQL's stack goes further than that
  });

  test.each([
    { name: "read by none", ctes: "a AS (SELECT id FROM pr), b AS (SELECT id FROM a)", kept: "" },
    {
      name: "read twice through one that is read once",
      ctes: "a AS (SELECT id FROM pr), b AS (SELECT a.id FROM a, a AS z)",
      main: "b",
      kept: "CTE a",
    },
    {
      name: "read by one that is dropped and one that is not",
      ctes: "a AS (SELECT id FROM pr), b AS (SELECT id FROM a), c AS (SELECT id FROM a)",
      main: "c",
      kept: "",
    },
    {
      name: "materialized between two that are not",
      ctes: "a AS (SELECT id FROM pr), b AS MATERIALIZED (SELECT id FROM a), c AS (SELECT id FROM b)",
      main: "c",
      kept: "CTE b",
    },
    {
      name: "read once by a recursive one",
      ctes: "RECURSIVE a AS (SELECT id FROM pr), r AS (SELECT id FROM a UNION ALL SELECT id + 1 FROM r WHERE id < 3)",
      main: "r",
      kept: "CTE r",
    },
  ])("CTEs: $name", ({ ctes, main, kept }) => {
    const text = explained(`WITH ${ctes} SELECT * FROM ${main ?? "pr"}`);
    expect(text.match(/CTE \w+$/gm)?.join(", ") ?? "").toBe(kept);
  });

  test("a join of many tables follows what connects them", () => {
    const tables = Array.from({ length: 30 }, (_, i) => `team t${(i * 7) % 30}`).join(", ");
    const links = Array.from({ length: 29 }, (_, i) => `t${i}.id = t${i + 1}.id`).join(" AND ");
    expect(explained(`SELECT 1 FROM ${tables} WHERE ${links}`)).not.toContain("Nested Loop");
  });
});
