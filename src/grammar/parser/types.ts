/** Type names: PostgreSQL's own spellings with their keywords, and any other type by name. */
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import { BaseParser } from "./base.js";

const { kw } = t;

/** A type without its array bounds. */
export interface PlainType {
  readonly name: string;
  readonly schema?: string;
  readonly modifiers?: readonly ast.Expression[];
  readonly intervalFields?: ast.IntervalFields;
  readonly percentType?: boolean;
}

const noModifiers: readonly ast.Expression[] = [];

export abstract class TypesParser extends BaseParser {
  private readonly plainTypes = [
    { ALT: () => this.named(this.CONSUME(kw.int), "int4") },
    { ALT: () => this.named(this.CONSUME(kw.integer), "int4") },
    { ALT: () => this.named(this.CONSUME(kw.smallint), "int2") },
    { ALT: () => this.named(this.CONSUME(kw.bigint), "int8") },
    { ALT: () => this.named(this.CONSUME(kw.real), "float4") },
    { ALT: () => this.named(this.CONSUME(kw.boolean), "bool") },
    { ALT: () => this.SUBRULE(this.floatType) },
    { ALT: () => this.SUBRULE(this.numericType) },
    { ALT: () => this.SUBRULE(this.bitType) },
    { ALT: () => this.SUBRULE(this.characterType) },
    { ALT: () => this.SUBRULE(this.timeType) },
    { ALT: () => this.SUBRULE(this.intervalType) },
    { ALT: () => this.SUBRULE(this.otherType) },
  ];

  /** A type wherever one stands: `int`, `numeric(10, 2)`, `timestamp with time zone`, `text[]`, `SETOF record`. */
  readonly typeName = this.RULE("typeName", (): ast.TypeName => {
    const start = this.mark();
    const setOf = this.OPTION(() => this.CONSUME(kw.setof)) !== undefined;
    const type = this.SUBRULE(this.plainType);
    const arrayBounds: (number | null)[] = [];
    let keyword = false;
    this.OPTION1(() => {
      this.CONSUME(kw.array);
      keyword = true;
      arrayBounds.push(this.OPTION2(() => this.SUBRULE1(this.arrayBound)) ?? null);
    });
    this.MANY({
      GATE: () => !keyword,
      DEF: () => {
        arrayBounds.push(this.SUBRULE2(this.arrayBound));
      },
    });
    return this.toTypeName(type, start, arrayBounds, setOf);
  });

  /** A type in front of a string literal, which can be no array: `date '2024-01-01'`. */
  protected toTypeName(
    type: PlainType,
    start: number,
    arrayBounds: readonly (number | null)[] = [],
    setOf = false,
  ): ast.TypeName {
    const node: ast.TypeName = {
      kind: "TypeName",
      name: type.name,
      modifiers: type.modifiers ?? noModifiers,
      arrayBounds,
      setOf,
      percentType: type.percentType ?? false,
      range: this.since(start),
      ...(type.schema === undefined ? {} : { schema: type.schema }),
      ...(type.intervalFields === undefined ? {} : { intervalFields: type.intervalFields }),
    };
    return node;
  }

  readonly plainType = this.RULE("plainType", (): PlainType => this.OR(this.plainTypes));

  private named(_token: unknown, name: string): PlainType {
    return { name };
  }

  private readonly arrayBound = this.RULE("arrayBound", (): number | null => {
    this.CONSUME(t.LeftBracket);
    const bound = this.OPTION(() => this.CONSUME(t.IntegerToken));
    this.CONSUME(t.RightBracket);
    return bound === undefined ? null : Number((bound as SqlToken).value);
  });

  private readonly floatType = this.RULE("floatType", (): PlainType => {
    this.CONSUME(kw.float);
    const precision = this.OPTION(() => this.SUBRULE(this.precision));
    if (precision === undefined) return { name: "float8" };
    const bits = Number(precision.text);
    if (bits < 1) {
      throw this.error(sqlstate.invalidParameterValue, "precision for type float must be at least 1 bit", precision);
    }
    if (bits > 53) {
      throw this.error(sqlstate.invalidParameterValue, "precision for type float must be less than 54 bits", precision);
    }
    return { name: bits <= 24 ? "float4" : "float8" };
  });

