/**
 * Decides whether an UPDATE or DELETE can go straight to its calls: where WHERE is nothing but equalities on the table's
 * key and SET is constant, the rows need not be read to know which call to make.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { Expr } from "./expr.js";
import type { LogicalPlan, Merge, Scan, Write } from "./plan.js";
import { bindingsIn } from "./rules/equalities.js";
import { refuseServiceGiven } from "./service-given.js";
import { columnsOf, conjunctsOf, plansWithin, someExpression } from "./visit.js";

/**
 * Ids of the scans whose rows are made of the statement's own key values.
 * @throws SqlError 42501 for an UPDATE or DELETE of all rows that the policy does not allow; 55000 when the table cannot be
 *   read and the WHERE says more than equalities
 */
export function directScans(plan: LogicalPlan, policy: { readonly unboundedWrites?: boolean }): ReadonlySet<number> {
  const direct = new Set<number>();
  for (const node of plansWithin(plan)) {
    if (node.kind === "Merge" && policy.unboundedWrites !== true && isUnboundedMerge(node)) throw unboundedMerge(node);
    if (node.kind !== "Write" || node.op === "insert" || node.targetScan === undefined) continue;
    if (node.table.kind !== "resource") continue;
    if (policy.unboundedWrites !== true && isUnbounded(node)) throw unbounded(node);
    const { scan, conditions } = target(node);
    const readable = node.table.verbs.includes("select");
    if (scan !== undefined && conditions !== undefined && isDirect(node, scan, conditions)) {
      if (returnsKnown(node, scan, conditions)) {
        direct.add(scan.id);
        continue;
      }
      const found = readable && identityOf(node).length > 0;
      if (!found && (readable || node.op === "delete")) throw unknownReturned(node);
      if (!found) direct.add(scan.id); // what UPDATE's verb answers is all there is to return
    } else if (!readable) throw unreadable(node);
  }
  refuseServiceGiven(plan, direct, knownSources);
  return direct;
}

/** Of a write that reads nothing: its key columns, and what it sets. */
function knownSources(node: Write): ReadonlySet<number> {
  const { scan, conditions } = target(node);
  const bound = scan === undefined || conditions === undefined ? [] : boundSources(scan, conditions);
  return new Set([...bound, ...(node.op === "update" ? node.targets : [])]);
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

/** Whether nothing says which of the table's rows are meant: no WHERE, or one like `WHERE true`. */
function isUnbounded(node: Write | Merge): boolean {
  const plans = plansWithin(node.input);
  const scan = plans.find((plan): plan is Scan => plan.kind === "Scan" && plan.id === node.targetScan);
  if (scan === undefined) return false; // the condition can't be true, and the table is not read
  const own = new Set(scan.columns.map((item) => item.column.id));
  return !plans.some((plan) => {
    const condition = plan.kind === "Filter" || plan.kind === "Join" ? plan.condition : undefined;
    return condition !== undefined && [...columnsOf(condition)].some((id) => own.has(id));
  });
}

/** Whether a MERGE may change or remove rows whatever the source says: nothing of them stands in ON or WHEN. */
function isUnboundedMerge(node: Merge): boolean {
  const changes = node.actions.filter(({ action }) => action === "update" || action === "delete");
  if (node.table.kind !== "resource" || !isUnbounded(node)) return false;
  return changes.some(({ condition }) => condition === undefined);
}

/** Whether RETURNING asks for nothing but the key and what is set; anything else has to be read. */
function returnsKnown(node: Write, scan: Scan, conditions: readonly Expr[]): boolean {
  const known = new Set([...boundSources(scan, conditions), ...(node.op === "update" ? node.targets : [])]);
  const unknown = new Set(node.rowColumns.filter((_, source) => !known.has(source)).map((column) => column.id));
  return !(node.returning ?? []).some(({ expr }) => [...columnsOf(expr)].some((id) => unknown.has(id)));
}

/** The columns that conditions of a direct write bind. */
function boundSources(scan: Scan, conditions: readonly Expr[]): number[] {
  return conditions.flatMap((condition) =>
    bindingsIn(condition, scan).flatMap((binding) => (binding.kind === "list" ? binding.sources : [])),
  );
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
  const identity = identityOf(node);
  const names = [...bound].map((source) => node.table.columns[source].name);
  const isKey =
    identity.length === 0 || (identity.length === names.length && identity.every((key) => names.includes(key)));
  return isKey && (node.assignments ?? []).every(isConstant);
}

/** The columns that tell which row is meant. */
function identityOf({ table }: Write): readonly string[] {
  return table.primaryKey.length > 0 ? table.primaryKey : table.kind === "resource" ? table.keys : [];
}

function isConstant(expr: Expr): boolean {
  return columnsOf(expr).size === 0 && !someExpression(expr, (part) => part.kind === "Subquery");
}

function unknownReturned(node: Write): SqlError {
  return new SqlError(
    sqlstate.objectNotInPrerequisiteState,
    `${node.op.toUpperCase()} on "${node.table.name}" can return only what the statement itself says`,
    {
      position: node.position,
      detail: node.table.verbs.includes("select")
        ? "The table has no primary key to find the rows by."
        : "The table cannot be read.",
      hint: "Return the columns of the WHERE clause, or leave RETURNING out.",
    },
  );
}

function unbounded(node: Write): SqlError {
  const verb = node.op.toUpperCase();
  return new SqlError(sqlstate.insufficientPrivilege, `${verb} without WHERE is not allowed`, {
    position: node.position,
    hint: `Say which rows: ${verb} … WHERE …. Only the host can allow it for all rows (policy: { unboundedWrites: true }).`,
  });
}

function unboundedMerge(node: Merge): SqlError {
  return new SqlError(
    sqlstate.insufficientPrivilege,
    "MERGE whose ON says nothing of the table's rows is not allowed",
    {
      position: node.position,
      hint: "Join the table by its key: ON target.key = source.key. Only the host can allow all rows (policy: { unboundedWrites: true }).",
    },
  );
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
