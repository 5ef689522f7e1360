/**
 * Connects to an MCP server, over stdio (we start it) or streamable HTTP, with the official client, which is loaded when
 * it is first needed. Everything that the server answers is taken as it comes: one malformed tool does not hide the
 * others, and whether a result matches its schema is judged where it is used.
 */
import type { Client, StandardSchemaV1, Transport } from "@modelcontextprotocol/client";
import { SqlError } from "../../errors/sql-error.js";
import {
  cannotConnect,
  commandText,
  connectionLost,
  missingClientPackage,
  noAnswer,
  requestFailed,
  type ServerLabel,
  stopped,
  urlText,
} from "./failures.js";
import { LastLines } from "./last-lines.js";
import type { McpServerConnection, McpTool, McpToolResult } from "./types.js";

/** How to reach a server: an address, or a command to start. */
export interface ConnectMcpOptions {
  /** Short name of the server: prefix of tables and functions. */
  namespace: string;
  /** Address of a streamable HTTP endpoint. */
  url?: string | URL;
  /** Program to start; it speaks MCP on its standard input and output. */
  command?: string;
  args?: readonly string[];
  /** Environment of the program, added to a few safe variables (PATH, HOME …) of ours. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** HTTP headers of every request. */
  headers?: Readonly<Record<string, string>>;
  /** Names of tools that are left out. */
  excludeTools?: readonly string[];
  /** Tools for which this is false are left out. */
  filterTools?: (tool: McpTool) => boolean;
  /** How long the greeting and every request may take. Default 60,000. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 60_000;

/** More pages than any server has; a server that never ends its list is an error, not a short list. */
const maxPages = 1000;

/** The JSON-RPC error with which a server refuses our version of the protocol. */
const unsupportedVersionCode = -32022;
const methodNotFoundCode = -32601;

/** Takes every answer; the protocol's own schema would refuse a whole page for one malformed tool. */
const anyAnswer: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "glove-scratchpad", validate: (value) => ({ value }) },
};

/**
 * Connects to a server and waits for its greeting.
 * @throws SqlError 08001 when that fails: it names the server, the command or address, and its last words on stderr;
 *   0A000 when `@modelcontextprotocol/client` is not installed
 */
export async function connectMcp(options: ConnectMcpOptions): Promise<McpServerConnection> {
  checkOptions(options);
  const { Client } = await load(() => import("@modelcontextprotocol/client"));
  const greet = async (mode: "legacy" | "auto"): Promise<Connection> => {
    const link = await openLink(options);
    const client = new Client(
      { name: "glove-scratchpad", version: "0.1.0" },
      { versionNegotiation: { mode }, capabilities: {} },
    );
    const connection = new Connection(options, client, link);
    try {
      await client.connect(link.transport, { timeout: connection.timeoutMs });
      return connection;
    } catch (error) {
      await connection.close();
      // A server that speaks only the newest protocol refuses the classic greeting; asking costs one more start.
      if (mode === "legacy" && refusesVersion(error)) return await greet("auto");
      throw cannotConnect(connection.server, error);
    }
  };
  return await greet("legacy");
}

/** The refusal comes as a protocol error, or over HTTP as the body of a failed request. */
function refusesVersion(error: unknown): boolean {
  if (hasCode(error, unsupportedVersionCode)) return true;
  const data = typeof error === "object" && error !== null && "data" in error ? error.data : undefined;
  const text = typeof data === "object" && data !== null && "text" in data ? data.text : undefined;
  if (typeof text !== "string" || !text.startsWith("{")) return false;
  try {
    return hasCode((JSON.parse(text) as { error?: unknown }).error, unsupportedVersionCode);
  } catch (parseError) {
    if (parseError instanceof SyntaxError) return false;
    throw parseError;
  }
}

function checkOptions(options: ConnectMcpOptions): void {
  if (typeof options.namespace !== "string" || options.namespace === "") {
    throw new TypeError("connectMcp needs a namespace");
  }
  if ((options.url === undefined) === (options.command === undefined)) {
    throw new TypeError(`MCP server "${options.namespace}" needs either a url or a command`);
  }
}

/** Imports a part of the optional client package. */
async function load<T>(importPart: () => Promise<T>): Promise<T> {
  try {
    return await importPart();
  } catch (error) {
    if (isMissingModule(error)) throw missingClientPackage("@modelcontextprotocol/client", error);
    throw error;
  }
}

/** Loaders word it differently, and some wrap the error that says so. */
function isMissingModule(error: unknown): boolean {
  if (hasCode(error, "ERR_MODULE_NOT_FOUND") || hasCode(error, "MODULE_NOT_FOUND")) return true;
  return error instanceof Error && error.cause !== undefined && isMissingModule(error.cause);
}

/** The way to a server, and what is known of it when it breaks. */
interface Link {
  transport: Transport;
  target: string;
  stderr: LastLines;
  /** Process id of a server that we started. */
  pid(): number | null;
}

async function openLink(options: ConnectMcpOptions): Promise<Link> {
  const stderr = new LastLines();
  if (options.command !== undefined) {
    const { StdioClientTransport } = await load(() => import("@modelcontextprotocol/client/stdio"));
    const args = [...(options.args ?? [])];
    const transport = new StdioClientTransport({
      command: options.command,
      args,
      env: options.env === undefined ? undefined : { ...options.env },
      cwd: options.cwd,
      stderr: "pipe",
    });
    transport.stderr?.on("data", (chunk: unknown) => stderr.add(String(chunk)));
    let pid: number | null = null;
    const currentPid = () => {
      // The transport forgets the number as soon as it closes; we still want to see the process end.
      pid = transport.pid ?? pid;
      return pid;
    };
    return { transport, target: commandText(options.command, args), stderr, pid: currentPid };
  }
  const { StreamableHTTPClientTransport } = await load(() => import("@modelcontextprotocol/client"));
  const url = new URL(options.url ?? "");
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: options.headers === undefined ? undefined : { headers: { ...options.headers } },
  });
  return { transport, target: urlText(url), stderr, pid: () => null };
}

