/**
 * The SQL/JSON path language as a tree. An expression with accessors (`$.a[*].size()`) is a chain: its first item is
 * where it starts, each following one is applied to what the one before gave.
 */
import type { JsonNumber } from "../item.js";

export type Comparison = "==" | "!=" | "<" | ">" | "<=" | ">=";
export type Arithmetic = "+" | "-" | "*" | "/" | "%";
export type Method = "type" | "size" | "double" | "ceiling" | "floor" | "abs" | "keyvalue";

export type PathItem =
  | { readonly kind: "null" | "root" | "current" | "last" | "any key" | "any array" }
  | { readonly kind: "string" | "variable" | "key"; readonly value: string }
  | { readonly kind: "number"; readonly value: JsonNumber }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "index"; readonly subscripts: readonly PathSubscript[] }
  /** `.**{first to last}`; `Infinity` is `last`. */
  | { readonly kind: "any"; readonly first: number; readonly last: number }
  | { readonly kind: "filter"; readonly predicate: PathChain }
  | { readonly kind: "method"; readonly name: Method }
  | { readonly kind: "datetime"; readonly template?: string }
  | { readonly kind: "arithmetic"; readonly operator: Arithmetic; readonly left: PathChain; readonly right: PathChain }
  | { readonly kind: "sign"; readonly operator: "+" | "-"; readonly operand: PathChain }
  | PathPredicate;

/** What gives true, false or unknown. */
export type PathPredicate =
  | { readonly kind: "and" | "or"; readonly left: PathChain; readonly right: PathChain }
  | { readonly kind: "not" | "exists" | "is unknown"; readonly operand: PathChain }
  | { readonly kind: "comparison"; readonly operator: Comparison; readonly left: PathChain; readonly right: PathChain }
  | { readonly kind: "starts with"; readonly left: PathChain; readonly right: PathChain }
  | { readonly kind: "like_regex"; readonly operand: PathChain; readonly pattern: string; readonly flags: string };

/** `[from]`, or `[from to to]`. */
export interface PathSubscript {
  readonly from: PathChain;
  readonly to?: PathChain;
}

/** Accessors and operators, each applied to what the ones before it gave. */
export type PathChain = readonly PathItem[];

const predicates = new Set(["and", "or", "not", "exists", "is unknown", "comparison", "starts with", "like_regex"]);

/** Whether an item is a predicate, which can stand in a filter. */
export function isPredicate(item: PathItem): item is PathPredicate {
  return predicates.has(item.kind);
}

/** A value of type jsonpath. */
export class JsonPath {
  constructor(
    readonly lax: boolean,
    readonly root: PathChain,
  ) {}
}
