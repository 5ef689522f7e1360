/**
 * Expressions: operands, and operators by precedence climbing.
 *
 * Levels are PostgreSQL's, lowest first (15, 4.1.6 "Operator Precedence", and the declarations in its grammar):
 * OR, AND, NOT, IS, comparison, BETWEEN/IN/LIKE, other operators, + -, * / %, ^, AT TIME ZONE, COLLATE, unary sign, ::.
 * Comparison, BETWEEN/IN/LIKE and IS DISTINCT FROM do not associate. A prefix operator reads its operand at its own
 * level wherever it stands. A *restricted* expression is what may stand where AND or IN would be ambiguous, as the lower
 * bound of BETWEEN: no logic, no predicates, only operators and IS DISTINCT FROM.
 */
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import type { RuleOf } from "./base.js";
import { SpecialFormsParser } from "./special-forms.js";

const { kw } = t;

const level = {
  or: 1,
  and: 2,
  not: 3,
  is: 4,
  comparison: 5,
  predicate: 6,
  escape: 7,
  operator: 8,
  additive: 9,
  multiplicative: 10,
  power: 11,
  at: 12,
  collate: 13,
  sign: 14,
  cast: 16,
  overlaps: 17,
} as const;

/** Level of each token as an infix or postfix operator, by token id; 0 for all others. */
const infixLevels: number[] = [];
for (const [type, value] of [
  [kw.or, level.or],
  [kw.and, level.and],
  ...[kw.is, kw.isnull, kw.notnull].map((type) => [type, level.is] as const),
  ...[t.Less, t.Greater, t.Equal, t.LessEqual, t.GreaterEqual, t.NotEqual].map(
    (type) => [type, level.comparison] as const,
  ),
  ...[kw.between, kw.in, kw.like, kw.ilike, kw.similar, kw.not].map((type) => [type, level.predicate] as const),
  ...[t.OperatorToken, kw.operator].map((type) => [type, level.operator] as const),
  ...[t.Plus, t.Minus].map((type) => [type, level.additive] as const),
  ...[t.Star, t.Slash, t.Percent].map((type) => [type, level.multiplicative] as const),
  [t.Caret, level.power],
  [kw.at, level.at],
  [kw.collate, level.collate],
  [t.TypeCast, level.cast],
  [kw.overlaps, level.overlaps],
] as const) {
  infixLevels[type.tokenTypeIdx as number] = value;
}

export abstract class ExpressionsParser extends SpecialFormsParser {
  /** What the operator that is being read has on its left; read at once, as reading on may change it. */
  private left: ast.Expression | undefined;
  /** Whether the operator that is being read stands in a restricted expression. */
  private restricted = false;
  /** The level at which an operator may not follow, after one that does not associate. */
  private blocked = 0;

  readonly expression: RuleOf<ast.Expression, [min?: number, restricted?: boolean]> = this.RULE(
    "expression",
    (min: number = level.or, restricted: boolean = false): ast.Expression => {
      this.enter();
      let left = this.SUBRULE(this.operand, { ARGS: [restricted] });
      let blocked = 0;
      this.MANY({
        GATE: () => {
          const found = this.infixLevel(left, restricted);
          if (found === 0 || found < min) return false;
          if (found === blocked) this.fail();
          return true;
        },
        DEF: () => {
          this.left = left;
          this.restricted = restricted;
          this.blocked = 0;
          left = this.OR(this.infixes);
          blocked = this.blocked;
          this.blocked = 0;
        },
      });
      this.leave();
      return left;
    },
  );

  /** The level of the next token as an operator behind `left`, 0 when it is none. */
  private infixLevel(left: ast.Expression, restricted: boolean): number {
    const found = infixLevels[this.LA(1).tokenTypeIdx];
    if (found === undefined) return 0;
    switch (this.LA(1).tokenType) {
      case kw.not:
        return !restricted && predicateWords.has(this.LA(2).tokenType) ? found : 0;
      case kw.at:
        return !restricted && this.nextIs(kw.time, 2) ? found : 0;
      case kw.operator:
        return this.nextIs(t.LeftParen, 2) ? found : 0;
      case kw.similar:
        return !restricted && this.nextIs(kw.to, 2) ? found : 0;
      case kw.is:
        return !restricted || this.nextIs(kw.distinct, this.nextIs(kw.not, 2) ? 3 : 2) ? found : 0;
      case kw.overlaps:
        return left.kind === "RowConstructor" ? found : 0;
      case kw.or:
      case kw.and:
      case kw.isnull:
      case kw.notnull:
      case kw.between:
      case kw.in:
      case kw.like:
      case kw.ilike:
      case kw.collate:
        return restricted ? 0 : found;
      default:
        return found;
    }
  }

