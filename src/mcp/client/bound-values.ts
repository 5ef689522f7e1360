/** Splits bindings with several values a column into bindings with one value each. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { createBindings } from "../../resources/bindings.js";
import type { Bindings, SqlScalar } from "../../resources/resource.js";

/** Calls that one read may be split into. */
const maxCombinations = 100;

/**
 * One set of bindings for every combination of the values of `columns`. A tool takes one value an argument; leaving the
 * argument out instead would give rows that do not say which of the values they belong to.
 * @throws SqlError 53400 for more than a hundred combinations
 */
export function boundCombinations(bindings: Bindings, columns: readonly string[]): Bindings[] {
  const several = columns.filter((column) => bindings.has(column) && bindings.all(column).length > 1);
  if (several.length === 0) return [bindings];
  const count = several.reduce((product, column) => product * bindings.all(column).length, 1);
  if (count > maxCombinations) {
    throw new SqlError(
      sqlstate.configurationLimitExceeded,
      `reading this table would take ${count} calls, more than ${maxCombinations}`,
      { hint: `Give fewer values for ${several.map((column) => `"${column}"`).join(" and ")}.` },
    );
  }
  let combinations: ReadonlyMap<string, SqlScalar[]>[] = [bindings.eq];
  for (const column of several) {
    combinations = combinations.flatMap((bound) =>
      bindings.all(column).map((value) => new Map([...bound, [column, [value as SqlScalar]]])),
    );
  }
  return combinations.map((bound) => createBindings(bound, bindings.quals));
}