  private readonly numericType = this.RULE("numericType", (): PlainType => {
    this.OR([
      { ALT: () => this.CONSUME(kw.numeric) },
      { ALT: () => this.CONSUME(kw.decimal) },
      { ALT: () => this.CONSUME(kw.dec) },
    ]);
    return { name: "numeric", modifiers: this.OPTION(() => this.SUBRULE(this.parenthesizedExpressionList)) };
  });

  private readonly bitType = this.RULE("bitType", (): PlainType => {
    const word = this.CONSUME(kw.bit);
    const varying = this.OPTION1(() => this.CONSUME(kw.varying)) !== undefined;
    const modifiers = this.OPTION2(() => this.SUBRULE(this.parenthesizedExpressionList));
    if (varying) return { name: "varbit", modifiers };
    return { name: "bit", modifiers: modifiers ?? [this.one(word)] };
  });

  private readonly characterType = this.RULE("characterType", (): PlainType => {
    const word = this.next();
    const varying = this.OR<boolean>([
      { ALT: () => this.CONSUME(kw.varchar) !== undefined },
      {
        ALT: () => {
          this.OPTION1(() => this.CONSUME(kw.national));
          this.OR1([{ ALT: () => this.CONSUME(kw.character) }, { ALT: () => this.CONSUME(kw.char) }]);
          return this.OPTION2(() => this.CONSUME1(kw.varying)) !== undefined;
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.nchar);
          return this.OPTION3(() => this.CONSUME2(kw.varying)) !== undefined;
        },
      },
    ]);
    const length = this.OPTION4(() => this.SUBRULE(this.precision));
    if (varying) return { name: "varchar", modifiers: length === undefined ? noModifiers : [length] };
    return { name: "bpchar", modifiers: [length ?? this.one(word)] };
  });

  private readonly timeType = this.RULE("timeType", (): PlainType => {
    const name = this.OR([
      { ALT: () => this.CONSUME(kw.timestamp) && "timestamp" },
      { ALT: () => this.CONSUME(kw.time) && "time" },
    ]);
    const precision = this.OPTION1(() => this.SUBRULE(this.precision));
    let suffix = "";
    this.OPTION2({
      GATE: () => this.nextIs(kw.time, 2),
      DEF: () => {
        suffix = this.OR1([
          { ALT: () => this.CONSUME(kw.with) && "tz" },
          { ALT: () => this.CONSUME(kw.without) && "" },
        ]);
        this.CONSUME1(kw.time);
        this.CONSUME(kw.zone);
      },
    });
    return { name: name + suffix, modifiers: precision === undefined ? noModifiers : [precision] };
  });

  private readonly intervalType = this.RULE("intervalType", (): PlainType => {
    this.CONSUME(kw.interval);
    const precision = this.OPTION1(() => this.SUBRULE(this.precision));
    if (precision !== undefined && !this.RECORDING_PHASE) return { name: "interval", modifiers: [precision] };
    return { name: "interval", ...this.OPTION2(() => this.SUBRULE(this.intervalFields)) };
  });

  /** `YEAR`, `DAY TO SECOND(3)`, … behind INTERVAL or behind an interval literal. */
  readonly intervalFields = this.RULE("intervalFields", (): Pick<PlainType, "intervalFields" | "modifiers"> => {
    const first = this.SUBRULE1(this.intervalField);
    let last: string | undefined;
    this.OPTION1(() => {
      this.CONSUME(kw.to);
      const place = this.next();
      last = this.SUBRULE2(this.intervalField);
      if (!this.RECORDING_PHASE && !allowedEnds.get(first)?.includes(last)) this.fail(place);
    });
    const precision = this.OPTION2({
      GATE: () => (last ?? first) === "second",
      DEF: () => this.SUBRULE(this.precision),
    });
    return {
      intervalFields: (last === undefined ? first : `${first} to ${last}`) as ast.IntervalFields,
      modifiers: precision === undefined ? noModifiers : [precision],
    };
  });

  private readonly intervalField = this.RULE("intervalField", (): string => {
    const token = this.OR([
      { ALT: () => this.CONSUME(kw.year) },
      { ALT: () => this.CONSUME(kw.month) },
      { ALT: () => this.CONSUME(kw.day) },
      { ALT: () => this.CONSUME(kw.hour) },
      { ALT: () => this.CONSUME(kw.minute) },
      { ALT: () => this.CONSUME(kw.second) },
    ]);
    return (token as SqlToken).value;
  });

  /** `double precision` and every type that has no syntax of its own. */
  private readonly otherType = this.RULE("otherType", (): PlainType => {
    const start = this.mark();
    const first = this.CONSUME(t.TypeOrFunctionName) as SqlToken;
    const precision = this.OPTION1({
      GATE: () => first.tokenType === kw.double,
      DEF: () => this.CONSUME(kw.precision),
    });
    if (precision !== undefined && !this.RECORDING_PHASE) return { name: "float8" };
    const parts = [first.value];
    this.MANY(() => {
      this.CONSUME(t.Dot);
      parts.push((this.CONSUME(t.ColumnLabel) as SqlToken).value);
    });
    let percentType = false;
    this.OPTION2({
      GATE: () => this.nextIs(kw.type, 2),
      DEF: () => {
        this.CONSUME(t.Percent);
        this.CONSUME(kw.type);
        percentType = true;
      },
    });
    const modifiers = this.OPTION3(() => this.SUBRULE(this.parenthesizedExpressionList));
    if (percentType) return { name: parts[parts.length - 1], schema: parts.slice(0, -1).join("."), percentType };
    const name = this.toQualifiedName(parts, this.since(start));
    return { name: name.name, schema: name.schema, modifiers };
  });

  /** `(3)`: a plain number in parentheses. */
  readonly precision = this.RULE("precision", (): ast.NumericLiteral => {
    this.CONSUME(t.LeftParen);
    const token = this.CONSUME(t.IntegerToken) as SqlToken;
    this.CONSUME(t.RightParen);
    const range = { start: token.startOffset, end: (token.endOffset as number) + 1 };
    return { kind: "NumericLiteral", text: token.value, isInteger: true, range };
  });

  /** The length 1 that `char` and `bit` have when none is written; it stands where the word stands. */
  private one(word: { startOffset: number; endOffset?: number }): ast.NumericLiteral {
    const range = { start: word.startOffset, end: (word.endOffset as number) + 1 };
    return { kind: "NumericLiteral", text: "1", isInteger: true, range };
  }

  /**
   * Whether a keyword of a type (`timestamp(3) with time zone`, `int`, `bit varying`) begins a literal such as
   * `int '1'`. Otherwise it is an ordinary name, as column-name keywords may be.
   */
  protected startsTypedLiteral(): boolean {
    if (!typeWords.has(this.next().tokenType)) return false;
    // No function has such a name, and no label stands without AS before WITH: only a type can go on like that.
    if (this.nextIs(t.LeftParen, 2)) return this.next().tokenType !== kw.double;
    if ((this.nextIs(kw.with, 2) || this.nextIs(kw.without, 2)) && this.nextIs(kw.time, 3)) return true;
    let ahead = 2;
    while (typeWordParts.has(this.next(ahead).tokenType)) ahead++;
    return this.nextIs(t.StringToken, ahead) || this.nextIs(t.LeftParen, ahead);
  }
}

/** Words that begin a type by syntax and are names otherwise. */
const typeWords: ReadonlySet<unknown> = new Set([
  ...[kw.int, kw.integer, kw.smallint, kw.bigint, kw.real, kw.boolean, kw.float, kw.numeric, kw.decimal, kw.dec],
  ...[kw.bit, kw.varchar, kw.character, kw.char, kw.nchar, kw.national, kw.time, kw.timestamp, kw.interval, kw.double],
]);

/** Words that may stand between the first word of a type and its literal. */
const typeWordParts: ReadonlySet<unknown> = new Set([...[kw.varying, kw.precision, kw.character, kw.char]]);

const allowedEnds: ReadonlyMap<string, readonly string[]> = new Map([
  ["year", ["month"]],
  ["day", ["hour", "minute", "second"]],
  ["hour", ["minute", "second"]],
  ["minute", ["second"]],
]);
