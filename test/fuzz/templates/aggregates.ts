/** Aggregates over the rows of a group; SELF repeats the first argument. Each line: type, weight in the core profile, in the full one, text. */
import type { ValueType } from "../tree.js";
import { type Template, type TemplateOptions, template } from "./template.js";

export interface AggregateTemplate extends Template {
  /** The largest bound of an argument. */
  readonly okm?: number;
}

export const aggregates: AggregateTemplate[] = [];

type Options = TemplateOptions & { readonly okm?: number };

function add(returns: ValueType, core: number, full: number, text: string, { okm, ...options }: Options = {}): void {
  aggregates.push({ ...template(returns, core, full, 200, text, options), okm });
}

add("bigint", 8, 2, "count(*)", { m: () => 1e5, f: "count(*)" });
add("bigint", 3, 1.5, "count({any})", { m: () => 1e5, f: "count(x)" });
add("bigint", 3, 1.5, "count(DISTINCT {any})", { m: () => 1e5, f: "count(distinct x)" });
add("bigint", 4, 1.5, "sum({int})", { m: (x) => x[0].m * 1e5 });
add("numeric", 4, 1.5, "sum({numeric})", { m: (x) => x[0].m * 1e5 });
add("numeric", 0.5, 1, "sum({bigint})", { m: (x) => x[0].m * 1e5 });
add("float", 1, 1, "sum({float})", { m: (x) => x[0].m * 1e5 });
add("bigint", 0.1, 0.5, "sum(DISTINCT {int})", { m: (x) => x[0].m * 1e5 });
add("bigint", 1.5, 0.4, "sum(CASE WHEN {bool} THEN 1 ELSE 0 END)", { m: () => 1e5 });
add("numeric", 3, 1, "avg({int})", { m: (x) => x[0].m });
add("numeric", 3, 1, "avg({numeric})", { m: (x) => x[0].m });
add("float", 0.7, 0.7, "avg({float})", { m: (x) => x[0].m });
add("numeric", 2, 0.5, "round(avg({numeric}), 2)", { m: (x) => x[0].m + 1 });
for (const ty of ["int", "bigint", "numeric", "float", "text", "date", "tstz", "ts", "interval", "text[]"] as const) {
  const common = ["int", "numeric", "date", "tstz", "text"].includes(ty) ? 1 : 0.2;
  add(ty, 2 * common, 0.8, `{=min|max}({${ty}})`, { m: (x) => x[0].m });
}
add("bool", 0.4, 1, "{=bool_and|bool_or|every}({bool})");
add("text", 2, 1, "string_agg({text}, {~sep} ORDER BY SELF)", { f: "string_agg(order by)" });
add("text", 0.4, 0.7, "string_agg(DISTINCT {text}, ', ' ORDER BY SELF)", { f: "string_agg(distinct order by)" });
add("text[]", 0.8, 1, "array_agg({text} ORDER BY SELF{=| DESC| NULLS FIRST})", { f: "array_agg(text order by)" });
add("int[]", 0.3, 0.7, "array_agg({int} ORDER BY SELF)", { f: "array_agg(int order by)" });
add("text[]", 0.1, 0.4, "array_agg(DISTINCT {text})", { f: "array_agg(distinct)" });
add("jsonb", 0.3, 0.8, "jsonb_agg({any} ORDER BY SELF)", { f: "jsonb_agg(order by)" });
add("jsonb", 0.1, 0.5, "jsonb_object_agg(coalesce({text}, '-'), 1)", { f: "jsonb_object_agg" });
add("numeric", 0.2, 0.7, "{=stddev|variance|stddev_pop|var_pop|stddev_samp|var_samp}({numeric})", {
  m: (x) => x[0].m ** 2,
  okm: 1e7,
});
add("float", 0.1, 0.7, "{=stddev|variance|stddev_pop|var_samp}({float})", { m: (x) => x[0].m ** 2, okm: 1e5 });
add("float", 0, 0.6, "{=corr|covar_pop|covar_samp|regr_slope|regr_intercept|regr_r2|regr_avgx}({float}, {float})", {
  m: () => 1e9,
  okm: 1e5,
});
add("float", 0.3, 0.8, "percentile_cont({=0.5|0.25|0.9|0|1}) WITHIN GROUP (ORDER BY {float})", { m: (x) => x[0].m });
add("interval", 0, 0.3, "percentile_cont(0.5) WITHIN GROUP (ORDER BY {interval})");
for (const ty of ["int", "numeric", "text", "date", "tstz"] as const) {
  add(ty, 0.1, 0.3, `percentile_disc({=0.5|0.25|0.9|0|1}) WITHIN GROUP (ORDER BY {${ty}}{=| DESC})`, {
    m: (x) => x[0].m,
  });
  add(ty, 0.1, 0.3, `mode() WITHIN GROUP (ORDER BY {${ty}})`, { m: (x) => x[0].m });
}
add("bigint", 0, 0.3, "{=rank|dense_rank}({#-5..50}) WITHIN GROUP (ORDER BY {int})", { m: () => 1e5 });
add("float", 0, 0.2, "{=percent_rank|cume_dist}({#-5..50}) WITHIN GROUP (ORDER BY {int})", { m: () => 1 });
add("int", 0, 0.4, "{=bit_and|bit_or|bit_xor}({int})", { m: () => 2_147_483_647 });
add("interval", 0, 0.5, "{=sum|avg}({interval})");
