/**
 * Reads a condition as equalities on the columns of one scan: `key = x`, `key IN (…)`, `key = ANY(array)`,
 * `key IN (SELECT …)`, `key = ANY(ARRAY(SELECT …))`, a boolean column on its own, ORs of these (`key = (SELECT …) OR key = 1`).
 */
import type { SqlType } from "../../types/type.js";
import type { BooleanTest, Column, Expr } from "../expr.js";
import { type LogicalPlan, outputOf, type Scan } from "../plan.js";
import { columnsOf, conjunctsOf, someExpression } from "../visit.js";
import { equalsOneValue } from "./comparison-types.js";

/** What a condition says of a scan's columns; a `source` is an index into `table.columns`. */
export type Binding =
  /** The condition is never true: `key = NULL`. */
  | { readonly kind: "never" }
  /** Tuples of expressions that need no relation at all. */
  | { readonly kind: "list"; readonly sources: readonly number[]; readonly tuples: readonly (readonly Expr[])[] }
  | { readonly kind: "array"; readonly source: number; readonly array: Expr }
  /** Equal to an expression over other relations, or to a subquery. */
  | { readonly kind: "equals"; readonly source: number; readonly value: Expr }
  /** In the rows of a query; one source for each of its columns. */
  | { readonly kind: "in"; readonly sources: readonly number[]; readonly plan: LogicalPlan }
  /** One of several tuples, or in the rows of one of several queries. Of the tuples some are made of subqueries. */
  | {
      readonly kind: "union";
      readonly sources: readonly number[];
      readonly tuples: readonly (readonly Expr[])[];
      readonly plans: readonly LogicalPlan[];
    };

export function bindingsIn(condition: Expr, scan: Scan): readonly Binding[] {
  switch (condition.kind) {
    case "And":
      return condition.args.flatMap((part) => bindingsIn(part, scan));
    case "Constant":
      return condition.value === true ? [] : [{ kind: "never" }];
    case "Column":
      return booleanColumn(condition, scan);
    case "Not": {
      const { input } = condition;
      // NOT (a <> b) is a = b, for NULL too: neither is true.
      return input.kind === "Call" && input.operator === "<>"
        ? equality(input.args[0], input.args[1], scan)
        : booleanColumn(condition, scan);
    }
    case "Call":
      return condition.operator === "=" ? equality(condition.args[0], condition.args[1], scan) : [];
    case "InList":
      // NOT IN a list with a NULL is never true: unequal to all is not known of any value.
      if (condition.negated) return condition.items.some(isNullConstant) ? [{ kind: "never" }] : [];
      return inList(condition.input, condition.items, scan);
    case "ArrayComparison":
      if (condition.quantifier === "all" && condition.compare.operator === "<>")
        return holdsNull(condition.array) && isScanColumn(condition.input, scan) ? [{ kind: "never" }] : [];
      return condition.quantifier === "any" && condition.compare.operator === "="
        ? arrayEquality(condition.input, condition.array, scan)
        : [];
    case "IsDistinct":
      return condition.negated ? sameAs(condition.left, condition.right, condition.equals.args, scan) : [];
    case "BooleanTest":
      return booleanTest(condition, scan);
    case "RowCompare":
      return condition.operator === "="
        ? condition.left.flatMap((left, i) => equality(left, condition.right[i], scan))
        : [];
    case "Subquery":
      return condition.subqueryKind === "any" ? inQuery(condition.test, condition.plan, scan) : [];
    case "Or":
      return disjunction(condition.args, scan);
    default:
      return [];
  }
}

/** `column IS NOT DISTINCT FROM 1`: an equality where the other side is sure not to be NULL. */
function sameAs(left: Expr, right: Expr, [a, b]: readonly Expr[], scan: Scan): readonly Binding[] {
  return isValue(left) || isValue(right) ? equality(a, b, scan) : [];
}

function isValue(expr: Expr): boolean {
  return expr.kind === "Constant" && expr.value !== null;
}

/** `flag IS TRUE` and `flag IS FALSE`; IS NOT TRUE lets NULL through as well, which no call can be asked for. */
function booleanTest({ input, test, negated, type }: BooleanTest, scan: Scan): readonly Binding[] {
  // Of AND and OR the bindings are a part of the condition only, which whoever looks for AND and OR would not see here.
  if (negated || test === "unknown" || input.kind === "And" || input.kind === "Or") return [];
  if (test === "true") return bindingsIn(input, scan);
  return bindingsIn({ kind: "Not", type, input }, scan);
}

/** Whether a constant array has a NULL in it: no value is known to be unequal to all elements then. */
function holdsNull(array: Expr): boolean {
  if (array.type.element === undefined || !isScalar(array.type.element)) return false;
  if (array.kind === "Array")
    return array.items.some((item) => (array.nested ? holdsNull(item) : isNullConstant(item)));
  if (array.kind !== "Constant") return isNullConstant(array);
  return array.value === null || (Array.isArray(array.value) && array.value.flat(6).includes(null));
}

