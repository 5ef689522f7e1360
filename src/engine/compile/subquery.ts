/**
 * Subqueries in expressions. One that mentions nothing outside runs once an execution, when it is first needed. A
 * correlated one runs once for each distinct tuple of outer values; the results are remembered. The kernel itself never
 * runs anything: it throws SubplanNeeded, its operator runs the subplan (with pauses) and evaluates again.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Column, Expr, Subquery } from "../../planner/expr.js";
import { outputOf } from "../../planner/plan.js";
import { columnsOf, freeColumns, someExpression, somePlan } from "../../planner/visit.js";
import { nestArrays } from "../../types/array-shape.js";
import { operationsOf } from "../../types/families.js";
import { RecordValue, type Value } from "../../types/value.js";
import { type Batch, type Pause, pause, type Vector } from "../batch.js";
import type { Builder, Scope } from "../builder.js";
import { CteReading } from "../cte-reading.js";
import type { Execution } from "../execution.js";
import { type Operator, SubplanNeeded, settle } from "../operator.js";
import { comparableAs, isPlainKey } from "./comparison.js";
import { compile } from "./expression.js";
import { type Kernel, located, scalarKernel } from "./kernel.js";

/** Runs the subplan for the outer values that are set now. */
type Run = (execution: Execution) => Generator<Pause, Value, void>;

/** Results remembered for one correlated subquery before the memory is emptied. */
const maxRemembered = 50_000;

export function compileSubquery(expr: Subquery, scope: Scope): Kernel {
  const { builder } = scope;
  builder.subplans++;
  const outputs = outputOf(expr.plan);
  const outer = new Set(freeColumns(expr.plan));
  const planCorrelated = outer.size > 0;
  const reading = CteReading.of(expr.plan, builder);
  if (!planCorrelated && expr.test !== undefined && expr.subqueryKind === "any") {
    const hashed = compileHashed(expr, expr.test, outputs, reading, scope);
    if (hashed !== undefined) return located(hashed, expr.position);
  }
  if (expr.test !== undefined) {
    const own = new Set(outputs.map((column) => column.id));
    for (const id of columnsOf(expr.test)) if (!own.has(id)) outer.add(id);
  }
  const run = located2(compileRun(expr, outputs, outer.size > 0, builder), expr.position);
  const kernel =
    outer.size === 0
      ? onceKernel(run, reading, builder)
      : isVolatile(expr)
        ? volatileKernel(run, [...outer], scope)
        : correlatedKernel(run, [...outer], reading, scope);
  return located(kernel, expr.position);
}

function isVolatile(expr: Expr): boolean {
  return someExpression(
    expr,
    (inner) => (inner.kind === "Call" || inner.kind === "Cast") && inner.volatility === "volatile",
  );
}

/** Positions for errors raised while the subplan runs, outside of the kernel. */
function located2(run: Run, position: number | undefined): Run {
  return function* (execution) {
    try {
      return yield* run(execution);
    } catch (error) {
      if (error instanceof SqlError && error.code === sqlstate.cardinalityViolation && error.position === undefined) {
        throw new SqlError(error.code, error.message, { hint: error.hint, position });
      }
      throw error;
    }
  };
}

/** The subplan's operators, built so that parts which do not depend on outer values are kept between runs. */
function buildSubplan(expr: Subquery, needed: ReadonlySet<number>, correlated: boolean, builder: Builder): Operator {
  const before = builder.insideCorrelated;
  builder.insideCorrelated = before || correlated;
  try {
    return builder.build(expr.plan, needed, builder);
  } finally {
    builder.insideCorrelated = before;
  }
}

