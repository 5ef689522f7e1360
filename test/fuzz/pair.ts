/** PostgreSQL and the engine side by side: the same database in both, the same statement to both. */
import { EngineProcess } from "../conformance/engine-process.js";
import { classify, type EngineReply, type Outcome } from "./classify.js";
import type { Oracle, OracleReply } from "./oracle.js";

export interface PairStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly order: readonly number[];
  /** Run after a write, whose effect is then taken back. */
  readonly check: string | null;
}

export interface Trial {
  readonly outcome: Outcome;
  readonly oracle: OracleReply;
  readonly engine: EngineReply;
}

export class Pair {
  private readonly engine = new EngineProcess();

  constructor(
    private readonly oracle: Oracle,
    private readonly limitMs: number,
    private readonly strict: boolean,
  ) {}

  /** The engine's words when it cannot make the tables. @throws Error when PostgreSQL cannot */
  async load(setup: readonly string[]): Promise<string | undefined> {
    await this.oracle.load(setup);
    const opened = await this.engine.open("engine", setup);
    if (opened.kind === "opened") return opened.failures[0];
    return "reason" in opened ? opened.reason : opened.kind;
  }

  async run(statement: PairStatement): Promise<Trial> {
    const { sql, params, order, check } = statement;
    if (check === null) return this.both(sql, params, order);
    await this.both("BEGIN", [], []);
    const write = await this.both(sql, params, order);
    const after = write.outcome.category === "agree" ? await this.both(check, [], []) : write;
    await this.both("ROLLBACK", [], []);
    if (after === write || after.outcome.category === "agree") return write;
    const outcome = { ...after.outcome, sub: `after the write: ${after.outcome.sub}` };
    return { ...after, outcome };
  }

  async close(): Promise<void> {
    await this.engine.close();
  }

  private async both(sql: string, params: readonly unknown[], order: readonly number[]): Promise<Trial> {
    const oracle = await this.oracle.query(sql, params);
    const engine = await this.askEngine(sql, params);
    return { oracle, engine, outcome: classify(oracle, engine, { order, strict: this.strict }) };
  }

  private async askEngine(sql: string, params: readonly unknown[]): Promise<EngineReply> {
    const reply = await this.engine.run(sql, params, this.limitMs);
    switch (reply.kind) {
      case "answered":
      case "refused":
      case "hang":
      case "crash":
        return reply;
      default:
        return { kind: "crash", reason: "reason" in reply ? reply.reason : reply.kind };
    }
  }
}
