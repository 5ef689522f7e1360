/** Expressions with a syntax of their own that look like calls: CASE, CAST, COALESCE, EXTRACT, TRIM, ARRAY, CURRENT_DATE …. */
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import { CallsParser } from "./calls.js";

const { kw } = t;

export abstract class SpecialFormsParser extends CallsParser {
  // Each special form begins with a word of its own; the lexer has made sure that a parenthesis follows where one must.
  private readonly specialForms = [
    { ALT: (): ast.Expression => this.SUBRULE(this.caseExpression) },
    { ALT: (): ast.Expression => this.SUBRULE(this.castExpression) },
    { ALT: (): ast.Expression => this.SUBRULE(this.coalesce) },
    { ALT: (): ast.Expression => this.SUBRULE(this.minMax) },
    { ALT: (): ast.Expression => this.SUBRULE(this.nullIf) },
    { ALT: (): ast.Expression => this.SUBRULE(this.exists) },
    { ALT: (): ast.Expression => this.SUBRULE(this.extract) },
    { ALT: (): ast.Expression => this.SUBRULE(this.trim) },
    { ALT: (): ast.Expression => this.SUBRULE(this.substring) },
    { ALT: (): ast.Expression => this.SUBRULE(this.position) },
    { ALT: (): ast.Expression => this.SUBRULE(this.overlay) },
    { ALT: (): ast.Expression => this.SUBRULE(this.normalize) },
    { ALT: (): ast.Expression => this.SUBRULE(this.grouping) },
    { ALT: (): ast.Expression => this.SUBRULE(this.sqlValueFunction) },
    { ALT: (): ast.Expression => this.SUBRULE(this.arrayExpression) },
    { ALT: (): ast.Expression => this.SUBRULE(this.refusedForm) },
  ];

  readonly specialForm = this.RULE("specialForm", (): ast.Expression => this.OR(this.specialForms));

  private readonly caseExpression = this.RULE("caseExpression", (): ast.Case => {
    const start = this.mark();
    this.CONSUME(kw.case);
    const operand = this.OPTION1(() => this.SUBRULE1(this.expression));
    const branches: ast.CaseBranch[] = [];
    this.AT_LEAST_ONE(() => {
      branches.push(this.SUBRULE(this.caseBranch));
    });
    const otherwise = this.OPTION2(() => {
      this.CONSUME(kw.else);
      return this.SUBRULE2(this.expression);
    });
    this.CONSUME(kw.end);
    return {
      kind: "Case",
      ...(operand === undefined ? {} : { operand }),
      branches,
      ...(otherwise === undefined ? {} : { otherwise }),
      range: this.since(start),
    };
  });

  private readonly caseBranch = this.RULE("caseBranch", (): ast.CaseBranch => {
    const start = this.mark();
    this.CONSUME(kw.when);
    const when = this.SUBRULE1(this.expression);
    this.CONSUME(kw.then);
    const then = this.SUBRULE2(this.expression);
    return { kind: "CaseBranch", when, then, range: this.since(start) };
  });

  private readonly castExpression = this.RULE("castExpression", (): ast.Cast => {
    const start = this.mark();
    this.CONSUME(kw.cast);
    this.CONSUME(t.LeftParen);
    const operand = this.SUBRULE(this.expression);
    this.CONSUME(kw.as);
    const type = this.SUBRULE(this.typeName);
    this.CONSUME(t.RightParen);
    return { kind: "Cast", operand, type, range: this.since(start) };
  });

  private readonly coalesce = this.RULE("coalesce", (): ast.Coalesce => {
    const start = this.mark();
    this.CONSUME(kw.coalesce);
    const args = this.SUBRULE(this.parenthesizedExpressionList);
    return { kind: "Coalesce", args, range: this.since(start) };
  });

