/**
 * Set-returning functions: in FROM (with ordinality, several in step) and in a select list, where each input row is
 * repeated for every row the functions give. They are read lazily; shorter ones are padded with NULL.
 */
import type { Column, Expr, SetCall } from "../../planner/expr.js";
import type { FunctionScan, ProjectSet } from "../../planner/plan.js";
import { RecordValue, type Value } from "../../types/value.js";
import { type Batch, batchSize, emptyLayout, identity, type Layout, pause, type Slot, type Vector } from "../batch.js";
import { type Builder, joinLayouts, layoutOf, type Scope } from "../builder.js";
import { compile } from "../compile/expression.js";
import type { Kernel } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { type Operator, type Step, settle } from "../operator.js";
import { ownIds } from "../row-store.js";
import { ownVector } from "./hash-join.js";
import { anyIsLarge } from "./pieces.js";

type SetFunction = (...args: Value[]) => Iterable<Value>;

/** One function of a node, compiled. */
class CompiledSetCall {
  readonly args: readonly Kernel[];
  private readonly cell: number;
  private readonly width: number;
  private readonly asRecord: boolean;

  constructor(
    private readonly call: SetCall | { readonly scalar: Expr; readonly columns: readonly Column[] },
    scope: Scope,
  ) {
    this.args = ("scalar" in call ? [call.scalar] : call.args).map((arg) => compile(arg, scope));
    this.cell = scope.builder.cell();
    this.width = call.columns.length;
    this.asRecord = !("scalar" in call) && (call.function.columns?.length ?? 1) > 1 && this.width === 1;
  }

  /** The rows for these arguments. */
  open(execution: Execution, args: readonly Value[]): Iterator<Value> {
    const { call } = this;
    if ("scalar" in call) return [args[0]][Symbol.iterator]();
    if (call.function.strict && args.includes(null)) return [][Symbol.iterator]();
    let callable = execution.cells[this.cell] as SetFunction | undefined;
    if (callable === undefined) {
      const site = { argTypes: call.argTypes, resultType: call.type, session: execution.session };
      callable = call.function.specialize(site);
      execution.cells[this.cell] = callable;
    }
    return callable(...args)[Symbol.iterator]();
  }

  /** Writes one row (or NULLs when the function has ended) at a position of the call's columns. */
  write(vectors: readonly Vector[], first: number, position: number, result: IteratorResult<Value>): void {
    if (result.done === true) {
      for (let c = 0; c < this.width; c++) vectors[first + c][position] = null;
      return;
    }
    const { value } = result;
    if (this.asRecord) {
      const { columns } = this.call;
      const fields =
        columns[0].type.fields ?? (value as Value[]).map((_, f) => ({ name: `f${f + 1}`, type: columns[0].type }));
      vectors[first][position] = new RecordValue(value as Value[], fields);
    } else if (this.width === 1) vectors[first][position] = this.ofOneField(value);
    else if (value instanceof RecordValue) {
      for (let c = 0; c < this.width; c++) vectors[first + c][position] = value.values[c] ?? null;
    } else {
      const row = value as Value[] | null;
      for (let c = 0; c < this.width; c++) vectors[first + c][position] = row === null ? null : (row[c] ?? null);
    }
  }

  /** In FROM the row of a function whose rows have one field is that field; in a select list it stays a row. */
  private ofOneField(value: Value): Value {
    const { type, columns } = this.call as SetCall;
    if (!(value instanceof RecordValue) || type?.fields?.length !== 1 || columns[0].type === type) return value;
    return value.values[0];
  }
}

/** Steps several functions at once. */
class Lockstep {
  private readonly iterators: Iterator<Value>[];
  private readonly ended: boolean[];

  constructor(
    private readonly calls: readonly CompiledSetCall[],
    private readonly firsts: readonly number[],
    execution: Execution,
    args: readonly (readonly Value[])[],
  ) {
    this.iterators = calls.map((call, c) => call.open(execution, args[c]));
    this.ended = calls.map(() => false);
  }

  /** Writes the next row; false when all have ended. */
  next(vectors: readonly Vector[], position: number): boolean {
    let any = false;
    for (let c = 0; c < this.calls.length; c++) {
      const result: IteratorResult<Value> = this.ended[c] ? ended : this.iterators[c].next();
      if (result.done === true) this.ended[c] = true;
      else any = true;
      this.calls[c].write(vectors, this.firsts[c], position, result);
    }
    return any;
  }

  close(): void {
    this.iterators.forEach((iterator, c) => {
      if (!this.ended[c]) iterator.return?.();
    });
  }
}
const ended: IteratorResult<Value> = { done: true, value: undefined };

/** Index of each call's first column. */
function firstColumns(calls: readonly { readonly columns: readonly Column[] }[]): number[] {
  let next = 0;
  return calls.map((call) => {
    const first = next;
    next += call.columns.length;
    return first;
  });
}

