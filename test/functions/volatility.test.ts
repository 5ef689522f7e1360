/**
 * Functions, operators and casts are immutable, stable or volatile as PostgreSQL 15's catalogue has it: what is immutable is
 * worked out before anything runs, and its errors come up though no row is read. The catalogue is recorded in
 * `data/volatility.json`; a running PostgreSQL (SCRATCHPAD_TEST_PG: its port) is asked again.
 */
import { readFileSync } from "node:fs";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { functionNames, functionsNamed, operatorSymbols, operatorsNamed } from "../../src/functions/registry.js";
import { castVolatility } from "../../src/types/casts/volatility.js";
import { findCast } from "../../src/types/casts.js";
import { type TypeName, typeNamed, types } from "../../src/types/type.js";
import { askVolatilities, type Volatilities } from "../support/volatility.js";

const recorded = JSON.parse(readFileSync(new URL("data/volatility.json", import.meta.url), "utf8")) as Volatilities;
const nameOf = (type: TypeName) => typeNamed(type).name;

/** What the library says, for every entry that the catalogue has too: an extension's types are none of it. */
function compared(catalogue: Readonly<Record<string, string>>, entries: readonly (readonly [string, string])[]) {
  const both = entries.filter(([key]) => Object.hasOwn(catalogue, key));
  return { count: both.length, wrong: both.filter(([key, volatility]) => catalogue[key] !== volatility) };
}

test("functions", () => {
  const entries = [...functionNames()].flatMap(functionsNamed).flatMap((entry) => {
    const args = entry.args.map(nameOf);
    const last = args.at(-1);
    // The catalogue has the array of a variadic tail.
    const listed = entry.variadic === true && last !== "any" ? [...args.slice(0, -1), `_${last}`] : args;
    return [[`${entry.name}(${listed.join(", ")})`, entry.volatility] as const];
  });
  const { count, wrong } = compared(recorded.functions, entries);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(500);
});

test("operators", () => {
  const entries = [...operatorSymbols()].flatMap(operatorsNamed).map((entry) => {
    const operands = [...(entry.left === undefined ? [] : [nameOf(entry.left)]), entry.name, nameOf(entry.right)];
    return [operands.join(" "), entry.volatility] as const;
  });
  const { count, wrong } = compared(recorded.operators, entries);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(300);
});

test("casts", () => {
  const { citext, ...others } = types;
  const base = Object.values(others).filter((type) => type.kind === "base");
  const wrong: string[] = [];
  let count = 0;
  for (const source of base) {
    for (const target of base) {
      const path = source === target ? undefined : findCast(source, target);
      // json and jsonb become each other through their text form in PostgreSQL.
      if (path === undefined || path.kind === "relabel") continue;
      const throughText = [recorded.output[source.name], recorded.input[target.name]].includes("stable");
      const wanted = recorded.casts[`${source.name}::${target.name}`] ?? (throughText ? "stable" : "immutable");
      count++;
      if (castVolatility(source, target) !== wanted) wrong.push(`${source.name}::${target.name} is ${wanted}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(200);
});

const port = process.env.SCRATCHPAD_TEST_PG;
if (port !== undefined) {
  describe("PostgreSQL", () => {
    test("has the catalogue that was recorded", async () => {
      const client = new pg.Client({ host: "127.0.0.1", port: Number(port), user: process.env.PGUSER ?? "postgres" });
      await client.connect();
      try {
        const found = await askVolatilities(client, {
          functions: [...functionNames()],
          symbols: [...operatorSymbols()],
          types: Object.values(types).map((type) => type.name),
        });
        expect(found).toEqual(recorded);
      } finally {
        await client.end();
      }
    });
  });
} else {
  console.warn("The catalogue's volatilities are not asked of a server again: SCRATCHPAD_TEST_PG is not set.");
}
