/** Connections to real servers over stdio and HTTP: calls, failures, aborts, closing. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { SqlError } from "../../../src/errors/sql-error.js";
import { connectMcp } from "../../../src/mcp/client/connect.js";
import { commandText, urlText } from "../../../src/mcp/client/failures.js";
import { LastLines } from "../../../src/mcp/client/last-lines.js";
import type { McpServerConnection } from "../../../src/mcp/client/types.js";
import { connectOwn, isAlive, pidOf } from "../../support/mcp.js";
import { type HttpServer, startHttpServer } from "../../support/mcp-servers/http.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
});
async function kept<T extends { close(): Promise<void> }>(pending: Promise<T>): Promise<T> {
  const connection = await pending;
  open.push(connection);
  return connection;
}
const failure = async (pending: Promise<unknown>): Promise<SqlError> => {
  const error = await pending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SqlError);
  return error as SqlError;
};
const namesOf = async (connection: McpServerConnection) => (await connection.listTools()).map((tool) => tool.name);

describe("a server over stdio", () => {
  let connection: McpServerConnection;
  beforeAll(async () => {
    connection = await connectOwn("tools.mjs");
  });
  afterAll(() => connection.close());

  test("lists its tools and answers calls", async () => {
    expect(await namesOf(connection)).toContain("list-issues");
    expect(await connection.callTool("now", {})).toMatchObject({ content: [{ type: "text", text: "12:00" }] });
    expect(await connection.callTool("list-issues", { repo: "a/b", perPage: 1 })).toMatchObject({
      structuredContent: { issues: [{ number: 1, title: "open in a/b" }], total: 2 },
    });
    expect(connection.namespace).toBe("demo");
    expect(connection.instructions).toBe("Tools that behave\nand misbehave.");
    expect(connection.raw).toBeTypeOf("object");
  });

  test("gives a failure that the tool reports as isError", async () => {
    expect(await connection.callTool("fail", { why: "no" })).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "no" }],
    });
  });

  test("a call that the protocol refuses names tool, server and arguments", async () => {
    const error = await failure(connection.callTool("nosuch", { a: 1 }));
    expect(error).toMatchObject({ code: "HV000", message: 'tool "nosuch" of MCP server "demo" failed' });
    expect(error.detail).toMatch(/nosuch not found\nArguments: {"a":1}$/);
  });

  test("an abort ends the call and reaches the server", async () => {
    const controller = new AbortController();
    const pending = failure(connection.callTool("slow", { ms: 30_000 }, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    expect(await pending).toMatchObject({ code: "57014", message: "canceling statement due to user request" });
    expect(await connection.callTool("stopped", {})).toMatchObject({ content: [{ text: "slow" }] });
  });

  test("an abort before the call sends nothing; its own error is passed on", async () => {
    const reason = new SqlError("57014", "canceling statement due to statement timeout");
    expect(await failure(connection.callTool("now", {}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  test("parallel calls get their own answers", async () => {
    const answers = await Promise.all(
      [1, 2, 3].map((n) => connection.callTool("list-issues", { repo: `r${n}`, perPage: 1 })),
    );
    expect(answers.map((answer) => JSON.stringify(answer.structuredContent).match(/in (r\d)/)?.[1])).toEqual([
      "r1",
      "r2",
      "r3",
    ]);
  });
});

describe("the list of tools", () => {
  test("has all pages, and each name once", async () => {
    const connection = await kept(connectOwn("lists.mjs", { env: { MODE: "pages" } }));
    expect(await namesOf(connection)).toEqual(["a1", "a2", "b1", "c1"]);
  });
  test("a cursor that comes twice is an error, not a shorter list", async () => {
    const connection = await kept(connectOwn("lists.mjs", { env: { MODE: "loop" } }));
    expect(await failure(connection.listTools())).toMatchObject({
      code: "HV000",
      detail: 'the list of tools does not end: it gave the cursor "x" twice',
    });
  });
  test("malformed tools are kept as long as they have a name", async () => {
    const connection = await kept(connectOwn("lists.mjs", { env: { MODE: "malformed" } }));
    expect(await namesOf(connection)).toEqual(["good", "bad_ref", "no_schema", "null_schema"]);
    expect(await connection.callTool("bad_ref", { a: 1 })).toMatchObject({ structuredContent: { r: { a: 1 } } });
  });
  test("a server without tools has none", async () => {
    expect(await namesOf(await kept(connectOwn("lists.mjs", { env: { MODE: "none" } })))).toEqual([]);
  });
  test("tools are left out by name or by a filter", async () => {
    const connection = await kept(
      connectOwn("tools.mjs", {
        excludeTools: ["now", "blocks"],
        filterTools: (tool) => tool.annotations?.readOnlyHint === true,
      }),
    );
    expect(await namesOf(connection)).toEqual(["list-issues", "fail", "slow", "stopped"]);
  });
});

describe("a server that is in trouble", () => {
  test("one that dies at once: namespace, command, last lines of stderr", async () => {
    const error = await failure(connectOwn("dies.mjs"));
    expect(error.code).toBe("08001");
    expect(error.message).toMatch(/^cannot connect to MCP server "demo" \(.*dies\.mjs\): /);
    expect(error.detail).toMatch(/^Last lines of its standard error:\nline 10\n[\s\S]*error: GITHUB_TOKEN is not set$/);
    expect(error.hint).toMatch(/by hand/);
  });
  test("a command that does not exist", async () => {
    const error = await failure(
      connectMcp({ namespace: "demo", command: "no-such-command", args: ["--token", "s3cret"] }),
    );
    expect(error).toMatchObject({
      code: "08001",
      hint: "Check that the command is installed and that its path is right.",
    });
    expect(error.message).toContain("no-such-command --token …");
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });
  test("one that dies during a call, and afterwards", async () => {
    const connection = await kept(connectOwn("tools.mjs"));
    const during = await failure(connection.callTool("crash", {}));
    expect(during).toMatchObject({
      code: "08006",
      detail: "Last lines of its standard error:\nfatal: the disk is on fire",
    });
    expect(during.message).toMatch(/^the connection to MCP server "demo" \(.*\) broke during the call$/);
    const after = await failure(connection.callTool("now", {}));
    expect(after.code).toBe("08003");
    expect(after.message).toMatch(/is closed$/);
  });
  test("one that does not answer in time", async () => {
    const slow = await kept(connectOwn("tools.mjs", { timeoutMs: 5000 }));
    expect(await failure(slow.callTool("slow", { ms: 60_000 }))).toMatchObject({
      code: "57014",
      message: 'tool "slow" of MCP server "demo" did not answer within 5000 ms',
    });
  });
  test("a program that is no server", async () => {
    const error = await failure(
      connectMcp({
        namespace: "demo",
        command: process.execPath,
        args: ["-e", "setInterval(() => {}, 1000); process.stdin.resume()"],
        timeoutMs: 400,
      }),
    );
    expect(error).toMatchObject({ code: "08001" });
    expect(error.message).toMatch(/timed out/);
  });
});

describe("closing", () => {
  test("ends the server", async () => {
    const connection = await connectOwn("tools.mjs");
    const pid = pidOf(connection);
    expect(isAlive(pid)).toBe(true);
    await connection.close();
    expect(isAlive(pid)).toBe(false);
    await connection.close();
    expect((await failure(connection.listTools())).code).toBe("08003");
  });
  test("ends a server that does not want to, and that prints what is no message", async () => {
    const connection = await connectOwn("stubborn.mjs");
    const pid = pidOf(connection);
    expect(await connection.callTool("now", {})).toMatchObject({ content: [{ text: "12:00" }] });
    await connection.close();
    expect(isAlive(pid)).toBe(false);
  });
});

describe("a server that speaks only the newest protocol", () => {
  test("over stdio", async () => {
    const connection = await kept(connectOwn("tools.mjs", { env: { MODERN_ONLY: "1" } }));
    expect(await connection.callTool("now", {})).toMatchObject({ content: [{ text: "12:00" }] });
  });
  test("over HTTP", async () => {
    const server = await kept(startHttpServer({ modernOnly: true }));
    const connection = await connectMcp({ namespace: "web", url: server.url });
    expect(await namesOf(connection)).toContain("now");
    await connection.close();
  });
});

describe("a server over streamable HTTP", () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await startHttpServer({ token: "t0k" });
  });
  afterAll(() => server.close());

  test("gets the headers with every request, and answers", async () => {
    const connection = await connectMcp({
      namespace: "web",
      url: server.url,
      headers: { Authorization: "Bearer t0k" },
    });
    expect(await namesOf(connection)).toContain("list-issues");
    expect(await connection.callTool("now", {})).toMatchObject({ content: [{ text: "12:00" }] });
    expect(new Set(server.requests.map((headers) => headers.authorization))).toEqual(new Set(["Bearer t0k"]));
    const pending = failure(connection.callTool("slow", { ms: 30_000 }, { signal: AbortSignal.timeout(50) }));
    expect((await pending).code).toBe("57014");
    await connection.close();
  });
  test("without credentials: the hint says which option takes them", async () => {
    const error = await failure(connectMcp({ namespace: "web", url: `${server.url}?key=s3cret` }));
    expect(error).toMatchObject({
      code: "08001",
      hint: 'Pass the credentials: headers: { Authorization: "Bearer …" }.',
    });
    expect(error.message).not.toContain("s3cret");
  });
  test("nobody there", async () => {
    const gone = await startHttpServer();
    await gone.close();
    const error = await failure(connectMcp({ namespace: "web", url: gone.url }));
    expect(error.message).toMatch(
      /cannot connect to MCP server "web" \(http:\/\/127.0.0.1:\d+\/mcp\): fetch failed \(ECONNREFUSED\)/,
    );
    expect(error.hint).toBe("Check that the address is right and that the server runs.");
  });
});

test.each([
  { options: { namespace: "", command: "x" }, message: "needs a namespace" },
  { options: { namespace: "a" }, message: "needs either a url or a command" },
  { options: { namespace: "a", url: "http://x", command: "x" }, message: "needs either a url or a command" },
])("refuses options that say nothing or too much: $message", async ({ options, message }) => {
  await expect(connectMcp(options)).rejects.toThrow(message);
});

test("without the client package the error names what to install", async () => {
  vi.doMock("@modelcontextprotocol/client", () => {
    throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  });
  vi.resetModules();
  try {
    const fresh = await import("../../../src/mcp/client/connect.js");
    await expect(fresh.connectMcp({ namespace: "a", command: "x" })).rejects.toMatchObject({
      code: "0A000",
      hint: "Install it: npm install @modelcontextprotocol/client",
    });
  } finally {
    vi.doUnmock("@modelcontextprotocol/client");
    vi.resetModules();
  }
});

test.each([
  { args: ["--token", "abc", "dir"], shown: "run --token … dir" },
  { args: ["--api-key=abc", "--verbose"], shown: "run --api-key=… --verbose" },
  { args: ["--token", "--verbose", "a=b"], shown: "run --token --verbose a=b" },
  { args: [], shown: "run" },
])("a command line without its secrets: $shown", ({ args, shown }) => expect(commandText("run", args)).toBe(shown));

test("an address without its secrets", () => {
  expect(urlText(new URL("https://u:p@h.example/mcp?key=1#x"))).toBe("https://h.example/mcp");
});

test("the last lines of a stream that comes in pieces", () => {
  const lines = new LastLines();
  expect(lines.text()).toBe("");
  lines.add("a\nb");
  lines.add("c\n\nd\r\ne");
  expect(lines.text()).toBe("a\nbc\nd\ne");
  lines.add(`${"x\n".repeat(50)}${"y".repeat(1000)}`);
  expect(lines.text().split("\n")).toHaveLength(12);
  expect(lines.text().length).toBeLessThan(400);
});
