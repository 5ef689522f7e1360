/** Signatures and descriptions of functions as a model reads them; servers and their functions. */
import { describe, expect, test } from "vitest";
import { missingRequired, unknownKeys } from "../../src/fns/arguments.js";
import { defineFn } from "../../src/fns/define-fn.js";
import { describeFn, fnSignature } from "../../src/fns/describe.js";
import { DISCOVERY_BUILTIN_NAMES, DISCOVERY_BUILTINS, discoveryArg, hasDiscoveryArg } from "../../src/fns/discovery.js";
import { DEFAULT_ELIDE, elide } from "../../src/fns/elide.js";
import { deriveShape, sampleOne, sampleResultShapes } from "../../src/fns/sample.js";
import { searchFns } from "../../src/fns/search.js";
import { fnsForServer, serverFunctionSignatures, serverOf, serverSummaries } from "../../src/fns/servers.js";
import type { ToolFn } from "../../src/fns/tool-fn.js";

const fn = (name: string, extra: Partial<ToolFn> = {}): ToolFn => ({ name, call: async () => null, ...extra });

const pulls = fn("github__list_pull_requests", {
  description: "Lists pull requests of a repository",
  inputSchema: {
    type: "object",
    properties: {
      state: { enum: ["open", "closed"], description: "Which ones" },
      repo: { type: "string" },
      "per-page": { type: "integer" },
    },
    required: ["repo"],
  },
  readOnlyHint: true,
  serverDescription: "Code hosting",
});

describe("signatures", () => {
  test.each<{ fn: ToolFn; signature: string }>([
    {
      fn: pulls,
      signature: 'github__list_pull_requests({ state?: "open" | "closed", repo: string, "per-page"?: number })',
    },
    {
      fn: { ...pulls, resultShape: "{ id: number }[]" },
      signature:
        'github__list_pull_requests({ state?: "open" | "closed", repo: string, "per-page"?: number }): { id: number }[]',
    },
    {
      fn: fn("now", { inputSchema: { type: "object", properties: {}, additionalProperties: false } }),
      signature: "now()",
    },
    { fn: fn("none", { inputSchema: { type: "object" } }), signature: "none()" },
    {
      fn: fn("any", { inputSchema: { type: "object", additionalProperties: true } }),
      signature: "any({ [key: string]: unknown })",
    },
    { fn: fn("whatever"), signature: "whatever(args?: object)" },
  ])("$signature", ({ fn: subject, signature }) => expect(fnSignature(subject)).toBe(signature));

  test("a description lists required arguments first", () => {
    expect(describeFn({ ...pulls, resultShape: "{ id: number }[]" })).toEqual({
      name: "github__list_pull_requests",
      description: "Lists pull requests of a repository",
      params: [
        { name: "repo", type: "string", required: true },
        { name: "state", type: '"open" | "closed"', description: "Which ones", enum: ["open", "closed"] },
        { name: "per-page", type: "number" },
      ],
      readOnlyHint: true,
      returns: "{ id: number }[]",
    });
    expect(describeFn(fn("whatever"))).toEqual({ name: "whatever", params: [], open: true });
  });

  test("argument checks take the function", () => {
    expect(missingRequired(pulls, {})).toEqual(["repo"]);
    expect(unknownKeys(pulls, { repo: "a", stat: 1 })).toEqual([{ key: "stat", hint: "state" }]);
    expect(unknownKeys(fn("whatever"), { x: 1 })).toEqual([]);
  });
});

describe("servers", () => {
  const all = [pulls, fn("github__merge"), fn("now"), fn("slack_post", { server: "Slack" }), fn("__x"), fn("y__")];

  test("a server is what the function says, or stands before __", () => {
    expect(all.map(serverOf)).toEqual(["github", "github", undefined, "Slack", undefined, undefined]);
  });
  test("summaries", () => {
    expect(serverSummaries(all)).toEqual([
      {
        name: "github",
        description: "Code hosting",
        functionCount: 2,
        sample: ["github__list_pull_requests", "github__merge"],
      },
      { name: "local", functionCount: 3, sample: ["now", "__x", "y__"] },
      { name: "Slack", functionCount: 1, sample: ["slack_post"] },
    ]);
  });
  test("functions of one server, in any case", () => {
    expect(fnsForServer(all, "slack").map(({ name }) => name)).toEqual(["slack_post"]);
    expect(fnsForServer(all, "local")).toHaveLength(3);
    expect(fnsForServer(all, "gitlab")).toEqual([]);
    expect(serverFunctionSignatures(all, "Slack")).toEqual(["slack_post(args?: object)"]);
  });
});