class Connection implements McpServerConnection {
  readonly namespace: string;
  readonly timeoutMs: number;
  readonly server: ServerLabel;
  private closed = false;
  private complaint: string | undefined;

  constructor(
    private readonly options: ConnectMcpOptions,
    readonly raw: Client,
    private readonly link: Link,
  ) {
    this.namespace = options.namespace;
    this.timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    this.server = {
      namespace: options.namespace,
      target: link.target,
      lastWords: () => link.stderr.text(),
      complaint: () => this.complaint,
    };
    raw.onclose = () => {
      this.closed = true;
    };
    // Such as a line on standard output that is no message: the next request tells whether it matters.
    raw.onerror = (error) => {
      this.complaint = error.message;
    };
  }

  get instructions(): string | undefined {
    return this.raw.getInstructions();
  }

  async listTools(): Promise<McpTool[]> {
    const tools = new Map<string, McpTool>();
    const cursors = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await this.toolPage(cursor);
      for (const tool of page.tools) if (!tools.has(tool.name)) tools.set(tool.name, tool);
      cursor = page.nextCursor;
      if (cursor !== undefined && cursors.has(cursor))
        throw this.endlessList(`it gave the cursor ${JSON.stringify(cursor)} twice`);
      if (cursor !== undefined) cursors.add(cursor);
      if (cursors.size >= maxPages) throw this.endlessList(`it has more than ${maxPages} pages`);
    } while (cursor !== undefined);
    const excluded = new Set(this.options.excludeTools ?? []);
    const { filterTools } = this.options;
    return [...tools.values()].filter(
      (tool) => !excluded.has(tool.name) && (filterTools === undefined || filterTools(tool)),
    );
  }

  private endlessList(reason: string): SqlError {
    return requestFailed(this.server, "tools/list", new Error(`the list of tools does not end: ${reason}`));
  }

  /** One page; tools without a name, which nobody could call, are dropped. */
  private async toolPage(cursor: string | undefined): Promise<{ tools: McpTool[]; nextCursor?: string }> {
    let page: unknown;
    try {
      page = await this.request("tools/list", cursor === undefined ? {} : { cursor }, "tools/list");
    } catch (error) {
      // A server without tools need not know the method.
      if (cursor === undefined && error instanceof SqlError && hasCode(error.cause, methodNotFoundCode)) {
        return { tools: [] };
      }
      throw error;
    }
    const { tools, nextCursor } = (typeof page === "object" && page !== null ? page : {}) as Record<string, unknown>;
    if (!Array.isArray(tools))
      throw requestFailed(this.server, "tools/list", new Error("the answer holds no list of tools"));
    return {
      tools: tools.filter((tool): tool is McpTool => typeof tool?.name === "string" && tool.name !== ""),
      ...(typeof nextCursor === "string" && nextCursor !== "" && { nextCursor }),
    };
  }

  async callTool(
    name: string,
    args: Record<string, unknown>,
    options: { signal?: AbortSignal } = {},
  ): Promise<McpToolResult> {
    const answer = await this.request(
      "tools/call",
      { name, arguments: args },
      `tool ${JSON.stringify(name)}`,
      options.signal,
    );
    if (typeof answer !== "object" || answer === null) {
      throw requestFailed(this.server, `tool ${JSON.stringify(name)}`, new Error("the answer is no object"), args);
    }
    return answer as McpToolResult;
  }

  /** One request, its failures told apart: stopped by the caller, too slow, connection gone, refused by the server. */
  private async request(
    method: string,
    params: Record<string, unknown>,
    what: string,
    signal?: AbortSignal,
  ): Promise<unknown> {
    if (signal?.aborted) throw stopped(signal);
    if (this.closed) throw connectionLost(this.server, false, undefined);
    try {
      return await this.raw.request({ method, params }, anyAnswer, { timeout: this.timeoutMs, signal });
    } catch (error) {
      if (signal?.aborted) throw stopped(signal);
      if (hasCode(error, "REQUEST_TIMEOUT")) throw noAnswer(this.server, what, this.timeoutMs, error);
      if (hasCode(error, "NOT_CONNECTED")) throw connectionLost(this.server, false, error);
      if (this.closed || hasCode(error, "CONNECTION_CLOSED") || isBrokenPipe(error)) {
        throw connectionLost(this.server, true, error);
      }
      throw requestFailed(this.server, what, error, params.arguments);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const pid = this.link.pid();
    await this.raw.close();
    await this.link.transport.close();
    // What the server wrote before it ended may still be on its way to us.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (pid !== null) await gone(pid);
  }
}

/** Waits, a little, until a process that was told to end has ended. */
async function gone(pid: number): Promise<void> {
  for (let waited = 0; waited < 2000 && isRunning(pid); waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
    throw error;
  }
}

function hasCode(error: unknown, code: string | number): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}

/** `fetch` and pipes report a connection that ended in many ways. */
function isBrokenPipe(error: unknown): boolean {
  if (["EPIPE", "ECONNRESET", "ECONNREFUSED", "UND_ERR_SOCKET"].some((code) => hasCode(error, code))) return true;
  return error instanceof Error && error.cause !== undefined && isBrokenPipe(error.cause);
}
