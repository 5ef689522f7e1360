/**
 * Logical plan → operators. Each node is given the columns that are needed above it and asks its inputs for those it
 * needs itself, so that operators which make new batches copy nothing that nobody reads.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { Expr, SortKey } from "../planner/expr.js";
import type { Join, Limit, LogicalPlan, Project, Window, With } from "../planner/plan.js";
import { outputOf } from "../planner/plan.js";
import { columnsOf, expressionsOf, freeColumns, isWrite, someExpression, somePlan } from "../planner/visit.js";
import { type Builder, pruneLayout } from "./builder.js";
import { comparableAs, isPlainKey } from "./compile/comparison.js";
import { compile } from "./compile/expression.js";
import { conjunctsOf } from "./compile/logic.js";
import { isRepeatable } from "./compile/subquery.js";
import { CteReading } from "./cte-reading.js";
import { keyFunctionOf } from "./keys.js";
import type { Operator } from "./operator.js";
import {
  type Cte,
  CteScanOperator,
  RecursiveCte,
  RecursiveScanOperator,
  StoredCte,
  WithOperator,
} from "./operators/cte.js";
import { DistinctOperator } from "./operators/distinct.js";
import { FilterOperator } from "./operators/filter.js";
import { HashAggregateOperator } from "./operators/hash-aggregate.js";
import { HashJoinOperator } from "./operators/hash-join.js";
import { LateralJoinOperator } from "./operators/lateral-join.js";
import { LimitOperator } from "./operators/limit.js";
import { MergeOperator } from "./operators/merge.js";
import { inPieces } from "./operators/pieces.js";
import { ProjectOperator } from "./operators/project.js";
import { type LookupKey, LookupOperator, RetainOperator } from "./operators/retain.js";
import { rowIdColumn } from "./operators/row-id.js";
import { ScanOperator } from "./operators/scan.js";
import { FunctionScanOperator, ProjectSetOperator } from "./operators/set-functions.js";
import { SetOperationOperator } from "./operators/set-operation.js";
import { SortOperator } from "./operators/sort.js";
import { TopNOperator } from "./operators/top-n.js";
import { MaterializedOperator, ValuesOperator } from "./operators/values.js";
import { WindowOperator } from "./operators/window.js";
import { WriteOperator } from "./operators/write.js";

type Needed = ReadonlySet<number>;

/** The operators of a plan; `needed` are the ids of the output columns that somebody reads. */
export function build(plan: LogicalPlan, needed: Needed, builder: Builder): Operator {
  switch (plan.kind) {
    case "Scan":
      return new ScanOperator(plan, needed, builder);
    case "Values":
      return new ValuesOperator(plan, builder);
    case "Empty":
      return new MaterializedOperator(plan.columns, [], builder);
    case "Materialized":
      return new MaterializedOperator(plan.columns, plan.rows, builder);
    case "FunctionScan":
      return new FunctionScanOperator(plan, builder);
    case "Filter":
      return buildFilter(plan, needed, builder);
    case "Project": {
      const items = plan.items.filter((item) => needed.has(item.column.id) || isVolatile(item.expr));
      const below = withColumns(
        hiddenOf(needed),
        items.map((item) => item.expr),
      );
      return new ProjectOperator(piecewise(plan, below, builder), items, builder);
    }
    case "ProjectSet": {
      const below = withColumns(
        needed,
        plan.calls.flatMap((call) => call.args),
      );
      const child = piecewise(plan, below, builder);
      return new ProjectSetOperator(child, plan, pruneLayout(child.layout, needed), builder);
    }
    case "Join":
      return buildJoin(plan, needed, builder);
    case "Aggregate":
      return new HashAggregateOperator(
        piecewise(plan, withColumns(new Set(), expressionsOf(plan)), builder),
        plan,
        builder,
      );
    case "Window": {
      return buildWindow(plan, needed, builder);
    }
    case "Sort": {
      const child = piecewise(plan, withColumns(needed, expressionsOf(plan)), builder);
      return new SortOperator(child, plan.keys, pruneLayout(child.layout, needed), builder);
    }
    case "Limit":
      return buildLimit(plan, needed, builder);
    case "Distinct": {
      const keys: readonly Expr[] =
        plan.on ?? outputOf(plan.input).map((column) => ({ kind: "Column", column, type: column.type }));
      return new DistinctOperator(piecewise(plan, withColumns(needed, keys), builder), keys, builder);
    }
    case "SetOperation": {
      const [left, right] = [plan.left, plan.right].map((side) => ({
        columns: outputOf(side),
        operator: input(side, idsOf(outputOf(side)), builder),
      }));
      return new SetOperationOperator(plan, left.operator, left.columns, right.operator, right.columns, builder);
    }
    case "With":
      return buildWith(plan, needed, builder);
    case "CteScan": {
      const cte = builder.ctes.get(plan.cte);
      if (cte === undefined) throw new SqlError(sqlstate.internalError, `CTE "${plan.name}" is not in scope`);
      return cte instanceof StoredCte
        ? new CteScanOperator(plan, cte, needed, builder)
        : new RecursiveScanOperator(plan, cte, builder);
    }
    case "Write": {
      const columns = outputOf(plan.input);
      const below = new Set(withColumns(plan.op === "insert" ? idsOf(columns) : new Set(), expressionsOf(plan)));
      if (plan.targetScan !== undefined) below.add(rowIdColumn(plan.targetScan));
      return new WriteOperator(input(plan.input, below, builder), plan, columns, builder);
    }
    case "Merge": {
      const below = new Set(withColumns(new Set(), expressionsOf(plan)));
      below.add(rowIdColumn(plan.targetScan));
      return new MergeOperator(input(plan.input, below, builder), plan, builder);
    }
  }
}

