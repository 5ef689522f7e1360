/** Tells values of different types apart: `1`, `"1"`, `1n`, a Date and a document are five arguments. */
export function valueIdentity(value: unknown): string {
  if (value instanceof Date) return `d${value.getTime()}`;
  if (typeof value === "object" && value !== null) return `j${JSON.stringify(value, exactly)}`;
  return `${(typeof value)[0]}${String(value)}`;
}

/** For `JSON.stringify`, which has no bigint: it must not pass for the text or the number of the same digits. */
export function exactly(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? { bigint: String(value) } : value;
}
