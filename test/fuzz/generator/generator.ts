/** The generator of random statements over one world: the same seed makes the same statements. */
import { mistakes } from "../mistakes/all.js";
import { ident } from "../names.js";
import { outsideQuotes, ParameterList, print } from "../print.js";
import { features, orderColumns } from "../shape.js";
import { type Core, conjunction, type Expr, type Query, type Statement, some, type ValueType } from "../tree.js";
import { emptyScope, type Scope } from "./scope.js";
import { WriteGenerator } from "./writes.js";

/** Letter case and layout as people write them. */
export interface Style {
  readonly lower: boolean;
  readonly layout: "" | "semicolon" | "lines" | "line comment" | "block comment";
  /** Literals are parameters. */
  readonly parameters: boolean;
  /** Rows are asked for as text, in which every digit and every scale shows. */
  readonly rowText: boolean;
}

export interface RandomStatement {
  readonly tree: Statement;
  readonly style: Style;
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly features: readonly string[];
  /** Output columns that fix the order of the rows. */
  readonly order: readonly number[];
  /** The mistake that was made on purpose. */
  readonly deliberate: string | null;
  /** What shows the effect of a write. */
  readonly check: string | null;
}

export interface Shares {
  /** Of statements that are wrong on purpose. */
  readonly mistakes: number;
  readonly writes: number;
  readonly parameters: number;
  readonly rowText: number;
}

/** A small query, as a place to put a mistake in. */
export interface BaseQuery {
  readonly q: Query;
  readonly body: Core;
  readonly scope: Scope;
}

export class Generator extends WriteGenerator {
  statement(shares: Shares): RandomStatement {
    const { r, full } = this;
    this.begin(full ? r.int(8, 70) : r.int(5, 30));
    const wrong = r.chance(shares.mistakes);
    const { tree, deliberate } = wrong ? this.deliberate() : { tree: this.valid(shares.writes), deliberate: null };
    const layouts = [
      [84, ""],
      [9, "semicolon"],
      [4, "lines"],
      [1.5, "line comment"],
      [1.5, "block comment"],
    ] as const;
    const style: Style = {
      lower: r.chance(0.2),
      layout: deliberate === null ? r.weighted(layouts) : "",
      parameters: r.chance(shares.parameters),
      rowText: r.chance(shares.rowText) && deliberate === null && tree.k === "q" && canBeText(tree),
    };
    const { sql, params } = textOf(tree, style);
    const found = [...features(tree)];
    if (style.layout !== "") found.push(`text:${style.layout}`);
    if (params.length > 0) found.push("parameters");
    if (style.rowText) found.push("row as text");
    return {
      ...{ tree, style, sql, params, deliberate },
      features: found,
      order: orderOf(tree, style),
      check: checkOf(tree),
    };
  }

  private valid(writes: number): Statement {
    const { r, full } = this;
    if (r.chance(writes)) return r.chance(0.12) ? this.writingQuery() : this.write();
    return this.query({
      top: true,
      d: full
        ? r.int(1, 4)
        : r.weighted([
            [5, 1],
            [4, 2],
            [1, 3],
          ] as const),
    }).q;
  }

  private begin(budget: number): void {
    this.used = new Set();
    this.ctes = [];
    this.budget = budget;
    this.unkeyedWindows = 0;
  }

  private deliberate(): { tree: Statement; deliberate: string } {
    for (;;) {
      this.begin(20);
      const { kind, make } = this.r.weighted(mistakes.map((mistake) => [mistake.weight, mistake] as const));
      const tree = make(this);
      if (tree !== null) return { tree, deliberate: kind };
    }
  }

  base({ grouped = false, joins = 0 }: { readonly grouped?: boolean; readonly joins?: number } = {}): BaseQuery {
    const { r } = this;
    const scope = emptyScope();
    const conditions: Expr[] = [];
    const from = this.from(scope, { n: 1 + joins, plain: true, conditions });
    if (r.chance(0.3)) conditions.push(this.expr("bool", scope, 1));
    const body: Core = { k: "core", items: [], from, where: conjunction(conditions) };
    const q: Query = { k: "q", with: [], body, order: [], limit: null, offset: null };
    if (grouped) this.groupedItems(body, scope, 1, null, false);
    else {
      const types: ValueType[] = Array.from({ length: r.int(1, 2) }, () => this.anyType(scope));
      this.plainItems(body, scope, 1, types, false);
    }
    return { q, body, scope };
  }

  /** The type of something at hand, for mistakes that fit any. */
  someType(scope: Scope): ValueType {
    return this.anyType(scope);
  }
}

/** The table that a write changes, whole. */
export function checkOf(tree: Statement): string | null {
  const write = tree.k === "q" ? tree.with?.map((cte) => cte.q).find((q) => q.k === "write") : tree;
  return write?.k === "write" ? `SELECT * FROM ${ident(write.table)}` : null;
}

/** The last digits of floats are a matter of the platform; a write inside WITH may not stand in a subquery. */
function canBeText(tree: Statement): boolean {
  return !some(tree, (node) => (node.k === "e" && node.t === "float") || node.k === "write");
}

/** Output columns that fix the order; rows as text come in no order. */
export function orderOf(tree: Statement, style: Style): number[] {
  return style.rowText ? [] : orderColumns(tree);
}

export function textOf(tree: Statement, style: Style): { sql: string; params: unknown[] } {
  const parameters = style.parameters ? new ParameterList() : undefined;
  const printed = print(tree, parameters);
  const plain = style.rowText ? `SELECT q::text FROM (${printed}) AS q` : printed;
  const sql = layOut(style.lower ? outsideQuotes(plain, (text) => text.toLowerCase()) : plain, style.layout);
  return { sql, params: parameters?.values ?? [] };
}

function layOut(sql: string, layout: Style["layout"]): string {
  switch (layout) {
    case "":
      return sql;
    case "semicolon":
      return `${sql};`;
    case "lines": {
      const clauses = / (FROM|WHERE|GROUP BY|ORDER BY|LEFT JOIN|JOIN|HAVING|LIMIT|UNION)\b/gi;
      return outsideQuotes(sql, (text) => text.replace(clauses, "\n  $1"));
    }
    case "line comment":
      return outsideQuotes(sql, (text) => text.replace(/ (FROM|WHERE)\b/i, " -- what's wanted\n$1"), 1);
    case "block comment":
      return outsideQuotes(sql, (text) => text.replace(/ (FROM|WHERE)\b/i, ' /* it\'s "here" */ $1'), 1);
  }
}
