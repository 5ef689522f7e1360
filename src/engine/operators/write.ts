/**
 * INSERT, UPDATE, DELETE: evaluates everything first, hands it to the environment's `write` in one go, then puts out the
 * RETURNING rows. Without RETURNING the node has no columns and gives no rows; the count goes to the execution.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Column } from "../../planner/expr.js";
import type { Write } from "../../planner/plan.js";
import type { Value } from "../../types/value.js";
import { type Batch, batchSize, identity, type Layout, type Pause, pause, type Slot } from "../batch.js";
import { type Builder, joinLayouts, layoutOf } from "../builder.js";
import { compile } from "../compile/expression.js";
import type { Kernel } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { type Operator, type Step, SubplanNeeded, settle } from "../operator.js";
import { ownIds, RowStore, type StoreShape, storeShape } from "../row-store.js";
import type { ConflictHandler, RowChange, WriteOutcome, WriteRequest } from "../write-request.js";
import { rowIdColumn } from "./row-id.js";
import { columnKernels } from "./set-operation.js";
import { storedLayout } from "./values.js";

interface Done {
  readonly store: RowStore;
  /** Of each row of the request: its number in the store. */
  readonly storeRows: readonly number[];
  readonly outcome: WriteOutcome;
}

export class WriteOperator implements Operator {
  readonly layout: Layout;
  private readonly shape: StoreShape;
  private readonly values: readonly Kernel[];
  private readonly defaults: readonly { readonly source: number; readonly kernel: Kernel }[];
  private readonly rowId: Slot | undefined;
  private readonly pausable: boolean;
  private readonly rowSource: number;
  private readonly returning: readonly { readonly slot: number; readonly kernel: Kernel }[];
  private readonly returningPausable: boolean;
  private readonly batchCell: number;
  private readonly conflict: ConflictPlan | undefined;
  private readonly isMain: boolean;
  /** What an execution's second pass needs of its first. */
  private readonly doneCell: number;

  constructor(
    private readonly input: Operator,
    private readonly plan: Write,
    inputColumns: readonly Column[],
    builder: Builder,
  ) {
    const scope = { builder, layout: input.layout };
    const before = builder.subplans;
    this.values =
      plan.op === "insert"
        ? columnKernels(inputColumns, input, builder)
        : (plan.assignments ?? []).map((expr) => compile(expr, scope));
    this.defaults = (plan.defaults ?? []).map(({ source, expr }) => ({ source, kernel: compile(expr, scope) }));
    this.pausable = builder.subplans !== before;
    this.rowId = plan.targetScan === undefined ? undefined : input.layout.slots.get(rowIdColumn(plan.targetScan));
    this.shape = storeShape(builder, input.layout);
    this.rowSource = builder.source();
    const rows = storedLayout(builder, plan.rowColumns, this.rowSource);
    const both = joinLayouts(this.shape.output, rows);
    const slots = new Map<number, Slot>();
    const returning: { slot: number; kernel: Kernel }[] = [];
    const beforeReturning = builder.subplans;
    for (const { column, expr } of plan.returning ?? []) {
      const slot = builder.computedSlot(column);
      slots.set(column.id, slot);
      returning.push({ slot: slot.index, kernel: compile(expr, { builder, layout: both }) });
    }
    this.returning = returning;
    this.returningPausable = builder.subplans !== beforeReturning;
    this.layout = layoutOf(slots, both.sources);
    this.batchCell = builder.cell();
    this.doneCell = builder.cell();
    this.isMain = builder.main === plan;
    this.conflict = plan.onConflict === undefined ? undefined : new ConflictPlan(plan, rows, this.rowSource, builder);
  }

  *open(execution: Execution): Generator<Step, void, void> {
    if (execution.outcomes !== undefined) {
      const done = execution.cells[this.doneCell] as Done;
      const outcome = execution.outcomes.get(this.plan) ?? done.outcome;
      if (this.plan.returning !== undefined) yield* this.output(execution, done.store, outcome, done.storeRows);
      return;
    }
    const store = new RowStore(execution, this.shape);
    const { request, storeRows } = yield* this.collect(execution, store);
    const outcome = yield* performWrite(execution, this.plan, request);
    if (this.isMain) execution.affected = outcome.affected;
    execution.cells[this.doneCell] = { store, storeRows, outcome } satisfies Done;
    if (this.plan.returning === undefined) return;
    yield* this.output(execution, store, outcome, storeRows);
  }

  private *collect(
    execution: Execution,
    store: RowStore,
  ): Generator<Pause, { request: WriteRequest; storeRows: readonly number[] }, void> {
    const { op, table, targets } = this.plan;
    const rows: Value[][] = [];
    const changes: RowChange[] = [];
    const rowIds: number[] = [];
    const storeRows: number[] = [];
    const seen = new Set<number>();
    for (const step of this.input.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const { sel, count } = step;
      const evaluate = () => ({
        values: this.values.map((kernel) => kernel.evaluate(execution, step, sel, count)),
        defaults: this.defaults.map(({ kernel }) => kernel.evaluate(execution, step, sel, count)),
      });
      const { values, defaults } = this.pausable ? yield* settle(execution, evaluate) : evaluate();
      for (let k = 0; k < count; k++) {
        const i = sel[k];
        if (op === "insert") {
          const row: Value[] = new Array(table.columns.length).fill(null);
          this.defaults.forEach(({ source }, d) => {
            row[source] = defaults[d][i];
          });
          targets.forEach((target, t) => {
            row[target] = values[t][i];
          });
          rows.push(row);
          continue;
        }
        const rowId = this.rowIdAt(step, i);
        // A row that several rows of FROM match is written once, with the first of them.
        if (rowId < 0 || seen.has(rowId)) continue;
        seen.add(rowId);
        storeRows.push(store.count + k);
        if (op === "delete") rowIds.push(rowId);
        else changes.push({ rowId, targets, values: values.map((vector) => vector[i]) });
      }
      store.append(step, sel, count);
    }
    const request: WriteRequest =
      op === "insert"
        ? { op, rows, ...(this.conflict && { conflict: this.conflict.handler(execution) }) }
        : op === "update"
          ? { op, changes }
          : { op, rowIds };
    return { request, storeRows };
  }

