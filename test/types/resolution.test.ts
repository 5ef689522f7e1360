/** Overload resolution, common types and casts against what a PostgreSQL 15 server decided from its own catalogue. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SqlError } from "../../src/errors/sql-error.js";
import { castEntries, findCast } from "../../src/types/casts.js";
import { selectCommonType } from "../../src/types/common-type.js";
import { type FunctionCandidate, resolveFunction, resolveOperator } from "../../src/types/resolution.js";
import { arrayOf, enumType, recordType, type SqlType, type TypeName, typeNamed, types } from "../../src/types/type.js";

interface Recorded {
  readonly operators: readonly [name: string, left: string | null, right: string, result: string][];
  readonly procedures: readonly [
    name: string,
    args: string[] | null,
    result: string,
    variadic: boolean,
    defaults: number,
  ][];
  readonly casts: readonly [source: string, target: string, context: string][];
  readonly operands: readonly string[];
  readonly symbols: readonly string[];
  readonly singles: readonly string[];
  readonly calls: readonly [name: string, arity: number][];
  readonly binary: Readonly<Record<string, string>>;
  readonly functions: Readonly<Record<string, string>>;
  readonly common: Readonly<Record<string, string>>;
}

const recorded = JSON.parse(readFileSync(new URL("./data/resolution.json", import.meta.url), "utf8")) as Recorded;

function named(name: string): TypeName {
  return (name.startsWith("_") ? `${name.slice(1)}[]` : name) as TypeName;
}

function type(name: string): SqlType {
  return typeNamed(name as TypeName);
}

/** The result's type, or the SQLSTATE, of what resolution makes of it. */
function outcome(resolve: () => { kind: string; resultType?: SqlType; target?: SqlType }): string {
  try {
    const match = resolve();
    if (match.kind === "none") return "42883";
    if (match.kind === "ambiguous") return "42725";
    return (match.resultType ?? match.target)?.display ?? "";
  } catch (error) {
    if (error instanceof SqlError) return error.code;
    throw error;
  }
}

