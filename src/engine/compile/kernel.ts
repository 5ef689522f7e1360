/**
 * Compiled expressions. A kernel evaluates an expression at some positions of a batch into a vector; one that has the
 * same value at all positions (constants, parameters, columns of enclosing queries and calls over them) also offers
 * `scalar`. A predicate narrows a selection to the positions where a condition is true.
 */
import { SqlError, withPosition } from "../../errors/sql-error.js";
import type { Value } from "../../types/value.js";
import type { Batch, Vector } from "../batch.js";
import type { Builder } from "../builder.js";
import type { Execution } from "../execution.js";

/** Values at positions `sel[0 … n)`. The vector may be the batch's own: it is not to be written to, and holds until the kernel's next use. */
export type Evaluate = (execution: Execution, batch: Batch, sel: Int32Array, n: number) => Vector;
export type ScalarGetter = (execution: Execution) => Value;

export interface Kernel {
  readonly evaluate: Evaluate;
  readonly scalar?: ScalarGetter;
  /** Known when the plan is built. */
  readonly constant?: { readonly value: Value };
}

/** Writes the positions of `sel[0 … n)` where the condition is true to `out`, in order, and gives their number. `out` may be `sel`. */
export type Predicate = (execution: Execution, batch: Batch, sel: Int32Array, n: number, out: Int32Array) => number;

/** A kernel with one value for all positions. */
export function scalarKernel(builder: Builder, scalar: ScalarGetter, constant?: { readonly value: Value }): Kernel {
  const cell = builder.cell();
  return {
    scalar,
    constant,
    evaluate: (execution, _batch, sel, n) => {
      const out = execution.vector(cell);
      if (n === 0) return out;
      const value = scalar(execution);
      for (let k = 0; k < n; k++) out[sel[k]] = value;
      return out;
    },
  };
}

/** The kernel with errors told where in the text they happened. */
export function located(kernel: Kernel, position: number | undefined): Kernel {
  if (position === undefined || kernel.constant !== undefined) return kernel;
  const { evaluate, scalar } = kernel;
  return {
    ...kernel,
    evaluate: (execution, batch, sel, n) => {
      try {
        return evaluate(execution, batch, sel, n);
      } catch (error) {
        throw error instanceof SqlError ? withPosition(error, position) : error;
      }
    },
    ...(scalar !== undefined && {
      scalar: (execution: Execution) => {
        try {
          return scalar(execution);
        } catch (error) {
          throw error instanceof SqlError ? withPosition(error, position) : error;
        }
      },
    }),
  };
}

/** Positions where a vector of booleans is true. */
export function keepTrue(vector: Vector, sel: Int32Array, n: number, out: Int32Array): number {
  let m = 0;
  for (let k = 0; k < n; k++) {
    const i = sel[k];
    if (vector[i] === true) out[m++] = i;
  }
  return m;
}

/** A predicate out of a kernel. */
export function predicateOf(kernel: Kernel): Predicate {
  const { evaluate, scalar } = kernel;
  if (scalar !== undefined) {
    return (execution, _batch, sel, n, out) => {
      if (n === 0 || scalar(execution) !== true) return 0;
      if (out !== sel) for (let k = 0; k < n; k++) out[k] = sel[k];
      return n;
    };
  }
  return (execution, batch, sel, n, out) => keepTrue(evaluate(execution, batch, sel, n), sel, n, out);
}
