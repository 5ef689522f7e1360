/** What REPL packages import from `./fns`, and how they call it: names, shapes, and the way the results are used. */
import { expect, test } from "vitest";
import * as fns from "../../src/fns/index.js";

test("every name that glove-js imports is there", () => {
  const exported: Record<string, unknown> = { ...fns };
  const functions = [
    "closest",
    "defineFn",
    "describeFn",
    "discoveryArg",
    "elide",
    "fnFromTool",
    "fnSignature",
    "fnsForServer",
    "hasDiscoveryArg",
    "missingRequired",
    "parseToolData",
    "sampleOne",
    "searchFns",
    "serverSummaries",
    "unknownKeys",
  ];
  for (const name of functions) expect(exported[name], name).toBeTypeOf("function");
  expect(new fns.FnCatalog().list()).toEqual([]);
  expect(fns.DEFAULT_ELIDE).toEqual({ maxItems: 25, maxString: 300, maxDepth: 6 });
});

test("a session's use of them: register, discover, check, call, shorten", async () => {
  const catalog = new fns.FnCatalog();
  catalog.registerAll([
    fns.defineFn({
      name: "github__list_issues",
      input: { type: "object", properties: { state: { enum: ["open", "closed"] } }, required: ["state"] },
      readOnlyHint: true,
      handler: () => Array.from({ length: 30 }, (_, number) => ({ number })),
    }),
  ]);
  const list = catalog.list();
  expect(
    fns.DISCOVERY_BUILTINS.every(({ short, alias, kind }) => short !== "" && alias !== "" && kind.length > 0),
  ).toBe(true);
  expect(fns.serverSummaries(list)[0]).toMatchObject({ name: "github", functionCount: 1 });
  expect(fns.searchFns(list, "issues").map(fns.fnSignature)).toEqual([
    'github__list_issues({ state: "open" | "closed" })',
  ]);
  const [fn] = fns.fnsForServer(list, "github");
  expect(fns.missingRequired(fn, {})).toEqual(["state"]);
  expect(fns.unknownKeys(fn, { stat: 1 })).toEqual([{ key: "stat", hint: "state" }]);
  const answer = await fn.call({ state: "open" }, { signal: undefined, actor: undefined });
  const { value, elided } = fns.elide(answer, { ...fns.DEFAULT_ELIDE, keepHint: "return a count" });
  expect(elided).toBe(true);
  expect(value).toHaveLength(26);
  expect((value as unknown[])[25]).toBe("… 5 more of 30 items; return a count");
  expect(await fns.sampleOne(fn, { ctx: { actor: undefined } })).toBeUndefined();
});