export class FunctionScanOperator implements Operator {
  readonly layout: Layout;
  private readonly calls: readonly CompiledSetCall[];
  private readonly firsts: readonly number[];
  private readonly slots: readonly Slot[];
  private readonly ordinality: Slot | undefined;
  private readonly batchCell: number;
  private readonly oneCell: number;

  constructor(plan: FunctionScan, builder: Builder) {
    const scope = { builder, layout: emptyLayout };
    this.calls = plan.calls.map((call) => new CompiledSetCall(call, scope));
    this.firsts = firstColumns(plan.calls);
    const columns = plan.calls.flatMap((call) => call.columns);
    this.slots = columns.map((column) => builder.computedSlot(column));
    const slots = new Map(columns.map((column, c) => [column.id, this.slots[c]]));
    if (plan.ordinality !== undefined) {
      this.ordinality = builder.computedSlot(plan.ordinality);
      slots.set(plan.ordinality.id, this.ordinality);
    }
    this.layout = layoutOf(slots);
    this.batchCell = builder.cell();
    this.oneCell = builder.cell();
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const one = execution.batch(this.oneCell);
    one.reset(1);
    const args = yield* settle(execution, () =>
      this.calls.map((call) => call.args.map((arg) => arg.evaluate(execution, one, identity, 1)[0])),
    );
    const rows = new Lockstep(this.calls, this.firsts, execution, args);
    const batch = execution.batch(this.batchCell);
    const vectors = this.slots.map((slot) => ownVector(execution, batch, slot.index));
    const ordinals = this.ordinality === undefined ? undefined : ownVector(execution, batch, this.ordinality.index);
    let given = 0;
    try {
      for (let more = true; more; ) {
        let n = 0;
        // Small batches first: a LIMIT may stop here.
        const size = Math.min(execution.budget.batchRows, given === 0 ? 64 : batchSize);
        while (n < size) {
          more = rows.next(vectors, n);
          if (!more) break;
          if (ordinals !== undefined) ordinals[n] = given + n + 1;
          n++;
        }
        given += n;
        if (n > 0) {
          batch.reset(n);
          yield batch;
        }
        if (more && execution.budget.due()) yield pause;
      }
    } finally {
      rows.close();
    }
  }
}

/** Units of work in a call with a value that may be large: the clock is looked at after each. */
const unitsOfLarge = 2048;

export class ProjectSetOperator implements Operator {
  readonly layout: Layout;
  private readonly calls: readonly CompiledSetCall[];
  private readonly firsts: readonly number[];
  private readonly slots: readonly Slot[];
  private readonly pausable: boolean;
  private readonly units: number;
  private readonly batchCell: number;

  constructor(
    private readonly input: Operator,
    plan: ProjectSet,
    private readonly kept: Layout,
    builder: Builder,
  ) {
    const scope = { builder, layout: input.layout };
    const before = builder.subplans;
    this.calls = plan.calls.map((call) => new CompiledSetCall(call, scope));
    this.pausable = builder.subplans !== before;
    this.units = anyIsLarge(plan.calls.flatMap((call) => call.args)) ? unitsOfLarge : 4;
    this.firsts = firstColumns(plan.calls);
    const columns = plan.calls.flatMap((call) => call.columns);
    this.slots = columns.map((column) => builder.computedSlot(column));
    this.layout = joinLayouts(kept, layoutOf(new Map(columns.map((column, c) => [column.id, this.slots[c]]))));
    this.batchCell = builder.cell();
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const out = execution.batch(this.batchCell);
    const vectors = this.slots.map((slot) => ownVector(execution, out, slot.index));
    for (const step of this.input.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const evaluate = () =>
        this.calls.map((call) => call.args.map((arg) => arg.evaluate(execution, step, step.sel, step.count)));
      const args = this.pausable ? yield* settle(execution, evaluate) : evaluate();
      let n = 0;
      for (let k = 0; k < step.count; k++) {
        const i = step.sel[k];
        const values = args.map((list) => list.map((vector) => vector[i]));
        const rows = new Lockstep(this.calls, this.firsts, execution, values);
        try {
          while (rows.next(vectors, n)) {
            this.repeat(execution, out, step, i, n++);
            if (n < batchSize) continue;
            out.reset(n);
            n = 0;
            yield out;
            if (execution.budget.due()) yield pause;
          }
        } finally {
          rows.close();
        }
        if (execution.budget.step(this.units)) yield pause;
      }
      if (n > 0) {
        out.reset(n);
        yield out;
      }
    }
  }

  /** The input row at one position of the output. */
  private repeat(execution: Execution, out: Batch, input: Batch, from: number, to: number): void {
    for (const source of this.kept.sources) ownIds(execution, out, source)[to] = input.ids[source][from];
    for (const slot of this.kept.computed) {
      ownVector(execution, out, slot.index)[to] = input.vectors[slot.index][from];
    }
  }
}
