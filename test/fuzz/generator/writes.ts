/** Eighth chapter: INSERT, UPDATE and DELETE whose effect the statement fixes. */
import { ident } from "../names.js";
import { conjunction, type Expr, expression, type FromNode, type Item, type Query, raw, type Write } from "../tree.js";
import { literalText, randomValue } from "../values.js";
import type { Column, Table } from "../world.js";
import { QueryGenerator } from "./queries.js";
import { emptyScope, type Relation, type Scope } from "./scope.js";

export abstract class WriteGenerator extends QueryGenerator {
  protected write(): Write {
    const verb = this.r.weighted([
      [4, "INSERT"],
      [4, "UPDATE"],
      [2, "DELETE"],
    ] as const);
    const table = this.r.pick(this.world.tables);
    if (verb === "INSERT") return this.insert(table);
    return verb === "UPDATE" ? this.update(table) : this.delete(table);
  }

  /** A write inside of WITH, read by the query behind it. */
  protected writingQuery(): Query {
    const made = this.write();
    const { r } = this;
    const columns = this.world.tables.find((table) => table.name === made.table)?.cols ?? [];
    const target = made.alias ?? made.table;
    const shown = r.sample(columns, r.int(1, Math.min(3, columns.length)));
    made.returning = shown.map((column) => ({
      e: raw(column.type, `${ident(target)}.${ident(column.name)}`, 200, { leaf: "col", colName: column.name }),
    }));
    const items: Item[] = r.chance(0.5)
      ? [{ e: raw("bigint", "count(*)"), as: "n" }]
      : [{ star: "*", names: shown.map((column) => column.name) }];
    return {
      k: "q",
      with: [{ name: "changed", q: made }],
      body: { k: "core", items, from: { k: "tab", name: "changed", alias: null } },
      order: [],
    };
  }

  private insert(table: Table): Write {
    const { r } = this;
    const required = table.cols.filter((column) => table.key?.includes(column.name));
    const rest = table.cols.filter((column) => !required.includes(column));
    const chosen = r.chance(0.5) ? rest : r.sample(rest, r.int(0, rest.length));
    const columns = [...required, ...chosen];
    const base: Write = { k: "write", verb: "INSERT", table: table.name, columns: columns.map(({ name }) => name) };
    const returning = this.returning(this.targetScope(table, table.name));
    if (columns.length === 0) return { ...base, columns: undefined, returning };
    const source = r.chance(0.3) ? this.copied(columns) : null;
    const conflict = table.primary && r.chance(0.5) ? this.conflict(table, columns) : null;
    if (source !== null) return { ...base, source, conflict, returning };
    const rows = Array.from({ length: r.int(1, 4) }, () => columns.map((column) => this.newValue(table, column)));
    return { ...base, source: { k: "vals", rows }, conflict, returning };
  }

  private newValue(table: Table, { type, sub, name }: Column): Expr {
    const { r } = this;
    if (table.key?.includes(name)) {
      const fresh = table.rows.length + r.int(1, 40);
      return raw("int", String(r.chance(0.35) ? r.int(1, Math.max(1, table.rows.length)) : fresh));
    }
    if (r.chance(0.08)) return raw(type, r.pick(["NULL", "DEFAULT"]), 200, { leaf: "lit" });
    if (r.chance(0.25)) return this.expr(type, emptyScope(), 1);
    const value = randomValue(r, type, sub);
    const text = literalText(type, value);
    return raw(type, text, text.startsWith("-") ? 130 : 200, {
      leaf: "lit",
      ...(text.startsWith("'") && { param: { value } }),
    });
  }

  /** INSERT … SELECT from a table, keys moved out of the way. */
  private copied(columns: readonly Column[]): Query {
    const { r } = this;
    const scope = emptyScope();
    const conditions: Expr[] = [];
    const from = this.from(scope, { n: 1, plain: true, conditions });
    const where = conjunction([...conditions, r.chance(0.6) ? this.expr("bool", scope, 1) : null]);
    const items = columns.map(({ type, sub }) => {
      const e = this.leaf(type, scope, { typed: true });
      if (sub !== "id") return { e };
      return { e: expression("int", [{ e, n: 80 }, " + 1000"], 80) };
    });
    return { k: "q", body: { k: "core", items, from, where }, order: [] };
  }

