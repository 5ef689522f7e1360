/**
 * Functions in FROM: their columns, WITH ORDINALITY, ROWS FROM, and column lists for functions that return records.
 * Source: PostgreSQL 15, 7.2.1.4 "Table Functions".
 */
import { resolveTypeName } from "../../catalog/type-name.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { SetReturningFunction } from "../../functions/function.js";
import type * as ast from "../../grammar/ast.js";
import { recordType, type SqlType, typeNamed, types } from "../../types/type.js";
import type { Column, Expr, SetCall } from "../expr.js";
import type { FunctionScan } from "../plan.js";
import { castTo } from "./conversions.js";
import { at, notSupported, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { relationOf } from "./from-clause.js";
import { castArguments, finishCall, type ResolvedCall, resolveCall } from "./functions.js";
import type { Relation } from "./relation.js";
import { inClause, newColumn, type QueryLevel, userTypes } from "./state.js";
import { columnName } from "./targets.js";

type ScanCall = FunctionScan["calls"][number];

export function bindTableFunction(node: ast.FunctionReference, level: QueryLevel): Relation {
  const lateralBefore = level.lateralActive;
  level.lateralActive = true;
  try {
    return inClause(level, "function in FROM", () => bindReference(node, level));
  } finally {
    level.lateralActive = lateralBefore;
  }
}

function bindReference(node: ast.FunctionReference, level: QueryLevel): Relation {
  const functions = node.functions.flatMap(spreadUnnest);
  const single = functions.length === 1;
  const calls = functions.map((item) => bindCall(item, single ? node.alias?.name.name : undefined, level));
  const name = node.alias?.name.name ?? columnName(functions[0].call);
  const columns: Column[] = calls.flatMap((call) => call.columns);
  const ordinality = node.ordinality
    ? newColumn(level.state, { name: "ordinality", type: types.int8, nullable: false })
    : undefined;
  const plan: FunctionScan = { kind: "FunctionScan", calls, ...(ordinality && { ordinality }), alias: name };
  if (ordinality !== undefined) columns.push(ordinality);
  const scalarFunction = single && ordinality === undefined && columns.length === 1 && !isRow(calls[0]);
  return relationOf(plan, columns, name, node.alias, level, { scalarFunction });
}

function isRow(call: ScanCall): boolean {
  return "scalar" in call ? call.scalar.type.kind === "record" : call.type.kind === "record";
}

/** `unnest(a, b)` in FROM is `ROWS FROM (unnest(a), unnest(b))`. */
function spreadUnnest(item: ast.TableFunction): readonly ast.TableFunction[] {
  const { call } = item;
  if (call.kind !== "FunctionCall" || call.name.name !== "unnest" || call.args.length < 2 || item.columns.length > 0) {
    return [item];
  }
  return call.args.map((arg) => ({ ...item, call: { ...call, args: [arg] } }));
}

function bindCall(item: ast.TableFunction, alias: string | undefined, level: QueryLevel): ScanCall {
  const { call } = item;
  const declared = item.columns.map((column) => ({
    name: column.name.name,
    ...resolveTypeName(column.type, userTypes(level)),
  }));
  const found: ResolvedCall | Expr =
    call.kind === "FunctionCall" ? resolveCall(call, level) : bindExpression(call, level);
  const position = at(call);
  if (!("kind" in found) && found.chosen.entry.kind === "set") {
    return bindSetFunction(item, found.chosen.entry, found, declared, alias, level);
  }
  let scalar = "kind" in found ? found : finishCall(call as ast.FunctionCall, found, level);
  if (scalar.type === types.unknown) scalar = castTo(scalar, types.text, -1, "implicit", level);
  const name = alias ?? columnName(call);
  const returnsRecord = isAnonymous(scalar.type);
  checkColumnList(item.columns, returnsRecord, scalar.type.kind === "record", position);
  if (returnsRecord) {
    checkRowShape(scalar.type, declared);
    scalar = { ...scalar, type: recordType(declared) };
    return { scalar, columns: declared.map((column) => newColumn(level.state, column)) };
  }
  const { fields } = scalar.type;
  if (fields !== undefined) return { scalar, columns: fields.map((field) => newColumn(level.state, field)) };
  return { scalar, columns: [newColumn(level.state, { name, type: scalar.type, typmod: scalar.typmod })] };
}

/** A row whose type has no name: its columns have to be listed. */
function isAnonymous(type: SqlType): boolean {
  return type.kind === "record" && type.category === "P";
}

/** Where the shape of the row is known beforehand, the list must fit it. */
function checkRowShape({ fields }: SqlType, declared: readonly DeclaredColumn[]): void {
  if (fields === undefined) return;
  const mismatch = (detail: string) =>
    new SqlError(sqlstate.datatypeMismatch, "function return row and query-specified return row do not match", {
      detail,
    });
  if (fields.length !== declared.length) {
    throw mismatch(
      `Returned row contains ${fields.length} attribute${fields.length === 1 ? "" : "s"}, but query expects ${declared.length}.`,
    );
  }
  for (const [i, { type }] of declared.entries()) {
    if (fields[i].type === type) continue;
    throw mismatch(
      `Returned type ${fields[i].type.display} at ordinal position ${i + 1}, but query expects ${type.display}.`,
    );
  }
}

interface DeclaredColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
}

function checkColumnList(
  list: readonly ast.RecordColumn[],
  wanted: boolean,
  isRowType: boolean,
  position: number,
): void {
  if (wanted && list.length === 0) {
    throw syntaxError(
      'a column definition list is required for functions returning "record"',
      position,
      "Add one: AS t (a integer, b text).",
    );
  }
  if (list.length > 0 && !wanted) {
    throw syntaxError(
      isRowType
        ? "a column definition list is redundant for a function with OUT parameters"
        : 'a column definition list is only allowed for functions returning "record"',
      at(list[0]),
    );
  }
}

function bindSetFunction(
  item: ast.TableFunction,
  entry: SetReturningFunction,
  { chosen, all }: ResolvedCall,
  declared: readonly DeclaredColumn[],
  alias: string | undefined,
  level: QueryLevel,
): SetCall {
  const position = at(item.call);
  if (chosen.spread) throw notSupported(`VARIADIC with ${entry.name} is not supported`, position);
  const args = castArguments(chosen, all, level);
  const call = { function: entry, args, argTypes: args.map((arg) => arg.type) };
  const shapeless = entry.columns === undefined && isAnonymous(chosen.resultType);
  checkColumnList(item.columns, shapeless, entry.columns !== undefined, position);
  if (shapeless) {
    checkRowShape(chosen.resultType, declared);
    const columns = declared.map((column) => newColumn(level.state, column));
    return { ...call, type: recordType(declared), columns };
  }
  if (entry.columns !== undefined && entry.columns.length > 1) {
    const columns = entry.columns.map((column) =>
      newColumn(level.state, { name: column.name, type: typeNamed(column.type) }),
    );
    const fields = columns.map((column) => ({ name: column.name, type: column.type }));
    return { ...call, type: recordType(fields), columns };
  }
  const { fields } = chosen.resultType;
  if (fields !== undefined) {
    return { ...call, type: chosen.resultType, columns: fields.map((field) => newColumn(level.state, field)) };
  }
  const only = entry.columns?.[0];
  const type = only !== undefined && chosen.resultType === types.record ? typeNamed(only.type) : chosen.resultType;
  return { ...call, type, columns: [newColumn(level.state, { name: only?.name ?? alias ?? entry.name, type })] };
}