describe("search", () => {
  const all = [
    fn("github__createIssue", { description: "Create a new issue in a repository" }),
    pulls,
    fn("linear__list_issues", { description: "Issues of a team" }),
    fn("slack__post_message", { description: "Posts a message to a channel" }),
  ];
  test.each([
    { query: "open pull requests", names: ["github__list_pull_requests"] },
    { query: "list issues", names: ["linear__list_issues", "github__list_pull_requests", "github__createIssue"] },
    { query: "create issue", names: ["github__createIssue", "linear__list_issues"] },
    { query: "mesage", names: ["slack__post_message"] },
    { query: "state", names: ["github__list_pull_requests"] },
    { query: "repositories", names: ["github__createIssue", "github__list_pull_requests"] },
    { query: "quantum", names: [] },
  ])("$query", ({ query, names }) => expect(searchFns(all, query).map(({ name }) => name)).toEqual(names));

  test("limits", () => {
    expect(searchFns(all, "", 2)).toHaveLength(2);
    expect(searchFns(all, "the of", 2)).toHaveLength(2);
    expect(searchFns(all, "list issues", 1)).toHaveLength(1);
  });
});

describe("discovery names", () => {
  test("short names and the tool names as aliases", () => {
    expect(DISCOVERY_BUILTINS.map(({ short, alias, kind, argKey }) => [short, alias, kind, argKey])).toEqual([
      ["search", "search_functions", "search", "query"],
      ["servers", "list_servers", "servers", undefined],
      ["fns", "list_functions", "functions", "server"],
      ["describe", "describe_function", "describe", "name"],
    ]);
    expect(DISCOVERY_BUILTIN_NAMES).toHaveLength(8);
  });
  test.each([
    { raw: "github", text: "github" },
    { raw: { server: "github" }, text: "github" },
    { raw: { name: "github" }, text: "github" },
    { raw: { server: 5 }, text: "5" },
    { raw: { a: "x", b: "y" }, text: "" },
    { raw: { server: { x: 1 } }, text: "" },
    { raw: {}, text: "" },
    { raw: undefined, text: "" },
    { raw: ["github"], text: "" },
  ])("$raw", ({ raw, text }) => {
    expect(discoveryArg(raw, "server")).toBe(text);
    expect(hasDiscoveryArg(raw, "server")).toBe(text !== "");
  });
});

