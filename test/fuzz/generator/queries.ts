/** Seventh chapter: whole queries with WITH, set operations, DISTINCT, ORDER BY and LIMIT. */
import { ident } from "../names.js";
import { type Body, type Core, type Cte, type Expr, type OrderItem, type Query, raw, type ValueType } from "../tree.js";
import type { MadeQuery, QueryOptions } from "./relations.js";
import type { KnownCte, Scope, ScopeColumn } from "./scope.js";
import { SelectGenerator } from "./select.js";

export abstract class QueryGenerator extends SelectGenerator {
  protected override query({ d, top = false, outer = null, small = false, named = false }: QueryOptions): MadeQuery {
    const { r, full } = this;
    const q: Query = { k: "q", with: [], body: { k: "vals", rows: [] }, order: [], limit: null, offset: null };
    if (top && r.chance(full ? 0.16 : 0.13)) this.addCtes(q, d);
    let cols: ScopeColumn[];
    let hidden: Expr | null = null;
    if (outer === null && r.chance(small ? 0.05 : full ? 0.1 : 0.06)) {
      const made = this.setOperation(d);
      q.body = made.body;
      cols = made.cols;
    } else if (top && r.chance(0.01)) {
      const types = r.sample<ValueType>(["int", "text", "numeric", "bool"], r.int(1, 3));
      const rows = Array.from({ length: r.int(1, 4) }, () => types.map((type) => this.literal(type)));
      q.body = { k: "vals", rows };
      cols = types.map((type, i) => ({ name: `column${i + 1}`, type, m: 1000 }));
    } else {
      const { body, cols: made, scope } = this.core({ d, outer, small, top });
      q.body = body;
      cols = made;
      this.distinct(q, body);
      const plain = !body.distinct && !body.distinctOn && !body.group && !this.isAggregate(body);
      if (top && plain && body.from && r.chance(0.08)) hidden = this.hiddenKey(scope);
    }
    if (named) cols = forceNames(q.body, cols);
    this.ordering(q, cols, top, hidden);
    return { q, cols };
  }

  /** A column to order by that is no output. */
  private hiddenKey(scope: Scope): Expr | null {
    const columns = this.columns(scope);
    if (columns.length === 0) return null;
    const { rel, col } = this.r.pick(columns);
    const e = this.columnRef(scope, scope, rel, col);
    return e.bare ? { ...e, parts: [`${ident(rel.alias)}.${ident(col.name ?? "")}`], bare: false } : e;
  }

  private setOperation(d: number): { body: Body; cols: ScopeColumn[] } {
    const { r } = this;
    const types = Array.from({ length: r.int(1, 3) }, () => r.weighted(this.itemTypes));
    const side = (): { body: Core; cols: ScopeColumn[] } => this.core({ d: Math.min(d, 1), want: types, small: true });
    const first = side();
    let body: Body = first.body;
    const count = r.chance(0.25) ? 2 : 1;
    for (let i = 0; i < count; i++) {
      const op = r.weighted([
        [4, "UNION"],
        [1, "INTERSECT"],
        [1.5, "EXCEPT"],
      ] as const);
      const all = r.chance(0.4);
      const other = side().body;
      body = r.chance(0.15) ? { k: "set", op, all, l: other, r: body } : { k: "set", op, all, l: body, r: other };
    }
    const names = leftNames(body);
    const cols = first.cols.map((col, i) => ({
      ...col,
      name: names[i] ?? col.name,
      sub: null,
      m: Math.max(col.m, 1e9),
    }));
    return { body, cols };
  }

