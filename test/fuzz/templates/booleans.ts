/** Booleans: connectives, comparisons, patterns. Each line: type, weight in the core profile, weight in the full one, precedence, text. */
import { valueTypes } from "../tree.js";
import { template as makeTemplate, special, type Template } from "./template.js";
export const booleans: Template[] = [];

function add(...template: Parameters<typeof makeTemplate>): void {
  booleans.push(makeTemplate(...template));
}

add("bool", 3, 1.5, 20, "{bool<} AND {bool>}");
add("bool", 2, 1.5, 10, "{bool<} OR {bool>}");
add("bool", 1, 1, 30, "NOT {bool<}");
add("bool", 0.5, 0.7, 40, "{bool>} IS {=TRUE|NOT TRUE|FALSE|NOT FALSE|UNKNOWN|NOT UNKNOWN}");
for (const ty of valueTypes) {
  const common = ["int", "numeric", "text", "date", "tstz"].includes(ty) ? 1 : 0.25;
  const rare = ["int[]", "ts"].includes(ty) ? 0.3 : 1;
  booleans.push(special(5 * common, 1.2 * rare, "compare", ty, "bool"));
  const operators = ty === "jsonb" || ty === "bool" ? "=|<>" : "=|<>|!=|<|<=|>|>=";
  add("bool", 1.2 * common, 0.5 * rare, 50, `{${ty}>} {=${operators}} {${ty}>}`);
  booleans.push(special(1.5 * common, 0.7 * rare, "in", ty, "bool"));
  add("bool", 1.5 * common, 0.5 * rare, 40, `{${ty}>} IS {=NULL|NOT NULL}`);
  add("bool", 0.2 * common, 0.5 * rare, 40, `{${ty}>} IS {=DISTINCT|NOT DISTINCT} FROM {${ty}>}`);
  if (ty !== "bool") booleans.push(special(common, 0.4 * rare, "between", ty, "bool"));
  if (ty !== "bool")
    add("bool", 0, 0.2 * rare, 60, `{${ty}>} {=BETWEEN|NOT BETWEEN|BETWEEN SYMMETRIC} {${ty}>} AND {${ty}>}`);
  if (!ty.endsWith("[]")) {
    add("bool", 0.3 * common, 0.4 * rare, 50, `{${ty}>} = ANY (ARRAY[{${ty}:lit}, {${ty}}])`);
    if (ty !== "jsonb")
      add("bool", 0, 0.3 * rare, 50, `{${ty}>} {=<>|<|>=} {=ALL|ANY|SOME} (ARRAY[{${ty}:lit}, {${ty}}])`);
  }
  add("bool", 0, 0.12 * rare, 50, `({${ty}}, {int}) {==|<>|<|>=} ({${ty}}, {int})`);
  add(
    "bool",
    0.03,
    0.08 * rare,
    60,
    `({${ty}:col}, {text:col}) IN (({${ty}:lit}, {text:lit}), ({${ty}:lit}, {text:lit}))`,
  );
}
add("bool", 1, 0.5, 50, "{int>} {=>|<|=|<>} {numeric>}");
add("bool", 0.3, 0.4, 50, "{int>} {=>|<=} {float>}");
add("bool", 0.2, 0.4, 50, "{bigint>} {=>|=} {int>}");
add("bool", 0.3, 0.4, 50, "{tstz>} {=>=|<} {date>}");
add("bool", 3, 1, 60, "{text>} {=LIKE|NOT LIKE} {~like}");
add("bool", 2.5, 1, 60, "{text>} {=ILIKE|NOT ILIKE} {~like}");
add("bool", 0.6, 0.2, 60, "{text>} {=LIKE|ILIKE} '%' || {text>} || '%'", {
  f: "text LIKE text",
  ok: (a) => a[1].leaf === "lit",
});
add("bool", 0, 0.4, 60, "{text>} LIKE {='a!%%'|'%!_%'|'!!%'} ESCAPE '!'", { f: "like escape" });
add("bool", 0.4, 1, 70, "{text<} {=~|~*|!~|!~*} {~regex}");
add("bool", 0, 0.7, 60, "{text>} {=SIMILAR TO|NOT SIMILAR TO} {~similar}");
add("bool", 0, 0.4, 200, "({date}, {date}) OVERLAPS ({date}, {date})");
add("bool", 0, 0.2, 200, "isfinite({tstz})");
add("int", 0, 0.4, 200, "{=num_nulls|num_nonnulls}({any}, {any})", { m: () => 2, f: "num_nulls" });
