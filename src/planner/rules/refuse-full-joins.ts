/**
 * Refuses a full join that PostgreSQL has no way to run: one whose condition holds no equality between something of the
 * left side and something of the right one. A condition that is constant is no hindrance.
 *
 * A rule that changes nothing, since the answer depends on what the rules before it make of the plan: a full join whose
 * NULL-extended rows are dropped above is another join by then, and `NOT (a <> b)` an equality. Other operators (`<`,
 * IS NOT DISTINCT FROM, `= ANY`), OR, and an equality within one side do not count; a volatile side does not either.
 * Source: PostgreSQL 15, `select_mergejoin_clauses` and `hash_inner_and_outer` in joinpath.c.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { sameExpr } from "../bind/walk.js";
import type { Expr } from "../expr.js";
import type { Join } from "../plan.js";
import type { WholePlanRule } from "../rule.js";
import { columnsOf, conjunctsOf, idsOf, isVolatile, plansWithin } from "../visit.js";

export const refuseFullJoins: WholePlanRule = {
  name: "refuse-full-joins",
  rewriteWhole(plan) {
    for (const node of plansWithin(plan)) {
      if (node.kind === "Join" && node.type === "full" && !isFeasible(node)) throw notFeasible(node);
    }
    return plan;
  },
};

function isFeasible(join: Join): boolean {
  if (join.left.kind === "Empty" && join.right.kind === "Empty") return true;
  const conjuncts = conjunctsOf(join.condition).filter((conjunct) => !isTrue(conjunct));
  if (conjuncts.length === 0) return true;
  // One that is never true stands for the whole condition.
  if (conjuncts.some((conjunct) => conjunct.kind === "Constant")) return true;
  const left = idsOf(join.left);
  const right = idsOf(join.right);
  return conjuncts.some((conjunct) => joinsSides(conjunct, left, right));
}

function isTrue(expr: Expr): boolean {
  return expr.kind === "Constant" && expr.value === true;
}

function joinsSides(conjunct: Expr, left: ReadonlySet<number>, right: ReadonlySet<number>): boolean {
  if (conjunct.kind === "Or") {
    // What all alternatives demand is taken out of them: `(k AND a) OR (k AND b)`.
    const [first, ...others] = conjunct.args.map(conjunctsOf);
    return first.some(
      (one) => others.every((list) => list.some((other) => sameExpr(one, other))) && joinsSides(one, left, right),
    );
  }
  const sides = equated(conjunct);
  if (sides === undefined || isVolatile(conjunct)) return false;
  const [a, b] = sides;
  if (isTrue(a)) return joinsSides(b, left, right);
  if (isTrue(b)) return joinsSides(a, left, right);
  const first = columnsOf(a);
  const second = columnsOf(b);
  return (
    (within(first, left, right) && within(second, right, left)) ||
    (within(first, right, left) && within(second, left, right))
  );
}

/** The sides of `a = b`, also where it is written `NOT (a <> b)`. */
function equated(expr: Expr): readonly Expr[] | undefined {
  const [call, operator] = expr.kind === "Not" ? [expr.input, "<>"] : [expr, "="];
  return call.kind === "Call" && call.operator === operator && call.args.length === 2 ? call.args : undefined;
}

/** Whether an expression reads one side and nothing of the other. */
function within(ids: ReadonlySet<number>, own: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  const list = [...ids];
  return list.some((id) => own.has(id)) && !list.some((id) => other.has(id));
}

function notFeasible(join: Join): SqlError {
  return new SqlError(
    sqlstate.featureNotSupported,
    "FULL JOIN is only supported with merge-joinable or hash-joinable join conditions",
    {
      position: join.condition?.position,
      hint: "Join ON an equality between columns of both sides, or write LEFT JOIN … UNION ALL the rows of the right side that met none.",
    },
  );
}
