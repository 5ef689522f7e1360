/** Trees as SQL text, with literals as they are or as parameters. */
import { ident } from "./names.js";
import type { Body, Core, Cte, Expr, FromNode, Item, Node, OrderItem, Query, SetOperation, Write } from "./tree.js";

/** Values of `$1`, `$2`, …; a literal that names its type shares its number with its equals. */
export class ParameterList {
  readonly values: (string | number | boolean | null)[] = [];
  private readonly known = new Map<string, number>();

  number(expr: Expr): string | undefined {
    const { param } = expr;
    if (param === undefined) return undefined;
    const { value, cast } = param;
    if (cast === undefined) return `$${this.values.push(value)}`;
    const key = `${cast} ${String(value)}`;
    const number = this.known.get(key) ?? this.values.push(value);
    this.known.set(key, number);
    return `$${number}::${cast}`;
  }
}

export function print(node: Node, parameters?: ParameterList): string {
  return new Printer(parameters).node(node);
}

/** Output names as far as the tree says them; `null` where an item has no plain name or a star hides the count. */
export function outputNames(body: Body): (string | null)[] | null {
  switch (body.k) {
    case "q":
      return outputNames(body.body);
    case "set":
      return outputNames(body.l);
    case "vals":
      return body.rows[0].map((_, i) => `column${i + 1}`);
    case "core":
      if (body.items.some((item) => item.star)) return body.items.length === 1 ? (body.items[0].names ?? null) : null;
      return body.items.map((item) => item.as ?? item.e?.colName ?? null);
  }
}

class Printer {
  constructor(private readonly parameters: ParameterList | undefined) {}

  node(node: Node): string {
    switch (node.k) {
      case "e":
        return this.expr(node);
      case "q":
        return this.query(node);
      case "core":
        return this.core(node);
      case "set":
        return `${this.side(node.l, node, false)} ${node.op}${node.all ? " ALL" : ""} ${this.side(node.r, node, true)}`;
      case "vals":
        return `VALUES ${node.rows.map((row) => `(${row.map((e) => this.expr(e)).join(", ")})`).join(", ")}`;
      case "write":
        return this.write(node);
      case "raw":
        return node.sql;
      default:
        return this.from(node);
    }
  }

  private expr(e: Expr): string {
    const parameter = this.parameters?.number(e);
    if (parameter !== undefined) return parameter.includes("::") && e.p >= 200 ? `(${parameter})` : parameter;
    return e.parts
      .map((part) => (typeof part === "string" ? part : "q" in part ? this.query(part.q) : this.at(part.e, part.n)))
      .join("");
  }

  private at(e: Expr, need: number): string {
    return e.p < need || e.paren ? `(${this.expr(e)})` : this.expr(e);
  }

  private side(body: Body, parent: SetOperation, right: boolean): string {
    const nested = body.k === "set" && (right || (parent.op === "INTERSECT" && body.op !== "INTERSECT"));
    return body.k === "q" || nested ? `(${this.node(body)})` : this.node(body);
  }

  private with(ctes: readonly Cte[] | undefined): string {
    if (ctes === undefined || ctes.length === 0) return "";
    const recursive = ctes.some((cte) => cte.recursive) ? "RECURSIVE " : "";
    const list = ctes.map(({ name, cols, mat, q }) => {
      const columns = cols === undefined ? "" : `(${cols.map(ident).join(", ")})`;
      return `${ident(name)}${columns} AS ${mat === undefined ? "" : `${mat} `}(${this.node(q)})`;
    });
    return `WITH ${recursive}${list.join(", ")} `;
  }

  private query(q: Query): string {
    let text = this.with(q.with) + this.node(q.body);
    if (q.order.length > 0) text += ` ORDER BY ${q.order.map((item) => this.orderKey(q, item)).join(", ")}`;
    const { limit, offset } = q;
    const skip = typeof offset === "number";
    if ((q.ties || q.fetch) && typeof limit === "number") {
      if (skip) text += ` OFFSET ${offset} ROWS`;
      return `${text} FETCH FIRST ${limit} ROWS ${q.ties ? "WITH TIES" : "ONLY"}`;
    }
    if (typeof limit === "number") text += ` LIMIT ${limit}`;
    return skip ? `${text} OFFSET ${offset}` : text;
  }

  private orderKey(q: Query, { i = 0, e, style, dir, nulls }: OrderItem): string {
    const item = q.body.k === "core" ? q.body.items[i] : undefined;
    const name = outputNames(q.body)?.[i];
    let key = String(i + 1);
    if (e !== undefined) key = this.expr(e);
    else if (style === "expr" && item?.e) key = this.expr(item.e);
    else if (style === "name" && name) key = ident(name);
    return key + (dir ? ` ${dir}` : "") + (nulls ? ` NULLS ${nulls}` : "");
  }

