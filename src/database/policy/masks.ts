/**
 * Masks: what is shown in the place of a column's values. `null` and `redact` show the same for every row, so that not even
 * a NULL is told from a value; `hash` shows the same for equal values, so that they can still be joined and grouped.
 */
import { hashFunctions } from "../../functions/strings/hashes.js";
import type { Expr } from "../../planner/expr.js";
import { encodeHex } from "../../types/bytea.js";
import type { SqlType } from "../../types/type.js";
import { encodeUtf8 } from "../../types/utf8.js";
import type { Value } from "../../types/value.js";
import { redactedText } from "../redacted.js";

/** Of a column; see `TableRule.mask`. */
export type MaskKind = "redact" | "hash" | "null";

/** The mask that shows least first. */
const strictness: readonly MaskKind[] = ["null", "redact", "hash"];

/** Digits of a hash that are shown: 64 bits. */
const hashDigits = 16;

/** A mask of a column of one type. */
export interface Mask {
  readonly kind: MaskKind;
  /** Whether it may show NULL. */
  readonly nullable: boolean;
  /** The value shown for one in memory form. */
  show(value: Value): Value;
}

/** Of two masks on one column the one that shows less. */
export function stricter(a: MaskKind, b: MaskKind): MaskKind {
  return strictness.indexOf(a) <= strictness.indexOf(b) ? a : b;
}

/** Whether `redact` and `hash` can show a text in a column of the type. */
export function isTextLike(type: SqlType): boolean {
  return type.name === "text" || type.name === "varchar";
}

/** @param nullable whether the column may be NULL @param key secret of the hashes */
export function maskOf(kind: MaskKind, type: SqlType, nullable: boolean, key: string): Mask {
  if (kind === "hash") return { kind, nullable, show: (value) => (value === null ? null : hashOf(key, String(value))) };
  const shown = kind === "redact" && isTextLike(type) ? redactedText : null;
  return { kind, nullable: shown === null, show: () => shown };
}

/** The mask over an expression, for the rows that a write returns. */
export function maskedExpr(mask: Mask, input: Expr): Expr {
  if (mask.kind !== "hash") return { kind: "Constant", value: mask.show(null), type: input.type, typmod: -1 };
  return {
    kind: "Call",
    name: "masked",
    args: [input],
    type: input.type,
    volatility: "stable",
    strict: false,
    resolve: () => (value: Value) => mask.show(value),
  };
}

const sha256 = hashFunctions.find((entry) => entry.name === "sha256")?.call as (bytes: Uint8Array) => Uint8Array;

/** The secret is hashed twice with the text, so that a hash can't be carried on to that of a longer text. */
function hashOf(key: string, text: string): string {
  const inner = encodeHex(sha256(encodeUtf8(`${key}\u0000${text}`)));
  return encodeHex(sha256(encodeUtf8(`${key}\u0000${inner}`))).slice(0, hashDigits);
}

/** A secret for the life of one database. */
export function newMaskKey(): string {
  return encodeHex(globalThis.crypto.getRandomValues(new Uint8Array(32)));
}
