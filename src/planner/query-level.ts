/**
 * The levels of a query as PostgreSQL plans them: the parts of one SELECT taken out of its plan, and FROM with those
 * subqueries merged into it that PostgreSQL pulls up. A pulled-up subquery leaves its outputs behind as expressions, so that
 * `x / 0` over `(SELECT 1 AS x)` is `1 / 0`.
 * Source: PostgreSQL 15, src/backend/optimizer/prep/prepjointree.c.
 */

import type { Expr, SortKey } from "./expr.js";
import type { Aggregate, CteDefinition, Join, LogicalPlan, Project, ProjectItem, ProjectSet, Window } from "./plan.js";
import { outputOf } from "./plan.js";
import {
  columnRef,
  columnsOf,
  conjunctionOf,
  conjunctsOf,
  freeColumns,
  isVolatile,
  isVolatilePlan,
  somePlan,
  substituteColumns,
  substituteInPlan,
} from "./visit.js";

/** The parts of one query: `SELECT items FROM from WHERE where GROUP BY …`. */
export interface QueryParts {
  readonly items: readonly ProjectItem[];
  /** What the query puts out, as columns of `items`: without those that only ORDER BY reads. */
  readonly visible: ReadonlyMap<number, Expr>;
  readonly from: LogicalPlan;
  readonly where?: Expr;
  readonly aggregate?: Aggregate;
  readonly having?: Expr;
  /** Set-returning functions below and above the aggregates. */
  readonly sets: readonly ProjectSet[];
  readonly windows: readonly Window[];
  readonly distinct: boolean;
  readonly distinctOn?: readonly Expr[];
  readonly sort: readonly SortKey[];
  readonly limit?: { readonly fetch?: Expr; readonly skip?: Expr };
}

/** The parts of a query; `undefined` for a plan that is none, such as a set operation (`clauses` finds what stands above it). */
export function partsOf(plan: LogicalPlan): QueryParts | undefined {
  const { core, ...clauses } = clausesOf(plan);
  if (core.kind !== "Project") return undefined;
  let node = core.input;
  const sets: ProjectSet[] = [];
  const windows: Window[] = [];
  while (node.kind === "ProjectSet" || node.kind === "Window") {
    if (node.kind === "ProjectSet") sets.push(node);
    else windows.push(node);
    node = node.input;
  }
  let having: Expr | undefined;
  let aggregate: Aggregate | undefined;
  if (node.kind === "Filter" && node.input.kind === "Aggregate") {
    having = node.condition;
    node = node.input;
  }
  if (node.kind === "Aggregate") {
    aggregate = node;
    node = node.input;
    while (node.kind === "ProjectSet") {
      sets.push(node);
      node = node.input;
    }
  }
  const where = node.kind === "Filter" ? node.condition : undefined;
  if (node.kind === "Filter") node = node.input;
  return {
    items: core.items,
    from: node,
    sets,
    windows,
    ...clauses,
    ...(where && { where }),
    ...(having && { having }),
    ...(aggregate && { aggregate }),
  };
}

type Clauses = Pick<QueryParts, "visible" | "sort" | "distinct" | "distinctOn" | "limit"> & {
  readonly core: LogicalPlan;
};

/** ORDER BY, DISTINCT and LIMIT above a select list or a set operation (`core`). */
export function clausesOf(plan: LogicalPlan): Clauses {
  let core = plan;
  const visible = new Map<number, Expr>();
  if (core.kind === "Project" && isHiding(core)) {
    for (const { column, expr } of core.items) visible.set(column.id, expr);
    core = core.input;
  } else for (const column of outputOf(core)) visible.set(column.id, columnRef(column));
  let limit: QueryParts["limit"];
  if (core.kind === "Limit") {
    limit = { ...(core.fetch && { fetch: core.fetch }), ...(core.skip && { skip: core.skip }) };
    core = core.input;
  }
  let distinctOn: readonly Expr[] | undefined;
  if (core.kind === "Distinct" && core.on !== undefined) {
    distinctOn = core.on;
    core = core.input;
  }
  let sort: readonly SortKey[] = [];
  if (core.kind === "Sort") {
    sort = core.keys;
    core = core.input;
  }
  const distinct = core.kind === "Distinct" && core.on === undefined;
  if (core.kind === "Distinct" && distinct) core = core.input;
  return { core, visible, sort, distinct, ...(limit && { limit }), ...(distinctOn && { distinctOn }) };
}

