/**
 * What a verb answered, as a receipt shows it and a journal keeps it: JSON that stands for any value, of a bounded size.
 * A service may answer with anything: bigints, objects that refer to themselves, megabytes.
 */
import { encodeHex } from "../../types/bytea.js";
import { Numeric } from "../../types/numeric.js";

/** Characters of JSON that a receipt's result has at most; a larger one is shown as the beginning of its JSON text. */
const maxResultCharacters = 65_536;
const shownCharacters = 2_000;
const maxDepth = 64;

/** An answer as it may be kept. */
export interface SafeResult {
  readonly value: unknown;
  /** Only the beginning is there, as text. */
  readonly truncated: boolean;
}

/** `undefined` stays `undefined`. Never throws. */
export function safeResult(answer: unknown): SafeResult {
  if (answer === undefined) return { value: undefined, truncated: false };
  const budget = { left: maxResultCharacters };
  const value = plain(answer, [], budget);
  if (budget.left >= 0) return { value, truncated: false };
  return { value: `${JSON.stringify(value).slice(0, shownCharacters)}…`, truncated: true };
}

/** Counts what it takes off the budget, and leaves the rest out when nothing is left. */
function plain(value: unknown, within: readonly object[], budget: { left: number }): unknown {
  if (budget.left < 0) return null;
  if (typeof value === "string") return text(value, budget);
  if (typeof value === "bigint") return spend(String(value), 20, budget);
  if (typeof value === "number") return spend(Number.isFinite(value) ? value : String(value), 8, budget);
  if (typeof value === "boolean" || value === null) return spend(value, 5, budget);
  if (typeof value !== "object") return spend(null, 4, budget);
  if (within.includes(value)) return spend("[refers to itself]", 20, budget);
  if (within.length >= maxDepth) return spend("[too deep]", 12, budget);
  try {
    return plainObject(value, [...within, value], budget);
  } catch {
    return spend("[can't be read]", 16, budget); // a getter or toJSON of the service's own object threw
  }
}

function plainObject(value: object, within: readonly object[], budget: { left: number }): unknown {
  if (value instanceof Date) return spend(Number.isNaN(value.getTime()) ? null : value.toISOString(), 26, budget);
  if (value instanceof Uint8Array) return bytesText(value, budget);
  if (value instanceof Numeric) return text(value.toString(), budget);
  if (value instanceof Error) return plain(`${value.name}: ${value.message}`, within, budget);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return plain(toJSON.call(value), within, budget);
  if (value instanceof Map) return plain(Object.fromEntries(value), within, budget);
  if (Array.isArray(value) || value instanceof Set) {
    const items: unknown[] = [];
    for (const item of value) {
      if (budget.left < 0) break;
      budget.left -= 1;
      items.push(plain(item, within, budget));
    }
    return items;
  }
  const fields: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) {
    if (budget.left < 0) break;
    if (item === undefined || typeof item === "function" || typeof item === "symbol") continue;
    budget.left -= key.length + 4;
    fields[key] = plain(item, within, budget);
  }
  return Object.fromEntries(Object.entries(fields));
}

/** A long text is cut where the budget ends: all of it is not shown then anyway. */
function text(value: string, budget: { left: number }): string {
  const shown = value.length > budget.left ? value.slice(0, budget.left) : value;
  return spend(shown, value.length + 2, budget);
}

function bytesText(bytes: Uint8Array, budget: { left: number }): string {
  const shown = bytes.subarray(0, Math.max(0, budget.left));
  budget.left -= bytes.length * 2 + 4;
  return `\\x${encodeHex(shown)}`;
}

function spend<T>(value: T, characters: number, budget: { left: number }): T {
  budget.left -= characters;
  return value;
}
