/** Counts judgements per source and prints them as a table. */
import type { Case, Group } from "./corpus.js";
import type { Judgement, Verdict } from "./judge.js";
import { knownDifference } from "./known-differences.js";

const verdicts: readonly Verdict[] = [
  "correct",
  "right error",
  "wrong",
  "missed error",
  "false error",
  "time out",
  "no setup",
];

export interface Failure {
  readonly source: string;
  readonly id: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly sql: string;
}

interface Counts {
  readonly verdicts: Map<Verdict, number>;
  cases: number;
  sameSqlstate: number;
  judgedErrors: number;
  otherNames: number;
  keyless: number;
  readonly times: number[];
}

export class Tally {
  readonly failures: Failure[] = [];
  /** Right errors under another SQLSTATE than PostgreSQL's. */
  readonly otherCodes: Failure[] = [];
  private readonly sources = new Map<string, Counts>();

  add(group: Group, item: Case, judgement: Judgement): void {
    const counts = this.sources.get(group.source) ?? emptyCounts();
    this.sources.set(group.source, counts);
    const { verdict, reason, sameSqlstate, sameNames, keyless, milliseconds } = judgement;
    counts.cases++;
    counts.verdicts.set(verdict, (counts.verdicts.get(verdict) ?? 0) + 1);
    counts.times.push(milliseconds);
    if (keyless) counts.keyless++;
    if (sameNames === false) counts.otherNames++;
    if (sameSqlstate !== undefined && verdict === "right error") {
      counts.judgedErrors++;
      if (sameSqlstate) counts.sameSqlstate++;
      else
        this.otherCodes.push({ source: group.source, id: item.id, verdict, ...(reason && { reason }), sql: item.sql });
    }
    if (verdict !== "correct" && verdict !== "right error") {
      this.failures.push({ source: group.source, id: item.id, verdict, ...(reason && { reason }), sql: item.sql });
    }
  }

  count(verdict: Verdict): number {
    return [...this.sources.values()].reduce((sum, counts) => sum + (counts.verdicts.get(verdict) ?? 0), 0);
  }

  /** Wrong answers and missed errors that are not known for a reason. */
  silent(): Failure[] {
    return this.failures.filter(
      ({ verdict, id }) => (verdict === "wrong" || verdict === "missed error") && knownDifference(id) === undefined,
    );
  }

  get cases(): number {
    return [...this.sources.values()].reduce((sum, counts) => sum + counts.cases, 0);
  }

  get sourceNames(): string[] {
    return [...this.sources.keys()];
  }

  /** Rows are sources; `score` is the share of correct answers and right errors. */
  table(): string {
    const head = ["source", "cases", ...verdicts, "score", "SQLSTATE", "names", "p50 ms", "p99 ms"];
    const rows = [...this.sources].map(([name, counts]) => rowOf(name, counts));
    const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
    const line = (cells: readonly string[]): string =>
      cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  ");
    return [line(head), ...rows.map(line), ...this.notes()].join("\n");
  }

  private notes(): string[] {
    const notes = ["", "SQLSTATE: same code among right errors; names: correct answers whose output names differ."];
    for (const [name, { keyless }] of this.sources) {
      if (keyless > 0) notes.push(`${name}: ${keyless} refused for want of a required key (HV002), as they should be.`);
    }
    for (const { id, verdict } of this.failures) {
      const reason = knownDifference(id);
      if (reason !== undefined) notes.push(`${verdict}, but known: ${id}: ${reason}.`);
    }
    return notes;
  }
}

function emptyCounts(): Counts {
  return { verdicts: new Map(), cases: 0, sameSqlstate: 0, judgedErrors: 0, otherNames: 0, keyless: 0, times: [] };
}

function rowOf(name: string, counts: Counts): string[] {
  const of = (verdict: Verdict): number => counts.verdicts.get(verdict) ?? 0;
  const times = counts.times.sort((a, b) => a - b);
  const quantile = (q: number): string => times[Math.min(times.length - 1, Math.floor(q * times.length))].toFixed(1);
  const score = (100 * (of("correct") + of("right error"))) / counts.cases;
  return [
    name,
    String(counts.cases),
    ...verdicts.map((verdict) => String(of(verdict))),
    `${score.toFixed(2)} %`,
    counts.judgedErrors === 0 ? "-" : `${counts.sameSqlstate}/${counts.judgedErrors}`,
    String(counts.otherNames),
    quantile(0.5),
    quantile(0.99),
  ];
}
