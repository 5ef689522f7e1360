/** Fifth chapter: window calls whose answers do not depend on ties. */
import { print } from "../print.js";
import { type Core, clone, type Expr, expression, type Part, raw, some, type ValueType } from "../tree.js";
import { RelationGenerator } from "./relations.js";
import type { FoundColumn, Scope } from "./scope.js";

/** What a call needs of its window: an order of the rows, an order without ties, an order that RANGE offsets fit. */
type Need = "none" | "order" | "total" | "range";

const rowFrames = [
  "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
  "ROWS BETWEEN 2 PRECEDING AND CURRENT ROW",
  "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
  "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
];
const oddRowFrames = [
  "ROWS 3 PRECEDING",
  "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
  "ROWS BETWEEN 2 FOLLOWING AND 4 FOLLOWING",
  "ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING",
];
const groupFrames = [
  "GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW",
  "GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING",
  "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
  "GROUPS CURRENT ROW",
];

export abstract class WindowGenerator extends RelationGenerator {
  /** Windows of this statement over rows that may be equal in all columns. */
  protected unkeyedWindows = 0;

  /**
   * Columns that identify a row of FROM. Rows that are equal in all columns may be numbered in any order, which shows
   * once two windows number them: so there is only one such window a statement.
   */
  private totalKey(scope: Scope): Expr[] | null {
    if (scope.rels.some((rel) => rel.key === null) && this.unkeyedWindows++ > 0) return null;
    const keys: Expr[] = [];
    for (const rel of scope.rels) {
      for (const col of rel.cols) {
        if (rel.key === null || rel.key.includes(col.name ?? "")) keys.push(this.columnRef(scope, scope, rel, col));
      }
    }
    return keys.length <= 12 ? keys : null;
  }

  protected windowSpec(scope: Scope, need: Need): Expr | null {
    const { r } = this;
    const parts: Part[] = [];
    const columns = this.columns(scope);
    const pick = (test: (found: FoundColumn) => boolean): Expr | null => {
      const found = columns.filter(test);
      if (found.length === 0) return null;
      const { rel, col } = r.pick(found);
      return this.columnRef(scope, scope, rel, col);
    };
    if (r.chance(0.6)) {
      const e = pick(({ col }) => ["text", "bool", "int", "date"].includes(col.type));
      if (e !== null) parts.push("PARTITION BY ", { e, n: 0 });
    }
    const order = this.windowOrder(scope, need, pick);
    if (order === null) return null;
    for (const [i, e] of order.entries()) {
      const nulls = r.chance(this.full ? 0.2 : 0.06) ? r.pick([" NULLS FIRST", " NULLS LAST"]) : "";
      parts.push(i > 0 ? ", " : `${parts.length > 0 ? " " : ""}ORDER BY `, { e, n: 0 });
      parts.push(r.pick(["", "", " DESC", " ASC"]), nulls);
    }
    const frame = this.frame(need, order);
    if (frame !== null) parts.push(` ${frame.text}`);
    return expression("spec", parts, 200, { f: frame?.f ?? null, fix: true });
  }

  private windowOrder(
    scope: Scope,
    need: Need,
    pick: (test: (found: FoundColumn) => boolean) => Expr | null,
  ): Expr[] | null {
    const { r } = this;
    if (need === "total") {
      const key = this.totalKey(scope);
      const first = r.chance(0.7) ? pick(() => true) : null;
      return key && (first === null ? key : [first, ...key]);
    }
    const rangeable = ["int", "numeric", "date", "bigint"];
    const wanted = need === "order" || need === "range" || r.chance(0.5);
    if (!wanted) return [];
    const found = pick(({ col }) => need !== "range" || (rangeable.includes(col.type) && col.sub !== "wide"));
    return found && [found];
  }

  private frame(need: Need, order: readonly Expr[]): { text: string; f: string } | null {
    const { r, full } = this;
    const exclude = (): string => {
      const kinds = [" EXCLUDE CURRENT ROW", " EXCLUDE TIES", " EXCLUDE GROUP", " EXCLUDE NO OTHERS"];
      return full && r.chance(0.25) ? r.pick(kinds) : "";
    };
    if (need === "total" && r.chance(full ? 0.6 : 0.3)) {
      const text = r.pick(full ? [...rowFrames, ...oddRowFrames] : rowFrames) + exclude();
      return { text, f: "frame:rows" };
    }
    if (need === "range") {
      const offset = (): string =>
        order[0].t === "date"
          ? `INTERVAL '${r.pick(["7 days", "1 month", "30 days"])}'`
          : String(r.pick([0, 5, 10, 100]));
      const text = r.pick([
        `RANGE BETWEEN ${offset()} PRECEDING AND CURRENT ROW`,
        `RANGE BETWEEN ${offset()} PRECEDING AND ${offset()} FOLLOWING`,
        `RANGE BETWEEN CURRENT ROW AND ${offset()} FOLLOWING`,
      ]);
      return { text: text + exclude(), f: "frame:range offset" };
    }
    if (need !== "order" || !full || !r.chance(0.3)) return null;
    return { text: r.pick(groupFrames) + exclude(), f: "frame:groups" };
  }

