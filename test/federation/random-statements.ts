/** Random queries over the tables of `narrowing.ts`; a seed always gives the same statement. Each has one answer only. */
import { generator } from "../planner/support/random-tables.js";

export interface RandomStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

export function randomStatement(seed: number): RandomStatement {
  const writer = new Writer(generator(seed));
  return usedParameters(writer.query(2), writer.params);
}

/** Of the alternatives that the writer made only one stands in the text: its parameters are numbered anew. */
function usedParameters(text: string, made: readonly unknown[]): RandomStatement {
  const params: unknown[] = [];
  const sql = text.replaceAll(/\$(\d+)/g, (_, index: string) => {
    params.push(made[Number(index) - 1]);
    return `$${params.length}`;
  });
  return { sql, params };
}

interface Alias {
  readonly name: string;
  readonly table: string;
}

class Writer {
  readonly params: unknown[] = [];
  private count = 0;

  constructor(private readonly next: (below: number) => number) {}

  query(depth: number): string {
    const kind = this.next(9);
    const from: Alias[] = [];
    const clause = kind === 2 ? this.oneTable(from) : this.fromClause(from, [], depth);
    const where = this.where(from, [], depth);
    const ids = from.map((alias, i) => `${alias.name}.id AS i${i}`);
    switch (kind) {
      case 0: {
        const key = this.column(this.pick(from), this.pick(["n", "k", "s", "ok"]));
        const having = this.next(2) === 0 ? ` HAVING ${this.plainCondition(key)}` : "";
        return `SELECT ${key} AS g, count(*) AS c, max(${this.pick(from).name}.n) AS m FROM ${clause}${where} GROUP BY ${this.next(4) === 0 ? `ROLLUP (${key})` : key}${having}`;
      }
      case 1: {
        const key = this.column(this.pick(from), this.pick(["n", "k", "s"]));
        return `SELECT DISTINCT ${key} AS g, ${this.column(this.pick(from), "k")} AS h FROM ${clause}${where}`;
      }
      case 2:
      case 3: {
        // The ids make the order total, so that a limit lets the same rows through everywhere.
        const key = this.column(this.pick(from), this.pick(["n", "k", "s", "id", "at"]));
        const direction = this.pick(["", "", " DESC", " NULLS FIRST", " DESC NULLS LAST"]);
        const order = [`${key}${direction}`, ...from.map((alias) => `${alias.name}.id`)].join(", ");
        const offset = this.next(3) === 0 ? ` OFFSET ${this.next(4)}` : "";
        return `SELECT ${ids.join(", ")}, ${key} AS o FROM ${clause}${where} ORDER BY ${order} LIMIT ${this.next(6)}${offset}`;
      }
      case 4: {
        const value = this.pick(["n", "k", "s"]);
        const [left, right] = [this.simple(value, depth), this.simple(value, depth)];
        const operator = this.pick(["UNION ALL", "UNION", "EXCEPT", "INTERSECT", "UNION ALL"]);
        const outer = this.next(2) === 0 ? ` WHERE ${this.plainCondition(`q.${value}`)}` : "";
        const limit = this.next(3) === 0 ? ` ORDER BY 1${this.pick(["", " DESC"])} LIMIT ${this.next(5)}` : "";
        return `SELECT q.${value} FROM (${left} ${operator} ${right}) q${outer}${limit}`;
      }
      case 5: {
        const column = this.pick(["n", "k", "s"]);
        const alias = this.pick(from).name;
        return `SELECT * FROM (SELECT ${ids.join(", ")}, ${alias}.${column} AS v, count(*) OVER (PARTITION BY ${alias}.${this.pick([column, "k"])}) AS w FROM ${clause}${where}) q WHERE ${this.plainCondition("q.v", column)}`;
      }
      case 6: {
        const column = this.pick(["n", "k", "s", "at"]);
        return `WITH q AS ${this.pick(["", "", "MATERIALIZED "])}(SELECT ${ids.join(", ")}, ${from[0].name}.${column} AS v FROM ${clause}${where}) SELECT x.* FROM q x${this.next(2) === 0 ? " JOIN q y ON x.i0 = y.i0" : ""} WHERE ${this.plainCondition("x.v", column)}`;
      }
      case 7:
        return `SELECT ${ids.join(", ")}, (${this.subquery("aggregate", from, depth - 1)}) AS v FROM ${clause}${where}`;
      default:
        return `SELECT ${ids.join(", ")}, ${this.column(this.pick(from), "s")} AS v FROM ${clause}${where}`;
    }
  }

