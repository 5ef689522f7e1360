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
  for (const [tried, item] of group.cases.entries()) {
    if (lost >= hopelessAfter && lost / tried >= 0.6) {
      report(group, item, { verdict: "time out", reason: "the group was given up", milliseconds: 0 });
      continue;
    }
    const reply = await engine.run(item.sql, item.params ?? [], timeoutMs);
    if (reply.kind === "hang" || reply.kind === "crash") lost++;
    report(group, item, withSetup(judge(item, reply, strict), opened.failures[0]));
  }
}

function subjectOf(group: Group): SubjectKind {
  return group.source === "model-sql engine" || group.source === "model-sql database" ? group.source : "engine";
}

/** Where the setup failed in part, an expected error proves nothing. */
function withSetup(judgement: Judgement, failure: string | undefined): Judgement {
  if (failure === undefined) return judgement;
  if (judgement.verdict === "right error") return { ...judgement, verdict: "no setup", reason: failure };
  return { ...judgement, reason: `${judgement.reason ?? ""} | setup: ${failure}` };
}
