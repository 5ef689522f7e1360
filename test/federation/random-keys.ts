/**
 * Random statements in which tables get their required keys from one another: through all kinds of joins, expressions that
 * have a value for NULL, conditions on either side of ON, EXISTS. The same seed makes the same statements.
 */

interface Relation {
  readonly table: string;
  readonly alias: string;
}

const numbers: Readonly<Record<string, readonly string[]>> = {
  note: ["id", "issue_id"],
  pull: ["id", "closes"],
  issue: ["id"],
  comment: ["issue_id"],
  member: ["id"],
  sim: [],
};
const texts: Readonly<Record<string, readonly string[]>> = {
  note: ["body"],
  pull: ["repo", "title", "author"],
  issue: ["repo", "title"],
  comment: ["author", "body"],
  member: ["login"],
  sim: ["principal", "resource"],
};
const starts = ["note", "pull", "issue"];
const others = [...starts, "comment", "comment", "comment", "member", "sim"];
const joins = ["JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"];

export class KeyStatements {
  constructor(private seed: number) {}

  /** One SELECT over two to four of the tables of `data.ts`. */
  next(): string {
    const relations: Relation[] = [{ table: this.pick(starts), alias: "t0" }];
    let from = `${relations[0].table} t0`;
    const count = 2 + this.below(3);
    while (relations.length < count) {
      const joined = { table: this.pick(others), alias: `t${relations.length}` };
      const known = [...relations];
      relations.push(joined);
      const on = [
        this.link(joined, known),
        ...(this.below(5) < 2 ? [this.condition(this.pick([known, relations]))] : []),
      ];
      from += ` ${this.pick(joins)} ${joined.table} ${joined.alias} ON ${on.join(" AND ")}`;
    }
    const where: string[] = [];
    while (this.below(9) < 4) where.push(this.condition(relations));
    if (this.below(10) < 3) where.push(this.exists(relations));
    const filter = where.length === 0 ? "" : ` WHERE ${where.join(" AND ")}`;
    const [first] = relations;
    if (this.below(5) === 0) return `SELECT ${this.text([first])}, count(*) FROM ${from}${filter} GROUP BY 1`;
    return `SELECT ${relations.map((relation) => this.text([relation])).join(", ")}, ${this.number(relations)} FROM ${from}${filter}`;
  }

  /** The equalities that give a joined table its keys. */
  private link({ table, alias }: Relation, known: readonly Relation[]): string {
    if (table === "sim")
      return `${alias}.principal = ${this.textValue(known)} AND ${alias}.resource = ${this.textValue(known)} AND ${alias}.action = 'read'`;
    return `${alias}.${table === "comment" ? "issue_id" : this.pick(numbers[table])} = ${this.value(known)}`;
  }

  private exists(relations: readonly Relation[]): string {
    const inner = { table: "comment", alias: "e" };
    const more = this.below(2) === 0 ? "" : ` AND ${this.condition([...relations, inner])}`;
    return `${this.pick(["", "NOT "])}EXISTS (SELECT 1 FROM comment e WHERE e.issue_id = ${this.value(relations)}${more})`;
  }

  private value(relations: readonly Relation[]): string {
    const [a, b] = [this.number(relations), this.number(relations)];
    return this.pick([
      ...[a, a, a, a, `COALESCE(${a}, 2)`, `COALESCE(${a}, ${b})`, `(${a} - 10)`],
      ...[`CASE WHEN ${a} IS NULL THEN ${b} ELSE ${a} END`, `LEAST(${a}, ${b})`, `NULLIF(${a}, ${b})`],
    ]);
  }

  private textValue(relations: readonly Relation[]): string {
    const [a, b] = [this.text(relations), this.text(relations)];
    return this.pick([a, a, a, `COALESCE(${a}, ${b})`, `COALESCE(${a}, 'ann')`, "'acme/app'"]);
  }

  private condition(relations: readonly Relation[]): string {
    const [a, b] = [this.number(relations), this.number(relations)];
    const [x, y] = [this.text(relations), this.text(relations)];
    return this.pick([
      ...[
        `${a} = 3`,
        `${a} IN (1, 3, 11)`,
        `${a} IS NULL`,
        `${a} IS NOT NULL`,
        `${a} > 2`,
        `${a} <> 3`,
        `NOT (${a} <> 3)`,
      ],
      ...[`${x} IS NULL`, `${x} = 'ann'`, `${x} = 'acme/web'`, `${x} = ${y}`, `${x} IS DISTINCT FROM 'ann'`],
      ...[`${a} = ${b}`, `(${a} = 1 OR ${b} = 3)`, `${a} NOT IN (1, 12)`, `${a} IN (SELECT closes FROM pull)`],
      `${a} = (SELECT min(id) FROM issue WHERE repo = 'acme/web')`,
      `${a} NOT IN (SELECT issue_id FROM note WHERE issue_id IS NOT NULL)`,
    ]);
  }

  private number(relations: readonly Relation[]): string {
    const { table, alias } = this.pick(relations.filter((relation) => numbers[relation.table].length > 0));
    return `${alias}.${this.pick(numbers[table])}`;
  }

  private text(relations: readonly Relation[]): string {
    const { table, alias } = this.pick(relations);
    return `${alias}.${this.pick(texts[table])}`;
  }

  private pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  /** Mulberry32. */
  private below(limit: number): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
}
