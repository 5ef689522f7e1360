/** Tells values of different types apart: `1`, `"1"`, `1n`, a Date and a document are five arguments. */
export function valueIdentity(value: unknown): string {
  if (value instanceof Date) return `d${value.getTime()}`;
  if (typeof value === "object" && value !== null) return `j${JSON.stringify(value)}`;
  return `${(typeof value)[0]}${String(value)}`;
}
