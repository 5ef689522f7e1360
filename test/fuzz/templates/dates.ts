/** Dates, times and intervals. Each line: type, weight in the core profile, weight in the full one, precedence, text. */
import { fits, template as makeTemplate, type Template } from "./template.js";
export const dates: Template[] = [];

function add(...template: Parameters<typeof makeTemplate>): void {
  dates.push(makeTemplate(...template));
}

const year = { m: () => 10000 };
add("int", 1.5, 0.7, 150, "extract({=year|month|day|dow|quarter|hour|isodow|doy|week} FROM {tstz})::int", {
  m: () => 10000,
});
add("numeric", 1.5, 1, 200, "extract({=year|month|day|dow|hour|minute|week|quarter|doy} FROM {tstz})", year);
add("numeric", 1, 0.7, 200, "extract({=YEAR|MONTH|DAY|DOW|isodow|week|quarter|isoyear} FROM {date})", year);
add(
  "numeric",
  0,
  1,
  200,
  "extract({=century|decade|millennium|julian|second|milliseconds|microseconds|isoyear|isodow|timezone} FROM {tstz})",
  { m: () => 1e8 },
);
add("numeric", 0.3, 0.7, 200, "extract(epoch FROM {tstz})", { m: () => 1e12 });
add("numeric", 0.4, 0.7, 200, "extract(epoch FROM {interval})", { m: () => 1e9 });
add("numeric", 0.2, 0.5, 200, "extract({=day|hour|month|minute|year|second} FROM {interval})", year);
add("float", 0.3, 0.7, 200, "date_part({='year'|'month'|'day'|'hour'|'dow'|'epoch'|'week'|'second'}, {tstz})", {
  m: () => 1e12,
});
add("float", 0.1, 0.3, 200, "date_part({='year'|'month'|'day'}, {date})", year);
add("tstz", 3, 1, 200, "date_trunc({='month'|'day'|'year'|'week'|'hour'|'quarter'}, {tstz})");
add("tstz", 0.7, 0.5, 200, "date_trunc({='month'|'year'|'week'|'quarter'}, {date})");
add("ts", 0.1, 0.7, 200, "date_trunc({='month'|'day'|'decade'|'century'|'minute'|'second'|'week'}, {ts})");
add("interval", 0, 0.4, 200, "date_trunc({='hour'|'day'|'month'|'year'}, {interval})");
add("tstz", 0, 0.4, 200, "date_trunc({='day'|'month'|'hour'}, {tstz}, {~tz})");
add("date", 1, 0.7, 150, "date_trunc({='month'|'week'|'year'}, {tstz})::date");
add("date", 1.5, 1, 80, "{date<} + {#-40..60}");
add("date", 0.5, 0.6, 80, "{date<} - {#1..60}");
add("date", 0.2, 0.5, 80, "{date<} + {int>}", { ok: fits(20000) });
add("int", 1.5, 1, 80, "{date<} - {date>}", { m: () => 4e6 });
add("ts", 1, 0.8, 80, "{date<} {=+|-} {interval>}");
add("tstz", 2, 1, 80, "{tstz<} {=+|-} {interval:lit>}");
add("tstz", 0.2, 0.5, 80, "{tstz<} {=+|-} {interval>}");
add("ts", 0.1, 0.5, 80, "{ts<} {=+|-} {interval>}");
add("interval", 1, 1, 80, "{tstz<} - {tstz>}");
add("interval", 0, 0.5, 80, "{ts<} - {ts>}");
add("interval", 0.5, 1, 200, "age({tstz}, {tstz})");
add("interval", 0, 0.5, 200, "age({ts}, {ts})");
add("interval", 0.3, 1, 80, "{interval<} {=+|-} {interval>}");
add("interval", 0.3, 0.7, 90, "{interval<} * {=2|3|0.5|1.5|-1}");
add("interval", 0.1, 0.5, 90, "{interval<} / {=2|3|7|0.4}");
add("interval", 0, 0.3, 130, "-{interval>}");
add("interval", 0, 0.6, 200, "{=justify_days|justify_hours|justify_interval}({interval})");
add("interval", 0.1, 0.5, 200, "make_interval({=days|hours|months|weeks|years|mins} => {#-5..40})");
add("interval", 0.3, 0.3, 90, "{int<} * INTERVAL '1 {=day|hour|month}'", { ok: fits(20000) });
add("ts", 0.5, 1, 110, "{tstz<} AT TIME ZONE {~tz}");
add("tstz", 0.1, 0.8, 110, "{ts<} AT TIME ZONE {~tz}");
add("date", 0.2, 0.6, 200, "make_date({#1999..2030}, {#1..12}, {#1..28})");
add("ts", 0, 0.4, 200, "make_timestamp({#1999..2030}, {#1..12}, {#1..28}, {#0..23}, {#0..59}, {=0|30.5|59.999})");
add("tstz", 0.1, 0.5, 200, "to_timestamp({#0..1900000000})");
add(
  "date",
  0.2,
  0.6,
  200,
  "to_date({='2024-03-05', 'YYYY-MM-DD'|'05/03/2024', 'DD/MM/YYYY'|'20240305', 'YYYYMMDD'|'March 05, 2024', 'Month DD, YYYY'|'24 Jan', 'YY Mon'})",
  { f: "to_date" },
);
add(
  "tstz",
  0.1,
  0.5,
  200,
  "to_timestamp({='2024-03-05 10:20:30', 'YYYY-MM-DD HH24:MI:SS'|'05 Mar 2024', 'DD Mon YYYY'|'10:20 PM', 'HH12:MI AM'})",
  { f: "to_timestamp(text)" },
);
add("ts", 0, 0.4, 200, "date_bin('{=15 minutes|1 day|2 hours}', {ts}, TIMESTAMP '2001-01-01')");
