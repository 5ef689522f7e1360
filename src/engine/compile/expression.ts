/** Expressions → kernels: one case a kind of node, each in the file of its group. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Expr } from "../../planner/expr.js";
import { readSlot } from "../batch.js";
import type { Scope } from "../builder.js";
import { compileCall, compileCast, predicateOfCall } from "./call.js";
import { compileArray, compileField, compileRow, compileSubscript } from "./composite.js";
import { compileCase, compileCoalesce, compileMinMax, compileNullIf } from "./conditional.js";
import { type Kernel, type Predicate, predicateOf, scalarKernel } from "./kernel.js";
import { compileArrayComparison, compileInList, predicateOfInList } from "./list.js";
import {
  compileBooleanTest,
  compileConnective,
  compileIsDistinct,
  compileIsNull,
  compileNot,
  predicateOfAnd,
  predicateOfIsNull,
  predicateOfOr,
} from "./logic.js";
import { compileRowCompare } from "./row-compare.js";
import { compileSubquery } from "./subquery.js";

/** The kernel of an expression over the columns of a scope; columns that are not in it belong to enclosing queries. */
export function compile(expr: Expr, scope: Scope): Kernel {
  switch (expr.kind) {
    case "Constant": {
      const value = typeof expr.value === "string" ? internalized(expr.value) : expr.value;
      return scalarKernel(scope.builder, () => value, { value });
    }
    case "Parameter": {
      const { index } = expr;
      return scalarKernel(scope.builder, (execution) => execution.environment.parameters[index - 1] ?? null);
    }
    case "Column":
      return compileColumn(expr.column.id, expr.column.name, scope);
    case "Call":
      return compileCall(expr, scope);
    case "Cast":
      return compileCast(expr, scope);
    case "And":
    case "Or":
      return compileConnective(expr, scope);
    case "Not":
      return compileNot(expr, scope);
    case "IsNull":
      return compileIsNull(expr, scope);
    case "BooleanTest":
      return compileBooleanTest(expr, scope);
    case "IsDistinct":
      return compileIsDistinct(expr, scope);
    case "Case":
      return compileCase(expr, scope);
    case "Coalesce":
      return compileCoalesce(expr, scope);
    case "MinMax":
      return compileMinMax(expr, scope);
    case "NullIf":
      return compileNullIf(expr, scope);
    case "InList":
      return compileInList(expr, scope);
    case "ArrayComparison":
      return compileArrayComparison(expr, scope);
    case "Array":
      return compileArray(expr, scope);
    case "Row":
      return compileRow(expr, scope);
    case "Subscript":
      return compileSubscript(expr, scope);
    case "Field":
      return compileField(expr, scope);
    case "RowCompare":
      return compileRowCompare(expr, scope);
    case "Subquery":
      return compileSubquery(expr, scope);
    case "Grouping":
      throw new SqlError(sqlstate.internalError, "GROUPING was left outside of an aggregate", {
        position: expr.position,
      });
  }
}

/** The predicate of a condition: true keeps a row, false and NULL drop it. */
export function compilePredicate(expr: Expr, scope: Scope): Predicate {
  switch (expr.kind) {
    case "And":
      return predicateOfAnd(expr, scope);
    case "Or":
      return predicateOfOr(expr, scope);
    case "Call":
      return predicateOfCall(expr, scope) ?? predicateOf(compile(expr, scope));
    case "InList":
      return predicateOfInList(expr, scope) ?? predicateOf(compile(expr, scope));
    case "IsNull":
      return predicateOfIsNull(expr, scope);
    default:
      return predicateOf(compile(expr, scope));
  }
}

/**
 * The same string as V8 keeps property names: comparing it with strings of JSON rows, which are kept so too when they are
 * short, mostly takes one look at the pointers.
 */
function internalized(text: string): string {
  return text.length > 64 ? text : Object.keys({ [text]: 0 })[0];
}

function compileColumn(id: number, name: string, scope: Scope): Kernel {
  const slot = scope.layout.slots.get(id);
  if (slot !== undefined) {
    return { evaluate: (execution, batch, sel, n) => readSlot(execution, slot, batch, sel, n) };
  }
  const outer = scope.builder.outer(id);
  return scalarKernel(scope.builder, (execution) => {
    const value = execution.outer[outer];
    if (value === undefined) throw new SqlError(sqlstate.internalError, `column "${name}" has no value here`);
    return value;
  });
}
