/** Fourth chapter: FROM, with joins that are likely to find something and are never too large. */
import { ident } from "../names.js";
import {
  type Body,
  conjunction,
  type Expr,
  expression,
  type FromNode,
  type JoinNode,
  type Part,
  type Query,
  raw,
  type ValueType,
} from "../tree.js";
import { castNames } from "../values.js";
import { type FunctionCall, lateralCall, plainCall } from "./functions-in-from.js";
import { affinity, type FromOptions, PredicateGenerator } from "./predicates.js";
import type { FoundColumn, Relation, Scope, ScopeColumn } from "./scope.js";

export interface QueryOptions {
  readonly d: number;
  readonly top?: boolean;
  readonly outer?: Scope | null;
  readonly small?: boolean;
  /** Every output must have a name. */
  readonly named?: boolean;
}

export interface MadeQuery {
  readonly q: Query;
  readonly cols: ScopeColumn[];
}

interface MadeRelation {
  readonly node: FromNode;
  readonly rel: Relation;
  readonly lateral?: boolean;
}

type Candidates = [number, [FoundColumn, FoundColumn]][];

const noAliases = new Set(["as", "or", "on", "in", "is", "to", "do", "all", "not", "end", "and", "any", "asc"]);

export abstract class RelationGenerator extends PredicateGenerator {
  protected abstract query(options: QueryOptions): MadeQuery;

  /** A short name after the table's own, new in the statement. */
  protected alias(base: string): string {
    const letters = base.replace(/[^a-z]/gi, "").toLowerCase() || "q";
    const wanted = [letters[0], letters.slice(0, 2), letters.slice(0, 3)];
    const free = wanted.find((name) => !this.used.has(name) && !noAliases.has(name));
    let alias = free ?? `${letters[0]}1`;
    for (let i = 2; this.used.has(alias); i++) alias = letters[0] + i;
    this.used.add(alias);
    return alias;
  }

  private relation(scope: Scope, depth: number, plain: boolean, lateral: boolean): MadeRelation {
    const { r, full } = this;
    const room = (spare: number): boolean => this.budget > spare;
    const kinds = [
      [10, "table"],
      [this.ctes.length > 0 ? 12 : 0, "cte"],
      [depth > 0 && room(10) ? (full ? 1.5 : 1) : 0, "subquery"],
      [full ? 0.9 : 0.12, "function"],
      [full ? 0.5 : 0.06, "values"],
      [lateral && room(6) ? (full ? 2 : 0.12) : 0, "lateral"],
      [lateral ? (full ? 2.5 : 0.3) : 0, "lateral function"],
    ] as const;
    const kind = plain ? (this.ctes.length > 0 && r.chance(0.2) ? "cte" : "table") : r.weighted(kinds);
    switch (kind) {
      case "table":
      case "cte":
        return this.namedRelation(kind);
      case "subquery":
      case "lateral":
        return this.derivedTable(scope, depth, kind === "lateral");
      case "values":
        return this.valuesTable();
      default: {
        const reference = (found: FoundColumn): Expr => this.columnRef(scope, scope, found.rel, found.col);
        const over = kind === "function" ? null : lateralCall(r, full, this.columns(scope), reference);
        return this.functionTable(over ?? plainCall(r, full), over !== null);
      }
    }
  }

  private namedRelation(kind: "table" | "cte"): MadeRelation {
    const { r } = this;
    const bare = r.chance(0.35);
    const from = (name: string, cols: readonly ScopeColumn[], key: readonly string[] | null, est: number) => {
      const own = bare && !this.used.has(name);
      const alias = own ? name : this.alias(name);
      this.used.add(alias);
      const rel: Relation = { alias, table: kind === "table" ? name : null, cols, key, est };
      return { node: { k: "tab", name, alias: own ? null : alias, as: r.chance(0.4) } as const, rel };
    };
    if (kind === "cte") {
      const { name, cols, est } = r.pick(this.ctes);
      return from(name, cols, null, est);
    }
    const { name, cols, key, rows } = r.pick(this.world.tables);
    return from(name, cols, key, rows.length);
  }

  private derivedTable(scope: Scope, depth: number, lateral: boolean): MadeRelation {
    const { r } = this;
    const outer = lateral ? scope : null;
    const inner = this.query({ d: Math.min(depth - 1, 1), outer, small: true, named: true });
    if (lateral && r.chance(0.6)) this.limitLateral(inner);
    const alias = this.alias(r.pick(["sub", "x", "derived", "latest", "stats"]));
    const cols = r.chance(0.1) ? inner.cols.map((col, i) => ({ ...col, name: `k${i + 1}` })) : inner.cols;
    const renamed = cols === inner.cols ? {} : { cols: cols.map((col) => col.name ?? "") };
    const node: FromNode = { k: "sub", q: inner.q, alias, lateral, as: r.chance(0.7), ...renamed };
    return { node, rel: { alias, table: null, cols, key: null, est: lateral ? 5 : 25 }, lateral };
  }

