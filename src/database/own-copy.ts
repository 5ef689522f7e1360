/**
 * Copies of what an effect is made of, for whoever is handed it: a verb, or a reader of staged writes. What they change in
 * their copy changes nothing that is sent, sent again or shown later.
 */

/**
 * @param value data, or what a schema decoded it to: plain objects, arrays, dates and bytes are copied with all that is in
 *   them; anything else (an instance of a class) is handed over as it is
 */
export function ownCopy<T>(value: T): T {
  return copyOf(value) as T;
}

function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof Date) return new Date(value);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  // Made by entries: a document may have a field named "__proto__".
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)]));
}
