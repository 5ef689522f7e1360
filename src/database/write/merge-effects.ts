/** MERGE → effects, in the order of the source's rows. The engine has decided which action acts on which row. */
import type { MergeStep } from "../../engine/write-request.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Merge } from "../../planner/plan.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import { TargetRows } from "./change-effects.js";
import { checkedRow, EffectList } from "./insert-effects.js";
import type { MadeWrite, MakeContext } from "./made-write.js";

/** @throws SqlError before any effect: a bad value, a key that is there already, a row that comes twice (21000) or that another part writes (0A000) */
export function makeMerge(
  node: Merge,
  table: RegisteredResource,
  steps: readonly MergeStep[],
  context: MakeContext,
): MadeWrite {
  const list = new EffectList(table);
  const changes = steps.some((step) => step.action !== "insert");
  const target = changes ? new TargetRows(node, table, node.targetScan, context) : undefined;
  steps.forEach((step, i) => {
    if (step.action === "insert") {
      const checked = checkedRow(table, { row: step.row, given: step.targets }, i + 1, context.session);
      context.touched.touch(node, "come", checked.row, checked.given);
      context.keys.enter(checked.row);
      list.insert(checked);
      return;
    }
    if (target === undefined) return;
    target.touch(step.rowId);
    if (target.isWritten(step.rowId)) throw twice();
    const { effect, values } = step.action === "update" ? target.update(step, i + 1) : target.remove(step.rowId);
    list.change(effect, values);
  });
  return { node, table, effects: list.effects, rows: list.rows };
}

function twice(): SqlError {
  return new SqlError(sqlstate.cardinalityViolation, "MERGE command cannot affect row a second time", {
    hint: "Ensure that not more than one source row matches any one target row.",
  });
}
