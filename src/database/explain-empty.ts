/**
 * Answers without rows say why: which predicate removed the rows that were in hand and which values occur, which call gave
 * none, which comparison is never true. Everything is found out from rows that are there already; nothing is called, and
 * the work is bounded, so that a statement which cannot be explained cheaply goes without.
 *
 * The plan is walked from the top through nodes that put out nothing, down to the first one whose inputs have rows.
 */
import { readParameters } from "../backends/parameters.js";
import { prepare as preparePlan } from "../engine/run.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { valueNames } from "../planner/call-count.js";
import type { Expr } from "../planner/expr.js";
import { type CteDefinition, type Join, type LogicalPlan, outputOf, type Scan } from "../planner/plan.js";
import { printExpr, printOperator } from "../planner/print-expr.js";
import { columnsOf, conjunctsOf, freeColumns, idsOf, isVolatilePlan, plansWithin } from "../planner/visit.js";
import { boundText } from "../resources/argument-text.js";
import type { ResolvedScan } from "../resources/resolve.js";
import type { Row } from "../resources/resource.js";
import type { Value } from "../types/value.js";
import { explainFilter, maxLookedAt, projected } from "./empty-filters.js";
import { baseEnvironment, ownParameters, type StatementContext, type StatementResult } from "./execute.js";
import { nullComparisons } from "./null-comparisons.js";
import type { PreparedQuery } from "./prepare.js";
import type { Notice } from "./types.js";
import { shownValue, valueList } from "./value-list.js";

/** Milliseconds that the engine may spend on it. */
const maxTimeMs = 200;
/** More than this says less. */
const maxNotices = 3;

/** What the statement ran with, and what it read. */
interface EmptyAnswer {
  readonly result: StatementResult;
  readonly parameters: readonly Value[];
}

/**
 * The notices of a read that gave no row, and of one whose only row is a count over no rows. Empty for any other answer,
 * and for a statement that writes.
 * @param params host values of `$1`, `$2`, …
 */
export async function explainEmpty(
  prepared: PreparedQuery,
  result: StatementResult,
  params: readonly unknown[],
  context: StatementContext,
): Promise<Notice[]> {
  const root = emptyPart(prepared, result);
  if (root === undefined) return [];
  const never = nullComparisons(prepared.statement, params);
  if (never.length > 0) return never.slice(0, maxNotices);
  try {
    const parameters = readParameters(prepared.query, ownParameters(prepared.query, params), context.session);
    const search = new EmptySearch({ result, parameters }, context);
    if (result.rows.length > 0 && !(await search.isEmpty(root, []))) return [];
    const findings = await search.explain(root, []);
    // A table that was not called had no keys to be called with: where those went is the better answer.
    const telling = findings.filter((item) => item.isFollowUp !== true);
    return (telling.length > 0 ? telling : findings).map(({ notice }) => notice).slice(0, maxNotices);
  } catch (error) {
    // Too much work, or a condition that fails for rows which the statement never tried it on: no explanation is owed.
    if (error instanceof SqlError && !context.signal.aborted) return [];
    throw error;
  }
}

/** The part of the plan that put out nothing, when that is what the answer shows. */
function emptyPart({ plan, query }: PreparedQuery, { rows }: StatementResult): LogicalPlan | undefined {
  if (query.command !== "SELECT" || isVolatilePlan(plan)) return undefined;
  if (plansWithin(plan).some((node) => node.kind === "Write" || node.kind === "Merge")) return undefined;
  if (rows.length === 0) return plan;
  return rows.length === 1 && Object.values(rows[0]).some((value) => value === 0) ? countedPart(plan) : undefined;
}

/** The input of a `count(*)` that is the whole answer. */
function countedPart(plan: LogicalPlan): LogicalPlan | undefined {
  switch (plan.kind) {
    case "Project":
    case "Sort":
    case "Limit":
      return countedPart(plan.input);
    case "Aggregate":
      return plan.keys.length === 0 && plan.aggregates.some(({ call }) => call.function.name === "count")
        ? plan.input
        : undefined;
    default:
      return undefined;
  }
}

interface Finding {
  readonly notice: Notice;
  /** It says only that something else gave nothing. */
  readonly isFollowUp?: boolean;
}

class EmptySearch {
  constructor(
    private readonly answer: EmptyAnswer,
    private readonly context: StatementContext,
  ) {}

