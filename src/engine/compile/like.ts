/**
 * LIKE and NOT LIKE with a constant pattern that is plain text between `%`s: `includes`, `startsWith`, `endsWith`. Other
 * patterns are left to the library, which has the whole matcher.
 */
import type { Call } from "../../planner/expr.js";
import type { Value } from "../../types/value.js";
import type { Scope } from "../builder.js";
import { compile } from "./expression.js";
import type { Kernel } from "./kernel.js";

const matchers = new Set(["~~", "!~~"]);

/** The kernel of a simple LIKE, `undefined` for any other call. */
export function compileMatch(expr: Call, scope: Scope): Kernel | undefined {
  if (expr.operator === undefined || !matchers.has(expr.operator) || expr.args.length !== 2) return undefined;
  const [input, pattern] = expr.args;
  if (pattern.kind !== "Constant" || typeof pattern.value !== "string") return undefined;
  if (input.type.name !== "text" && input.type.name !== "varchar") return undefined;
  const matches = simpleMatcher(pattern.value);
  if (matches === undefined) return undefined;
  const kernel = compile(input, scope);
  if (kernel.scalar !== undefined) return undefined;
  const wanted = expr.operator === "~~";
  const cell = scope.builder.cell();
  return {
    evaluate: (execution, batch, sel, n) => {
      const values = kernel.evaluate(execution, batch, sel, n);
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const value: Value = values[i];
        out[i] = value === null ? null : matches(value as string) === wanted;
      }
      return out;
    },
  };
}

/** A test for patterns without `_` and `\`, and with `%` at the ends only. */
function simpleMatcher(pattern: string): ((text: string) => boolean) | undefined {
  if (pattern.includes("_") || pattern.includes("\\")) return undefined;
  const parts = pattern.split("%");
  if (parts.length === 1) return (text) => text === pattern;
  if (parts.length === 2) {
    const [head, tail] = parts;
    if (head === "" && tail === "") return () => true;
    if (tail === "") return (text) => text.startsWith(head);
    if (head === "") return (text) => text.endsWith(tail);
    return (text) => text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
  }
  const [head, middle, tail] = parts;
  return parts.length === 3 && head === "" && tail === "" ? (text) => text.includes(middle) : undefined;
}
