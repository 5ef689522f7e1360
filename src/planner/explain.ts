/**
 * A plan as a tree of printed nodes, and the tree as EXPLAIN's text. Operators have PostgreSQL's names; a table that is
 * answered by calls is a `Resource Scan` and says what it is called with and where each argument comes from.
 */
import type { ResourceTableInfo } from "../catalog/table.js";
import type { AggregateCall, Expr, SortKey, WindowCall } from "./expr.js";
import { type ArgumentSet, type Join, type LogicalPlan, outputOf, type Scan } from "./plan.js";
import { printColumn, printExpr, type SubplanNames } from "./print-expr.js";
import { columnsOf, conjunctsOf, expressionsOf, inputsOf, operandsOf } from "./visit.js";

/** One operator: its line, the lines below it, its inputs. */
export interface ExplainNode {
  readonly node: string;
  readonly details: readonly string[];
  readonly inputs: readonly ExplainNode[];
  /** The scan it prints, so that what happened at run time can be added. */
  readonly scan?: number;
}

export function explainPlan(plan: LogicalPlan): ExplainNode {
  return new Explainer().explain(plan);
}

/** EXPLAIN's text: one line an operator, `->` before each input, details indented below. */
export function explainText(root: ExplainNode): string {
  const lines: string[] = [];
  writeNode(root, 0, lines);
  return lines.join("\n");
}

function writeNode(node: ExplainNode, depth: number, lines: string[]): void {
  const indent = depth === 0 ? "" : " ".repeat(depth * 6 - 4);
  lines.push(depth === 0 ? node.node : `${indent}->  ${node.node}`);
  const below = " ".repeat(depth * 6 + 2);
  for (const detail of node.details) lines.push(`${below}${detail}`);
  for (const input of node.inputs) writeNode(input, depth + 1, lines);
}

class Explainer {
  private readonly subplans = new Map<LogicalPlan, string>();
  private readonly names: SubplanNames = {
    nameOf: (plan) => {
      const known = this.subplans.get(plan);
      if (known !== undefined) return known;
      const name = `SubPlan ${this.subplans.size + 1}`;
      this.subplans.set(plan, name);
      return name;
    },
  };

  explain(plan: LogicalPlan): ExplainNode {
    const before = new Set(this.subplans.keys());
    const inner = this.node(plan);
    const mine = [...this.subplans].filter(([subplan]) => !before.has(subplan) && isIn(plan, subplan));
    if (mine.length === 0) return inner;
    return {
      ...inner,
      inputs: [...inner.inputs, ...mine.map(([subplan, name]) => named(name, this.explain(subplan)))],
    };
  }

  private print(expr: Expr): string {
    return printExpr(expr, this.names);
  }

  private node(plan: LogicalPlan): ExplainNode {
    switch (plan.kind) {
      case "Project":
        for (const item of plan.items) this.print(item.expr); // names the subqueries of the select list
        return this.explain(plan.input);
      case "Filter":
        return withDetails(this.explain(plan.input), [`Filter: ${this.print(plan.condition)}`]);
      case "Scan":
        return this.scan(plan);
      case "Values":
        return leaf(
          plan.columns.length === 0
            ? "Result"
            : `Values Scan  (${plan.rows.length} ${plan.rows.length === 1 ? "row" : "rows"})`,
        );
      case "Empty":
        return leaf("Result", ["One-Time Filter: false"]);
      case "Materialized":
        return leaf(`Materialized  (${plan.rows.length} rows)`);
      case "FunctionScan":
        return leaf(`Function Scan on ${plan.alias}`, [
          `Function Call: ${plan.calls.map((call) => ("scalar" in call ? this.print(call.scalar) : `${call.function.name}(${call.args.map((arg) => this.print(arg)).join(", ")})`)).join(", ")}`,
        ]);
      case "CteScan":
        return leaf(
          `${plan.workTable === true ? "WorkTable" : "CTE"} Scan on ${plan.name}${plan.alias === plan.name ? "" : ` ${plan.alias}`}`,
        );
      case "ProjectSet":
        return { node: "ProjectSet", details: [], inputs: [this.explain(plan.input)] };
      case "Join":
        return this.join(plan);
      case "Aggregate":
        return this.aggregate(plan);
      case "Window":
        return {
          node: "WindowAgg",
          details: plan.calls.map(({ call }) => `Window: ${this.windowCall(call)} OVER (${this.windowText(plan)})`),
          inputs: [this.explain(plan.input)],
        };
      case "Sort":
        return { node: "Sort", details: [`Sort Key: ${this.sortKeys(plan.keys)}`], inputs: [this.explain(plan.input)] };
      case "Limit":
        return {
          node: `Limit${plan.fetch === undefined ? "" : `  (${this.print(plan.fetch)}${plan.withTies === undefined ? "" : " with ties"})`}`,
          details: plan.skip === undefined ? [] : [`Offset: ${this.print(plan.skip)}`],
          inputs: [this.explain(plan.input)],
        };
      case "Distinct":
        return {
          node: "Unique",
          details: plan.on === undefined ? [] : [`Distinct On: ${plan.on.map((expr) => this.print(expr)).join(", ")}`],
          inputs: [this.explain(plan.input)],
        };
      case "SetOperation":
        return {
          node: setOperationName(plan.operator, plan.all),
          details: [],
          inputs: inputsOf(plan).map((input) => this.explain(input)),
        };
      case "With":
        return this.withCtes(plan);
      case "Write":
        return {
          node: `${titled(plan.op)} on ${plan.table.name}${plan.alias === plan.table.name ? "" : ` ${plan.alias}`}`,
          details: [
            `Columns: ${plan.targets.map((target) => plan.table.columns[target].name).join(", ")}`,
            ...(plan.assignments ?? []).map(
              (expr, i) => `Set: ${plan.table.columns[plan.targets[i]].name} = ${this.print(expr)}`,
            ),
          ].filter((detail) => detail !== "Columns: "),
          inputs: [this.explain(plan.input)],
        };
      case "Merge":
        return { node: `Merge on ${plan.table.name}`, details: [], inputs: [this.explain(plan.input)] };
    }
  }

