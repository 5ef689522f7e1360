/** Random queries of joins and subqueries over the random tables; a seed always gives the same statement. */
import { generator } from "./random-tables.js";

const integerColumns: Readonly<Record<string, readonly string[]>> = {
  t: ["id", "a", "b"],
  u: ["id", "t_id", "a", "b"],
  v: ["id", "u_id", "a"],
  w: ["x", "y"],
  e: ["x"],
};
const tableNames = Object.keys(integerColumns);

interface Alias {
  readonly name: string;
  readonly table: string;
}

export function randomStatement(seed: number): string {
  return new Writer(generator(seed)).statement();
}

class Writer {
  private count = 0;

  constructor(private readonly next: (below: number) => number) {}

  statement(): string {
    const from: Alias[] = [];
    const clause = this.fromClause(from, []);
    const where = this.conditions(from, [], 2);
    const items = from.map((alias) => this.column(alias));
    for (let i = this.next(3); i > 0; i--) items.push(this.value(from, [], 2));
    return `SELECT ${items.join(", ")} FROM ${clause}${where}`;
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.next(list.length)];
  }

  private alias(): Alias {
    const table = this.next(12) === 0 ? "e" : this.pick(tableNames.slice(0, 4));
    return { name: `${table}${++this.count}`, table };
  }

  private column(alias: Alias): string {
    return `${alias.name}.${this.pick(integerColumns[alias.table])}`;
  }

  private anyColumn(aliases: readonly Alias[]): string {
    return this.column(this.pick(aliases));
  }

  private fromClause(into: Alias[], outer: readonly Alias[]): string {
    const first = this.alias();
    into.push(first);
    let text = `${first.table} ${first.name}`;
    for (let i = this.next(3); i > 0; i--) {
      const before = [...into];
      const alias = this.alias();
      into.push(alias);
      const kind = this.pick(["JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"]);
      text += ` ${kind} ${alias.table} ${alias.name}`;
      if (kind === "CROSS JOIN") continue;
      const equality = `${this.anyColumn(before)} = ${this.column(alias)}`;
      const more = this.next(3) === 0 && kind !== "FULL JOIN" ? ` AND ${this.condition(into, outer, 0)}` : "";
      text += ` ON ${equality}${more}`;
    }
    return text;
  }

  private conditions(aliases: readonly Alias[], outer: readonly Alias[], depth: number): string {
    const parts = Array.from({ length: this.next(4) }, () => this.condition(aliases, outer, depth));
    return parts.length === 0 ? "" : ` WHERE ${parts.join(" AND ")}`;
  }

  /** A condition over the aliases of its query and, now and then, those around it. */
  private condition(own: readonly Alias[], outer: readonly Alias[], depth: number): string {
    const all = outer.length > 0 && this.next(2) === 0 ? [...own, ...outer] : own;
    const column = this.anyColumn(all);
    switch (this.next(depth > 0 ? 13 : 7)) {
      case 0:
        return `${column} = ${this.next(5)}`;
      case 1:
        return `${column} ${this.pick(["<", ">", "<>", "<="])} ${this.anyColumn(all)}`;
      case 2:
        return `${this.anyColumn(own)} = ${this.anyColumn([...own, ...outer])}`;
      case 3:
        return `${column} IS ${this.pick(["", "NOT "])}NULL`;
      case 4:
        return `${column} ${this.pick(["", "NOT "])}IN (${this.next(5)}, ${this.next(5)})`;
      case 5:
        return `(${this.condition(own, outer, 0)} OR ${this.condition(own, outer, depth - 1)})`;
      case 6:
        return `NOT (${this.condition(own, outer, depth - 1)})`;
      case 7:
      case 8:
        return `${this.pick(["", "NOT "])}EXISTS (${this.subquery("1", [...own, ...outer], depth - 1)})`;
      case 9:
      case 10:
        return `${column} ${this.pick(["", "NOT "])}IN (${this.subquery("column", [...own, ...outer], depth - 1)})`;
      case 11:
        return `${column} ${this.pick(["=", "<", ">="])} (${this.subquery("aggregate", [...own, ...outer], depth - 1)})`;
      default:
        return `${column} ${this.pick(["<", "=", "<>"])} ${this.pick(["ANY", "ALL"])} (${this.subquery("column", [...own, ...outer], depth - 1)})`;
    }
  }

  private value(own: readonly Alias[], outer: readonly Alias[], depth: number): string {
    switch (this.next(4)) {
      case 0:
        return `EXISTS (${this.subquery("1", [...own, ...outer], depth - 1)})`;
      case 1:
        return `coalesce(${this.anyColumn(own)}, ${this.anyColumn(own)})`;
      default:
        return `(${this.subquery("aggregate", [...own, ...outer], depth - 1)})`;
    }
  }

  private subquery(kind: "1" | "column" | "aggregate", outer: readonly Alias[], depth: number): string {
    const own: Alias[] = [];
    const from = this.fromClause(own, outer);
    // Mostly correlated by an equality, which is what the rules look for.
    const link = this.next(4) === 0 ? "" : `${this.anyColumn(own)} = ${this.anyColumn(outer)}`;
    const rest = this.conditions(own, outer, depth);
    const where = link === "" ? rest : rest === "" ? ` WHERE ${link}` : `${rest} AND ${link}`;
    const column = this.anyColumn(own);
    if (kind === "aggregate") {
      const call = this.pick([
        `count(*)`,
        `count(${column})`,
        `max(${column})`,
        `sum(${column})`,
        `coalesce(min(${column}), 9)`,
      ]);
      return `SELECT ${call} FROM ${from}${where}`;
    }
    const tail = this.pick(["", "", "", "", ` GROUP BY ${column}`, ` GROUP BY ${column} HAVING count(*) > 1`]);
    return `SELECT ${kind === "1" ? (tail === "" ? "1" : column) : column} FROM ${from}${where}${tail}`;
  }
}
