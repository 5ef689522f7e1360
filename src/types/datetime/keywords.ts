/**
 * The words of date and time texts. PostgreSQL compares the first ten characters only, so `microseconds` and
 * `microsecondly` are one word; so do we.
 * Source: PostgreSQL 15, appendix B "Date/Time Support", and the answers of a server.
 */

/** Units of time, as interval texts, extract and date_trunc name them; also prefixes of numbers in timestamps (`J2451187`). */
export type Unit =
  | "microsecond"
  | "millisecond"
  | "second"
  | "minute"
  | "hour"
  | "day"
  | "week"
  | "month"
  | "quarter"
  | "year"
  | "decade"
  | "century"
  | "millennium"
  | "julian"
  | "dow"
  | "isodow"
  | "doy"
  | "isoyear"
  | "epoch"
  | "timezone"
  | "timezone_hour"
  | "timezone_minute";

export type Keyword =
  | { readonly kind: "moment"; readonly moment: Moment }
  | { readonly kind: "month"; readonly month: number }
  | { readonly kind: "weekday"; readonly weekday: number }
  | { readonly kind: "unit"; readonly unit: Unit }
  | { readonly kind: "era"; readonly bc: boolean }
  | { readonly kind: "meridiem"; readonly pm: boolean }
  | { readonly kind: "daylight" }
  | { readonly kind: "isoTime" }
  | { readonly kind: "ignored" };

/** Words that stand for a whole date, time or timestamp. */
export type Moment = "-infinity" | "infinity" | "epoch" | "now" | "today" | "tomorrow" | "yesterday" | "allballs";

const significantLength = 10;

function index<T>(groups: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const words = new Map<string, T>();
  for (const [names, meaning] of groups) {
    for (const name of names.split(" ")) words.set(name.slice(0, significantLength), meaning);
  }
  return words;
}

const unit = (name: Unit): Keyword => ({ kind: "unit", unit: name });
const month = (number: number): Keyword => ({ kind: "month", month: number });
const weekday = (number: number): Keyword => ({ kind: "weekday", weekday: number });
const moment = (name: Moment): Keyword => ({ kind: "moment", moment: name });

const dateWords = index<Keyword>([
  ["-infinity", moment("-infinity")],
  ["infinity", moment("infinity")],
  ["epoch", moment("epoch")],
  ["now", moment("now")],
  ["today", moment("today")],
  ["tomorrow", moment("tomorrow")],
  ["yesterday", moment("yesterday")],
  ["allballs", moment("allballs")],
  ["jan january", month(1)],
  ["feb february", month(2)],
  ["mar march", month(3)],
  ["apr april", month(4)],
  ["may", month(5)],
  ["jun june", month(6)],
  ["jul july", month(7)],
  ["aug august", month(8)],
  ["sep sept september", month(9)],
  ["oct october", month(10)],
  ["nov november", month(11)],
  ["dec december", month(12)],
  ["sun sunday", weekday(0)],
  ["mon monday", weekday(1)],
  ["tue tues tuesday", weekday(2)],
  ["wed weds wednesday", weekday(3)],
  ["thu thur thurs thursday", weekday(4)],
  ["fri friday", weekday(5)],
  ["sat saturday", weekday(6)],
  ["ad", { kind: "era", bc: false }],
  ["bc", { kind: "era", bc: true }],
  ["am", { kind: "meridiem", pm: false }],
  ["pm", { kind: "meridiem", pm: true }],
  ["at on", { kind: "ignored" }],
  ["t", { kind: "isoTime" }],
  ["dst", { kind: "daylight" }],
  ["j jd julian", unit("julian")],
  ["y", unit("year")],
  ["m", unit("month")],
  ["d", unit("day")],
  ["h", unit("hour")],
  ["mm", unit("minute")],
  ["s", unit("second")],
  ["dow", unit("dow")],
  ["doy", unit("doy")],
  ["isodow", unit("isodow")],
  ["isoyear", unit("isoyear")],
]);

/** Words of intervals; `ago` turns the sign. */
export type IntervalWord = Unit | "ago" | "ignored";

const intervalWords = index<IntervalWord>([
  ["@", "ignored"],
  ["ago", "ago"],
  ["us usec usecs usecond useconds microsecond microseconds", "microsecond"],
  ["ms msec msecs msecond mseconds millisecond milliseconds", "millisecond"],
  ["s sec secs second seconds", "second"],
  ["m min mins minute minutes", "minute"],
  ["h hr hrs hour hours", "hour"],
  ["d day days", "day"],
  ["w week weeks", "week"],
  ["mon mons month months", "month"],
  ["qtr quarter", "quarter"],
  ["y yr yrs year years", "year"],
  ["dec decs decade decades", "decade"],
  ["c cent century centuries", "century"],
  ["mil mils millennium millennia", "millennium"],
  ["timezone", "timezone"],
  ["timezone_hour", "timezone_hour"],
  ["timezone_minute", "timezone_minute"],
]);

/** A word of a date or timestamp, in lower case. */
export function dateWord(word: string): Keyword | undefined {
  return dateWords.get(word.length > significantLength ? word.slice(0, significantLength) : word);
}

/** A word of an interval, in lower case. */
export function intervalWord(word: string): IntervalWord | undefined {
  return intervalWords.get(word.length > significantLength ? word.slice(0, significantLength) : word);
}

/**
 * The field that extract or date_trunc names, in lower case. `moment` is a word like `infinity`, which is no field of
 * any type; `undefined` is no word at all.
 */
export function unitNamed(name: string): Unit | "moment" | undefined {
  const word = intervalWord(name);
  if (word !== undefined) return word === "ignored" || word === "ago" ? undefined : word;
  const keyword = dateWord(name);
  if (keyword?.kind === "unit") return keyword.unit;
  if (keyword?.kind !== "moment") return undefined;
  return keyword.moment === "epoch" ? "epoch" : "moment";
}
