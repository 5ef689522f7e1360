/**
 * Numbers by value: a Map that never becomes so large that moving it into a larger table (which a Map does at once) would
 * keep the event loop waiting. What comes after the first 200,000 values goes into many Maps, chosen by a rough hash;
 * where all values hash alike, those are one large Map again, which is slow and not wrong.
 */
import type { Value } from "../types/value.js";

const mostInFirst = 200_000;
const shardCount = 64;

export class ValueCodes {
  size = 0;
  private readonly first = new Map<Value, number>();
  private readonly shards: Map<Value, number>[] = [];

  get(value: Value): number | undefined {
    const code = this.first.get(value);
    return code !== undefined || this.shards.length === 0 ? code : this.shards[shardOf(value)].get(value);
  }

  has(value: Value): boolean {
    return this.get(value) !== undefined;
  }

  /** Adds a value that is not there. */
  add(value: Value, code: number): void {
    this.size++;
    if (this.first.size < mostInFirst) {
      this.first.set(value, code);
      return;
    }
    if (this.shards.length === 0) for (let s = 0; s < shardCount; s++) this.shards.push(new Map());
    this.shards[shardOf(value)].set(value, code);
  }
}

/**
 * Hashes are shared out unevenly, the largest shard gets about twice as many as the smallest: Maps of one size would all
 * move into larger tables at the same time.
 */
const hashes = 4096;
const shardOfHash = Uint8Array.from({ length: hashes }, (_, hash) =>
  Math.floor(shardCount * Math.log2(1 + (hash + 0.5) / hashes)),
);

/** The same for values that a Map takes for the same. */
function shardOf(value: Value): number {
  return shardOfHash[hashOf(value) >>> 20];
}

/** 32 bits. Most texts differ at their ends. */
function hashOf(value: Value): number {
  if (typeof value === "string") {
    const { length } = value;
    let hash = length;
    for (let at = Math.max(0, length - 6); at < length; at++) hash = Math.imul(hash ^ value.charCodeAt(at), 0x9e3779b1);
    if (length > 6) hash = Math.imul(hash ^ value.charCodeAt(length >> 1), 0x85ebca6b);
    return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  }
  if (typeof value === "number") return mixed((value | 0) ^ ((value / 0x100000000) | 0) ^ ((value * 0x10000) | 0));
  if (typeof value === "bigint") return mixed(Number(BigInt.asIntN(32, value ^ (value >> 32n))));
  return 0;
}

function mixed(bits: number): number {
  const hash = Math.imul(bits, 0x9e3779b1);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0;
}
