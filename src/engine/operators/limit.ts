/** LIMIT, OFFSET and WITH TIES. The counts are evaluated when the operator opens; NULL means no limit. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Expr } from "../../planner/expr.js";
import type { Limit } from "../../planner/plan.js";
import type { Value } from "../../types/value.js";
import { emptyLayout, identity, type Layout, type Pause, pause } from "../batch.js";
import type { Builder } from "../builder.js";
import { compile } from "../compile/expression.js";
import type { Kernel } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { type Operator, type Step, settle } from "../operator.js";
import { type CompiledSortKey, compileSortKeys } from "../sort-keys.js";
import { narrow } from "./filter.js";

/** FETCH and OFFSET of a plan, compiled. */
export class RowCounts {
  private readonly fetch: Kernel | undefined;
  private readonly skip: Kernel | undefined;
  private readonly cell: number;

  constructor(fetch: Expr | undefined, skip: Expr | undefined, builder: Builder) {
    const scope = { builder, layout: emptyLayout };
    this.fetch = fetch === undefined ? undefined : compile(fetch, scope);
    this.skip = skip === undefined ? undefined : compile(skip, scope);
    this.cell = builder.cell();
  }

  /** @throws SqlError 2201W, 2201X for negative counts */
  *evaluate(execution: Execution): Generator<Pause, { fetch: number; skip: number }, void> {
    const skip = yield* this.count(execution, this.skip);
    if (skip < 0) throw new SqlError(sqlstate.invalidRowCountInOffset, "OFFSET must not be negative");
    const fetch = yield* this.count(execution, this.fetch);
    if (fetch < 0) throw new SqlError(sqlstate.invalidRowCountInLimit, "LIMIT must not be negative");
    return { fetch, skip: skip === Number.POSITIVE_INFINITY ? 0 : skip };
  }

  private *count(execution: Execution, kernel: Kernel | undefined): Generator<Pause, number, void> {
    if (kernel === undefined) return Number.POSITIVE_INFINITY;
    const one = execution.batch(this.cell);
    one.reset(1);
    const value: Value = yield* settle(execution, () => kernel.evaluate(execution, one, identity, 1)[0]);
    return value === null ? Number.POSITIVE_INFINITY : Number(value);
  }
}

export class LimitOperator implements Operator {
  readonly layout: Layout;
  private readonly counts: RowCounts;
  private readonly ties: readonly CompiledSortKey[] | undefined;
  private readonly cell: number;

  constructor(
    private readonly input: Operator,
    plan: Limit,
    builder: Builder,
  ) {
    this.layout = input.layout;
    this.counts = new RowCounts(plan.fetch, plan.skip, builder);
    this.ties =
      plan.withTies === undefined ? undefined : compileSortKeys(plan.withTies, { builder, layout: input.layout });
    this.cell = builder.cell();
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const { fetch, skip } = yield* this.counts.evaluate(execution);
    if (this.ties !== undefined && fetch === Number.POSITIVE_INFINITY) {
      throw new SqlError(
        sqlstate.invalidRowCountInLimit,
        "row count cannot be null in FETCH FIRST ... WITH TIES clause",
      );
    }
    if (fetch === 0) return;
    let skipped = 0;
    let given = 0;
    let lastKeys: Value[] | undefined;
    for (const step of this.input.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const from = Math.min(step.count, skip - skipped);
      skipped += from;
      if (from === step.count) continue;
      let to = Math.min(step.count, from + Math.max(0, fetch - given));
      let complete = given + (to - from) >= fetch;
      if (this.ties !== undefined && complete) {
        const keys = this.ties.map((key) => key.kernel.evaluate(execution, step, step.sel, step.count));
        if (lastKeys === undefined) {
          const last = step.sel[to - 1];
          lastKeys = keys.map((key) => key[last]);
        }
        while (to < step.count && this.isTie(keys, step.sel[to], lastKeys)) to++;
        complete = to < step.count;
      }
      given += to - from;
      if (to > from) {
        if (from > 0 || to < step.count) {
          const sel = execution.ids(this.cell);
          for (let k = from; k < to; k++) sel[k - from] = step.sel[k];
          narrow(step, sel, to - from);
        }
        yield step;
      }
      if (complete) return;
    }
  }

  private isTie(keys: readonly (readonly Value[])[], position: number, last: readonly Value[]): boolean {
    return (this.ties ?? []).every((key, c) => {
      const value = keys[c][position];
      if (value === null || last[c] === null) return value === last[c];
      return key.compare(value, last[c]) === 0;
    });
  }
}