function compileRun(expr: Subquery, outputs: readonly Column[], correlated: boolean, builder: Builder): Run {
  const needed = new Set(expr.subqueryKind === "exists" ? [] : outputs.map((column) => column.id));
  const operator = buildSubplan(expr, needed, correlated, builder);
  const scope: Scope = { builder, layout: operator.layout };
  switch (expr.subqueryKind) {
    case "exists":
      return runExists(operator);
    case "any":
    case "all": {
      if (expr.test === undefined) throw new SqlError(sqlstate.internalError, "ANY or ALL without a comparison");
      return runQuantified(operator, compile(expr.test, scope), expr.subqueryKind === "any");
    }
    default: {
      const kernels = outputs.map((column) =>
        compile({ kind: "Column", column, type: column.type, typmod: column.typmod }, scope),
      );
      if (expr.subqueryKind === "array") {
        const nested = outputs[0].type.kind === "array" ? (outputs[0].type.element ?? outputs[0].type) : undefined;
        return runArray(operator, kernels[0], nested);
      }
      const fields = expr.type.fields ?? outputs.map((column) => ({ name: column.name, type: column.type }));
      return runSingle(
        operator,
        kernels,
        expr.subqueryKind === "row" ? (values) => new RecordValue(values, fields) : (values) => values[0],
      );
    }
  }
}

function runExists(operator: Operator): Run {
  return function* (execution) {
    for (const step of operator.open(execution)) {
      if (step === pause) yield step;
      else if (step.count > 0) return true;
    }
    return false;
  };
}

function runQuantified(operator: Operator, test: Kernel, any: boolean): Run {
  return function* (execution) {
    let result: Value = !any;
    for (const step of operator.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const answers: Vector = yield* settle(execution, () => test.evaluate(execution, step, step.sel, step.count));
      for (let k = 0; k < step.count; k++) {
        const answer = answers[step.sel[k]];
        if (answer === any) return any;
        if (answer === null) result = null;
      }
    }
    return result;
  };
}

function runArray(operator: Operator, kernel: Kernel, nested: import("../../types/type.js").SqlType | undefined): Run {
  return function* (execution) {
    const items: Value[] = [];
    for (const step of operator.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const values = kernel.evaluate(execution, step, step.sel, step.count);
      for (let k = 0; k < step.count; k++) items.push(values[step.sel[k]]);
    }
    return nested === undefined ? items : nestArrays(items as never, nested);
  };
}

function runSingle(operator: Operator, kernels: readonly Kernel[], make: (values: Value[]) => Value): Run {
  return function* (execution) {
    let result: Value = null;
    let found = false;
    for (const step of operator.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      if (step.count === 0) continue;
      if (found || step.count > 1) throw severalRows();
      found = true;
      const { sel } = step;
      result = make(kernels.map((kernel) => kernel.evaluate(execution, step, sel, 1)[sel[0]]));
    }
    return result;
  };
}

/** The error of `= (SELECT …)` when the subquery has several rows. */
export function severalRows(): SqlError {
  return new SqlError(sqlstate.cardinalityViolation, "more than one row returned by a subquery used as an expression", {
    hint: "Add LIMIT 1 or an aggregate to the subquery, or use IN.",
  });
}

/** The result of a subquery that depends on nothing outside but CTEs. */
function onceKernel(run: Run, reading: CteReading, builder: Builder): Kernel {
  const cell = builder.cell();
  const present = (execution: Execution): { readonly value: Value } | undefined => {
    const kept = execution.cells[cell] as { value: Value; read: readonly unknown[] } | undefined;
    return kept !== undefined && reading.isPresent(execution, kept.read) ? kept : undefined;
  };
  const needed = new SubplanNeeded(function* (execution) {
    if (present(execution) !== undefined) return;
    const value = yield* run(execution);
    execution.cells[cell] = { value, read: reading.present(execution) };
  });
  return scalarKernel(builder, (execution) => {
    const kept = present(execution);
    if (kept === undefined) throw needed;
    return kept.value;
  });
}

/** Sets the outer columns to a tuple while a subplan runs. */
function withOuter(run: Run, outerNumbers: readonly number[]) {
  return function* (execution: Execution, tuple: readonly Value[]): Generator<Pause, Value, void> {
    const before = outerNumbers.map((number) => execution.outer[number]);
    outerNumbers.forEach((number, t) => {
      execution.outer[number] = tuple[t];
    });
    try {
      return yield* run(execution);
    } finally {
      outerNumbers.forEach((number, t) => {
        execution.outer[number] = before[t];
      });
    }
  };
}