  private oneTable(into: Alias[]): string {
    const alias = this.alias(true);
    into.push(alias);
    return `${alias.table} ${alias.name}`;
  }

  private simple(column: string, depth: number): string {
    const from: Alias[] = [];
    const clause = this.fromClause(from, [], 0);
    return `SELECT ${from[0].name}.${column} FROM ${clause}${this.where(from, [], depth - 1)}`;
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.next(list.length)];
  }

  private alias(first: boolean): Alias {
    // The tables that need a key come second mostly, where a join gives it one.
    const table = this.pick(first ? ["a", "a", "b", "c", "a", "b", "c", "d", "e"] : ["a", "b", "c", "d", "e"]);
    return { name: `${table}${++this.count}`, table };
  }

  private column(alias: Alias, name: string): string {
    return `${alias.name}.${name}`;
  }

  private fromClause(into: Alias[], outer: readonly Alias[], depth: number): string {
    const first = this.alias(outer.length === 0);
    into.push(first);
    let text = `${first.table} ${first.name}`;
    for (let i = this.next(3); i > 0; i--) {
      const before = [...into];
      const alias = this.alias(false);
      into.push(alias);
      const kind = this.pick(["JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"]);
      text += ` ${kind} ${alias.table} ${alias.name}`;
      if (kind === "CROSS JOIN") continue;
      const column = alias.table === "e" ? "k" : this.pick(["id", "k", "n", "k"]);
      const equality = `${this.column(this.pick(before), this.pick(["k", "n", "id"]))} = ${this.column(alias, column)}`;
      const more = this.next(2) === 0 && kind !== "FULL JOIN" ? ` AND ${this.condition(into, outer, depth - 1)}` : "";
      text += ` ON ${equality}${more}`;
    }
    return text;
  }

  private where(aliases: readonly Alias[], outer: readonly Alias[], depth: number): string {
    const parts = Array.from({ length: this.next(4) }, () => this.condition(aliases, outer, depth));
    // A table that needs a key mostly gets one.
    for (const { name, table } of aliases)
      if ((table === "d" || table === "e") && this.next(3) > 0)
        parts.push(this.pick([`${name}.k = ${this.number()}`, `${name}.k IN (1, 2, 3, ${this.number()})`]));
    return parts.length === 0 ? "" : ` WHERE ${parts.join(" AND ")}`;
  }

  private condition(own: readonly Alias[], outer: readonly Alias[], depth: number): string {
    const all = outer.length > 0 && this.next(3) === 0 ? [...own, ...outer] : own;
    switch (this.next(depth > 0 ? 14 : 9)) {
      case 0:
        return `(${this.condition(own, outer, 0)} OR ${this.condition(own, outer, depth - 1)})`;
      case 1:
        return `NOT (${this.condition(own, outer, depth - 1)})`;
      case 2:
        return `${this.column(this.pick(all), this.pick(["k", "n"]))} ${this.pick(["=", "<", "<>"])} ${this.column(this.pick(all), "n")}`;
      case 9:
      case 10:
        return `${this.pick(["", "NOT "])}EXISTS (${this.subquery("1", [...own, ...outer], depth - 1)})`;
      case 11:
      case 12:
        return `${this.column(this.pick(all), this.pick(["k", "n", "id"]))} ${this.pick(["", "NOT "])}IN (${this.subquery("column", [...own, ...outer], depth - 1)})`;
      case 13:
        return `${this.column(this.pick(all), "n")} ${this.pick(["=", ">", ">=", "<", "<="])} (${this.subquery("aggregate", [...own, ...outer], depth - 1)})`;
      default:
        return this.tableCondition(this.pick(all));
    }
  }

  private tableCondition(alias: Alias): string {
    const column = this.pick(["n", "n", "k", "id", "s", "s", "at", "ok", "doc", "tags"]);
    return this.plainCondition(this.column(alias, column), column);
  }

  /** A condition on a column with values that need no relation; without a type, what fits all types. */
  private plainCondition(column: string, type = column.slice(column.indexOf(".") + 1)): string {
    if (this.next(6) === 0) return `${column} IS ${this.pick(["", "NOT "])}NULL`;
    switch (type) {
      case "n":
      case "k":
      case "id":
        return this.numberCondition(column);
      case "s":
        return this.pick([
          `${column} LIKE ${this.value(this.pick(["b%", "%e", "_ee", "a\\%b", "%"]), "text")}`,
          `${column} ILIKE 'B%'`,
          `${column} NOT LIKE 'b%'`,
          `${column} ${this.pick([">", "<=", "=", "<>"])} ${this.value(this.pick(["ant", "bee", ""]), "text")}`,
          `${column} IN ('ant', 'cat')`,
        ]);
      case "at":
        return this.pick([
          `${column} ${this.pick([">", ">=", "<", "<="])} '2024-03-10T07:30:00+01'`,
          `${column} > date '2024-02-01'`,
          `${column} < ${this.value("2024-03-10T07:30:00Z", "timestamptz")} + interval '1 hour'`,
        ]);
      case "ok":
        return this.pick([column, `NOT ${column}`, `${column} <> false`, `${column} IS TRUE`]);
      case "doc":
        return `${column} @> ${this.pick([`'{"k": 1}'`, `'{"l": [2]}'`, "'[1]'", "'{}'"])}`;
      case "tags":
        return `${column} @> ${this.pick(["'{p}'", "'{}'", "ARRAY['p', 'q']"])}`;
      default:
        return `${column} IS NOT NULL`;
    }
  }

  private numberCondition(column: string): string {
    const operator = this.pick([">", ">=", "<", "<=", "<>", "="]);
    switch (this.next(9)) {
      case 0:
        return `${column} BETWEEN ${this.pick(["", "SYMMETRIC "])}${this.number()} AND ${this.number()}`;
      case 1:
        return `${column} ${this.pick(["", "NOT "])}IN (${this.number()}, ${this.pick([this.number(), this.number(), "NULL"])})`;
      case 2:
        return `${this.number()} ${operator} ${column}`;
      case 3:
        return `${column} ${operator} ${this.pick(["2.5", "3.0", "2.5::float8", "3::float8", "3::smallint", "1 + 1"])}`;
      case 4:
        return `${column} = ANY (ARRAY[${this.number()}, ${this.number()}])`;
      case 5:
        return `${column} ${operator} (SELECT ${this.pick(["min", "max"])}(k) FROM ${this.pick(["a", "b", "c"])})`;
      default:
        return `${column} ${operator} ${this.number()}`;
    }
  }

  private number(): string {
    return this.value(this.next(5), "bigint");
  }

  /** A literal, or a parameter. */
  private value(value: string | number, type: string): string {
    if (this.next(4) > 0)
      return typeof value === "number" ? String(value) : `'${value}'${type === "text" ? "" : `::${type}`}`;
    this.params.push(value);
    return `$${this.params.length}::${type}`;
  }

  private subquery(kind: "1" | "column" | "aggregate", outer: readonly Alias[], depth: number): string {
    const own: Alias[] = [];
    const from = this.fromClause(own, outer, depth);
    const link =
      this.next(4) === 0
        ? ""
        : `${this.column(this.pick(own), this.pick(["k", "id", "k"]))} = ${this.column(this.pick(outer), this.pick(["k", "n", "id"]))}`;
    const rest = this.where(own, outer, depth);
    const where = link === "" ? rest : rest === "" ? ` WHERE ${link}` : `${rest} AND ${link}`;
    const column = this.column(this.pick(own), this.pick(["k", "n", "id"]));
    if (kind === "aggregate")
      return `SELECT ${this.pick([`count(*)`, `max(${column})`, `min(${column})`, `sum(${column})::bigint`])} FROM ${from}${where}`;
    return `SELECT ${kind === "1" ? "1" : column} FROM ${from}${where}`;
  }
}
