/** What became of a statement: PostgreSQL's reply beside the engine's. */
import { compareAnswers, type GivenAnswer, type WantedAnswer } from "../conformance/compare-rows.js";
import type { Refusal } from "../conformance/engine-host.js";
import type { OracleReply } from "./oracle.js";

/**
 * `wrong`: both answer and differ; `false error`: only PostgreSQL answers; `missed error`: only the engine does; `both
 * refuse`: with the same SQLSTATE or another; `skipped`: PostgreSQL ran into limits of its own.
 */
export const categories = [
  "agree",
  "wrong",
  "missed error",
  "false error",
  "both refuse",
  "crash",
  "hang",
  "skipped",
] as const;
export type Category = (typeof categories)[number];

export interface Outcome {
  readonly category: Category;
  /** Within the category: `value`, `row count`, `same SQLSTATE`, `internal error`, … */
  readonly sub: string;
  /** What tells this failure from others of its kind: codes, the shape of a message, a type. */
  readonly key: string;
  readonly note?: string;
}

export type EngineReply =
  | { readonly kind: "answered"; readonly answer: GivenAnswer }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "hang"; readonly reason: string }
  | { readonly kind: "crash"; readonly reason: string };

export interface ClassifyOptions {
  readonly order: readonly number[];
  readonly strict: boolean;
}

/** Codes of PostgreSQL's own limits: resources, cancellation, memory, depth. */
const limitCodes = /^(53|57|58|54001)/;

export function classify(oracle: OracleReply, engine: EngineReply, options: ClassifyOptions): Outcome {
  if (engine.kind === "hang" || engine.kind === "crash") {
    return { category: engine.kind, sub: "", key: messageShape(engine.reason), note: engine.reason };
  }
  const { error } = oracle;
  if (error !== undefined && limitCodes.test(error.code)) {
    return { category: "skipped", sub: error.code, key: messageShape(error.message) };
  }
  if (engine.kind === "refused") {
    const { refusal } = engine;
    const internal = refusal.code === undefined;
    if (error === undefined) {
      const key = `${refusal.code ?? ""} ${messageShape(refusal.message)}`.trim();
      return { category: "false error", sub: internal ? "internal error" : "error", key, note: refusal.message };
    }
    const same = refusal.code === error.code;
    const sub = same ? "same SQLSTATE" : internal ? "internal error" : "other SQLSTATE";
    const key = `${error.code} -> ${refusal.code ?? messageShape(refusal.message)}`;
    return { category: "both refuse", sub, key, note: `${error.message} -> ${refusal.message}` };
  }
  if (error !== undefined) {
    const sub = error.code.startsWith("2") ? "runtime" : "static";
    return { category: "missed error", sub, key: error.code, note: error.message };
  }
  const { answer = { columns: [], rows: [] } } = oracle;
  return compared(answer, engine.answer, options);
}

function compared(want: WantedAnswer, got: GivenAnswer, { order, strict }: ClassifyOptions): Outcome {
  const names = true;
  const types = true;
  const keys = order.length === 0 ? "any" : { keys: order };
  const found = compareAnswers(want, got, keys, { names, types, strict });
  if (found === undefined) return { category: "agree", sub: "", key: "" };
  return { category: "wrong", sub: found.kind, key: found.type ?? "", note: found.note };
}

export function isFailure({ category, sub }: Outcome): boolean {
  return category !== "agree" && category !== "skipped" && sub !== "same SQLSTATE";
}

export function sameFailure(a: Outcome, b: Outcome): boolean {
  return a.category === b.category && a.sub === b.sub && a.key === b.key;
}

/** A message with names and numbers taken out, so that equal mistakes read the same. */
function messageShape(message: string): string {
  return message
    .split("\n")[0]
    .replace(/"[^"]*"/g, '"_"')
    .replace(/'[^']*'/g, "'_'")
    .replace(/-?\d+(\.\d+)?/g, "N")
    .replace(
      /\b(column|relation|table|alias|function|operator|type)( does not exist)?:? [\w.$]+\b(?=\s|$|\()/gi,
      "$1 _",
    )
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 110);
}
