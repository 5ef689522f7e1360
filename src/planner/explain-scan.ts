/**
 * What EXPLAIN says of a resource scan: the arguments of its calls and where each comes from, the predicates handed over,
 * the order and the number of rows asked for, how many calls that makes.
 */
import type { ResourceTableInfo } from "../catalog/table.js";
import { type CallCount, callCount, unionParts, valueNames } from "./call-count.js";
import { estimateRows } from "./estimate.js";
import { type ExplainFact, type ExplainNode, fact, unprinted } from "./explain-node.js";
import type { Expr } from "./expr.js";
import { type ArgumentSet, type LogicalPlan, outputOf, type PushedQual, type Scan } from "./plan.js";
import { printColumn, printOperator } from "./print-expr.js";
import { bindingsIn } from "./rules/equalities.js";
import { qualsIn, samePredicate } from "./rules/quals.js";
import { holdsSubquery, inputsOf, plansWithin, someExpression } from "./visit.js";

/** A scan that is answered by calls. */
export type ResourceScan = Scan & { readonly table: ResourceTableInfo };

type Print = (expr: Expr) => string;

/** Of a scan whose rows a direct write makes from the statement's own key values. */
export const notCalled: ExplainFact = fact("Calls", 0, ["Calls: none, the statement gives the keys"]);

/** Facts of a scan in the order in which they are printed. What goes without saying (one call, `stable`) is in JSON only. */
export function scanFacts(scan: ResourceScan, print: Print): ExplainFact[] {
  const { pushed, table } = scan;
  const volatility = fact("Volatility", table.volatility, table.volatility === "stable" ? [] : undefined);
  if (pushed?.never === true)
    return [fact("Calls", 0, ["Never called: a condition can't be true"]), unprinted("Volatility", table.volatility)];
  const facts: ExplainFact[] = [];
  const sets = pushed?.arguments ?? [];
  const quals = (pushed?.quals ?? []).map((qual) => qualText(qual, table, print));
  if (sets.length > 0) {
    const texts = sets.map((set) => argumentText(set, table, print));
    facts.push(
      fact(
        "Arguments",
        sets.map((set, i) => argumentObject(set, table, texts[i])),
        [`Arguments: ${texts.join("; ")}`],
      ),
    );
  }
  if (pushed?.keyFilter !== undefined) facts.push(fact("Keys", print(pushed.keyFilter)));
  if (quals.length > 0) facts.push(fact("Pushed", quals, [`Pushed: ${quals.join("; ")}`]));
  if (scan.orderBy !== undefined && scan.orderBy.length > 0) facts.push(fact("Order", orderTexts(scan)));
  if (scan.fetch !== undefined) facts.push(fact("Fetch", scan.fetch));
  if (scan.fetchSum !== undefined) facts.push(fact("Fetch", scan.fetchSum.map(print).join(" + ")));
  facts.push(callsFact(callCount(scan, estimateRows)));
  if (table.batchKeys && sets.some((set) => set.sources.some((source) => isKey(table, source))))
    facts.push(batchFact(table));
  facts.push(volatility);
  return facts;
}

function callsFact({ calls, text }: CallCount): ExplainFact {
  return fact("Calls", calls ?? text, text === "1" ? [] : [`Calls: ${text}`]);
}

function batchFact({ maxBatch }: ResourceTableInfo): ExplainFact {
  return fact("Batch", maxBatch ?? "all values", [
    `Batch: ${maxBatch === undefined ? "all values" : `${maxBatch} values`} a call`,
  ]);
}

function isKey(table: ResourceTableInfo, source: number): boolean {
  const column = table.columns[source];
  return column.requiredKey === true || (table.keyAlternatives ?? []).some((group) => group.includes(column.name));
}

function orderTexts(scan: ResourceScan): string[] {
  return (scan.orderBy ?? []).map(
    ({ source, descending }) => `${scan.table.columns[source].name}${descending ? " DESC" : ""}`,
  );
}

function qualText({ source, operator, value, query }: PushedQual, table: ResourceTableInfo, print: Print): string {
  const right = value !== undefined ? ` ${print(value)}` : query !== undefined ? ` the ${queryText(query)}` : "";
  return `${table.columns[source].name} ${printOperator(operator)}${right}`;
}

