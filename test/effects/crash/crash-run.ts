/**
 * Kills processes that write, again and again, and holds what the service saw against what the journal says: nothing fired
 * twice, no receipt lost, everything in doubt listed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { type EffectState, isSettled, statusOf, withEntry } from "../../../src/database/journal/effect-state.js";
import type { Journal } from "../../../src/database/journal/journal.js";
import { RecordingService } from "./recording-service.js";

/** Where the processes keep their journal. */
export interface CrashJournal {
  readonly name: string;
  /** Processes at a time. */
  readonly processes: number;
  /** What a child needs to open it. */
  readonly work: { readonly file: string } | { readonly postgres: object };
  /** Opens it from here, when no child has it. */
  open(): Journal;
  /** Milliseconds until a killed process is taken for dead. */
  readonly leaseMs: number;
}

export interface CrashOptions {
  readonly journal: CrashJournal;
  readonly kills: number;
  /** Folder of the built package. */
  readonly dist: string;
  /** Seed of the moments at which processes are killed. */
  readonly seed: number;
}

export interface CrashFigures {
  readonly journal: string;
  readonly kills: number;
  /** Kills before the process had recovered. */
  readonly killsInRecovery: number;
  readonly writes: number;
  readonly requests: number;
  readonly inDoubt: number;
  readonly sentAgain: number;
  readonly settledByHand: number;
  readonly tornLines: number;
  /** Must be empty. */
  readonly violations: readonly string[];
}

interface ReceiptLine {
  readonly idempotencyKey: string;
  readonly status: string;
  readonly resource?: string;
}

interface ChildLine {
  readonly started?: true;
  readonly torn?: true;
  readonly recovered?: readonly ReceiptLine[];
  readonly settled?: string;
  readonly done?: number;
  readonly receipts?: readonly ReceiptLine[];
}

const childScript = path.join(import.meta.dirname, "child.mjs");

export async function crashRun(options: CrashOptions): Promise<CrashFigures> {
  const service = new RecordingService();
  const url = await service.start();
  try {
    return await new CrashRun(options, service, url).run();
  } finally {
    await service.stop();
  }
}

class CrashRun {
  private readonly violations: string[] = [];
  /** Keys that children said have fired. */
  private readonly told = new Set<string>();
  private readonly counts = { kills: 0, killsInRecovery: 0, inDoubt: 0, sentAgain: 0, settled: 0, torn: 0 };
  private readonly random: () => number;
  private children = 0;

  constructor(
    private readonly options: CrashOptions,
    private readonly service: RecordingService,
    private readonly url: string,
  ) {
    this.random = mulberry32(options.seed);
  }

  async run(): Promise<CrashFigures> {
    const { journal, kills } = this.options;
    const workers = Array.from({ length: journal.processes }, (_, i) => new Worker(`w${i + 1}`));
    for (const worker of workers) this.start(worker);
    for (let kill = 0; kill < kills; kill++) {
      const worker = workers[kill % workers.length];
      await this.killAtRandom(worker);
      if (workers.length === 1) await this.checkListed(journal);
      if (kill < kills - 1) this.start(worker);
    }
    for (const worker of workers) await this.end(worker);
    await pause(journal.leaseMs);
    await this.recoverInPeace();
    const states = await this.statesOf(journal);
    this.check(states);
    return this.figures(states);
  }

  private start(worker: Worker, last = false): void {
    const child = `c${++this.children}`;
    const { dist, journal } = this.options;
    const work = { url: this.url, dist, child, worker: worker.name, batch: worker.batch, last, ...journal.work };
    worker.start(
      child,
      spawn(process.execPath, [childScript, JSON.stringify(work)], { stdio: ["ignore", "pipe", "pipe"] }),
    );
    worker.onLine = (line) => this.hear(worker, line);
  }

  private hear(worker: Worker, line: ChildLine): void {
    if (line.torn === true) this.counts.torn += 1;
    for (const { idempotencyKey, status } of line.recovered ?? []) {
      this.counts.inDoubt += 1;
      if (status === "fired") {
        this.counts.sentAgain += 1;
        this.told.add(idempotencyKey);
      }
    }
    if (line.settled !== undefined) this.counts.settled += 1;
    for (const { idempotencyKey, status } of line.receipts ?? []) if (status === "fired") this.told.add(idempotencyKey);
    // A batch with a key is repeated until it is done; one without is never sent again.
    if (line.done !== undefined) worker.batch = line.done + 1;
  }

  /** Mostly while it writes; sometimes while it starts, reads the journal, or recovers. */
  private async killAtRandom(worker: Worker): Promise<void> {
    if (this.random() < 0.15) await pause(this.random() * 400);
    else {
      const writes = 1 + Math.floor(this.random() * 12);
      await Promise.race([this.service.arrived(worker.child, writes), worker.ended()]);
      await pause(this.random() * 12);
    }
    await this.end(worker);
    this.counts.kills += 1;
    if (!worker.hasRecovered) this.counts.killsInRecovery += 1;
    // Its batch may have begun: without a key it is left, with one it is repeated.
    if (worker.hasRecovered && worker.batch % 2 === 1) worker.batch += 1;
  }