  private readonly infixes: { ALT: () => ast.Expression }[] = [
    { ALT: () => this.binary() },
    { ALT: () => this.namedBinary() },
    { ALT: () => this.conjunction() },
    { ALT: () => this.disjunction() },
    { ALT: () => this.SUBRULE(this.cast, { ARGS: [this.left as ast.Expression] }) },
    { ALT: () => this.SUBRULE(this.isTest, { ARGS: [this.left as ast.Expression] }) },
    { ALT: () => this.SUBRULE(this.predicate, { ARGS: [this.left as ast.Expression] }) },
    { ALT: () => this.SUBRULE(this.atTimeZone, { ARGS: [this.left as ast.Expression] }) },
    { ALT: () => this.SUBRULE(this.collate, { ARGS: [this.left as ast.Expression] }) },
    { ALT: () => this.SUBRULE(this.overlaps, { ARGS: [this.left as ast.RowConstructor] }) },
  ];

  // Binary operators ----------------------------------------------------------------------------------------------------

  private binary(): ast.Expression {
    const { left, restricted } = this;
    const token = this.CONSUME(t.InfixSign);
    const own = infixLevels[token.tokenTypeIdx];
    const operator = this.operatorName(token);
    return this.SUBRULE1(this.rightSide, { ARGS: [left as ast.Expression, operator, own, restricted] });
  }

  private namedBinary(): ast.Expression {
    const { left, restricted } = this;
    const operator = this.SUBRULE(this.namedOperator);
    return this.SUBRULE2(this.rightSide, { ARGS: [left as ast.Expression, operator, level.operator, restricted] });
  }

  /** The right operand, or ANY, SOME, ALL with an array or a query. */
  private readonly rightSide = this.RULE(
    "rightSide",
    (left: ast.Expression, operator: ast.OperatorName, own: number, restricted: boolean): ast.Expression =>
      this.OR<ast.Expression>([
        {
          ALT: () => {
            const right = this.SUBRULE(this.expression, { ARGS: [own + 1, restricted] });
            if (own === level.comparison) this.blocked = own;
            const range = this.since(this.startOf(left ?? right));
            return { kind: "BinaryOperator", operator, left, right, range };
          },
        },
        { ALT: () => this.SUBRULE(this.quantified, { ARGS: [left, operator] }) },
      ]),
  );

  private readonly quantified = this.RULE(
    "quantified",
    (left: ast.Expression, operator: ast.OperatorName): ast.Expression => {
      const quantifier = this.OR1<"any" | "all">([
        { ALT: () => this.CONSUME(kw.any) && "any" },
        { ALT: () => this.CONSUME(kw.some) && "any" },
        { ALT: () => this.CONSUME(kw.all) && "all" },
      ]);
      return this.OR2<ast.Expression>({
        IGNORE_AMBIGUITIES: true,
        DEF: [
          {
            GATE: () => this.opensQuery(),
            ALT: () => {
              const query = this.SUBRULE(this.parenthesizedQuery);
              const range = this.since(this.startOf(left ?? query));
              return { kind: "QuantifiedSubquery", operator, quantifier, left, query, range };
            },
          },
          {
            ALT: () => {
              this.CONSUME(t.LeftParen);
              const array = this.SUBRULE(this.expression);
              this.CONSUME(t.RightParen);
              const range = this.since(this.startOf(left ?? array));
              return { kind: "QuantifiedArray", operator, quantifier, left, array, range };
            },
          },
        ],
      });
    },
  );

