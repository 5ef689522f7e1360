/**
 * Calls of functions and operators, and casts. The callable is fetched once a batch; loops exist for one, two, three and
 * more arguments. Strict functions give NULL for NULL without a call, but all arguments are evaluated first, as in
 * PostgreSQL, so that their errors are not lost.
 */
import type { Call, Cast } from "../../planner/expr.js";
import type { Value } from "../../types/value.js";
import type { Scope } from "../builder.js";
import type { Execution } from "../execution.js";
import { commuted, comparableAs, numberLoops, plainTest, stringLoops, testPredicate } from "./comparison.js";
import { compile } from "./expression.js";
import { type Kernel, located, type Predicate, scalarKernel } from "./kernel.js";
import { compileMatch } from "./like.js";
import { compilePath } from "./path.js";

type Function1 = (a: Value) => Value;
type Function2 = (a: Value, b: Value) => Value;
type Function3 = (a: Value, b: Value, c: Value) => Value;
type FunctionN = (...args: Value[]) => Value;

export function compileCall(expr: Call, scope: Scope): Kernel {
  return located(compileMatch(expr, scope) ?? compilePath(expr, scope) ?? callKernel(expr, scope), expr.position);
}

function callKernel(expr: Call, scope: Scope): Kernel {
  const args = expr.args.map((arg) => compile(arg, scope));
  const cell = scope.builder.cell();
  const test = plainTest(expr);
  const callable =
    test === undefined ? (execution: Execution) => execution.callable(cell, expr) as unknown : (): unknown => test;
  const { strict } = expr;
  if (expr.volatility !== "volatile" && args.every((arg) => arg.scalar !== undefined)) {
    const getters = args.map((arg) => arg.scalar as (execution: Execution) => Value);
    return scalarKernel(scope.builder, (execution) => {
      const values = getters.map((get) => get(execution));
      if (strict && values.includes(null)) return null;
      return (callable(execution) as FunctionN)(...values);
    });
  }
  const out = scope.builder.cell();
  switch (args.length) {
    case 1:
      return call1(args[0], strict, callable, out);
    case 2:
      return call2(args[0], args[1], strict, callable, out);
    case 3:
      return call3(args[0], args[1], args[2], strict, callable, out);
    default:
      return callMany(args, strict, callable, out);
  }
}

type Fetch = (execution: Execution) => unknown;

function call1(arg: Kernel, strict: boolean, fetch: Fetch, cell: number): Kernel {
  return {
    evaluate: (execution, batch, sel, n) => {
      const a = arg.evaluate(execution, batch, sel, n);
      const call = fetch(execution) as Function1;
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const x = a[i];
        out[i] = strict && x === null ? null : call(x);
      }
      return out;
    },
  };
}

function call2(left: Kernel, right: Kernel, strict: boolean, fetch: Fetch, cell: number): Kernel {
  if (right.scalar !== undefined && left.scalar === undefined) {
    const get = right.scalar;
    return {
      evaluate: (execution, batch, sel, n) => {
        const a = left.evaluate(execution, batch, sel, n);
        const out = execution.vector(cell);
        if (n === 0) return out;
        const y = get(execution);
        if (strict && y === null) {
          for (let k = 0; k < n; k++) out[sel[k]] = null;
          return out;
        }
        const call = fetch(execution) as Function2;
        for (let k = 0; k < n; k++) {
          const i = sel[k];
          const x = a[i];
          out[i] = strict && x === null ? null : call(x, y);
        }
        return out;
      },
    };
  }
  return {
    evaluate: (execution, batch, sel, n) => {
      const a = left.evaluate(execution, batch, sel, n);
      const b = right.evaluate(execution, batch, sel, n);
      const call = fetch(execution) as Function2;
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const x = a[i];
        const y = b[i];
        out[i] = strict && (x === null || y === null) ? null : call(x, y);
      }
      return out;
    },
  };
}

function call3(first: Kernel, second: Kernel, third: Kernel, strict: boolean, fetch: Fetch, cell: number): Kernel {
  return {
    evaluate: (execution, batch, sel, n) => {
      const a = first.evaluate(execution, batch, sel, n);
      const b = second.evaluate(execution, batch, sel, n);
      const c = third.evaluate(execution, batch, sel, n);
      const call = fetch(execution) as Function3;
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const x = a[i];
        const y = b[i];
        const z = c[i];
        out[i] = strict && (x === null || y === null || z === null) ? null : call(x, y, z);
      }
      return out;
    },
  };
}

function callMany(args: readonly Kernel[], strict: boolean, fetch: Fetch, cell: number): Kernel {
  return {
    evaluate: (execution, batch, sel, n) => {
      const vectors = args.map((arg) => arg.evaluate(execution, batch, sel, n));
      const call = fetch(execution) as FunctionN;
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const values = vectors.map((vector) => vector[i]);
        out[i] = strict && values.includes(null) ? null : call(...values);
      }
      return out;
    },
  };
}

/** Casts between string types that change nothing. */
function isRelabelling(expr: Cast): boolean {
  const typmod = expr.typmod ?? -1;
  const source = expr.input.type;
  if (expr.type === source) return typmod < 0;
  return (expr.type.name === "text" || (expr.type.name === "varchar" && typmod < 0)) &&
    (source.name === "varchar" || source.name === "text")
    ? source.kind === "base"
    : false;
}

export function compileCast(expr: Cast, scope: Scope): Kernel {
  const input = compile(expr.input, scope);
  if (isRelabelling(expr)) return input;
  const cell = scope.builder.cell();
  if (expr.volatility !== "volatile" && input.scalar !== undefined) {
    const get = input.scalar;
    const kernel = scalarKernel(scope.builder, (execution) => {
      const value = get(execution);
      return value === null ? null : execution.conversion(cell, expr)(value);
    });
    return located(kernel, expr.position);
  }
  const convert = (execution: Execution): unknown => execution.conversion(cell, expr);
  return located(call1(input, true, convert, scope.builder.cell()), expr.position);
}

/** The fused predicate of a comparison, when there is one. */
export function predicateOfCall(expr: Call, scope: Scope): Predicate | undefined {
  const test = plainTest(expr);
  if (test === undefined || expr.operator === undefined) return undefined;
  const [left, right] = expr.args.map((arg) => compile(arg, scope));
  if (left.scalar !== undefined && right.scalar !== undefined) return undefined;
  const loops = comparableAs(expr.args[0].type, expr.args[1].type) === "number" ? numberLoops : stringLoops;
  if (right.scalar !== undefined) {
    return loops[expr.operator]?.(left, right) ?? testPredicate(left, right, test);
  }
  if (left.scalar !== undefined) {
    const turned = loops[commuted[expr.operator]];
    if (turned !== undefined) return turned(right, left);
  }
  return testPredicate(left, right, test);
}