function outerKernels(ids: readonly number[], scope: Scope): Kernel[] {
  return ids.map((id) =>
    compile({ kind: "Column", column: { id, name: String(id) } as Column, type: undefined as never } as Expr, scope),
  );
}

/** A memory of results by tuple: nested maps, the innermost one holding results. Values are told apart as they are, `1.0` from `1.00`. */
interface Memory {
  count: number;
  /** What the CTEs held that the results were made from. */
  read: readonly unknown[];
  root: Map<Value, unknown>;
}

function lookUp(memory: Memory, tuple: readonly Value[]): { value: Value } | undefined {
  let level: unknown = memory.root;
  for (const value of tuple) {
    level = (level as Map<Value, unknown>).get(Object.is(value, -0) ? "-0" : value);
    if (level === undefined) return undefined;
  }
  return level as { value: Value };
}

function remember(memory: Memory, tuple: readonly Value[], value: Value): void {
  let level = memory.root;
  for (let t = 0; t < tuple.length; t++) {
    const key = Object.is(tuple[t], -0) ? "-0" : tuple[t];
    if (t === tuple.length - 1) {
      level.set(key, { value });
      memory.count++;
      return;
    }
    let next = level.get(key) as Map<Value, unknown> | undefined;
    if (next === undefined) {
      next = new Map();
      level.set(key, next);
    }
    level = next;
  }
}

function correlatedKernel(run: Run, ids: readonly number[], reading: CteReading, scope: Scope): Kernel {
  const { builder } = scope;
  const inputs = outerKernels(ids, scope);
  const runFor = withOuter(
    run,
    ids.map((id) => builder.outer(id)),
  );
  const memoryCell = builder.cell();
  const outCell = builder.cell();
  return {
    evaluate: (execution, batch, sel, n) => {
      const vectors = inputs.map((input) => input.evaluate(execution, batch, sel, n));
      const out = execution.vector(outCell);
      let memory = execution.cells[memoryCell] as Memory | undefined;
      if (memory === undefined || !reading.isPresent(execution, memory.read)) {
        memory = { count: 0, read: reading.present(execution), root: new Map() };
        execution.cells[memoryCell] = memory;
      }
      let missing: Value[][] | undefined;
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const tuple = vectors.map((vector) => vector[i]);
        const kept = lookUp(memory, tuple);
        if (kept !== undefined) out[i] = kept.value;
        else if (missing === undefined) missing = [tuple];
        else missing.push(tuple);
      }
      if (missing === undefined) return out;
      const tuples = missing;
      const kept = memory;
      throw new SubplanNeeded(function* (running) {
        if (kept.count > maxRemembered) {
          kept.root.clear();
          kept.count = 0;
        }
        for (const tuple of tuples) {
          if (lookUp(kept, tuple) !== undefined) continue;
          remember(kept, tuple, yield* runFor(running, tuple));
          kept.read = reading.present(running);
          if (running.budget.step(16)) yield pause;
        }
      });
    },
  };
}

/** A correlated subquery with volatile functions runs for every row. Results are kept only until the batch changes. */
function volatileKernel(run: Run, ids: readonly number[], scope: Scope): Kernel {
  const { builder } = scope;
  const inputs = outerKernels(ids, scope);
  const runFor = withOuter(
    run,
    ids.map((id) => builder.outer(id)),
  );
  const cell = builder.cell();
  const outCell = builder.cell();
  return {
    evaluate: (execution, batch, sel, n) => {
      let kept = execution.cells[cell] as { batch: Batch; serial: number; results: Map<number, Value> } | undefined;
      if (kept === undefined || kept.batch !== batch || kept.serial !== batch.serial) {
        kept = { batch, serial: batch.serial, results: new Map() };
        execution.cells[cell] = kept;
      }
      const { results } = kept;
      const out = execution.vector(outCell);
      const missing: number[] = [];
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        if (results.has(i)) out[i] = results.get(i);
        else missing.push(i);
      }
      if (missing.length === 0) return out;
      const vectors = inputs.map((input) => input.evaluate(execution, batch, sel, n));
      const tuples = missing.map((i) => vectors.map((vector) => vector[i]));
      throw new SubplanNeeded(function* (running) {
        for (let t = 0; t < tuples.length; t++) {
          results.set(missing[t], yield* runFor(running, tuples[t]));
          if (running.budget.step(16)) yield pause;
        }
      });
    },
  };
}

