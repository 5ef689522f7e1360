/** The loop: worlds, statements, trials; afterwards the failures are made small. */
import pg from "pg";
import { type Category, isFailure, sameFailure } from "./classify.js";
import { appearance, type Example, FailureBook, type FailureKind, type Finding } from "./failures.js";
import { checkOf, Generator, orderOf, type RandomStatement, type Shares, textOf } from "./generator/generator.js";
import type { Oracle } from "./oracle.js";
import { Pair, type Trial } from "./pair.js";
import { reduceStatement, reduceWorld } from "./reduce.js";
import { makeRng } from "./rng.js";
import type { Statement } from "./tree.js";
import { makeWorld, type Profile, type World, worldSql } from "./world.js";

export interface FuzzOptions {
  readonly profile: Profile;
  readonly seed: number;
  /** Statements. */
  readonly count: number;
  readonly shares: Shares;
  /** Statements a world. */
  readonly round: number;
  readonly limitMs: number;
  readonly strict: boolean;
  /** How many failures to make small, at most, and for how long. */
  readonly reduce: number;
  readonly reduceMs: number;
  /** Only statements with a feature whose name contains it. */
  readonly only?: string;
  /** No statements with a feature whose name contains one of them. */
  readonly avoid: readonly string[];
}

export interface FuzzResult {
  readonly options: FuzzOptions;
  readonly statements: number;
  readonly deliberate: number;
  readonly reduced: number;
  readonly milliseconds: number;
  readonly counts: ReadonlyMap<Category, number>;
  /** `category: sub` and how often. */
  readonly subs: ReadonlyMap<string, number>;
  readonly failures: readonly FailureKind[];
  /** Statements meant to be valid that PostgreSQL refused, by its words. */
  readonly rejected: ReadonlyMap<string, { count: number; sql: string }>;
  /** Worlds that the engine could not make. */
  readonly lostWorlds: readonly string[];
}

export async function fuzz(oracle: Oracle, options: FuzzOptions): Promise<FuzzResult> {
  return new Fuzzer(oracle, options).run();
}

class Fuzzer {
  private readonly pair: Pair;
  private readonly counts = new Map<Category, number>();
  private readonly subs = new Map<string, number>();
  private readonly rejected = new Map<string, { count: number; sql: string }>();
  private readonly lostWorlds: string[] = [];
  private readonly findings: Finding[] = [];
  private readonly book = new FailureBook();
  private statements = 0;
  private deliberate = 0;
  private reduced = 0;

  constructor(
    oracle: Oracle,
    private readonly options: FuzzOptions,
  ) {
    this.pair = new Pair(oracle, options.limitMs, options.strict);
  }

  async run(): Promise<FuzzResult> {
    const { options } = this;
    const start = performance.now();
    try {
      for (let round = 0; this.statements < options.count; round++) {
        await this.round((Math.imul(options.seed, 100_003) + round) >>> 0);
        if (this.lostWorlds.length > 50) break;
      }
      const milliseconds = performance.now() - start;
      await this.reduceAll();
      const { statements, deliberate, reduced, counts, subs, rejected, lostWorlds } = this;
      const numbers = { statements, deliberate, reduced, milliseconds };
      return { options, ...numbers, counts, subs, rejected, lostWorlds, failures: this.book.list() };
    } finally {
      await this.pair.close();
    }
  }

  private async round(worldSeed: number): Promise<void> {
    const { options } = this;
    const world = makeWorld(worldSeed, options.profile);
    const failure = await this.pair.load(worldSql(world));
    if (failure !== undefined) {
      this.lostWorlds.push(failure);
      return;
    }
    const generator = new Generator(worldSeed, world, options.profile);
    for (let index = 0; index < options.round && this.statements < options.count; index++) {
      const statement = generator.statement(options.shares);
      if (!this.wanted(statement)) continue;
      const trial = await this.pair.run(statement);
      this.tally(statement, trial);
      if (isFailure(trial.outcome)) {
        this.findings.push({ statement, trial, origin: { seed: options.seed, worldSeed, index } });
      }
    }
  }

  private wanted({ features }: RandomStatement): boolean {
    const { only, avoid } = this.options;
    const has = (part: string): boolean => features.some((feature) => feature.includes(part));
    return (only === undefined || has(only)) && !avoid.some(has);
  }

