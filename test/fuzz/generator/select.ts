/** Sixth chapter: SELECT … FROM … WHERE … GROUP BY … HAVING. */
import { ident } from "../names.js";
import { print } from "../print.js";
import {
  type Core,
  clone,
  conjunction,
  type Expr,
  expression,
  type Grouping,
  type Part,
  raw,
  some,
  type ValueType,
  walk,
} from "../tree.js";
import { emptyScope, type Scope, type ScopeColumn } from "./scope.js";
import { WindowGenerator } from "./windows.js";

export interface CoreOptions {
  readonly d: number;
  readonly outer?: Scope | null;
  readonly want?: readonly ValueType[] | null;
  readonly small?: boolean;
  readonly top?: boolean;
}

export interface MadeCore {
  readonly body: Core;
  readonly cols: ScopeColumn[];
  readonly scope: Scope;
}

const aliases = [
  ...["total", "cnt", "n", "result", "val", "label", "amount_sum", "avg_value", "first_name", "bucket", "rk", "prev"],
  ...["diff", "flag", "x", "pct"],
];

type Named = (e: Expr, forced: boolean, scope: Scope | null) => { as: string | null; name: string | null };

export abstract class SelectGenerator extends WindowGenerator {
  protected core({ d, outer = null, want = null, small = false, top = false }: CoreOptions): MadeCore {
    const { r, full } = this;
    const scope = emptyScope(outer);
    const conditions: Expr[] = [];
    const body: Core = { k: "core", items: [] };
    const many = small
      ? ([
          [7, 1],
          [2, 2],
        ] as const)
      : ([
          [10, 1],
          [7, 2],
          [3, 3],
          [full ? 1 : 0.6, 4],
        ] as const);
    const n = outer === null && r.chance(full ? 0.03 : 0.015) ? 0 : r.weighted(many);
    if (n > 0) body.from = this.from(scope, { n, d, conditions });
    if (outer !== null && r.chance(0.7)) {
      const found = this.correlation(scope);
      if (found !== null) conditions.push(found);
    }
    if (r.chance(0.6)) {
      const count = r.weighted([
        [5, 1],
        [3, 2],
        [1, 3],
      ] as const);
      for (let i = 0; i < count; i++) conditions.push(this.expr("bool", scope, Math.min(d, 2)));
    }
    body.where = conjunction(conditions);
    const mode =
      n === 0
        ? "plain"
        : r.weighted([
            [11, "plain"],
            [6, "group"],
            [1.5, "whole"],
          ] as const);
    const cols =
      mode === "plain"
        ? this.plainItems(body, scope, d, want, top)
        : this.groupedItems(body, scope, d, want, mode === "whole");
    return { body, cols, scope };
  }

  /** Names outputs: a column by itself mostly, everything else by an alias mostly. */
  private naming(): Named {
    const { r } = this;
    const taken = new Set<string>();
    let anonymous = false;
    return (e, forced, scope) => {
      if (e.leaf === "col" && e.colName && !taken.has(e.colName) && r.chance(0.75)) {
        taken.add(e.colName);
        return { as: null, name: e.colName };
      }
      if (!forced && !anonymous && e.leaf !== "col" && r.chance(0.06)) {
        anonymous = true;
        return { as: null, name: null };
      }
      const inputs = scope === null ? [] : this.columns(scope).map(({ col }) => col.name ?? "x");
      let name: string;
      do {
        const numbered = `c${taken.size + 1}${r.chance(0.3) ? "_x" : ""}`;
        name = inputs.length > 0 && r.chance(0.05) ? r.pick(inputs) : r.chance(0.5) ? r.pick(aliases) : numbered;
      } while (taken.has(name));
      taken.add(name);
      return { as: name, name };
    };
  }

  private starItems(body: Core, scope: Scope): ScopeColumn[] | null {
    const { r } = this;
    const all = scope.rels.flatMap((rel) => rel.cols);
    const distinct = new Set(all.map((col) => col.name)).size === all.length;
    if (all.length === 0 || scope.merged || !distinct || !r.chance(0.1)) return null;
    const rel = scope.rels.length > 1 && r.chance(0.4) ? r.pick(scope.rels) : null;
    const list = rel?.cols ?? all;
    body.items = [{ star: rel === null ? "*" : this.star(rel), names: list.map((col) => col.name) }];
    return list.map((col) => ({ ...col }));
  }