  private scan(scan: Scan): ExplainNode {
    const { table } = scan;
    const schema = table.schema === "public" ? "" : `${table.schema}.`;
    const alias = scan.alias === table.name ? "" : ` ${scan.alias}`;
    if (table.kind !== "resource")
      return { node: `Seq Scan on ${schema}${table.name}${alias}`, details: [], inputs: [], scan: scan.id };
    const details: string[] = [];
    const { pushed } = scan;
    if (pushed?.never === true) details.push("Never called: a condition can't be true");
    else if (pushed !== undefined && pushed.arguments.length > 0)
      details.push(`Arguments: ${pushed.arguments.map((set) => this.argument(set, table)).join("; ")}`);
    if (scan.fetch !== undefined) details.push(`Fetch: ${scan.fetch}`);
    return { node: `Resource Scan on ${schema}${table.name}${alias}`, details, inputs: [], scan: scan.id };
  }

  private argument(set: ArgumentSet, table: ResourceTableInfo): string {
    const names = set.sources.map((source) => table.columns[source].name);
    const left = names.length === 1 ? names[0] : `(${names.join(", ")})`;
    const { values } = set;
    switch (values.kind) {
      case "list": {
        const tuples = values.tuples.map((tuple) =>
          tuple.length === 1 ? this.print(tuple[0]) : `(${tuple.map((expr) => this.print(expr)).join(", ")})`,
        );
        return tuples.length === 1 ? `${left} = ${tuples[0]}` : `${left} = each of ${tuples.join(", ")}`;
      }
      case "array":
        return `${left} = each of ${this.print(values.array)}`;
      case "query": {
        if (values.origin === "join") return `${left} = each ${this.joinSource(values.plan)}`;
        const columns = outputOf(values.plan).map(printColumn);
        const from = scanNames(values.plan);
        return `${left} = ${values.origin === "scalar" ? "the" : "each"} ${columns.join(", ")}${from === "" ? "" : ` of (${from})`}`;
      }
    }
  }

  private joinSource(plan: LogicalPlan): string {
    let node = plan;
    while (node.kind === "Distinct" || node.kind === "With") node = node.input;
    if (node.kind !== "Project") return outputOf(plan).map(printColumn).join(", ");
    const items = node.items.map((item) => this.print(item.expr));
    return items.length === 1 ? items[0] : `(${items.join(", ")})`;
  }

  private join(join: Join): ExplainNode {
    const hashable = hasEquality(join);
    const kind = { inner: "", left: " Left", right: " Right", full: " Full", semi: " Semi", anti: " Anti" }[join.type];
    const name = hashable ? `Hash${kind} Join` : `Nested Loop${kind === "" ? "" : `${kind} Join`}`;
    const condition = join.condition === undefined ? "" : `  ${this.print(join.condition)}`;
    return { node: `${name}${condition}`, details: [], inputs: [this.explain(join.left), this.explain(join.right)] };
  }

  private aggregate(plan: LogicalPlan & { kind: "Aggregate" }): ExplainNode {
    const details: string[] = [];
    if (plan.keys.length > 0) {
      const keys = plan.keys.map((key) => this.print(key.expr));
      const simple = plan.groupingSets.length === 1 && plan.groupingSets[0].length === keys.length;
      if (simple) details.push(`Group Key: ${keys.join(", ")}`);
      else
        for (const set of plan.groupingSets)
          details.push(`Group Key: ${set.length === 0 ? "()" : set.map((i) => keys[i]).join(", ")}`);
    }
    if (plan.aggregates.length > 0)
      details.push(`Aggregates: ${plan.aggregates.map(({ call }) => this.aggregateCall(call)).join(", ")}`);
    return {
      node: plan.keys.length === 0 ? "Aggregate" : "HashAggregate",
      details,
      inputs: [this.explain(plan.input)],
    };
  }

