/** The syntax tree of a regular expression, and the options that steer how a pattern is read. */
import type { CharacterSet } from "./character-set.js";

/** Options of a pattern: from the flags argument, and from `(?…)` at its start. */
export interface RegexOptions {
  /** `i`: without case. */
  readonly ignoreCase: boolean;
  /** `.` and negated brackets do not match a newline (`n`, `p`). */
  readonly newlineStops: boolean;
  /** `^` and `$` match at lines too (`n`, `w`). */
  readonly lineAnchors: boolean;
  /** `x`: white space and comments in the pattern are skipped. */
  readonly expanded: boolean;
  /** `advanced` (the default), `extended` (`e`, without escapes and lazy quantifiers), or `literal` (`q`). */
  readonly syntax: "advanced" | "extended" | "literal";
}

/** Options of a pattern without flags. */
export const defaultOptions: RegexOptions = {
  ignoreCase: false,
  newlineStops: false,
  lineAnchors: false,
  expanded: false,
  syntax: "advanced",
};

/** Tests of a place in the text that take no character. */
export type Assertion =
  | "text start"
  | "text end"
  | "line start"
  | "line end"
  | "word start"
  | "word end"
  | "word edge"
  | "no word edge";

/** What a quantifier prefers; 0 when it says nothing (`{3}`). */
export type Preference = 0 | 1 | 2;

/** A greedy quantifier. */
export const longer: Preference = 1;

/** A lazy quantifier: `*?`. */
export const shorter: Preference = 2;

/** A node of a pattern. */
export type RegexNode =
  | { readonly kind: "empty" }
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "concat"; readonly items: readonly RegexNode[] }
  | { readonly kind: "alternation"; readonly branches: readonly RegexNode[] }
  /** `max` may be Infinity. `item` is a set or a group. */
  | {
      readonly kind: "repeat";
      readonly item: RegexNode;
      readonly min: number;
      readonly max: number;
      readonly preference: Preference;
    }
  /** Parentheses; `capture` counts from 1, 0 for `(?:…)`. */
  | { readonly kind: "group"; readonly item: RegexNode; readonly capture: number };

/** Matches the empty text. */
export const emptyNode: RegexNode = { kind: "empty" };

/** A sequence, without a wrapper around a single item. */
export function concat(items: readonly RegexNode[]): RegexNode {
  return items.length === 0 ? emptyNode : items.length === 1 ? items[0] : { kind: "concat", items };
}
