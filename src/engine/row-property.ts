/**
 * Reads a column's property of row objects. Every object has `constructor`, `toString` and the like from its prototype: a
 * column of such a name is NULL in a row that has no property of its own.
 */

/** Whether a property of this name is found in objects that do not have it. */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** What reads a property of row objects, `undefined` where a row has none. */
export function propertyReader(name: string): (row: object) => unknown {
  const read = (row: object): unknown => (row as Record<string, unknown>)[name];
  return isInherited(name) ? (row) => (Object.hasOwn(row, name) ? read(row) : undefined) : read;
}
