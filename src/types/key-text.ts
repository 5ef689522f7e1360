/** Keys of composite values: the keys of the parts, one behind the other, so that no two different lists read the same. */
import type { TypeOperations } from "./operations.js";
import type { Value } from "./value.js";

/** The part of a composite's key that stands for one element or field; NULL is equal to NULL here. */
export function keyText(value: Value, operations: TypeOperations): string {
  if (value === null) return "n";
  const key = operations.key === undefined ? value : operations.key(value);
  switch (typeof key) {
    case "string":
      return `s${key.length}:${key}`;
    case "boolean":
      return key ? "t" : "f";
    default:
      return `d${String(key)};`;
  }
}