  private tally(statement: RandomStatement, { outcome, oracle }: Trial): void {
    const { category, sub } = outcome;
    this.statements++;
    this.counts.set(category, (this.counts.get(category) ?? 0) + 1);
    if (sub !== "") this.subs.set(`${category}: ${sub}`, (this.subs.get(`${category}: ${sub}`) ?? 0) + 1);
    if (statement.deliberate !== null) {
      this.deliberate++;
    } else if (oracle.error !== undefined) {
      const key = `${oracle.error.code} ${oracle.error.message.replace(/\d+/g, "N")}`;
      const known = this.rejected.get(key) ?? { count: 0, sql: statement.sql };
      this.rejected.set(key, { ...known, count: known.count + 1 });
    }
  }

  /** Takes failures in turn from every outward kind; what a known one explains is only now and then looked behind. */
  private async reduceAll(): Promise<void> {
    const { reduce, reduceMs, seed } = this.options;
    const until = performance.now() + reduceMs;
    const r = makeRng(seed + 99);
    const queues = new Map<string, Finding[]>();
    for (const finding of this.findings) {
      const key = appearance(finding.trial.outcome);
      queues.set(key, [...(queues.get(key) ?? []), finding]);
    }
    const rest: Finding[] = [];
    for (let live = true; live; ) {
      live = false;
      for (const queue of queues.values()) {
        for (let finding = queue.shift(); finding !== undefined; finding = queue.shift()) {
          const known = this.book.explanation(finding.trial.outcome, finding.statement);
          const skipped = known !== undefined && !r.chance(known.count < 2 ? 0.5 : 0.04);
          const spent = this.reduced >= reduce || performance.now() > until;
          if (spent || skipped || finding.statement.tree.k === "raw") {
            rest.push(finding);
            continue;
          }
          this.reduced++;
          live = true;
          await this.reduceOne(finding);
          break;
        }
      }
    }
    for (const finding of rest) {
      const known = this.book.explanation(finding.trial.outcome, finding.statement);
      if (known !== undefined) known.count++;
      else this.keep(finding);
    }
  }

  /** As it was found. */
  private keep(finding: Finding): void {
    const { statement, trial, origin } = finding;
    const { sql, params, check, order, deliberate } = statement;
    const setup = worldSql(makeWorld(origin.worldSeed, this.options.profile));
    const { note } = trial.outcome;
    const example: Example = { sql, params, check, setup, order, note, deliberate, origin };
    this.book.add(trial.outcome, statement.tree, example, { reduced: false });
  }

  private async reduceOne(finding: Finding): Promise<void> {
    const { statement, trial, origin } = finding;
    const { outcome } = trial;
    const world = makeWorld(origin.worldSeed, this.options.profile);
    const slow = outcome.category === "hang";
    const load = async (changed: World): Promise<boolean> => {
      try {
        return (await this.pair.load(worldSql(changed))) === undefined;
      } catch (error) {
        if (error instanceof pg.DatabaseError) return false; // PostgreSQL itself cannot make it any more
        throw error;
      }
    };
    const attempt = (tree: Statement, style = statement.style): Promise<Trial> =>
      this.pair.run({ ...textOf(tree, style), order: orderOf(tree, style), check: checkOf(tree) });
    if (!(await load(world))) return this.keep(finding);
    // letter case and layout matter rarely, parameters often
    const simpler = [
      { lower: false, layout: "", parameters: false, rowText: false },
      { ...statement.style, lower: false, layout: "", rowText: false },
      { ...statement.style, lower: false, layout: "", parameters: false },
      { ...statement.style, lower: false, layout: "" },
    ] as const;
    let style = statement.style;
    for (const plain of simpler) {
      if (style !== statement.style) break;
      if (sameFailure((await attempt(statement.tree, plain)).outcome, outcome)) style = plain;
    }
    if (!sameFailure((await attempt(statement.tree, style)).outcome, outcome)) return this.keep(finding);
    const fails = async (tree: Statement): Promise<boolean> =>
      sameFailure((await attempt(tree, style)).outcome, outcome);
    const tree = await reduceStatement(statement.tree, fails, { attempts: slow ? 12 : 200, keepConditions: slow });
    const { sql, params } = textOf(tree, style);
    const smaller = async (changed: World): Promise<boolean> => (await load(changed)) && fails(tree);
    const small = await reduceWorld(world, sql, smaller, slow ? 6 : 40);
    await load(small);
    const last = await attempt(tree, style);
    if (!sameFailure(last.outcome, outcome)) return this.keep(finding);
    const { deliberate } = statement;
    const { note } = last.outcome;
    const where = { setup: worldSql(small), order: orderOf(tree, style), check: checkOf(tree) };
    const textual = style.layout === "" ? undefined : `text:${style.layout}`;
    const extra = params.length > 0 ? "parameters" : style.rowText ? "row as text" : textual;
    this.book.add(last.outcome, tree, { sql, params, ...where, note, deliberate, origin }, { reduced: true, extra });
  }
}
