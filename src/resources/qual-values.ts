/**
 * The predicates beyond equality of a scan, with their values: evaluated, converted to the column's type where that is
 * exact, and left out where it is not. A predicate that is left out is only checked later, on the rows.
 */
import { SqlError } from "../errors/sql-error.js";
import type { SessionContext } from "../functions/function.js";
import type { LogicalPlan, PushedQual, Scan } from "../planner/plan.js";
import { outputOf } from "../planner/plan.js";
import { isExactDocument, isPattern, isWholeMilliseconds } from "../planner/rules/quals.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import { exactConversion, toArgument, valuesPlan } from "./argument-values.js";
import { withoutPadding } from "./column-modifier.js";
import type { Qual } from "./resource.js";
import type { RegisteredResource } from "./table-info.js";
import { valueIdentity } from "./value-identity.js";

type Run = (plan: LogicalPlan) => Promise<readonly (readonly Value[])[]>;

/**
 * @returns `undefined` when a value is NULL: the condition is true of no row then
 */
export async function qualValues(scan: Scan, run: Run, session: SessionContext): Promise<readonly Qual[] | undefined> {
  const table = scan.table as RegisteredResource;
  const quals: Qual[] = [];
  const seen = new Set<string>();
  for (const pushed of scan.pushed?.quals ?? []) {
    const { source, operator } = pushed;
    const column = table.columns[source].name;
    let qual: Qual = { column, operator };
    if (pushed.value !== undefined || pushed.query !== undefined) {
      const found = await knownValue(pushed, run);
      if (found === undefined) continue;
      if (found.value === null) return undefined;
      const value = handedOver(found.value, found.type, pushed, table, session);
      if (value === undefined) continue;
      const argument = toArgument(value, table, source, session);
      if (argument instanceof Date && Number.isNaN(argument.getTime())) continue; // infinity is no Date
      qual = { column, operator, value: argument };
    }
    const identity = JSON.stringify([column, operator, valueIdentity(qual.value)]);
    if (!seen.has(identity)) quals.push(qual);
    seen.add(identity);
  }
  return quals;
}

/** `undefined` when there is no one value: the error belongs to the rows that the condition is tried on. */
async function knownValue(
  { value, query }: PushedQual,
  run: Run,
): Promise<{ readonly value: Value; readonly type: SqlType } | undefined> {
  const plan = query ?? (value === undefined ? undefined : valuesPlan([[value]]));
  if (plan === undefined) return undefined;
  const [{ type }] = outputOf(plan);
  try {
    const rows = await run(plan);
    return rows.length > 1 ? undefined : { value: rows.length === 0 ? null : rows[0][0], type };
  } catch (error) {
    if (error instanceof SqlError && /^2[12]/.test(error.code)) return undefined;
    throw error;
  }
}

function handedOver(
  value: Value,
  type: SqlType,
  { source, operator }: PushedQual,
  table: RegisteredResource,
  session: SessionContext,
): Value | undefined {
  if (operator === "like" || operator === "ilike") return isPattern(value) ? value : undefined;
  if (operator === "@>") return isExactDocument(value, type, session) ? value : undefined;
  const held = exactConversion(type, table, source, session)(value);
  const converted = held === undefined ? undefined : withoutPadding(held, table.columns[source].type);
  const fits = table.columns[source].milliseconds !== true || converted === undefined || isWholeMilliseconds(converted);
  return fits ? converted : undefined;
}
