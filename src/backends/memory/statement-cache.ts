/** Statements that were run before: their trees by text, and their plans as long as the catalog stays as it was. */
import type { CatalogReader } from "../../catalog/table.js";
import { type PreparedPlan, prepare } from "../../engine/run.js";
import type * as ast from "../../grammar/ast.js";
import { parse } from "../../grammar/parse.js";
import { bind } from "../../planner/bind/bind.js";
import { type ConstantCheck, raiseConstantErrors } from "../../planner/constant-errors.js";
import { optimize } from "../../planner/optimize.js";
import type { BoundQuery, LogicalPlan, Merge, Scan, Write } from "../../planner/plan.js";
import { plansWithin } from "../../planner/visit.js";

/** A query or write, ready to run. */
export interface PreparedStatement {
  readonly query: BoundQuery;
  readonly plan: LogicalPlan;
  readonly engine: PreparedPlan;
  readonly writes: readonly (Write | Merge)[];
  /** Whether it reads tables that it also writes, or several parts write: its rows must stand still meanwhile. */
  readonly scans: readonly Scan[];
  /** To be done with the values that the statement starts with, before it reads a row. */
  readonly checkConstants?: ConstantCheck;
}

const maxTexts = 500;
/** Longer texts are mostly data. */
const maxTextLength = 20_000;

export class StatementCache {
  private readonly texts = new Map<string, readonly ast.Statement[]>();
  private readonly plans = new WeakMap<ast.Statement, { version: number; prepared: PreparedStatement }>();

  parse(sql: string): readonly ast.Statement[] {
    const known = this.texts.get(sql);
    if (known !== undefined) return known;
    const statements = parse(sql);
    if (sql.length <= maxTextLength) {
      if (this.texts.size >= maxTexts) {
        const [oldest] = this.texts.keys();
        this.texts.delete(oldest);
      }
      this.texts.set(sql, statements);
    }
    return statements;
  }

  prepare(statement: ast.Statement, catalog: CatalogReader): PreparedStatement {
    const known = this.plans.get(statement);
    if (known !== undefined && known.version === catalog.version) return known.prepared;
    const prepared = prepareStatement(statement, catalog);
    this.plans.set(statement, { version: catalog.version, prepared });
    return prepared;
  }
}

/** @throws SqlError for everything that can be found wrong without rows */
export function prepareStatement(statement: ast.Statement, catalog: CatalogReader): PreparedStatement {
  const query = bind(statement, catalog);
  const plan = optimize(query.plan);
  const checkConstants = raiseConstantErrors(query);
  const writes: (Write | Merge)[] = [];
  const scans: Scan[] = [];
  for (const node of plansWithin(plan)) {
    if (node.kind === "Write" || node.kind === "Merge") writes.push(node);
    else if (node.kind === "Scan") scans.push(node);
  }
  const engine = prepare(plan, query.output);
  return { query, plan, engine, writes, scans, ...(checkConstants && { checkConstants }) };
}
