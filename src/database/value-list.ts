/** Values of a column in words: which occur and how often, or between which they lie. */
import { quoteString } from "../grammar/deparse.js";
import { operationsOf } from "../types/families.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";

/** Different values that are named. */
const maxNamed = 10;
/** Characters of one value that are shown. */
const maxLength = 40;

const printContext = { timeZone: "UTC", nowMicroseconds: 0 };

/** A value as SQL writes it, cut when it is long: `'open'`, `42`, `NULL`. */
export function shownValue(value: Value, type: SqlType): string {
  if (value === null) return "NULL";
  if (type.name === "bool") return value === true ? "true" : "false";
  const characters = [...operationsOf(type).output(value, printContext)];
  const text = characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : characters.join("");
  return type.category === "N" ? text : quoteString(text);
}

/** `'open' (12), 'closed' (3)`: the most frequent first; counts are left out when every value occurs once. */
export function valueList(values: readonly Value[], type: SqlType): string {
  const counts = new Map<string, number>();
  for (const value of values) {
    const shown = shownValue(value, type);
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  const ranked = [...counts].sort((a, b) => b[1] - a[1]); // stable: equally frequent ones stay in the order of the rows
  const once = ranked.every(([, count]) => count === 1);
  const named = ranked.slice(0, maxNamed).map(([shown, count]) => (once ? shown : `${shown} (${count})`));
  const others = ranked.length - named.length;
  return `${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

/** `between 3 and 17`; `undefined` when all values are NULL or the type has no order. */
export function valueRange(values: readonly Value[], type: SqlType): string | undefined {
  const { compare } = operationsOf(type);
  const present = values.filter((value) => value !== null);
  if (compare === undefined || present.length === 0) return undefined;
  let [least] = present;
  let [greatest] = present;
  for (const value of present) {
    if (compare(value, least) < 0) least = value;
    if (compare(value, greatest) > 0) greatest = value;
  }
  return `between ${shownValue(least, type)} and ${shownValue(greatest, type)}`;
}
