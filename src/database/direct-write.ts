/**
 * Decides whether an UPDATE or DELETE can go straight to its calls: where WHERE is nothing but equalities on the table's
 * key and SET is constant, the rows need not be read to know which call to make.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { Expr } from "../planner/expr.js";
import type { LogicalPlan, Scan, Write } from "../planner/plan.js";
import { bindingsIn } from "../planner/rules/equalities.js";
import { columnsOf, conjunctsOf, plansWithin, someExpression } from "../planner/visit.js";
import type { Policy } from "./types.js";

/**
 * Ids of the scans whose rows are made of the statement's own key values.
 * @throws SqlError 42501 for an UPDATE or DELETE without WHERE that the policy does not allow; 55000 when the table cannot be
 *   read and the WHERE says more than equalities
 */
export function directScans(plan: LogicalPlan, policy: Policy): ReadonlySet<number> {
  const direct = new Set<number>();
  for (const node of plansWithin(plan)) {
    if (node.kind !== "Write" || node.op === "insert" || node.targetScan === undefined) continue;
    if (node.table.kind !== "resource") continue;
    const { scan, conditions } = target(node);
    if (conditions?.length === 0 && policy.unboundedWrites !== true) throw unbounded(node);
    if (scan !== undefined && conditions !== undefined && isDirect(node, scan, conditions)) direct.add(scan.id);
    else if (!node.table.verbs.includes("select")) throw unreadable(node);
  }
  return direct;
}

/** The scan and all conditions on it, when the input is only that; `conditions` is undefined for a larger input. */
function target(node: Write): { scan?: Scan; conditions?: readonly Expr[] } {
  const conditions: Expr[] = [];
  let input = node.input;
  for (;;) {
    if (input.kind === "Filter") {
      conditions.push(...conjunctsOf(input.condition));
      input = input.input;
    } else if (input.kind === "Project" && input.items.every((item) => item.expr.kind === "Column")) {
      input = input.input;
    } else break;
  }
  return input.kind === "Scan" && input.id === node.targetScan ? { scan: input, conditions } : {};
}

function isDirect(node: Write, scan: Scan, conditions: readonly Expr[]): boolean {
  if (conditions.length === 0) return false;
  const bound = new Set<number>();
  for (const condition of conditions) {
    const [binding, ...more] = bindingsIn(condition, scan);
    // One condition, one column: what is bound says all that the condition says.
    if (binding?.kind !== "list" || binding.sources.length !== 1 || more.length > 0 || condition.kind === "Or")
      return false;
    if (bound.has(binding.sources[0])) return false;
    bound.add(binding.sources[0]);
  }
  const { table } = node;
  const identity = table.primaryKey.length > 0 ? table.primaryKey : table.kind === "resource" ? table.keys : [];
  const names = [...bound].map((source) => table.columns[source].name);
  const isKey =
    identity.length === 0 || (identity.length === names.length && identity.every((key) => names.includes(key)));
  return isKey && (node.assignments ?? []).every(isConstant);
}

function isConstant(expr: Expr): boolean {
  return columnsOf(expr).size === 0 && !someExpression(expr, (part) => part.kind === "Subquery");
}

function unbounded(node: Write): SqlError {
  const verb = node.op.toUpperCase();
  return new SqlError(sqlstate.insufficientPrivilege, `${verb} without WHERE is not allowed`, {
    position: node.position,
    hint: `Say which rows: ${verb} … WHERE …. Only the host can allow it for all rows (policy: { unboundedWrites: true }).`,
  });
}

function unreadable(node: Write): SqlError {
  return new SqlError(
    sqlstate.objectNotInPrerequisiteState,
    `table "${node.table.name}" cannot be read to find the rows`,
    {
      position: node.position,
      detail: `It has ${node.table.verbs.map((verb) => verb.toUpperCase()).join(", ")} only.`,
      hint: "Use a WHERE of equalities with constants only: they are passed to the tool as they are, and SET to constants.",
    },
  );
}
