/** Judges the reply to one case. */
import { compareAnswers } from "./compare-rows.js";
import { type Case, isErrorAnswer } from "./corpus.js";
import type { HostReply } from "./engine-host.js";
import type { Lost } from "./engine-process.js";

/**
 * `wrong`: another answer, without an error; `missed error`: an answer where PostgreSQL refuses; `false error`: the other
 * way round; `time out`: no answer in time, or the process ended; `no setup`: the database could not be made.
 */
export type Verdict = "correct" | "right error" | "wrong" | "missed error" | "false error" | "time out" | "no setup";

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly sameSqlstate?: boolean;
  readonly sameNames?: boolean;
  /** Refused because a required key has no value (HV002): what the whole `Database` is meant to do. */
  readonly keyless?: boolean;
  readonly milliseconds: number;
}

export function judge(item: Case, reply: HostReply | Lost, strict: boolean): Judgement {
  const { want } = item;
  if (reply.kind === "refused") {
    const { refusal, milliseconds } = reply;
    const { code, message } = refusal;
    const reason = `${code ?? "no SQLSTATE"} ${message}`;
    if (isErrorAnswer(want)) {
      return { verdict: "right error", reason, sameSqlstate: code === want.sqlstate, milliseconds };
    }
    if (code === "HV002") return { verdict: "right error", reason, keyless: true, milliseconds };
    return { verdict: "false error", reason, milliseconds };
  }
  if (reply.kind !== "answered") {
    return { verdict: "time out", reason: "reason" in reply ? reply.reason : reply.kind, milliseconds: 0 };
  }
  const { answer, milliseconds } = reply;
  if (isErrorAnswer(want)) {
    return { verdict: "missed error", reason: `PostgreSQL: ${want.sqlstate} ${want.message}`, milliseconds };
  }
  const asShape = item.shape === true && answer.rows.length === want.rows.length;
  const compared = asShape ? { ...answer, rows: want.rows } : answer;
  const difference = compareAnswers(want, compared, item.order, { strict });
  if (difference !== undefined) {
    return { verdict: "wrong", reason: `${difference.kind}: ${difference.note}`, milliseconds };
  }
  const sameNames = want.columns.every(({ name }, i) => answer.columns[i].name === name);
  return { verdict: "correct", sameNames, milliseconds };
}
