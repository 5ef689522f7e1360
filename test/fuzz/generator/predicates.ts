/** Third chapter: comparisons with literals as people write them, and subqueries. */
import type { Special } from "../templates/template.js";
import {
  type Core,
  conjunction,
  type Expr,
  expression,
  type FromNode,
  type Part,
  type Query,
  raw,
  type ValueType,
} from "../tree.js";
import { ExpressionGenerator } from "./expressions.js";
import { emptyScope, type FoundColumn, type Scope, type ScopeColumn } from "./scope.js";

export interface FromOptions {
  /** How many relations. */
  readonly n: number;
  readonly d?: number;
  /** Tables only. */
  readonly plain?: boolean;
  /** Takes the conditions of comma joins. */
  readonly conditions: Expr[];
}

interface SubqueryOptions {
  readonly want: readonly ValueType[];
  readonly scalar?: boolean;
  readonly aggregated?: boolean;
}

const unordered: readonly ValueType[] = ["jsonb", "uuid", "text[]", "int[]", "bool", "interval", "enum"];
const correlated: readonly ValueType[] = ["int", "text", "date", "uuid", "bigint", "enum"];

export abstract class PredicateGenerator extends ExpressionGenerator {
  protected abstract from(scope: Scope, options: FromOptions): FromNode;

  protected override special({ special, type }: Special, scope: Scope, depth: number): Expr | null {
    if (!this.ok(type)) return null;
    switch (special) {
      case "compare":
        return this.compare(type, scope);
      case "in":
        return this.inList(type, scope);
      case "null": {
        const column = this.plainColumn(type, scope);
        const test = this.r.chance(0.5) ? " IS NULL" : " IS NOT NULL";
        return column && expression("bool", [{ e: column, n: 41 }, test], 40, { f: "is null" });
      }
      case "between":
        return this.between(type, scope);
      default:
        return this.withSubquery(special, type, scope, depth);
    }
  }

  private plainColumn(type: ValueType, scope: Scope): Expr | null {
    const column = this.leaf(type, scope, { mods: ["col"], column: true });
    return column.leaf === "lit" ? null : column;
  }

  private compare(type: ValueType, scope: Scope): Expr | null {
    const { r } = this;
    const column = this.plainColumn(type, scope);
    if (column === null) return null;
    const ordered = [
      [5, "="],
      [2, ">"],
      [2, "<"],
      [2, ">="],
      [1, "<="],
      [1, "<>"],
      [0.7, "!="],
    ] as const;
    const operator = type === "bool" || type === "jsonb" ? r.pick(["=", "<>"]) : r.weighted(ordered);
    const literal = this.bare(type, this.source(scope, column));
    const parts: Part[] = [{ e: column, n: 51 }, ` ${operator} `, { e: literal, n: 51 }];
    return expression("bool", parts, 50, { f: `${type} ${operator} literal` });
  }

  private inList(type: ValueType, scope: Scope): Expr | null {
    const { r } = this;
    const column = this.plainColumn(type, scope);
    if (column === null) return null;
    const source = this.source(scope, column);
    const items = Array.from({ length: r.int(1, 4) }, () =>
      r.chance(0.03) ? raw(type, "NULL", 200, { leaf: "lit" }) : this.bare(type, source),
    );
    const not = r.chance(0.25) ? "NOT " : "";
    const list = items.flatMap((item, i): Part[] => (i === 0 ? [{ e: item, n: 0 }] : [", ", { e: item, n: 0 }]));
    return expression("bool", [{ e: column, n: 61 }, ` ${not}IN (`, ...list, ")"], 60, { f: `${type} ${not}IN list` });
  }

  private between(type: ValueType, scope: Scope): Expr | null {
    const { r } = this;
    const column = type === "bool" || type === "jsonb" ? null : this.plainColumn(type, scope);
    if (column === null) return null;
    const source = this.source(scope, column);
    const ends = [this.bare(type, source), this.bare(type, source)];
    const numeric = ["int", "bigint", "numeric", "float"].includes(type);
    const [a, b] = ends.map((end) => String(end.parts[0]));
    const backwards = numeric ? Number(a) > Number(b) : a > b;
    if (backwards && r.chance(0.85)) ends.reverse();
    const not = r.chance(0.2) ? "NOT " : "";
    const parts: Part[] = [
      { e: column, n: 61 },
      ` ${not}BETWEEN `,
      { e: ends[0], n: 61 },
      " AND ",
      { e: ends[1], n: 61 },
    ];
    return expression("bool", parts, 60, { f: `${type} ${not}BETWEEN literals` });
  }

