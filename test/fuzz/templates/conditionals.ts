/** Conditionals and subqueries, for every type. Each line: type, weight in the core profile, weight in the full one, precedence, text. */
import { type Expr, valueTypes } from "../tree.js";
import { template as makeTemplate, special, type Template } from "./template.js";
export const conditionals: Template[] = [];

function add(...template: Parameters<typeof makeTemplate>): void {
  conditionals.push(makeTemplate(...template));
}

for (const ty of valueTypes) {
  const common = ["int", "numeric", "text"].includes(ty) ? 1 : 0.3;
  const mx = (a: readonly Expr[]): number => Math.max(0, ...a.map((x) => (x.t === ty ? x.m : 0)));
  add(ty, 4 * common, 0.8, 200, `coalesce({${ty}:col}, {${ty}:lit})`, { m: mx });
  add(ty, 0.5 * common, 0.5, 200, `coalesce({${ty}}, {${ty}}, {${ty}})`, { m: mx });
  add(ty, 0.6 * common, 0.4, 200, `nullif({${ty}}, {${ty}})`, { m: mx });
  if (ty !== "jsonb") add(ty, 0.4 * common, 0.4, 200, `{=greatest|least}({${ty}}, {${ty}})`, { m: mx });
  add(ty, 3 * common, 0.7, 200, `CASE WHEN {bool} THEN {${ty}} ELSE {${ty}} END`, { m: mx });
  add(ty, 1 * common, 0.4, 200, `CASE WHEN {bool} THEN {${ty}} WHEN {bool} THEN {${ty}} ELSE {${ty}} END`, { m: mx });
  add(ty, 0.3 * common, 0.4, 200, `CASE WHEN {bool} THEN {${ty}} END`, { m: mx });
  add(ty, 0.5 * common, 0.4, 200, `CASE {int} WHEN {#0..3} THEN {${ty}} WHEN {#4..9} THEN {${ty}} ELSE {${ty}} END`, {
    m: mx,
  });
  add(ty, 0.3 * common, 0.3, 200, `CASE {text} WHEN {text:bare} THEN {${ty}} ELSE {${ty}} END`, { m: mx });
}

for (const ty of valueTypes) {
  const common = ["int", "numeric", "bigint", "text", "date", "tstz"].includes(ty) ? 1 : 0.2;
  conditionals.push(special(0.8 * common, 0.5, "scalar subquery", ty));
  if (ty !== "jsonb" && ty !== "int[]") conditionals.push(special(0.8 * common, 0.3, "in subquery", ty, "bool"));
  if (ty !== "jsonb") conditionals.push(special(0.1 * common, 0.15, "quantified subquery", ty, "bool"));
}
conditionals.push(special(3, 3, "exists", "bool"));
conditionals.push(special(0.1, 0.7, "array subquery", "text[]"));
conditionals.push(special(0, 0.4, "row in subquery", "bool"));
