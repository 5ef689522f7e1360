/** Numbers: operators and functions. Each line: type, weight in the core profile, weight in the full one, precedence, text. */
import { fits, template as makeTemplate, productBound, sumBound, type Template } from "./template.js";
export const numbers: Template[] = [];

const INT = 2_147_483_647;

function add(...template: Parameters<typeof makeTemplate>): void {
  numbers.push(makeTemplate(...template));
}

for (const ty of ["int", "bigint", "numeric", "float"] as const) {
  add(ty, 4, 2, 80, `{${ty}<} + {${ty}>}`, { m: sumBound });
  add(ty, 3, 2, 80, `{${ty}<} - {${ty}>}`, { m: sumBound });
  add(ty, 3, 1.5, 90, `{${ty}<} * {${ty}>}`, { m: productBound, ok: ty === "float" ? fits(1e6) : undefined });
  add(ty, 1, 1, 200, `abs({${ty}})`, {
    m: sumBound,
    ok: ty === "int" ? fits(INT) : ty === "bigint" ? fits(9e18) : undefined,
  });
  add(ty, 0.3, 0.6, 130, `-{${ty}>}`, {
    m: sumBound,
    ok: ty === "int" ? fits(INT) : ty === "bigint" ? fits(9e18) : undefined,
  });
  add(ty, 1, 1, 90, `{${ty}<} / nullif({${ty}}, 0)`, {
    m: (a) => a[0].m * (ty === "int" || ty === "bigint" ? 1 : 100),
    ok: ty === "int" ? fits(INT) : ty === "bigint" ? fits(9e18) : fits(1e12),
  });
  add(ty, 1, 0.5, 90, `{${ty}<} / {#2..10}`, { m: sumBound });
  if (ty !== "float") add(ty, 1, 1, 90, `{${ty}<} % {#2..10}`, { m: () => 10 });
  if (ty !== "float") add(ty, 0.3, 0.5, 200, `mod({${ty}}, {#2..7})`, { m: () => 10 });
}
add("numeric", 2, 1, 90, "{numeric<} * {numeric:lit}", { m: productBound });
add("numeric", 1.5, 1, 90, "{int<} * {numeric>}", { m: productBound });
add("numeric", 2, 1, 90, "{int<} * 1.0 / {#2..20}", { m: sumBound });
add("numeric", 1, 0.7, 90, "100.0 * {int>} / nullif({int:col}, 0)", { m: (a) => a[0].m * 100 });
add("float", 0.5, 1, 80, "{int<} + {float>}", { m: sumBound });
add("float", 0, 1, 90, "{float<} * {numeric>}", { m: productBound, ok: fits(1e6) });
add("bigint", 0.3, 1, 80, "{int<} + {bigint>}", { m: sumBound });
add("numeric", 3, 1.5, 200, "round({numeric}, {#0..3})", { m: (a) => a[0].m + 1 });
add("numeric", 2, 1, 200, "round({numeric})", { m: (a) => a[0].m + 1 });
add("float", 0.3, 1, 200, "{=round|ceil|floor|trunc|sign}({float})", { m: (a) => a[0].m + 1 });
add("numeric", 1.5, 1, 200, "{=ceil|floor|trunc|ceiling|sign}({numeric})", { m: (a) => a[0].m + 1 });
add("numeric", 0, 1, 200, "trunc({numeric}, {#-1..3})", { m: (a) => a[0].m + 1 });
add("numeric", 0, 0.5, 200, "round({numeric}, {#-2..-1})", { m: (a) => a[0].m + 100 });
add("float", 0.4, 1, 200, "sqrt(abs({float}))", { m: (a) => a[0].m + 1 });
add("numeric", 0.2, 0.6, 200, "sqrt(abs({numeric}))", { m: (a) => a[0].m + 1 });
add("float", 0.3, 1, 200, "power({float}, 2)", { m: (a) => a[0].m ** 2, ok: fits(1e8) });
add("numeric", 0, 0.7, 200, "power({numeric}, {#0..3})", { m: (a) => Math.max(1, a[0].m) ** 3, ok: fits(1e5) });
add("float", 0, 0.7, 100, "{float<} ^ {#0..2}", { m: (a) => Math.max(1, a[0].m) ** 2, ok: fits(1e6) });
add("float", 0.2, 0.7, 200, "ln(abs({float}) + 1)", { m: () => 100 });
add("numeric", 0, 0.5, 200, "{=ln|log}(abs({numeric}) + 1)", { m: () => 100 });
add("float", 0, 0.5, 200, "exp({float} / 100000)", { m: () => 100, ok: fits(1e6) });
add("float", 0, 0.6, 200, "{=sin|cos|atan|cbrt|degrees|radians}({float})", { m: (a) => a[0].m * 60, ok: fits(1e6) });
add("float", 0, 0.2, 200, "pi()", { m: () => 4 });
add("int", 0, 0.6, 200, "{=gcd|lcm}({int:col}, {#1..12})", { m: (a) => a[0].m * 12, ok: fits(1e6) });
add("numeric", 0, 0.5, 200, "div({numeric}, {#2..9})", { m: sumBound });
add("int", 0, 0.6, 200, "width_bucket({float}, 0, 1000, {#2..8})", { m: () => 10, ok: fits(1e6) });
add("int", 0, 0.5, 200, "{=scale|min_scale}({numeric})", { m: () => 40 });
add("numeric", 0, 0.4, 200, "trim_scale({numeric})", { m: sumBound });
add("int", 0, 0.6, 70, "{int<} {=&¦|¦#} {int>}", { m: () => INT });
add("int", 0, 0.3, 70, "{int<} << {#0..4}", { m: (a) => a[0].m * 16 });
add("int", 0, 0.3, 70, "{int<} >> {#0..4}", { m: sumBound });
add("int", 0, 0.2, 70, "~{int>}", { m: (a) => a[0].m + 1, f: "~int" });
add("numeric", 0, 0.2, 200, "factorial({#0..12})", { m: () => 5e8 });
add("int", 0.3, 0.5, 200, "sign({int})::int", { m: () => 1 });