  /** All operands of a chain of ANDs at once. */
  private conjunction(): ast.Expression {
    const operands = [this.left as ast.Expression];
    this.AT_LEAST_ONE1(() => {
      this.CONSUME(kw.and);
      operands.push(this.SUBRULE1(this.expression, { ARGS: [level.and + 1] }));
    });
    return { kind: "And", operands, range: this.since(this.startOf(operands[0] ?? operands[1])) };
  }

  private disjunction(): ast.Expression {
    const operands = [this.left as ast.Expression];
    this.AT_LEAST_ONE2(() => {
      this.CONSUME(kw.or);
      operands.push(this.SUBRULE2(this.expression, { ARGS: [level.or + 1] }));
    });
    return { kind: "Or", operands, range: this.since(this.startOf(operands[0] ?? operands[1])) };
  }

  // Postfix and predicates ----------------------------------------------------------------------------------------------

  private readonly cast = this.RULE("cast", (operand: ast.Expression): ast.Cast => {
    this.CONSUME(t.TypeCast);
    const type = this.SUBRULE(this.typeName);
    return { kind: "Cast", operand, type, range: this.since(this.startOf(operand ?? type)) };
  });

  private readonly collate = this.RULE("collate", (operand: ast.Expression): ast.Collate => {
    this.CONSUME(kw.collate);
    const collation = this.SUBRULE(this.qualifiedName);
    return { kind: "Collate", operand, collation, range: this.since(this.startOf(operand ?? collation)) };
  });

  /** `x AT TIME ZONE zone` is `timezone(zone, x)`. */
  private readonly atTimeZone = this.RULE("atTimeZone", (operand: ast.Expression): ast.FunctionCall => {
    const start = this.mark();
    this.CONSUME(kw.at);
    this.CONSUME(kw.time);
    this.CONSUME(kw.zone);
    const name = this.systemName("timezone", this.since(start));
    const zone = this.SUBRULE(this.expression, { ARGS: [level.at + 1] });
    return this.functionOf(name, this.RECORDING_PHASE ? [] : [zone, operand], operand ?? zone);
  });

  private functionOf(name: ast.QualifiedName, values: ast.Expression[], first: ast.NodeBase): ast.FunctionCall {
    const range = this.since(this.startOf(first));
    return {
      kind: "FunctionCall",
      name,
      args: this.toArguments(values),
      star: false,
      distinct: false,
      orderBy: [],
      range,
    };
  }

  /** `(start, end) OVERLAPS (start, end)`. */
  private readonly overlaps = this.RULE("overlaps", (left: ast.RowConstructor): ast.FunctionCall => {
    const word = this.CONSUME(kw.overlaps) as SqlToken;
    const name = this.systemName("overlaps", { start: word.startOffset, end: (word.endOffset as number) + 1 });
    const place = this.next();
    const right = this.SUBRULE(this.operand, { ARGS: [false] });
    if (this.RECORDING_PHASE) return this.functionOf(name, [], left ?? right);
    if (right.kind !== "RowConstructor") this.fail(place);
    for (const [side, row] of [
      ["left", left],
      ["right", right],
    ] as const) {
      if (row.fields.length !== 2) {
        const message = `wrong number of parameters on ${side} side of OVERLAPS expression`;
        throw this.error(sqlstate.syntaxError, message, row);
      }
    }
    return this.functionOf(name, [...left.fields, ...right.fields], left);
  });

  private readonly isTest = this.RULE("isTest", (operand: ast.Expression): ast.Expression => {
    const { restricted } = this;
    const start = this.startOf(operand ?? { range: undefined });
    let negated = false;
    return this.OR1<ast.Expression>([
      {
        ALT: () => {
          this.CONSUME(kw.isnull);
          return { kind: "IsTest", operand, test: "null", negated: false, range: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.notnull);
          return { kind: "IsTest", operand, test: "null", negated: true, range: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.is);
          this.OPTION1(() => {
            this.CONSUME(kw.not);
            negated = true;
          });
          return this.OR2<ast.Expression>([
            { ALT: () => this.SUBRULE(this.truthTest, { ARGS: [operand, negated] }) },
            {
              ALT: () => {
                this.CONSUME(kw.distinct);
                this.CONSUME(kw.from);
                const right = this.SUBRULE(this.expression, { ARGS: [level.is + 1, restricted] });
                this.blocked = level.is;
                return { kind: "DistinctFrom", left: operand, right, negated, range: this.since(start) };
              },
            },
            { ALT: () => this.SUBRULE(this.isNormalized, { ARGS: [operand, negated] }) },
          ]);
        },
      },
    ]);
  });

