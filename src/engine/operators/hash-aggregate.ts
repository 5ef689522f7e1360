/**
 * GROUP BY with any grouping sets, and aggregates without one. Keys become group numbers, one table a grouping set over
 * one row of group numbers; the groups come out in order of their first row.
 */
import type { AggregateCall } from "../../planner/expr.js";
import type { Aggregate } from "../../planner/plan.js";
import type { Value } from "../../types/value.js";
import { type Batch, batchSize, type Layout, type Pause, pause, type Vector } from "../batch.js";
import type { Builder } from "../builder.js";
import { compile, compilePredicate } from "../compile/expression.js";
import type { Kernel, Predicate } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { type GroupedState, groupedState } from "../grouped.js";
import { type KeyFunction, KeyTable, keyFunctionOf } from "../keys.js";
import { type Operator, type Step, settle } from "../operator.js";
import { OrderedRows } from "../ordered-rows.js";
import { type CompiledSortKey, compileSortKeys } from "../sort-keys.js";
import { columnBatches, storedLayout } from "./values.js";

interface CompiledAggregate {
  readonly call: AggregateCall;
  readonly args: readonly Kernel[];
  readonly filter: Predicate | undefined;
  readonly filterCell: number;
  /** One list, or one for each grouping set. */
  readonly direct: readonly (readonly Kernel[])[];
  /** Present when rows must be ordered or made distinct first. */
  readonly sortKeys: readonly CompiledSortKey[] | undefined;
}

/** What one aggregate has read from a batch. */
interface Evaluated {
  readonly sel: Int32Array;
  readonly n: number;
  readonly vectors: readonly Vector[];
  readonly keys: readonly Vector[];
  readonly direct: readonly (readonly Vector[])[];
}

/** One grouping set of an execution. */
interface SetState {
  readonly keys: readonly number[];
  readonly table: KeyTable;
  /** Group number by the table's number. */
  readonly groups: number[];
}

export class HashAggregateOperator implements Operator {
  readonly layout: Layout;
  private readonly keys: readonly Kernel[];
  private readonly keyFunctions: readonly (KeyFunction | undefined)[];
  private readonly aggregates: readonly CompiledAggregate[];
  private readonly pausable: boolean;
  private readonly source: number;
  private readonly batchCell: number;
  private readonly groupsCell: number;

  constructor(
    private readonly input: Operator,
    private readonly plan: Aggregate,
    builder: Builder,
  ) {
    const scope = { builder, layout: input.layout };
    const before = builder.subplans;
    this.keys = plan.keys.map((key) => compile(key.expr, scope));
    this.keyFunctions = plan.keys.map((key) => keyFunctionOf(key.expr.type));
    this.aggregates = plan.aggregates.map(({ call }) => {
      const ordered = call.orderBy.length > 0 || call.distinct || call.function.aggregateKind !== "normal";
      const sortKeys = !ordered ? undefined : compileSortKeys(orderOf(call), scope);
      return {
        call,
        args: call.args.map((arg) => compile(arg, scope)),
        filter: call.filter === undefined ? undefined : compilePredicate(call.filter, scope),
        filterCell: builder.cell(),
        direct: (call.directBySet ?? [call.directArgs ?? []]).map((list) => list.map((arg) => compile(arg, scope))),
        sortKeys,
      };
    });
    this.pausable = builder.subplans !== before;
    this.source = builder.source();
    this.batchCell = builder.cell();
    this.groupsCell = builder.cell();
    const columns = [
      ...plan.keys.map((key) => key.column),
      ...plan.aggregates.map((item) => item.column),
      ...plan.groupings.map((item) => item.column),
    ];
    this.layout = storedLayout(builder, columns, this.source);
  }

  *open(execution: Execution): Generator<Step, void, void> {
    execution.renew(this.source);
    const sets: SetState[] = this.plan.groupingSets.map((keys) => ({
      keys,
      table: new KeyTable(
        keys.map((key) => this.keyFunctions[key]),
        true,
        batchSize,
      ),
      groups: [],
    }));
    const keyColumns: Value[][] = this.keys.map(() => []);
    const setOfGroup: number[] = [];
    const states = this.aggregates.map(({ call }) => groupedState(call, execution));
    const ordered = this.aggregates.map(({ call, sortKeys }) =>
      sortKeys === undefined ? undefined : new OrderedRows(call, sortKeys, execution),
    );
    const direct: (readonly Value[])[][] = this.aggregates.map(() => []);
    // A set without keys has its one group whether there are rows or not.
    sets.forEach((set, s) => {
      if (set.keys.length === 0) this.newGroup(set, s, setOfGroup, keyColumns, [], 0);
    });
    for (const state of states) state.grow(setOfGroup.length);
    const groups = execution.ids(this.groupsCell);
    let charged = 0;
    for (const step of this.input.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const evaluate = (): { keyVectors: Vector[]; evaluated: Evaluated[] } => this.evaluate(execution, step);
      const { keyVectors, evaluated } = this.pausable ? yield* settle(execution, evaluate) : evaluate();
      for (let s = 0; s < sets.length; s++) {
        this.assignGroups(sets[s], s, step, keyVectors, groups, setOfGroup, keyColumns);
        for (let a = 0; a < states.length; a++) {
          const { sel, n, vectors, keys } = evaluated[a];
          states[a].grow(setOfGroup.length);
          keepDirect(direct[a], evaluated[a], s, groups);
          const rows = ordered[a];
          if (rows === undefined) states[a].update(vectors, sel, n, groups);
          else rows.take(vectors, keys, sel, n, groups);
        }
      }
      const fresh = setOfGroup.length - charged;
      if (fresh > 0) {
        execution.hold(this.source, fresh, fresh * 32 * (this.keys.length + states.length));
        charged = setOfGroup.length;
      }
    }
    for (let a = 0; a < states.length; a++) {
      const rows = ordered[a];
      if (rows === undefined) continue;
      yield* rows.finish(states[a], setOfGroup.length, (group) => direct[a][group] ?? []);
    }
    execution.stores[this.source] = yield* this.results(execution, keyColumns, states, setOfGroup, direct);
    yield* columnBatches(execution, execution.batch(this.batchCell), this.source, setOfGroup.length);
  }

