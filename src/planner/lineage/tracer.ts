/**
 * Walks a plan from its scans up and says of every column which base columns its values are made of, and of every node
 * what decided which rows it puts out. Column ids are unique in a statement, so that one map holds all traces; references
 * of a subquery to a query around it find theirs there too.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { AggregateCall, Column, Expr, SetCall, SortKey, Subquery } from "../expr.js";
import {
  type Aggregate,
  type CteDefinition,
  type CteScan,
  type Join,
  type LogicalPlan,
  outputOf,
  type Scan,
  type SetOperation,
  type Window,
  type With,
} from "../plan.js";
import { operandsOf, plansWithin } from "../visit.js";
import { canAggregateFail, canCountFail, canFail, canSetFail, canWindowFail } from "./fallible.js";
import {
  aggregated,
  type BaseColumn,
  baseOrigin,
  cleared,
  computed,
  isSameTrace,
  noOrigins,
  noTrace,
  type Origins,
  ofAnyScan,
  type Trace,
  TraceBuilder,
  through,
  traceOfAnyScan,
  union,
  unionOf,
  unionTraces,
} from "./origins.js";
import { isLinear, isStatistic } from "./safe-aggregates.js";
import { traceMerge, traceWrite, type WrittenRows, type WrittenValue } from "./writes.js";

/** A value that is handed to a call as an argument. */
export interface ArgumentValue {
  readonly scan: Scan;
  /** Index into `scan.table.columns`. */
  readonly source: number;
  readonly trace: Trace;
  readonly position?: number;
}

/** Something that may fail for some values of what it reads. */
export interface FallibleValue {
  readonly position?: number;
  readonly trace: Trace;
}

interface CteTrace {
  readonly columns: readonly Trace[];
  readonly rows: Origins;
}

/** One walk; what it finds beside the traces is gathered in its lists. */
export class Tracer {
  readonly writes: WrittenValue[] = [];
  readonly writtenRows: WrittenRows[] = [];
  readonly arguments: ArgumentValue[] = [];
  readonly fallible: FallibleValue[] = [];
  /** Every base column that something is computed of or decided by. */
  used: Origins = noOrigins;
  private readonly columns = new Map<number, Trace>();
  private readonly ctes = new Map<number, CteTrace>();
  private readonly definitions = new Map<number, CteDefinition>();
  /** Traces of subqueries, which are met again where something around them may fail. */
  private readonly subqueries = new Map<Subquery, Trace>();

  constructor(plan: LogicalPlan) {
    for (const node of plansWithin(plan))
      if (node.kind === "With") for (const cte of node.ctes) this.definitions.set(cte.id, cte);
  }

  /** The trace of a column that the walk has been through. */
  column({ id, name }: Column): Trace {
    const known = this.columns.get(id);
    // A value of unknown origin would pass for one that comes from nowhere.
    if (known === undefined) throw new SqlError(sqlstate.internalError, `column "${name}" has no lineage`);
    return known;
  }

  set(column: Column, trace: Trace): void {
    this.columns.set(column.id, trace);
  }

  /** What decided which rows the plan puts out; the traces of its columns are set. */
  plan(plan: LogicalPlan): Origins {
    switch (plan.kind) {
      case "Scan":
        return this.scan(plan);
      case "Values":
        return this.values(plan.columns, plan.rows);
      case "FunctionScan": {
        const rows = plan.calls.map((call) => {
          if (!("scalar" in call)) return this.setCall(call);
          const trace = this.expression(call.scalar);
          for (const column of call.columns) this.set(column, trace);
          return trace.decided;
        });
        if (plan.ordinality !== undefined) this.set(plan.ordinality, noTrace);
        return unionOf(rows);
      }
      case "Filter":
        return union(this.plan(plan.input), this.condition(plan.condition));
      case "Project": {
        const rows = this.plan(plan.input);
        for (const { column, expr } of plan.items) this.set(column, through(this.expression(expr), column.name));
        return rows;
      }
      case "ProjectSet": {
        const rows = this.plan(plan.input);
        return unionOf([rows, ...plan.calls.map((call) => this.setCall(call))]);
      }
      case "Join":
        return this.join(plan);
      case "Aggregate":
        return this.aggregate(plan);
      case "Window":
        return this.window(plan);
      case "Sort":
        // Which row stands where: the order of the rows tells of the keys, and so does what takes the first ones.
        return union(this.plan(plan.input), this.sortKeys(plan.keys));
      case "Limit": {
        const rows = this.plan(plan.input);
        const counts = [plan.fetch, plan.skip].flatMap((expr) => (expr === undefined ? [] : [this.count(expr)]));
        return unionOf([rows, ...counts, this.sortKeys(plan.withTies ?? [])]);
      }
      case "Distinct": {
        const rows = this.plan(plan.input);
        if (plan.on !== undefined) return unionOf([rows, ...plan.on.map((expr) => this.condition(expr))]);
        return unionOf([rows, ...outputOf(plan).map((column) => all(this.column(column)))]);
      }
      case "SetOperation":
        return this.setOperation(plan);
      case "With":
        return this.with(plan);
      case "CteScan":
        return this.cteScan(plan);
      case "Write":
        return traceWrite(plan, this);
      case "Merge":
        return traceMerge(plan, this);
      case "Empty":
      case "Materialized":
        for (const column of plan.columns) this.set(column, noTrace);
        return noOrigins;
    }
  }