function isScanColumn(expr: Expr, scan: Scan): boolean {
  return expr.kind === "Column" && scan.columns.some(({ column }) => column.id === expr.column.id);
}

function booleanColumn(condition: Expr, scan: Scan): readonly Binding[] {
  const negated = condition.kind === "Not";
  const source = sourceOf(negated ? condition.input : condition, scan, condition.type);
  if (source === undefined) return [];
  return [{ kind: "list", sources: [source], tuples: [[{ kind: "Constant", type: condition.type, value: !negated }]] }];
}

/** The equality of two expressions, where one is a column of the scan. */
export function equality(left: Expr, right: Expr, scan: Scan): readonly Binding[] {
  const leftSource = sourceOf(left, scan, right.type);
  const source = leftSource ?? sourceOf(right, scan, left.type);
  const value = leftSource === undefined ? left : right;
  if (source === undefined || !isUsable(value, scan)) return [];
  if (isNullConstant(value)) return [{ kind: "never" }];
  return isStandalone(value)
    ? [{ kind: "list", sources: [source], tuples: [[value]] }]
    : [{ kind: "equals", source, value }];
}

function inList(input: Expr, items: readonly Expr[], scan: Scan): readonly Binding[] {
  if (input.kind === "Row") return rowInList(input.items, items, scan);
  const source = sourceOf(input, scan, items[0].type);
  if (source === undefined || !items.every((item) => columnsOf(item).size === 0 && isUsable(item, scan))) return [];
  const tuples = items.filter((item) => !isNullConstant(item)).map((item) => [item]);
  if (tuples.length === 0) return [{ kind: "never" }];
  return [
    tuples.every(([item]) => isStandalone(item))
      ? { kind: "list", sources: [source], tuples }
      : { kind: "union", sources: [source], tuples, plans: [] },
  ];
}

/** `(a, b) IN ((1, 2), (3, 4))`. */
function rowInList(fields: readonly Expr[], items: readonly Expr[], scan: Scan): readonly Binding[] {
  const sources = fields.map((field) => sourceOf(field, scan, field.type));
  if (sources.some((source) => source === undefined)) return [];
  const tuples: (readonly Expr[])[] = [];
  for (const item of items) {
    if (item.kind !== "Row" || item.items.length !== fields.length || !item.items.every(isStandalone)) return [];
    if (!fields.every((field, i) => sourceOf(field, scan, item.items[i].type) !== undefined)) return [];
    if (!item.items.some(isNullConstant)) tuples.push(item.items);
  }
  return tuples.length === 0 ? [{ kind: "never" }] : [{ kind: "list", sources: sources as number[], tuples }];
}

function arrayEquality(input: Expr, array: Expr, scan: Scan): readonly Binding[] {
  const source = sourceOf(input, scan, array.type.element ?? array.type);
  if (source === undefined || !isScalar(scan.table.columns[source].type)) return [];
  // The rows of ARRAY(SELECT …) are its elements, unless they are arrays themselves.
  if (array.kind === "Subquery" && array.subqueryKind === "array" && outputOf(array.plan)[0].type.kind !== "array")
    return [{ kind: "in", sources: [source], plan: array.plan }];
  if (!isStandalone(array)) return [];
  if (isNullConstant(array)) return [{ kind: "never" }];
  return [{ kind: "array", source, array }];
}

/** The test of `IN (SELECT …)`: an equality of a scan column with each output column of the query. */
function inQuery(test: Expr | undefined, plan: LogicalPlan, scan: Scan): readonly Binding[] {
  const output = outputOf(plan);
  const pairs =
    test?.kind === "RowCompare" && test.operator === "="
      ? test.left.map((left, i) => [left, test.right[i]] as const)
      : conjunctsOf(test).map((part) =>
          part.kind === "Call" && part.operator === "=" ? ([part.args[0], part.args[1]] as const) : undefined,
        );
  const sources: number[] = [];
  const columns: Column[] = [];
  for (const pair of pairs) {
    if (pair === undefined) return [];
    const value = pair[1];
    const source = sourceOf(pair[0], scan, value.type);
    if (source === undefined || value.kind !== "Column") return [];
    sources.push(source);
    columns.push(value.column);
  }
  const inOrder = columns.length === output.length && columns.every((column, i) => column.id === output[i].id);
  return inOrder ? [{ kind: "in", sources, plan }] : [];
}

/** What one branch of an OR says: the values of single columns, and the queries that some are in. */
interface Branch {
  readonly values: ReadonlyMap<number, readonly Expr[]>;
  readonly queries: readonly Extract<Binding, { kind: "in" }>[];
}