/** An input of a node. Inside a correlated subplan whatever gives the same rows every time is kept. */
function input(plan: LogicalPlan, needed: Needed, builder: Builder): Operator {
  if (!builder.insideCorrelated || isCheap(plan) || !isRepeatable(plan)) return build(plan, needed, builder);
  const reading = CteReading.of(plan, builder);
  builder.insideCorrelated = false;
  try {
    return new RetainOperator(build(plan, needed, builder), reading, builder);
  } finally {
    builder.insideCorrelated = true;
  }
}

/** The input of a node that computes something, in pieces where that may take long for a row. */
function piecewise(plan: LogicalPlan & { readonly input: LogicalPlan }, needed: Needed, builder: Builder): Operator {
  return inPieces(input(plan.input, needed, builder), expressionsOf(plan));
}

/** Plans that are as quick to open again as to keep. */
function isCheap(plan: LogicalPlan): boolean {
  switch (plan.kind) {
    case "Scan":
    case "CteScan":
    case "Empty":
    case "Materialized":
      return true;
    case "Values":
      return plan.rows.length <= 1;
    case "Project":
      return isCheap(plan.input) && plan.items.every((item) => item.expr.kind === "Column");
    default:
      return false;
  }
}

function idsOf(columns: readonly { readonly id: number }[]): Set<number> {
  return new Set(columns.map((column) => column.id));
}

/** The hidden columns among those needed. */
function hiddenOf(needed: Needed): Set<number> {
  return new Set([...needed].filter((id) => id < 0));
}

/** Those needed, and what the expressions mention. */
function withColumns(needed: Needed, exprs: readonly Expr[]): Set<number> {
  const all = new Set(needed);
  for (const expr of exprs) columnsOf(expr, all);
  return all;
}

function isVolatile(expr: Expr): boolean {
  return someExpression(
    expr,
    (inner) => (inner.kind === "Call" || inner.kind === "Cast") && inner.volatility === "volatile",
  );
}

function buildFilter(plan: LogicalPlan & { kind: "Filter" }, needed: Needed, builder: Builder): Operator {
  const below = withColumns(needed, [plan.condition]);
  if (builder.insideCorrelated && isRepeatable(plan.input)) {
    const inner = idsOf(outputOf(plan.input));
    const keys: LookupKey[] = [];
    const residual: Expr[] = [];
    for (const conjunct of conjunctsOf(plan.condition)) {
      const key = lookupKey(conjunct, inner);
      if (key === undefined) residual.push(conjunct);
      else keys.push(key);
    }
    if (keys.length > 0) {
      const reading = CteReading.of(plan.input, builder);
      builder.insideCorrelated = false;
      let child: Operator;
      try {
        const inner = keys.map((key) => key.inner);
        child = inPieces(build(plan.input, below, builder), inner);
      } finally {
        builder.insideCorrelated = true;
      }
      return new LookupOperator(child, keys, residual, reading, builder);
    }
  }
  const wanted = builder.insideCorrelated ? undefined : wantedRows(plan.condition, plan.input);
  if (wanted !== undefined) {
    const child = buildTopRows(wanted.window, wanted.projects, Math.max(0, Math.ceil(wanted.rows)), below, builder);
    return new FilterOperator(child, plan.condition, builder);
  }
  return new FilterOperator(piecewise(plan, below, builder), plan.condition, builder);
}

