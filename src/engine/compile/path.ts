/**
 * `jsonb ->> 'key'` on plain objects, whose strings are taken as they are. Everything else a path step can meet (numbers,
 * arrays, nested values to print, keys that JavaScript objects inherit) goes through the library's operator.
 */
import type { Call } from "../../planner/expr.js";
import type { Value } from "../../types/value.js";
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
  return {
    evaluate: (execution, batch, sel, n) => {
      const values = kernel.evaluate(execution, batch, sel, n);
      const out = execution.vector(cell);
      const call = execution.callable(callCell, expr) as (json: Value, key: string) => Value;
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const json = values[i];
        if (json === null) {
          out[i] = null;
          continue;
        }
        if (typeof json === "object" && Object.getPrototypeOf(json) === Object.prototype) {
          const field = (json as Record<string, unknown>)[name];
          if (typeof field === "string") {
            out[i] = field;
            continue;
          }
          if (field == null) {
            out[i] = null;
            continue;
          }
        }
        out[i] = call(json, name);
      }
      return out;
    },
  };
}