/** `a = 1 OR a = 2`, `(a = 1 AND b = 2) OR (a = 3 AND b = 4)`: the columns that every branch binds, one tuple a branch. */
function disjunction(args: readonly Expr[], scan: Scan): readonly Binding[] {
  const branches: Branch[] = [];
  for (const arg of args) {
    const bindings = bindingsIn(arg, scan);
    if (bindings.some((binding) => binding.kind === "never")) continue; // this branch adds no row
    branches.push(branchOf(bindings));
  }
  if (branches.length === 0) return [{ kind: "never" }];
  const [{ values: first }] = branches;
  const common = [...first.keys()].filter((source) => branches.every(({ values }) => values.has(source)));
  if (common.length === 0) return unionWithQueries(branches);
  const tuples = branches.flatMap((branch) => tuplesOf(branch, common));
  const isPlain = tuples.every((tuple) => tuple.every(isStandalone));
  return [isPlain ? { kind: "list", sources: common, tuples } : { kind: "union", sources: common, tuples, plans: [] }];
}

function branchOf(bindings: readonly Binding[]): Branch {
  const values = new Map<number, readonly Expr[]>();
  for (const binding of bindings) {
    if (binding.kind === "list" && binding.sources.length === 1 && !values.has(binding.sources[0]))
      values.set(
        binding.sources[0],
        binding.tuples.map((tuple) => tuple[0]),
      );
    // A scalar subquery; what takes columns of other relations has no values before they are read.
    if (binding.kind === "equals" && columnsOf(binding.value).size === 0 && !values.has(binding.source))
      values.set(binding.source, [binding.value]);
  }
  return { values, queries: bindings.filter((binding) => binding.kind === "in") };
}

/** `a IN (SELECT …) OR a = 1`: every branch says of the same columns in which rows they are. */
function unionWithQueries(branches: readonly Branch[]): readonly Binding[] {
  const query = branches.flatMap(({ queries }) => queries)[0];
  if (query === undefined) return [];
  const { sources } = query;
  const tuples: (readonly Expr[])[] = [];
  const plans: LogicalPlan[] = [];
  for (const branch of branches) {
    const same = branch.queries.find((other) => other.sources.join() === sources.join());
    if (same !== undefined) plans.push(same.plan);
    else if (sources.every((source) => branch.values.has(source))) tuples.push(...tuplesOf(branch, sources));
    else return [];
  }
  return [{ kind: "union", sources, tuples, plans }];
}

function tuplesOf({ values }: Branch, sources: readonly number[]): Expr[][] {
  return product(sources.map((source) => values.get(source) ?? []));
}

function product(choices: readonly (readonly Expr[])[]): Expr[][] {
  return choices.reduce<Expr[][]>(
    (tuples, options) => tuples.flatMap((tuple) => options.map((option) => [...tuple, option])),
    [[]],
  );
}

/**
 * The scan column that an expression is, perhaps under an implicit cast within one family of types (varchar → text,
 * bigint → numeric).
 * @param other type that it is compared with: where several values of the column equal one of that type, it is not bound
 */
function sourceOf(expr: Expr, scan: Scan, other: SqlType): number | undefined {
  const inner =
    expr.kind === "Cast" && expr.context === "implicit" && expr.type.category === expr.input.type.category
      ? expr.input
      : expr;
  if (inner.kind !== "Column") return undefined;
  const item = scan.columns.find((candidate) => candidate.column.id === inner.column.id);
  if (item === undefined) return undefined;
  const column = scan.table.columns[item.source];
  if (!column.pushable || !equalsOneValue(column.type, expr.type) || !equalsOneValue(column.type, other))
    return undefined;
  // A tool that insists on a list or a document can only be given it as a whole; nobody else narrows by one.
  const isArgument = column.requiredKey === true || column.argument === true;
  return isScalar(column.type) || (isArgument && isDocument(column.type)) ? item.source : undefined;
}

function isDocument(type: SqlType): boolean {
  return type.kind === "array" || type.name === "jsonb";
}

function isScalar(type: SqlType): boolean {
  return (
    (type.kind === "base" || type.kind === "enum") &&
    type.name !== "json" &&
    type.name !== "jsonb" &&
    type.name !== "bytea"
  );
}

function isNullConstant(expr: Expr): boolean {
  return expr.kind === "Constant" ? expr.value === null : expr.kind === "Cast" && isNullConstant(expr.input);
}

/** Known without any relation: no columns, no subquery, nothing volatile. */
function isStandalone(expr: Expr): boolean {
  return columnsOf(expr).size === 0 && !someExpression(expr, (part) => part.kind === "Subquery" || isVolatile(part));
}

function isUsable(value: Expr, scan: Scan): boolean {
  const own = new Set(scan.columns.map((item) => item.column.id));
  for (const id of columnsOf(value)) if (own.has(id)) return false;
  return !someExpression(value, isVolatile);
}

function isVolatile(expr: Expr): boolean {
  return (expr.kind === "Call" || expr.kind === "Cast") && expr.volatility === "volatile";
}