/** The projections, outermost first, over a window of which the first rows of each partition are wanted. */
function buildTopRows(
  window: Window,
  projects: readonly Project[],
  rows: number,
  needed: Needed,
  builder: Builder,
): Operator {
  if (projects.length === 0) return buildWindow(window, needed, builder, rows);
  const items = projects[0].items.filter((item) => needed.has(item.column.id));
  const below = withColumns(
    hiddenOf(needed),
    items.map((item) => item.expr),
  );
  return new ProjectOperator(buildTopRows(window, projects.slice(1), rows, below, builder), items, builder);
}

function buildWindow(plan: Window, needed: Needed, builder: Builder, topRows?: number): Operator {
  const child = piecewise(plan, withColumns(needed, expressionsOf(plan)), builder);
  return new WindowOperator(child, plan, pruneLayout(child.layout, needed), builder, topRows);
}

/** `row_number() OVER … <= n` above a window that computes nothing else: its rows beyond n are not wanted. */
function wantedRows(
  condition: Expr,
  plan: LogicalPlan,
): { window: Window; projects: Project[]; rows: number } | undefined {
  const projects: Project[] = [];
  let node = plan;
  while (node.kind === "Project") {
    projects.push(node);
    node = node.input;
  }
  if (node.kind !== "Window" || node.calls.length !== 1 || node.calls[0].call.function.name !== "row_number")
    return undefined;
  if (projects.some((project) => project.items.some((item) => isVolatile(item.expr)))) return undefined;
  for (const conjunct of conjunctsOf(condition)) {
    if (conjunct.kind !== "Call" || conjunct.args.length !== 2) continue;
    const [left, right] = conjunct.args;
    if (right.kind !== "Constant" || typeof right.value !== "number") continue;
    let column: Expr = left;
    for (const project of projects) {
      if (column.kind !== "Column") break;
      const { id } = column.column;
      column = project.items.find((item) => item.column.id === id)?.expr ?? column;
    }
    if (column.kind !== "Column" || column.column.id !== node.calls[0].column.id) continue;
    if (conjunct.operator === "<=" || conjunct.operator === "=") return { window: node, projects, rows: right.value };
    if (conjunct.operator === "<") return { window: node, projects, rows: right.value - 1 };
  }
  return undefined;
}

/** `inner = outer`, where one side reads the input only and the other outer values only. */
function lookupKey(expr: Expr, inner: Needed): LookupKey | undefined {
  if (expr.kind !== "Call" || expr.operator !== "=" || expr.args.length !== 2 || isVolatile(expr)) return undefined;
  if (someExpression(expr, (part) => part.kind === "Subquery")) return undefined;
  const [a, b] = expr.args;
  const plain = comparableAs(a.type, b.type) !== undefined && isPlainKey(a.type);
  const key = plain || a.type !== b.type ? undefined : keyFunctionOf(a.type);
  if (!plain && key === undefined) return undefined;
  const isInner = (side: Expr): boolean => {
    const ids = [...columnsOf(side)];
    return ids.length > 0 && ids.every((id) => inner.has(id));
  };
  const isOuter = (side: Expr): boolean => {
    const ids = [...columnsOf(side)];
    return ids.length > 0 && !ids.some((id) => inner.has(id));
  };
  if (isInner(a) && isOuter(b)) return { inner: a, outer: b, key };
  if (isInner(b) && isOuter(a)) return { inner: b, outer: a, key };
  return undefined;
}

function buildJoin(join: Join, needed: Needed, builder: Builder): Operator {
  const below = withColumns(needed, join.condition === undefined ? [] : [join.condition]);
  if (join.lateral === true && refersToLeft(join)) return buildLateral(join, below, builder);
  const swapped = join.type === "right";
  const leftPlan = swapped ? join.right : join.left;
  const rightPlan = swapped ? join.left : join.right;
  const conditions = expressionsOf(join);
  const reading = CteReading.of(rightPlan, builder);
  const left = inPieces(input(leftPlan, below, builder), conditions);
  const right = inPieces(input(rightPlan, below, builder), conditions);
  return new HashJoinOperator(
    {
      type: join.type === "right" ? "left" : join.type,
      left,
      right,
      leftColumns: idsOf(outputOf(leftPlan)),
      rightColumns: idsOf(outputOf(rightPlan)),
      condition: join.condition,
      nullAware: join.nullAware === true,
      leftKept: pruneLayout(left.layout, below),
      rightKept: pruneLayout(right.layout, below),
      keepTable: builder.insideCorrelated && isRepeatable(rightPlan),
      reading,
    },
    builder,
  );
}

/** Whether a lateral join's right side does mention the left one; functions in FROM may, but mostly don't. */
function refersToLeft(join: Join): boolean {
  const left = idsOf(outputOf(join.left));
  return [...freeColumns(join.right)].some((id) => left.has(id));
}

