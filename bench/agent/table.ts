/** Figures, and the table that they are printed in. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

interface Named {
  readonly name: string;
}

/** Rows are queries; the first contestant in milliseconds, the others as ratios to it. */
export function table(
  queries: readonly Named[],
  contestants: readonly Named[],
  results: readonly ReadonlyMap<string, number>[],
): string {
  const [first, ...others] = contestants;
  const head = ["query", `${first.name} ms`, ...others.map(({ name }) => name)];
  const rows = queries.map(({ name }, i) => {
    const base = results[i].get(first.name) ?? Number.NaN;
    const ratios = others.map((other) => {
      const time = results[i].get(other.name);
      return time === undefined ? "-" : `${(time / base).toFixed(2)}x`;
    });
    return [name, base.toFixed(3), ...ratios];
  });
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
  return [head, ...rows]
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "))
    .join("\n");
}
