/** Finds the name a reader probably meant; used by every "does not exist" error. */

/**
 * The candidate nearest to `name`, or `undefined` when none is near enough to be a likely slip.
 * Case is ignored; the distance allowed grows with the length (PostgreSQL allows about half the length as well).
 */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  const names = [...candidates]; // read twice below
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 2)) + 1;
  for (const candidate of names) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (best !== undefined) return best;
  for (const candidate of names) {
    const other = candidate.toLowerCase();
    if (wanted.length >= 3 && (other.endsWith(`_${wanted}`) || other.startsWith(`${wanted}_`))) return candidate;
  }
  return undefined;
}

/**
 * Edit distance in which two neighbouring characters changed round count as one slip.
 * Gives `limit` as soon as the answer cannot be below it.
 */
export function editDistance(a: string, b: string, limit: number = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous2: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let smallest = i;
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      let value = Math.min(previous[j] + 1, row[j - 1] + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, previous2[j - 2] + 1);
      row.push(value);
      if (value < smallest) smallest = value;
    }
    if (smallest >= limit) return limit;
    previous2 = previous;
    previous = row;
  }
  return previous[b.length];
}