  protected windowCall(scope: Scope, body: Core): Expr {
    for (let tries = 0; tries < 5; tries++) {
      const made = this.oneWindowCall(scope, body);
      if (made !== null) return made;
    }
    return this.leaf(this.anyType(scope), scope);
  }

  private oneWindowCall(scope: Scope, body: Core): Expr | null {
    const { r } = this;
    const kinds = [
      [5, "number"],
      [3, "rank"],
      [1, "share"],
      [0.7, "ntile"],
      [3, "lag"],
      [1.5, "value"],
      [5, "agg"],
    ] as const;
    const over = (type: ValueType, call: string, need: Need): Expr | null => {
      const spec = this.windowSpec(scope, need);
      return spec && this.over(type, [call], spec, call.replace(/\d+/, "N"), 1e5);
    };
    switch (r.weighted(kinds)) {
      case "number":
        return over("bigint", "row_number()", "total");
      case "rank":
        return over("bigint", r.pick(["rank()", "dense_rank()"]), "order");
      case "share":
        return over("float", r.pick(["percent_rank()", "cume_dist()"]), "order");
      case "ntile":
        return over("int", `ntile(${r.int(1, 5)})`, "total");
      case "lag":
        return this.valueOfRow(scope, r.pick(["lag", "lead"]));
      case "value":
        return this.valueOfRow(scope, r.pick(["first_value", "last_value", "nth_value"]));
      case "agg":
        return this.windowAggregate(scope, body);
    }
  }

  private valueOfRow(scope: Scope, name: string): Expr | null {
    const { r } = this;
    const type = this.anyType(scope);
    const arg = this.leaf(type, scope, { typed: true });
    const spec = arg.leaf === "col" ? this.windowSpec(scope, "total") : null;
    if (spec === null) return null;
    const rest: Part[] = [];
    let f = `${name}()`;
    if (name === "nth_value") rest.push(`, ${r.int(1, 3)}`);
    else if (name === "lag" || name === "lead") {
      const plain = ["bool", "jsonb", "text[]"].includes(type);
      const form = r.pick(["", "", ", 1", ", 2", plain ? ", 1" : "default"]);
      if (form === "default") {
        rest.push(", 1, ", { e: this.literal(type), n: 0 });
        f += " with default";
      } else rest.push(form);
    }
    return this.over(type, [`${name}(`, { e: arg, n: 0 }, ...rest, ")"], spec, f, arg.m);
  }

  private windowAggregate(scope: Scope, body: Core): Expr | null {
    const { r } = this;
    const type = r.pick<ValueType>(["bigint", "numeric", "int", "date", "text"]);
    const made = this.aggregate(type, { rels: [], outer: null, group: { keys: [], inner: scope } });
    if (made === null || /DISTINCT|WITHIN|ORDER BY|round\(/.test(print(made))) return null;
    if (some(made, (node) => node.k === "q")) return null;
    if (body.windows && r.chance(0.6)) {
      const parts: Part[] = [{ e: made, n: 0 }, " OVER w"];
      return expression(type, parts, 200, { f: "window aggregate", m: made.m, win: true });
    }
    const kinds = [
      [2, "empty"],
      [4, "order"],
      [2, "total"],
      [this.full ? 1.5 : 0.2, "range"],
    ] as const;
    const kind = r.weighted(kinds);
    const spec = kind === "empty" ? expression("spec", []) : this.windowSpec(scope, kind);
    return spec && this.over(type, [{ e: made, n: 0 }], spec, "window aggregate", made.m);
  }

  private over(type: ValueType, call: Part[], spec: Expr, f: string, m: number): Expr {
    const feature = f.startsWith("window") ? f : `window ${f}`;
    return expression(type, [...call, " OVER (", { e: spec, n: 0 }, ")"], 200, { f: feature, m, win: true });
  }

  /** A window over grouped rows. */
  protected groupedWindow(scope: Scope): Expr {
    const { r } = this;
    const made = this.aggregate(r.pick<ValueType>(["bigint", "numeric"]), scope);
    const keys = scope.group?.keys ?? [];
    if (made === null) return raw("bigint", "count(*)", 200, { agg: true });
    const parts: Part[] = [];
    if (keys.length > 1 && r.chance(0.5)) parts.push("PARTITION BY ", { e: clone(keys[0]), n: 0 }, " ");
    if (r.chance(0.3)) {
      const spec = expression("spec", parts, 200, { fix: true });
      const call: Part[] = ["sum(", { e: made, n: 0 }, ")"];
      return this.over("numeric", call, spec, "window over aggregate", made.m * 1000);
    }
    parts.push("ORDER BY ", { e: made, n: 0 }, r.chance(0.6) ? " DESC" : "");
    const total = r.chance(0.5);
    if (total) for (const key of keys) parts.push(", ", { e: clone(key), n: 0 });
    const call = total ? "row_number()" : r.pick(["rank()", "dense_rank()"]);
    return this.over("bigint", [call], expression("spec", parts, 200, { fix: true }), "window over aggregate", 1e5);
  }
}