  private readonly minMax = this.RULE("minMax", (): ast.MinMax => {
    const start = this.mark();
    const operator = this.OR<"greatest" | "least">([
      { ALT: () => this.CONSUME(kw.greatest) && "greatest" },
      { ALT: () => this.CONSUME(kw.least) && "least" },
    ]);
    const args = this.SUBRULE(this.parenthesizedExpressionList);
    return { kind: "MinMax", operator, args, range: this.since(start) };
  });

  private readonly nullIf = this.RULE("nullIf", (): ast.NullIf => {
    const start = this.mark();
    this.CONSUME(kw.nullif);
    this.CONSUME(t.LeftParen);
    const left = this.SUBRULE1(this.expression);
    this.CONSUME(t.Comma);
    const right = this.SUBRULE2(this.expression);
    this.CONSUME(t.RightParen);
    return { kind: "NullIf", left, right, range: this.since(start) };
  });

  private readonly exists = this.RULE("exists", (): ast.Exists => {
    const start = this.mark();
    this.CONSUME(kw.exists);
    if (!this.RECORDING_PHASE && !this.opensQuery()) this.fail(this.next(2));
    const query = this.SUBRULE(this.parenthesizedQuery);
    return { kind: "Exists", query, range: this.since(start) };
  });

  private readonly grouping = this.RULE("grouping", (): ast.Grouping => {
    const start = this.mark();
    this.CONSUME(kw.grouping);
    const args = this.SUBRULE(this.parenthesizedExpressionList);
    return { kind: "Grouping", args, range: this.since(start) };
  });

  // Forms that stand for a function of pg_catalog -----------------------------------------------------------------------

  private systemCall(
    name: string,
    word: { startOffset: number; endOffset?: number },
    values: readonly ast.Expression[],
    start: number,
  ): ast.FunctionCall {
    return {
      kind: "FunctionCall",
      name: this.systemName(name, { start: word.startOffset, end: (word.endOffset as number) + 1 }),
      args: this.toArguments(values),
      star: false,
      distinct: false,
      orderBy: [],
      range: this.since(start),
    };
  }

  protected toArguments(values: readonly ast.Expression[]): ast.FunctionArgument[] {
    return values.map((value) => ({ kind: "FunctionArgument", value, variadic: false, range: value.range }));
  }

  /** EXTRACT(field FROM x); the field is a word or a string. */
  private readonly extract = this.RULE("extract", (): ast.FunctionCall => {
    const start = this.mark();
    const word = this.CONSUME(kw.extract);
    this.CONSUME(t.LeftParen);
    const field = this.OR([
      { ALT: () => this.CONSUME(t.Identifier) },
      { ALT: () => this.CONSUME(kw.year) },
      { ALT: () => this.CONSUME(kw.month) },
      { ALT: () => this.CONSUME(kw.day) },
      { ALT: () => this.CONSUME(kw.hour) },
      { ALT: () => this.CONSUME(kw.minute) },
      { ALT: () => this.CONSUME(kw.second) },
      { ALT: () => this.CONSUME(t.StringToken) },
    ]);
    this.CONSUME(kw.from);
    const value = this.SUBRULE(this.expression);
    this.CONSUME(t.RightParen);
    return this.RECORDING_PHASE
      ? this.systemCall("extract", word, [], start)
      : this.systemCall("extract", word, [this.stringLiteral(field), value], start);
  });

  protected stringLiteral(token: { startOffset: number; endOffset?: number }): ast.StringLiteral {
    const range = { start: token.startOffset, end: (token.endOffset as number) + 1 };
    return { kind: "StringLiteral", value: (token as SqlToken).value, range };
  }

