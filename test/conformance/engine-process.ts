/**
 * The process of `engine-host.ts` from outside: a question, an answer within a time, or the end of the process, which is
 * then started anew and given the same database again.
 */
import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import type { HostReply, HostRequest } from "./engine-host.js";
import type { SubjectKind } from "./subject.js";

const script = path.join(import.meta.dirname, "engine-host.ts");

/** Starting takes seconds on a busy machine, and a large setup more. */
const openMs = 180_000;

/** No answer in time, or the process ended by itself. */
export interface Lost {
  readonly kind: "hang" | "crash";
  readonly reason: string;
}

export class EngineProcess {
  private child: ChildProcess | undefined;
  private complaint = "";
  private opened: HostRequest | undefined;

  /** Makes a new database in place of the one before. */
  async open(subject: SubjectKind, setup: readonly string[]): Promise<HostReply | Lost> {
    this.opened = { kind: "open", subject, setup };
    return this.ask(this.opened, openMs);
  }

  async run(sql: string, params: readonly unknown[], timeoutMs: number): Promise<HostReply | Lost> {
    if (this.child === undefined && this.opened !== undefined) {
      const again = await this.ask(this.opened, openMs);
      if (again.kind !== "opened") return again;
    }
    return this.ask({ kind: "run", sql, params }, timeoutMs);
  }

  async close(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined) return;
    child.removeAllListeners();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL"); // it holds nothing but memory
    await ended;
  }

  private async ask(request: HostRequest, timeoutMs: number): Promise<HostReply | Lost> {
    const child = this.child ?? (await this.start());
    const reply = this.next(child, timeoutMs);
    child.send(request);
    const received = await reply;
    if (received.kind === "hang" || received.kind === "crash") await this.close();
    return received;
  }

  private async start(): Promise<ChildProcess> {
    const child = fork(script, [], {
      serialization: "advanced",
      execArgv: ["--import", "tsx", "--max-old-space-size=3072"],
      env: { ...process.env, TZ: "UTC" },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.child = child;
    this.complaint = "";
    child.stderr?.on("data", (text: Buffer) => {
      this.complaint = `${this.complaint}${text.toString()}`.slice(-2000);
    });
    const first = await this.next(child, openMs);
    if (first.kind === "ready") return child;
    await this.close();
    throw new Error(`the engine's process did not start: ${"reason" in first ? first.reason : first.kind}`);
  }

  private next(child: ChildProcess, timeoutMs: number): Promise<HostReply | Lost> {
    return new Promise((resolve) => {
      const finish = (reply: HostReply | Lost): void => {
        clearTimeout(timer);
        child.removeListener("message", onMessage).removeListener("exit", onExit);
        resolve(reply);
      };
      const onMessage = (reply: HostReply): void => finish(reply);
      const onExit = (code: number | null): void => {
        const said = this.complaint.split("\n").filter((line) => line.trim() !== "" && !/^\s+at /.test(line));
        finish({ kind: "crash", reason: `the process ended (${code}): ${said.slice(0, 3).join(" ").slice(0, 300)}` });
      };
      const timer = setTimeout(() => finish({ kind: "hang", reason: `no answer in ${timeoutMs} ms` }), timeoutMs);
      child.on("message", onMessage).once("exit", onExit);
    });
  }
}
