/**
 * Parameters `$1`, `$2`, …: their types come from the caller, or from the place where they are used first.
 * Source: PostgreSQL 15, PREPARE: "the type is inferred from the context in which the parameter is first referenced".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { type SqlType, type TypeWithModifier, types } from "../../types/type.js";
import type { Expr, Parameter } from "../expr.js";
import { at } from "./errors.js";
import type { BindState, QueryLevel } from "./state.js";

/** Highest parameter number; a bound on the memory that a statement can ask for by writing one number. */
const maxParameters = 65535;

export function bindParameter(node: ast.Parameter, level: QueryLevel): Expr {
  const { state } = level;
  const position = at(node);
  const index = node.number;
  if (index < 1 || index > maxParameters) {
    throw new SqlError(sqlstate.undefinedParameter, `there is no parameter $${index}`, { position });
  }
  if (!state.parameterPositions.has(index)) state.parameterPositions.set(index, position);
  const type = state.parameters.get(index)?.type ?? state.options.parameterTypes?.[index - 1] ?? types.unknown;
  return { kind: "Parameter", index, type, position };
}

/** Gives a parameter of unknown type the type that its context wants. */
export function decideParameter(parameter: Parameter, type: SqlType, state: BindState): Expr {
  const known = state.parameters.get(parameter.index);
  if (known !== undefined && known.type !== type) {
    throw new SqlError(sqlstate.ambiguousParameter, `inconsistent types deduced for parameter $${parameter.index}`, {
      position: parameter.position,
      detail: `${known.type.display} versus ${type.display}`,
    });
  }
  state.parameters.set(parameter.index, { type, typmod: -1 });
  return { ...parameter, type };
}

/** The types of all parameters up to the highest one used or announced. @throws SqlError 42P18 when one has none */
export function parameterTypes(state: BindState): TypeWithModifier[] {
  const announced = state.options.parameterTypes ?? [];
  const count = Math.max(announced.length, ...state.parameterPositions.keys());
  return Array.from({ length: count }, (_, i) => {
    const type = announced[i] ?? state.parameters.get(i + 1)?.type;
    if (type === undefined || type === types.unknown) {
      throw new SqlError(sqlstate.indeterminateDatatype, `could not determine data type of parameter $${i + 1}`, {
        position: state.parameterPositions.get(i + 1),
        hint: `Cast it where it is used: $${i + 1}::text.`,
      });
    }
    return { type, typmod: -1 };
  });
}