  protected plainItems(
    body: Core,
    scope: Scope,
    d: number,
    want: readonly ValueType[] | null,
    top: boolean,
  ): ScopeColumn[] {
    const { r, full } = this;
    const stars = want === null ? this.starItems(body, scope) : null;
    if (stars !== null) return stars;
    const named = this.naming();
    const count = r.weighted([
      [2, 1],
      [4, 2],
      [4, 3],
      [2, 4],
      [1, 5],
    ] as const);
    const types = want ?? Array.from({ length: count }, () => null);
    const windows = (want === null || r.chance(0.15)) && r.chance(full ? 0.2 : 0.12);
    if (windows && full && r.chance(0.15)) {
      body.windows = [{ name: "w", spec: this.windowSpec(scope, "none") ?? expression("spec", []) }];
    }
    const cols: ScopeColumn[] = [];
    for (const type of types) {
      let e = this.plainItem(type, body, scope, d, windows);
      if (top && full && type === null && !windows && r.chance(0.01)) {
        e = raw("int", `generate_series(1, ${r.int(1, 4)})`, 200, { f: "srf in select", m: 4 });
      }
      const { as, name } = named(e, !top, scope);
      body.items.push({ e, as });
      cols.push(columnOf(e, name));
    }
    return cols;
  }

  private plainItem(type: ValueType | null, body: Core, scope: Scope, d: number, windows: boolean): Expr {
    const { r } = this;
    if (type !== null) return this.expr(type, scope, d);
    const columns = this.columns(scope);
    if (windows && r.chance(0.5)) return this.windowCall(scope, body);
    if (columns.length > 0 && r.chance(0.5)) {
      const { rel, col } = r.pick(columns);
      return this.columnRef(scope, scope, rel, col);
    }
    const any = r.chance(this.full ? 0.7 : 0.9) ? this.anyType(scope) : r.weighted(this.itemTypes);
    return this.expr(any, scope, d);
  }

  private groupKeys(scope: Scope): Expr[] {
    const { r } = this;
    const candidates = this.columns(scope).filter(({ col }) => col.type !== "int[]");
    const keys: Expr[] = [];
    const count = r.weighted([
      [6, 1],
      [3, 2],
      [1, 3],
    ] as const);
    for (let i = 0; i < count; i++) {
      let key = r.chance(0.25) ? this.computedKey(scope) : null;
      if (key === null && candidates.length > 0) {
        const likely = candidates.filter(
          ({ col }) => col.type === "text" || col.type === "bool" || col.sub === "fk" || col.sub === "small",
        );
        const { rel, col } = r.pick(likely.length > 0 && r.chance(0.6) ? likely : candidates);
        key = this.columnRef(scope, scope, rel, col);
      }
      const text = key === null ? "" : print(key);
      if (key !== null && !keys.some((known) => print(known) === text)) keys.push(key);
    }
    return keys;
  }

  private computedKey(scope: Scope): Expr | null {
    const type = this.r.pick<ValueType>(["text", "tstz", "int", "numeric", "date", "bool"]);
    const key = this.expr(type, scope, 1);
    const plain = some(key, (node) => node.k === "e" && node.leaf === "col") && !some(key, (node) => node.k === "q");
    return plain ? key : null;
  }

  protected groupedItems(
    body: Core,
    scope: Scope,
    d: number,
    want: readonly ValueType[] | null,
    whole: boolean,
  ): ScopeColumn[] {
    const { r } = this;
    const keys = whole ? [] : this.groupKeys(scope);
    const grouped: Scope = { rels: [], outer: null, group: { keys, inner: scope } };
    const grouping = keys.length === 0 ? null : this.grouping(keys, body, scope);
    const named = this.naming();
    const cols: ScopeColumn[] = [];
    const push = (e: Expr): void => {
      const { as, name } = named(e, true, null);
      body.items.push({ e, as });
      cols.push(columnOf(e, name));
    };
    if (want !== null) for (const type of want) push(this.expr(type, grouped, Math.min(d, 1)));
    else this.aggregateItems(push, keys, grouping, grouped, scope, d);
    if (grouping !== null) {
      body.group = grouping;
      grouping.keys = keys.map(clone);
      if (grouping.kind === "plain" && r.chance(0.2)) this.keysByName(body, grouping, scope);
    }
    const filtered = grouping !== null && r.chance(0.25);
    if (filtered || r.chance(0.03)) body.having = r.chance(0.7) ? this.having(grouped) : this.expr("bool", grouped, 1);
    return cols;
  }