/** A projection that drops columns that only ORDER BY or DISTINCT ON read; a query over a subquery may drop others. */
function isHiding({ input, items }: Project): boolean {
  if (!items.every(({ expr }) => expr.kind === "Column")) return false;
  const { sort, distinctOn } = clausesOf(input);
  const read = new Set<number>();
  for (const expr of [...sort.map((key) => key.expr), ...(distinctOn ?? [])]) columnsOf(expr, read);
  const shown = new Set<number>();
  for (const { expr } of items) columnsOf(expr, shown);
  const hidden = outputOf(input).filter(({ id }) => !shown.has(id));
  return hidden.length > 0 && hidden.every(({ id }) => read.has(id));
}

/** Whether PostgreSQL merges a subquery in FROM into the query around it. */
function isSimple(parts: QueryParts): boolean {
  return (
    parts.aggregate === undefined &&
    parts.sets.length === 0 &&
    parts.windows.length === 0 &&
    !parts.distinct &&
    parts.distinctOn === undefined &&
    parts.sort.length === 0 &&
    parts.limit === undefined &&
    !parts.items.some(({ expr }) => isVolatile(expr))
  );
}

/**
 * What EXISTS asks of a query, without what makes no difference to it: its select list, ORDER BY, DISTINCT and GROUP BY.
 * `undefined` where PostgreSQL leaves the query as it is.
 */
export function existsPartsOf(plan: LogicalPlan, isAtLeastOne: (fetch: Expr) => boolean): QueryParts | undefined {
  const parts = partsOf(plan);
  if (parts === undefined) return undefined;
  const { aggregate, having, sets, limit } = parts;
  if (sets.length > 0 || having !== undefined || limit?.skip !== undefined) return undefined;
  if (aggregate !== undefined) {
    const isPlainGroupBy = aggregate.groupingSets.length === 1 && aggregate.groupingSets[0].length > 0;
    if (!isPlainGroupBy || aggregate.aggregates.length > 0) return undefined;
  }
  if (limit?.fetch !== undefined && !isAtLeastOne(limit.fetch)) return undefined;
  const { from, where } = parts;
  return {
    items: [],
    visible: new Map(),
    from,
    ...(where && { where }),
    sets: [],
    windows: [],
    distinct: false,
    sort: [],
  };
}

/** A condition of the level. */
export interface Qual {
  readonly expr: Expr;
  /** The subqueries of FROM that it may be moved into; of an outer join, ON reaches one side only. */
  readonly reaches: ReadonlySet<LogicalPlan>;
  /** Whether it drops rows of the whole level: WHERE, and ON of inner joins. */
  readonly drops: boolean;
}

/** What the merging needs to know of its surroundings. */
export interface LevelContext {
  cteOf(id: number): CteDefinition | undefined;
  /** The value of a scalar function in FROM that is constant: such a function is pulled up. */
  constantOf(expr: Expr): Expr | undefined;
  isAtLeastOne(fetch: Expr): boolean;
}

/** FROM and WHERE of one level. */
export class QueryLevel {
  /** Outputs of what was merged, by column. */
  readonly replacements = new Map<number, Expr>();
  /** Outputs that an outer join may turn NULL: worked out by themselves where they are read, but no constants for others. */
  readonly wrapped = new Map<number, Expr>();
  /** The innermost outer join that may do so: for its own ON they are constants still. */
  private readonly nulledBy = new Map<number, Join | undefined>();
  private nuller: Join | undefined;
  readonly quals: Qual[] = [];
  /** Tables, functions and subqueries that were not merged. */
  readonly leaves: LogicalPlan[] = [];
  /** Leaves that an outer join may fill with NULLs. */
  readonly nullable = new Set<LogicalPlan>();
  /** Right sides of left joins: without a reader they may be dropped. */
  readonly optional = new Set<LogicalPlan>();

  /** @param wraps whether no merged output is a constant for others: of grouping sets */
  constructor(
    private readonly context: LevelContext,
    private readonly wraps: boolean,
  ) {}

