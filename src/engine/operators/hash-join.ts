/**
 * Joins. The right side is kept in a hash table over the equalities of the condition, the left side streams past; what
 * the equalities do not cover is checked on the candidate pairs. Without equalities all right rows are one chain: a
 * nested loop. A right join is a left join with its sides exchanged.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Expr } from "../../planner/expr.js";
import { columnsOf, someExpression } from "../../planner/visit.js";
import { type Batch, batchSize, type Layout, type Pause, pause, type Vector } from "../batch.js";
import { type Builder, joinLayouts } from "../builder.js";
import { comparableAs, isPlainKey } from "../compile/comparison.js";
import { compile, compilePredicate } from "../compile/expression.js";
import type { Kernel, Predicate } from "../compile/kernel.js";
import { conjunctsOf } from "../compile/logic.js";
import type { CteReading } from "../cte-reading.js";
import type { Execution } from "../execution.js";
import { type KeyFunction, keyFunctionOf } from "../keys.js";
import { type Operator, type Step, settle } from "../operator.js";
import { ownIds, RowStore, type StoreShape, storeShape } from "../row-store.js";
import { narrow } from "./filter.js";
import { JoinTable } from "./join-table.js";
import { anyMayTakeLong, Pace } from "./pieces.js";
import type { Kept } from "./retain.js";

export interface JoinSpec {
  readonly type: "inner" | "left" | "full" | "semi" | "anti";
  readonly left: Operator;
  readonly right: Operator;
  readonly leftColumns: ReadonlySet<number>;
  readonly rightColumns: ReadonlySet<number>;
  readonly condition: Expr | undefined;
  readonly nullAware: boolean;
  /** What is put out of each side. */
  readonly leftKept: Layout;
  readonly rightKept: Layout;
  /** The right side gives the same rows each time this join is opened again: its table is worth keeping. */
  readonly keepTable: boolean;
  /** The CTEs that the right side reads. */
  readonly reading: CteReading;
}

interface EqualityKey {
  readonly left: Expr;
  readonly right: Expr;
  readonly key: KeyFunction | undefined;
}

/** The equalities of a condition that a hash table can answer, and the rest. */
export function splitCondition(
  condition: Expr | undefined,
  leftColumns: ReadonlySet<number>,
  rightColumns: ReadonlySet<number>,
): { keys: EqualityKey[]; residual: Expr[] } {
  const keys: EqualityKey[] = [];
  const residual: Expr[] = [];
  for (const conjunct of conjunctsOf(condition)) {
    const key = equalityKey(conjunct, leftColumns, rightColumns);
    if (key === undefined) residual.push(conjunct);
    else keys.push(key);
  }
  return { keys, residual };
}

