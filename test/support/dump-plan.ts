/** Prints plans and bound expressions compactly, one node a line, for tests: `Filter t.a = 1` over `Scan t(a, b)`. */
import type { Column, Expr, SortKey } from "../../src/planner/expr.js";
import type { LogicalPlan, ProjectItem } from "../../src/planner/plan.js";
import { displayType } from "../../src/types/type.js";

/** The plan as indented lines. */
export function dumpPlan(plan: LogicalPlan): string {
  return lines(plan).join("\n");
}

function lines(plan: LogicalPlan): string[] {
  const below = (node: LogicalPlan) => lines(node).map((line) => `  ${line}`);
  switch (plan.kind) {
    case "Scan":
      return [`Scan ${plan.alias}(${plan.columns.map((item) => item.column.name).join(", ")})`];
    case "Values":
      return [`Values ${plan.rows.map((row) => `(${row.map(dumpExpr).join(", ")})`).join(", ")}`];
    case "FunctionScan": {
      const calls = plan.calls.map((call) =>
        "scalar" in call ? dumpExpr(call.scalar) : `${call.function.name}(${call.args.map(dumpExpr).join(", ")})`,
      );
      return [`FunctionScan ${calls.join(", ")}${plan.ordinality ? " with ordinality" : ""} as ${plan.alias}`];
    }
    case "Filter":
      return [`Filter ${dumpExpr(plan.condition)}`, ...below(plan.input)];
    case "Project":
      return [`Project ${plan.items.map(item).join(", ")}`, ...below(plan.input)];
    case "ProjectSet": {
      const calls = plan.calls.map((call) => `${call.function.name}(${call.args.map(dumpExpr).join(", ")})`);
      return [`ProjectSet ${calls.join(", ")}`, ...below(plan.input)];
    }
    case "Join": {
      const condition = plan.condition === undefined ? "" : ` on ${dumpExpr(plan.condition)}`;
      const kind = `${plan.lateral ? "lateral " : ""}${plan.type}`;
      return [`Join ${kind}${condition}`, ...below(plan.left), ...below(plan.right)];
    }
    case "Aggregate": {
      const calls = plan.aggregates.map(({ call }) => {
        const args = call.star ? "*" : [...(call.directArgs ?? []), ...call.args].map(dumpExpr).join(", ");
        const order = call.orderBy.length > 0 ? ` order by ${call.orderBy.map(sortKey).join(", ")}` : "";
        const filter = call.filter === undefined ? "" : ` filter ${dumpExpr(call.filter)}`;
        return `${call.function.name}(${call.distinct ? "distinct " : ""}${args}${order})${filter}`;
      });
      const sets = plan.groupingSets.length > 1 ? ` sets ${JSON.stringify(plan.groupingSets)}` : "";
      const keys = plan.keys.map((key) => dumpExpr(key.expr)).join(", ");
      return [`Aggregate keys (${keys})${sets} calls (${calls.join(", ")})`, ...below(plan.input)];
    }
    case "Window": {
      const calls = plan.calls.map(
        ({ call, frame }) =>
          `${call.function.name}(${call.star ? "*" : call.args.map(dumpExpr).join(", ")}) ${frame.mode} ${frame.start.kind} to ${frame.end.kind}`,
      );
      const partition = plan.partitionBy.map(dumpExpr).join(", ");
      return [
        `Window partition (${partition}) order (${plan.orderBy.map(sortKey).join(", ")}) ${calls.join(", ")}`,
        ...below(plan.input),
      ];
    }
    case "Sort":
      return [`Sort ${plan.keys.map(sortKey).join(", ")}`, ...below(plan.input)];
    case "Limit": {
      const parts = [
        plan.fetch && `fetch ${dumpExpr(plan.fetch)}`,
        plan.skip && `skip ${dumpExpr(plan.skip)}`,
        plan.withTies && "with ties",
      ].filter(Boolean);
      return [`Limit ${parts.join(" ")}`, ...below(plan.input)];
    }
    case "Distinct":
      return [`Distinct${plan.on ? ` on ${plan.on.map(dumpExpr).join(", ")}` : ""}`, ...below(plan.input)];
    case "SetOperation":
      return [`${plan.operator}${plan.all ? " all" : ""}`, ...below(plan.left), ...below(plan.right)];
    case "With":
      return [
        "With",
        ...plan.ctes.flatMap((cte) => [
          `  ${cte.name} (${cte.references} references)`,
          ...below(cte.plan).map((line) => `  ${line}`),
          ...(cte.recursive
            ? [
                `  recursive union${cte.recursive.all ? " all" : ""}`,
                ...below(cte.recursive.term).map((line) => `  ${line}`),
              ]
            : []),
        ]),
        ...below(plan.input),
      ];
    case "CteScan":
      return [`CteScan ${plan.name}${plan.workTable ? " (work table)" : ""} as ${plan.alias}`];
    case "Write": {
      const names = plan.targets.map((target) => plan.table.columns[target].name);
      const values = plan.assignments?.map(dumpExpr);
      const set = names.map((name, i) => (values === undefined ? name : `${name} = ${values[i]}`)).join(", ");
      const defaults = plan.defaults?.map(({ source, expr }) => `${plan.table.columns[source].name} ${dumpExpr(expr)}`);
      return [
        `Write ${plan.op} ${plan.table.name} (${set})${defaults?.length ? ` default ${defaults.join(", ")}` : ""}`,
        ...(plan.onConflict ? [`  on conflict ${plan.onConflict.action}`] : []),
        ...(plan.returning ? [`  returning ${plan.returning.map(item).join(", ")}`] : []),
        ...below(plan.input),
      ];
    }
    case "Merge":
      return [
        `Merge ${plan.table.name}`,
        ...plan.actions.map(
          (action) =>
            `  when ${action.when}${action.condition ? ` and ${dumpExpr(action.condition)}` : ""} ${action.action}` +
            ` ${action.targets.map((target, i) => `${plan.table.columns[target].name} = ${dumpExpr(action.values[i])}`).join(", ")}`.trimEnd(),
        ),
        ...below(plan.input),
      ];
    case "Empty":
    case "Materialized":
      return [plan.kind];
  }
}

