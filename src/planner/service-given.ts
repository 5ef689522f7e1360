/**
 * All effects of a statement are made before the first is sent. So no write of a statement can be made of what only the
 * service can say about another one: the key that it makes up for an inserted row, the rest of a row that was written
 * without being read.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { LogicalPlan, With, Write } from "./plan.js";
import { outputOf } from "./plan.js";
import { columnsOf, expressionsOf, isWrite, mentions, plansWithin, somePlan } from "./visit.js";

/**
 * @param direct scans of writes that read nothing
 * @param known of such a scan, the columns (indexes) that the statement itself says
 * @throws SqlError 0A000 for a write that reads such a column of another write of the statement
 */
export function refuseServiceGiven(
  plan: LogicalPlan,
  direct: ReadonlySet<number>,
  known: (write: Write) => ReadonlySet<number>,
): void {
  for (const node of plansWithin(plan)) {
    if (node.kind === "With" && node.ctes.some((cte) => somePlan(cte.plan, isWrite))) check(node, direct, known);
  }
}

function check(plan: With, direct: ReadonlySet<number>, known: (write: Write) => ReadonlySet<number>): void {
  /** By CTE: which of its columns (positions) are made of such values, and the table that they come from. */
  const given = new Map<number, { readonly positions: ReadonlySet<number>; readonly write: Write }>();
  const source = (part: LogicalPlan): { ids: ReadonlySet<number>; write: Write | undefined } => {
    const ids = new Set<number>();
    let write: Write | undefined;
    for (const node of plansWithin(part)) {
      const found = node.kind === "CteScan" ? given.get(node.cte) : undefined;
      if (node.kind !== "CteScan" || found === undefined) continue;
      for (const position of found.positions) ids.add(node.columns[position].id);
      write = found.write;
    }
    return { ids, write };
  };
  const isMentioned = (part: LogicalPlan, ids: ReadonlySet<number>) =>
    ids.size > 0 && somePlan(part, (node) => mentionsAny(node, ids));

  for (const cte of plan.ctes) {
    const { ids, write } = source(cte.plan);
    const writes = plansWithin(cte.plan).filter(isWrite);
    if (write !== undefined && writes.length > 0 && isMentioned(cte.plan, ids)) throw serviceGiven(write, writes[0]);
    const own = writes.find((node): node is Write => node.kind === "Write" && node.table.kind === "resource");
    if (own !== undefined) {
      const positions = unsaidPositions(own, direct, known);
      if (positions.size > 0) given.set(cte.id, { positions, write: own });
      continue;
    }
    const term = cte.recursive?.term;
    const all = term === undefined ? [cte.plan] : [cte.plan, term];
    const inTerm = term === undefined ? undefined : source(term);
    const from = write ?? inTerm?.write;
    if (from === undefined || !all.some((part) => isMentioned(part, new Set([...ids, ...(inTerm?.ids ?? [])]))))
      continue;
    given.set(cte.id, { positions: new Set(outputOf(cte.plan).map((_, i) => i)), write: from });
  }
  const main = plansWithin(plan.input).filter(isWrite);
  const { ids, write } = source(plan.input);
  if (write !== undefined && main.length > 0 && isMentioned(plan.input, ids)) throw serviceGiven(write, main[0]);
}

/** Whether the node's own expressions, or columns that it matches by position, mention one of the columns. */
function mentionsAny(node: LogicalPlan, ids: ReadonlySet<number>): boolean {
  if (node.kind === "CteScan") return false;
  if (expressionsOf(node).some((expr) => mentions(expr, ids))) return true;
  const byPosition = node.kind === "SetOperation" || node.kind === "Distinct" || isWrite(node);
  return byPosition && inputColumns(node).some((id) => ids.has(id));
}

function inputColumns(node: LogicalPlan): readonly number[] {
  if (node.kind === "SetOperation") return [...outputOf(node.left), ...outputOf(node.right)].map(({ id }) => id);
  if (node.kind === "Distinct") return outputOf(node.input).map(({ id }) => id);
  return node.kind === "Write" && node.op === "insert" ? outputOf(node.input).map(({ id }) => id) : [];
}

/** Which items of a RETURNING mention a column that the statement does not say itself. */
function unsaidPositions(
  write: Write,
  direct: ReadonlySet<number>,
  known: (write: Write) => ReadonlySet<number>,
): ReadonlySet<number> {
  const unsaid = new Set<number>();
  const left = new Set((write.defaulted ?? []).flat());
  const isDirect = write.targetScan !== undefined && direct.has(write.targetScan);
  const said = isDirect ? known(write) : undefined;
  write.rowColumns.forEach((column, source) => {
    const isUnsaid =
      write.op === "insert" ? !write.targets.includes(source) || left.has(source) : said?.has(source) === false;
    if (isUnsaid) unsaid.add(column.id);
  });
  const positions = new Set<number>();
  write.returning?.forEach(({ expr }, i) => {
    if ([...columnsOf(expr)].some((id) => unsaid.has(id))) positions.add(i);
  });
  return positions;
}

function serviceGiven(from: Write, into: LogicalPlan): SqlError {
  const table = isWrite(into) && (into.kind === "Write" || into.kind === "Merge") ? into.table.name : "";
  return new SqlError(
    sqlstate.featureNotSupported,
    `a write to "${table}" can't be made of what only the service of "${from.table.name}" can say`,
    {
      position: from.position,
      detail: `Nothing of a statement is sent before all of it has been worked out, and ${from.op.toUpperCase()} leaves columns of RETURNING to the service.`,
      hint: `Send the ${from.op.toUpperCase()} on its own with RETURNING, and use the values that it gives in the next statement.`,
    },
  );
}
