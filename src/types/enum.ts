/** Enum types: a value is its label; the order is that of the declaration. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { TypeOperations } from "./operations.js";
import type { SqlType } from "./type.js";

/** What can be done with the values of one enum type. */
export function enumOperations(type: SqlType): TypeOperations {
  const labels = type.labels ?? [];
  const places = new Map(labels.map((label, place) => [label, place]));
  return {
    input(text) {
      if (places.has(text)) return text;
      throw new SqlError(
        sqlstate.invalidTextRepresentation,
        `invalid input value for enum ${type.display}: "${text}"`,
        { hint: `The labels are ${labels.map((label) => `'${label.replaceAll("'", "''")}'`).join(", ")}.` },
      );
    },
    output: (value) => value as string,
    compare: (a, b) => (places.get(a as string) ?? -1) - (places.get(b as string) ?? -1),
    fromHost: (value) => (typeof value === "string" && places.has(value) ? value : undefined),
    toHost: (value) => value,
  };
}
