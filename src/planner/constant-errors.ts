/**
 * Raises what PostgreSQL's planner raises: it works constants out before anything runs, so that `SELECT 1 / 0 FROM t` fails
 * though `t` is empty, and so that no resource is called for a statement that cannot succeed.
 *
 * It looks at the plan as it was bound, before our rules, and follows PostgreSQL in what is folded at all: a CTE that nothing
 * reads and the select list of EXISTS are not, subqueries in FROM are first merged into the query around them (see
 * `query-level.ts`), and an output of a subquery that nobody reads is dropped. Where it is hard to tell what PostgreSQL does,
 * nothing is raised. The folding is that of `rules/fold-expression.ts`.
 *
 * Values of parameters are constants for PostgreSQL too: it plans a statement for the values that it is given. So a statement
 * with parameters, or with a condition whose estimate needs the session, is looked at again when it starts.
 * Source: PostgreSQL 15, src/backend/optimizer/plan/planner.c `subquery_planner`, util/clauses.c `eval_const_expressions`.
 */
import { SqlError, withPosition } from "../errors/sql-error.js";
import type { SessionContext } from "../functions/function.js";
import type { Value } from "../types/value.js";
import { estimatedExpressions, raisePatternErrors } from "./estimated-conditions.js";
import type { Expr } from "./expr.js";
import type { BoundQuery, CteDefinition, LogicalPlan, Merge, SetOperation, Write } from "./plan.js";
import { outputOf } from "./plan.js";
import { clausesOf, existsPartsOf, isInlined, isRead, partsOf, QueryLevel, type QueryParts } from "./query-level.js";
import { cannotFail } from "./rules/cannot-fail.js";
import { boundedSession, foldExpression, isNeverTrue, NeedsSession } from "./rules/fold-expression.js";
import {
  columnRef,
  columnsOf,
  conjunctsOf,
  eachSubquery,
  expressionsOf,
  holdsSubquery,
  isVolatile,
  someExpression,
  somePlan,
  substituteColumns,
} from "./visit.js";

/** What a statement is started with. */
export interface StartValues {
  readonly session: SessionContext;
  /** The values of `$1`, `$2`, … in memory form. */
  readonly parameters: readonly Value[];
}

/** Looks for errors of constants in a statement that starts. @throws SqlError the first one */
export type ConstantCheck = (values: StartValues) => void;

/**
 * Raises the errors of constants in a statement.
 * @param query as it was bound, before any rule
 * @returns what is to be done when the statement starts, before its first call; `undefined` for nothing
 * @throws SqlError of an error that does not depend on how the statement is started
 */
export function raiseConstantErrors({ plan, parameters }: BoundQuery): ConstantCheck | undefined {
  const check: ConstantCheck = (values) => new Planning(values).query(plan, undefined, [], true);
  const planning = new Planning(undefined);
  if (parameters.length === 0) {
    planning.query(plan, undefined, [], true);
    return planning.needsSession ? oncePerTimeZone(check) : undefined;
  }
  if (somePlan(plan, () => false, dependsOnParameter)) return check;
  try {
    planning.query(plan, undefined, [], true);
  } catch (error) {
    // A parameter may keep it from being reached: `CASE WHEN $1 THEN 1 / 0 END`.
    if (error instanceof SqlError) return check;
    throw error;
  }
  return planning.needsSession ? check : undefined;
}

/**
 * Without parameters, what may fail are literals and conversions read in a session's time zone: a statement that is sent
 * again in the same one need not be looked at again.
 */
function oncePerTimeZone(check: ConstantCheck): ConstantCheck {
  let passedIn: string | undefined;
  return (values) => {
    const { timeZone } = values.session;
    if (timeZone === passedIn) return;
    check(values);
    passedIn = timeZone;
  };
}

/** Whether an error of a call may depend on a parameter. */
function dependsOnParameter(expr: Expr): boolean {
  if ((expr.kind !== "Call" && expr.kind !== "Cast") || cannotFail(expr)) return false;
  return someExpression(expr, (part) => part.kind === "Parameter");
}

/** Errors that tell of our own limits, or of what only we lack, say nothing about PostgreSQL. */
const ownErrors = /^(0A|53|57|58|XX)/;

/** One look at a statement. */
class Planning {
  /** Whether there is a condition whose estimate needs a session. */
  needsSession = false;
  private readonly ctes = new Map<number, CteDefinition>();

  private readonly values: StartValues | undefined;

  constructor(values: StartValues | undefined) {
    this.values = values && { ...values, session: boundedSession(values.session) };
  }

