/** Second chapter: expressions of a wanted type out of templates, columns and aggregates. */
import { ident, quote } from "../names.js";
import type { AggregateTemplate } from "../templates/aggregates.js";
import { aggregatesOf, templatesOf } from "../templates/all.js";
import { pools } from "../templates/pools.js";
import type { Special, Template, Token } from "../templates/template.js";
import { clone, type Expr, expression, type Part, some, type ValueType } from "../tree.js";
import { type LeafOptions, LiteralGenerator } from "./literals.js";
import type { FoundColumn, Relation, Scope, ScopeColumn } from "./scope.js";

/** Largest bound that a result of the type may have, so that nothing overflows unasked. */
const largest: Partial<Record<ValueType, number>> = { int: 2_147_483_647, bigint: 9.2e18, numeric: 1e25, float: 1e200 };

interface Filled {
  readonly parts: Part[];
  readonly args: Expr[];
  readonly feature: string[];
}

export abstract class ExpressionGenerator extends LiteralGenerator {
  protected abstract special(special: Special, scope: Scope, depth: number): Expr | null;
  protected abstract having(scope: Scope): Expr;

  expr(type: ValueType, scope: Scope, depth: number): Expr {
    const { r, full } = this;
    this.budget--;
    const byDepth = [1, 0.7, full ? 0.45 : 0.55, full ? 0.25 : 0.45];
    const leafChance = depth <= 0 || this.budget <= 0 ? 1 : byDepth[Math.min(depth, 3)];
    const made = (r.chance(leafChance) ? null : this.fromTemplate(type, scope, depth)) ?? this.leaf(type, scope);
    if (r.chance(0.03) && made.p < 200) made.paren = true;
    return made;
  }

  private fromTemplate(type: ValueType, scope: Scope, depth: number): Expr | null {
    const list = templatesOf[this.profile].get(type);
    if (list === undefined) return null;
    for (let tries = 0; tries < 6; tries++) {
      const chosen = this.r.weighted(list);
      const made = chosen.special
        ? this.special(chosen.special, scope, depth)
        : this.fill(chosen, type, scope, depth - 1);
      if (made !== null) return made;
    }
    return null;
  }

  private fill(template: Template & { okm?: number }, type: ValueType, scope: Scope, depth: number): Expr | null {
    const filled: Filled = { parts: [], args: [], feature: [] };
    for (const token of template.tokens) if (!this.fillToken(token, template.p, filled, scope, depth)) return null;
    const { parts, args, feature } = filled;
    const { r, full } = this;
    const literals = args.length > 0 && args.every((arg) => arg.leaf === "lit");
    if (literals && r.chance(full ? 0.9 : 0.98) && this.columns(scope.group?.inner ?? scope).length > 0) return null;
    if (template.ok !== undefined && !template.ok(args)) return null;
    const { okm } = template;
    if (okm !== undefined && args.some((arg) => arg.m > okm)) return null;
    const m = template.m ? template.m(args) : type === "text" ? 0 : (args[0]?.m ?? 0);
    if (!(m <= (largest[type] ?? Number.POSITIVE_INFINITY))) return null;
    const f = (template.f ?? feature.join("")).trim();
    return expression(type, parts, template.p, { f, m, ...(template.text.includes("SELF") && { fix: true }) });
  }

  /** False when the hole cannot be filled. */
  private fillToken(token: Token, p: number, filled: Filled, scope: Scope, depth: number): boolean {
    const { r } = this;
    const { parts, args, feature } = filled;
    const text = (written: string, named = written): boolean => {
      parts.push(written);
      feature.push(named);
      return true;
    };
    if (typeof token === "string") {
      if (!token.includes("SELF")) return text(token);
      const [before, after] = token.split("SELF");
      parts.push(before, { e: clone(args[0]), n: 0 }, after);
      feature.push(token.replace("SELF", "x"));
      return true;
    }
    if ("choice" in token) return text(r.pick(token.choice));
    if ("low" in token) return text(String(r.int(token.low, token.high)), "N");
    if ("pool" in token) return text(quote(r.pick<string>(pools[token.pool])), "s");
    const arg = this.argument(token, scope, depth);
    if (arg === null) return false;
    args.push(arg);
    parts.push({ e: arg, n: token.side === "<" ? p : token.side === ">" ? p + 1 : 0 });
    feature.push(arg.t);
    return true;
  }

  private argument(token: Extract<Token, { side: string }>, scope: Scope, depth: number): Expr | null {
    const { type, mods } = token;
    if (type === "any") {
      const any = this.anyType(scope);
      const made = this.r.chance(0.75) ? this.leaf(any, scope, { typed: true }) : this.expr(any, scope, depth);
      return made.leaf === "lit" && any === "text" ? this.literal("text", { typed: true }) : made;
    }
    if (!this.ok(type)) return null;
    if (mods.includes("bare")) return this.bare(type, null);
    if (mods.includes("lit")) return mods.length > 1 ? this.leaf(type, scope, { mods }) : this.literal(type);
    if (mods.length > 0) return this.leaf(type, scope, { mods, column: true });
    return this.expr(type, scope, depth);
  }