  /** What a number of rows is made of. */
  private count(expr: Expr): Origins {
    const trace = this.expression(expr);
    if (canCountFail(expr)) this.noteFallible(expr, trace);
    return all(trace);
  }

  /** What a condition reads: it decides about rows with all of it. */
  condition(expr: Expr): Origins {
    return all(this.expression(expr));
  }

  /**
   * A loop down the operands, since chains of operators may be thousands of levels long.
   * @param isNoted false for what stands within something that is noted as fallible: it adds nothing to that
   */
  expression(root: Expr, isNoted = true): Trace {
    const found = new TraceBuilder();
    const open: Expr[] = [root];
    for (let expr = open.pop(); expr !== undefined; expr = open.pop()) {
      if (expr.kind === "Column") {
        const trace = this.column(expr.column);
        found.add(trace);
        if (expr !== root) this.use(trace);
        continue;
      }
      if (expr.kind === "Call" && expr.declassifies !== undefined) {
        const args = new TraceBuilder();
        for (const arg of expr.args) args.add(this.expression(arg));
        const freed = cleared(args.trace(), expr.declassifies);
        this.noteFallible(expr, freed); // that it fails tells no more than its value would
        found.add(freed);
        continue;
      }
      if (expr.kind === "Subquery") found.add(this.subquery(expr));
      else if (expr.kind === "Case" && expr.operand !== undefined && expr.operandColumn !== undefined)
        this.set(expr.operandColumn, this.expression(expr.operand));
      else if (isNoted && canFail(expr)) {
        const operands = this.operands(expr);
        this.noteFallible(expr, operands);
        found.add(operands);
        continue;
      }
      open.push(...operandsOf(expr));
    }
    const trace = found.trace();
    return root.kind === "Column" || isLinear(root) ? trace : { ...trace, made: computed(trace.made) };
  }

  private operands(expr: Expr): Trace {
    const found = new TraceBuilder();
    for (const operand of operandsOf(expr)) found.add(this.expression(operand, false));
    return found.trace();
  }

  private noteFallible({ position }: Expr, trace: Trace): void {
    if (trace.made.size + trace.decided.size > 0)
      this.fallible.push({ trace, ...(position !== undefined && { position }) });
  }

  private use(trace: Trace): void {
    this.used = union(union(this.used, trace.made), trace.decided);
  }

  private subquery(expr: Subquery): Trace {
    let known = this.subqueries.get(expr);
    if (known === undefined) {
      known = this.findSubquery(expr);
      this.subqueries.set(expr, known);
    }
    return known;
  }

  private findSubquery(expr: Subquery): Trace {
    const rows = this.plan(expr.plan);
    if (canFail(expr)) this.noteFallible(expr, { made: noOrigins, decided: rows });
    switch (expr.subqueryKind) {
      case "exists":
        // Its value is nothing but whether there is a row.
        return { made: computed(rows), decided: noOrigins };
      case "any":
      case "all":
        return { made: computed(rows), decided: noOrigins }; // `test` is an operand, over columns that are set now
      default: {
        const found = new TraceBuilder();
        for (const column of outputOf(expr.plan)) found.add(this.column(column));
        found.addDecided(rows);
        return found.trace();
      }
    }
  }

