/** What the host's own program hands over: a misspelt key is an error that names the nearest one, never a default. */
import { describe, expect, test } from "vitest";
import { Database, type DatabaseOptions, type HostFunction } from "../../src/index.js";

/** What a program without a compiler may pass. */
const options = (given: object) => given as DatabaseOptions;

describe("Database.create()", () => {
  test.each<{ given: object; message: string }>([
    {
      given: { polcy: { writes: true } },
      message: 'Database.create(): there is no key "polcy"; perhaps you meant "policy"',
    },
    { given: { Policy: {} }, message: 'Database.create(): there is no key "Policy"; perhaps you meant "policy"' },
    {
      given: { limits: { timeoutMS: 1 } },
      message: 'Database.create({ limits }): there is no key "timeoutMS"; perhaps you meant "timeoutMs"',
    },
    { given: { limits: 5 }, message: "Database.create({ limits }): the options must be an object" },
    {
      given: { zzzzzzzzzz: 1 },
      message:
        'Database.create(): there is no key "zzzzzzzzzz"; the keys are policy, backend, catalog, actor, limits, journal, audit, functions, now',
    },
    { given: [], message: "Database.create(): the options must be an object" },
  ])("$given", async ({ given, message }) => {
    await expect(Database.create(options(given))).rejects.toThrow(new TypeError(message));
  });

  test("every key that there is passes", async () => {
    const db = await Database.create(
      options({
        policy: {},
        backend: undefined,
        catalog: { tables: [] },
        actor: "ann",
        limits: { rows: 1, bytes: 1e9, timeoutMs: 1e4, callsPerStatement: 1, concurrency: 1, sqlLength: 100, depth: 1 },
        journal: undefined,
        audit: [],
        functions: [],
        now: () => new Date(0),
      }),
    );
    expect((await db.execute("SELECT current_date::text AS d")).rows).toEqual([{ d: "1970-01-01" }]);
  });
});

test("the other calls of the host", async () => {
  const db = await Database.create();
  const wrong = (key: string) => ({ [key]: true }) as object;
  const nearest = (what: string, key: string, near: string) =>
    new TypeError(`${what}: there is no key "${key}"; perhaps you meant "${near}"`);
  expect(() => db.session(wrong("acter"))).toThrow(nearest("session()", "acter", "actor"));
  expect(() => db.session(wrong("allowpartial"))).toThrow(nearest("session()", "allowpartial", "allowPartial"));
  await expect(db.recover(wrong("refires"))).rejects.toThrow(nearest("recover()", "refires", "refire"));
  await expect(db.settle("k", "fired", wrong("reslut"))).rejects.toThrow(nearest("settle()", "reslut", "result"));
  await expect(db.compensate("k", wrong("actr"))).rejects.toThrow(nearest("compensate()", "actr", "actor"));
  expect(() => db.registerAll([], wrong("shema"))).not.toThrow(); // nothing is registered
});

describe("functions of the host", () => {
  const good: HostFunction = { name: "domain_of", arguments: ["text"], returns: "text", call: (text: string) => text };

  test.each<{ given: object; message: string }>([
    {
      given: { volatility: "imutable" },
      message:
        'function "domain_of": volatility must be one of immutable, stable, volatile; perhaps you meant "immutable"',
    },
    {
      given: { volatility: null },
      message: 'function "domain_of": volatility must be one of immutable, stable, volatile',
    },
    { given: { strict: "false" }, message: 'function "domain_of": strict must be true or false' },
    { given: { declassifies: "pii" }, message: 'function "domain_of": declassifies must be an array of labels' },
    { given: { declassifies: [""] }, message: 'function "domain_of": declassifies must be an array of labels' },
    {
      given: { declassify: ["pii"] },
      message: 'function "domain_of": there is no key "declassify"; perhaps you meant "declassifies"',
    },
    { given: { description: 1 }, message: 'function "domain_of": description must be a text' },
    { given: { arguments: "text" }, message: 'function "domain_of": arguments must be an array of type names' },
    { given: { returns: undefined }, message: 'function "domain_of": returns must be the name of a type' },
  ])("$given", async ({ given, message }) => {
    const functions = [{ ...good, ...given } as HostFunction];
    await expect(Database.create({ functions })).rejects.toThrow(new TypeError(message));
  });

  test("what is no function, or no list", async () => {
    await expect(Database.create(options({ functions: [null] }))).rejects.toThrow(
      new TypeError("a function of the host must be an object"),
    );
    await expect(Database.create(options({ functions: good }))).rejects.toThrow(
      new TypeError("functions must be an array of functions of the host"),
    );
  });
});

describe("a limit that bounds nothing", () => {
  test.each([{ rows: "10" }, { rows: Number.NaN }, { bytes: -1 }, { concurrency: null }])("%o", async (limits) => {
    await expect(Database.create({ limits: limits as object })).rejects.toThrow(/must be a number, 0 or more/);
  });

  test("Infinity takes it away, undefined leaves the default", async () => {
    const db = await Database.create({ limits: { rows: Number.POSITIVE_INFINITY, bytes: undefined } as object });
    expect((await db.execute("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });
});
