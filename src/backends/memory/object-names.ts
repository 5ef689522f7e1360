/** The names PostgreSQL gives to constraints, indexes and sequences that were not named. Source: makeObjectName, ChooseRelationName. */

const maxBytes = 63;

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Cuts whole characters off the end until the text has at most `bytes` bytes. */
function cut(text: string, bytes: number): string {
  const characters = [...text];
  while (byteLength(characters.join("")) > bytes) characters.pop();
  return characters.join("");
}

/** `table_column_label`, with the longer of the two names shortened until it fits. */
function objectName(first: string, second: string | undefined, label: string): string {
  const overhead = label.length + 1 + (second === undefined ? 0 : 1);
  let firstBytes = byteLength(first);
  let secondBytes = second === undefined ? 0 : byteLength(second);
  while (firstBytes + secondBytes > maxBytes - overhead) {
    if (firstBytes > secondBytes) firstBytes--;
    else secondBytes--;
  }
  const parts = [cut(first, firstBytes)];
  if (second !== undefined) parts.push(cut(second, secondBytes));
  return [...parts, label].join("_");
}

/** A name that is not taken: `t_a_key`, `t_a_key1`, … */
export function chooseName(
  table: string,
  columns: readonly string[],
  label: string,
  taken: (name: string) => boolean,
): string {
  const second = columns.length === 0 ? undefined : columns.join("_");
  for (let n = 0; ; n++) {
    const name = objectName(table, second, n === 0 ? label : `${label}${n}`);
    if (!taken(name)) return name;
  }
}
