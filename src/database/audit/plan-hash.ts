/** A short name for a plan: the same for statements that run alike, whatever the text was written like. */
import { explainPlan } from "../../planner/explain.js";
import { explainText } from "../../planner/explain-node.js";
import type { PreparedQuery } from "../prepare.js";

const known = new WeakMap<PreparedQuery, string>();

/** 16 hexadecimal digits of the plan as EXPLAIN (COSTS OFF) prints it. Tells plans apart; no protection against forgery. */
export function planHash(prepared: PreparedQuery): string {
  let hash = known.get(prepared);
  if (hash === undefined) {
    hash = hashOf(explainText(explainPlan(prepared.plan, { direct: prepared.direct, costs: false })));
    known.set(prepared, hash);
  }
  return hash;
}

/** Two runs of FNV-1a (32 bits) with different seeds. Source: RFC draft "The FNV Non-Cryptographic Hash Algorithm". */
function hashOf(text: string): string {
  return [0x811c9dc5, 0x01000193].map((seed) => fnv1a(text, seed).toString(16).padStart(8, "0")).join("");
}

function fnv1a(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
