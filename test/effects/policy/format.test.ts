/** The policy's format: what is wrong is named with its way and the nearest right key; what is right is copied and fixed. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readPolicy } from "../../../src/database/policy/door.js";
import { policySchemaText } from "../../../src/database/policy/schema.js";
import { Database, type Policy } from "../../../src/index.js";
import type { JsonSchema } from "../../../src/json-schema/schema.js";
import { problemsOf } from "../../../src/json-schema/validate.js";
import { Recorder } from "../../support/recording.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TypeError);
  return (error as TypeError).message;
}

const create = (policy: unknown) => Database.create({ policy: policy as Policy });

describe("what is wrong with a policy is said when the database is created", () => {
  const hiddenRule = JSON.parse('{ "tables": { "__proto__": { "verb": ["select"] } } }') as unknown;
  const hiddenMask = JSON.parse('{ "tables": { "t": { "mask": { "__proto__": "blur" } } } }') as unknown;
  test.each<[unknown, string]>([
    [{ write: true }, 'policy.write is no key of a policy; perhaps you meant "writes"'],
    [{ writes: "yes" }, 'policy.writes must be true or false, not "yes"'],
    [{ constructor: 1 }, "policy.constructor is no key of a policy; the keys here are: writes, "],
    [{ maxAffectedRows: -1 }, "policy.maxAffectedRows must be at least 0, not -1"],
    [{ maxAffectedRows: 1.5 }, "policy.maxAffectedRows must be a whole number, not 1.5"],
    [{ approvalTimeoutMs: 0 }, "policy.approvalTimeoutMs must be above 0, not 0"],
    [{ approve: true }, "policy.approve must be a function, not boolean"],
    [
      { tables: { crm: { verbs: ["SELECT"] } } },
      'policy.tables.crm.verbs[0] can\'t be "SELECT"; perhaps you meant "select"',
    ],
    [
      { tables: { "crm_*": { rowfilter: "x" } } },
      'policy.tables["crm_*"].rowfilter is no key of a policy; perhaps you meant "rowFilter"',
    ],
    [
      { tables: { t: { rowFilter: "a = " } } },
      "policy.tables.t.rowFilter is no SQL condition: syntax error at end of input",
    ],
    [
      { tables: { t: { rowFilter: "true; DROP TABLE t" } } },
      'policy.tables.t.rowFilter is no SQL condition: syntax error at or near ";"',
    ],
    [
      { tables: { t: { mask: { c: "hidden" } } } },
      'policy.tables.t.mask.c can\'t be "hidden"; possible: "redact", "hash", "null"',
    ],
    [{ tables: { "": { verbs: [] } } }, 'policy.tables[""] is no name'],
    [{ tables: [] }, "policy.tables must be a map of keys and values, not a list"],
    [{ relations: { denied: [] } }, 'policy.relations.denied is no key of a policy; perhaps you meant "deny"'],
    [{ relations: { deny: "x" } }, 'policy.relations.deny must be a list, not "x"'],
    [{ relations: { deny: [""] } }, "policy.relations.deny[0] must not be empty"],
    [{ flows: [{ label: "pii", to: "result", allow: true }] }, "policy.flows[0].allow can't be true; possible: false"],
    [{ flows: [{ label: "pii" }] }, "policy.flows[0].to is missing; write a text"],
    [
      { flows: [{ label: "pii", to: "result", aggregate: { minGroup: 0 } }] },
      "policy.flows[0].aggregate.minGroup must be at least 1, not 0",
    ],
    [{ limits: { row: 1 } }, 'policy.limits.row is no key of a policy; perhaps you meant "rows"'],
    [{ limits: { rows: Number.NaN } }, "policy.limits.rows must be a number, not NaN"],
    [hiddenRule, 'policy.tables.__proto__.verb is no key of a policy; perhaps you meant "verbs"'],
    [hiddenMask, 'policy.tables.t.mask.__proto__ can\'t be "blur"'],
    [JSON.parse('{ "__proto__": { "writes": true } }'), "policy.__proto__ is no key of a policy"],
    ["writes", "policy must be an object, not writes"],
    [[], "policy must be an object, not a list"],
  ])("%j", async (policy, message) => {
    expect(await refusal(create(policy))).toContain(message);
  });

  test("all at once", async () => {
    const message = await refusal(create({ write: true, limits: { row: 1 }, relations: { deny: [1] } }));
    expect(message.split("\n")).toHaveLength(3);
  });
});

test("Infinity takes a bound away", async () => {
  const db = await create({ limits: { rows: Number.POSITIVE_INFINITY }, approvalTimeoutMs: Number.POSITIVE_INFINITY });
  expect((await db.execute("SELECT 1 AS x")).rows).toEqual([{ x: 1 }]);
});

test("the smaller bound of database and policy holds", async () => {
  const of = (own: number, policy: number) =>
    Database.create({ limits: { sqlLength: own }, policy: { limits: { sqlLength: policy } } });
  for (const db of [await of(10, 1_000), await of(1_000, 10)])
    await expect(db.execute("SELECT 1 AS first")).rejects.toMatchObject({ code: "54001" });
});

test("a policy that is changed after the database was created changes nothing", async () => {
  const recorder = new Recorder();
  const policy = { relations: { deny: ["vault"] }, tables: { notes: { verbs: ["select" as const] } } };
  const db = await Database.create({ policy });
  db.register(recorder.resource({ name: "vault", columns: [{ name: "k", type: "text" }] }));
  policy.relations.deny.pop();
  await expect(db.execute("SELECT * FROM vault")).rejects.toMatchObject({ code: "42501" });
  expect(recorder.calls).toEqual([]);
});

describe("policies from files", () => {
  const text = [
    "writes: true",
    "tables:",
    "  crm_*:",
    "    verbs: [select, update]",
    "    rowFilter: owner = current_actor()",
    "    mask: { tax_id: redact }",
    "relations:",
    "  deny: ['vault_*']",
    "",
  ].join("\n");
  const expected = {
    writes: true,
    tables: {
      "crm_*": { verbs: ["select", "update"], rowFilter: "owner = current_actor()", mask: { tax_id: "redact" } },
    },
    relations: { deny: ["vault_*"] },
  };

  test("YAML, JSON and data are the same, and can't be changed", async () => {
    const policies = [await readPolicy(text), await readPolicy(JSON.stringify(expected)), await readPolicy(expected)];
    for (const policy of policies) {
      expect(policy).toEqual(expected);
      expect(Object.isFrozen(policy.tables?.["crm_*"].verbs)).toBe(true);
    }
    expect(await readPolicy("")).toEqual({});
  });

  test.each<[string, string]>([
    ["writes: true\nwrties: true", 'p.yaml:2:1: policy.wrties is no key of a policy; perhaps you meant "writes"'],
    [
      "tables:\n  crm:\n    verbs: [selekt]",
      'p.yaml:3:13: policy.tables.crm.verbs[0] can\'t be "selekt"; perhaps you meant "select"',
    ],
    ["tables:\n  a: {}\n  b: {}\n  a: { verbs: [] }", "p.yaml:4:3: not readable: map keys must be unique"],
    ["relations:\n  deny: [a\nwrites: true", "p.yaml:3:1: not readable: "],
    ["tables:\n  t:\n    rowFilter: 'a ='", "p.yaml:3:16: policy.tables.t.rowFilter is no SQL condition"],
    ["tables:\n  __proto__:\n    verb: [select]", "policy.tables.__proto__.verb is no key of a policy"],
    ["approve: yes", "p.yaml:1:1: policy.approve is no key of a policy"],
    ["- a", "p.yaml:1:1: policy must be a map of keys and values, not a list"],
  ])("%j", async (source, message) => {
    expect(await refusal(readPolicy(source, { file: "p.yaml" }))).toContain(message);
  });
});

describe("the published JSON Schema", () => {
  test("is what the format gives (npx vitest run test/effects/policy/format.test.ts -u)", async () => {
    await expect(policySchemaText()).toMatchFileSnapshot(join(root, "policy.schema.json"));
  });

  test("is in the package", async () => {
    const { files, exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      files: string[];
      exports: Record<string, unknown>;
    };
    expect(files).toContain("policy.schema.json");
    expect(exports["./policy.schema.json"]).toBe("./policy.schema.json");
  });

  test("takes and refuses what the checks do", () => {
    const schema = JSON.parse(policySchemaText()) as JsonSchema;
    expect(problemsOf(parse("writes: true\ntables: { a: { verbs: [select] } }"), schema, schema)).toEqual([]);
    expect(problemsOf({ wrties: true }, schema, schema)).not.toEqual([]);
  });
});