describe("elide", () => {
  class Closure {
    name = "total";
    secret = 1;
  }
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  test.each<{ name: string; value: unknown; options?: object; short: unknown; elided: boolean }>([
    {
      name: "small values stay",
      value: { a: [1, "x", null, true] },
      short: { a: [1, "x", null, true] },
      elided: false,
    },
    {
      name: "long array",
      value: [1, 2, 3],
      options: { maxItems: 2 },
      short: [1, 2, "… 1 more of 3 items"],
      elided: true,
    },
    {
      name: "hint",
      value: [1, 2, 3],
      options: { maxItems: 1, keepHint: "use slice" },
      short: [1, "… 2 more of 3 items; use slice"],
      elided: true,
    },
    { name: "long text", value: "abcdef", options: { maxString: 3 }, short: "abc… (6 characters)", elided: true },
    { name: "no half character", value: "ab😀", options: { maxString: 3 }, short: "ab… (4 characters)", elided: true },
    {
      name: "deep",
      value: { a: { b: [1, 2] } },
      options: { maxDepth: 2 },
      short: { a: { b: "[array of 2]" } },
      elided: true,
    },
    { name: "deep object", value: [{ x: 1, y: 2 }], options: { maxDepth: 1 }, short: ["[object of 2]"], elided: true },
    {
      name: "many properties",
      value: { a: 1, b: 2, c: 3 },
      options: { maxItems: 1 },
      short: { a: 1, b: 2, "…": "1 more of 3 properties" },
      elided: true,
    },
    { name: "circle", value: circle, short: { self: "[circular]" }, elided: true },
    {
      name: "the same object twice is no circle",
      value: [DEFAULT_ELIDE, DEFAULT_ELIDE],
      short: [DEFAULT_ELIDE, DEFAULT_ELIDE],
      elided: false,
    },
    { name: "function", value: function total() {}, short: "[function total]", elided: true },
    { name: "instance", value: new Closure(), short: "[Closure total]", elided: true },
    {
      name: "opaque first",
      value: [new Closure()],
      options: { opaque: (v: unknown) => (v instanceof Closure ? "<fn>" : undefined) },
      short: ["<fn>"],
      elided: false,
    },
    {
      name: "not JSON",
      value: [1n, new Date(0), new Set([1]), new Map([["k", 1]]), /x/g, Number.NaN, new Error("e")],
      short: ["1", "1970-01-01T00:00:00.000Z", [1], { k: 1 }, "/x/g", "NaN", "Error: e"],
      elided: false,
    },
    { name: "toJSON", value: { toJSON: () => ({ a: 1 }) }, short: { a: 1 }, elided: false },
    { name: "bytes", value: new Uint8Array(3), short: "[3 bytes]", elided: true },
    { name: "undefined options are defaults", value: [1], options: { maxItems: undefined }, short: [1], elided: false },
    { name: "undefined", value: undefined, short: undefined, elided: false },
  ])("$name", ({ value, options, short, elided }) => expect(elide(value, options)).toEqual({ value: short, elided }));

  test("a key called __proto__ is data", () => {
    const { value } = elide(JSON.parse('{"__proto__": {"x": 1}}'));
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe("shapes of answers", () => {
  test.each<{ value: unknown; shape: string | undefined }>([
    {
      value: [
        { id: 1, title: "a" },
        { id: 2, title: null, note: "x" },
      ],
      shape: "{ id: number, title: string | null, note?: string }[]",
    },
    {
      value: [{ s: "open" }, { s: "open" }, { s: "closed" }, { s: "closed" }],
      shape: '{ s: "open" | "closed" | string }[]',
    },
    {
      value: [{ s: "two words" }, { s: "two words" }, { s: "two words" }, { s: "two words" }],
      shape: "{ s: string }[]",
    },
    {
      value: { total: 3, items: [{ a: { b: { c: { d: 1 } } } }] },
      shape: "{ total: number, items: { a: { b: object } }[] }",
    },
    { value: [1, "a"], shape: "(string | number)[]" },
    { value: "text", shape: "string" },
    { value: 5, shape: "number" },
    { value: [], shape: undefined },
    { value: null, shape: undefined },
  ])("$shape", ({ value, shape }) => expect(deriveShape(value)).toBe(shape));

  test("a reading function is sampled once, and remembers", async () => {
    let calls = 0;
    const reading = fn("list", { readOnlyHint: true, call: async () => [{ id: ++calls }] });
    expect(await Promise.all([sampleOne(reading), sampleOne(reading)])).toEqual([
      "{ id: number }[]",
      "{ id: number }[]",
    ]);
    expect(await sampleOne(reading)).toBe("{ id: number }[]");
    expect(reading.resultShape).toBe("{ id: number }[]");
    expect(calls).toBe(1);
  });

  test("nothing is called that has effects, says nothing, or needs arguments", async () => {
    let calls = 0;
    const call = async () => ++calls;
    await sampleResultShapes([fn("w", { readOnlyHint: false, call }), fn("u", { call }), { ...pulls, call }]);
    expect(calls).toBe(0);
  });

  test("an empty answer is not asked for again, a failing call is", async () => {
    let empty = 0;
    const nothing = fn("empty", { readOnlyHint: true, call: async () => [][empty++] ?? [] });
    expect([await sampleOne(nothing), await sampleOne(nothing), empty]).toEqual([undefined, undefined, 1]);
    let tries = 0;
    const flaky = fn("flaky", {
      readOnlyHint: true,
      call: async () => {
        if (++tries === 1) throw new Error("down");
        return { ok: true };
      },
    });
    expect([await sampleOne(flaky), await sampleOne(flaky), tries]).toEqual([undefined, "{ ok: boolean }", 2]);
  });

  test("the context reaches the call", async () => {
    const actors: unknown[] = [];
    const reading = fn("who", { readOnlyHint: true, call: async (_args, ctx) => actors.push(ctx?.actor) });
    await sampleOne(reading, { ctx: { actor: "ada" } });
    expect(actors).toEqual(["ada"]);
  });
});

test("a defined function is found and described like any other", () => {
  const defined = defineFn({ name: "time__now", description: "The time", handler: () => 1 });
  expect(searchFns([pulls, defined], "time")).toEqual([defined]);
});
