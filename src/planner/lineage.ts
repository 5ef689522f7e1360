/**
 * Lineage: which columns of tables a statement's results, written values and arguments of calls come from.
 *
 * - `made`: a value is made of a base column when it is computed of it, by whatever expression: operands of functions and
 *   operators, all branches and conditions of CASE, both sides of set operations (of EXCEPT the left one), arguments,
 *   FILTER and ORDER BY of aggregates, arguments, PARTITION BY, ORDER BY and frame of window functions, the rows that
 *   EXISTS, IN, ANY and ALL ask for, the arguments of functions in FROM, the rounds of WITH RECURSIVE.
 * - `decided`: what decided that a row is there, which one it is or where it stands: WHERE, ON, HAVING, keys of GROUP BY,
 *   DISTINCT, ORDER BY, LIMIT, the sides of UNION, INTERSECT and EXCEPT, arguments of set-returning functions; and that the
 *   table has its rows at all (column `*`). What decided about the rows of a scalar subquery decided about its value.
 *
 * A base column that is in neither set of a result column cannot change it: whatever value it had in whatever row, the
 * result would be the same. The converse does not hold: `x * 0` is made of `x`. Errors and time are no part of this.
 *
 * Of a bound plan it says what the statement means; of an optimized one, in which scans carry their arguments, also what
 * its calls are given.
 */
import type { Column } from "./expr.js";
import { noOrigins, type Origins, type Trace, union } from "./lineage/origins.js";
import { type ArgumentValue, type FallibleValue, Tracer } from "./lineage/tracer.js";
import type { WrittenRows, WrittenValue } from "./lineage/writes.js";
import type { LogicalPlan } from "./plan.js";
import { withinStack } from "./within-stack.js";

export type { BaseColumn, Origin, Origins, Trace } from "./lineage/origins.js";
export { unionTraces } from "./lineage/origins.js";
export type { ArgumentValue, FallibleValue } from "./lineage/tracer.js";
export type { WrittenPlace, WrittenRows, WrittenValue } from "./lineage/writes.js";

/** The lineage of a column of the result. */
export interface ColumnLineage extends Trace {
  readonly column: Column;
}

/** The lineage of a statement. */
export interface Lineage {
  /** One for each result column; `decided` includes `rows`. */
  readonly columns: readonly ColumnLineage[];
  /** What decided which rows the result has, and for a write without RETURNING how many are written. */
  readonly rows: Origins;
  /** Values written, in WITH too. */
  readonly writes: readonly WrittenValue[];
  /** One for each node that writes. */
  readonly writtenRows: readonly WrittenRows[];
  /** Only of an optimized plan: values that calls are given, where they come from tables. */
  readonly arguments: readonly ArgumentValue[];
  /** Expressions that fail for some values. */
  readonly fallible: readonly FallibleValue[];
  /** Every base column that plays a part, whatever becomes of it. */
  readonly used: Origins;
}

/**
 * @param output the result's columns, among those that the plan puts out
 * @throws SqlError 54001 when plan or expressions are nested too deeply
 */
export function lineageOf(plan: LogicalPlan, output: readonly Column[]): Lineage {
  return withinStack(() => {
    const tracer = new Tracer(plan);
    const rows = tracer.plan(plan);
    const columns = output.map((column): ColumnLineage => {
      const { made, decided } = tracer.column(column);
      return { column, made, decided: union(decided, rows) };
    });
    const { writes, writtenRows, fallible } = tracer;
    const parts = [rows, ...columns.flatMap(({ made, decided }) => [made, decided])];
    for (const { trace } of [...writes, ...tracer.arguments, ...fallible]) parts.push(trace.made, trace.decided);
    for (const written of writtenRows) parts.push(written.rows);
    const used = parts.reduce(union, union(tracer.used, noOrigins));
    return { columns, rows, writes, writtenRows, arguments: tracer.arguments, fallible, used };
  });
}