  private items(items: readonly Item[]): string {
    return items
      .map(({ star, e, as }) => (e === undefined ? (star ?? "") : this.at(e, 0) + (as ? ` AS ${ident(as)}` : "")))
      .join(", ");
  }

  private core(core: Core): string {
    const { items, distinctOn, distinct, from, where, having, windows } = core;
    let text = "SELECT ";
    const on = distinctOn?.map((i) => items[i].e).filter((e) => e !== undefined);
    if (on) text += `DISTINCT ON (${on.map((e) => this.expr(e)).join(", ")}) `;
    else if (distinct) text += "DISTINCT ";
    text += this.items(items);
    if (from) text += ` FROM ${this.node(from)}`;
    if (where) text += ` WHERE ${this.expr(where)}`;
    text += this.grouping(core);
    if (having) text += ` HAVING ${this.expr(having)}`;
    if (windows && windows.length > 0) {
      text += ` WINDOW ${windows.map(({ name, spec }) => `${ident(name)} AS (${this.expr(spec)})`).join(", ")}`;
    }
    return text;
  }

  private grouping({ group }: Core): string {
    if (!group) return "";
    const keys = group.keys.map((key) => this.expr(key));
    if (group.kind === "plain") return ` GROUP BY ${keys.map((key, i) => group.style?.[i] ?? key).join(", ")}`;
    if (group.kind !== "sets") return ` GROUP BY ${group.kind} (${keys.join(", ")})`;
    const sets = (group.sets ?? []).map((set) =>
      set.length === 1 ? keys[set[0]] : `(${set.map((i) => keys[i]).join(", ")})`,
    );
    return ` GROUP BY GROUPING SETS (${sets.join(", ")})`;
  }

  private from(node: FromNode): string {
    const columns = (names: readonly string[] | undefined): string =>
      names === undefined ? "" : `(${names.map(ident).join(", ")})`;
    switch (node.k) {
      case "tab":
        return ident(node.name) + (node.alias ? ` ${node.as ? "AS " : ""}${ident(node.alias)}` : "");
      case "sub": {
        const named = `${node.as === false ? "" : "AS "}${ident(node.alias)}${columns(node.cols)}`;
        return `${node.lateral ? "LATERAL " : ""}(${this.node(node.q)}) ${named}`;
      }
      case "fn": {
        const call = `${node.lateral ? "LATERAL " : ""}${this.expr(node.e)}${node.ord ? " WITH ORDINALITY" : ""}`;
        return `${call} AS ${ident(node.alias)}${node.defs === undefined ? columns(node.cols) : `(${node.defs})`}`;
      }
      case "join": {
        const left = this.node(node.l);
        const right = node.r.k === "join" ? `(${this.node(node.r)})` : this.node(node.r);
        if (node.type === "COMMA") return `${left}, ${right}`;
        const condition = node.using ? ` USING ${columns(node.using)}` : node.on ? ` ON ${this.expr(node.on)}` : "";
        return `${left} ${node.natural ? "NATURAL " : ""}${node.type} ${right}${condition}`;
      }
    }
  }

  private write(w: Write): string {
    const target = ident(w.table) + (w.alias ? ` AS ${ident(w.alias)}` : "");
    const where = w.where ? ` WHERE ${this.expr(w.where)}` : "";
    const returning = w.returning ? ` RETURNING ${this.items(w.returning)}` : "";
    switch (w.verb) {
      case "INSERT": {
        const columns = w.columns === undefined ? "" : ` (${w.columns.map(ident).join(", ")})`;
        const source = w.source === undefined ? "DEFAULT VALUES" : this.node(w.source);
        const conflict = w.conflict ? ` ON CONFLICT ${w.conflict}` : "";
        return `INSERT INTO ${target}${columns} ${source}${conflict}${returning}`;
      }
      case "UPDATE": {
        const set = (w.set ?? []).map(({ column, e }) => `${ident(column)} = ${this.expr(e)}`).join(", ");
        return `UPDATE ${target} SET ${set}${w.from ? ` FROM ${this.node(w.from)}` : ""}${where}${returning}`;
      }
      case "DELETE":
        return `DELETE FROM ${target}${w.from ? ` USING ${this.node(w.from)}` : ""}${where}${returning}`;
    }
  }
}

/** Applies a change to the text outside of quotes, to at most so many pieces that it changes. */
export function outsideQuotes(sql: string, change: (text: string) => string, times = Number.POSITIVE_INFINITY): string {
  let left = times;
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[^'"]+/g, (piece) => {
    if (piece[0] === "'" || piece[0] === '"' || left <= 0) return piece;
    const changed = change(piece);
    if (changed !== piece) left--;
    return changed;
  });
}