  replace(expr: Expr): Expr {
    return substituteColumns(expr, this.replacements);
  }

  /** Takes the items of FROM in. @returns the leaves that it found */
  add(plan: LogicalPlan, nullable = false): ReadonlySet<LogicalPlan> {
    switch (plan.kind) {
      case "Join":
        return this.addJoins(plan, nullable);
      case "Filter": {
        const leaves = this.add(plan.input, nullable);
        this.addCondition(this.beforeNulling(plan.condition), leaves, !nullable, nullable);
        return leaves;
      }
      case "Values":
        if (plan.columns.length === 0 && plan.rows.length === 1) return new Set();
        if (plan.rows.length !== 1 || plan.rows[0].some(isVolatile)) return this.addLeaf(plan, nullable);
        plan.columns.forEach((column, i) => {
          this.setOutput(column.id, plan.rows[0][i], nullable);
        });
        return new Set();
      case "FunctionScan": {
        const [call] = plan.calls;
        if (plan.calls.length === 1 && "scalar" in call && call.columns.length === 1 && plan.ordinality === undefined) {
          const constant = nullable ? undefined : this.context.constantOf(this.replace(call.scalar));
          if (constant !== undefined) {
            this.setOutput(call.columns[0].id, constant, nullable);
            return new Set();
          }
        }
        return this.addLeaf(plan, nullable);
      }
      case "CteScan": {
        const cte = this.context.cteOf(plan.cte);
        if (cte === undefined || !isInlined(cte)) return this.addLeaf(plan, nullable);
        const output = outputOf(cte.plan);
        const items = plan.columns.map((column, i): ProjectItem => ({ column, expr: columnRef(output[i]) }));
        return this.add({ kind: "Project", input: cte.plan, items }, nullable);
      }
      default:
        return this.addSubquery(plan, nullable);
    }
  }

  private addSubquery(plan: LogicalPlan, nullable: boolean): ReadonlySet<LogicalPlan> {
    const parts = partsOf(plan);
    if (parts === undefined || !isSimple(parts)) return this.addLeaf(plan, nullable);
    const leaves = new Set(this.add(parts.from, nullable));
    if (parts.where !== undefined) this.addCondition(this.beforeNulling(parts.where), leaves, !nullable, nullable);
    for (const { column, expr } of parts.items) this.setOutput(column.id, expr, nullable);
    return leaves;
  }

  private setOutput(id: number, given: Expr, nullable: boolean): void {
    const expr = this.replace(given);
    if ((nullable || this.wraps) && expr.kind !== "Column") {
      this.wrapped.set(id, expr);
      this.nulledBy.set(id, this.nuller);
    } else this.replacements.set(id, expr);
  }

  private addLeaf(plan: LogicalPlan, nullable: boolean): ReadonlySet<LogicalPlan> {
    const leaf = substituteInPlan(plan, this.replacements);
    this.leaves.push(leaf);
    if (nullable) this.nullable.add(leaf);
    return new Set([leaf]);
  }

  /** A list of many tables is left-deep: its length is no depth of recursion. */
  private addJoins(plan: Join, nullable: boolean): ReadonlySet<LogicalPlan> {
    const chain: { join: Join; nullable: boolean; nuller: Join | undefined }[] = [];
    const around = this.nuller;
    let node: LogicalPlan = plan;
    let left = nullable;
    let nuller = around;
    while (node.kind === "Join") {
      chain.push({ join: node, nullable: left, nuller });
      if (node.type === "right" || node.type === "full") {
        left = true;
        nuller = node;
      }
      node = node.left;
    }
    this.nuller = nuller;
    const all = new Set(this.add(node, left));
    for (const { join, nullable: outer, nuller: above } of chain.reverse()) {
      const { type, condition } = join;
      const nullsRight = type === "left" || type === "full";
      this.nuller = nullsRight ? join : above;
      const right = this.add(join.right, outer || nullsRight);
      this.nuller = above;
      if (type === "left") for (const leaf of right) this.optional.add(leaf);
      const reaches = type === "left" ? right : type === "right" ? new Set(all) : new Set([...all, ...right]);
      for (const leaf of right) all.add(leaf);
      if (condition === undefined) continue;
      const inner = type === "inner";
      const before = this.beforeNulling(condition, join);
      this.addCondition(before, type === "full" ? new Set() : reaches, inner && !outer, !inner || outer);
    }
    this.nuller = around;
    return all;
  }