  /**
   * @param needed the outputs that are read; `undefined` for all
   * @param pushed conditions of the query around it, over its outputs
   * @param runs whether it surely runs, so that a condition without columns is worked out
   */
  query(plan: LogicalPlan, needed: ReadonlySet<number> | undefined, pushed: readonly Expr[], runs = false): void {
    switch (plan.kind) {
      case "With":
        for (const cte of plan.ctes) this.ctes.set(cte.id, cte);
        for (const cte of plan.ctes) this.cte(cte);
        this.query(plan.input, needed, pushed, runs);
        return;
      case "SetOperation":
        this.setOperation(plan, pushed);
        return;
      case "Write":
      case "Merge":
        this.write(plan);
        return;
    }
    const parts = partsOf(plan);
    if (parts !== undefined) this.select(parts, needed, pushed, runs);
    else this.clauses(plan, pushed);
  }

  private cte(cte: CteDefinition): void {
    if (!isRead(cte) || isInlined(cte)) return;
    this.query(cte.plan, undefined, []);
    if (cte.recursive !== undefined) this.query(cte.recursive.term, undefined, []);
  }

  /** The queries of a chain of set operations; a loop, since the chain may be long. */
  private setOperation(plan: SetOperation, pushed: readonly Expr[]): void {
    let conditions = pushed;
    let node: LogicalPlan = plan;
    const over = (input: LogicalPlan, { columns, operator }: SetOperation): readonly Expr[] => {
      if (operator === "except" || conditions.length === 0) return [];
      const output = outputOf(input);
      const inside = new Map(columns.map((column, i) => [column.id, columnRef(output[i])] as const));
      return conditions.map((condition) => substituteColumns(condition, inside));
    };
    while (node.kind === "SetOperation") {
      this.query(node.right, undefined, over(node.right, node));
      conditions = over(node.left, node);
      node = node.left;
    }
    this.query(node, undefined, conditions);
  }

  /** ORDER BY and LIMIT over a set operation, or a plan of another kind. */
  private clauses(plan: LogicalPlan, pushed: readonly Expr[]): void {
    const { core, visible, limit } = clausesOf(plan);
    this.folded([limit?.fetch, limit?.skip]);
    if (core.kind === "SetOperation") {
      this.setOperation(core, limit === undefined ? pushed.map((expr) => substituteColumns(expr, visible)) : []);
      return;
    }
    const level = this.level();
    level.add(core);
    this.from(level, [], undefined, false);
  }

  private write(plan: Write | Merge): void {
    const own = expressionsOf(plan);
    if (plan.kind === "Write" && plan.op === "insert") {
      this.query(plan.input, undefined, []);
      this.folded(own);
      return;
    }
    const level = this.level();
    level.add(plan.input);
    this.from(level, this.folded(own.map((expr) => level.replace(expr))), undefined, false);
  }

  private select(
    parts: QueryParts,
    needed: ReadonlySet<number> | undefined,
    pushed: readonly Expr[],
    runs: boolean,
  ): void {
    const { aggregate, having, windows, sets, limit } = parts;
    const severalSets = aggregate !== undefined && aggregate.groupingSets.length > 1;
    const level = this.level(severalSets);
    const leaves = level.add(parts.from);
    if (parts.where !== undefined) level.addCondition(parts.where, leaves, true, false);
    const replace = (expr: Expr) => level.replace(expr);

    const keys = this.folded(aggregate?.keys.map(({ expr }) => replace(expr)) ?? []);
    aggregate?.keys.forEach(({ column }, i) => {
      if (keys[i].kind === "Constant" && !severalSets) level.replacements.set(column.id, keys[i]);
    });
    const outputs = new Map(parts.items.map(({ column, expr }) => [column.id, replace(expr)] as const));
    const given = this.moved(parts, pushed, outputs);
    const kept = keptItems(parts, needed).map(({ column }) => outputs.get(column.id) as Expr);
    const above = this.folded([
      ...kept,
      ...(having === undefined ? [] : [replace(having)]),
      ...sets.flatMap((set) => set.calls.flatMap((call) => call.args.map(replace))),
      ...windows.flatMap((window) => [...window.partitionBy, ...window.orderBy.map((key) => key.expr)].map(replace)),
      limit?.fetch,
      limit?.skip,
      ...given,
    ]);
    const read = new Set<number>();
    for (const expr of above) columnsOf(expr, read);
    const calls = windows.flatMap((window) =>
      window.calls.filter(({ column }) => needed === undefined || read.has(column.id)),
    );
    const windowed = this.folded(
      calls.flatMap(({ call, frame }) =>
        [...call.args, call.filter, frame.start.offset, frame.end.offset].map((expr) => expr && replace(expr)),
      ),
    );
    for (const expr of windowed) columnsOf(expr, read);
    const aggregates = (aggregate?.aggregates ?? []).filter(
      ({ column }) => needed === undefined || read.has(column.id),
    );
    const aggregated = this.folded(
      aggregates.flatMap(({ call }) =>
        [...call.args, ...(call.directArgs ?? []), ...call.orderBy.map((key) => key.expr), call.filter].map(
          (expr) => expr && replace(expr),
        ),
      ),
    );
    const filters = [
      ...(having === undefined ? [] : [above[kept.length]]),
      ...above.slice(above.length - given.length),
    ];
    this.from(level, [...keys, ...above, ...windowed, ...aggregated], filters, runs && limit === undefined);
  }

