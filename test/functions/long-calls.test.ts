/** Calls that may take long tell of their work while they are at it, so that a time limit ends them in the middle. */
import { expect, test } from "vitest";
import type { Accumulator, AggregateFunction, Callable, ScalarFunction } from "../../src/functions/function.js";
import { functionsNamed, operatorsNamed } from "../../src/functions/registry.js";
import { boundedSession, foldSession } from "../../src/planner/rules/fold-expression.js";
import { parseItem } from "../../src/types/json/jsonb.js";
import { itemText, prettyText } from "../../src/types/json/write.js";
import { types } from "../../src/types/type.js";
import type { Value } from "../../src/types/value.js";
import { spendWork, watchWork } from "../../src/types/work.js";

const session = Object.create(boundedSession(foldSession), { reserveBytes: { value: () => undefined } });

/** Calls the overload of a function with these argument types. */
function call(name: string, argTypes: readonly string[], ...args: unknown[]): Value {
  const found = functionsNamed(name).find((entry) => entry.args.join() === argTypes.join()) as ScalarFunction;
  const site = { argTypes: argTypes.map((type) => types[type as keyof typeof types]), resultType: types.text, session };
  const callable = (found.call ?? found.specialize?.(site)) as Callable;
  return callable(...(args as never[]));
}

function like(text: string, pattern: string): Value {
  const entry = operatorsNamed("~~").find(({ left, right }) => left === "text" && right === "text");
  const site = { argTypes: [types.text, types.text], resultType: types.bool, session };
  const callable = (entry?.call ?? entry?.specialize?.(site)) as Callable;
  return callable(...([text, pattern] as never[]));
}

function collected(count: number): Value {
  const entry = functionsNamed("array_agg").find(({ args }) => args[0] === "anynonarray") as AggregateFunction;
  const accumulator = entry.create({ argTypes: [types.int4], resultType: types.int4, session }) as Accumulator<unknown>;
  let state = accumulator.init();
  for (let i = 0; i < count; i++) state = accumulator.step(state, i);
  return accumulator.final(state);
}

const long = "ab ".repeat(100_000);
const list = `[${"1,".repeat(100_000)}1]`;
const document = parseItem(list);

const calls: readonly { readonly name: string; readonly run: () => unknown }[] = [
  {
    name: "a pattern that matches often",
    run: () => call("regexp_replace", ["text", "text", "text", "text"], long, "(\\w)b", "\\1", "g"),
  },
  {
    name: "a pattern that runs far",
    run: () => call("regexp_replace", ["text", "text", "text"], long, "(a|b| )*[cd]", ""),
  },
  { name: "a plain pattern", run: () => call("regexp_replace", ["text", "text", "text", "text"], long, "b", "x", "g") },
  { name: "LIKE with single characters", run: () => like(long, "%a_c%") },
  { name: "reading a document", run: () => parseItem(list) },
  { name: "writing a document", run: () => itemText(document) },
  { name: "writing a document in lines", run: () => prettyText(document) },
  { name: "a long string of a document", run: () => itemText("x".repeat(100_000)) },
  { name: "replace", run: () => call("replace", ["text", "text", "text"], long, "a", "bb") },
  { name: "translate", run: () => call("translate", ["text", "text", "text"], long, "a", "b") },
  { name: "md5", run: () => call("md5", ["text"], long) },
  { name: "string_to_array", run: () => call("string_to_array", ["text", "text"], long, " ") },
  { name: "length", run: () => call("length", ["text"], "x".repeat(1 << 21)) },
  { name: "array_agg", run: () => collected(200_000) },
];

test.each(calls)("$name", ({ run }) => {
  const over = new Error("time is over");
  const before = watchWork(() => {
    throw over;
  });
  try {
    expect(run).toThrow(over);
  } finally {
    watchWork(before);
  }
  expect(run).not.toThrow();
});

test("short work is not worth a look", () => {
  let looks = 0;
  const before = watchWork(() => looks++);
  try {
    spendWork(1 << 20); // whatever was spent before
    expect(looks).toBe(1);
    for (let i = 0; i < 100; i++) spendWork(100);
    expect(looks).toBe(1);
    for (let i = 0; i < 400; i++) spendWork(100);
    expect(looks).toBe(2);
  } finally {
    watchWork(before);
  }
});

test.each([
  { text: "aXbXc", from: "X", to: "--" },
  { text: "X".repeat(9000), from: "X", to: "" },
  { text: "ab".repeat(50_000), from: "ab", to: "c" },
  { text: `${"a".repeat(70_000)}X`, from: "X", to: "yy" },
  { text: `X${"aX".repeat(4095)}${"b".repeat(70_000)}`, from: "X", to: "yy" },
  { text: `${"aaX".repeat(40_000)}a`, from: "aa", to: "" },
])("long texts are replaced as short ones: $#", ({ text, from, to }) => {
  expect(call("replace", ["text", "text", "text"], text, from, to)).toBe(text.split(from).join(to));
});

test.each(["😀", "a😀", "😀b"])("characters of long texts are counted across pieces: %s", (unit) => {
  const text = `x${unit.repeat(600_000)}`;
  expect(call("length", ["text"], text)).toBe([...text].length);
});