function equalityKey(
  expr: Expr,
  leftColumns: ReadonlySet<number>,
  rightColumns: ReadonlySet<number>,
): EqualityKey | undefined {
  if (expr.kind !== "Call" || expr.operator !== "=" || expr.args.length !== 2) return undefined;
  const [a, b] = expr.args;
  const plain = comparableAs(a.type, b.type) !== undefined && isPlainKey(a.type);
  const key = plain || a.type !== b.type ? undefined : keyFunctionOf(a.type);
  if (!plain && key === undefined) return undefined;
  const unsuitable = (inner: Expr): boolean =>
    inner.kind === "Subquery" || ((inner.kind === "Call" || inner.kind === "Cast") && inner.volatility === "volatile");
  if (someExpression(expr, unsuitable)) return undefined;
  const aColumns = [...columnsOf(a)];
  const bColumns = [...columnsOf(b)];
  const on = (columns: readonly number[], side: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
    columns.some((id) => side.has(id)) && !columns.some((id) => other.has(id));
  if (on(aColumns, leftColumns, rightColumns) && on(bColumns, rightColumns, leftColumns)) {
    return { left: a, right: b, key };
  }
  if (on(bColumns, leftColumns, rightColumns) && on(aColumns, rightColumns, leftColumns)) {
    return { left: b, right: a, key };
  }
  return undefined;
}

/** Where the probing of a batch stands: the k-th selected left row, and the next right row of its chain. */
interface Cursor {
  k: number;
  row: number;
  started: boolean;
}

export class HashJoinOperator implements Operator {
  readonly layout: Layout;
  private readonly leftKeys: readonly Kernel[];
  private readonly rightKeys: readonly Kernel[];
  private readonly functions: readonly (KeyFunction | undefined)[];
  private readonly residual: Predicate | undefined;
  private readonly residualPausable: boolean;
  private readonly slow: boolean;
  private readonly keysOnly: boolean;
  private readonly shape: StoreShape;
  private readonly batchCell: number;
  private readonly tableCell: number;
  private readonly selCells: readonly number[];
  private readonly codesCell: number;
  /** NOT IN over more than one comparison: rows pass only when the condition is false for every right row. */
  private readonly wholeCondition: Kernel | undefined;

  constructor(
    private readonly spec: JoinSpec,
    builder: Builder,
  ) {
    const split = splitCondition(spec.condition, spec.leftColumns, spec.rightColumns);
    const hardNullAware = spec.nullAware && !(split.keys.length === 1 && split.residual.length === 0);
    const keys = hardNullAware ? [] : split.keys;
    const leftScope = { builder, layout: spec.left.layout };
    const rightScope = { builder, layout: spec.right.layout };
    this.leftKeys = keys.map((key) => compile(key.left, leftScope));
    this.rightKeys = keys.map((key) => compile(key.right, rightScope));
    this.functions = keys.map((key) => key.key);
    // For semi and anti joins the residual reads both sides; afterwards only the left batch goes on.
    this.shape = storeShape(builder, spec.rightKept);
    const pairs = joinLayouts(spec.leftKept, this.shape.output);
    const before = builder.subplans;
    const pairScope = { builder, layout: pairs };
    if (hardNullAware && spec.condition !== undefined) {
      this.wholeCondition = compile(spec.condition, pairScope);
      this.residual = undefined;
    } else {
      const predicates = split.residual.map((conjunct) => compilePredicate(conjunct, pairScope));
      this.residual = predicates.length === 0 ? undefined : chain(predicates, builder);
    }
    this.residualPausable = builder.subplans !== before;
    this.slow = anyMayTakeLong(hardNullAware && spec.condition !== undefined ? [spec.condition] : split.residual);
    this.keysOnly =
      (spec.type === "semi" || spec.type === "anti") &&
      this.residual === undefined &&
      this.wholeCondition === undefined;
    this.layout = spec.type === "semi" || spec.type === "anti" ? spec.left.layout : pairs;
    this.batchCell = builder.cell();
    this.tableCell = builder.cell();
    this.codesCell = builder.cell();
    this.selCells = [builder.cell(), builder.cell(), builder.cell(), builder.cell()];
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const kept = execution.cells[this.tableCell] as Kept<JoinTable> | undefined;
    const { reading } = this.spec;
    let table = kept !== undefined && reading.isPresent(execution, kept.read) ? kept.rows : undefined;
    if (table === undefined) {
      table = new JoinTable(new RowStore(execution, this.shape), this.functions, this.keysOnly);
      try {
        yield* this.fill(execution, table);
      } catch (error) {
        if (this.spec.type === "full" || !isOfValues(error)) throw error;
        if (yield* hasRows(this.spec.left, execution)) throw error;
        return;
      }
      if (this.spec.keepTable) {
        const made: Kept<JoinTable> = { rows: table, read: reading.present(execution) };
        execution.cells[this.tableCell] = made;
      }
    }
    execution.stores[this.shape.source] = table.store.columns;
    const { type } = this.spec;
    if (type === "semi" || type === "anti") yield* this.filterLeft(execution, table);
    else yield* this.pairs(execution, table);
  }

  private *fill(execution: Execution, table: JoinTable): Generator<Pause, void, void> {
    for (const step of this.spec.right.open(execution)) {
      if (step === pause) yield step;
      else
        table.add(
          step,
          this.rightKeys.map((key) => key.evaluate(execution, step, step.sel, step.count)),
        );
    }
  }

  /** Inner, left and full joins. */
  private *pairs(execution: Execution, table: JoinTable): Generator<Step, void, void> {
    const { type } = this.spec;
    if (table.count === 0 && type === "inner") return;
    const outer = type !== "inner";
    const out = execution.batch(this.batchCell);
    const codes = execution.ids(this.codesCell);
    const leftAt = execution.ids(this.selCells[0]);
    const rightAt = execution.ids(this.selCells[1]);
    const kept = execution.ids(this.selCells[2]);
    const hit = execution.ids(this.selCells[3]);
    const pace = new Pace(this.slow);
    const rightHit = type === "full" ? new Uint8Array(table.store.count) : undefined;
    const { residual } = this;
    for (const step of this.spec.left.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      this.probe(execution, table, step, codes);
      if (residual !== undefined) for (let k = 0; k < step.count; k++) hit[step.sel[k]] = 0;
      const cursor: Cursor = { k: 0, row: -1, started: false };
      for (;;) {
        const unmatched = outer && residual === undefined;
        const n = fillPairs(cursor, pace.rows, step, codes, table, unmatched, undefined, leftAt, rightAt);
        if (n === 0) break;
        pace.begin();
        this.gather(execution, out, step, table.store, leftAt, rightAt, n);
        if (residual !== undefined) {
          const count = this.residualPausable
            ? yield* settle(execution, () => residual(execution, out, out.sel, out.count, kept))
            : residual(execution, out, out.sel, out.count, kept);
          narrow(out, kept, count);
          for (let k = 0; k < count; k++) hit[leftAt[kept[k]]] = 1;
        }
        if (rightHit !== undefined) {
          for (let k = 0; k < out.count; k++) {
            const row = rightAt[out.sel[k]];
            if (row >= 0) rightHit[row] = 1;
          }
        }
        const due = pace.end(n, execution);
        if (out.count > 0) yield out;
        if (due) yield pause;
      }
      if (outer && residual !== undefined) {
        let n = 0;
        for (let k = 0; k < step.count; k++) {
          const i = step.sel[k];
          if (hit[i] !== 0) continue;
          leftAt[n] = i;
          rightAt[n++] = -1;
        }
        if (n > 0) {
          this.gather(execution, out, step, table.store, leftAt, rightAt, n);
          yield out;
        }
      }
    }
    if (rightHit !== undefined) yield* this.unmatchedRight(execution, table, rightHit, rightAt, out);
  }

  /** The right rows of a full join that no left row met. */
  private *unmatchedRight(
    execution: Execution,
    table: JoinTable,
    rightHit: Uint8Array,
    rightAt: Int32Array,
    out: Batch,
  ): Generator<Step, void, void> {
    const total = table.store.count;
    for (let row = 0; row < total; ) {
      let n = 0;
      while (row < total && n < batchSize) {
        if (rightHit[row] === 0) rightAt[n++] = row;
        row++;
      }
      if (n === 0) continue;
      for (const source of this.spec.leftKept.sources) ownIds(execution, out, source).fill(-1, 0, n);
      for (const slot of this.spec.leftKept.computed) ownVector(execution, out, slot.index).fill(null, 0, n);
      table.store.gather(out, rightAt, 0, n);
      out.reset(n);
      yield out;
      if (execution.budget.due()) yield pause;
    }
  }

  /** Semi and anti joins: the left batch goes on with fewer positions. */
  private *filterLeft(execution: Execution, table: JoinTable): Generator<Step, void, void> {
    const anti = this.spec.type === "anti";
    const codes = execution.ids(this.codesCell);
    const hit = execution.ids(this.selCells[3]);
    const kept = execution.ids(this.selCells[2]);
    const rightEmpty = table.count === 0;
    if (rightEmpty && !anti) return;
    const nullAware = anti && this.spec.nullAware && this.wholeCondition === undefined;
    if (nullAware && table.hasNullKey) return;
    for (const step of this.spec.left.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      if (rightEmpty) {
        yield step;
        continue;
      }
      let m = 0;
      if (this.residual === undefined && this.wholeCondition === undefined) {
        const vectors = this.probe(execution, table, step, codes);
        const keyed = nullAware ? vectors[0] : undefined;
        for (let k = 0; k < step.count; k++) {
          const i = step.sel[k];
          const code = codes[i];
          const found = code >= 0;
          if (found !== anti && (keyed === undefined || keyed[i] !== null)) kept[m++] = i;
        }
      } else {
        this.probe(execution, table, step, codes);
        yield* this.markHits(execution, table, step, codes, hit);
        for (let k = 0; k < step.count; k++) {
          const i = step.sel[k];
          if ((hit[i] !== 0) !== anti) kept[m++] = i;
        }
      }
      if (m === 0) continue;
      narrow(step, kept, m);
      yield step;
    }
  }

  /** Sets `hit` at the positions of left rows for which some candidate pair passes. */
  private *markHits(
    execution: Execution,
    table: JoinTable,
    step: Batch,
    codes: Int32Array,
    hit: Int32Array,
  ): Generator<typeof pause, void, void> {
    const out = execution.batch(this.batchCell);
    const leftAt = execution.ids(this.selCells[0]);
    const rightAt = execution.ids(this.selCells[1]);
    const passed = new Int32Array(batchSize);
    const cursor: Cursor = { k: 0, row: -1, started: false };
    const pace = new Pace(this.slow);
    for (let k = 0; k < step.count; k++) hit[step.sel[k]] = 0;
    for (;;) {
      const n = fillPairs(cursor, pace.rows, step, codes, table, false, hit, leftAt, rightAt);
      if (n === 0) return;
      pace.begin();
      this.gather(execution, out, step, table.store, leftAt, rightAt, n);
      const { residual, wholeCondition } = this;
      const test = (): number => {
        if (residual !== undefined) return residual(execution, out, out.sel, out.count, passed);
        if (wholeCondition === undefined) return 0;
        const answers = wholeCondition.evaluate(execution, out, out.sel, out.count);
        let m = 0;
        for (let k = 0; k < n; k++) if (answers[k] !== false) passed[m++] = k;
        return m;
      };
      const count = this.residualPausable ? yield* settle(execution, test) : test();
      for (let k = 0; k < count; k++) hit[leftAt[passed[k]]] = 1;
      if (pace.end(n, execution)) yield pause;
    }
  }

  private probe(execution: Execution, table: JoinTable, step: Batch, codes: Int32Array): Vector[] {
    const vectors = this.leftKeys.map((key) => key.evaluate(execution, step, step.sel, step.count));
    table.keys.find(vectors, step.sel, step.count, codes);
    return vectors;
  }

  /** A batch of pairs: left rows by position in their batch, right rows by number in the store. */
  private gather(
    execution: Execution,
    out: Batch,
    left: Batch,
    store: RowStore,
    leftAt: Int32Array,
    rightAt: Int32Array,
    n: number,
  ): void {
    for (const source of this.spec.leftKept.sources) {
      const from = left.ids[source];
      const to = ownIds(execution, out, source);
      for (let k = 0; k < n; k++) to[k] = from[leftAt[k]];
    }
    for (const slot of this.spec.leftKept.computed) {
      const from = left.vectors[slot.index];
      const to = ownVector(execution, out, slot.index);
      for (let k = 0; k < n; k++) to[k] = from[leftAt[k]];
    }
    store.gather(out, rightAt, 0, n);
    out.reset(n);
  }
}

/** Whether what a row holds made it fail: a division by zero, a text that is no number, a subquery of two rows. */
function isOfValues(error: unknown): boolean {
  return error instanceof SqlError && (error.code.startsWith("22") || error.code === sqlstate.cardinalityViolation);
}

/**
 * Whether an operator gives a row, or fails before. Beside nothing no row is looked at: PostgreSQL's joins begin with a row
 * of the left side, and what would fail on the right is never computed when there is none.
 */
function* hasRows(operator: Operator, execution: Execution): Generator<Pause, boolean, void> {
  try {
    for (const step of operator.open(execution)) {
      if (step === pause) yield step;
      else if (step.count > 0) return true;
    }
    return false;
  } catch (error) {
    if (isOfValues(error)) return true;
    throw error;
  }
}

/**
 * The next candidate pairs, at most `most` of them. `outer`: a left row without any gets a pair with right row -1.
 * `hit`: left rows that need no further candidate are skipped.
 */
function fillPairs(
  cursor: Cursor,
  most: number,
  step: Batch,
  codes: Int32Array,
  table: JoinTable,
  outer: boolean,
  hit: Int32Array | undefined,
  leftAt: Int32Array,
  rightAt: Int32Array,
): number {
  const { sel, count } = step;
  const { heads, next } = table;
  const limit = heads.length;
  let { k, row, started } = cursor;
  let n = 0;
  while (k < count) {
    const i = sel[k];
    if (!started) {
      const code = codes[i];
      row = code < 0 || code >= limit ? -1 : heads[code];
      started = true;
      if (row < 0 && outer) {
        leftAt[n] = i;
        rightAt[n++] = -1;
      }
    }
    if (hit !== undefined && hit[i] !== 0) row = -1;
    while (row >= 0 && n < most) {
      leftAt[n] = i;
      rightAt[n++] = row;
      row = next[row];
    }
    if (row < 0) {
      k++;
      started = false;
    }
    if (n === most) break;
  }
  cursor.k = k;
  cursor.row = row;
  cursor.started = started;
  return n;
}

/** The vector that this batch may write for a computed slot. */
export function ownVector(execution: Execution, batch: Batch, slot: number): Vector {
  let vector = batch.vectors[slot];
  if (vector === undefined) {
    vector = execution.takeVector();
    batch.vectors[slot] = vector;
  }
  return vector;
}

/** Several predicates, one after the other. */
function chain(predicates: readonly Predicate[], builder: Builder): Predicate {
  if (predicates.length === 1) return predicates[0];
  const cell = builder.cell();
  return (execution, batch, sel, n, out) => {
    const kept = execution.ids(cell);
    let positions = sel;
    let count = n;
    for (const predicate of predicates) {
      count = predicate(execution, batch, positions, count, kept);
      positions = kept;
      if (count === 0) return 0;
    }
    for (let k = 0; k < count; k++) out[k] = kept[k];
    return count;
  };
}
