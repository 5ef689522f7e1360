/** md5, sha224, sha256, sha384, sha512. Written out, since the platform's digests are asynchronous. Sources: RFC 1321, FIPS 180-4. */
import { encodeHex } from "../../types/bytea.js";
import { encodeUtf8 } from "../../types/utf8.js";
import { spendWork } from "../../types/work.js";
import type { ScalarFunction } from "../function.js";
import { pure } from "./define.js";

/** What a byte costs, in units of work. */
const unitsOfByte = 4;

/** The message with the 1 bit, zeros, and its length in bits, in whole blocks. */
function padded(message: Uint8Array, block: number, littleEndian: boolean): DataView {
  const lengthBytes = block / 8;
  const size = Math.ceil((message.length + 1 + lengthBytes) / block) * block;
  const bytes = new Uint8Array(size);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  spendWork(unitsOfByte * size);
  view.setBigUint64(littleEndian ? size - lengthBytes : size - 8, BigInt(message.length) * 8n, littleEndian);
  return view;
}

const md5Shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const md5Sines = Int32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));

/** MD5 as 16 bytes. */
function md5(message: Uint8Array): Uint8Array {
  const view = padded(message, 64, true);
  let [a0, b0, c0, d0] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let at = 0; at < view.byteLength; at += 64) {
    let [a, b, c, d] = [a0, b0, c0, d0];
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      let mix: number;
      let word: number;
      if (round === 0) [mix, word] = [(b & c) | (~b & d), i];
      else if (round === 1) [mix, word] = [(d & b) | (~d & c), (5 * i + 1) & 15];
      else if (round === 2) [mix, word] = [b ^ c ^ d, (3 * i + 5) & 15];
      else [mix, word] = [c ^ (b | ~d), (7 * i) & 15];
      const sum = (a + mix + md5Sines[i] + view.getInt32(at + word * 4, true)) | 0;
      const shift = md5Shifts[round * 4 + (i & 3)];
      a = d;
      d = c;
      c = b;
      b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0;
    }
    a0 = (a0 + a) | 0;
    b0 = (b0 + b) | 0;
    c0 = (c0 + c) | 0;
    d0 = (d0 + d) | 0;
  }
  const result = new DataView(new ArrayBuffer(16));
  [a0, b0, c0, d0].forEach((word, i) => {
    result.setInt32(i * 4, word, true);
  });
  return new Uint8Array(result.buffer);
}

/** The first primes, from whose roots SHA-2 takes its constants. */
const primes: number[] = [];
for (let n = 2; primes.length < 80; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);

/** The first 64 bits after the point of the square or cube root of a prime, by whole-number roots. */
function rootFraction(prime: number, degree: 2n | 3n): bigint {
  const target = BigInt(prime) << (64n * degree);
  let low = 0n;
  let high = 1n << 70n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= target) low = middle;
    else high = middle;
  }
  return low & 0xffffffffffffffffn;
}

let constants: { cube: bigint[]; square: bigint[]; words: Int32Array } | undefined;

function shaConstants() {
  if (constants === undefined) {
    const cube = primes.map((prime) => rootFraction(prime, 3n));
    constants = {
      cube,
      square: primes.slice(0, 16).map((prime) => rootFraction(prime, 2n)),
      words: Int32Array.from(cube.slice(0, 64), (fraction) => Number(fraction >> 32n) | 0),
    };
  }
  return constants;
}

/** SHA-256, or SHA-224 with its own start and cut to 28 bytes. */
function sha256(message: Uint8Array, bits: 224 | 256 = 256): Uint8Array {
  const { words, square } = shaConstants();
  const state = new Int32Array(8);
  for (let i = 0; i < 8; i++) state[i] = Number(bits === 256 ? square[i] >> 32n : square[i + 8] & 0xffffffffn) | 0;
  const view = padded(message, 64, false);
  const w = new Int32Array(64);
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + words[i] + w[i]) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      state[i] += word;
    });
  }
  const result = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 8; i++) result.setInt32(i * 4, state[i]);
  return new Uint8Array(result.buffer, 0, bits / 8).slice();
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

const mask64 = 0xffffffffffffffffn;

/** SHA-384 starts from the square roots of the 9th to 16th primes, SHA-512 from those of the first eight. */
function sha512(message: Uint8Array, bits: 384 | 512 = 512): Uint8Array {
  const { cube, square } = shaConstants();
  const state = bits === 512 ? square.slice(0, 8) : square.slice(8, 16);
  const view = padded(message, 128, false);
  const w = new BigUint64Array(80);
  for (let at = 0; at < view.byteLength; at += 128) {
    for (let i = 0; i < 16; i++) w[i] = view.getBigUint64(at + i * 8);
    for (let i = 16; i < 80; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      const s0 = rotate64(x, 1n) ^ rotate64(x, 8n) ^ (x >> 7n);
      const s1 = rotate64(y, 19n) ^ rotate64(y, 61n) ^ (y >> 6n);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i++) {
      const s1 = rotate64(e, 14n) ^ rotate64(e, 18n) ^ rotate64(e, 41n);
      const t1 = h + s1 + ((e & f) ^ (~e & mask64 & g)) + cube[i] + w[i];
      const s0 = rotate64(a, 28n) ^ rotate64(a, 34n) ^ rotate64(a, 39n);
      const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + t1) & mask64;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) & mask64;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      state[i] = (state[i] + word) & mask64;
    });
  }
  const result = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => {
    result.setBigUint64(i * 8, word);
  });
  return new Uint8Array(result.buffer, 0, bits / 8).slice();
}

function rotate64(word: bigint, by: bigint): bigint {
  return ((word >> by) | (word << (64n - by))) & mask64;
}

export const hashFunctions: readonly ScalarFunction[] = [
  pure("md5", ["text"], "text", (text: string) => encodeHex(md5(encodeUtf8(text)))),
  pure("md5", ["bytea"], "text", (bytes: Uint8Array) => encodeHex(md5(bytes))),
  pure("sha224", ["bytea"], "bytea", (bytes: Uint8Array) => sha256(bytes, 224)),
  pure("sha256", ["bytea"], "bytea", (bytes: Uint8Array) => sha256(bytes)),
  pure("sha384", ["bytea"], "bytea", (bytes: Uint8Array) => sha512(bytes, 384)),
  pure("sha512", ["bytea"], "bytea", (bytes: Uint8Array) => sha512(bytes)),
];
