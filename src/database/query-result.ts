/** Runs one read or write and makes its result: the rows up to the limit, and the notices that belong to them. */
import type { ScratchpadBackend } from "../backends/backend.js";
import { sqlstate } from "../errors/sqlstate.js";
import { countOf } from "../errors/words.js";
import { functionsNamed } from "../functions/registry.js";
import type { Expr } from "../planner/expr.js";
import type { LogicalPlan } from "../planner/plan.js";
import { expressionsOf, plansWithin, someExpression } from "../planner/visit.js";
import { boundText } from "../resources/argument-text.js";
import { executeQuery, type StatementContext, type StatementResult } from "./execute.js";
import { explainEmpty } from "./explain-empty.js";
import { flowNotices, hidesValues, shownMissing, withLabels } from "./flow/shown.js";
import { firstWrite } from "./gate.js";
import { answerOnBackend } from "./on-backend.js";
import type { PreparedQuery } from "./prepare.js";
import { commandTag, fieldsOf, ownRows } from "./result.js";
import type { ExecuteResult, MissingPart, Notice } from "./types.js";

/** What a statement is run with. */
export interface QueryRun {
  /** Values of `$1`, `$2`, … of the whole script. */
  readonly params: readonly unknown[];
  /** Rows of the result at most. */
  readonly limit: number;
  /** Whether a read may answer although a part of a table could not be had. */
  readonly allowPartial: boolean;
  /** Executes reads instead of the built-in engine. */
  readonly backend?: ScratchpadBackend;
}

/** @param context of the statement; what a partial answer is without is collected here */
export async function queryResult(
  prepared: PreparedQuery,
  run: QueryRun,
  context: StatementContext,
): Promise<ExecuteResult> {
  const { statement, query } = prepared;
  // A SELECT may write in WITH; effects are never another engine's affair.
  const isRead = firstWrite(statement) === undefined;
  const missing: MissingPart[] = [];
  const own: StatementContext =
    run.allowPartial && isRead ? { ...context, onMissing: (part) => void missing.push(part) } : context;
  // One row more than wanted tells whether there are more.
  const answer = await answerOf(prepared, { ...run, limit: run.limit + 1 }, own, isRead);
  const truncated = answer.rows.length > run.limit;
  const rows = ownRows(truncated ? answer.rows.slice(0, run.limit) : answer.rows, query.output, answer.names);
  const rowCount = answer.affected ?? rows.length;
  const notices: Notice[] = (query.notices ?? []).map((notice) => ({ severity: "NOTICE", ...notice }));
  notices.push(...(answer.notices ?? []));
  notices.push(...flowNotices(prepared.flow));
  const shown = missing.map((part) => shownMissing(part, prepared.flow));
  if (shown.length > 0) notices.push(incompleteAnswer(shown));
  else if (!hidesValues(prepared.flow)) notices.push(...(await explainEmpty(prepared, answer, run.params, own)));
  return {
    rows,
    fields: withLabels(fieldsOf(query.output, answer.names), prepared.flow),
    truncated,
    touched: [...answer.touched],
    rowCount,
    command: commandTag(query.command, rowCount),
    ...(notices.length > 0 && { notices }),
    ...(shown.length > 0 && { missing: shown }),
  };
}

/** The backend's answer where there is a backend that can give it; the built-in engine's otherwise. */
function answerOf(
  prepared: PreparedQuery,
  { params, limit, backend }: QueryRun,
  context: StatementContext,
  isRead: boolean,
): Promise<StatementResult> {
  const readsTables = prepared.graph.scans.length + prepared.scans.length > 0;
  return backend !== undefined && isRead && readsTables && !needsOwnEngine(prepared)
    ? answerOnBackend(backend, prepared, params, limit, context)
    : executeQuery(prepared, params, limit, context);
}

/** What other engines are given is the text of the statement, not the plan that rules made of it. */
function needsOwnEngine({ plan, flow }: PreparedQuery): boolean {
  return flow?.isRewritten === true || callsOwnFunction(plan);
}

/** Whether a plan calls a function that only this program has, such as `catalog.search`: no other engine can run it. */
function callsOwnFunction(plan: LogicalPlan): boolean {
  return plansWithin(plan).some(
    (node) =>
      ((node.kind === "FunctionScan" || node.kind === "ProjectSet") &&
        node.calls.some((call) => "function" in call && call.function.schema !== undefined)) ||
      expressionsOf(node).some((expr) => someExpression(expr, isHostCall)),
  );
}

/** The host's functions have names that the library has not. */
function isHostCall(expr: Expr): boolean {
  return expr.kind === "Call" && expr.operator === undefined && functionsNamed(expr.name).length === 0;
}

/** Parts that the notice names; the result lists all. */
const maxPartsNamed = 3;

function incompleteAnswer(missing: readonly MissingPart[]): Notice {
  const parts = missing.slice(0, maxPartsNamed).map(({ resource, part, bindings }) => {
    const given = Object.entries(bindings).map(([column, values]) => boundText(column, values));
    const which = part ?? (given.length > 0 ? `the rows of ${given.join("; ")}` : "its rows");
    return `"${resource}" without ${which}`;
  });
  const more = missing.length > maxPartsNamed ? ` and ${countOf(missing.length - maxPartsNamed, "more part")}` : "";
  return {
    severity: "WARNING",
    code: sqlstate.warning,
    message: `the answer is incomplete: ${parts.join(", ")}${more}`,
    hint: "Counts and sums are of a part only; so is the absence of a row.",
  };
}
