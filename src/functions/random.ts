/**
 * `random()`, `setseed()` and `gen_random_uuid()`. After `setseed` a session's numbers are those PostgreSQL 15 gives for
 * the seed (xoroshiro128**, seeded through splitmix64); before it they come from the session's own source.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { float8Text } from "../types/float.js";
import type { CallSite, ScalarFunction, SessionContext } from "./function.js";

const mask = 2n ** 64n - 1n;

function rotateLeft(x: bigint, by: bigint): bigint {
  return ((x << by) | (x >> (64n - by))) & mask;
}

/** Fills a state from a seed. */
function* splitMix(seed: bigint): Generator<bigint> {
  let state = seed & mask;
  for (;;) {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let value = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    value = ((value ^ (value >> 27n)) * 0x94d049bb133111ebn) & mask;
    yield value ^ (value >> 31n);
  }
}

function seededNumbers(seed: number): () => number {
  const fill = splitMix(BigInt(Math.trunc((2 ** 52 - 1) * seed)));
  let s0 = fill.next().value as bigint;
  let s1 = fill.next().value as bigint;
  return () => {
    const value = (rotateLeft((s0 * 5n) & mask, 7n) * 9n) & mask;
    const mixed = s1 ^ s0;
    s0 = rotateLeft(s0, 24n) ^ mixed ^ ((mixed << 16n) & mask);
    s1 = rotateLeft(mixed, 37n);
    return Number(value >> 12n) / 2 ** 52;
  };
}

const seeded = new WeakMap<SessionContext, () => number>();

function setSeed({ session }: CallSite) {
  return (seed: number) => {
    if (!(seed >= -1 && seed <= 1)) {
      throw new SqlError(
        sqlstate.invalidParameterValue,
        `setseed parameter ${float8Text(seed)} is out of allowed range [-1,1]`,
      );
    }
    seeded.set(session, seededNumbers(seed));
    return "";
  };
}

export const randomFunctions: readonly ScalarFunction[] = [
  {
    kind: "scalar",
    name: "random",
    args: [],
    returns: "float8",
    volatility: "volatile",
    strict: true,
    specialize:
      ({ session }) =>
      () =>
        (seeded.get(session) ?? session.random)(),
  },
  {
    kind: "scalar",
    name: "setseed",
    args: ["float8"],
    returns: "void",
    volatility: "volatile",
    strict: true,
    specialize: setSeed,
  },
  {
    kind: "scalar",
    name: "gen_random_uuid",
    args: [],
    returns: "uuid",
    volatility: "volatile",
    strict: true,
    call: () => globalThis.crypto.randomUUID(),
  },
];
