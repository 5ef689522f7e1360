/**
 * A plan as a tree of printed nodes. Operators have PostgreSQL's names; a table that is answered by calls is a
 * `Resource Scan` and says what it is called with and where each argument comes from (`explain-scan.ts`). How the tree is
 * written as text, JSON or a diagram is told in `explain-node.ts`, `explain-json.ts` and `explain-mermaid.ts`.
 */
import type { ResourceTableInfo, Table } from "../catalog/table.js";
import { estimateRows } from "./estimate.js";
import { type ExplainFact, type ExplainNode, fact, unprinted } from "./explain-node.js";
import { isPushed, notCalled, type ResourceScan, scanFacts, waitsFor } from "./explain-scan.js";
import { conflictFacts, mergeFacts } from "./explain-write.js";
import type { AggregateCall, Expr, SortKey, WindowCall } from "./expr.js";
import {
  type Aggregate,
  type Filter,
  type FunctionScan,
  type Join,
  type Limit,
  type LogicalPlan,
  type Merge,
  outputOf,
  type Scan,
  type Write,
} from "./plan.js";
import { printExpr, type SubplanNames } from "./print-expr.js";
import { columnsOf, conjunctionOf, conjunctsOf, expressionsOf, inputsOf, operandsOf } from "./visit.js";

/** What the plan does not say by itself. */
export interface ExplainFacts {
  /** Scans of direct writes: they are not read. */
  readonly direct?: ReadonlySet<number>;
  /** Inside a transaction: writes to resources wait for COMMIT. */
  readonly staging?: boolean;
  /** `false` leaves estimates out. */
  readonly costs?: boolean;
}

export function explainPlan(plan: LogicalPlan, facts: ExplainFacts = {}): ExplainNode {
  return new Explainer(facts).explain(plan);
}

