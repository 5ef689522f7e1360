/** Runs groups of cases, each in a fresh database of the engine's process, and tells each judgement as it comes. */
import type { Case, Group } from "./corpus.js";
import { EngineProcess } from "./engine-process.js";
import { type Judgement, judge } from "./judge.js";
import type { SubjectKind } from "./subject.js";

export interface RunOptions {
  readonly strict?: boolean;
  /** For one statement. */
  readonly timeoutMs?: number;
}

export type Report = (group: Group, item: Case, judgement: Judgement) => void;

/** A group in which so many cases, and most of those tried, ran out of time is given up. */
const hopelessAfter = 6;

export async function runGroups(groups: readonly Group[], report: Report, options: RunOptions = {}): Promise<void> {
  const engine = new EngineProcess();
  try {
    for (const group of groups) await runGroup(engine, group, report, options);
  } finally {
    await engine.close();
  }
}

async function runGroup(engine: EngineProcess, group: Group, report: Report, options: RunOptions): Promise<void> {
  const { strict = false, timeoutMs = 10_000 } = options;
  const opened = await engine.open(subjectOf(group), group.setup);
  if (opened.kind !== "opened") {
    const reason = "reason" in opened ? opened.reason : opened.kind;
    for (const item of group.cases) report(group, item, { verdict: "no setup", reason, milliseconds: 0 });
    return;
  }
  let lost = 0;
  let broken = opened.failures[0];
  for (const [tried, item] of group.cases.entries()) {
    if (lost >= hopelessAfter && lost / tried >= 0.6) {
      report(group, item, { verdict: "time out", reason: "the group was given up", milliseconds: 0 });
      continue;
    }
    const reply = await engine.run(item.sql, item.params ?? [], timeoutMs);
    if (reply.kind === "hang" || reply.kind === "crash") lost++;
    const judgement = judge(item, reply, strict);
    report(group, item, onBrokenGround(judgement, broken));
    const refused = judgement.verdict === "false error" || judgement.verdict === "time out";
    if (group.ordered && refused) broken ??= `${item.sql.slice(0, 60)}: ${judgement.reason ?? ""}`;
  }
}

function subjectOf(group: Group): SubjectKind {
  return group.source === "model-sql engine" || group.source === "model-sql database" ? group.source : "engine";
}

/** Where the setup failed in part, or a write before was refused, other rows and an expected error prove nothing. */
function onBrokenGround(judgement: Judgement, failure: string | undefined): Judgement {
  const { verdict, reason = "" } = judgement;
  if (failure === undefined || verdict === "correct") return judgement;
  if (verdict === "right error" || verdict === "wrong") return { ...judgement, verdict: "no setup", reason: failure };
  return { ...judgement, reason: `${reason} | before: ${failure}` };
}