  /** The type of a column at hand, mostly. */
  protected anyType(scope: Scope): ValueType {
    const columns = this.columns(scope);
    if (columns.length > 0 && this.r.chance(this.full ? 0.8 : 0.95)) return this.r.pick(columns).col.type;
    return this.r.weighted(this.itemTypes);
  }

  columns(scope: Scope, local = true): FoundColumn[] {
    const found: FoundColumn[] = [];
    for (let at = scope.group ? null : scope; at; at = local ? null : at.outer) {
      for (const rel of at.rels) for (const col of rel.cols) found.push({ rel, col, scope: at });
    }
    return found;
  }

  /** A column or a literal. */
  leaf(type: ValueType, scope: Scope, given: LeafOptions = {}): Expr {
    const { r } = this;
    if (scope.group) return this.groupedLeaf(type, scope, given);
    const options = scope.typed || given.column ? { ...given, typed: true } : given;
    const sub = options.mods?.find((mod) => !["col", "lit", "bare"].includes(mod));
    const fits = ({ col }: FoundColumn): boolean => col.type === type && (sub === undefined || col.sub === sub);
    let found = this.columns(scope).filter(fits);
    if (scope.outer && !scope.noOuter && r.chance(0.2)) {
      const outer = this.columns(scope.outer, false).filter(fits);
      if (outer.length > 0) found = outer;
    }
    const plain = !options.column && !(options.typed && !scope.typed);
    if (type === "bool" && plain && r.chance(found.length > 0 ? 0.5 : 0.95)) {
      const made = this.comparison(scope);
      if (made !== null) return made;
    }
    if (found.length > 0 && r.chance(options.column ? 0.97 : 0.82)) {
      const { rel, col, scope: owner } = r.pick(found);
      return this.columnRef(scope, owner, rel, col);
    }
    return this.literal(type, options);
  }

  /** A column (or a grouped value) beside a literal: the boolean that statements have most of. */
  private comparison(scope: Scope): Expr | null {
    const { r } = this;
    const { group } = scope;
    for (let tries = 0; tries < 3; tries++) {
      let type: ValueType;
      if (group) {
        const keyed = r.chance(0.5) && group.keys.length > 0;
        type = keyed ? (r.pick(group.keys).t as ValueType) : r.pick(["bigint", "numeric"]);
        if (!group.keys.some((key) => key.t === type)) return this.having(scope);
      } else {
        type = this.anyType(scope);
      }
      const kind = r.weighted([
        [6, "compare"],
        [2, "in"],
        [1.5, "between"],
        [1, "null"],
      ] as const);
      const made = this.special({ special: kind, type }, scope, 0);
      if (made !== null) return made;
    }
    return null;
  }

  columnRef(scope: Scope, owner: Scope, rel: Relation, col: ScopeColumn): Expr {
    const name = col.name ?? "";
    const same = owner.rels.reduce((n, other) => n + other.cols.filter((column) => column.name === name).length, 0);
    const bareChance = owner.rels.length > 1 ? 0.25 : 0.75;
    const unique = owner === scope && same === 1;
    const bare = unique && this.r.chance(bareChance) && !scope.rels.some((other) => other.alias === name);
    const text = bare ? ident(name) : `${ident(rel.alias)}.${ident(name)}`;
    return expression(col.type, [text], 200, {
      leaf: "col",
      m: col.m,
      sub: col.sub ?? null,
      colName: name,
      bare,
      src: { rel: rel.alias, col: name },
    });
  }

  private groupedLeaf(type: ValueType, scope: Scope, options: LeafOptions): Expr {
    const { r } = this;
    const { mods } = options;
    const kind = mods?.find((mod) => ["num", "datetext", "doc"].includes(mod));
    const keys = (scope.group?.keys ?? []).filter((key) => key.t === type && (kind === undefined || key.sub === kind));
    if (keys.length > 0 && r.chance(0.6)) {
      const key = clone(r.pick(keys));
      if (!mods?.includes("col") || key.leaf === "col" || key.p >= 200) return key;
    }
    if (mods === undefined) {
      const made = this.aggregate(type, scope);
      if (made !== null && r.chance(0.85)) return made;
    }
    return this.literal(type, options);
  }

  aggregate(type: ValueType, scope: Scope): Expr | null {
    const { r, full } = this;
    const list = aggregatesOf[this.profile].get(type);
    if (scope.group === undefined || list === undefined) return null;
    const inner: Scope = { ...scope.group.inner, noOuter: true, outer: null, typed: true };
    for (let tries = 0; tries < 10; tries++) {
      const chosen: AggregateTemplate = r.weighted(list);
      const made = this.fill(chosen, type, inner, r.chance(0.75) ? 0 : 1);
      if (made === null || some(made.parts, hasAggregate)) continue;
      made.agg = true;
      if (!r.chance(full ? 0.15 : 0.1) || chosen.text.startsWith("round")) return made;
      const condition = this.expr("bool", inner, 1);
      if (some(condition, hasAggregate)) return made;
      const parts: Part[] = [{ e: made, n: 0 }, " FILTER (WHERE ", { e: condition, n: 0 }, ")"];
      return expression(type, parts, 200, { f: "filter", m: made.m, agg: true });
    }
    return null;
  }
}

function hasAggregate(node: { k: string; agg?: boolean }): boolean {
  return node.k === "e" && node.agg === true;
}
