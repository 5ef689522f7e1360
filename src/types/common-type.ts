/**
 * The one type for several expressions that must agree: branches of CASE, of UNION, items of ARRAY, VALUES, IN, COALESCE.
 * Source: PostgreSQL 15, 10.5 "UNION, CASE, and Related Constructs".
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { canCoerce } from "./casts.js";
import { type SqlType, types } from "./type.js";

/** Whether two types are one for the rules of resolution: anonymous rows of any shape are all `record`. */
export function sameType(a: SqlType, b: SqlType): boolean {
  if (a === b) return true;
  if (a.kind === "array" && b.kind === "array") return sameType(a.element as SqlType, b.element as SqlType);
  return isAnonymousRow(a) && isAnonymousRow(b);
}

function isAnonymousRow(type: SqlType): boolean {
  return type.kind === "record" && type.category === "P";
}

/** The common type, or the index of the first expression that does not fit with the type found up to there. */
export type CommonType = { readonly type: SqlType } | { readonly conflict: number; readonly against: SqlType };

/** The common type of one expression or more; unknown literals follow the others, and are text among themselves. */
export function findCommonType(expressions: readonly SqlType[]): CommonType {
  let chosen: SqlType = types.unknown;
  for (let i = 0; i < expressions.length; i++) {
    const next = expressions[i];
    if (next === types.unknown || sameType(next, chosen)) continue;
    if (chosen === types.unknown) {
      chosen = next;
    } else if (next.category !== chosen.category) {
      return { conflict: i, against: chosen };
    } else if (!chosen.preferred && canCoerce(chosen, next, "implicit") && !canCoerce(next, chosen, "implicit")) {
      chosen = next;
    }
  }
  return { type: chosen === types.unknown ? types.text : chosen };
}

/**
 * The common type, which every expression can then be coerced to.
 * @param context what PostgreSQL's message names: `CASE`, `UNION`, `ARRAY`, `VALUES`, `IN`, `COALESCE`, `GREATEST`, `JOIN/USING`
 * @param positions of the expressions in the SQL text, for the error
 * @throws SqlError 42804 for types of different categories, 42846 when one cannot be converted
 */
export function selectCommonType(
  expressions: readonly SqlType[],
  context: string,
  positions: readonly (number | undefined)[] = [],
): SqlType {
  const found = findCommonType(expressions);
  if ("conflict" in found) {
    const other = expressions[found.conflict];
    throw new SqlError(
      sqlstate.datatypeMismatch,
      `${context} types ${found.against.display} and ${other.display} cannot be matched`,
      {
        position: positions[found.conflict],
        hint: `Cast one of them: write ::${other.display} after the ${found.against.display} value, or the other way round.`,
      },
    );
  }
  expressions.forEach((type, i) => {
    if (canCoerce(type, found.type, "implicit")) return;
    throw new SqlError(
      sqlstate.cannotCoerce,
      `${context} could not convert type ${type.display} to ${found.type.display}`,
      { position: positions[i] },
    );
  });
  return found.type;
}