  private distinct(q: Query, body: Core): void {
    const { r } = this;
    if (body.group?.loose) return;
    if (body.items.some((item) => item.star)) {
      if (r.chance(0.05)) body.distinct = true;
      return;
    }
    if (r.chance(0.08)) {
      body.distinct = true;
      return;
    }
    const series = body.items.some((item) => item.e?.f === "srf in select");
    if (body.group || series || this.isAggregate(body) || !r.chance(this.full ? 0.05 : 0.02)) return;
    const key = body.items.findIndex((item) => item.e?.leaf === "col");
    if (key < 0) return;
    body.distinctOn = [key];
    const rest = body.items.map((_, i) => i).filter((i) => i !== key);
    const by = (i: number, style: OrderItem["style"]): OrderItem => ({ i, style, dir: r.pick(["", "DESC"]) });
    const { e } = body.items[key];
    const hiddenByAlias = e?.bare === true && body.items.some((item) => item.as === e.colName);
    q.order = [by(key, hiddenByAlias ? "ord" : "expr"), ...rest.map((i) => by(i, "ord"))];
  }

  private ordering(q: Query, cols: readonly ScopeColumn[], top: boolean, hidden: Expr | null): void {
    const { r, full } = this;
    const core = q.body.k === "core" ? q.body : null;
    const modes = top
      ? ([
          [15, "total"],
          [3, "partial"],
          [2, "none"],
        ] as const)
      : ([
          [1, "total"],
          [6, "none"],
        ] as const);
    const mode = r.weighted<"total" | "partial" | "none">(modes);
    if (q.order.length === 0 && mode !== "none") {
      const outputs = r.shuffle(cols.map((_, i) => i));
      const chosen = mode === "total" ? outputs : outputs.slice(0, r.int(1, outputs.length));
      q.order = chosen.map((i) => this.orderItem(i, cols[i], core));
    }
    if (hidden !== null && q.order.length > 0) {
      q.order.unshift({ e: hidden, style: "expr", dir: r.pick(["", "DESC"]), nulls: null });
    }
    if (core?.group?.loose) return; // no limit where the order does not count
    const total = q.order.filter((item) => item.e === undefined).length >= cols.length;
    if (total && r.chance(0.3)) {
      q.limit = r.pick([1, 3, 5, 10, 20, ...(full ? [0] : [])]);
      if (r.chance(0.2)) q.offset = r.int(0, 6);
      q.fetch = r.chance(full ? 0.1 : 0.02);
    } else if (total && r.chance(0.03)) {
      q.offset = r.int(1, 5);
    } else if (q.order.length > 0 && !core?.distinctOn && r.chance(full ? 0.04 : 0.005)) {
      q.limit = r.int(1, 5);
      q.ties = true;
    }
  }

  private orderItem(i: number, col: ScopeColumn, core: Core | null): OrderItem {
    const { r } = this;
    const e = core?.items[i]?.e;
    const repeatable = e !== undefined && !core?.distinct && e.leaf !== "lit" && !(e.leaf === "col" && e.bare);
    const styles = [
      [5, col.name ? "name" : "ord"],
      [1.2, "ord"],
      [repeatable ? 1 : 0, "expr"],
    ] as const;
    return {
      i,
      style: r.weighted(styles),
      dir: r.weighted([
        [5, ""],
        [3, "DESC"],
        [1, "ASC"],
      ] as const),
      nulls: r.chance(this.full ? 0.12 : 0.05) ? r.pick(["FIRST", "LAST"]) : null,
    };
  }

  private addCtes(q: Query, d: number): void {
    const { r } = this;
    const ctes: Cte[] = [];
    q.with = ctes;
    const recursive = r.chance(this.full ? 0.25 : 0.12) ? this.recursive() : null;
    if (recursive !== null) {
      ctes.push(recursive.cte);
      this.ctes.push(recursive.known);
    }
    const count = ctes.length > 0 ? r.int(0, 1) : r.int(1, 2);
    for (let i = 0; i < count; i++) {
      const base = r.pick(["totals", "recent", "ranked", "base", "agg", "filtered"]);
      const name = ctes.length > 0 || r.chance(0.2) ? `${base}_${ctes.length + 1}` : base;
      if (ctes.some((cte) => cte.name === name) || this.world.tables.some((table) => table.name === name)) continue;
      const inner = this.query({ d: Math.min(d, 2), small: true, named: true });
      const renamed = r.chance(0.1);
      const cols = renamed ? inner.cols.map((col, j) => ({ ...col, name: `f${j + 1}` })) : inner.cols;
      const mat = r.chance(0.05) ? r.pick(["MATERIALIZED", "NOT MATERIALIZED"]) : undefined;
      ctes.push({ name, q: inner.q, mat, ...(renamed && { cols: cols.map((col) => col.name ?? "") }) });
      this.ctes.push({ name, cols, est: 25 });
    }
  }