  private readonly truthTest = this.RULE("truthTest", (operand: ast.Expression, negated: boolean): ast.IsTest => {
    const test = this.OR<ast.IsTest["test"] | "document">([
      { ALT: () => this.CONSUME(kw.null) && "null" },
      { ALT: () => this.CONSUME(kw.true) && "true" },
      { ALT: () => this.CONSUME(kw.false) && "false" },
      { ALT: () => this.CONSUME(kw.unknown) && "unknown" },
      { ALT: () => this.CONSUME(kw.document) && "document" },
    ]);
    if (test === "document") {
      if (!this.RECORDING_PHASE) {
        throw this.error(sqlstate.featureNotSupported, "IS DOCUMENT is not supported", this.startOf(operand));
      }
      return { kind: "IsTest", operand, test: "null", negated, range: { start: 0, end: 0 } };
    }
    return { kind: "IsTest", operand, test, negated, range: this.since(this.startOf(operand ?? { range: undefined })) };
  });

  /** `x IS [NOT] [form] NORMALIZED` is a call of `is_normalized`. */
  private readonly isNormalized = this.RULE(
    "isNormalized",
    (operand: ast.Expression, negated: boolean): ast.Expression => {
      const start = this.mark();
      const form = this.OPTION(() => this.SUBRULE(this.normalForm));
      this.CONSUME(kw.normalized);
      const name = this.systemName("is_normalized", this.since(start));
      if (this.RECORDING_PHASE) return this.functionOf(name, [], name);
      const call = this.functionOf(name, form === undefined ? [operand] : [operand, form], operand);
      return negated ? { kind: "Not", operand: call, range: call.range } : call;
    },
  );

  /** [NOT] BETWEEN, IN, LIKE, ILIKE, SIMILAR TO. */
  private readonly predicate = this.RULE("predicate", (operand: ast.Expression): ast.Expression => {
    const start = this.mark();
    const negated = this.OPTION(() => this.CONSUME(kw.not)) !== undefined;
    return this.OR<ast.Expression>([
      { ALT: () => this.SUBRULE(this.between, { ARGS: [operand, negated] }) },
      { ALT: () => this.SUBRULE(this.in, { ARGS: [operand, negated] }) },
      { ALT: () => this.SUBRULE(this.like, { ARGS: [operand, negated, start] }) },
    ]);
  });

  private readonly between = this.RULE("between", (operand: ast.Expression, negated: boolean): ast.Between => {
    this.CONSUME(kw.between);
    let symmetric = false;
    this.OPTION(() => {
      symmetric = this.OR<boolean>([
        { ALT: () => this.CONSUME(kw.symmetric) !== undefined },
        { ALT: () => this.CONSUME(kw.asymmetric) === undefined },
      ]);
    });
    const lower = this.SUBRULE1(this.expression, { ARGS: [level.is, true] });
    this.CONSUME(kw.and);
    const upper = this.SUBRULE2(this.expression, { ARGS: [level.predicate + 1] });
    this.blocked = level.predicate;
    const range = this.since(this.startOf(operand ?? lower));
    return { kind: "Between", operand, lower, upper, symmetric, negated, range };
  });

  private readonly in = this.RULE("in", (operand: ast.Expression, negated: boolean): ast.Expression => {
    this.CONSUME(kw.in);
    return this.OR<ast.Expression>({
      IGNORE_AMBIGUITIES: true,
      DEF: [
        {
          GATE: () => this.opensQuery(),
          ALT: () => {
            const query = this.SUBRULE(this.parenthesizedQuery);
            return { kind: "InSubquery", operand, query, negated, range: this.since(this.startOf(operand ?? query)) };
          },
        },
        {
          ALT: () => {
            const items = this.SUBRULE(this.parenthesizedExpressionList);
            const range = this.since(this.startOf(operand ?? { range: undefined }));
            return { kind: "InList", operand, items, negated, range };
          },
        },
      ],
    });
  });