  private async end(worker: Worker): Promise<void> {
    const unexpected = await worker.kill();
    if (unexpected !== undefined) this.violations.push(`process ${worker.name} ended by itself: ${unexpected}`);
    await this.service.drained(worker.child);
  }

  /** What arrived and has no outcome is what the next process has to list. */
  private async checkListed(journal: CrashJournal): Promise<void> {
    const states = await this.statesOf(journal);
    for (const { key } of this.service.arrivals) {
      const state = states.get(key);
      if (state === undefined) this.violations.push(`${key} arrived, and the journal has no intent of it`);
      else if (isSettled(state) && statusOf(state) !== "fired")
        this.violations.push(`${key} arrived, and the journal says ${statusOf(state)}`);
    }
  }

  /** A process that is not killed: afterwards nothing is in doubt. */
  private async recoverInPeace(): Promise<void> {
    for (let i = 0; i < 2; i++) {
      const worker = new Worker("last");
      const before = this.counts.inDoubt;
      this.start(worker, true);
      await worker.succeeded();
      if (i === 1 && this.counts.inDoubt > before)
        this.violations.push(`${this.counts.inDoubt - before} writes are in doubt after everything was settled`);
    }
  }

  private async statesOf(journal: CrashJournal): Promise<Map<string, EffectState>> {
    const opened = journal.open();
    const states = new Map<string, EffectState>();
    try {
      for await (const entry of opened.open()) {
        const state = withEntry(states.get(entry.idempotencyKey), entry);
        if (state === undefined) this.violations.push(`${entry.idempotencyKey} has an outcome without an intent`);
        else states.set(entry.idempotencyKey, state);
      }
    } finally {
      await opened.close();
    }
    return states;
  }

  private check(states: ReadonlyMap<string, EffectState>): void {
    const { violations } = this;
    const keysOfRow = new Map<string, Set<string>>();
    const requests = new Map<string, number>();
    for (const { table, key, row } of this.service.arrivals) {
      const count = (requests.get(key) ?? 0) + 1;
      requests.set(key, count);
      if (table === "mail" && count === 2) violations.push(`${key} of a verb that is not idempotent was sent twice`);
      const keys = keysOfRow.get(row) ?? new Set();
      keysOfRow.set(row, keys.add(key));
      if (keys.size === 2) violations.push(`row ${row} was written under two keys`);
      const state = states.get(key);
      if (state === undefined || statusOf(state) !== "fired")
        violations.push(`${key} arrived, and the journal says ${state === undefined ? "nothing" : statusOf(state)}`);
    }
    for (const [key, state] of states) {
      const status = statusOf(state);
      if (status === "fired" && !requests.has(key)) violations.push(`${key} is fired, and never arrived`);
      if (status === "open" || status === "unknown") violations.push(`${key} is still ${status}`);
    }
    for (const key of this.told) {
      const state = states.get(key);
      if (state === undefined || statusOf(state) !== "fired") violations.push(`the receipt of ${key} is lost`);
    }
  }

  private figures(states: ReadonlyMap<string, EffectState>): CrashFigures {
    const { kills, killsInRecovery, inDoubt, sentAgain, settled, torn } = this.counts;
    return {
      journal: this.options.journal.name,
      kills,
      killsInRecovery,
      writes: states.size,
      requests: this.service.arrivals.length,
      inDoubt,
      sentAgain,
      settledByHand: settled,
      tornLines: torn,
      violations: this.violations,
    };
  }
}

/** One process after the other, with what the last one said. */
class Worker {
  batch = 1;
  child = "";
  hasRecovered = false;
  onLine: (line: ChildLine) => void = () => undefined;
  private process: ChildProcess | undefined;
  private errors = "";
  private exit: Promise<unknown> = Promise.resolve();

  constructor(readonly name: string) {}

  start(child: string, process: ChildProcess): void {
    this.child = child;
    this.process = process;
    this.hasRecovered = false;
    this.errors = "";
    process.stderr?.on("data", (chunk) => {
      this.errors += String(chunk);
    });
    const lines = createInterface({ input: process.stdout as NodeJS.ReadableStream });
    lines.on("line", (text) => this.hear(text));
    this.exit = Promise.all([once(process, "exit"), once(lines, "close")]);
  }

  private hear(text: string): void {
    let line: ChildLine;
    try {
      line = JSON.parse(text) as ChildLine;
    } catch {
      return; // killed in the middle of a line
    }
    if (line.recovered !== undefined) this.hasRecovered = true;
    this.onLine(line);
  }

  /** @returns its last words when it had ended before it was killed */
  async kill(): Promise<string | undefined> {
    const process = this.process;
    if (process === undefined) return undefined;
    this.process = undefined;
    process.kill("SIGKILL");
    await this.exit;
    return process.signalCode === "SIGKILL" ? undefined : `exit code ${process.exitCode}: ${this.errors.slice(-2_000)}`;
  }

  /** Resolves when the process has ended, however. */
  async ended(): Promise<void> {
    await this.exit;
  }

  /** @throws Error with its words when it fails */
  async succeeded(): Promise<void> {
    await this.exit;
    if (this.process?.exitCode !== 0) throw new Error(`recovering failed: ${this.errors.slice(-2_000)}`);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A small generator of random numbers: the same seed gives the same numbers. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
