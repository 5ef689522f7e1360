/** Functions made by `defineFn`: arguments checked and converted, errors, names. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { FnCatalog } from "../../src/fns/catalog.js";
import { defineFn } from "../../src/fns/define-fn.js";
import { fnFromTool } from "../../src/fns/from-tool.js";
import { parseToolData } from "../../src/fns/tool-data.js";

const send = defineFn({
  name: "email__send",
  description: "Sends a mail",
  input: z.object({ to: z.string(), subject: z.string().default("(none)"), at: z.date().optional() }),
  readOnlyHint: false,
  handler: ({ to, subject, at }) => `${to}: ${subject}${at === undefined ? "" : ` at ${at.toISOString()}`}`,
});

const listIssues = defineFn({
  name: "list_issues",
  input: { type: "object", properties: { repo: { type: "string" }, limit: { type: "integer" } }, required: ["repo"] },
  readOnlyHint: true,
  handler: (args) => args,
});

describe("a defined function", () => {
  test("has the Zod schema's JSON form, and gets defaults and conversions", async () => {
    expect(send).toMatchObject({ name: "email__send", description: "Sends a mail", readOnlyHint: false });
    expect(send.inputSchema).toMatchObject({ type: "object", required: ["to"] });
    expect(await send.call({ to: "a@b.c" })).toBe("a@b.c: (none)");
    expect(await send.call({ to: "a", subject: "s", at: new Date(0) })).toBe("a: s at 1970-01-01T00:00:00.000Z");
  });

  test.each([
    {
      name: "missing",
      fn: send,
      args: {},
      message: 'email__send needs a value for "to": email__send({ to: string, subject?: string, at?: string })',
    },
    {
      name: "a slip",
      fn: send,
      args: { to: "a", subjet: "s" },
      message:
        'email__send has no argument "subjet", perhaps you meant "subject": email__send({ to: string, subject?: string, at?: string })',
    },
    {
      name: "wrong type, Zod",
      fn: send,
      args: { to: 5 },
      message: "email__send was called with wrong arguments: to: Invalid input: expected string, received number",
    },
    {
      name: "wrong type, JSON Schema",
      fn: listIssues,
      args: { repo: 5 },
      message: "list_issues was called with wrong arguments: repo must be a string, not 5",
    },
    {
      name: "several",
      fn: listIssues,
      args: { repo: 5, limit: 1.5 },
      message:
        "list_issues was called with wrong arguments: repo must be a string, not 5; limit must be an integer, not 1.5",
    },
    {
      name: "no object",
      fn: listIssues,
      args: ["x"] as never,
      message: "list_issues takes one argument object: list_issues({ repo: string, limit?: number })",
    },
  ])("refuses before the handler runs: $name", async ({ fn, args, message }) => {
    await expect(fn.call(args)).rejects.toThrow(new TypeError(message));
  });

  test("passes signal and actor on, and does not start when stopped", async () => {
    const seen: unknown[] = [];
    const fn = defineFn({ name: "f", handler: (args, ctx) => void seen.push([args, ctx.actor]) });
    await fn.call({ any: 1 }, { actor: "ada" });
    expect(seen).toEqual([[{ any: 1 }, "ada"]]);
    await expect(fn.call({}, { signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow("stopped");
    expect(seen).toHaveLength(1);
  });

  test("a handler that throws rejects the call", async () => {
    const fn = defineFn({
      name: "f",
      handler: () => {
        throw new Error("no luck");
      },
    });
    await expect(fn.call({})).rejects.toThrow("no luck");
  });

  test.each(["", "1st", "a-b", "a b", "ü"])("refuses the name %j", (name) => {
    expect(() => defineFn({ name, handler: () => 1 })).toThrow(TypeError);
  });

  test("a refused name comes with one that would do", () => {
    expect(() => defineFn({ name: "list-issues", handler: () => 1 })).toThrow('try "list_issues"');
  });
});

describe("a tool as a function", () => {
  const calls: unknown[] = [];
  const tool = {
    name: "search-web",
    description: "Searches",
    inputSchema: z.object({ q: z.string(), n: z.int().default(3) }),
    do: async (input: { q: string; n: number }, _display: unknown, _glove: unknown, signal?: AbortSignal) => {
      calls.push([input, signal instanceof AbortSignal]);
      if (input.q === "fail") return { status: "error", data: null, message: "quota used up" };
      if (input.q === "text") return { status: "error", data: "plain words" };
      if (input.q === "odd") return { status: "aborted", data: { at: 1 } };
      return { status: "success", data: JSON.stringify([{ title: input.q, n: input.n }]) };
    },
  };

  test("takes the tool's name as an identifier, its schema and its data, parsed", async () => {
    const fn = fnFromTool(tool);
    expect(fn).toMatchObject({ name: "search_web", description: "Searches" });
    expect(await fn.call({ q: "a" }, { signal: new AbortController().signal })).toEqual([{ title: "a", n: 3 }]);
    expect(calls.at(-1)).toEqual([{ q: "a", n: 3 }, true]);
  });

  test.each([
    { q: "fail", message: "quota used up" },
    { q: "text", message: "plain words" },
    { q: "odd", message: 'tool "search-web" ended with status aborted: {"at":1}' },
  ])("throws what the tool said: $q", async ({ q, message }) => {
    await expect(fnFromTool(tool).call({ q })).rejects.toThrow(new Error(message));
  });

  test("checks arguments before it calls", async () => {
    const before = calls.length;
    await expect(fnFromTool(tool).call({ q: 1 })).rejects.toThrow(TypeError);
    await expect(fnFromTool(tool).call({})).rejects.toThrow('needs a value for "q"');
    expect(calls).toHaveLength(before);
  });

  test("options win: name, hint, parse, server", async () => {
    const fn = fnFromTool(tool, {
      name: "web__search",
      readOnlyHint: true,
      parse: (data) => String(data).length,
      server: "web",
    });
    expect(fn).toMatchObject({ name: "web__search", readOnlyHint: true, server: "web" });
    expect(await fn.call({ q: "a" })).toBe('[{"title":"a","n":3}]'.length);
  });

  test("a plain tool: JSON Schema, call, hints of annotations", async () => {
    const fn = fnFromTool({
      name: "add",
      jsonSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a"] },
      annotations: { readOnlyHint: true },
      call: async ({ a, b }: { a: number; b: number }, ctx: { actor?: string }) => `${a + b} ${ctx.actor}`,
    });
    expect(fn.readOnlyHint).toBe(true);
    expect(await fn.call({ a: 1, b: 2 }, { actor: "ada" })).toBe("3 ada");
    await expect(fn.call({ b: 2 })).rejects.toThrow('needs a value for "a"');
  });

  test("a tool that can't be called, or answers without a status", async () => {
    expect(() => fnFromTool({ name: "x" })).toThrow("neither do() nor call()");
    await expect(fnFromTool({ name: "x", do: async () => 5 }).call({})).rejects.toThrow("without a status");
  });

  test("a tool that asks for permission is not run unasked", async () => {
    const gated = {
      name: "wipe",
      requiresPermission: (input: { all?: boolean }) => input.all === true,
      do: async () => ({ status: "success", data: "done" }),
    };
    expect(await fnFromTool(gated).call({ all: false })).toBe("done");
    await expect(fnFromTool(gated).call({ all: true })).rejects.toThrow("asks for permission");
    expect(await fnFromTool(gated, { skipPermission: true }).call({ all: true })).toBe("done");
  });

  test("a tool that uses the display says so", async () => {
    const fn = fnFromTool({
      name: "ask",
      do: (_input: unknown, display: { pushAndWait(): unknown }) => display.pushAndWait(),
    });
    await expect(fn.call({})).rejects.toThrow('tool "ask" uses the display (pushAndWait)');
  });
});

test.each([
  { data: '{"a":1}', value: { a: 1 } },
  { data: " [1] ", value: [1] },
  { data: "[FILE] a.txt\n[DIR]", value: "[FILE] a.txt\n[DIR]" },
  { data: "007", value: "007" },
  { data: "true", value: "true" },
  {
    data: [
      { type: "text", text: '{"a":' },
      { type: "text", text: "1}" },
    ],
    value: { a: 1 },
  },
  { data: [{ type: "image", data: "" }], value: [{ type: "image", data: "" }] },
  { data: { a: 1 }, value: { a: 1 } },
  { data: [], value: [] },
])("data $data", ({ data, value }) => expect(parseToolData(data)).toEqual(value));

test("a catalog holds a name once", () => {
  const catalog = new FnCatalog([send]).registerAll([listIssues]);
  expect(catalog.names()).toEqual(["email__send", "list_issues"]);
  expect(catalog.list()).toEqual([send, listIssues]);
  expect(catalog.get("email__send")).toBe(send);
  expect(catalog.has("nope")).toBe(false);
  expect(() => catalog.register(send)).toThrow('"email__send" is already registered');
  expect(() => catalog.require("list_isues")).toThrow('perhaps you meant "list_issues"');
  expect(catalog.require("list_issues")).toBe(listIssues);
});

test("a catalog takes all of several, or none", () => {
  const catalog = new FnCatalog([send]);
  expect(() => catalog.registerAll([listIssues, send])).toThrow("already registered");
  expect(catalog.names()).toEqual(["email__send"]);
});