  private withSubquery(kind: Special["special"], type: ValueType, scope: Scope, depth: number): Expr | null {
    const { r } = this;
    if (kind === "exists") {
      const q = this.existsQuery(scope, depth);
      return expression("bool", [r.chance(0.35) ? "NOT EXISTS (" : "EXISTS (", { q }, ")"], 200, { f: "exists" });
    }
    if (this.budget < 4) return null;
    switch (kind) {
      case "scalar subquery": {
        const aggregated = !unordered.includes(type) && r.chance(0.75);
        const found = this.subquery(scope, depth, { want: [type], scalar: true, aggregated });
        return found && expression(type, ["(", { q: found.q }, ")"], 200, { f: kind, m: found.m });
      }
      case "in subquery": {
        const found = this.subquery(scope, depth, { want: [type] });
        if (found === null) return null;
        const not = r.chance(0.25) ? "NOT " : "";
        const left = this.leaf(type, scope, { mods: ["col"], column: true, typed: true });
        const f = `${not}IN subquery`;
        return expression("bool", [{ e: left, n: 61 }, ` ${not}IN (`, { q: found.q }, ")"], 60, { f });
      }
      case "quantified subquery": {
        const found = this.subquery(scope, depth, { want: [type] });
        if (found === null) return null;
        const operators = type === "bool" ? ["=", "<>"] : ["=", "<>", "<", ">="];
        const operator = `${r.pick(operators)} ${r.pick(["ANY", "ALL", "SOME"])}`;
        const left = this.leaf(type, scope, { typed: true });
        const f = `${operator} subquery`;
        return expression("bool", [{ e: left, n: 71 }, ` ${operator} (`, { q: found.q }, ")"], 50, { f });
      }
      case "row in subquery": {
        const found = this.subquery(scope, depth, { want: ["int", "text"] });
        if (found === null) return null;
        const row: Part[] = ["(", { e: this.leaf("int", scope), n: 0 }, ", ", { e: this.leaf("text", scope), n: 0 }];
        return expression("bool", [...row, ") IN (", { q: found.q }, ")"], 60, { f: "row IN subquery" });
      }
      default: {
        const found = this.subquery(scope, depth, { want: ["text"] });
        if (found === null) return null;
        found.q.order = [{ i: 0, style: "ord" }];
        return expression("text[]", ["ARRAY(", { q: found.q }, ")"], 200, { f: "array subquery" });
      }
    }
  }

  /** The table and column that a reference reads, where it reads one. */
  protected source(scope: Scope, column: Expr): { table: string; col: string } | null {
    const { src } = column;
    if (src === undefined) return null;
    for (let at: Scope | null = scope.group?.inner ?? scope; at; at = at.outer) {
      const table = at.rels.find((rel) => rel.alias === src.rel)?.table;
      if (table) return { table, col: src.col };
    }
    return null;
  }

  /** FROM and WHERE of a subquery, often correlated. */
  private subqueryCore(outer: Scope, depth: number): { body: Core; scope: Scope } {
    const { r } = this;
    const scope: Scope = { ...emptyScope(outer.group ? null : outer), noOuter: outer.group !== undefined };
    const conditions: Expr[] = [];
    const from = this.from(scope, { n: r.chance(0.85) ? 1 : 2, plain: true, conditions });
    if (!scope.noOuter && r.chance(0.65)) {
      const found = this.correlation(scope);
      if (found !== null) conditions.push(found);
    }
    if (r.chance(0.5)) conditions.push(this.expr("bool", scope, Math.min(depth - 1, 1)));
    return { body: { k: "core", items: [], from, where: conjunction(conditions) }, scope };
  }

  private existsQuery(outer: Scope, depth: number): Query {
    const { body, scope } = this.subqueryCore(outer, depth);
    body.items = [{ e: this.r.chance(0.8) ? raw("int", "1") : this.leaf("int", scope) }];
    return { k: "q", body, order: [] };
  }

  private subquery(outer: Scope, depth: number, options: SubqueryOptions): { q: Query; m: number } | null {
    const { r } = this;
    const { want, scalar = false, aggregated = false } = options;
    const { body, scope } = this.subqueryCore(outer, depth);
    const q: Query = { k: "q", body, order: [] };
    if (scalar && aggregated) {
      const e = this.aggregate(want[0], { rels: [], outer: null, group: { keys: [], inner: scope } });
      if (e === null) return null;
      body.items = [{ e }];
      return { q, m: e.m };
    }
    const outputs = want.map((type) => this.leaf(type, scope, { typed: true }));
    if (!outputs.some((output) => output.leaf === "col") && r.chance(0.8)) return null;
    body.items = outputs.map((e) => ({ e }));
    if (scalar || r.chance(0.1)) {
      q.order = outputs.map((_, i) => ({ i, style: "ord", dir: r.pick(["", "DESC"]) }));
      q.limit = scalar ? 1 : r.int(1, 5);
    }
    return { q, m: Math.max(0, ...outputs.map((output) => output.m)) };
  }

  /** An equality between this query and the one around. */
  protected correlation(scope: Scope): Expr | null {
    const { r } = this;
    if (scope.outer === null) return null;
    const pairs: [number, [FoundColumn, FoundColumn]][] = [];
    for (const a of this.columns(scope)) {
      for (const b of this.columns(scope.outer, false)) {
        if (a.col.type === b.col.type && correlated.includes(a.col.type)) pairs.push([affinity(a.col, b.col), [a, b]]);
      }
    }
    if (pairs.length === 0) return null;
    const [a, b] = r.weighted(pairs);
    const left = this.columnRef(scope, scope, a.rel, a.col);
    const right = this.columnRef(scope, b.scope, b.rel, b.col);
    const parts: Part[] = [{ e: left, n: 51 }, r.chance(0.9) ? " = " : " < ", { e: right, n: 51 }];
    return expression("bool", parts, 50, { f: "correlation" });
  }
}

/** How likely two columns are to be joined. */
export function affinity(a: ScopeColumn, b: ScopeColumn): number {
  const isId = (column: ScopeColumn): boolean => column.sub === "id" || column.sub === "fk";
  if (isId(a) && isId(b)) return 8;
  if (a.type === "text" && a.sub === b.sub) return 2;
  if (a.type === "int" && (isId(a) || isId(b) || a.sub === "small")) return 1;
  return 0.4;
}