  private conflict(table: Table, columns: readonly Column[]): string {
    const { r } = this;
    const key = (table.key ?? []).map(ident).join(", ");
    const others = columns.filter((column) => !table.key?.includes(column.name));
    if (others.length === 0 || r.chance(0.4)) return r.pick(["DO NOTHING", `(${key}) DO NOTHING`]);
    const { name, type } = r.pick(others);
    const column = ident(name);
    const old = `${ident(table.name)}.${column}`;
    const sum = ["int", "bigint", "numeric"].includes(type) ? [`${old} + excluded.${column}`] : [];
    const value = r.pick([`excluded.${column}`, `coalesce(excluded.${column}, ${old})`, ...sum]);
    const where = r.chance(0.2) ? ` WHERE ${old} IS DISTINCT FROM excluded.${column}` : "";
    return `(${key}) DO UPDATE SET ${column} = ${value}${where}`;
  }

  private targetScope({ name, cols, key, rows }: Table, alias: string): Scope {
    this.used.add(alias);
    const rel: Relation = { alias, table: name, cols, key, est: rows.length };
    return { rels: [rel], outer: null };
  }

  private target(table: Table): { alias: string | null; scope: Scope } {
    const alias = this.r.chance(0.4) ? this.alias(table.name) : null;
    return { alias, scope: this.targetScope(table, alias ?? table.name) };
  }

  /** A second table of which at most one row goes with each row of the target. */
  private companion(table: Table, scope: Scope): { from: FromNode; on: Expr } | null {
    const { r } = this;
    const links = table.cols.filter((column) => column.sub === "fk");
    const keyed = this.world.tables.filter((other) => other.key !== null);
    if (links.length === 0 || keyed.length === 0 || !r.chance(0.35)) return null;
    const other = r.pick(keyed);
    const alias = this.alias(other.name);
    const rel: Relation = { alias, table: other.name, cols: other.cols, key: other.key, est: other.rows.length };
    const target = scope.rels[0];
    scope.rels.push(rel);
    const link = this.columnRef(scope, scope, target, r.pick(links));
    const on = expression("bool", [`${ident(alias)}.id = `, { e: link, n: 51 }], 50);
    return { from: { k: "tab", name: other.name, alias, as: r.chance(0.3) }, on };
  }

  private condition(scope: Scope, on: Expr | undefined): Expr | null {
    const more = this.r.chance(0.8) ? this.expr("bool", scope, this.r.int(1, 2)) : null;
    return conjunction([on, more]);
  }

  private update(table: Table): Write {
    const { r } = this;
    const { alias, scope } = this.target(table);
    const companion = this.companion(table, scope);
    const free = table.cols.filter((column) => !table.key?.includes(column.name));
    const chosen = r.sample(
      free.length > 0 ? free : table.cols,
      r.weighted([
        [5, 1],
        [3, 2],
        [1, 3],
      ] as const),
    );
    const set = chosen.map(({ name, type }) => ({ column: name, e: this.expr(type, scope, r.int(1, 2)) }));
    const where = this.condition(scope, companion?.on);
    const returning = this.returning(scope);
    return { k: "write", verb: "UPDATE", table: table.name, alias, set, from: companion?.from, where, returning };
  }

  private delete(table: Table): Write {
    const { alias, scope } = this.target(table);
    const companion = this.companion(table, scope);
    const where = this.condition(scope, companion?.on);
    const returning = this.returning(scope);
    return { k: "write", verb: "DELETE", table: table.name, alias, from: companion?.from, where, returning };
  }

  private returning(scope: Scope): Item[] | null {
    const { r } = this;
    if (r.chance(0.4)) return null;
    const target = scope.rels[0];
    if (r.chance(0.3))
      return [{ star: scope.rels.length === 1 ? "*" : this.star(target), names: target.cols.map((col) => col.name) }];
    return Array.from({ length: r.int(1, 3) }, (_, i) => {
      const e = this.expr(this.anyType(scope), scope, 1);
      return { e, as: e.leaf === "col" ? null : `r${i + 1}` };
    });
  }
}
