/** Text: functions, patterns, formatting. Each line: type, weight in the core profile, weight in the full one, precedence, text. */
import { fits, template as makeTemplate, type Template } from "./template.js";
export const texts: Template[] = [];

function add(...template: Parameters<typeof makeTemplate>): void {
  texts.push(makeTemplate(...template));
}

add("text", 4, 1, 200, "{=upper|lower}({text})");
add("text", 0.6, 0.7, 200, "initcap({text})");
add("int", 4, 1, 200, "length({text})", { m: () => 200 });
add("int", 0.2, 0.7, 200, "{=char_length|octet_length|bit_length|ascii}({text})", { m: () => 2000000 });
add("text", 2, 0.8, 200, "trim({text})");
add("text", 0.3, 0.7, 200, "{=ltrim|rtrim|btrim}({text})");
add("text", 0.1, 0.6, 200, "{=ltrim|rtrim|btrim}({text}, {~trimmed})");
add("text", 0.1, 0.6, 200, "trim({=BOTH|LEADING|TRAILING} {~trimmed} FROM {text})");
add("text", 4, 1.5, 70, "{text<} || {text>}");
add("text", 1.5, 1, 70, "{text<} || ' ' || {text>}");
add("text", 0.7, 0.7, 70, "{text<} || {int>}");
add("text", 2, 1, 200, "concat({text}, {~sep}, {text})");
add("text", 0.7, 1, 200, "concat({any}, {any})", { f: "concat(any,any)" });
add("text", 0.7, 1, 200, "concat_ws({~sep}, {text}, {text})");
add("text", 1.5, 1, 200, "{=substring|substr}({text}, {#1..4}, {#0..5})");
add("text", 0.5, 0.7, 200, "substring({text} FROM {#-1..4} FOR {#2..5})");
add("text", 0.3, 0.5, 200, "substring({text}, {#1..4})");
add("text", 0.1, 0.7, 200, "substring({text} FROM {~regex})");
add("text", 1.5, 1, 200, "{=left|right}({text}, {#1..5})");
add("text", 0, 0.5, 200, "{=left|right}({text}, {#-3..-1})");
add("text", 0.5, 1, 200, "{=lpad|rpad}({text}, {#0..8}, {='*'|'ab'|' '|''})");
add("text", 0.5, 0.5, 200, "lpad(({int})::text, {#3..8}, '0')");
add("text", 0.2, 0.6, 200, "repeat({text}, {#0..3})");
add("text", 0.3, 0.7, 200, "reverse({text})");
add("text", 2, 1, 200, "replace({text}, {='a'|' '|'-'|'e'|''}, {='_'|''|'XX'})");
add("text", 0.1, 0.7, 200, "translate({text}, 'aeiou ', {='AEIOU_'|'123'|''})");
add("int", 0.7, 0.7, 200, "position({='a'|'e'|'@'|''} IN {text})", { m: () => 200 });
add("int", 0.4, 0.7, 200, "strpos({text}, {='a'|'e'|'@'|'zz'|''})", { m: () => 200 });
add("text", 1, 1, 200, "split_part({text}, {='@'|' '|'-'|'a'}, {#1..2})");
add("text", 0, 0.4, 200, "split_part({text}, {='@'|' '|'-'|'a'}, {#-2..-1})");
add("text", 0.1, 0.4, 200, "md5({text})");
add("bool", 0.2, 0.7, 200, "starts_with({text}, {='A'|'o'|''})");
add("bool", 0, 0.4, 60, "{text>} ^@ {='A'|'o'|''}");
add("text", 0, 0.6, 200, "{=quote_literal|quote_ident|quote_nullable}({text})");
add("text", 0.6, 1, 200, "regexp_replace({text}, {~regex}, {='_'|''|'<\\&>'})");
add("text", 0.6, 1, 200, "regexp_replace({text}, {~regex}, {='_'|''|'[\\1]'}, {='g'|'gi'|'i'})");
add("text[]", 0.1, 0.8, 200, "regexp_match({text}, {~regex})");
add("text[]", 0.1, 0.7, 200, "regexp_split_to_array({text}, {='[ ,@]'|'a'|'\\s+'|''})");
add("int", 0, 0.6, 200, "regexp_count({text}, {~regex})", { m: () => 200 });
add("bool", 0, 0.4, 200, "regexp_like({text}, {~regex})");
add("text", 0, 0.5, 200, "regexp_substr({text}, {~regex})");
add("int", 0, 0.4, 200, "regexp_instr({text}, {~regex})", { m: () => 200 });
add("text", 0.2, 1, 200, "format({='%s-%s'¦'%s: %s'¦'[%5s|%-6s]'¦'%2$s %1$s'¦'%s%% of %s'}, {text}, {int})");
add("text", 0, 0.5, 200, "format({='%I=%L'|'%L,%I'}, {text:col}, {text:lit})");
add("text", 0, 0.4, 200, "overlay({text} PLACING {='XX'|''} FROM {#1..3} FOR {#0..2})");
add("text", 0, 0.3, 200, "to_hex({int})");
add("text", 0, 0.3, 200, "chr({#48..122})");
add("text", 0, 0.3, 200, "encode(convert_to({text}, 'UTF8'), {='hex'|'base64'|'escape'})");
add("text", 2, 1, 200, "to_char({tstz}, {~dateFormat})", { f: "to_char(tstz)" });
add("text", 1, 0.6, 200, "to_char({date}, {~dateFormat})", { f: "to_char(date)" });
add("text", 0, 1.5, 200, "to_char({ts}, {~oddDateFormat})", { f: "to_char(ts,odd)" });
add("text", 0, 0.7, 200, "to_char({tstz}, {~oddDateFormat})", { f: "to_char(tstz,odd)" });
add("text", 0.8, 0.7, 200, "to_char({numeric}, {~numberFormat})", { f: "to_char(numeric)", ok: fits(1e9) });
add("text", 0.2, 0.4, 200, "to_char({int}, {~numberFormat})", { f: "to_char(int)" });
add("text", 0, 1, 200, "to_char({numeric}, {~oddNumberFormat})", { f: "to_char(numeric,odd)", ok: fits(1e9) });
add("text", 0, 0.4, 200, "to_char({interval}, {='HH24:MI:SS'|'DD \"days\" HH24'|'YYYY MM DD'})");
add(
  "numeric",
  0,
  0.5,
  200,
  "to_number({='12,454.8'|'$1,234.50'|'-00123'|'1.5e3'}, {='99,999.9'|'$9,999.99'|'S99999'|'9.9'})",
  { m: () => 1e6, f: "to_number" },
);
add("text", 0, 0.3, 200, '({text} COLLATE "C")', { f: "collate" });