  /** The conditions that PostgreSQL moves into a subquery, over what the subquery's own parts are. */
  private moved(parts: QueryParts, pushed: readonly Expr[], outputs: ReadonlyMap<number, Expr>): readonly Expr[] {
    const { limit, windows, distinctOn, sets } = parts;
    if (limit !== undefined || windows.length > 0 || distinctOn !== undefined) return [];
    const made = new Set(sets.flatMap((set) => set.calls.flatMap((call) => call.columns.map((column) => column.id))));
    return pushed
      .map((condition) => substituteColumns(substituteColumns(condition, parts.visible), outputs))
      .filter((condition) => !isVolatile(condition) && ![...columnsOf(condition)].some((id) => made.has(id)));
  }

  /**
   * FROM and WHERE, and the subqueries in all expressions of a level.
   * @param exprs the folded expressions of the level above FROM
   * @param filters those of them that drop rows: HAVING
   */
  private from(level: QueryLevel, exprs: readonly Expr[], filters: readonly Expr[] | undefined, runs: boolean): void {
    const quals = level.quals.map((qual) => ({ ...qual, expr: this.fold(qual.expr) }));
    const conjuncts = quals.map(({ expr }) => conjunctsOf(expr));
    const own = level.leaves.flatMap((leaf) => this.leaf(leaf));
    const all = [...exprs, ...quals.map(({ expr }) => expr), ...own];
    const read = this.wrappedOutputs(level, all);
    const isNever = quals.some(({ drops }, i) => drops && conjuncts[i].some(isNeverTrue));
    // One table whose WHERE is false is not planned any further.
    const isDummy = isNever && level.leaves.length <= 1;
    for (const expr of all) this.subqueries(expr);
    if (!isDummy) {
      for (const list of conjuncts) for (const conjunct of list) this.estimate(conjunct, level);
      for (const filter of filters ?? []) for (const conjunct of conjunctsOf(filter)) this.estimate(conjunct, level);
      for (const expr of runs && !isNever ? quals.flatMap(({ drops }, i) => (drops ? conjuncts[i] : [])) : [])
        this.once(expr);
    }
    for (const leaf of level.leaves) {
      if (!isQuery(leaf) || (isDummy && !isUnionAll(leaf))) continue;
      const outputs = outputOf(leaf);
      const ids = new Set(outputs.map((column) => column.id));
      const needed = new Set([...read].filter((id) => ids.has(id)));
      if (level.optional.has(leaf) && !isReadOutside(level, leaf, ids, exprs)) continue;
      const pushed = quals.flatMap(({ reaches }, i) =>
        conjuncts[i].filter(
          (expr) => reaches.has(leaf) && canMove(expr, ids) && (!level.nullable.has(leaf) || isStrict(expr)),
        ),
      );
      this.query(leaf, needed, pushed);
    }
  }

  /** The expressions of an item of FROM that belong to the level: a list of VALUES, the arguments of a function. */
  private leaf(leaf: LogicalPlan): readonly Expr[] {
    return leaf.kind === "Values" || leaf.kind === "FunctionScan" ? this.folded(expressionsOf(leaf)) : [];
  }

  /** Works out the outputs that are read and may turn NULL. @returns all columns that the level reads */
  private wrappedOutputs(level: QueryLevel, exprs: readonly Expr[]): ReadonlySet<number> {
    const read = new Set<number>();
    for (const expr of exprs) columnsOf(expr, read);
    for (const id of read) {
      const expr = level.wrapped.get(id);
      if (expr === undefined) continue;
      const folded = this.fold(expr);
      this.subqueries(folded);
      columnsOf(folded, read); // the loop goes on to those added
    }
    return read;
  }

  private subqueries(expr: Expr): void {
    eachSubquery(expr, ({ plan, subqueryKind }) => {
      const parts = subqueryKind === "exists" ? existsPartsOf(plan, this.isAtLeastOne) : undefined;
      if (parts === undefined) this.query(plan, undefined, []);
      else this.select(parts, new Set(), [], false);
    });
  }