class Explainer {
  constructor(private readonly facts: ExplainFacts) {}

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
      inputs: [...inner.inputs, ...mine.map(([subplan, name]) => wrapped("SubPlan", name, this.explain(subplan)))],
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
        return withFacts(this.explain(plan.input), this.filter(plan));
      case "Scan":
        return this.scan(plan);
      case "Values":
        return plan.columns.length === 0
          ? leaf("Result", "Result")
          : leaf(
              `Values Scan  (${plan.rows.length} ${plan.rows.length === 1 ? "row" : "rows"})`,
              "Values Scan",
              unprinted("Plan Rows", plan.rows.length),
            );
      case "Empty":
        return leaf("Result", "Result", fact("One-Time Filter", "false"));
      case "Materialized":
        return leaf(
          `Materialized  (${plan.rows.length} rows)`,
          "Materialized",
          unprinted("Plan Rows", plan.rows.length),
        );
      case "FunctionScan":
        return leaf(
          `Function Scan on ${plan.alias}`,
          "Function Scan",
          unprinted("Alias", plan.alias),
          fact("Function Call", plan.calls.map((call) => this.functionCall(call)).join(", ")),
        );
      case "CteScan": {
        const type = `${plan.workTable === true ? "WorkTable" : "CTE"} Scan`;
        return leaf(
          `${type} on ${plan.name}${plan.alias === plan.name ? "" : ` ${plan.alias}`}`,
          type,
          unprinted("CTE Name", plan.name),
          unprinted("Alias", plan.alias),
        );
      }
      case "ProjectSet":
        return over("ProjectSet", "ProjectSet", [], this.explain(plan.input));
      case "Join":
        return this.join(plan);
      case "Aggregate":
        return this.aggregate(plan);
      case "Window": {
        const windows = plan.calls.map(({ call }) => `${this.windowCall(call)} OVER (${this.windowText(plan)})`);
        const lines = windows.map((text) => `Window: ${text}`);
        return over("WindowAgg", "WindowAgg", [fact("Window", windows, lines)], this.explain(plan.input));
      }
      case "Sort":
        return over("Sort", "Sort", [fact("Sort Key", this.sortKeys(plan.keys))], this.explain(plan.input));
      case "Limit":
        return this.limit(plan);
      case "Distinct": {
        const on = plan.on?.map((expr) => this.print(expr));
        return over("Unique", "Unique", on === undefined ? [] : [fact("Distinct On", on)], this.explain(plan.input));
      }
      case "SetOperation":
        return {
          node: setOperationName(plan.operator, plan.all),
          type: plan.operator === "union" ? "Append" : "SetOp",
          facts: [unprinted("Command", `${titled(plan.operator)}${plan.all ? " All" : ""}`)],
          inputs: inputsOf(plan).map((input) => this.explain(input)),
        };
      case "With":
        return this.withCtes(plan);
      case "Write":
        return this.write(plan);
      case "Merge":
        return over(
          `Merge on ${plan.table.name}${this.effects(plan.table, undefined, false)}`,
          "ModifyTable",
          [
            unprinted("Operation", "Merge"),
            ...relationFacts(plan),
            ...this.effectFacts(plan.table, undefined, false),
            ...mergeFacts(plan, (expr) => this.print(expr)),
          ],
          this.explain(plan.input),
        );
    }
  }

  private limit(plan: Limit): ExplainNode {
    const fetch = plan.fetch === undefined ? undefined : this.print(plan.fetch);
    const ties = plan.withTies === undefined ? "" : " with ties";
    const facts = [
      ...(fetch === undefined ? [] : [unprinted("Limit", `${fetch}${ties}`)]),
      ...(plan.skip === undefined ? [] : [fact("Offset", this.print(plan.skip))]),
    ];
    return over(`Limit${fetch === undefined ? "" : `  (${fetch}${ties})`}`, "Limit", facts, this.explain(plan.input));
  }

  private functionCall(call: FunctionScan["calls"][number]): string {
    if ("scalar" in call) return this.print(call.scalar);
    return `${call.function.name}(${call.args.map((arg) => this.print(arg)).join(", ")})`;
  }

  /** Conditions that were handed to the resource are checked again on its rows; the others are checked only here. */
  private filter(plan: Filter): ExplainFact[] {
    let below: LogicalPlan = plan.input;
    while (below.kind === "Filter") below = below.input;
    const scan = below.kind === "Scan" ? below : undefined;
    const parts = conjunctsOf(plan.condition);
    const again = scan === undefined ? [] : parts.filter((part) => isPushed(part, scan));
    const own = conjunctionOf(parts.filter((part) => !again.includes(part)));
    const recheck = again.length === parts.length ? plan.condition : conjunctionOf(again);
    return [
      ...(recheck === undefined ? [] : [fact("Recheck", this.print(recheck))]),
      ...(own === undefined ? [] : [fact("Filter", this.print(again.length === 0 ? plan.condition : own))]),
    ];
  }

  private scan(scan: Scan): ExplainNode {
    const { table } = scan;
    const schema = table.schema === "public" ? "" : `${table.schema}.`;
    const alias = scan.alias === table.name ? "" : ` ${scan.alias}`;
    const rows = this.facts.costs === false ? undefined : estimateRows(scan);
    const relation = [
      ...relationFacts(scan),
      ...(rows === undefined ? [] : [unprinted("Plan Rows", Math.round(rows))]),
    ];
    const on = `on ${schema}${table.name}${alias}`;
    if (table.kind !== "resource") return { ...leaf(`Seq Scan ${on}`, "Seq Scan", ...relation), scan: scan.id };
    const print = (expr: Expr) => this.print(expr);
    const resource = scan as ResourceScan;
    const calls = this.facts.direct?.has(scan.id) === true ? [notCalled] : scanFacts(resource, print);
    return {
      ...leaf(
        `Resource Scan ${on}${rows === undefined ? "" : `  (rows≈${Math.round(rows)})`}`,
        "Resource Scan",
        ...relation,
        ...calls,
      ),
      scan: scan.id,
      waitsFor: waitsFor(resource, print),
    };
  }

  private write(plan: Write): ExplainNode {
    const isDirect = plan.targetScan !== undefined && this.facts.direct?.has(plan.targetScan) === true;
    const columns = plan.targets.map((target) => plan.table.columns[target].name);
    const set = (plan.assignments ?? []).map((expr, i) => `${columns[i]} = ${this.print(expr)}`);
    return over(
      `${titled(plan.op)} on ${plan.table.name}${plan.alias === plan.table.name ? "" : ` ${plan.alias}`}${this.effects(plan.table, plan.op, isDirect)}`,
      "ModifyTable",
      [
        unprinted("Operation", titled(plan.op)),
        ...relationFacts(plan),
        ...this.effectFacts(plan.table, plan.op, isDirect),
        ...(columns.length === 0 ? [] : [fact("Columns", columns)]),
        ...(set.length === 0
          ? []
          : [
              fact(
                "Set",
                set,
                set.map((text) => `Set: ${text}`),
              ),
            ]),
        ...conflictFacts(plan, (expr) => this.print(expr)),
      ],
      this.explain(plan.input),
    );
  }

  /** What a write to a resource does to it: `  (1 call a row, staged until COMMIT)`. */
  private effects(table: Table, op: Write["op"] | undefined, isDirect: boolean): string {
    if (table.kind !== "resource") return "";
    return `  (${effectCalls(table, op, isDirect)}${this.facts.staging === true ? ", staged until COMMIT" : ""})`;
  }

  private effectFacts(table: Table, op: Write["op"] | undefined, isDirect: boolean): ExplainFact[] {
    if (table.kind !== "resource") return [];
    return [
      unprinted("Calls", effectCalls(table, op, isDirect)),
      unprinted("Effect", this.facts.staging === true ? "staged until COMMIT" : "at once"),
    ];
  }

  private join(join: Join): ExplainNode {
    const hashable = hasEquality(join);
    const kind = { inner: "", left: " Left", right: " Right", full: " Full", semi: " Semi", anti: " Anti" }[join.type];
    const name = hashable ? `Hash${kind} Join` : `Nested Loop${kind === "" ? "" : `${kind} Join`}`;
    const condition = join.condition === undefined ? undefined : this.print(join.condition);
    return {
      node: `${name}${condition === undefined ? "" : `  ${condition}`}`,
      type: hashable ? "Hash Join" : "Nested Loop",
      facts: [
        unprinted("Join Type", titled(join.type)),
        ...(condition === undefined ? [] : [unprinted(hashable ? "Hash Cond" : "Join Filter", condition)]),
      ],
      inputs: [this.explain(join.left), this.explain(join.right)],
    };
  }

  private aggregate(plan: Aggregate): ExplainNode {
    const facts: ExplainFact[] = [unprinted("Strategy", plan.keys.length === 0 ? "Plain" : "Hashed")];
    if (plan.keys.length > 0) {
      const keys = plan.keys.map((key) => this.print(key.expr));
      const simple = plan.groupingSets.length === 1 && plan.groupingSets[0].length === keys.length;
      const sets = plan.groupingSets.map((set) => set.map((i) => keys[i]));
      if (simple) facts.push(fact("Group Key", keys));
      else {
        const lines = sets.map((set) => `Group Key: ${set.length === 0 ? "()" : set.join(", ")}`);
        facts.push(fact("Grouping Sets", sets, lines));
      }
    }
    if (plan.aggregates.length > 0)
      facts.push(
        fact(
          "Aggregates",
          plan.aggregates.map(({ call }) => this.aggregateCall(call)),
        ),
      );
    const name = plan.keys.length === 0 ? "Aggregate" : "HashAggregate";
    return over(name, "Aggregate", facts, this.explain(plan.input));
  }

  private aggregateCall(call: AggregateCall): string {
    const args = call.star === true ? "*" : call.args.map((arg) => this.print(arg)).join(", ");
    const order = call.orderBy.length === 0 ? "" : ` ORDER BY ${this.sortKeys(call.orderBy).join(", ")}`;
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
    if (plan.orderBy.length > 0) parts.push(`ORDER BY ${this.sortKeys(plan.orderBy).join(", ")}`);
    return parts.join(" ");
  }

  private sortKeys(keys: readonly SortKey[]): string[] {
    return keys.map((key) => {
      const usual = key.nullsFirst === key.descending;
      return `${this.print(key.expr)}${key.descending ? " DESC" : ""}${usual ? "" : key.nullsFirst ? " NULLS FIRST" : " NULLS LAST"}`;
    });
  }

  private withCtes(plan: LogicalPlan & { kind: "With" }): ExplainNode {
    const ctes = plan.ctes.map((cte) => {
      const body = this.explain(cte.plan);
      const tree: ExplainNode =
        cte.recursive === undefined
          ? body
          : {
              node: "Recursive Union",
              type: "Recursive Union",
              facts: [],
              inputs: [body, this.explain(cte.recursive.term)],
            };
      return wrapped("InitPlan", `CTE ${cte.name}`, tree);
    });
    const main = this.explain(plan.input);
    return { ...main, inputs: [...ctes, ...main.inputs] };
  }
}