  private readonly like = this.RULE(
    "like",
    (operand: ast.Expression, negated: boolean, start: number): ast.Expression => {
      const operator = this.OR1<ast.PatternMatch["operator"]>([
        { ALT: () => this.CONSUME(kw.like) && "like" },
        { ALT: () => this.CONSUME(kw.ilike) && "ilike" },
        {
          ALT: () => {
            this.CONSUME(kw.similar);
            this.CONSUME(kw.to);
            return "similar to";
          },
        },
      ]);
      const name = `${negated ? "!" : ""}~~${operator === "ilike" ? "*" : ""}`;
      const signs: ast.OperatorName = { kind: "OperatorName", name, range: this.since(start) };
      return this.OR2<ast.Expression>([
        {
          GATE: () => operator !== "similar to",
          ALT: () => this.SUBRULE(this.quantified, { ARGS: [operand, signs] }),
        },
        {
          ALT: () => {
            const pattern = this.SUBRULE1(this.expression, { ARGS: [level.escape] });
            const escape = this.OPTION(() => {
              this.CONSUME(kw.escape);
              return this.SUBRULE2(this.expression, { ARGS: [level.escape] });
            });
            this.blocked = level.predicate;
            const range = this.since(this.startOf(operand ?? pattern));
            return escape === undefined
              ? { kind: "PatternMatch", operator, operand, pattern, negated, range }
              : { kind: "PatternMatch", operator, operand, pattern, escape, negated, range };
          },
        },
      ]);
    },
  );

  // Operands ------------------------------------------------------------------------------------------------------------

  private readonly operands: { ALT: () => ast.Expression }[] = [
    { ALT: () => this.SUBRULE(this.nameExpression) },
    { ALT: () => this.stringLiteral(this.CONSUME(t.StringToken)) },
    { ALT: () => this.numeric(this.CONSUME(t.IntegerToken), true) },
    { ALT: () => this.numeric(this.CONSUME(t.DecimalToken), false) },
    { ALT: () => this.SUBRULE(this.parenthesized) },
    { ALT: () => this.SUBRULE(this.parameter) },
    { ALT: () => this.nullLiteral(this.CONSUME(kw.null)) },
    { ALT: () => this.booleanLiteral(this.CONSUME(kw.true), true) },
    { ALT: () => this.booleanLiteral(this.CONSUME(kw.false), false) },
    { ALT: () => this.prefixSign() },
    { ALT: () => this.prefixOperator() },
    { ALT: () => this.prefixNot() },
    { ALT: () => this.SUBRULE(this.specialForm) },
    { ALT: () => this.SUBRULE(this.rowExpression) },
    { ALT: () => this.bitString(this.CONSUME(t.BitStringToken)) },
    { ALT: () => this.defaultValue(this.CONSUME(kw.default)) },
  ];

  private readonly typedLiteralOption = {
    GATE: (): boolean => this.startsTypedLiteral(),
    DEF: (): ast.Expression => this.SUBRULE(this.typedLiteral),
  };

  /** An operand with its prefix operators. */
  readonly operand = this.RULE("operand", (restricted: boolean): ast.Expression => {
    this.restricted = restricted;
    const literal = this.OPTION(this.typedLiteralOption);
    return literal === undefined || this.RECORDING_PHASE ? this.OR(this.operands) : literal;
  });

  /** `date '2024-01-01'` where the type has a syntax of its own: `timestamp(3) with time zone '…'`, `interval '1' day`. */
  readonly typedLiteral = this.RULE("typedLiteral", (): ast.Cast => {
    const start = this.mark();
    const plain = this.SUBRULE(this.plainType);
    let type = this.RECORDING_PHASE ? undefined : this.toTypeName(plain, start);
    const operand = this.stringLiteral(this.CONSUME(t.StringToken));
    this.OPTION({
      GATE: () => type?.name === "interval" && type.modifiers.length === 0 && type.intervalFields === undefined,
      DEF: () => {
        const fields = this.SUBRULE(this.intervalFields);
        if (type !== undefined) type = { ...type, ...fields, range: this.since(start) };
      },
    });
    return { kind: "Cast", operand, type: type as ast.TypeName, range: this.since(start) };
  });

