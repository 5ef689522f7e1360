/** JSON and arrays. Each line: type, weight in the core profile, weight in the full one, precedence, text. */
import { template as makeTemplate, type Template } from "./template.js";
export const json: Template[] = [];

function add(...template: Parameters<typeof makeTemplate>): void {
  json.push(makeTemplate(...template));
}

add("text", 3, 0.8, 70, "{jsonb:doc<} ->> {~key}");
add("text", 0.2, 0.6, 70, "{jsonb<} ->> {~key}");
add("jsonb", 1.2, 1, 70, "{jsonb<} -> {~key}");
add("jsonb", 0.1, 0.7, 70, "{jsonb<} -> {#-1..2}");
add("text", 0.8, 0.8, 70, "{jsonb:doc<} -> 'tags' ->> {#-1..1}");
add("text", 0.8, 0.7, 70, "{jsonb:doc<} -> 'meta' ->> 'a'");
add("int", 1.5, 0.7, 150, "({jsonb:doc<} ->> 'n')::int", { m: () => 200 });
add("numeric", 0.8, 0.6, 150, "({jsonb:doc<} -> 'meta' ->> 'a')::numeric", { m: () => 200 });
add("bool", 0.4, 0.5, 150, "({jsonb:doc<} -> 'meta' ->> 'ok')::boolean");
add("int", 0, 0.4, 150, "nullif({jsonb:doc<} -> 'n', 'null')::int", { m: () => 200, f: "jsonb::int" });
add("text", 0.4, 0.7, 70, "{jsonb<} #>> {~jsonSteps}");
add("jsonb", 0.1, 0.7, 70, "{jsonb<} #> {~jsonSteps}");
add(
  "bool",
  0.4,
  0.7,
  70,
  `{jsonb<} @> {='{"name": "Bob"}'|'{"meta": {"ok": true}}'|'{}'|'{"tags": ["red"]}'|'[]'|'1'}::jsonb`,
);
add("bool", 0.1, 0.3, 70, `{='{"name": "Bob"}'|'{}'|'[1]'}::jsonb <@ {jsonb>}`);
add("bool", 0.3, 0.6, 70, "{jsonb<} ? {~key}");
add("bool", 0, 0.5, 70, "{jsonb<} {=?|¦?&} ARRAY[{='n', 'zz'|'name'|'tags', 'meta'}]");
add("jsonb", 0, 0.6, 70, `{jsonb:doc<} || {='{"x": 1}'|'{}'|'{"n": null, "q": [1]}'}::jsonb`);
add("jsonb", 0, 0.5, 70, "{jsonb:doc<} - {~key}");
add("jsonb", 0, 0.3, 70, "{jsonb:doc<} - ARRAY['n', 'tags']");
add("jsonb", 0, 0.3, 70, "{jsonb:doc<} #- {='{tags,0}'|'{meta,a}'|'{name}'}");
add("text", 0.4, 0.7, 200, "jsonb_typeof({jsonb})");
add("int", 0.4, 0.5, 200, "jsonb_array_length({jsonb:doc} -> 'tags')", { m: () => 10 });
add(
  "jsonb",
  0.1,
  0.7,
  200,
  `jsonb_set({jsonb:doc}, {='{n}'|'{meta,a}'|'{tags,0}'|'{new}'}, {='99'|'"s"'|'[1, 2]'|'null'}{=|, true|, false})`,
);
add("jsonb", 0, 0.4, 200, "jsonb_insert({jsonb:doc}, {='{tags,0}'|'{tags,-1}'|'{fresh}'}, '\"i\"'{=|, true})");
add("jsonb", 0, 0.4, 200, "jsonb_strip_nulls({jsonb})");
add("jsonb", 0.5, 0.8, 200, "jsonb_build_object('a', {any}, 'b', {any})", { f: "jsonb_build_object" });
add("jsonb", 0.2, 0.5, 200, "jsonb_build_array({any}, {any})", { f: "jsonb_build_array" });
add("jsonb", 0.2, 0.7, 200, "to_jsonb({any})", { f: "to_jsonb" });
add("text", 0.1, 0.4, 150, "json_build_object('k', {any})::text", { f: "json_build_object::text" });
add("text", 0, 0.4, 200, "jsonb_pretty({jsonb})");
add("text", 0.1, 0.4, 200, "jsonb_extract_path_text({jsonb}, {~key})");
add("bool", 0, 0.5, 200, "jsonb_path_exists({jsonb}, {~jsonPath})");
add("jsonb", 0, 0.7, 200, "jsonb_path_query_array({jsonb}, {~jsonPath})", { f: "jsonb_path_query_array" });
add("jsonb", 0, 0.4, 200, "jsonb_path_query_first({jsonb}, {~jsonPath})", { f: "jsonb_path_query_first" });
add("bool", 0, 0.4, 70, "{jsonb<} @? {~jsonPath}");
add("bool", 0, 0.4, 70, "{jsonb<} @@ {~jsonPredicate}");
add("jsonb", 0, 0.3, 200, "{jsonb:doc:col<}[{='meta'|'tags'|'n'}]", { f: "jsonb subscript" });