  /**
   * Before version 18, PostgreSQL confuses equal and constant expressions among grouping sets and may then sort wrongly:
   * their keys are different columns of real tables, and the order counts only where no condition can make two of them equal.
   */
  private grouping(keys: Expr[], body: Core, scope: Scope): Grouping {
    const { r, full } = this;
    if (!r.chance(full ? 0.15 : 0.03)) return { kind: "plain", keys };
    const seen = new Set<string>();
    const good = keys.filter((key) => {
      const place = key.src === undefined ? "" : `${key.src.rel}.${key.src.col}`;
      const fresh = key.leaf === "col" && this.source(scope, key) !== null && !seen.has(place);
      seen.add(place);
      return fresh;
    });
    if (good.length === 0) return { kind: "plain", keys };
    keys.splice(0, keys.length, ...good);
    const kind = r.pick(["ROLLUP", "CUBE", "sets"] as const);
    const loose = scope.rels.length > 1 || Boolean(body.where);
    if (kind !== "sets") return { kind, keys, loose };
    const sets = [keys.map((_, i) => i), ...(r.chance(0.7) ? [[]] : []), ...(keys.length > 1 ? [[0]] : [])];
    return { kind, keys, loose, sets };
  }

  private aggregateItems(
    push: (e: Expr) => void,
    keys: readonly Expr[],
    grouping: Grouping | null,
    grouped: Scope,
    scope: Scope,
    d: number,
  ): void {
    const { r, full } = this;
    for (const key of keys) if (r.chance(0.9)) push(clone(key));
    const has = new Set(this.columns(scope).map(({ col }) => col.type));
    const feeds = (type: ValueType): boolean => {
      if (type === "bigint" || type === "jsonb") return true;
      if (type === "numeric") return has.has("int") || has.has("numeric");
      return has.has(type === "text[]" ? "text" : type);
    };
    const wanted = [
      ...([
        [5, "bigint"],
        [4, "numeric"],
        [1.5, "text"],
        [1, "int"],
        [1, "date"],
        [1, "tstz"],
        [0.7, "float"],
      ] as const),
      ...([
        [0.6, "bool"],
        [0.3, "jsonb"],
        [0.4, "text[]"],
        [0.4, "enum"],
      ] as const),
    ].filter(([, type]) => this.ok(type) && (feeds(type) || (full && r.chance(0.3))));
    const count = r.weighted([
      [5, 1],
      [4, 2],
      [2, 3],
    ] as const);
    for (let i = 0; i < count; i++) {
      const type = r.weighted(wanted);
      if (grouping?.kind === "plain" && r.chance(full ? 0.08 : 0.05)) push(this.groupedWindow(grouped));
      else push((r.chance(0.75) ? this.aggregate(type, grouped) : null) ?? this.expr(type, grouped, Math.min(d, 2)));
    }
    if (grouping !== null && grouping.kind !== "plain" && r.chance(0.4)) {
      const parts: Part[] = ["grouping(", { e: clone(r.pick(keys)), n: 0 }, ")"];
      push(expression("int", parts, 200, { f: "grouping()", m: 1 }));
    }
  }

  /** Some keys by the name or the position of an output. */
  private keysByName(body: Core, grouping: Grouping, scope: Scope): void {
    const inputs = new Set(this.columns(scope).map(({ col }) => col.name));
    grouping.style = grouping.keys.map((key) => {
      const text = print(key);
      const at = body.items.findIndex((item) => item.e !== undefined && print(item.e) === text);
      if (at < 0) return null;
      const { as } = body.items[at];
      return as && !inputs.has(as) && this.r.chance(0.5) ? ident(as) : String(at + 1);
    });
  }

  protected override having(scope: Scope): Expr {
    const { r } = this;
    const type = r.pick<ValueType>(["bigint", "bigint", "numeric"]);
    const made = this.aggregate(type, scope) ?? raw("bigint", "count(*)", 200, { agg: true });
    const limit = raw("int", String(r.int(0, type === "numeric" ? 200 : 4)));
    const operator = r.pick([">", ">=", "<", "=", "<>"]);
    return expression("bool", [{ e: made, n: 51 }, ` ${operator} `, { e: limit, n: 51 }], 50);
  }

  /** Whether the rows are grouped, with or without GROUP BY. */
  protected isAggregate(body: Core): boolean {
    let found = Boolean(body.having);
    for (const { e } of body.items) {
      walk(e, (node) => {
        if (node.k === "q") return false;
        if (node.k === "e" && node.agg) found = true;
        return true;
      });
    }
    return found;
  }
}

function columnOf(e: Expr, name: string | null): ScopeColumn {
  return { name, type: e.t as ValueType, m: e.m, sub: e.leaf === "col" ? (e.sub ?? null) : null };
}