  private numeric(token: { startOffset: number; endOffset?: number }, isInteger: boolean): ast.NumericLiteral {
    const range = { start: token.startOffset, end: (token.endOffset as number) + 1 };
    return { kind: "NumericLiteral", text: (token as SqlToken).value, isInteger, range };
  }

  private nullLiteral(token: { startOffset: number; endOffset?: number }): ast.NullLiteral {
    return { kind: "NullLiteral", range: { start: token.startOffset, end: (token.endOffset as number) + 1 } };
  }

  private defaultValue(token: { startOffset: number; endOffset?: number }): ast.DefaultValue {
    return { kind: "DefaultValue", range: { start: token.startOffset, end: (token.endOffset as number) + 1 } };
  }

  private booleanLiteral(token: { startOffset: number; endOffset?: number }, value: boolean): ast.BooleanLiteral {
    return { kind: "BooleanLiteral", value, range: { start: token.startOffset, end: (token.endOffset as number) + 1 } };
  }

  private bitString(token: { startOffset: number; endOffset?: number }): ast.BitStringLiteral {
    const { value } = token as SqlToken;
    const range = { start: token.startOffset, end: (token.endOffset as number) + 1 };
    if (this.RECORDING_PHASE) return { kind: "BitStringLiteral", base: "hex", digits: "", range };
    return { kind: "BitStringLiteral", base: value[0] === "b" ? "binary" : "hex", digits: value.slice(1), range };
  }

  /** `+x` and `-x`; a minus before a number becomes part of it, so that -9223372036854775808 is one number. */
  private prefixSign(): ast.Expression {
    const { restricted } = this;
    const token = this.OR1([{ ALT: () => this.CONSUME(t.Plus) }, { ALT: () => this.CONSUME(t.Minus) }]) as SqlToken;
    const operand = this.SUBRULE1(this.expression, { ARGS: [level.sign, restricted] });
    const range = this.since(token.startOffset);
    if (token.tokenType === t.Minus && operand.kind === "NumericLiteral") {
      const text = operand.text.startsWith("-") ? operand.text.slice(1) : `-${operand.text}`;
      return { kind: "NumericLiteral", text, isInteger: operand.isInteger, range };
    }
    return { kind: "UnaryOperator", operator: this.operatorName(token), operand, range };
  }

  private prefixOperator(): ast.UnaryOperator {
    const { restricted } = this;
    const start = this.mark();
    const operator = this.OR2([
      { ALT: () => this.operatorName(this.CONSUME(t.OperatorToken)) },
      { ALT: () => this.SUBRULE(this.namedOperator) },
    ]);
    const operand = this.SUBRULE2(this.expression, { ARGS: [level.operator + 1, restricted] });
    return { kind: "UnaryOperator", operator, operand, range: this.since(start) };
  }

  private prefixNot(): ast.Not {
    if (this.restricted) this.fail();
    const start = this.mark();
    this.CONSUME(kw.not);
    const operand = this.SUBRULE3(this.expression, { ARGS: [level.not] });
    return { kind: "Not", operand, range: this.since(start) };
  }

  private readonly parameter = this.RULE("parameter", (): ast.Expression => {
    const token = this.CONSUME(t.ParameterToken) as SqlToken;
    const range = { start: token.startOffset, end: (token.endOffset as number) + 1 };
    const parameter: ast.Parameter = { kind: "Parameter", number: Number(token.value), range };
    return this.OPTION(() => this.SUBRULE(this.indirection, { ARGS: [parameter] })) ?? parameter;
  });