  /** What the estimate of a condition makes PostgreSQL work out: stable constants beside a column, and patterns. */
  private estimate(condition: Expr, level: QueryLevel): void {
    const isOneTable = (columns: ReadonlySet<number>) => {
      if (level.leaves.length <= 1) return true;
      const count = level.leaves.filter((leaf) => outputOf(leaf).some((column) => columns.has(column.id))).length;
      return count === 1;
    };
    for (const { constant, pattern } of estimatedExpressions(condition, isOneTable)) {
      const value = this.stable(constant);
      if (pattern !== undefined && value.kind === "Constant") raisePatternErrors(pattern, value, this.raise);
    }
  }

  /** A condition without columns is tried once, before any row. */
  private once(condition: Expr): void {
    if (columnsOf(condition).size === 0 && !isVolatile(condition) && !holdsSubquery(condition)) this.stable(condition);
  }

  private stable(expr: Expr): Expr {
    if (expr.kind === "Constant") return expr;
    if (this.values === undefined) {
      this.needsSession = true;
      return expr;
    }
    return foldExpression(expr, { subquery: (inner) => inner, onError: this.raise, stable: true, ...this.values });
  }

  private fold(expr: Expr): Expr {
    return foldExpression(expr, { subquery: (inner) => inner, onError: this.raise, ...this.values });
  }

  private folded(exprs: readonly (Expr | undefined)[]): readonly Expr[] {
    return exprs.flatMap((expr) => (expr === undefined ? [] : [this.fold(expr)]));
  }

  private level(wraps = false): QueryLevel {
    const constantOf = (expr: Expr) => {
      const value = this.fold(expr);
      return value.kind === "Constant" ? value : undefined;
    };
    return new QueryLevel({ cteOf: (id) => this.ctes.get(id), constantOf, isAtLeastOne: this.isAtLeastOne }, wraps);
  }

  private readonly raise = (error: unknown, expr: Expr): void => {
    if (error instanceof NeedsSession) this.needsSession = true;
    if (error instanceof SqlError && !ownErrors.test(error.code)) throw withPosition(error, expr.position);
  };

  /** Whether a LIMIT is none for EXISTS. */
  private readonly isAtLeastOne = (fetch: Expr): boolean => {
    const value = this.fold(fetch);
    return value.kind === "Constant" && (value.value === null || Number(value.value) > 0);
  };
}

/** The outputs of a subquery that PostgreSQL keeps when some are not read: those that also group, sort or make rows distinct. */
function keptItems(
  { items, visible, sort, distinct, distinctOn }: QueryParts,
  needed: ReadonlySet<number> | undefined,
) {
  if (needed === undefined || distinct || distinctOn !== undefined) return items;
  const wanted = new Set<number>();
  for (const id of needed) {
    const expr = visible.get(id);
    if (expr !== undefined) columnsOf(expr, wanted);
  }
  for (const key of sort) columnsOf(key.expr, wanted);
  return items.filter(({ column, expr }) => wanted.has(column.id) || isVolatile(expr));
}

/** Whether an item of FROM is a subquery that is planned by itself. */
function isQuery(plan: LogicalPlan): boolean {
  return plan.kind !== "Scan" && plan.kind !== "Values" && plan.kind !== "FunctionScan" && plan.kind !== "CteScan";
}

/** Its queries become members of the query around it, as the partitions of a table. */
function isUnionAll(plan: LogicalPlan): boolean {
  let node = plan;
  while (node.kind === "SetOperation" && node.operator === "union" && node.all) node = node.left;
  return node !== plan && node.kind !== "SetOperation";
}

/** The right side of a left join that gives one row at most and is read by the join alone is dropped: we leave all unread ones out. */
function isReadOutside(
  level: QueryLevel,
  leaf: LogicalPlan,
  ids: ReadonlySet<number>,
  exprs: readonly Expr[],
): boolean {
  const reads = (expr: Expr) => [...columnsOf(expr)].some((id) => ids.has(id));
  return (
    exprs.some(reads) ||
    [...level.wrapped.values()].some(reads) ||
    level.quals.some(({ expr, reaches, drops }) => (drops || !reaches.has(leaf)) && reads(expr))
  );
}

function canMove(expr: Expr, ids: ReadonlySet<number>): boolean {
  const columns = columnsOf(expr);
  return columns.size > 0 && [...columns].every((id) => ids.has(id)) && !holdsSubquery(expr) && !isVolatile(expr);
}

/** A condition that NULLs fail makes an inner join of an outer one. */
function isStrict(expr: Expr): boolean {
  switch (expr.kind) {
    case "Column":
    case "Constant":
    case "Parameter":
      return true;
    case "Call":
      return expr.strict && expr.args.every(isStrict);
    case "Cast":
      return isStrict(expr.input);
    default:
      return false;
  }
}