  /** TRIM([LEADING | TRAILING | BOTH] [characters] FROM x), or TRIM(x, characters). */
  private readonly trim = this.RULE("trim", (): ast.FunctionCall => {
    const start = this.mark();
    const word = this.CONSUME(kw.trim);
    this.CONSUME(t.LeftParen);
    let name = "btrim";
    this.OPTION1(() => {
      name = this.OR1([
        { ALT: () => this.CONSUME(kw.both) && "btrim" },
        { ALT: () => this.CONSUME(kw.leading) && "ltrim" },
        { ALT: () => this.CONSUME(kw.trailing) && "rtrim" },
      ]);
    });
    const values: ast.Expression[] = [];
    let characters: ast.Expression | undefined;
    this.OR2([
      {
        ALT: () => {
          this.CONSUME1(kw.from);
          values.push(...this.recorded(this.SUBRULE1(this.expressionList)));
        },
      },
      {
        ALT: () => {
          values.push(this.SUBRULE(this.expression));
          this.OPTION2(() => {
            this.OR3([
              {
                ALT: () => {
                  this.CONSUME2(kw.from);
                  characters = values.pop();
                  values.push(...this.recorded(this.SUBRULE2(this.expressionList)));
                },
              },
              {
                ALT: () => {
                  this.CONSUME(t.Comma);
                  values.push(...this.recorded(this.SUBRULE3(this.expressionList)));
                },
              },
            ]);
          });
        },
      },
    ]);
    this.CONSUME(t.RightParen);
    if (characters !== undefined) values.push(characters);
    return this.systemCall(name, word, this.RECORDING_PHASE ? [] : values, start);
  });

  /** A list that a rule gave; while the grammar is recorded rules give no lists. */
  protected recorded<T>(list: readonly T[]): readonly T[] {
    return this.RECORDING_PHASE ? [] : list;
  }

  private plainCall(
    name: string,
    word: { startOffset: number; endOffset?: number },
    args: readonly ast.FunctionArgument[],
    start: number,
  ): ast.FunctionCall {
    const range = { start: word.startOffset, end: (word.endOffset as number) + 1 };
    return {
      kind: "FunctionCall",
      name: { kind: "QualifiedName", name, range },
      args,
      star: false,
      distinct: false,
      orderBy: [],
      range: this.since(start),
    };
  }

