/** The report of a run as text. */
import { type Category, categories } from "./classify.js";
import type { FuzzResult } from "./fuzz.js";

export interface Rates {
  /** Of what both answer. */
  readonly wrong: number;
  /** Of what PostgreSQL answers. */
  readonly falseError: number;
  /** Of what PostgreSQL refuses. */
  readonly missedError: number;
  /** Of what both refuse. */
  readonly sameSqlstate: number;
}

export function ratesOf({ counts, subs }: FuzzResult): Rates {
  const of = (category: Category): number => counts.get(category) ?? 0;
  const answered = of("agree") + of("wrong") + of("false error") + of("crash") + of("hang");
  const refused = of("missed error") + of("both refuse");
  const same = subs.get("both refuse: same SQLSTATE") ?? 0;
  return {
    wrong: of("wrong") / Math.max(1, of("agree") + of("wrong")),
    falseError: of("false error") / Math.max(1, answered),
    missedError: of("missed error") / Math.max(1, refused),
    sameSqlstate: of("both refuse") === 0 ? 1 : same / of("both refuse"),
  };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.01 ? 3 : 1)} %`;
}

export function reportOf(result: FuzzResult, top: number): string {
  const { options, statements, deliberate, reduced, milliseconds, counts, subs, failures, rejected } = result;
  const seconds = (milliseconds / 1000).toFixed(0);
  const lines = [
    `profile ${options.profile}, seed ${options.seed}: ${statements} statements in ${seconds} s (${deliberate} wrong on purpose, ${reduced} failures made small)`,
  ];
  for (const category of categories) {
    const count = counts.get(category) ?? 0;
    const parts = [...subs].filter(([name]) => name.startsWith(`${category}: `));
    const detail = parts.map(([name, n]) => `${name.slice(category.length + 2)} ${n}`).join(", ");
    const share = percent(count / Math.max(1, statements));
    lines.push(`${category.padEnd(14)}${String(count).padStart(7)}  ${share.padStart(8)}  ${detail}`.trimEnd());
  }
  const rates = ratesOf(result);
  lines.push(
    `wrong of what both answer ${percent(rates.wrong)}; false errors of what PostgreSQL answers ${percent(rates.falseError)}; ` +
      `missed of what it refuses ${percent(rates.missedError)}; same SQLSTATE of what both refuse ${percent(rates.sameSqlstate)}`,
  );
  if (result.lostWorlds.length > 0) {
    lines.push(`${result.lostWorlds.length} worlds could not be made: ${result.lostWorlds[0]}`);
  }
  for (const category of categories) {
    const kinds = failures.filter((kind) => kind.outcome.category === category);
    if (kinds.length === 0) continue;
    lines.push("", `${category}: ${kinds.length} kinds`);
    for (const { count, title, examples } of kinds.slice(0, top)) {
      const [{ sql, params, note }] = examples;
      lines.push(`${String(count).padStart(6)}  ${title}`, `        ${sql.replace(/\s+/g, " ").slice(0, 400)}`);
      if (params.length > 0) lines.push(`        parameters: ${JSON.stringify(params)}`);
      if (note !== undefined) lines.push(`        -> ${note}`);
    }
  }
  const refused = [...rejected.values()].reduce((sum, { count }) => sum + count, 0);
  if (refused > 0) {
    lines.push("", `meant to be valid, but refused by PostgreSQL: ${refused} of ${statements - deliberate}`);
    const common = [...rejected].sort((a, b) => b[1].count - a[1].count).slice(0, 5);
    for (const [message, { count }] of common) lines.push(`${String(count).padStart(6)}  ${message}`);
  }
  return lines.join("\n");
}
