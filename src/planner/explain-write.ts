/** What EXPLAIN says of ON CONFLICT and of the actions of a MERGE, and which verbs a write may call. */
import type { Verb } from "../catalog/table.js";
import { type ExplainFact, fact } from "./explain-node.js";
import type { Expr } from "./expr.js";
import type { Merge, MergeAction, Write } from "./plan.js";

/** `Conflict Resolution`, the arbiter and the filter, as PostgreSQL names them; a resource is read by the proposed keys. */
export function conflictFacts({ onConflict, table }: Write, print: (expr: Expr) => string): ExplainFact[] {
  if (onConflict === undefined) return [];
  const names = (sources: readonly number[]) => sources.map((source) => table.columns[source].name);
  const named = [...names(onConflict.keys ?? []), ...(onConflict.indexes ?? [])];
  // Without a target it is any key; of a resource, the one that it declares.
  const arbiter = named.length === 0 && table.kind === "resource" ? table.primaryKey : named;
  const columns = names(onConflict.targets ?? []);
  const set = (onConflict.assignments ?? []).map((expr, i) => `${columns[i]} = ${print(expr)}`);
  return [
    fact("Conflict Resolution", onConflict.action.toUpperCase()),
    ...(arbiter.length === 0 ? [] : [fact("Conflict Arbiter", arbiter)]),
    ...(set.length === 0
      ? []
      : [
          fact(
            "Conflict Set",
            set,
            set.map((text) => `Conflict Set: ${text}`),
          ),
        ]),
    ...(onConflict.where === undefined ? [] : [fact("Conflict Filter", print(onConflict.where))]),
    ...(table.kind === "resource" ? [fact("Reads", `${table.name} by the proposed keys, before the first write`)] : []),
  ];
}

/** One line for each WHEN. */
export function mergeFacts({ actions, table }: Merge, print: (expr: Expr) => string): ExplainFact[] {
  const lines = actions.map((action) => {
    const when = `When ${action.when === "matched" ? "Matched" : "Not Matched"}`;
    const condition = action.condition === undefined ? "" : ` and ${print(action.condition)}`;
    return `${when}${condition}: ${actionText(action, table, print)}`;
  });
  return [fact("Actions", lines, lines)];
}

function actionText(
  { action, targets, values }: MergeAction,
  table: Merge["table"],
  print: (expr: Expr) => string,
): string {
  const columns = targets.map((target) => table.columns[target].name);
  switch (action) {
    case "nothing":
      return "Do Nothing";
    case "delete":
      return "Delete";
    case "update":
      return `Update ${columns.map((column, i) => `${column} = ${print(values[i])}`).join(", ")}`;
    case "insert":
      return `Insert (${columns.join(", ")})`;
  }
}

/** The verbs that a write may call, each once, in the order of the statement. */
export function verbsOfWrite(node: Write | Merge): readonly Exclude<Verb, "select">[] {
  if (node.kind === "Write") return node.onConflict?.action === "update" ? ["insert", "update"] : [node.op];
  return [...new Set(node.actions.flatMap(({ action }) => (action === "nothing" ? [] : [action])))];
}