  private limitLateral({ q, cols }: MadeQuery): void {
    if (typeof q.limit === "number" || q.order.length > 0 || isLoose(q.body)) return;
    q.order = cols.map((_, i) => ({ i, style: "ord", dir: this.r.pick(["", "DESC"]) }));
    q.limit = this.r.int(1, 3);
  }

  private valuesTable(): MadeRelation {
    const { r } = this;
    const types: ValueType[] = r.sample(["int", "text", "numeric", "bool", "date"], r.int(1, 3));
    const value = (type: ValueType): Expr =>
      r.chance(0.1) ? raw(type, `NULL::${castNames[type]}`, 150) : this.literal(type);
    const rows = Array.from({ length: r.int(1, 4) }, () => types.map(value));
    const alias = this.alias("vals");
    const cols = types.map((type, i) => ({ name: ["id", "label", "k"][i], type, m: 1000 }));
    const q = { k: "vals", rows } as const;
    const node: FromNode = { k: "sub", q, alias, cols: cols.map((col) => col.name), as: true };
    return { node, rel: { alias, table: null, cols, key: null, est: 3 } };
  }

  private functionTable(made: FunctionCall, lateral: boolean): MadeRelation {
    const { call, base, est, ordinality: ord = false, definitions: defs } = made;
    const alias = this.alias(base);
    const counter: ScopeColumn = { name: "ord", type: "bigint", m: 100 };
    const cols = ord ? [...made.cols, counter] : made.cols;
    const names = cols.map((col) => col.name ?? "");
    const spelled = lateral && this.r.chance(0.5);
    const node: FromNode = { k: "fn", e: call, alias, cols: names, defs, ord, lateral: spelled };
    return { node, rel: { alias, table: null, cols, key: null, est }, lateral };
  }

  protected override from(scope: Scope, { n, d = 0, plain = false, conditions }: FromOptions): FromNode {
    const first = this.relation(scope, d, plain, false);
    scope.rels.push(first.rel);
    const chain: Chain = { tree: first.node, est: Math.max(1, first.rel.est), comma: false };
    for (let i = 1; i < n; i++) {
      const next = this.relation(scope, d, plain, !plain);
      const joined = next.lateral ? this.joinLateral(scope, chain, next) : this.join(scope, chain, next, conditions);
      if (!joined) break;
    }
    return chain.tree;
  }

  private joinLateral(scope: Scope, chain: Chain, { node, rel }: MadeRelation): boolean {
    const { r } = this;
    const size = chain.est * Math.max(1, rel.est);
    if (size > 20_000) return false;
    const right: FromNode = node.k === "sub" ? { ...node, lateral: true } : node;
    if (!chain.comma && r.chance(0.4)) {
      chain.tree = { k: "join", type: "LEFT JOIN", l: chain.tree, r: right, on: raw("bool", "TRUE") };
    } else {
      chain.comma ||= r.chance(0.4);
      chain.tree = { k: "join", type: chain.comma ? "COMMA" : "CROSS JOIN", l: chain.tree, r: right };
    }
    chain.est = size;
    scope.rels.push(rel);
    return true;
  }

  private joinKind(): string {
    const { r } = this;
    return this.full
      ? r.weighted([
          ...([
            [4, "JOIN"],
            [1, "INNER JOIN"],
            [4, "LEFT JOIN"],
            [0.7, "LEFT OUTER JOIN"],
            [1.2, "RIGHT JOIN"],
          ] as const),
          ...([
            [1.2, "FULL JOIN"],
            [0.5, "FULL OUTER JOIN"],
            [1, "CROSS JOIN"],
            [1, "COMMA"],
            [1, "NATURAL"],
          ] as const),
          [1.5, "USING"],
        ])
      : r.weighted([
          ...([
            [6, "JOIN"],
            [1.5, "INNER JOIN"],
            [5, "LEFT JOIN"],
            [0.4, "LEFT OUTER JOIN"],
            [0.5, "RIGHT JOIN"],
          ] as const),
          ...([
            [0.4, "FULL OUTER JOIN"],
            [0.4, "CROSS JOIN"],
            [0.7, "COMMA"],
            [0.03, "NATURAL"],
            [0.3, "USING"],
          ] as const),
        ]);
  }

