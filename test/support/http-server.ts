/** An HTTP service on loopback with real sockets: it answers as a test says and writes down every request that it got. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived. */
export interface ServedRequest {
  readonly method: string;
  /** Path and query as they were sent: `/repos/a%2Fb?state=open`. */
  readonly target: string;
  /** The path's segments, decoded. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the service answers; `json` or `text` is the body. */
export interface ServedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written by `JSON.stringify`, as `application/json` unless `headers` say otherwise. */
  readonly json?: unknown;
  readonly text?: string | Uint8Array;
  /** `reset`: the connection breaks without an answer; `cut`: after half of the body; `hang`: the body never ends. */
  readonly fault?: "reset" | "cut" | "hang";
}

/** Answers a request; `number` counts from 1. */
export type Answering = (request: ServedRequest, number: number) => ServedAnswer | Promise<ServedAnswer>;

export interface TestServer {
  /** Without a slash at its end: `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly requests: ServedRequest[];
  /** `GET /path?query` of the requests so far; the list is emptied. */
  take(): string[];
  /** From now on it answers so. */
  answer(answering: Answering): void;
  close(): Promise<void>;
}

/** Starts a service on a free port. What `answering` throws is told by a 500 with its words. */
export async function startTestServer(answering: Answering = () => ({ status: 404, json: {} })): Promise<TestServer> {
  const requests: ServedRequest[] = [];
  let current = answering;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const target = incoming.url ?? "/";
    const [path, ...query] = target.split("?");
    const request: ServedRequest = {
      method: incoming.method ?? "GET",
      target,
      segments: path.split("/").slice(1).map(decodeURIComponent),
      query: new URLSearchParams(query.join("?")),
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    requests.push(request);
    try {
      give(response, await current(request, requests.length));
    } catch (error) {
      give(response, { status: 500, json: { message: `the test's service failed: ${String(error)}` } });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    take: () => requests.splice(0).map(({ method, target }) => `${method} ${target}`),
    answer(next) {
      current = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function give(response: ServerResponse, { status = 200, headers = {}, json, text, fault }: ServedAnswer): void {
  if (fault === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const body = Buffer.from(json === undefined ? (text ?? "") : JSON.stringify(json));
  const type = json !== undefined && { "content-type": "application/json" };
  const length = fault === undefined || fault === "cut" ? { "content-length": String(body.length) } : {};
  response.writeHead(status, { ...type, ...(status !== 204 && status !== 304 && length), ...headers });
  if (fault === undefined) {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => {
    if (fault === "cut") setImmediate(() => response.socket?.resetAndDestroy());
  });
}

/** A port of loopback where nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