  private aggregateCall(call: AggregateCall): string {
    const args = call.star === true ? "*" : call.args.map((arg) => this.print(arg)).join(", ");
    const order = call.orderBy.length === 0 ? "" : ` ORDER BY ${this.sortKeys(call.orderBy)}`;
    const filter = call.filter === undefined ? "" : ` FILTER (WHERE ${this.print(call.filter)})`;
    if (call.directArgs !== undefined)
      return `${call.function.name}(${call.directArgs.map((arg) => this.print(arg)).join(", ")}) WITHIN GROUP (${order.trim()})${filter}`;
    return `${call.function.name}(${call.distinct ? "DISTINCT " : ""}${args}${order})${filter}`;
  }

  private windowCall(call: WindowCall): string {
    const args = call.star === true ? "*" : call.args.map((arg) => this.print(arg)).join(", ");
    return `${call.function.name}(${args})${call.filter === undefined ? "" : ` FILTER (WHERE ${this.print(call.filter)})`}`;
  }

  private windowText(plan: LogicalPlan & { kind: "Window" }): string {
    const parts: string[] = [];
    if (plan.partitionBy.length > 0)
      parts.push(`PARTITION BY ${plan.partitionBy.map((expr) => this.print(expr)).join(", ")}`);
    if (plan.orderBy.length > 0) parts.push(`ORDER BY ${this.sortKeys(plan.orderBy)}`);
    return parts.join(" ");
  }

  private sortKeys(keys: readonly SortKey[]): string {
    return keys
      .map((key) => {
        const usual = key.nullsFirst === key.descending;
        return `${this.print(key.expr)}${key.descending ? " DESC" : ""}${usual ? "" : key.nullsFirst ? " NULLS FIRST" : " NULLS LAST"}`;
      })
      .join(", ");
  }

  private withCtes(plan: LogicalPlan & { kind: "With" }): ExplainNode {
    const ctes = plan.ctes.map((cte) => {
      const body = this.explain(cte.plan);
      const tree =
        cte.recursive === undefined
          ? body
          : { node: "Recursive Union", details: [], inputs: [body, this.explain(cte.recursive.term)] };
      return named(`CTE ${cte.name}`, tree);
    });
    const main = this.explain(plan.input);
    return { ...main, inputs: [...ctes, ...main.inputs] };
  }
}

function leaf(node: string, details: readonly string[] = []): ExplainNode {
  return { node, details, inputs: [] };
}

function withDetails(node: ExplainNode, details: readonly string[]): ExplainNode {
  return { ...node, details: [...node.details, ...details] };
}

function named(name: string, node: ExplainNode): ExplainNode {
  return { node: name, details: [], inputs: [node] };
}

/** Whether a subplan stands in the node's own expressions, as against those of its inputs. */
function isIn(plan: LogicalPlan, subplan: LogicalPlan): boolean {
  return expressionsOf(plan).some((expr) => holds(expr, subplan));
}

function holds(expr: Expr, subplan: LogicalPlan): boolean {
  if (expr.kind === "Subquery" && expr.plan === subplan) return true;
  return operandsOf(expr).some((operand) => holds(operand, subplan));
}

function hasEquality(join: Join): boolean {
  const left = new Set(outputOf(join.left).map((column) => column.id));
  const right = new Set(outputOf(join.right).map((column) => column.id));
  const within = (expr: Expr, ids: ReadonlySet<number>) => {
    const used = columnsOf(expr);
    return used.size > 0 && [...used].every((id) => ids.has(id));
  };
  return (
    join.lateral !== true &&
    conjunctsOf(join.condition).some(
      (part) =>
        part.kind === "Call" &&
        part.operator === "=" &&
        ((within(part.args[0], left) && within(part.args[1], right)) ||
          (within(part.args[0], right) && within(part.args[1], left))),
    )
  );
}

function scanNames(plan: LogicalPlan): string {
  if (plan.kind === "Scan") return plan.alias;
  return inputsOf(plan)
    .map(scanNames)
    .filter((name) => name !== "")
    .join(", ");
}

function setOperationName(operator: "union" | "intersect" | "except", all: boolean): string {
  if (operator === "union") return all ? "Append" : "HashAggregate over Append";
  return `HashSetOp ${titled(operator)}${all ? " All" : ""}`;
}

function titled(word: string): string {
  return word[0].toUpperCase() + word.slice(1);
}
