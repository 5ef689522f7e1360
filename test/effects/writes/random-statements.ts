/** Random statements that write to `pair`: every form, over sources that match rows never, once and twice. */

/** A generator of numbers that a seed repeats. */
export class Chance {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((this.state / 0x80000000) * limit);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)];
  }
}

/** One statement; `seed` repeats it. */
export function randomWrite(seed: number): string {
  const chance = new Chance(seed);
  for (let i = 0; i < 4; i++) chance.below(2); // near seeds begin alike
  return new Writer(chance).statement();
}

const sources = [
  "(VALUES (1, 'x', 5), (3, 'n', 6), (2, '', NULL))",
  "(SELECT id::int, coalesce(name, 'x'), qty FROM delta)",
  "(SELECT a, b, v FROM pair)",
  "(SELECT a + 1, b, v FROM pair WHERE v IS NOT NULL)",
  "(SELECT id::int, 'x', qty FROM twice)",
  "(SELECT 1, 'x', 3 WHERE false)",
];

class Writer {
  constructor(private readonly chance: Chance) {}

  statement(): string {
    const { chance } = this;
    const forms = [
      () => `UPDATE pair SET v = ${this.value("pair")} WHERE ${this.condition("pair")}${this.returning("pair")}`,
      () =>
        `UPDATE pair p SET v = s.v, b = p.b || '!' FROM ${this.source()} WHERE p.a = s.a AND p.b = s.b${this.returning("p")}`,
      () =>
        `UPDATE pair SET (v, b) = (SELECT max(qty), pair.b || 'q' FROM delta WHERE id = pair.a) WHERE ${this.condition("pair")}${this.returning("pair")}`,
      () => `DELETE FROM pair WHERE ${this.condition("pair")}${this.returning("pair")}`,
      () => `DELETE FROM pair p USING ${this.source()} WHERE p.a = s.a${this.returning("p")}`,
      () =>
        `INSERT INTO pair SELECT s.a + ${chance.pick([0, 10])}, s.b, s.v FROM ${this.source()} ON CONFLICT (a, b) DO ${this.resolution()}${this.returning("pair")}`,
      () => this.merge(),
      () =>
        `WITH w AS (DELETE FROM item WHERE ${chance.pick(["id < 3", "qty > 0", "name = 'gear'"])} RETURNING id, qty, name) INSERT INTO pair SELECT id::int + 20, name, qty FROM w${this.returning("pair")}`,
      () =>
        `WITH w AS (UPDATE pair SET v = ${this.value("pair")} WHERE ${this.condition("pair")} RETURNING a, v) SELECT a, count(*) AS n, sum(v) AS s FROM w GROUP BY a`,
    ];
    return chance.pick(forms)();
  }

  private source(): string {
    return `${this.chance.pick(sources)} s (a, b, v)`;
  }

  private value(table: string): string {
    return this.chance.pick([
      `${table}.v`,
      `coalesce(${table}.v, 0)`,
      `${table}.v + ${table}.a`,
      "5",
      "NULL",
      "(SELECT max(qty) FROM delta)",
      `(SELECT count(*) FROM twice w WHERE w.id = ${table}.a)`,
      `10 / ${table}.v`,
      `${table}.v * 100000000`,
    ]);
  }

  private condition(table: string): string {
    const { chance } = this;
    const forms = [
      () => `${table}.a = ${chance.pick([1, 2, 3])}`,
      () => `${table}.b = ${chance.pick(["'x'", "'y'", "''", "'z'"])}`,
      () => `${table}.v > ${chance.below(45)}`,
      () => `${table}.v IS NULL`,
      () => `${table}.a IN (SELECT id FROM delta)`,
      () => `(${table}.a, ${table}.b) IN ((1, 'x'), (2, ''))`,
      () => `(${this.condition(table)} OR ${this.condition(table)})`,
      () => `${this.condition(table)} AND ${this.condition(table)}`,
      () => `NOT (${this.condition(table)})`,
    ];
    return chance.pick(forms)();
  }

  private resolution(): string {
    return this.chance.pick([
      "NOTHING",
      "UPDATE SET v = excluded.v",
      "UPDATE SET v = pair.v + excluded.v WHERE pair.v > 5",
      `UPDATE SET v = ${this.value("pair")}`,
    ]);
  }

  private merge(): string {
    const { chance } = this;
    const first = chance.pick([
      "WHEN MATCHED AND p.v > 15 THEN DELETE",
      "WHEN MATCHED AND s.v IS NULL THEN DO NOTHING",
      "",
    ]);
    const last = chance.pick([
      "",
      "WHEN NOT MATCHED THEN INSERT VALUES (s.a, s.b, s.v)",
      "WHEN NOT MATCHED AND s.a > 2 THEN INSERT (b, a) VALUES (s.b, s.a)",
    ]);
    return `MERGE INTO pair p USING ${this.source()} ON p.a = s.a AND p.b = s.b ${first} WHEN MATCHED THEN UPDATE SET v = ${this.value("p")} ${last}`;
  }

  private returning(table: string): string {
    return this.chance.pick([
      "",
      ` RETURNING ${table}.a, ${table}.b, ${table}.v`,
      ` RETURNING ${table}.*`,
      ` RETURNING ${table}.v + 1 AS n`,
    ]);
  }
}
