/**
 * Which columns of a result can be NULL: what types of rows are written from. PostgreSQL does not say it of a query, so it
 * is worked out from the bound plan: declared NOT NULL, the side of an outer join, what WHERE lets pass, and functions
 * that are known to give a value for values. When in doubt a column can be NULL.
 *
 * A set of column ids stands for what is known at a place of the plan: these are never NULL there.
 */

import type { Column, Expr, Subquery } from "./expr.js";
import { impliedBy, impliedByFailureOf, type Known, union } from "./implied-columns.js";
import { aggregateIsNullable, callIsNullable, setColumnIsNullable, windowIsNullable } from "./nullable-results.js";
import { optimize } from "./optimize.js";
import {
  type Aggregate,
  type BoundQuery,
  type CteDefinition,
  type FunctionScan,
  type Join,
  type LogicalPlan,
  outputOf,
  type SetOperation,
  type Values,
  type Window,
  type Write,
} from "./plan.js";
import { simplifyOuterJoins } from "./rules/simplify-outer-joins.js";

/**
 * @param query as it was bound, before any rule
 * @returns one answer for each output column: whether NULL can occur in it
 */
export function nullableOutputs({ plan, output }: BoundQuery): readonly boolean[] {
  // A condition that NULLs fail turns an outer join into an inner one: all columns of that side keep what is declared.
  const known = new Nullability().of(optimize(plan, undefined, [simplifyOuterJoins]), new Set());
  return output.map((column) => !known.has(column.id));
}

class Nullability {
  /** CTE → whether each column of its output is never NULL. */
  private readonly ctes = new Map<number, readonly boolean[]>();

  /** What is known of the columns that a plan puts out, and of those around it. */
  of(plan: LogicalPlan, outer: Known): Known {
    switch (plan.kind) {
      case "Scan":
        return withIds(
          outer,
          plan.columns.flatMap(({ column, source }) => (plan.table.columns[source].nullable ? [] : [column.id])),
        );
      case "Values":
        return this.values(plan, outer);
      case "FunctionScan":
        return this.functionScan(plan, outer);
      case "Filter": {
        const known = this.of(plan.input, outer);
        return union(known, impliedBy(plan.condition));
      }
      case "Project": {
        const known = this.of(plan.input, outer);
        return withIds(
          outer,
          plan.items.flatMap(({ column, expr }) => (this.canBeNull(expr, known) ? [] : [column.id])),
        );
      }
      case "ProjectSet": {
        const known = this.of(plan.input, outer);
        // With several calls the shorter ones are filled up with NULL.
        const [call, ...others] = plan.calls;
        if (others.length > 0) return known;
        return withIds(known, this.setColumns(call, known));
      }
      case "Join":
        return this.join(plan, outer);
      case "Aggregate":
        return this.aggregate(plan, outer);
      case "Window":
        return this.window(plan, outer);
      case "Sort":
      case "Limit":
      case "Distinct":
        return this.of(plan.input, outer);
      case "SetOperation":
        return this.setOperation(plan, outer);
      case "With":
        for (const cte of plan.ctes) this.cte(cte, outer);
        return this.of(plan.input, outer);
      case "CteScan":
        return positions(plan.columns, this.ctes.get(plan.cte) ?? [], outer);
      case "Write":
        return this.write(plan, outer);
      case "Merge":
      case "Empty":
      case "Materialized":
        return outer;
    }
  }

  private values({ columns, rows }: Values, outer: Known): Known {
    const never = columns.map((_, i) => rows.every((row) => !this.canBeNull(row[i], outer)));
    return positions(columns, never, outer);
  }

  private functionScan({ calls, ordinality }: FunctionScan, outer: Known): Known {
    const ids = ordinality === undefined ? [] : [ordinality.id];
    // ROWS FROM fills the shorter ones up with NULL.
    if (calls.length !== 1) return withIds(outer, ids);
    const [call] = calls;
    if ("function" in call) return withIds(outer, [...ids, ...this.setColumns(call, outer)]);
    const never = call.columns.length === 1 && !this.canBeNull(call.scalar, outer);
    return withIds(outer, never ? [...ids, call.columns[0].id] : ids);
  }

  private setColumns(
    call: {
      readonly function: { readonly name: string };
      readonly args: readonly Expr[];
      readonly columns: readonly Column[];
    },
    known: Known,
  ): number[] {
    const given = call.args.every((arg) => !this.canBeNull(arg, known));
    return call.columns.flatMap((column, i) =>
      given && !setColumnIsNullable(call.function.name, i, call.columns.length) ? [column.id] : [],
    );
  }

  private join({ type, left, right, condition, lateral }: Join, outer: Known): Known {
    const leftKnown = this.of(left, outer);
    const rightKnown = this.of(right, lateral === true ? leftKnown : outer);
    const implied = condition === undefined ? new Set<number>() : impliedBy(condition);
    switch (type) {
      case "inner":
        return union(union(leftKnown, rightKnown), implied);
      case "semi":
        return union(leftKnown, implied);
      case "left":
      case "anti":
        return leftKnown;
      case "right":
        return rightKnown;
      case "full":
        return outer;
    }
  }

  private aggregate({ input, keys, groupingSets, aggregates, groupings }: Aggregate, outer: Known): Known {
    const known = this.of(input, outer);
    const ids = groupings.map(({ column }) => column.id);
    keys.forEach(({ column, expr }, i) => {
      if (groupingSets.every((set) => set.includes(i)) && !this.canBeNull(expr, known)) ids.push(column.id);
    });
    // A group with a key has a row at least; the one of all rows may be empty.
    const hasRows = groupingSets.every((set) => set.length > 0);
    for (const { column, call } of aggregates) {
      const argsNullable = call.args.map((arg) => this.canBeNull(arg, known));
      const mayBeEmpty = !hasRows || call.filter !== undefined;
      if (!aggregateIsNullable(call.function, argsNullable, mayBeEmpty)) ids.push(column.id);
    }
    return withIds(outer, ids);
  }

