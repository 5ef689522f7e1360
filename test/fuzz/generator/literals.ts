/** First chapter of the generator: random numbers, the world, and literals in the forms that people write. */
import { quote } from "../names.js";
import { makeRng, type Rng } from "../rng.js";
import { type Expr, type ParameterForm, raw, type ValueType } from "../tree.js";
import { castNames, intervals, literalText, randomDate, randomStamp, randomValue } from "../values.js";
import type { Profile, World } from "../world.js";
import type { KnownCte } from "./scope.js";

export interface LeafOptions {
  /** `col`: a column is wanted; `num`, `datetext`, `doc`: of that kind. */
  readonly mods?: readonly string[];
  /** A column nearly always. */
  readonly column?: boolean;
  /** A literal must name its type. */
  readonly typed?: boolean;
}

type Weights = readonly (readonly [number, ValueType])[];

const itemWeights: Readonly<Record<Profile, Weights>> = {
  core: [
    ...([
      [5, "text"],
      [4, "int"],
      [3, "numeric"],
      [2, "bool"],
      [2, "date"],
      [2, "tstz"],
      [1, "float"],
    ] as const),
    ...([
      [1, "bigint"],
      [0.4, "jsonb"],
      [0.3, "text[]"],
      [0.2, "interval"],
      [0.2, "ts"],
      [0.2, "enum"],
    ] as const),
  ],
  full: [
    ...([
      [4, "text"],
      [3, "int"],
      [2.5, "numeric"],
      [2.5, "bool"],
      [1.5, "date"],
      [2, "tstz"],
      [1.5, "float"],
    ] as const),
    ...([
      [1.2, "bigint"],
      [1.5, "jsonb"],
      [1.5, "text[]"],
      [0.6, "int[]"],
      [1.2, "interval"],
      [1, "ts"],
    ] as const),
    ...([
      [0.4, "uuid"],
      [0.6, "enum"],
    ] as const),
  ],
};

export abstract class LiteralGenerator {
  readonly r: Rng;
  readonly full: boolean;
  protected readonly itemTypes: Weights;
  /** Names that FROM has given out in this statement. */
  protected used = new Set<string>();
  protected ctes: KnownCte[] = [];
  /** How much of an expression is still to be spent. */
  protected budget = 0;
  private readonly present: ReadonlySet<ValueType>;

  constructor(
    seed: number,
    readonly world: World,
    readonly profile: Profile,
  ) {
    this.r = makeRng(seed);
    this.full = profile === "full";
    this.present = new Set(world.tables.flatMap((table) => table.cols.map((column) => column.type)));
    const wanted = itemWeights[profile].filter(([, type]) => this.ok(type));
    this.itemTypes = this.full ? wanted : wanted.filter(([, type]) => this.present.has(type));
  }

  /** The enum exists only in worlds that have a column of it. */
  ok(type: ValueType): boolean {
    return type !== "enum" || this.present.has("enum");
  }

  literal(type: ValueType, options: LeafOptions = {}): Expr {
    const { r } = this;
    const { mods = [], typed = false } = options;
    if (mods.length === 0 && r.chance(this.full ? 0.03 : 0.004)) {
      const cast = castNames[type];
      return raw(type, `NULL::${cast}`, 150, { leaf: "lit", f: "lit:NULL::type", param: { value: null, cast } });
    }
    switch (type) {
      case "int":
        return this.number(type, String(r.chance(0.85) ? r.int(0, 20) : r.pick([-1, 100, -7, 1000, 365])), "integer");
      case "bigint":
        if (r.chance(0.5)) return this.cast(type, String(r.int(0, 1000)), false, 1000);
        return this.number(type, r.pick(["5000000000", "9007199254740993", "4294967296"]), "bigint");
      case "numeric": {
        const numbers = ["0.5", "1.5", "100.0", "2.25", "0.1", "1.10", "3.14159", "-0.75", "1000.00", "0.333"];
        return this.number(type, r.pick(numbers), "numeric");
      }
      case "float":
        if (r.chance(0.5)) return this.cast(type, r.pick(["0.5", "1.25", "10", "0.1", "2.75"]), false, 10);
        return this.cast(type, r.pick(["1.5", "-2.5", "1e3", "0.25"]), true, 1000);
      case "bool": {
        const text = r.pick(["TRUE", "FALSE", "true", "false"]);
        return raw(type, text, 200, { leaf: "lit", param: { value: text.toLowerCase() === "true", cast: "boolean" } });
      }
      case "text":
        return this.textLiteral(mods, typed);
      case "date":
        return this.temporal(type, randomDate(r), "DATE");
      case "ts":
        return this.temporal(type, randomStamp(r), "TIMESTAMP");
      case "tstz": {
        const zone = r.pick(["+00", "+00", "+02", "-05:30", "Z", ""]);
        const word = r.chance(0.3) ? "TIMESTAMPTZ" : "TIMESTAMP WITH TIME ZONE";
        return this.temporal(type, randomStamp(r) + zone, word);
      }
      case "interval": {
        const odd = ["1 week", "30 minutes", "1 hour", "7 days", "1 month", "90 seconds", "1.5 hours", "P1DT2H"];
        return this.temporal(type, r.pick(r.chance(0.7) ? intervals : [...odd, "1-2", "3 4:05"]), "INTERVAL");
      }
      case "jsonb":
        return this.cast(type, randomValue(r, type, mods.includes("doc") || r.chance(0.4) ? "doc" : "wild"), true);
      case "text[]": {
        const items = Array.from({ length: r.int(1, 3) }, () => quote(r.pick(["red", "blue", "bug", "x", "q4"])));
        return r.chance(0.6) ? this.arrayLiteral(type, items) : this.cast(type, randomValue(r, type), true);
      }
      case "int[]": {
        const items = Array.from({ length: r.int(1, 3) }, () => String(r.int(0, 9)));
        return r.chance(0.6) ? this.arrayLiteral(type, items) : this.cast(type, randomValue(r, type), true);
      }
      case "uuid":
      case "enum":
        return this.cast(type, randomValue(r, type), true);
    }
  }

