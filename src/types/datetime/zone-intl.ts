/**
 * IANA zones from the runtime's own data (Intl). Asking Intl costs more than a microsecond, so the changes of offset
 * are found once for each year that is needed and kept; after that a conversion is a look into a short list.
 */
import type { Zone } from "./zone.js";

/** IANA zone names without a slash that PostgreSQL knows; Intl takes further ones (`PST`, `JST`) that it does not. */
const plainNames = new Set(
  (
    "cet cst6cdt cuba eet est est5edt egypt eire gb gb-eire gmt gmt+0 gmt-0 gmt0 greenwich hst hongkong iceland iran " +
    "israel jamaica japan kwajalein libya met mst mst7mdt nz nz-chat navajo prc pst8pdt poland portugal roc rok " +
    "singapore turkey uct utc universal w-su wet zulu"
  ).split(" "),
);

/** Changes of offset are looked up in stretches of 365 days. */
const stretch = 31_536_000;
/** Within a stretch the offset is sampled this often; two changes never undo each other within nine days. */
const samplesPerStretch = 40;
/** Before this second (year 1800) every zone keeps its local mean time. */
const firstSecond = -5_364_662_400;
/** From this second (year 2500) on zones follow rules that repeat every 400 years. */
const repeatsFrom = 16_725_225_600;
const cycle = 12_622_780_800;

/** The offsets of one stretch: `offsets[i]` holds from `starts[i]` on. */
interface Stretch {
  readonly starts: readonly number[];
  readonly offsets: readonly number[];
}

/** The zone of an IANA name in lower case, or `undefined` when there is none. */
export function intlZone(name: string): Zone | undefined {
  const plain = name.startsWith("posix/") ? name.slice(6) : name;
  if (!isZoneName(plain)) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: plain, timeZoneName: "longOffset" });
  } catch (error) {
    if (error instanceof RangeError) return undefined; // how Intl says that it does not know the name
    throw error;
  }
  const zone = new IntlZone(name, format);
  if (!plain.startsWith("etc/") && !fixedNames.has(plain)) return zone;
  const fixedOffset = zone.offsetAt(0);
  return { name, fixedOffset, offsetAt: () => fixedOffset, offsetOfLocal: () => fixedOffset };
}

const fixedNames = new Set("gmt gmt+0 gmt-0 gmt0 greenwich uct utc universal zulu".split(" "));

function isZoneName(name: string): boolean {
  const first = name.charCodeAt(0);
  if (!(first >= 97 && first <= 122)) return false;
  return name.includes("/") ? !name.startsWith("systemv/") : plainNames.has(name);
}

class IntlZone implements Zone {
  private readonly stretches = new Map<number, Stretch>();
  private lastIndex = Number.NaN;
  private last: Stretch = { starts: [], offsets: [] };

  constructor(
    readonly name: string,
    private readonly format: Intl.DateTimeFormat,
  ) {}

  offsetAt(utcSeconds: number): number {
    let at = utcSeconds;
    if (at < firstSecond) at = firstSecond;
    else if (at >= repeatsFrom + cycle) at = repeatsFrom + ((at - repeatsFrom) % cycle);
    const index = Math.floor(at / stretch);
    if (index !== this.lastIndex) {
      this.last = this.stretchAt(index);
      this.lastIndex = index;
    }
    const { starts, offsets } = this.last;
    let i = starts.length - 1;
    while (i > 0 && starts[i] > at) i--;
    return offsets[i];
  }

  offsetOfLocal(localSeconds: number): number {
    // The instant lies between a day before and a day after the local time read as UTC.
    const from = localSeconds - 86_400;
    const before = this.offsetAt(from);
    const after = this.offsetAt(localSeconds + 86_400);
    if (before === after) return before;
    const change = this.changeBetween(from, localSeconds + 86_400, before);
    const offsetAfter = this.offsetAt(change);
    const asBefore = localSeconds - before;
    const asAfter = localSeconds - offsetAfter;
    if (asBefore < change && asAfter < change) return before;
    if (asBefore >= change && asAfter >= change) return offsetAfter;
    return asBefore > asAfter ? before : offsetAfter;
  }

  private stretchAt(index: number): Stretch {
    let found = this.stretches.get(index);
    if (found === undefined) {
      found = this.findChanges(index * stretch);
      this.stretches.set(index, found);
    }
    return found;
  }

  private findChanges(start: number): Stretch {
    const starts = [start];
    const offsets = [this.ask(start)];
    const step = stretch / samplesPerStretch;
    for (let i = 1; i <= samplesPerStretch; i++) {
      const until = start + i * step - (i === samplesPerStretch ? 1 : 0);
      const offset = this.ask(until);
      while (offset !== offsets[offsets.length - 1]) {
        const last = offsets[offsets.length - 1];
        let low = Math.max(starts[starts.length - 1], until - step);
        let high = until;
        while (high - low > 1) {
          const middle = Math.floor((low + high) / 2);
          if (this.ask(middle) === last) low = middle;
          else high = middle;
        }
        starts.push(high);
        offsets.push(this.ask(high));
      }
    }
    return { starts, offsets };
  }

  /** First second after `from` whose offset differs; there is one before `until`. */
  private changeBetween(from: number, until: number, before: number): number {
    let low = from;
    let high = until;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }

  private ask(utcSeconds: number): number {
    const text = this.format.format(utcSeconds * 1000);
    return readOffset(text, text.lastIndexOf("GMT") + 3);
  }
}

/** The offset in `…GMT`, `…GMT+05:30`, `…GMT-00:43:08`, from the character after GMT. */
function readOffset(text: string, at: number): number {
  if (at >= text.length) return 0;
  const negative = text[at] !== "+";
  let total = 0;
  let unit = 3600;
  let part = 0;
  for (let i = at + 1; i <= text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) part = part * 10 + code - 48;
    else {
      total += part * unit;
      unit /= 60;
      part = 0;
    }
  }
  return negative ? 0 - total : total;
}