  /** `(expression)`, a row, or a query as a value, each perhaps with a subscript or field behind it. */
  private readonly parenthesized = this.RULE("parenthesized", (): ast.Expression => {
    const start = this.mark();
    const inner = this.OR<ast.Expression>({
      IGNORE_AMBIGUITIES: true,
      DEF: [
        {
          GATE: () => this.opensQuery(),
          ALT: () => {
            const query = this.SUBRULE(this.parenthesizedQuery);
            return { kind: "ScalarSubquery", query, range: this.since(start) };
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.LeftParen);
            const first = this.SUBRULE(this.expression);
            let fields: ast.Expression[] | undefined;
            this.OPTION1(() => {
              this.CONSUME(t.Comma);
              fields = [first, ...this.recorded(this.SUBRULE(this.expressionList))];
            });
            this.CONSUME(t.RightParen);
            if (fields === undefined) return first;
            return { kind: "RowConstructor", explicit: false, fields, range: this.since(start) };
          },
        },
      ],
    });
    return this.OPTION2(() => this.SUBRULE(this.indirection, { ARGS: [inner, start] })) ?? inner;
  });

  /** ROW(…); ROW without a parenthesis is a column of that name. */
  private readonly rowExpression = this.RULE("rowExpression", (): ast.Expression => {
    const start = this.mark();
    this.CONSUME(kw.row);
    const row = this.OPTION(() => {
      this.CONSUME(t.LeftParen);
      const fields = this.OPTION1(() => this.SUBRULE(this.expressionList)) ?? [];
      this.CONSUME(t.RightParen);
      return { kind: "RowConstructor", explicit: true, fields, range: this.since(start) } as const;
    });
    return row ?? { kind: "ColumnRef", parts: ["row"], star: false, range: this.since(start) };
  });

  /** Subscripts and fields behind an operand: `[1]`, `[1:2]`, `.field`, `.*`. */
  readonly indirection = this.RULE("indirection", (base: ast.Expression, from?: number): ast.Expression => {
    const start = from ?? this.startOf(base ?? { range: undefined });
    let operand = base;
    this.AT_LEAST_ONE(() => {
      if (operand?.kind === "FieldStar") this.fail();
      this.OR1([
        {
          ALT: () => {
            this.CONSUME(t.Dot);
            this.OR2([
              {
                ALT: () => {
                  const field = this.identifier(this.CONSUME(t.ColumnLabel));
                  operand = { kind: "FieldSelection", operand, field, range: this.since(start) };
                },
              },
              {
                ALT: () => {
                  this.CONSUME(t.Star);
                  operand = { kind: "FieldStar", operand, range: this.since(start) };
                },
              },
            ]);
          },
        },
        {
          ALT: () => {
            operand = this.SUBRULE(this.subscript, { ARGS: [operand, start] });
          },
        },
      ]);
    });
    return operand;
  });

  readonly subscript = this.RULE("subscript", (operand: ast.Expression, start: number): ast.Expression => {
    this.CONSUME(t.LeftBracket);
    const first = this.OPTION1(() => this.SUBRULE1(this.expression));
    let upper: ast.Expression | undefined;
    const isSlice = this.OPTION2(() => {
      this.CONSUME(t.Colon);
      upper = this.OPTION3(() => this.SUBRULE2(this.expression));
      return true;
    });
    if (isSlice === undefined && first === undefined) this.fail();
    this.CONSUME(t.RightBracket);
    const range = this.since(start);
    if (isSlice === undefined) return { kind: "Subscript", operand, index: first as ast.Expression, range };
    return {
      kind: "Slice",
      operand,
      ...(first === undefined ? {} : { lower: first }),
      ...(upper === undefined ? {} : { upper }),
      range,
    };
  });

  // Names ---------------------------------------------------------------------------------------------------------------

  /** What begins with a name: a column, a call, a literal of a type (`date '…'`), CURRENT_SCHEMA, COLLATION FOR. */
  readonly nameExpression = this.RULE("nameExpression", (): ast.Expression => {
    const first = this.CONSUME(t.NameStart) as SqlToken;
    const start = first.startOffset;
    const parts = [first.value];
    let star = false;
    this.MANY({
      GATE: () => !star,
      DEF: () => {
        this.CONSUME(t.Dot);
        this.OR1([
          {
            ALT: () => {
              parts.push((this.CONSUME(t.ColumnLabel) as SqlToken).value);
            },
          },
          {
            ALT: () => {
              this.CONSUME(t.Star);
              star = true;
            },
          },
        ]);
      },
    });
    // A plain column is by far the commonest: everything else behind a name starts with one of a few tokens.
    const range = this.since(start);
    const tail = this.OPTION({
      GATE: () => !star,
      DEF: () =>
        this.OR2<ast.Expression>([
          { ALT: () => this.SUBRULE(this.call, { ARGS: [first, parts, range] }) },
          { ALT: () => this.SUBRULE(this.namedLiteral, { ARGS: [first, parts, range] }) },
          { ALT: () => this.SUBRULE(this.collationFor, { ARGS: [first] }) },
          { ALT: () => this.SUBRULE(this.indirection, { ARGS: [{ kind: "ColumnRef", parts, star, range }] }) },
        ]),
    });
    if (tail !== undefined && !this.RECORDING_PHASE) return tail;
    if (parts.length === 1 && !star && functionNames.has(first.tokenType)) {
      if (first.tokenType === kw.current_schema) return { kind: "SqlValueFunction", name: "current_schema", range };
      this.fail();
    }
    return { kind: "ColumnRef", parts, star, range };
  });

  /** A call, or a literal of a type with modifiers: `numeric(4, 2) '1.5'`. */
  private readonly call = this.RULE(
    "call",
    (first: SqlToken, parts: readonly string[], range: ast.Range): ast.Expression => {
      if (!this.RECORDING_PHASE && parts.length === 1 && columnNames.has(first.tokenType)) this.fail();
      const name = this.RECORDING_PHASE ? this.systemName("", range) : this.toQualifiedName(parts, range);
      const found = this.SUBRULE(this.callArguments);
      const start = this.RECORDING_PHASE ? 0 : range.start;
      const literal = this.OPTION(() => this.stringLiteral(this.CONSUME(t.StringToken)));
      if (literal !== undefined && !this.RECORDING_PHASE) {
        if (found.star || found.distinct || found.orderBy.length > 0) this.fail(this.LA(0) as SqlToken);
        const bad = found.args.find((argument) => argument.name !== undefined || argument.variadic);
        if (bad !== undefined) throw this.error(sqlstate.syntaxError, "type modifier cannot have parameter name", bad);
        const modifiers = found.args.map((argument) => argument.value);
        const { schema, name: type } = name;
        return this.literalOf({ name: type, schema, modifiers }, range, literal, start);
      }
      return this.SUBRULE(this.callTail, { ARGS: [name, found, start] });
    },
  );

  private readonly namedLiteral = this.RULE(
    "namedLiteral",
    (first: SqlToken, parts: readonly string[], range: ast.Range): ast.Expression => {
      if (!this.RECORDING_PHASE && parts.length === 1 && columnNames.has(first.tokenType)) this.fail();
      const literal = this.stringLiteral(this.CONSUME(t.StringToken));
      if (this.RECORDING_PHASE) return literal;
      const { schema, name } = this.toQualifiedName(parts, range);
      return this.literalOf({ name, schema }, range, literal, range.start);
    },
  );

  private literalOf(
    plain: Parameters<ExpressionsParser["toTypeName"]>[0],
    range: ast.Range,
    operand: ast.StringLiteral,
    start: number,
  ): ast.Cast {
    const type = { ...this.toTypeName(plain, start), range };
    return { kind: "Cast", operand, type, range: this.since(start) };
  }

  /** COLLATION FOR (x). */
  private readonly collationFor = this.RULE("collationFor", (first: SqlToken): ast.Expression => {
    if (!this.RECORDING_PHASE && first.tokenType !== kw.collation) this.fail();
    this.CONSUME(kw.for);
    const range = this.since(this.RECORDING_PHASE ? 0 : first.startOffset);
    this.CONSUME(t.LeftParen);
    const value = this.SUBRULE(this.expression);
    this.CONSUME(t.RightParen);
    const name = this.systemName("pg_collation_for", range);
    return this.functionOf(name, this.RECORDING_PHASE ? [] : [value], name);
  });
}

/** Words that make NOT an infix operator. */
const predicateWords: ReadonlySet<unknown> = new Set([kw.between, kw.in, kw.like, kw.ilike, kw.similar]);

const keywordsOf = (wanted: t.KeywordClass): ReadonlySet<unknown> =>
  new Set([...t.keywordClasses].filter(([, kind]) => kind === wanted).map(([word]) => t.keywordTokens.get(word)));

/** Keywords that can name a function but no column. */
const functionNames = keywordsOf("type or function name");
/** Keywords that can name a column but no function. */
const columnNames = keywordsOf("column name");
