/** A service on loopback that remembers every request: what arrived under which key, and from which process. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface Arrival {
  readonly table: string;
  readonly key: string;
  /** Identity of the row: each is to be written once. */
  readonly row: string;
}

export class RecordingService {
  readonly arrivals: Arrival[] = [];
  private readonly sockets = new Map<Socket, string | undefined>();
  private readonly answers = new Map<string, unknown>();
  private readonly counts = new Map<string, number>();
  private waiting: { readonly child: string; readonly count: number; resolve(): void }[] = [];
  private readonly server = createServer((request, response) => {
    this.answer(request).then(
      (body) => response.setHeader("content-type", "application/json").end(JSON.stringify(body)),
      (error) => {
        // The sender was killed in the middle of its request.
        if (!request.destroyed) response.writeHead(500).end(String(error));
      },
    );
  });

  async start(): Promise<string> {
    this.server.on("connection", (socket) => {
      this.sockets.set(socket, undefined);
      socket.on("close", () => this.sockets.delete(socket));
      socket.on("error", () => socket.destroy()); // a killed process resets its connections
    });
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async answer(request: IncomingMessage): Promise<unknown> {
    this.sockets.set(request.socket, String(request.headers["x-child"]));
    const url = new URL(request.url ?? "/", "http://localhost");
    if (request.method === "GET") {
      const key = url.searchParams.get("key");
      return { arrived: this.arrivals.some((arrival) => arrival.key === key) };
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const row = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { id: string };
    const key = String(request.headers["idempotency-key"]);
    this.arrivals.push({ table: url.pathname.slice(1), key, row: row.id });
    this.count(String(request.headers["x-child"]));
    // The work takes its time: a process may die while it waits.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
    const answered = this.answers.get(key) ?? { ...row, number: this.arrivals.length };
    this.answers.set(key, answered);
    return answered;
  }

  private count(child: string): void {
    const count = (this.counts.get(child) ?? 0) + 1;
    this.counts.set(child, count);
    this.waiting = this.waiting.filter((waiter) => {
      const isMet = waiter.child === child && waiter.count <= count;
      if (isMet) waiter.resolve();
      return !isMet;
    });
  }

  /** Resolves when a process has sent so many writes. */
  arrived(child: string, count: number): Promise<void> {
    if ((this.counts.get(child) ?? 0) >= count) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ child, count, resolve }));
  }

  /** Resolves when nothing of a process that has ended is left to arrive. */
  async drained(child: string): Promise<void> {
    while ([...this.sockets.values()].some((owner) => owner === child || owner === undefined))
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