  private window({ input, calls }: Window, outer: Known): Known {
    const known = this.of(input, outer);
    const never = calls.filter(({ call, frame }) => {
      const argsNullable = call.args.map((arg) => this.canBeNull(arg, known));
      return !windowIsNullable(call, argsNullable, frame);
    });
    return withIds(
      known,
      never.map(({ column }) => column.id),
    );
  }

  private setOperation(plan: SetOperation, outer: Known): Known {
    const left = this.never(plan.left, outer);
    const right = this.never(plan.right, outer);
    const never = plan.columns.map((_, i) => {
      if (plan.operator === "union") return left[i] && right[i];
      // A row of INTERSECT is in both, and one of EXCEPT in the left.
      return plan.operator === "intersect" ? left[i] || right[i] : left[i];
    });
    return positions(plan.columns, never, outer);
  }

  /** Of each column of a plan's output, whether it is never NULL. */
  private never(plan: LogicalPlan, outer: Known): readonly boolean[] {
    const known = this.of(plan, outer);
    return outputOf(plan).map((column) => known.has(column.id));
  }

  /** A recursive one starts from its first term, and keeps what its rounds do not take back. */
  private cte({ id, plan, recursive }: CteDefinition, outer: Known): void {
    let never = this.never(plan, outer);
    this.ctes.set(id, never);
    if (recursive === undefined) return;
    for (;;) {
      const round = this.never(recursive.term, outer);
      const next = never.map((column, i) => column && round[i]);
      this.ctes.set(id, next);
      if (next.every((column, i) => column === never[i])) return;
      never = next;
    }
  }

  /**
   * What RETURNING gives: columns that the statement wrote, and those of rows that were read. A column that an INSERT leaves
   * to the service comes back only if the service tells it.
   */
  private write(plan: Write, outer: Known): Known {
    const { op, table, rowColumns, targets, returning = [] } = plan;
    const isWhole = table.kind !== "resource" || (op !== "insert" && table.verbs.includes("select"));
    const known = withIds(
      outer,
      rowColumns.flatMap((column, source) =>
        !table.columns[source].nullable && (isWhole || targets.includes(source)) ? [column.id] : [],
      ),
    );
    // USING and FROM can be mentioned too; what is known of them is known of the joined rows.
    const all = op === "insert" ? known : union(known, this.of(plan.input, outer));
    return withIds(
      outer,
      returning.flatMap(({ column, expr }) => (this.canBeNull(expr, all) ? [] : [column.id])),
    );
  }

  private canBeNull(expr: Expr, known: Known): boolean {
    const some = (exprs: readonly Expr[]) => exprs.some((part) => this.canBeNull(part, known));
    switch (expr.kind) {
      case "Constant":
        return expr.value === null;
      case "Column":
        return !known.has(expr.column.id);
      case "Coalesce":
      case "MinMax":
        return expr.args.every((arg) => this.canBeNull(arg, known));
      case "Cast":
      case "Not":
        return this.canBeNull(expr.input, known);
      case "And":
      case "Or":
        return some(expr.args);
      case "Call":
        return callIsNullable(
          expr,
          expr.args.map((arg) => this.canBeNull(arg, known)),
        );
      case "IsNull":
      case "BooleanTest":
      case "IsDistinct":
      case "Array":
      case "Row":
      case "Grouping":
        return false;
      case "InList":
        return some([expr.input, ...expr.items]);
      case "RowCompare":
        return some([...expr.left, ...expr.right]);
      case "Case":
        return this.caseIsNullable(expr, known);
      case "Subquery":
        return this.subqueryIsNullable(expr, known);
      default:
        return true; // parameters, subscripts, fields, NULLIF, comparisons with the elements of an array
    }
  }

  /** A branch is taken where its condition is true and those before are not: `CASE WHEN x IS NULL THEN 0 ELSE x END`. */
  private caseIsNullable(expr: Expr & { readonly kind: "Case" }, known: Known): boolean {
    let before = known;
    for (const { when, then } of expr.branches) {
      if (this.canBeNull(then, union(before, impliedBy(when)))) return true;
      before = union(before, impliedByFailureOf(when));
    }
    return this.canBeNull(expr.otherwise, before);
  }

  private subqueryIsNullable({ subqueryKind, plan, test }: Subquery, known: Known): boolean {
    switch (subqueryKind) {
      case "exists":
      case "array":
        return false;
      case "scalar":
        return !alwaysGivesRow(plan) || !this.never(plan, known)[0];
      case "any":
      case "all":
        return test === undefined || this.canBeNull(test, this.of(plan, known));
      case "row":
        return !alwaysGivesRow(plan);
    }
  }
}

/** Whether a query gives a row whatever the tables hold, as an aggregate without GROUP BY does. */
function alwaysGivesRow(plan: LogicalPlan): boolean {
  switch (plan.kind) {
    case "Aggregate":
      return plan.keys.length === 0 && plan.groupingSets.length > 0;
    case "Values":
      return plan.rows.length > 0;
    case "Project":
    case "Sort":
    case "Distinct":
    case "Window":
    case "With":
      return alwaysGivesRow(plan.input);
    default:
      return false;
  }
}

function withIds(known: Known, ids: readonly number[]): Known {
  return ids.length === 0 ? known : new Set([...known, ...ids]);
}

function positions(columns: readonly Column[], never: readonly boolean[], outer: Known): Known {
  return withIds(
    outer,
    columns.flatMap((column, i) => (never[i] ? [column.id] : [])),
  );
}