  private scan(scan: Scan): Origins {
    const { schema, name: table } = scan.table;
    const baseOf = (column: string): BaseColumn => ({ schema, table, column });
    for (const { column, source } of scan.columns) {
      const made = baseOrigin(baseOf(scan.table.columns[source].name), scan.id);
      this.set(column, { made, decided: noOrigins });
    }
    this.scanArguments(scan);
    return baseOrigin(baseOf("*"), scan.id);
  }

  /** Of an optimized plan: the values that the scan's calls are given. */
  private scanArguments(scan: Scan): void {
    const add = (source: number, trace: Trace, position?: number) => {
      if (trace.made.size + trace.decided.size > 0)
        this.arguments.push({ scan, source, trace, ...(position !== undefined && { position }) });
    };
    for (const { sources, values } of scan.pushed?.arguments ?? []) {
      if (values.kind === "query") {
        const rows = this.plan(values.plan);
        const output = outputOf(values.plan);
        sources.forEach((source, i) => {
          const { made, decided } = this.column(output[i]);
          add(source, { made, decided: union(decided, rows) });
        });
      } else if (values.kind === "array") {
        const trace = this.expression(values.array);
        for (const source of sources) add(source, trace, values.array.position);
      } else {
        for (const tuple of values.tuples)
          tuple.forEach((expr, i) => {
            add(sources[i], this.expression(expr), expr.position);
          });
      }
    }
    for (const { source, value, query } of scan.pushed?.quals ?? []) {
      if (value !== undefined) add(source, this.expression(value), value.position);
      if (query === undefined) continue;
      const rows = this.plan(query);
      for (const column of outputOf(query)) {
        const { made, decided } = this.column(column);
        add(source, { made, decided: union(decided, rows) });
      }
    }
  }

  private values(columns: readonly Column[], rows: readonly (readonly Expr[])[]): Origins {
    const found = columns.map(() => new TraceBuilder());
    for (const row of rows) for (const [i, expr] of row.entries()) found[i].add(this.expression(expr));
    columns.forEach((column, i) => {
      this.set(column, through(found[i].trace(), column.name));
    });
    return noOrigins;
  }

  /** @returns what decides how many rows it gives */
  private setCall(call: SetCall): Origins {
    const found = new TraceBuilder();
    for (const arg of call.args) found.add(this.expression(arg));
    const trace = found.trace();
    this.use(trace);
    if (canSetFail(call) && trace.made.size + trace.decided.size > 0)
      this.fallible.push({ trace, ...(call.args[0]?.position !== undefined && { position: call.args[0].position }) });
    for (const column of call.columns)
      this.set(column, through({ made: computed(trace.made), decided: trace.decided }, column.name));
    return all(trace);
  }

  private join(join: Join): Origins {
    const rows = union(this.plan(join.left), this.plan(join.right));
    return join.condition === undefined ? rows : union(rows, this.condition(join.condition));
  }

  private aggregate(plan: Aggregate): Origins {
    const rows = this.plan(plan.input);
    const keys = plan.keys.map(({ column, expr }) => {
      const trace = this.expression(expr);
      this.set(column, through(trace, column.name));
      return all(trace);
    });
    for (const { column, call } of plan.aggregates) this.set(column, this.aggregateCall(call, plan));
    for (const { column } of plan.groupings) this.set(column, noTrace);
    // Never as aggregated: counts of `x LIKE … OR id > 1` are large, and their difference tells of one row.
    return unionOf([rows, ...keys]);
  }

  private aggregateCall(call: AggregateCall, plan: Aggregate): Trace {
    const args = new TraceBuilder();
    for (const arg of [...call.args, ...(call.directArgs ?? [])]) args.add(this.expression(arg));
    for (const exprs of call.directBySet ?? []) for (const expr of exprs) args.add(this.expression(expr));
    const trace = args.trace();
    this.use(trace);
    if (canAggregateFail(call) && trace.made.size > 0) this.fallible.push({ trace });
    const isSafe = isStatistic(call) && [...trace.made.values()].every((origin) => origin.whole);
    const order = call.orderBy.map((key) => this.condition(key.expr));
    const filter = call.filter === undefined ? noOrigins : this.condition(call.filter);
    const made = unionOf([
      isSafe ? aggregated(trace.made, plan) : computed(trace.made),
      computed(filter),
      ...order.map(computed),
    ]);
    return { made, decided: trace.decided };
  }