describe("operators", () => {
  const candidates = recorded.operators.map(([name, left, right, returns]) => ({
    name,
    left: left === null ? undefined : named(left),
    right: named(right),
    returns: named(returns),
  }));
  test.each(recorded.symbols)("%s over all pairs of types", (symbol) => {
    const overloads = candidates.filter(({ name }) => name === symbol);
    const wrong: string[] = [];
    for (const left of recorded.operands) {
      for (const right of recorded.operands) {
        const key = `${left} ${symbol} ${right}`;
        const expected = recorded.binary[key] ?? "42883";
        const actual = outcome(() => resolveOperator(type(left), type(right), overloads));
        if (actual !== expected) wrong.push(`${key}: ${actual}, not ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe("functions", () => {
  const candidates = recorded.procedures.map(([name, args, returns, variadic, defaults]) => {
    const parameters = (args ?? []).map(named);
    if (variadic) parameters.push((parameters.pop() as string).replace("[]", "") as TypeName);
    return {
      name,
      args: parameters,
      returns: named(returns),
      variadic,
      defaults: new Array<null>(defaults).fill(null),
    };
  });
  test.each(recorded.calls)("%s with %i arguments of all types", (name, arity) => {
    const overloads: (FunctionCandidate & { name: string })[] = candidates.filter(
      (candidate) => candidate.name === name,
    );
    const typeOfName = name in types ? types[name as keyof typeof types] : undefined;
    const wrong: string[] = [];
    for (const first of recorded.singles) {
      for (const second of arity === 1 ? [undefined] : recorded.singles) {
        const args = second === undefined ? [first] : [first, second];
        const key = `${name} ${args.join(" ")}`;
        const expected = recorded.functions[key] ?? "42883";
        const actual = outcome(() => resolveFunction(args.map(type), overloads, { typeOfName }));
        if (actual !== expected) wrong.push(`${key}: ${actual}, not ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test("the common type of all pairs of types", () => {
  const wrong: string[] = [];
  for (const [key, expected] of Object.entries(recorded.common)) {
    const [left, right] = key.split(" ").map(type);
    // PostgreSQL looks at ELSE first.
    const actual = outcome(() => ({ kind: "match", resultType: selectCommonType([right, left], "CASE") }));
    if (actual !== expected) wrong.push(`${key}: ${actual}, not ${expected}`);
  }
  expect(wrong).toEqual([]);
});

test("types that do not match are named", () => {
  expect(() => selectCommonType([types.int4, types.text], "CASE")).toThrow(
    expect.objectContaining({ code: "42804", message: "CASE types integer and text cannot be matched" }),
  );
});

describe("casts", () => {
  const contexts: Record<string, string> = { i: "implicit", a: "assignment", e: "explicit" };
  test.each(recorded.casts)("%s to %s is %s", (source, target, context) => {
    expect(findCast(typeNamed(named(source)), typeNamed(named(target)))?.context).toBe(contexts[context]);
  });

  test("the tables have no entry that pg_cast has not", () => {
    const known = new Set(recorded.casts.map(([source, target]) => `${source} ${target}`));
    const extra = castEntries()
      .filter(({ source, target }) => source !== target && source !== "citext" && target !== "citext")
      .map(({ source, target }) => `${source} ${target}`);
    expect(extra.filter((pair) => !known.has(pair))).toEqual([]);
  });

  const mood = enumType("mood", ["sad", "ok"]);
  const other = enumType("other", ["sad", "ok"]);
  const row = recordType([{ name: "a", type: types.int4 }], "t");
  test.each([
    { name: "any type to text", source: types.int4, target: types.text, kind: "io", context: "assignment" },
    { name: "text to any type", source: types.text, target: types.uuid, kind: "io", context: "explicit" },
    { name: "enum to text", source: mood, target: types.text, kind: "io", context: "assignment" },
    { name: "text to enum", source: types.text, target: mood, kind: "io", context: "explicit" },
    { name: "enum to another enum", source: mood, target: other, kind: undefined, context: undefined },
    {
      name: "array elements",
      source: arrayOf(types.int4),
      target: arrayOf(types.int8),
      kind: "array",
      context: "implicit",
    },
    {
      name: "array elements by text",
      source: arrayOf(types.text),
      target: arrayOf(types.int4),
      kind: "array",
      context: "explicit",
    },
    { name: "table row to record", source: row, target: types.record, kind: "relabel", context: "implicit" },
    { name: "record to table row", source: types.record, target: row, kind: "record", context: "implicit" },
    { name: "boolean to bigint", source: types.bool, target: types.int8, kind: undefined, context: undefined },
  ])("$name", ({ source, target, kind, context }) => {
    const path = findCast(source, target);
    expect([path?.kind, path?.context]).toEqual([kind, context]);
  });
});

describe("calls by name, with defaults and variadic", () => {
  const makeInterval: FunctionCandidate = {
    args: ["int4", "int4", "float8"],
    argNames: ["years", "days", "secs"],
    defaults: [0, 0, 0],
    returns: "interval",
  };
  const format: FunctionCandidate = { args: ["text", "any"], variadic: true, returns: "text" };

  test("named arguments find their places, defaults fill the rest", () => {
    const match = resolveFunction([types.int4, types.numeric], [makeInterval], { argNames: ["days", "secs"] });
    expect(match).toMatchObject({
      kind: "match",
      arguments: [
        { kind: "default", value: 0 },
        { kind: "given", index: 0 },
        { kind: "given", index: 1 },
      ],
      argTypes: [types.int4, types.int4, types.float8],
    });
  });
  test.each([
    { name: "an unknown name", argNames: ["hours"] },
    { name: "a place taken twice", argNames: [undefined, "years"] },
  ])("$name does not match", ({ argNames }) => {
    expect(
      resolveFunction(
        argNames.map(() => types.int4),
        [makeInterval],
        { argNames },
      ).kind,
    ).toBe("none");
  });
  test("a variadic tail takes one argument or more", () => {
    const match = resolveFunction([types.text, types.int4, types.bool], [format]);
    expect(match).toMatchObject({ kind: "match", argTypes: [types.text, types.int4, types.bool], spread: false });
    expect(resolveFunction([types.text], [format]).kind).toBe("none");
  });
  test("VARIADIC hands an array over", () => {
    const match = resolveFunction([types.text, arrayOf(types.int4)], [format], { variadic: true });
    expect(match).toMatchObject({ kind: "match", spread: true });
  });
});