  /**
   * A condition below an outer join, and ON of the join itself, reads rows before they are filled with NULLs: what is
   * constant in them is so for it.
   */
  private beforeNulling(condition: Expr, join?: Join): Expr {
    if (this.wraps) return condition;
    const nullers = new Set([join?.type === "left" || join?.type === "right" ? join : undefined, this.nuller]);
    nullers.delete(undefined);
    const own = nullers.size === 0 ? [] : [...this.wrapped].filter(([id]) => nullers.has(this.nulledBy.get(id)));
    return own.length === 0 ? condition : substituteColumns(this.replace(condition), new Map(own));
  }

  /** IN and EXISTS among the conjuncts become joins before anything is folded. */
  addCondition(condition: Expr, leaves: ReadonlySet<LogicalPlan>, drops: boolean, nullable: boolean): void {
    const kept: Expr[] = [];
    const joined: Expr[] = [];
    const reaches = new Set(leaves);
    const join = (plan: LogicalPlan) => {
      for (const leaf of this.add(plan, nullable)) reaches.add(leaf);
    };
    for (const conjunct of conjunctsOf(condition)) {
      const negated = conjunct.kind === "Not";
      const inner = conjunct.kind === "Not" ? conjunct.input : conjunct;
      if (inner.kind !== "Subquery") kept.push(conjunct);
      else if (inner.subqueryKind === "any" && !negated && this.joinsAsIn(inner)) {
        join(inner.plan);
        if (inner.test !== undefined) joined.push(inner.test);
      } else if (inner.subqueryKind === "exists" && this.joinsAsExists(inner.plan)) {
        const parts = existsPartsOf(inner.plan, this.context.isAtLeastOne);
        if (parts === undefined) continue;
        join(parts.where === undefined ? parts.from : { kind: "Filter", input: parts.from, condition: parts.where });
      } else kept.push(conjunct);
    }
    const own = conjunctionOf(kept);
    if (own !== undefined) this.quals.push({ expr: this.replace(own), reaches, drops });
    // The conditions of such joins stand by themselves: no false beside them keeps them from being folded.
    for (const test of joined) this.quals.push({ expr: this.replace(test), reaches, drops });
  }

  private joinsAsIn({ plan, test }: Expr & { kind: "Subquery" }): boolean {
    if (test === undefined || freeColumns(plan).size > 0 || isVolatile(test) || plan.kind === "With") return false;
    const own = new Set(outputOf(plan).map((column) => column.id));
    return [...columnsOf(this.replace(test))].some((id) => !own.has(id));
  }

  /** Only what is correlated by its WHERE alone. */
  private joinsAsExists(plan: LogicalPlan): boolean {
    const parts = existsPartsOf(plan, this.context.isAtLeastOne);
    if (parts?.where === undefined || freeColumns(parts.from).size > 0 || isVolatile(parts.where)) return false;
    const own = new Set(outputOf(parts.from).map((column) => column.id));
    return [...columnsOf(this.replace(parts.where))].some((id) => !own.has(id));
  }
}

/** Whether PostgreSQL puts a CTE in the place where it is read. */
export function isInlined(cte: CteDefinition): boolean {
  if (cte.recursive !== undefined || cte.materialized === true || writes(cte.plan)) return false;
  return (cte.materialized === false || cte.references === 1) && !isVolatilePlan(cte.plan);
}

/** Whether something reads a CTE beside itself, or it has to happen all the same. */
export function isRead({ references, recursive, plan }: CteDefinition): boolean {
  let own = 0;
  if (recursive !== undefined) {
    somePlan(recursive.term, (node) => {
      if (node.kind === "CteScan" && node.workTable === true) own++;
      return false;
    });
  }
  return references > own || writes(plan);
}

function writes(plan: LogicalPlan): boolean {
  return somePlan(plan, (node) => node.kind === "Write" || node.kind === "Merge");
}