  private join(scope: Scope, chain: Chain, next: MadeRelation, conditions: Expr[]): boolean {
    const { r } = this;
    const rest = Math.max(1, next.rel.est);
    const pairs = this.joinable(scope, next.rel);
    let type = chain.comma ? "COMMA" : this.joinKind();
    if (pairs.length === 0 && !["CROSS JOIN", "COMMA", "NATURAL"].includes(type)) type = "CROSS JOIN";
    const free = type === "CROSS JOIN" || type === "NATURAL" || (type === "COMMA" && pairs.length === 0);
    if (free && chain.est * rest > 4000) {
      if (pairs.length === 0) return false;
      type = chain.comma ? "COMMA" : "JOIN";
    }
    if (chain.est * rest > 400_000) return false;
    if (type === "USING" || type === "NATURAL") {
      const merged = this.mergedJoin(scope, chain, next, type === "NATURAL");
      if (merged !== null) {
        chain.tree = merged;
        chain.est = Math.max(chain.est, rest) * 2;
        scope.merged = true;
        scope.rels.push(next.rel);
        return true;
      }
      type = pairs.length > 0 ? "JOIN" : "CROSS JOIN";
    }
    scope.rels.push(next.rel);
    const sides = { l: chain.tree, r: next.node };
    if (type === "CROSS JOIN") {
      chain.tree = { k: "join", type, ...sides };
      chain.est *= rest;
      return true;
    }
    const on =
      pairs.length > 0 && (type !== "COMMA" || r.chance(0.9))
        ? this.joinCondition(scope, chain, pairs, rest, type)
        : null;
    if (type !== "COMMA") {
      chain.tree = { k: "join", type, ...sides, on };
      return true;
    }
    chain.comma = true;
    chain.tree = { k: "join", type, ...sides };
    if (on === null) chain.est *= rest;
    else conditions.push(on);
    return true;
  }

  private joinable(scope: Scope, rel: Relation): Candidates {
    const pairs: Candidates = [];
    for (const a of this.columns(scope)) {
      for (const col of rel.cols) {
        if (a.col.type !== col.type || col.type === "jsonb" || col.type === "float") continue;
        pairs.push([affinity(a.col, col), [a, { rel, col, scope }]]);
      }
    }
    return pairs;
  }

  private joinCondition(scope: Scope, chain: Chain, pairs: Candidates, rest: number, type: string): Expr | null {
    const { r } = this;
    const [a, b] = r.weighted(pairs);
    const sides = [a, b].map(({ rel, col }): Part => ({ e: this.columnRef(scope, scope, rel, col), n: 51 }));
    if (r.chance(0.5)) sides.reverse();
    const equal = expression("bool", [sides[0], " = ", sides[1]], 50);
    const unique = a.col.sub === "id" || b.col.sub === "id";
    chain.est = unique ? Math.max(chain.est, rest) : (chain.est * rest) / 3;
    if (/FULL|COMMA/.test(type)) return equal; // PostgreSQL joins FULL on equalities only
    if (r.chance(0.2)) return conjunction([equal, this.expr("bool", scope, 1)]);
    if (!this.full || !r.chance(0.06)) return equal;
    chain.est *= rest;
    return this.expr("bool", scope, 1);
  }

  /** USING or NATURAL, where the common columns allow it. */
  private mergedJoin(scope: Scope, chain: Chain, { node, rel }: MadeRelation, natural: boolean): JoinNode | null {
    const { r } = this;
    const named = (name: string | null): ScopeColumn[] =>
      scope.rels.flatMap((other) => other.cols).filter((col) => col.name === name);
    const common = rel.cols.filter((col) => named(col.name).length > 0);
    const good = common.filter((col) => {
      const found = named(col.name);
      return found.length === 1 && found[0].type === col.type && col.type !== "jsonb";
    });
    if (good.length === 0) return null;
    const type = r.pick(["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]);
    if (natural) {
      return good.length === common.length ? { k: "join", type, natural, l: chain.tree, r: node } : null;
    }
    const using = r.sample(good, r.int(1, Math.min(2, good.length))).map((col) => col.name ?? "");
    return { k: "join", type, l: chain.tree, r: node, using };
  }

  protected star(rel: Relation): string {
    return `${ident(rel.alias)}.*`;
  }
}

interface Chain {
  tree: FromNode;
  /** About how many rows. */
  est: number;
  comma: boolean;
}

function isLoose(body: Body): boolean {
  return body.k === "core" && body.group?.loose === true;
}