  /** @param plan puts out no row */
  async explain(plan: LogicalPlan, ctes: readonly CteDefinition[]): Promise<Finding[]> {
    switch (plan.kind) {
      case "Project":
      case "Sort":
      case "Window":
      case "Distinct":
        return this.explain(plan.input, ctes);
      case "With":
        return this.explain(plan.input, [...ctes, ...plan.ctes]);
      case "Aggregate":
        return plan.keys.length > 0 ? this.explain(plan.input, ctes) : [];
      case "Limit":
      case "ProjectSet":
        return (await this.isEmpty(plan.input, ctes)) ? this.explain(plan.input, ctes) : [];
      case "Filter":
        return (await this.isEmpty(plan.input, ctes)) ? this.explain(plan.input, ctes) : this.filter(plan, ctes);
      case "Scan":
        return this.scan(plan);
      case "Join":
        return this.join(plan, ctes);
      case "SetOperation":
        return this.setOperation(plan, ctes);
      case "CteScan": {
        const cte = ctes.find((candidate) => candidate.id === plan.cte);
        return cte === undefined || cte.recursive !== undefined ? [] : this.explain(cte.plan, ctes);
      }
      default:
        return [];
    }
  }

  private async filter(plan: LogicalPlan & { kind: "Filter" }, ctes: readonly CteDefinition[]): Promise<Finding[]> {
    const scan = scanBelow(plan.input);
    const notices = await explainFilter(
      {
        condition: plan.condition,
        input: plan.input,
        ...(scan !== undefined && { relation: nameOf(scan) }),
        parameters: this.answer.parameters,
      },
      (piece, maxRows) => this.run(piece, ctes, maxRows),
    );
    return notices.map((notice) => ({ notice }));
  }

  private async join(join: Join, ctes: readonly CteDefinition[]): Promise<Finding[]> {
    const both = async (...inputs: readonly LogicalPlan[]) => {
      const found: Finding[] = [];
      for (const input of inputs) if (await this.isEmpty(input, ctes)) found.push(...(await this.explain(input, ctes)));
      return found;
    };
    // The right of a lateral join has rows only for each row of the left.
    if (join.lateral === true) return both(join.left);
    const empty =
      join.type === "anti" || join.type === "left" ? await both(join.left) : await both(join.left, join.right);
    if (empty.length > 0 || join.condition === undefined) return empty;
    if (await this.isEmpty(join.left, ctes)) return [];
    if (join.type === "anti") return this.antiJoin(join, ctes);
    if (await this.isEmpty(join.right, ctes)) return [];
    return this.joinCondition(join, ctes);
  }

  /** The first equality of a join that has rows on both sides, with the values of each. */
  private async joinCondition(join: Join, ctes: readonly CteDefinition[]): Promise<Finding[]> {
    const left = idsOf(join.left);
    for (const condition of conjunctsOf(join.condition)) {
      if (condition.kind !== "Call" || condition.operator !== "=") continue;
      const ofLeft = condition.args.find((side) => isOver(side, left));
      const ofRight = condition.args.find((side) => isOver(side, idsOf(join.right)));
      if (ofLeft === undefined || ofRight === undefined) continue;
      const values = [await this.valuesOf(join.left, ofLeft, ctes), await this.valuesOf(join.right, ofRight, ctes)];
      const matching = `${printExpr(ofLeft)} = ${printExpr(ofRight)}`;
      const whole = conjunctsOf(join.condition).length === 1 ? "" : " together with the other conditions of the join";
      return [
        {
          notice: {
            severity: "NOTICE",
            code: sqlstate.noData,
            message: `no rows match ${matching}${whole}`,
            hint: `${printExpr(ofLeft)} is ${valueList(values[0], ofLeft.type)}; ${printExpr(ofRight)} is ${valueList(values[1], ofRight.type)}`,
          },
        },
      ];
    }
    return [];
  }

  private async antiJoin(join: Join, ctes: readonly CteDefinition[]): Promise<Finding[]> {
    if (join.nullAware !== true) return [];
    const right = idsOf(join.right);
    for (const condition of conjunctsOf(join.condition)) {
      const side = condition.kind === "Call" ? condition.args.find((arg) => isOver(arg, right)) : undefined;
      if (side === undefined) continue;
      const values = await this.valuesOf(join.right, side, ctes);
      if (!values.includes(null)) continue;
      const notice: Notice = {
        severity: "NOTICE",
        code: sqlstate.noData,
        message: `NOT IN gives no row, since ${printExpr(side)} is NULL in its list`,
        hint: `Leave the NULLs out (WHERE ${printExpr(side)} IS NOT NULL), or write NOT EXISTS.`,
      };
      return [{ notice }];
    }
    return [];
  }

  private async setOperation(
    plan: LogicalPlan & { kind: "SetOperation" },
    ctes: readonly CteDefinition[],
  ): Promise<Finding[]> {
    const inputs = plan.operator === "except" ? [plan.left] : [plan.left, plan.right];
    const found: Finding[] = [];
    for (const input of inputs) if (await this.isEmpty(input, ctes)) found.push(...(await this.explain(input, ctes)));
    return found;
  }