  /** Reads keys and arguments; nothing is changed, so that it can be repeated after a subquery. */
  private evaluate(execution: Execution, batch: Batch): { keyVectors: Vector[]; evaluated: Evaluated[] } {
    const keyVectors = this.keys.map((key) => key.evaluate(execution, batch, batch.sel, batch.count));
    const evaluated = this.aggregates.map((aggregate) => {
      let { sel, count: n } = batch;
      if (aggregate.filter !== undefined) {
        const kept = execution.ids(aggregate.filterCell);
        n = aggregate.filter(execution, batch, sel, n, kept);
        sel = kept;
      }
      return {
        sel,
        n,
        vectors: aggregate.args.map((arg) => arg.evaluate(execution, batch, sel, n)),
        keys: (aggregate.sortKeys ?? []).map((key) => key.kernel.evaluate(execution, batch, sel, n)),
        direct: aggregate.direct.map((list) => list.map((arg) => arg.evaluate(execution, batch, sel, n))),
      };
    });
    return { keyVectors, evaluated };
  }

  private assignGroups(
    set: SetState,
    s: number,
    batch: Batch,
    keyVectors: readonly Vector[],
    out: Int32Array,
    setOfGroup: number[],
    keyColumns: Value[][],
  ): void {
    const { sel, count } = batch;
    const fresh: number[] = [];
    set.table.encode(
      set.keys.map((key) => keyVectors[key]),
      sel,
      count,
      out,
      fresh,
    );
    if (set.keys.length > 0)
      for (const position of fresh) this.newGroup(set, s, setOfGroup, keyColumns, keyVectors, position);
    if (this.plan.groupingSets.length > 1) {
      for (let k = 0; k < count; k++) out[sel[k]] = set.groups[out[sel[k]]];
    }
  }

  private newGroup(
    set: SetState,
    s: number,
    setOfGroup: number[],
    keyColumns: Value[][],
    keyVectors: readonly Vector[],
    position: number,
  ): void {
    set.groups.push(setOfGroup.length);
    setOfGroup.push(s);
    for (let c = 0; c < keyColumns.length; c++) {
      keyColumns[c].push(set.keys.includes(c) ? keyVectors[c][position] : null);
    }
  }

  private *results(
    execution: Execution,
    keyColumns: Value[][],
    states: readonly GroupedState[],
    setOfGroup: readonly number[],
    direct: readonly (readonly (readonly Value[])[])[],
  ): Generator<Pause, Value[][], void> {
    const count = setOfGroup.length;
    const columns = [...keyColumns];
    for (let a = 0; a < states.length; a++) {
      const state = states[a];
      state.grow(count);
      const column: Value[] = new Array(count);
      const constants = this.aggregates[a].direct.map((list) => list.map((arg) => arg.scalar?.(execution) ?? null));
      for (let g = 0; g < count; g++) {
        const given = constants[setOfGroup[g]] ?? constants[0];
        column[g] = state.result(g, given.length === 0 ? undefined : (direct[a][g] ?? given));
        if (execution.budget.step()) yield pause;
      }
      columns.push(column);
    }
    for (const grouping of this.plan.groupings) {
      const masks = this.plan.groupingSets.map((keys) =>
        grouping.keys.reduce((mask, key) => mask * 2 + (keys.includes(key) ? 0 : 1), 0),
      );
      columns.push(setOfGroup.map((s) => masks[s]));
    }
    return columns;
  }
}

/** The order in which the aggregate sees its rows. */
function orderOf(call: AggregateCall): AggregateCall["orderBy"] {
  if (!call.distinct) return call.orderBy;
  const covered = call.orderBy.length;
  const rest = call.args.slice(covered).map((expr) => ({ expr, descending: false, nullsFirst: false }));
  return [...call.orderBy, ...rest].filter((key) => hasOrder(key.expr.type));
}

function hasOrder(type: import("../../types/type.js").SqlType): boolean {
  return type.name !== "json" && type.name !== "jsonpath";
}

/** Direct arguments are the same for all rows of a group: the first row's are kept. */
function keepDirect(kept: (readonly Value[])[], evaluated: Evaluated, set: number, groups: Int32Array): void {
  const vectors = evaluated.direct[set] ?? evaluated.direct[0];
  if (vectors.length === 0) return;
  for (let k = 0; k < evaluated.n; k++) {
    const i = evaluated.sel[k];
    const group = groups[i];
    if (kept[group] === undefined) kept[group] = vectors.map((vector) => vector[i]);
  }
}
