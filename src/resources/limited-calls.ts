/**
 * Calls that get a LIMIT: how many rows they are asked for, and whether the rows are what the resource has promised. A
 * limit is passed where the resource decides all conditions itself (`exact`). When it brings rows that fail one, those that
 * should stand in their places were cut off, and the answer would be short without a word.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { Expr } from "../planner/expr.js";
import type { LogicalPlan, Scan } from "../planner/plan.js";
import { printExpr } from "../planner/print-expr.js";
import { columnsOf, conjunctsOf } from "../planner/visit.js";
import { types } from "../types/type.js";
import type { Value } from "../types/value.js";
import { valuesPlan } from "./argument-values.js";
import type { ResourceCall } from "./call.js";

type Run = (plan: LogicalPlan) => Promise<readonly (readonly Value[])[]>;

/** Longest text of a value in a message, in characters. */
const maxValueText = 80;

/** Rows that each call of a scan is asked for; `undefined` for all. What LIMIT would not take is left to be refused there. */
export async function rowsWanted(scan: Scan, run: Run): Promise<number | undefined> {
  if (scan.fetchSum === undefined) return scan.fetch;
  const [fetch, skip] = await valuesOf(scan.fetchSum, run);
  if (fetch === undefined || fetch === null) return undefined; // LIMIT NULL is no limit
  const counts = [Number(fetch), Number(skip ?? 0)];
  const total = counts[0] + counts[1];
  return counts.every((count) => count >= 0) && Number.isSafeInteger(total) ? total : undefined;
}

async function valuesOf(exprs: readonly Expr[], run: Run): Promise<readonly Value[]> {
  try {
    return (await run(valuesPlan([exprs])))[0];
  } catch (error) {
    if (error instanceof SqlError && /^2[12]/.test(error.code)) return [];
    throw error;
  }
}

/**
 * To be asked when a call gave as many rows as its limit: of fewer, none is missing.
 * @param run evaluates a plan over the rows of all calls of the scan
 * @param isShown whether the statement may see all rows as they are: only then errors quote their values
 * @throws SqlError HV000 for a row that fails a condition which the resource has said it decides
 */
export async function checkExact(
  scan: Scan,
  calls: readonly ResourceCall[],
  run: Run,
  isShown: boolean,
): Promise<void> {
  const limit = calls[0]?.limit;
  if (scan.exactFilter === undefined || limit === undefined) return;
  for (const condition of conjunctsOf(scan.exactFilter)) {
    const fails: Expr = { kind: "BooleanTest", type: types.bool, input: condition, test: "true", negated: true };
    const [row] = await run({ kind: "Filter", input: scan, condition: fails });
    if (row !== undefined) throw refusal(scan, condition, isShown ? row : undefined, limit);
  }
}

/** The error of a full call that gave rows of another call's key: they stand in the places of rows that it should have given. */
export function foreignRows({ table, limit }: ResourceCall): SqlError {
  return new SqlError(
    sqlstate.fdwError,
    `resource "${table.name}" gave rows with a key that the call did not ask for`,
    {
      detail: `The call was limited to ${limit} rows on the word that the resource decides its keys exactly, so rows that it was asked for may be missing.`,
      hint: `Take "exact" away from the keys of the resource, or let its service compare as PostgreSQL does.`,
    },
  );
}

function refusal(scan: Scan, condition: Expr, row: readonly Value[] | undefined, limit: number): SqlError {
  const own = columnsOf(condition);
  const shown = scan.columns.flatMap(({ column }, i) =>
    own.has(column.id) ? [[column.name, row?.[i] ?? null] as const] : [],
  );
  const columns = shown.map(([name]) => `"${name}"`).join(", ");
  const values = shown.map(([name, value]) => `${name} = ${valueText(value)}`).join(", ");
  const rowText = row === undefined ? "" : `The row has ${values}. `;
  return new SqlError(
    sqlstate.fdwError,
    `resource "${scan.table.name}" gave a row that does not fulfil ${printExpr(condition)}`,
    {
      position: scan.position,
      detail: `${rowText}The call was limited to ${limit} rows on the word that the resource decides the condition exactly, so rows that fulfil it may be missing.`,
      hint: `Take "exact" away from ${columns} of the resource, or let its service compare as PostgreSQL does.`,
    },
  );
}

function valueText(value: Value): string {
  const text = value === null ? "NULL" : typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > maxValueText ? `${text.slice(0, maxValueText)}…` : text;
}