  /** `x, y` of SUBSTRING and OVERLAY, which may also be called as ordinary functions. */
  private readonly plainArguments = this.RULE("plainArguments", (args: ast.FunctionArgument[]): void => {
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        const argument = this.SUBRULE(this.argument);
        if (!this.RECORDING_PHASE) args.push(argument);
      },
    });
  });

  private isSingle(args: readonly ast.FunctionArgument[]): boolean {
    return args.length === 1 && args[0].name === undefined && !args[0].variadic;
  }

  /** SUBSTRING(x FROM a FOR b), SUBSTRING(x SIMILAR p ESCAPE e), or an ordinary call. */
  private readonly substring = this.RULE("substring", (): ast.FunctionCall => {
    const start = this.mark();
    const word = this.CONSUME(kw.substring);
    this.CONSUME(t.LeftParen);
    const args: ast.FunctionArgument[] = [];
    this.OPTION1(() => {
      this.SUBRULE(this.plainArguments, { ARGS: [args] });
    });
    const tail = this.OPTION2({
      GATE: () => this.isSingle(args),
      DEF: () => this.SUBRULE(this.substringTail),
    });
    this.CONSUME(t.RightParen);
    if (tail === undefined || this.RECORDING_PHASE) return this.plainCall("substring", word, args, start);
    return this.systemCall("substring", word, [args[0].value, ...tail], start);
  });

  private readonly substringTail = this.RULE("substringTail", (): ast.Expression[] => {
    let from: ast.Expression | undefined;
    let length: ast.Expression | undefined;
    let escaped: ast.Expression | undefined;
    this.OR([
      {
        ALT: () => {
          this.CONSUME1(kw.from);
          from = this.SUBRULE1(this.expression);
          this.OPTION1(() => {
            this.CONSUME1(kw.for);
            length = this.SUBRULE2(this.expression);
          });
        },
      },
      {
        ALT: () => {
          this.CONSUME2(kw.for);
          length = this.SUBRULE3(this.expression);
          this.OPTION2(() => {
            this.CONSUME2(kw.from);
            from = this.SUBRULE4(this.expression);
          });
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.similar);
          from = this.SUBRULE5(this.expression);
          this.CONSUME(kw.escape);
          escaped = this.SUBRULE6(this.expression);
        },
      },
    ]);
    if (this.RECORDING_PHASE) return [];
    if (escaped !== undefined) return [from as ast.Expression, escaped];
    if (length === undefined) return [from as ast.Expression];
    if (from !== undefined) return [from, length];
    // FOR alone counts from the first character, and its length is cast, as PostgreSQL's grammar does.
    const { range } = length;
    const type: ast.TypeName = {
      kind: "TypeName",
      name: "int4",
      modifiers: [],
      arrayBounds: [],
      setOf: false,
      percentType: false,
      range,
    };
    return [
      { kind: "NumericLiteral", text: "1", isInteger: true, range },
      { kind: "Cast", operand: length, type, range },
    ];
  });

  /** OVERLAY(x PLACING y FROM a FOR b), or an ordinary call. */
  private readonly overlay = this.RULE("overlay", (): ast.FunctionCall => {
    const start = this.mark();
    const word = this.CONSUME(kw.overlay);
    this.CONSUME(t.LeftParen);
    const args: ast.FunctionArgument[] = [];
    const values: ast.Expression[] = [];
    this.OPTION1(() => {
      this.SUBRULE(this.plainArguments, { ARGS: [args] });
    });
    this.OPTION2({
      GATE: () => this.isSingle(args),
      DEF: () => {
        this.CONSUME(kw.placing);
        values.push(this.SUBRULE1(this.expression));
        this.CONSUME(kw.from);
        values.push(this.SUBRULE2(this.expression));
        this.OPTION3(() => {
          this.CONSUME(kw.for);
          values.push(this.SUBRULE3(this.expression));
        });
      },
    });
    this.CONSUME(t.RightParen);
    if (values.length === 0 || this.RECORDING_PHASE) return this.plainCall("overlay", word, args, start);
    return this.systemCall("overlay", word, [args[0].value, ...values], start);
  });

  /** POSITION(part IN whole), which is `position(whole, part)`. */
  private readonly position = this.RULE("position", (): ast.FunctionCall => {
    const start = this.mark();
    const word = this.CONSUME(kw.position);
    this.CONSUME(t.LeftParen);
    const part = this.SUBRULE1(this.expression, { ARGS: [0, true] });
    this.CONSUME(kw.in);
    const whole = this.SUBRULE2(this.expression, { ARGS: [0, true] });
    this.CONSUME(t.RightParen);
    return this.systemCall("position", word, this.RECORDING_PHASE ? [] : [whole, part], start);
  });

  /** NORMALIZE(x, NFKC). */
  private readonly normalize = this.RULE("normalize", (): ast.FunctionCall => {
    const start = this.mark();
    const word = this.CONSUME(kw.normalize);
    this.CONSUME(t.LeftParen);
    const values = [this.SUBRULE(this.expression)];
    this.OPTION(() => {
      this.CONSUME(t.Comma);
      values.push(this.SUBRULE(this.normalForm));
    });
    this.CONSUME(t.RightParen);
    return this.systemCall("normalize", word, this.RECORDING_PHASE ? [] : values, start);
  });

  /** NFC, NFD, NFKC, NFKD as a string. */
  readonly normalForm = this.RULE("normalForm", (): ast.StringLiteral => {
    const token = this.OR([
      { ALT: () => this.CONSUME(kw.nfc) },
      { ALT: () => this.CONSUME(kw.nfd) },
      { ALT: () => this.CONSUME(kw.nfkc) },
      { ALT: () => this.CONSUME(kw.nfkd) },
    ]);
    const literal = this.stringLiteral(token);
    return { ...literal, value: this.RECORDING_PHASE ? "" : literal.value.toUpperCase() };
  });

  /** CURRENT_DATE and friends; CURRENT_SCHEMA, which may also be called, is read as a name. */
  private readonly sqlValueFunction = this.RULE("sqlValueFunction", (): ast.SqlValueFunction => {
    const start = this.mark();
    const token = this.OR([
      { ALT: () => this.CONSUME(kw.current_date) },
      { ALT: () => this.CONSUME(kw.current_time) },
      { ALT: () => this.CONSUME(kw.current_timestamp) },
      { ALT: () => this.CONSUME(kw.localtime) },
      { ALT: () => this.CONSUME(kw.localtimestamp) },
      { ALT: () => this.CONSUME(kw.current_role) },
      { ALT: () => this.CONSUME(kw.current_user) },
      { ALT: () => this.CONSUME(kw.session_user) },
      { ALT: () => this.CONSUME(kw.user) },
      { ALT: () => this.CONSUME(kw.current_catalog) },
    ]) as SqlToken;
    const precision = this.OPTION({
      GATE: () => takesPrecision.has(token.tokenType),
      DEF: () => this.SUBRULE(this.precision),
    });
    const name = token.value as ast.SqlValueFunction["name"];
    const range = this.since(start);
    return precision === undefined
      ? { kind: "SqlValueFunction", name, range }
      : { kind: "SqlValueFunction", name, precision: Number(precision.text), range };
  });

  // Arrays --------------------------------------------------------------------------------------------------------------

  private readonly arrayExpression = this.RULE("arrayExpression", (): ast.Expression => {
    const start = this.mark();
    this.CONSUME(kw.array);
    return this.OR<ast.Expression>([
      {
        ALT: () => {
          const elements = this.SUBRULE(this.arrayElements);
          return { kind: "ArrayConstructor", elements, range: this.since(start) };
        },
      },
      {
        ALT: () => {
          if (!this.RECORDING_PHASE && !this.opensQuery()) this.fail(this.next(2));
          const query = this.SUBRULE(this.parenthesizedQuery);
          return { kind: "ArraySubquery", query, range: this.since(start) };
        },
      },
    ]);
  });

  /** `[a, b]` or `[[a, b], [c, d]]`. */
  private readonly arrayElements = this.RULE("arrayElements", (): ast.Expression[] => {
    const elements: ast.Expression[] = [];
    this.CONSUME(t.LeftBracket);
    this.OPTION(() => {
      this.OR([
        {
          ALT: () => {
            elements.push(...this.recorded(this.SUBRULE(this.expressionList)));
          },
        },
        {
          ALT: () => {
            this.AT_LEAST_ONE_SEP({
              SEP: t.Comma,
              DEF: () => {
                elements.push(this.SUBRULE(this.innerArray));
              },
            });
          },
        },
      ]);
    });
    this.CONSUME(t.RightBracket);
    return elements;
  });

  private readonly innerArray = this.RULE("innerArray", (): ast.ArrayConstructor => {
    const start = this.mark();
    this.enter();
    const elements = this.SUBRULE(this.arrayElements);
    this.leave();
    return { kind: "ArrayConstructor", elements, range: this.since(start) };
  });

  // Outside the surface -------------------------------------------------------------------------------------------------

  /** TREAT and the XML functions have a syntax of their own and no meaning here. */
  private readonly refusedForm = this.RULE("refusedForm", (): ast.Expression => {
    const word = this.OR([
      { ALT: () => this.CONSUME(kw.treat) },
      { ALT: () => this.CONSUME(t.XmlFunction) },
    ]) as SqlToken;
    if (!this.RECORDING_PHASE) {
      throw this.error(
        sqlstate.featureNotSupported,
        `${word.image.toUpperCase()} is not supported`,
        word.startOffset,
        word.tokenType === kw.treat ? "Use CAST(value AS type)." : "Use text or jsonb instead of xml.",
      );
    }
    return { kind: "NullLiteral", range: { start: 0, end: 0 } };
  });
}

const takesPrecision: ReadonlySet<unknown> = new Set([
  kw.current_time,
  kw.current_timestamp,
  kw.localtime,
  kw.localtimestamp,
]);