  private window(plan: Window): Origins {
    const rows = this.plan(plan.input);
    const shared = new TraceBuilder();
    for (const expr of plan.partitionBy) shared.add(this.expression(expr));
    for (const { expr } of plan.orderBy) shared.add(this.expression(expr));
    this.use(shared.trace());
    for (const { column, call, frame } of plan.calls) {
      const found = new TraceBuilder();
      found.add(shared.trace());
      for (const expr of call.args) found.add(this.expression(expr));
      if (canWindowFail(call)) this.noteFallible(call.args[0], found.trace());
      if (call.filter !== undefined) found.add(this.expression(call.filter));
      for (const { offset } of [frame.start, frame.end]) {
        if (offset === undefined) continue;
        const trace = this.expression(offset);
        if (canCountFail(offset)) this.noteFallible(offset, trace);
        found.add(trace);
      }
      const { made, decided } = found.trace();
      this.use({ made, decided });
      this.set(column, { made: computed(made), decided });
    }
    return rows;
  }

  private sortKeys(keys: readonly SortKey[]): Origins {
    const found = unionOf(keys.map(({ expr }) => this.condition(expr)));
    this.use({ made: found, decided: noOrigins });
    return found;
  }

  /** A loop: chains of set operations may be thousands of queries long. */
  private setOperation(top: SetOperation): Origins {
    const chain: SetOperation[] = [];
    let node: LogicalPlan = top;
    for (; node.kind === "SetOperation"; node = node.left) chain.push(node);
    let rows = ofAnyScan(this.plan(node));
    let columns = outputOf(node).map((column) => traceOfAnyScan(this.column(column)));
    for (let next = chain.pop(); next !== undefined; next = chain.pop()) {
      rows = union(rows, ofAnyScan(this.plan(next.right)));
      const right = outputOf(next.right).map((column) => traceOfAnyScan(this.column(column)));
      // What EXCEPT puts out are values of its left side; the right one only decides which.
      const isLeft = next.operator === "except";
      if (next.operator !== "union" || !next.all) rows = unionOf([rows, ...columns.map(all), ...right.map(all)]);
      if (!isLeft) columns = columns.map((trace, i) => unionTraces(trace, right[i]));
      const made = columns;
      next.columns.forEach((column, i) => {
        this.set(column, through(made[i], column.name));
      });
    }
    return rows;
  }

  private with(plan: With): Origins {
    // In order, whether they are read or not: one that writes does so either way.
    for (const cte of plan.ctes) this.cte(cte.id);
    return this.plan(plan.input);
  }

  private cteScan(plan: CteScan): Origins {
    const { columns, rows } = this.cte(plan.cte);
    plan.columns.forEach((column, i) => {
      this.set(column, through(columns[i], column.name));
    });
    return rows;
  }

  private cte(id: number): CteTrace {
    const known = this.ctes.get(id);
    if (known !== undefined) return known;
    const cte = this.definitions.get(id);
    if (cte === undefined) throw new SqlError(sqlstate.internalError, "a WITH query has no lineage");
    let rows = this.plan(cte.plan);
    let columns = outputOf(cte.plan).map((column) => this.column(column));
    this.ctes.set(id, { columns, rows });
    if (cte.recursive === undefined) return { columns, rows };
    // Rounds until nothing is added: the sets only grow, and there are only so many origins.
    for (let grown = true; grown; ) {
      this.subqueries.clear(); // they may read the rows of the round
      const added = this.plan(cte.recursive.term);
      const term = outputOf(cte.recursive.term).map((column) => this.column(column));
      const next = columns.map((trace, i) => unionTraces(trace, term[i]));
      const decided = unionOf([rows, added, ...(cte.recursive.all ? [] : next.map(all))]);
      grown = decided.size > rows.size || next.some((trace, i) => !isSameTrace(trace, columns[i]));
      columns = next;
      rows = decided;
      this.ctes.set(id, { columns, rows });
    }
    return { columns, rows };
  }
}

/** All that a trace comes from, in either way. */
function all({ made, decided }: Trace): Origins {
  return union(made, decided);
}