function item({ column, expr }: ProjectItem): string {
  return `${dumpExpr(expr)} as ${column.name}`;
}

function sortKey(key: SortKey): string {
  const direction = key.descending ? " desc" : "";
  return `${dumpExpr(key.expr)}${direction}${key.nullsFirst === key.descending ? "" : key.nullsFirst ? " nulls first" : " nulls last"}`;
}

function columnName(column: Column): string {
  return column.origin === undefined ? column.name : `${column.origin.alias}.${column.origin.column}`;
}

/** An expression as text; implicit casts are shown in braces. */
export function dumpExpr(expr: Expr): string {
  switch (expr.kind) {
    case "Constant":
      return typeof expr.value === "string" ? `'${expr.value}'` : String(expr.value);
    case "Parameter":
      return `$${expr.index}::${expr.type.name}`;
    case "Column":
      return columnName(expr.column);
    case "Call": {
      const args = expr.args.map(dumpExpr);
      if (expr.operator === undefined) return `${expr.name}(${args.join(", ")})`;
      return args.length === 1 ? `(${expr.operator} ${args[0]})` : `(${args[0]} ${expr.operator} ${args[1]})`;
    }
    case "Cast": {
      const type = displayType(expr.type, expr.typmod ?? -1);
      return expr.context === "explicit" ? `${dumpExpr(expr.input)}::${type}` : `${dumpExpr(expr.input)}{${type}}`;
    }
    case "And":
    case "Or":
      return `(${expr.args.map(dumpExpr).join(` ${expr.kind.toLowerCase()} `)})`;
    case "Not":
      return `(not ${dumpExpr(expr.input)})`;
    case "IsNull":
      return `(${dumpExpr(expr.input)} is ${expr.negated ? "not " : ""}null)`;
    case "BooleanTest":
      return `(${dumpExpr(expr.input)} is ${expr.negated ? "not " : ""}${expr.test})`;
    case "IsDistinct":
      return `(${dumpExpr(expr.left)} is ${expr.negated ? "not " : ""}distinct from ${dumpExpr(expr.right)})`;
    case "Case": {
      const branches = expr.branches.map((branch) => ` when ${dumpExpr(branch.when)} then ${dumpExpr(branch.then)}`);
      const operand = expr.operand === undefined ? "" : ` ${dumpExpr(expr.operand)}`;
      return `case${operand}${branches.join("")} else ${dumpExpr(expr.otherwise)} end`;
    }
    case "Coalesce":
      return `coalesce(${expr.args.map(dumpExpr).join(", ")})`;
    case "MinMax":
      return `${expr.which}(${expr.args.map(dumpExpr).join(", ")})`;
    case "NullIf":
      return `nullif(${dumpExpr(expr.equals)})`;
    case "InList":
      return `(${dumpExpr(expr.input)} ${expr.negated ? "not " : ""}in (${expr.items.map(dumpExpr).join(", ")}))`;
    case "ArrayComparison":
      return `(${dumpExpr(expr.input)} ${expr.compare.operator} ${expr.quantifier} ${dumpExpr(expr.array)})`;
    case "Array":
      return `[${expr.items.map(dumpExpr).join(", ")}]`;
    case "Row":
      return `row(${expr.items.map(dumpExpr).join(", ")})`;
    case "Subscript":
      return `${dumpExpr(expr.input)}${expr.subscripts
        .map(({ slice, lower, upper }) =>
          slice ? `[${lower ? dumpExpr(lower) : ""}:${upper ? dumpExpr(upper) : ""}]` : `[${upper && dumpExpr(upper)}]`,
        )
        .join("")}`;
    case "Field":
      return `${dumpExpr(expr.input)}.${expr.name}`;
    case "RowCompare":
      return `((${expr.left.map(dumpExpr).join(", ")}) ${expr.operator} (${expr.right.map(dumpExpr).join(", ")}))`;
    case "Subquery": {
      const test = expr.test === undefined ? "" : ` ${dumpExpr(expr.test)}`;
      return `{${expr.subqueryKind}${test}: ${lines(expr.plan)
        .map((line) => line.trim())
        .join("; ")}}`;
    }
    case "Grouping":
      return `grouping(${expr.keys.join(", ")})`;
  }
}