  /** A table that gave nothing: with which arguments it was asked, or why it was not. */
  private scan(scan: Scan): Finding[] {
    const read = this.answer.result.resolved.get(scan.id);
    if (read === undefined) return [found(`${nameOf(scan)} has no rows`)];
    if (scan.pushed?.never === true)
      return [found(`${nameOf(scan)} was not called: its conditions can't be true together`)];
    const given = argumentTexts(scan, read, this.answer.parameters);
    if (wasAsked(scan, read)) {
      return [
        found(`${nameOf(scan)} ${given.length === 0 ? "has no rows" : `gave no rows for ${given.join(" and ")}`}`),
      ];
    }
    const sources = (scan.pushed?.arguments ?? []).flatMap((set) =>
      set.values.kind === "query" ? [valueNames(set.values.plan)] : [],
    );
    const why =
      sources.length === 0
        ? "its conditions leave no value to call it with"
        : `${sources.join(", ")} gave no value to call it with`;
    return [{ ...found(`${nameOf(scan)} was not called: ${why}`), isFollowUp: true }];
  }

  async isEmpty(plan: LogicalPlan, ctes: readonly CteDefinition[]): Promise<boolean> {
    if (plan.kind === "Scan") return this.rowsOf(plan).length === 0;
    return (await this.run(plan, ctes, 1)).length === 0;
  }

  private async valuesOf(plan: LogicalPlan, expr: Expr, ctes: readonly CteDefinition[]): Promise<readonly Value[]> {
    return (await this.run(projected(plan, [expr]), ctes, maxLookedAt)).map(([value]) => value);
  }

  /** @throws SqlError for a piece that cannot run by itself or takes too long */
  private async run(
    plan: LogicalPlan,
    ctes: readonly CteDefinition[],
    maxRows: number,
  ): Promise<readonly (readonly Value[])[]> {
    const piece: LogicalPlan = ctes.length === 0 ? plan : { kind: "With", ctes, input: plan };
    if (freeColumns(piece).size > 0)
      throw new SqlError(sqlstate.internalError, "the piece refers to a query around it");
    const rows = new Map([...this.answer.result.resolved].map(([id, scan]) => [id, scan.rows] as const));
    const environment = baseEnvironment(rows, this.answer.parameters, this.context);
    const limits = { ...environment.limits, timeMs: Math.min(environment.limits.timeMs ?? maxTimeMs, maxTimeMs) };
    const answer = await preparePlan(piece, outputOf(plan)).run(
      { ...environment, limits },
      { maxRows, rows: "arrays" },
    );
    return answer.rows as readonly (readonly Value[])[];
  }

  private rowsOf({ id, table }: Scan): readonly Row[] {
    return this.answer.result.resolved.get(id)?.rows ?? this.context.storedRows(table.schema, table.name) ?? [];
  }
}

function found(message: string): Finding {
  return { notice: { severity: "NOTICE", code: sqlstate.noData, message } };
}

function scanBelow(plan: LogicalPlan): Scan | undefined {
  let node = plan;
  while (node.kind === "Filter") node = node.input;
  return node.kind === "Scan" ? node : undefined;
}

function nameOf({ table, alias }: Scan): string {
  return alias === table.name ? `"${table.name}"` : `"${table.name}" ${alias}`;
}

function isOver(expr: Expr, ids: ReadonlySet<number>): boolean {
  const used = columnsOf(expr);
  return used.size > 0 && [...used].every((id) => ids.has(id));
}

/** Whether a call was made for the scan, or an answer to it was at hand. */
function wasAsked(scan: Scan, read: ResolvedScan): boolean {
  if (read.invocations > 0 || (read.figures?.cached ?? 0) > 0) return true;
  return (scan.pushed?.arguments ?? []).length === 0 || Object.keys(read.bindings).length > 0;
}

/** `repo = 'x'`, `id = 1, 2, 3, 4, 5, … (20 values)`, `updated_at >= '2026-01-01'`. */
function argumentTexts(scan: Scan, read: ResolvedScan, parameters: readonly Value[]): string[] {
  const equalities = Object.entries(read.bindings).map(([column, values]) => boundText(column, values));
  const quals = (scan.pushed?.quals ?? []).map(({ source, operator, value }) => {
    const text =
      value === undefined
        ? ""
        : value.kind === "Parameter"
          ? ` ${shownValue(parameters[value.index - 1], value.type)}`
          : ` ${printExpr(value)}`;
    return `${scan.table.columns[source].name} ${printOperator(operator)}${text}`;
  });
  return [...equalities, ...quals];
}
