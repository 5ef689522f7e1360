/**
 * Passes batches on piece by piece, for operators above that compute something which may take long for a single row (a hash
 * of a long text, a power of a numeric): a thousand such rows at once would keep the event loop from its turns. The pieces
 * begin small and grow as long as they are quick, so that ordinary functions see whole batches soon.
 */
import type { Expr } from "../../planner/expr.js";
import { someExpression } from "../../planner/visit.js";
import type { SqlType } from "../../types/type.js";
import { batchSize, type Layout, pause } from "../batch.js";
import type { Execution } from "../execution.js";
import type { Operator, Step } from "../operator.js";

/** Rows of the first piece. */
const firstPiece = 16;
/** How much larger the next piece may be. */
const mostGrowth = 4;
/** What the operators above should take for a piece. */
const targetMs = 4;

/** The operator, in pieces when one of the expressions above it may take long for a row. */
export function inPieces(input: Operator, expressions: Iterable<Expr>): Operator {
  return anyMayTakeLong(expressions) ? new PiecesOperator(input) : input;
}

/** Whether one of the expressions may take long for a single row. */
export function anyMayTakeLong(expressions: Iterable<Expr>): boolean {
  for (const expr of expressions) if (someExpression(expr, mayTakeLong)) return true;
  return false;
}

/** How many rows an operator makes at once of those that it computes something for itself. */
export class Pace {
  rows: number;
  private before = 0;

  /** @param slow something may take long for a single row; otherwise it is always a whole batch */
  constructor(private readonly slow: boolean) {
    this.rows = slow ? firstPiece : batchSize;
  }

  begin(): void {
    if (this.slow) this.before = performance.now();
  }

  /** After `n` rows: whether the event loop should have a turn. */
  end(n: number, execution: Execution): boolean {
    if (!this.slow) return execution.budget.step(n);
    const spent = performance.now() - this.before;
    if (n === this.rows || spent > targetMs) this.rows = nextSize(n, spent);
    return execution.budget.due();
  }
}

class PiecesOperator implements Operator {
  readonly layout: Layout;

  constructor(private readonly input: Operator) {
    this.layout = input.layout;
  }

  *open(execution: Execution): Generator<Step, void, void> {
    let size = firstPiece;
    for (const step of this.input.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const { sel, count } = step;
      for (let start = 0; start < count; ) {
        const n = Math.min(size, count - start);
        if (n < count) {
          // What was read of the batch so far are the rows of the piece before.
          step.sel = sel.subarray(start, start + n);
          step.count = n;
          step.serial++;
          step.loaded.fill(false);
        }
        start += n;
        const before = performance.now();
        yield step;
        const spent = performance.now() - before;
        if (n === size || spent > targetMs) size = nextSize(n, spent);
        if (start < count && execution.budget.due()) yield pause;
      }
    }
  }
}

function nextSize(rows: number, spentMs: number): number {
  const fitting = Math.floor((rows * targetMs) / Math.max(spentMs, targetMs / mostGrowth));
  return Math.min(batchSize, Math.max(1, fitting));
}

/** Types of which one value may be large. */
const unbounded = new Set(["text", "varchar", "bpchar", "citext", "bytea", "json", "jsonb", "numeric"]);
/** Comparisons look at the beginnings of their sides. */
const comparisons = new Set(["=", "<>", "<", "<=", ">", ">="]);

function isUnbounded(type: SqlType): boolean {
  return type.kind === "base" ? unbounded.has(type.name) : type.kind === "array";
}

/** Whether a value of one of the expressions may be large. */
export function anyIsLarge(expressions: readonly Expr[]): boolean {
  return expressions.some((expr) => isUnbounded(expr.type));
}

/** Whether one evaluation can take long: a function of a value that may be large, or one that gives such a value. */
function mayTakeLong(expr: Expr): boolean {
  if (expr.kind === "Cast") return isUnbounded(expr.input.type) && expr.type !== expr.input.type;
  if (expr.kind !== "Call") return false;
  if (expr.operator !== undefined && comparisons.has(expr.operator)) return expr.args[0].type.kind === "array";
  return isUnbounded(expr.type) || expr.args.some((arg) => isUnbounded(arg.type));
}
