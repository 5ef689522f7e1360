/** Casts. Each line: type, weight in the core profile, weight in the full one, precedence, text. */
import type { ValueType } from "../tree.js";
import { fits, template as makeTemplate, sumBound, type Template, type TemplateOptions } from "./template.js";
export const casts: Template[] = [];

function add(...template: Parameters<typeof makeTemplate>): void {
  casts.push(makeTemplate(...template));
}

interface CastOptions extends TemplateOptions {
  /** The type of the result, where the target's name is another one. */
  readonly returns?: ValueType;
  /** The source's name in the feature. */
  readonly shown?: string;
}

/** `x::target` and, half as often, `CAST(x AS target)`. */
function cast(source: string, target: string, core: number, full: number, options: CastOptions = {}): void {
  const { returns = target as ValueType, shown = source, ...more } = options;
  add(returns, core, full, 150, `{${source}<}::${target}`, { f: `${shown}::${target}`, ...more });
  const f = `cast(${shown} as ${target})`;
  add(returns, core / 2, full / 2, 200, `CAST({${source}} AS ${target})`, { f, ...more });
}

cast("numeric", "int", 1, 0.7, { m: sumBound, ok: fits(2e9) });
cast("float", "int", 0.6, 0.7, { m: sumBound, ok: fits(2e9) });
cast("bigint", "int", 0.5, 0.7, { m: sumBound, ok: fits(2e9) });
cast("int", "bigint", 0.5, 0.5, { m: sumBound });
cast("numeric", "bigint", 0.3, 0.5, { m: sumBound, ok: fits(9e18) });
cast("int", "numeric", 1, 0.6, { m: sumBound });
cast("bigint", "numeric", 0.3, 0.5, { m: sumBound });
cast("float", "numeric", 1, 0.7, { m: sumBound, ok: fits(1e12) });
cast("int", "numeric(12,3)", 0.2, 0.5, { returns: "numeric", m: sumBound, ok: fits(1e8) });
cast("numeric", "numeric(14,1)", 0.4, 0.7, { returns: "numeric", m: (a) => a[0].m + 1, ok: fits(1e12) });
cast("int", "double precision", 0.8, 0.6, { returns: "float", m: sumBound });
cast("numeric", "double precision", 0.8, 0.6, { returns: "float", m: sumBound });
cast("bool", "int", 0.7, 0.7, { m: () => 1 });
cast("int", "boolean", 0.1, 0.4, { returns: "bool" });
cast("text:num", "int", 1, 0.7, { m: () => 1000, shown: "text" });
cast("text:num", "numeric", 0.4, 0.5, { m: () => 1000, shown: "text" });
for (const ty of ["int", "numeric", "date", "tstz"]) cast(ty, "text", 0.8, 0.4);
for (const ty of ["bigint", "float", "bool", "ts", "uuid", "interval", "jsonb", "text[]", "enum"])
  cast(ty, "text", 0.2, 0.4);
cast("text", "varchar(4)", 0.1, 0.5, { returns: "text" });
cast("text:datetext", "date", 0.6, 0.5, { shown: "text" });
cast("tstz", "date", 2, 0.8);
cast("ts", "date", 0.2, 0.5);
cast("date", "timestamp", 0.2, 0.6, { returns: "ts" });
cast("date", "timestamptz", 0.2, 0.6, { returns: "tstz" });
cast("tstz", "timestamp", 0.1, 0.5, { returns: "ts" });
add("text", 0.1, 0.4, 150, "{tstz<}::time::text");
add("text", 0, 0.4, 200, "pg_typeof({any})::text", { f: "pg_typeof" });
