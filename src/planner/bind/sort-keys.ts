/** The keys of an ORDER BY: direction, place of NULLs, and whether a type can be ordered or compared at all. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { isOrdered } from "../../types/families.js";
import type { SqlType } from "../../types/type.js";
import type { Expr, SortKey } from "../expr.js";
import { at } from "./errors.js";
import { resolveOperator } from "./operators.js";
import type { QueryLevel } from "./state.js";

/** A sort item over its bound expression. @throws SqlError 42883 for a type without an order */
export function sortKeyOf(item: ast.SortItem, expr: Expr, _level: QueryLevel): SortKey {
  if (item.using !== undefined) resolveOperator(item.using.name, expr, expr, at(item.using));
  orderingCheck(expr.type, at(item));
  const descending = item.using === undefined ? item.direction === "desc" : usesDescending(item.using);
  return { expr, descending, nullsFirst: item.nulls === undefined ? descending : item.nulls === "first" };
}

function usesDescending(using: ast.OperatorName): boolean {
  if (using.name === "<") return false;
  if (using.name === ">") return true;
  throw new SqlError(sqlstate.wrongObjectType, `operator ${using.name} is not a valid ordering operator`, {
    position: at(using),
    hint: 'Ordering operators must be "<" or ">" members of btree operator families.',
  });
}

/** Refuses a type without an order (json). */
export function orderingCheck(type: SqlType, position: number | undefined): void {
  if (isOrdered(type)) return;
  throw new SqlError(sqlstate.undefinedFunction, `could not identify an ordering operator for type ${type.display}`, {
    position,
    hint: "Use an explicit ordering operator or modify the query.",
  });
}

/** Refuses a type without equality where rows are grouped or made distinct. */
export function equalityCheck(type: SqlType, position: number | undefined): void {
  if (isOrdered(type)) return;
  throw new SqlError(sqlstate.undefinedFunction, `could not identify an equality operator for type ${type.display}`, {
    position,
    hint: type.name === "json" ? "Cast it to jsonb or to text." : undefined,
  });
}
