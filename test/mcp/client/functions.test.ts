/** A server's tools as functions. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fnSignature } from "../../../src/fns/describe.js";
import { serverSummaries } from "../../../src/fns/servers.js";
import type { ToolFn } from "../../../src/fns/tool-fn.js";
import { fnsFromMcp } from "../../../src/mcp/client/functions.js";
import type { McpServerConnection } from "../../../src/mcp/client/types.js";
import { connectOwn, fakeConnection } from "../../support/mcp.js";

describe("functions of a server", () => {
  let connection: McpServerConnection;
  let fns: ToolFn[];
  const fn = (name: string) => fns.find((candidate) => candidate.name === name) as ToolFn;
  beforeAll(async () => {
    connection = await connectOwn("tools.mjs");
    fns = await fnsFromMcp(connection);
  });
  afterAll(() => connection.close());

  test("are named namespace__tool and have signatures with results", () => {
    expect(fns.slice(0, 3).map(fnSignature)).toEqual([
      'demo__list_issues({ repo: string, state?: "open" | "closed", perPage?: number }): { issues: { number: number, title: string, createdAt: string | null }[], total: number }',
      "demo__create_issue({ title: string, labels?: string[], meta?: object }): { id: number, title: string, labels: string }",
      "demo__now()",
    ]);
    expect(fn("demo__list_issues")).toMatchObject({
      readOnlyHint: true,
      description: "Issues of a repository",
      server: "demo",
    });
    expect(serverSummaries(fns)[0]).toMatchObject({
      name: "demo",
      description: "Tools that behave and misbehave.",
      functionCount: 10,
    });
  });

  test("answer with structured content, else with text", async () => {
    expect(await fn("demo__list_issues").call({ repo: "a", perPage: 1 })).toEqual({
      issues: [{ number: 1, title: "open in a", createdAt: "2026-01-02T03:04:05Z" }],
      total: 2,
    });
    expect(await fn("demo__now").call({})).toBe("12:00");
    expect(await fn("demo__blocks").call({})).toBe(
      "see:\n[resource_link demo://a text/plain]\nembedded\n[image image/png 4 characters of base64]",
    );
  });

  test("throw what the tool says, and stop when they are stopped", async () => {
    await expect(fn("demo__fail").call({ why: "no luck" })).rejects.toThrow(new Error("no luck"));
    await expect(fn("demo__slow").call({ ms: 60_000 }, { signal: AbortSignal.timeout(50) })).rejects.toThrow(
      "canceling statement",
    );
    await expect(fn("demo__now").call({}, { signal: AbortSignal.abort(new Error("over")) })).rejects.toThrow("over");
  });
});

test("options: filter, parse, description", async () => {
  const tools = [{ name: "a" }, { name: "b" }, { name: "c" }, { name: "d" }];
  const connection = fakeConnection("x-y", tools, () => ({ content: [{ type: "text", text: "[1]" }] }));
  const fns = await fnsFromMcp(connection, {
    filter: (tool) => ({ a: null, b: "renamed", c: false, d: undefined })[tool.name],
    parse: (data, whole) => [data, whole.content?.length],
    serverDescription: "Letters",
  });
  expect(fns.map(({ name, server, serverDescription }) => [name, server, serverDescription])).toEqual([
    ["renamed", "x-y", "Letters"],
    ["x_y__d", "x-y", "Letters"],
  ]);
  expect(await fns[0].call({})).toEqual(["[1]", 1]);
  expect(await (await fnsFromMcp(connection))[0].call({})).toEqual([1]);
});

test("tools whose names would be the same function", async () => {
  const fns = await fnsFromMcp(fakeConnection("n", [{ name: "a-b" }, { name: "a_b" }]));
  expect(fns[1].name).toBe("n__a_b");
  expect(fns[0].name).toMatch(/^n__a_b_[0-9a-f]{6}$/);
});