/** `x IN (SELECT y)` where the query depends on nothing outside: a set of its values, made once. */
function compileHashed(
  expr: Subquery,
  test: Expr,
  outputs: readonly Column[],
  reading: CteReading,
  scope: Scope,
): Kernel | undefined {
  if (test.kind !== "Call" || test.operator !== "=" || test.args.length !== 2) return undefined;
  const own = new Set(outputs.map((column) => column.id));
  const isInner = (side: Expr): boolean => {
    const ids = [...columnsOf(side)];
    return ids.length > 0 && ids.every((id) => own.has(id));
  };
  const isOuter = (side: Expr): boolean => [...columnsOf(side)].every((id) => !own.has(id));
  const [a, b] = test.args;
  const [inner, outer] = isInner(a) && isOuter(b) ? [a, b] : isInner(b) && isOuter(a) ? [b, a] : [];
  if (inner === undefined || outer === undefined || isVolatile(inner)) return undefined;
  const plain = comparableAs(a.type, b.type) !== undefined && isPlainKey(a.type);
  const key = plain || a.type !== b.type ? undefined : operationsOf(a.type).key;
  if (!plain && key === undefined) return undefined;
  const { builder } = scope;
  const operator = buildSubplan(expr, columnsOf(inner), false, builder);
  const innerKernel = compile(inner, { builder, layout: operator.layout });
  const outerKernel = compile(outer, scope);
  const setCell = builder.cell();
  const outCell = builder.cell();
  interface Kept {
    values: Set<Value>;
    hasNull: boolean;
    read: readonly unknown[];
  }
  const needed = new SubplanNeeded(function* (execution) {
    const kept: Kept = { values: new Set(), hasNull: false, read: [] };
    for (const step of operator.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const values = yield* settle(execution, () => innerKernel.evaluate(execution, step, step.sel, step.count));
      const before = kept.values.size;
      for (let k = 0; k < step.count; k++) {
        const value = values[step.sel[k]];
        if (value === null) kept.hasNull = true;
        else kept.values.add(key === undefined ? value : key(value));
      }
      execution.budget.retain(kept.values.size - before, 48 * (kept.values.size - before));
    }
    kept.read = reading.present(execution);
    execution.cells[setCell] = kept;
  });
  return {
    evaluate: (execution, batch, sel, n) => {
      const out = execution.vector(outCell);
      if (n === 0) return out;
      const kept = execution.cells[setCell] as Kept | undefined;
      if (kept === undefined || !reading.isPresent(execution, kept.read)) throw needed;
      const { values, hasNull } = kept;
      const vector = outerKernel.evaluate(execution, batch, sel, n);
      const miss = hasNull ? null : false;
      const forNull = values.size === 0 && !hasNull ? false : null;
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const value = vector[i];
        if (value === null) out[i] = forNull;
        else out[i] = values.has(key === undefined ? value : key(value)) ? true : miss;
      }
      return out;
    },
  };
}

/** Whether a plan gives the same rows each time it is opened in one execution. */
export function isRepeatable(plan: import("../../planner/plan.js").LogicalPlan): boolean {
  if (freeColumns(plan).size > 0) return false;
  return !somePlan(
    plan,
    (node) => (node.kind === "CteScan" && node.workTable === true) || node.kind === "Write" || node.kind === "Merge",
    (inner) => (inner.kind === "Call" || inner.kind === "Cast") && inner.volatility === "volatile",
  );
}