  private rowIdAt(batch: Batch, position: number): number {
    if (this.rowId === undefined) throw new SqlError(sqlstate.internalError, "the rows to write cannot be told apart");
    return batch.ids[this.rowId.source][position];
  }

  /** RETURNING: written rows beside the input rows that they came from. */
  private *output(
    execution: Execution,
    store: RowStore,
    outcome: WriteOutcome,
    storeRows: readonly number[],
  ): Generator<Step, void, void> {
    const { rows, origins } = outcome;
    const width = this.plan.rowColumns.length;
    execution.stores[this.rowSource] = Array.from({ length: width }, (_, c) => rows.map((row) => row[c] ?? null));
    const batch = execution.batch(this.batchCell);
    const inputRows = new Int32Array(batchSize);
    const isInsert = this.plan.op === "insert";
    for (let start = 0; start < rows.length; start += batchSize) {
      const n = Math.min(batchSize, rows.length - start);
      for (let k = 0; k < n; k++) {
        const origin = origins === undefined ? start + k : origins[start + k];
        inputRows[k] = isInsert ? origin : (storeRows[origin] ?? -1);
      }
      store.gather(batch, inputRows, 0, n);
      const ids = ownIds(execution, batch, this.rowSource);
      for (let k = 0; k < n; k++) ids[k] = start + k;
      batch.reset(n);
      const evaluate = (): void => {
        for (const { slot, kernel } of this.returning) {
          batch.vectors[slot] = kernel.evaluate(execution, batch, batch.sel, batch.count);
        }
      };
      if (this.returningPausable) yield* settle(execution, evaluate);
      else evaluate();
      yield batch;
    }
  }
}

/** Hands a request to the environment, waiting for it when it takes time. */
export function* performWrite(
  execution: Execution,
  node: Parameters<NonNullable<Execution["environment"]["write"]>>[0],
  request: WriteRequest,
): Generator<Pause, WriteOutcome, void> {
  const { environment } = execution;
  if (environment.write === undefined) {
    throw new SqlError(sqlstate.featureNotSupported, `table "${node.table.name}" cannot be written here`, {
      position: node.position,
    });
  }
  const answer = environment.write(node, request);
  if (!(answer instanceof Promise)) return answer;
  const arrived: { outcome?: WriteOutcome } = {};
  execution.pending = answer.then((outcome) => {
    arrived.outcome = outcome;
  });
  while (arrived.outcome === undefined) yield pause;
  return arrived.outcome;
}

/** ON CONFLICT: evaluates the action for one existing row and one proposed row. */
class ConflictPlan {
  private readonly assignments: readonly Kernel[];
  private readonly where: Kernel | undefined;
  private readonly excludedSource: number;
  private readonly batchCell: number;

  constructor(
    private readonly plan: Write,
    rows: Layout,
    private readonly rowSource: number,
    builder: Builder,
  ) {
    this.excludedSource = builder.source();
    const excluded = storedLayout(builder, plan.onConflict?.excludedColumns ?? [], this.excludedSource);
    const scope = { builder, layout: joinLayouts(rows, excluded) };
    this.assignments = (plan.onConflict?.assignments ?? []).map((expr) => compile(expr, scope));
    const where = plan.onConflict?.where;
    this.where = where === undefined ? undefined : compile(where, scope);
    this.batchCell = builder.cell();
  }

  handler(execution: Execution): ConflictHandler {
    const { onConflict } = this.plan;
    return {
      action: onConflict?.action ?? "nothing",
      ...(onConflict?.keys !== undefined && { keys: onConflict.keys }),
      ...(onConflict?.indexes !== undefined && { indexes: onConflict.indexes }),
      targets: onConflict?.targets ?? [],
      update: (existing, proposed) => {
        execution.stores[this.rowSource] = existing.map((value) => [value]);
        execution.stores[this.excludedSource] = proposed.map((value) => [value]);
        const batch = execution.batch(this.batchCell);
        batch.ids[this.rowSource] = identity;
        batch.ids[this.excludedSource] = identity;
        batch.reset(1);
        const value = (kernel: Kernel): Value =>
          settleNow(execution, () => kernel.evaluate(execution, batch, identity, 1)[0]);
        if (this.where !== undefined && value(this.where) !== true) return undefined;
        return this.assignments.map(value);
      },
    };
  }
}

/** As `settle`, where nothing can wait: subqueries run to their end at once. */
function settleNow<T>(execution: Execution, work: () => T): T {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SubplanNeeded)) throw error;
      const running = error.run(execution);
      while (running.next().done !== true) execution.budget.step();
    }
  }
}
