/**
 * Cuts a value down to what a model should read: the first elements, the beginnings of long texts, a few levels of
 * structure, each cut marked with the size of what it stands for. Whatever is not JSON is printed as a name in brackets.
 */

/** How much of a value is shown. */
export interface ElideLimits {
  /** Elements of an array, and twice as many properties of an object. */
  maxItems: number;
  /** Characters of a text. */
  maxString: number;
  /** Levels of arrays and objects. */
  maxDepth: number;
}

/** The limits when nothing else is said. */
export const DEFAULT_ELIDE: ElideLimits = { maxItems: 25, maxString: 300, maxDepth: 6 };

/** Limits, and what the surface adds to the markers. */
export interface ElideOptions extends ElideLimits {
  /** Prints a value that is none of JSON's (a closure of an interpreter); `undefined` leaves it to the defaults. */
  opaque?: (value: unknown) => string | undefined;
  /** Added to the marker of a cut array: how to keep or see the rest. */
  keepHint?: string;
}

/** The shortened value and whether anything was left out. The value itself is not changed. */
export function elide(value: unknown, options: Partial<ElideOptions> = {}): { value: unknown; elided: boolean } {
  const eliding = new Eliding({ ...DEFAULT_ELIDE, ...withoutUndefined(options) });
  const short = eliding.shorten(value, 0);
  return { value: short, elided: eliding.elided };
}

function withoutUndefined(options: Partial<ElideOptions>): Partial<ElideOptions> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

class Eliding {
  elided = false;
  /** The containers around the current value: one of them again is a circle. */
  private readonly around = new Set<object>();

  constructor(private readonly options: ElideOptions) {}

  shorten(value: unknown, depth: number): unknown {
    const opaque = this.options.opaque?.(value);
    if (opaque !== undefined) return opaque;
    switch (typeof value) {
      case "string":
        return this.text(value);
      case "bigint":
        return value.toString();
      case "function":
        return this.mark(value.name === "" ? "[function]" : `[function ${value.name}]`);
      case "symbol":
        return this.mark(value.toString());
      case "number":
        // JSON would turn these into null without a word.
        return Number.isFinite(value) ? value : String(value);
      case "object":
        return value === null ? null : this.object(value, depth);
      default:
        return value;
    }
  }

  private mark(text: string): string {
    this.elided = true;
    return text;
  }

  private text(text: string): string {
    const { maxString } = this.options;
    if (text.length <= maxString) return text;
    // Not through the middle of a character that takes two units.
    const high = text.charCodeAt(maxString - 1);
    const end = high >= 0xd800 && high <= 0xdbff ? maxString - 1 : maxString;
    return this.mark(`${text.slice(0, end)}… (${text.length} characters)`);
  }

  private object(value: object, depth: number): unknown {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
    if (value instanceof RegExp) return String(value);
    if (value instanceof Error) return this.text(`${value.name}: ${value.message}`);
    if (this.around.has(value)) return this.mark("[circular]");
    if (depth >= this.options.maxDepth) return this.mark(sizeOf(value));
    this.around.add(value);
    try {
      if (Array.isArray(value)) return this.array(value, depth);
      if (value instanceof Set) return this.array([...value], depth);
      if (value instanceof Map)
        return this.properties(
          [...value].map(([k, v]) => [keyText(k), v]),
          depth,
        );
      if (ArrayBuffer.isView(value)) return this.mark(`[${value.byteLength} bytes]`);
      if ("toJSON" in value && typeof value.toJSON === "function") return this.shorten(value.toJSON(), depth);
      if (isPlain(value)) return this.properties(Object.entries(value), depth);
      return this.mark(instanceText(value));
    } finally {
      this.around.delete(value);
    }
  }

  private array(items: readonly unknown[], depth: number): unknown[] {
    const { maxItems, keepHint } = this.options;
    const shown = items.slice(0, maxItems).map((item) => this.shorten(item, depth + 1));
    if (items.length > maxItems) {
      const hint = keepHint === undefined || keepHint === "" ? "" : `; ${keepHint}`;
      shown.push(this.mark(`… ${items.length - maxItems} more of ${items.length} items${hint}`));
    }
    return shown;
  }

  private properties(entries: [string, unknown][], depth: number): Record<string, unknown> {
    const limit = 2 * this.options.maxItems;
    const shown = entries.slice(0, limit).map(([key, item]) => [key, this.shorten(item, depth + 1)]);
    if (entries.length > limit) {
      shown.push(["…", this.mark(`${entries.length - limit} more of ${entries.length} properties`)]);
    }
    // fromEntries defines own properties, so that a key called __proto__ is data like any other.
    return Object.fromEntries(shown);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm is plain too: its prototype's prototype is null.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** `[Closure total]`: an instance is shown by its class and, when it has one, its name. */
function instanceText(value: object): string {
  const maker: unknown = value.constructor;
  const kind = typeof maker === "function" && maker.name !== "" ? maker.name : "object";
  const name = "name" in value && typeof value.name === "string" && value.name !== "" ? ` ${value.name}` : "";
  return `[${kind}${name}]`;
}

function sizeOf(value: object): string {
  if (Array.isArray(value)) return `[array of ${value.length}]`;
  if (value instanceof Set || value instanceof Map) return `[${value instanceof Set ? "set" : "map"} of ${value.size}]`;
  return isPlain(value) ? `[object of ${Object.keys(value).length}]` : instanceText(value);
}

function keyText(key: unknown): string {
  return typeof key === "object" && key !== null ? JSON.stringify(key) : String(key);
}
