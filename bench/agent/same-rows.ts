/** Whether two answers are the same set of rows, whatever way an engine writes times and numbers. */
export function sameRows(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  const [a, b] = [one.map(canonical).sort(), other.map(canonical).sort()];
  return a.every((row, i) => row === b[i]);
}

function canonical(row: unknown): string {
  return JSON.stringify(row, (_, value: unknown) => {
    if (typeof value !== "string") return value;
    if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/.test(value)) return new Date(value.replace(" ", "T")).toISOString();
    return /^-?\d+$/.test(value) ? Number(value) : value;
  });
}