  private recursive(): { cte: Cte; known: KnownCte } | null {
    const { r } = this;
    const int = (name: string, m: number, sub: string | null = null): ScopeColumn => ({ name, type: "int", m, sub });
    const made = (name: string, text: string, columns: ScopeColumn[], est: number, listed = true) => {
      const q = raw("query", text, 0, { f: "recursive union", width: columns.length });
      const cols = listed ? columns.map((col) => col.name ?? "") : undefined;
      return { cte: { name, recursive: true, q, ...(cols && { cols }) }, known: { name, cols: columns, est } };
    };
    const kind = r.int(0, 3);
    if (kind === 0) {
      const text = `SELECT ${r.int(0, 2)} UNION ALL SELECT n + ${r.int(1, 3)} FROM nums WHERE n < ${r.int(3, 12)}`;
      return made("nums", text, [int("n", 20, "small")], 10);
    }
    if (kind === 1) {
      const last = r.int(5, 40);
      const text = `SELECT 1, 0::bigint, 1::bigint UNION ALL SELECT i + 1, b, a + b FROM fib WHERE i < ${last}`;
      const big = (name: string): ScopeColumn => ({ name, type: "bigint", m: 2e8 });
      return made("fib", text, [int("i", 40), big("a"), big("b")], 30);
    }
    const table = this.world.tables.find(({ key, cols }) => key !== null && cols.some((col) => col.sub === "fk"));
    const link = table?.cols.find((col) => col.sub === "fk");
    if (table === undefined || link === undefined) return null;
    const [name, fk] = [ident(table.name), ident(link.name)];
    if (kind === 2) {
      const start = `SELECT id, ${fk} AS up, 1 AS depth FROM ${name} WHERE id <= ${r.int(1, 4)}`;
      const step = `SELECT c.id, c.${fk}, p.depth + 1 FROM ${name} c JOIN tree p ON c.${fk} = p.id WHERE p.depth < ${r.int(2, 3)}`;
      const columns = [int("id", 100, "fk"), int("up", 100, "fk"), int("depth", 5, "small")];
      return made("tree", `${start} UNION ALL ${step}`, columns, 30, false);
    }
    const step = `SELECT x.${fk} FROM ${name} x JOIN reach r ON x.id = r.node WHERE x.${fk} IS NOT NULL`;
    return made("reach", `SELECT ${r.int(1, 5)} UNION ${step}`, [int("node", 100, "fk")], 10);
  }
}

function leftNames(body: Body): (string | null)[] {
  if (body.k === "set") return leftNames(body.l);
  if (body.k === "q") return leftNames(body.body);
  return body.k === "core" ? body.items.map((item) => item.as ?? item.e?.colName ?? null) : [];
}

/** Gives every output a name; the columns with these names. */
function forceNames(body: Body, cols: ScopeColumn[]): ScopeColumn[] {
  let left = body;
  while (left.k === "set") left = left.l;
  if (left.k !== "core" || left.items.some((item) => item.star)) return cols;
  return left.items.map((item, i) => {
    if (!item.as && !item.e?.colName) item.as = `v${i + 1}`;
    return { ...cols[i], name: item.as ?? item.e?.colName ?? null };
  });
}