/** `state = 'open'`, `id = each p.closes`, `id = the max of (issue)`. */
function argumentText(set: ArgumentSet, table: ResourceTableInfo, print: Print): string {
  const names = set.sources.map((source) => table.columns[source].name);
  const left = names.length === 1 ? names[0] : `(${names.join(", ")})`;
  const { values } = set;
  switch (values.kind) {
    case "list": {
      const tuples = values.tuples.map((tuple) =>
        tuple.length === 1 ? print(tuple[0]) : `(${tuple.map(print).join(", ")})`,
      );
      return tuples.length === 1 ? `${left} = ${tuples[0]}` : `${left} = each of ${tuples.join(", ")}`;
    }
    case "array":
      return `${left} = each of ${print(values.array)}`;
    case "query":
      if (values.origin === "join") return `${left} = each ${valueNames(values.plan)}`;
      if (values.origin === "union") return `${left} = each of ${partTexts(values.plan, print).join(", ")}`;
      return `${left} = ${values.origin === "scalar" ? "the" : "each"} ${queryText(values.plan)}`;
  }
}

/** `the min of (issue), 3`: what `id = (SELECT …) OR id = 3` says of the values. */
function partTexts(plan: LogicalPlan, print: Print): string[] {
  const text = (expr: Expr) =>
    expr.kind === "Subquery" && expr.subqueryKind === "scalar" ? `the ${queryText(expr.plan)}` : print(expr);
  return unionParts(plan).flatMap((part) =>
    part.kind === "Values"
      ? part.rows.map((row) => (row.length === 1 ? text(row[0]) : `(${row.map(text).join(", ")})`))
      : [`every ${queryText(part)}`],
  );
}

function queryText(plan: LogicalPlan): string {
  const columns = outputOf(plan).map(printColumn);
  const from = scanNames(plan);
  return `${columns.join(", ")}${from === "" ? "" : ` of (${from})`}`;
}

function scanNames(plan: LogicalPlan): string {
  if (plan.kind === "Scan") return plan.alias;
  return inputsOf(plan)
    .map(scanNames)
    .filter((name) => name !== "")
    .join(", ");
}

function argumentObject(set: ArgumentSet, table: ResourceTableInfo, text: string) {
  return { Columns: set.sources.map((source) => table.columns[source].name), From: originOf(set), Argument: text };
}

/** Where the values of an argument come from. */
function originOf({ values }: ArgumentSet): "constant" | "parameter" | "expression" | "subquery" | "relation" {
  if (values.kind === "query") return values.origin === "join" ? "relation" : "subquery";
  const exprs = values.kind === "array" ? [values.array] : values.tuples.flat();
  const has = (kind: Expr["kind"]) => exprs.some((expr) => someExpression(expr, (part) => part.kind === kind));
  if (has("Parameter")) return "parameter";
  return exprs.every((expr) => expr.kind === "Constant") ? "constant" : "expression";
}

/** The scans whose rows give the scan its arguments. */
export function waitsFor(scan: ResourceScan, print: Print): NonNullable<ExplainNode["waitsFor"]> {
  const waits = new Map<number, string>();
  const add = (plan: LogicalPlan, argument: string) => {
    for (const node of plansWithin(plan)) if (node.kind === "Scan" && !waits.has(node.id)) waits.set(node.id, argument);
  };
  for (const set of scan.pushed?.arguments ?? [])
    if (set.values.kind === "query") add(set.values.plan, argumentText(set, scan.table, print));
  for (const qual of scan.pushed?.quals ?? [])
    if (qual.query !== undefined) add(qual.query, qualText(qual, scan.table, print));
  return [...waits].map(([id, argument]) => ({ scan: id, argument }));
}

/** Whether the calls of the scan are handed a condition that stands above it. */
export function isPushed(condition: Expr, scan: Scan): boolean {
  const { pushed } = scan;
  if (pushed === undefined) return false;
  const bound = new Set(pushed.arguments.flatMap((set) => set.sources));
  const bindings = bindingsIn(condition, scan);
  const isBound = bindings.some((binding) => {
    if (binding.kind === "never") return false;
    const sources = "sources" in binding ? binding.sources : [binding.source];
    return sources.every((source) => bound.has(source));
  });
  return isBound || saysTheSame(qualsIn(condition, scan), pushed.quals);
}

/** Whether pushed predicates are those of a condition: the same columns, operators and values. */
function saysTheSame(own: readonly PushedQual[], pushed: readonly PushedQual[]): boolean {
  return own.length > 0 && own.every((qual) => pushed.some((other) => samePredicate(other, qual) || asks(other, qual)));
}

/** Whether the value of a pushed predicate is the query that a condition has in it. */
function asks({ source, operator, query }: PushedQual, own: PushedQual): boolean {
  const isSame = source === own.source && operator === own.operator;
  return isSame && query !== undefined && own.value !== undefined && holdsSubquery(own.value);
}
