/**
 * A plan as EXPLAIN (FORMAT JSON) gives it: PostgreSQL's keys where it has them (`Node Type`, `Relation Name`, `Plans`), keys
 * of our own for what only calls have (`Arguments`, `Pushed`, `Calls`). Source: PostgreSQL 15, EXPLAIN; commands/explain.c.
 */
import type { ExplainNode, ExplainValue } from "./explain-node.js";

/** A JSON object in the order in which it is written. */
export type ExplainObject = Readonly<Record<string, ExplainValue>>;

/** @param root the plan; the caller puts it under `Plan`, in an array */
export function explainJson(root: ExplainNode): ExplainObject {
  return nodeObject(root, {});
}

function nodeObject(node: ExplainNode, place: ExplainObject): ExplainObject {
  if (node.wraps !== undefined) {
    return nodeObject(node.inputs[0], { "Parent Relationship": node.wraps, "Subplan Name": node.node });
  }
  return {
    "Node Type": node.type,
    ...place,
    ...Object.fromEntries(node.facts.map(({ key, value }) => [key, value])),
    ...(node.inputs.length > 0 && { Plans: inputObjects(node) }),
  };
}

/** Subqueries stand beside the inputs, as in PostgreSQL; only the inputs are outer and inner. */
function inputObjects(node: ExplainNode): ExplainObject[] {
  const isMember = node.type === "Append" || node.type === "Script";
  let inputs = 0;
  return node.inputs.map((input) => {
    if (input.wraps !== undefined) return nodeObject(input, {});
    inputs += 1;
    const relationship = isMember ? "Member" : inputs === 1 ? "Outer" : "Inner";
    return nodeObject(input, { "Parent Relationship": relationship });
  });
}