function leaf(node: string, type: string, ...facts: readonly ExplainFact[]): ExplainNode {
  return { node, type, facts, inputs: [] };
}

function over(node: string, type: string, facts: readonly ExplainFact[], input: ExplainNode): ExplainNode {
  return { node, type, facts, inputs: [input] };
}

function withFacts(node: ExplainNode, facts: readonly ExplainFact[]): ExplainNode {
  return { ...node, facts: [...node.facts, ...facts] };
}

function wrapped(wraps: "InitPlan" | "SubPlan", name: string, node: ExplainNode): ExplainNode {
  return { node: name, type: wraps, facts: [], inputs: [node], wraps };
}

function relationFacts({ table, alias }: Scan | Write | Merge): ExplainFact[] {
  return [unprinted("Relation Name", table.name), unprinted("Schema", table.schema), unprinted("Alias", alias)];
}

/** Calls that a write makes, as far as the plan tells. */
function effectCalls(table: ResourceTableInfo, op: Write["op"] | undefined, isDirect: boolean): string {
  if (op === "insert" && table.batchInsert === true) return "1 call for all rows";
  return isDirect ? "1 call a key" : "1 call a row";
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

function setOperationName(operator: "union" | "intersect" | "except", all: boolean): string {
  if (operator === "union") return all ? "Append" : "HashAggregate over Append";
  return `HashSetOp ${titled(operator)}${all ? " All" : ""}`;
}

function titled(word: string): string {
  return word[0].toUpperCase() + word.slice(1);
}
