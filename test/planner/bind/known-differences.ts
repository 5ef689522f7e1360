/** Statements that the binder answers otherwise than PostgreSQL 15, with the reason. */

interface Difference {
  readonly reason: string;
  readonly ours: unknown;
}

export const knownDifferences: Readonly<Record<string, Difference>> = {};
