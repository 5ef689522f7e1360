/** The policy of a database at work: what `prepare`, `execute` and the session ask of it. */
import type { Catalog } from "../../catalog/catalog.js";
import type { Table } from "../../catalog/table.js";
import type { AnyFunction } from "../../functions/function.js";
import type * as ast from "../../grammar/ast.js";
import type { BindOptions } from "../../planner/bind/bind.js";
import type { BoundQuery, LogicalPlan } from "../../planner/plan.js";
import { mapBranches, mapSubplans, plansWithin } from "../../planner/visit.js";
import type { Policy } from "../types.js";
import { checkEntry, checkPlan } from "./check-plan.js";
import { refuseMaskedValues, withMaskedRow } from "./masked-values.js";
import { newMaskKey } from "./masks.js";
import { denied, otherTables } from "./refusals.js";
import { Rules } from "./rules.js";
import { type TableView, tableView } from "./table-view.js";
import { type ListedCatalog, VisibleCatalog } from "./visible-catalog.js";

/** One a database. Views of tables are made when they are registered, so that a rule that does not fit is an error there. */
export class DatabasePolicy {
  /** The catalog as statements see it. */
  readonly catalog: ListedCatalog;
  private readonly rules: Rules;
  private readonly maskKey: string;
  private readonly views = new WeakMap<Table, TableView | "plain">();
  private readonly bySeen = new WeakMap<Table, TableView>();
  private hasViews = false;

  /** @param policy checked */
  constructor(
    private readonly rawCatalog: Catalog,
    readonly policy: Policy,
  ) {
    this.rules = new Rules(policy);
    this.maskKey = policy.maskKey ?? newMaskKey();
    this.catalog = this.rules.isEmpty
      ? rawCatalog
      : new VisibleCatalog(rawCatalog, this.rules, (table) => this.viewOf(table)?.table ?? table);
    if (this.rules.isEmpty) return;
    for (const name of rawCatalog.tableNames()) {
      const table = rawCatalog.get(name);
      if (table !== undefined) this.bind(table);
    }
  }

  /** Holds the rules against a table that is registered. @throws TypeError that names the rule which does not fit it */
  bind(table: Table): void {
    this.viewOf(table);
  }

  /** What the rules make of a table, as it was registered or as scans have it; `undefined`: nothing. */
  viewOf(table: Table): TableView | undefined {
    const ofSeen = this.bySeen.get(table);
    if (ofSeen !== undefined) return ofSeen;
    let view = this.views.get(table);
    if (view === undefined) {
      view = tableView(table, this.rules.of(table), this.maskKey) ?? "plain";
      this.views.set(table, view);
      if (view !== "plain") {
        this.bySeen.set(view.table, view);
        this.hasViews = true;
      }
    }
    return view === "plain" ? undefined : view;
  }

  /** The table that was registered, of one that scans have. */
  registered<T extends Table>(table: T): T {
    return (this.bySeen.get(table)?.real as T | undefined) ?? table;
  }

  /** What binding has to ask. @param filtered false: masks alone, without row filters */
  bindOptions(filtered = true): BindOptions & { checkFunction(entry: AnyFunction, position: number): void } {
    return {
      seenAs: (table) => {
        const view = this.viewOf(table);
        return filtered || view === undefined ? view : { table: view.table };
      },
      refuseRelation: (name) => this.refuseRelation(name),
      checkFunction: (entry, position) => checkEntry(entry, this.rules, position),
    };
  }

  /** Whether rows of a table were hidden or masked before a statement saw them, by its name. */
  isRuled({ schema, name }: { readonly schema: string; readonly name: string }): boolean {
    const table = this.rawCatalog.table(name, schema);
    return table !== undefined && this.viewOf(table) !== undefined;
  }

  /** Whether a column is masked. */
  isMasked(relation: { readonly schema: string; readonly name: string }, column: string): boolean {
    const table = this.rawCatalog.table(relation.name, relation.schema);
    const masks = table === undefined ? undefined : this.viewOf(table)?.masks;
    return masks !== undefined && [...masks.keys()].some((source) => table?.columns[source].name === column);
  }

  /** Whether a mask shows the same value in every row of a column. */
  isBlank({
    schema,
    table: name,
    column,
  }: {
    readonly schema: string;
    readonly table: string;
    readonly column: string;
  }): boolean {
    const table = this.rawCatalog.table(name, schema);
    const at = table?.columns.findIndex((candidate) => candidate.name === column) ?? -1;
    const mask = table === undefined ? undefined : this.viewOf(table)?.masks.get(at);
    return mask !== undefined && mask.kind !== "hash";
  }

  /** @throws SqlError 42501 for a bound statement that the rules do not allow */
  check({ plan }: BoundQuery): void {
    checkPlan(plan, this.rules);
    if (this.hasViews) refuseMaskedValues(plan, (table) => this.viewOf(table));
  }

  /** The plan with masks over the rows that writes return. */
  masked(plan: LogicalPlan): LogicalPlan {
    if (!this.hasViews || !plansWithin(plan).some((node) => node.kind === "Write" && this.masksOf(node.table)))
      return plan;
    const change = (node: LogicalPlan): LogicalPlan => {
      const inside = mapBranches(mapSubplans(node, change), change);
      if (inside.kind !== "Write") return inside;
      const view = this.masksOf(inside.table);
      return view === undefined ? inside : withMaskedRow(inside, view);
    };
    return change(plan);
  }

  /** Lines of EXPLAIN: the rules that apply to the tables of a plan. */
  linesFor(plan: LogicalPlan): string[] {
    const lines = new Set<string>();
    for (const node of plansWithin(plan)) {
      if (node.kind !== "Scan" && node.kind !== "Write" && node.kind !== "Merge") continue;
      for (const line of this.linesOf(this.registered(node.table))) lines.add(line);
    }
    return [...lines];
  }

  private linesOf(table: Table): string[] {
    return this.rules.of(table).flatMap(({ path, rule }) => {
      const masks = Object.entries(rule.mask ?? {}).filter(([name]) =>
        table.columns.some((column) => column.name === name),
      );
      const isResource = table.kind === "resource";
      const parts = [
        ...(rule.verbs === undefined
          ? []
          : [`verbs ${rule.verbs.map((verb) => verb.toUpperCase()).join(", ") || "none"}`]),
        ...(rule.rowFilter === undefined || !isResource ? [] : [`row filter ${rule.rowFilter}`]),
        ...(isResource ? masks.map(([name, kind]) => `mask ${name}: ${kind}`) : []),
      ];
      return parts.length === 0 ? [] : [`${path} on ${table.name}: ${parts.join("; ")}`];
    });
  }

  private masksOf(table: Table): TableView | undefined {
    const view = this.viewOf(table);
    return view === undefined || view.masks.size === 0 ? undefined : view;
  }

  /** A name that is denied is refused as such, there or not; one that is merely not allowed when there is such a table. */
  private refuseRelation(name: ast.QualifiedName): void {
    const named = { schema: name.schema ?? "public", name: name.name };
    const table = this.rawCatalog.table(name.name, name.schema);
    const decision = table === undefined ? this.rules.denialOf(named) : this.rules.hides(table);
    if (decision === undefined) return;
    const shown = name.schema === undefined ? name.name : `${name.schema}.${name.name}`;
    throw denied(`table ${shown}`, decision, otherTables, name.range.start + 1);
  }
}