add("bool", 1.5, 0.6, 50, "{text:lit>} = ANY ({text[]:col})");
add("bool", 0.2, 0.4, 50, "{text>} <> ALL ({text[]})");
add("bool", 0.4, 0.6, 70, "{text[]<} {=@>|<@|&&} ARRAY['red', 'bug']");
add("int", 0.8, 0.6, 200, "array_length({text[]}, 1)", { m: () => 20 });
add("int", 0.4, 0.5, 200, "cardinality({text[]})", { m: () => 20 });
add("text", 0.8, 0.7, 200, "array_to_string({text[]}, {~sep}{=|, '?'})");
add("text", 0.5, 0.7, 200, "{text[]:col<}[{#0..3}]", { f: "text[][N]" });
add("text[]", 0, 0.5, 200, "{text[]:col<}[{#0..2}:{#2..4}]", { f: "text[][N:N]" });
add("text[]", 0.1, 0.6, 70, "{text[]<} || {text[]>}");
add("text[]", 0.1, 0.4, 70, "{text[]<} || {text:col>}");
add("text[]", 0.3, 0.7, 200, "ARRAY[{text}, {text}]");
add("int[]", 0.2, 0.7, 200, "ARRAY[{int}, {int}]");
add("text[]", 0.5, 0.7, 200, "string_to_array({text}, {~sep})");
add("text[]", 0, 0.4, 200, "string_to_array({text}, {='a'|NULL}, 'b')");
add("text[]", 0.1, 0.6, 200, "array_append({text[]}, {text})");
add("text[]", 0, 0.5, 200, "array_prepend({text}, {text[]})");
add("text[]", 0, 0.4, 200, "array_cat({text[]}, {text[]})");
add("text[]", 0.1, 0.5, 200, "array_remove({text[]}, {text:lit})");
add("text[]", 0, 0.5, 200, "array_replace({text[]}, {text:lit}, {text})");
add("int", 0.1, 0.5, 200, "array_position({text[]}, {text:lit})", { m: () => 20 });
add("int[]", 0, 0.4, 200, "array_positions({text[]}, {text:lit})");
add("int", 0, 0.4, 200, "{=array_upper|array_lower}({text[]}, 1)", { m: () => 20 });
add("int", 0, 0.3, 200, "array_ndims({text[]})", { m: () => 6 });
add("int[]", 0, 0.3, 200, "array_fill({int}, ARRAY[{#0..3}])");
add("text", 0, 0.3, 200, "array_dims({text[]})");
add("int", 0, 0.3, 200, "({int[]})[{#1..2}]", { m: () => 2_147_483_647, f: "int[][N]" });