  private number(type: ValueType, text: string, cast: string): Expr {
    const param: ParameterForm = { value: text, cast };
    return raw(type, text, text.startsWith("-") ? 130 : 200, { leaf: "lit", m: Math.abs(Number(text)), param });
  }

  private cast(type: ValueType, value: string, quoted: boolean, m = 0): Expr {
    const cast = type === "float" && quoted ? "float8" : castNames[type];
    const more = { leaf: "lit", f: `lit:::${cast}`, m, param: { value, cast } } as const;
    return raw(type, `${quoted ? quote(value) : value}::${cast}`, 150, more);
  }

  private temporal(type: ValueType, value: string, word: string): Expr {
    const cast = castNames[type];
    const param = { value, cast };
    if (this.r.chance(0.5)) return raw(type, `${word} ${quote(value)}`, 200, { leaf: "lit", f: `lit:${word}`, param });
    if (this.r.chance(0.85)) return this.cast(type, value, true);
    return raw(type, `CAST(${quote(value)} AS ${cast})`, 200, { leaf: "lit", f: `lit:CAST AS ${cast}`, param });
  }

  private arrayLiteral(type: ValueType, items: readonly string[]): Expr {
    return raw(type, `ARRAY[${items.join(", ")}]`, 180, { leaf: "lit", f: "lit:ARRAY" });
  }

  private textLiteral(mods: readonly string[], typed: boolean): Expr {
    const { r } = this;
    if (mods.includes("num")) return raw("text", quote(String(r.int(-5, 99))), 200, { leaf: "lit", m: 99 });
    if (mods.includes("datetext")) return raw("text", quote(randomDate(r)), 200, { leaf: "lit" });
    const value = this.dataText();
    if (typed || r.chance(0.1)) return this.cast("text", value, true);
    return raw("text", quote(value), 200, { leaf: "lit", param: { value } });
  }

  /** A text that occurs in the data, mostly. */
  protected dataText(): string {
    const { r } = this;
    const table = r.pick(this.world.tables);
    const at = table.cols.findIndex((column) => column.type === "text");
    if (at >= 0 && table.rows.length > 0 && r.chance(0.6)) {
      const value = r.pick(table.rows)[at];
      if (value !== null) return value;
    }
    const plain = ["a", "abc", "x", "foo", "N/A", "unknown", "high", "low", "", "é", "open", "Bob", "alice", "it's"];
    return r.pick(plain);
  }

  /** A literal as people write it beside a column: numbers bare, all else quoted without a type. */
  protected bare(type: ValueType, source: { table: string; col: string } | null): Expr {
    const { r } = this;
    let value = this.valueOf(source) ?? this.anyValue(type);
    if (type === "tstz" && r.chance(0.5)) value = value.slice(0, 10);
    if ((type === "numeric" || type === "float") && r.chance(0.5) && /^-?\d+(\.\d+)?$/.test(value)) {
      value = String(Math.trunc(Number(value)));
    }
    const text = literalText(type, value);
    const quoted = text.startsWith("'");
    return raw(type, text, text.startsWith("-") ? 130 : 200, {
      leaf: "lit",
      m: Math.abs(Number(value)) || 0,
      ...(quoted && { param: { value } }),
    });
  }

  private anyValue(type: ValueType): string {
    return type === "text" ? this.dataText() : randomValue(this.r, type, "mid");
  }

  private valueOf(source: { table: string; col: string } | null): string | null {
    if (source === null) return null;
    const table = this.world.tables.find(({ name }) => name === source.table);
    const at = table?.cols.findIndex(({ name }) => name === source.col) ?? -1;
    if (table === undefined || at < 0 || table.rows.length === 0 || !this.r.chance(0.75)) return null;
    return this.r.pick(table.rows)[at];
  }
}
