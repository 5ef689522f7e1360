/**
 * `jsonb ->> 'key'` on plain objects, whose strings are taken as they are. Everything else a path step can meet (numbers,
 * arrays, nested values to print, keys that JavaScript objects inherit) goes through the library's operator.
 */
import type { Call } from "../../planner/expr.js";
import type { Value } from "../../types/value.js";
import type { Vector } from "../batch.js";
import type { Scope } from "../builder.js";
import { compile } from "./expression.js";
import type { Kernel } from "./kernel.js";

export function compilePath(expr: Call, scope: Scope): Kernel | undefined {
  if (expr.operator !== "->>" || expr.args.length !== 2) return undefined;
  const [input, key] = expr.args;
  if (input.type.name !== "jsonb" || key.type.name !== "text") return undefined;
  if (key.kind !== "Constant" || typeof key.value !== "string" || key.value in {}) return undefined;
  const kernel = compile(input, scope);
  if (kernel.scalar !== undefined) return undefined;
  const name = key.value;
  const callCell = scope.builder.cell();
  const cell = scope.builder.cell();
  const loop = pathLoops[nextLoop++ % pathLoops.length];
  return {
    evaluate: (execution, batch, sel, n) => {
      const values = kernel.evaluate(execution, batch, sel, n);
      const out = execution.vector(cell);
      loop(values, sel, n, name, out, execution.callable(callCell, expr) as JsonGetter);
      return out;
    },
  };
}

type JsonGetter = (json: Value, key: string) => Value;
type PathLoop = (values: Vector, sel: Int32Array, n: number, name: string, out: Vector, get: JsonGetter) => void;

// Copies of one loop, for the reason given in `readers.ts`.
let nextLoop = 0;
const pathLoops: readonly PathLoop[] = [
  (values, sel, n, name, out, get) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const json = values[i];
      const field = isObject(json) ? json[name] : notPlain;
      out[i] = typeof field === "string" ? field : json === null || field == null ? null : get(json, name);
    }
  },
  (values, sel, n, name, out, get) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const json = values[i];
      const field = isObject(json) ? json[name] : notPlain;
      out[i] = typeof field === "string" ? field : json === null || field == null ? null : get(json, name);
    }
  },
  (values, sel, n, name, out, get) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const json = values[i];
      const field = isObject(json) ? json[name] : notPlain;
      out[i] = typeof field === "string" ? field : json === null || field == null ? null : get(json, name);
    }
  },
  (values, sel, n, name, out, get) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const json = values[i];
      const field = isObject(json) ? json[name] : notPlain;
      out[i] = typeof field === "string" ? field : json === null || field == null ? null : get(json, name);
    }
  },
];
const notPlain = Symbol("not a plain object");

function isObject(json: Value): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && Object.getPrototypeOf(json) === Object.prototype;
}
