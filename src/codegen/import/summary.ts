/** What an import has done, in lines for a person. */
import type { ManifestDraft } from "./draft.js";

/** Counts of a draft. */
export interface ImportCounts {
  readonly operations: number;
  readonly tables: number;
  readonly verbs: number;
  readonly skipped: number;
  readonly reviews: number;
}

export function countsOf(draft: ManifestDraft): ImportCounts {
  const sum = (count: (resource: ManifestDraft["resources"][number]) => number) =>
    draft.resources.reduce((total, resource) => total + count(resource), 0);
  return {
    operations: draft.operations,
    tables: draft.resources.length,
    verbs: sum((resource) => resource.verbs.size),
    skipped: draft.skipped.length,
    reviews: draft.notes.length + sum((resource) => resource.notes.length),
  };
}

/** `23 operations: 12 tables with 20 verbs`, what was left out and why, and what to look at. */
export function summaryLines(draft: ManifestDraft, word: "operations" | "tools"): string[] {
  const { operations, tables, verbs, skipped, reviews } = countsOf(draft);
  return [
    `${operations} ${word}: ${tables} tables with ${verbs} verbs`,
    ...(skipped === 0 ? [] : [`${skipped} left out:`]),
    ...draft.skipped.map((one) => `  ${one.operation}: ${one.reason}`),
    ...(reviews === 0 ? [] : [`${reviews} places to look at: lines with "# review:"`]),
  ];
}
