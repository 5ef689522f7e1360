/**
 * A template of an expression. Holes in its text:
 *
 *     {type} any expression of the type     {type<} {type>} the same as a left or right operand
 *     {type:col} a column (else a literal)  {type:lit} a typed literal   {type:bare} a literal without a type
 *     {type:SUB} a column of that sub-kind (num, datetext, doc), else a fitting literal
 *     {=a|b|c} one of the texts             {#lo..hi} an integer         {~pool} one of a pool of quoted texts
 */
import { type Expr, type ValueType, valueTypes } from "../tree.js";
import type { PoolName } from "./pools.js";

export type Token =
  | string
  | { readonly choice: readonly string[] }
  | { readonly low: number; readonly high: number }
  | { readonly pool: PoolName }
  | { readonly type: ValueType | "any"; readonly mods: readonly string[]; readonly side: "" | "<" | ">" };

/** Expressions that need more than a template: see `predicates.ts`. */
export type SpecialKind =
  | "compare"
  | "in"
  | "null"
  | "between"
  | "exists"
  | "scalar subquery"
  | "in subquery"
  | "quantified subquery"
  | "row in subquery"
  | "array subquery";

export interface Special {
  readonly special: SpecialKind;
  readonly type: ValueType;
}

export interface TemplateOptions {
  /** A bound on the absolute value of the result. */
  readonly m?: (args: readonly Expr[]) => number;
  /** Whether these arguments are fine. */
  readonly ok?: (args: readonly Expr[]) => boolean;
  /** The feature's name, when the text is no good one. */
  readonly f?: string;
}

export interface Template extends TemplateOptions {
  readonly returns: ValueType;
  readonly core: number;
  readonly full: number;
  readonly p: number;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly special?: Special;
}

export function template(
  returns: ValueType,
  core: number,
  full: number,
  p: number,
  text: string,
  options: TemplateOptions = {},
): Template {
  return { returns, core, full, p, text, tokens: tokensOf(text), ...options };
}

export function special(core: number, full: number, kind: SpecialKind, type: ValueType, returns = type): Template {
  return { returns, core, full, p: 0, text: "", tokens: [], special: { special: kind, type } };
}

/** Choices are divided by `|`, or by `¦` where a choice holds a `|` itself. */
function choices(text: string): string[] {
  return text.split(text.includes("¦") ? "¦" : "|");
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== "{") continue;
    const end = closing(text, i);
    const token = tokenOf(text.slice(i + 1, end));
    if (token === undefined) continue; // a brace of the text itself
    if (i > at) tokens.push(text.slice(at, i));
    tokens.push(token);
    at = end + 1;
    i = end;
  }
  if (at < text.length) tokens.push(text.slice(at));
  return tokens;
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i;
  }
  return text.length;
}

function tokenOf(text: string): Token | undefined {
  if (text.startsWith("=")) return { choice: choices(text.slice(1)) };
  if (text.startsWith("~")) return { pool: text.slice(1) as PoolName };
  if (text.startsWith("#")) {
    const [low, high] = text.slice(1).split("..").map(Number);
    return { low, high };
  }
  const match = /^([a-z]+(?:\[\])?)((?::[a-z]+)*)([<>]?)$/.exec(text);
  if (match === null) return undefined;
  const [, type, mods, side] = match;
  if (type !== "any" && !valueTypes.includes(type as ValueType)) return undefined;
  return {
    type: type as ValueType | "any",
    mods: mods.split(":").filter((mod) => mod !== ""),
    side: side as "" | "<" | ">",
  };
}

export const sumBound = (args: readonly Expr[]): number => args.reduce((sum, arg) => sum + arg.m, 0);
export const productBound = (args: readonly Expr[]): number =>
  args.reduce((product, arg) => product * Math.max(1, arg.m), 1);
export const fits =
  (limit: number) =>
  (args: readonly Expr[]): boolean =>
    args.every((arg) => arg.m <= limit);