function buildLateral(join: Join, below: Needed, builder: Builder): Operator {
  const { type } = join;
  if (type === "right" || type === "full") {
    throw new SqlError(sqlstate.featureNotSupported, "a lateral reference cannot be used in a RIGHT or FULL join", {
      hint: "The combining JOIN type must be INNER or LEFT for a LATERAL reference.",
    });
  }
  const outer = freeColumns(join.right);
  const leftColumns = idsOf(outputOf(join.left));
  const parameters = [...outer].filter((id) => leftColumns.has(id));
  const left = input(join.left, new Set([...below, ...parameters]), builder);
  const before = builder.insideCorrelated;
  builder.insideCorrelated = true;
  let right: Operator;
  try {
    right = input(join.right, below, builder);
  } finally {
    builder.insideCorrelated = before;
  }
  const columns = outputOf(join.left);
  return new LateralJoinOperator(
    {
      type,
      left,
      right,
      condition: join.condition,
      parameters: parameters.map((id) => {
        const column = columns.find((candidate) => candidate.id === id);
        if (column === undefined) throw new SqlError(sqlstate.internalError, "a lateral reference has no column");
        return {
          kernel: compile({ kind: "Column", column, type: column.type }, { builder, layout: left.layout }),
          outer: builder.outer(id),
        };
      }),
      leftKept: pruneLayout(left.layout, below),
    },
    builder,
  );
}

function buildLimit(plan: Limit, needed: Needed, builder: Builder): Operator {
  const sorted = plan.fetch === undefined || plan.withTies !== undefined ? undefined : sortBelow(plan.input);
  if (sorted !== undefined) {
    const below = withColumns(
      sorted.needed(needed),
      sorted.keys.map((key) => key.expr),
    );
    const child = inPieces(
      input(sorted.input, below, builder),
      sorted.keys.map((key) => key.expr),
    );
    const top = new TopNOperator(child, sorted.keys, plan, pruneLayout(child.layout, sorted.needed(needed)), builder);
    return sorted.project === undefined ? top : new ProjectOperator(top, sorted.project, builder);
  }
  const below =
    plan.withTies === undefined
      ? needed
      : withColumns(
          needed,
          plan.withTies.map((key) => key.expr),
        );
  return new LimitOperator(input(plan.input, below, builder), plan, builder);
}

/** A Sort right below, or below a projection that can as well be computed afterwards. */
function sortBelow(plan: LogicalPlan):
  | {
      readonly input: LogicalPlan;
      readonly keys: readonly SortKey[];
      readonly project?: readonly { readonly column: import("../planner/expr.js").Column; readonly expr: Expr }[];
      needed(above: Needed): Needed;
    }
  | undefined {
  if (plan.kind === "Sort") return { input: plan.input, keys: plan.keys, needed: (above) => above };
  if (plan.kind !== "Project" || plan.input.kind !== "Sort") return undefined;
  const { items } = plan;
  return {
    input: plan.input.input,
    keys: plan.input.keys,
    project: items,
    needed: () =>
      withColumns(
        new Set(),
        items.map((item) => item.expr),
      ),
  };
}

function buildWith(plan: With, needed: Needed, builder: Builder): Operator {
  const ctes: Cte[] = [];
  const { written } = builder;
  for (const definition of plan.ctes) {
    const columns = outputOf(definition.plan);
    const before = builder.insideCorrelated;
    let cte: Cte;
    const parts = [definition.plan, ...(definition.recursive === undefined ? [] : [definition.recursive.term])];
    const modifies = somePlan(definition.plan, isWrite);
    const readsWrites =
      !modifies && parts.some((part) => somePlan(part, (node) => node.kind === "CteScan" && written.has(node.cte)));
    if (modifies || readsWrites) written.add(definition.id);
    if (definition.recursive === undefined) {
      const operator = build(definition.plan, idsOf(columns), builder);
      cte = new StoredCte(operator, columns, modifies, readsWrites, builder);
      builder.ctes.set(definition.id, cte);
    } else {
      const { term, all } = definition.recursive;
      cte = new RecursiveCte(columns, all, readsWrites, builder);
      builder.ctes.set(definition.id, cte);
      const base = build(definition.plan, idsOf(columns), builder);
      builder.insideCorrelated = true; // the term runs once a round: what does not change is kept
      try {
        cte.complete(base, columns, build(term, idsOf(outputOf(term)), builder), outputOf(term), builder);
      } finally {
        builder.insideCorrelated = before;
      }
    }
    ctes.push(cte);
  }
  return new WithOperator(build(plan.input, needed, builder), ctes);
}
