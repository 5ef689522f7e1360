/** Operands: literals, names and what hangs on them, parentheses, rows, subscripts, prefix operators. */
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import { level } from "../precedence.js";
import * as t from "../tokens.js";
import { SpecialFormsParser } from "./special-forms.js";
import type { PlainType } from "./types.js";

const { kw } = t;

export abstract class OperandsParser extends SpecialFormsParser {
  /** Whether what is being read stands in a restricted expression; read at once, as reading on may change it. */
  protected restricted = false;

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
      GATE: () => !star && (first.tokenType === kw.collation || !this.nextIs(kw.for)),
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
      if (!this.RECORDING_PHASE && parts.length === 1 && namesNoFunction(first)) this.fail();
      const name = this.RECORDING_PHASE ? this.systemName("", range) : this.toQualifiedName(parts, range);
      const found = this.SUBRULE(this.callArguments);
      const start = this.RECORDING_PHASE ? 0 : range.start;
      const literal = this.OPTION(() => this.stringLiteral(this.CONSUME(t.StringToken)));
      if (literal !== undefined && !this.RECORDING_PHASE) {
        const isModifierList = found.args.length > 0 && !found.distinct && found.orderBy.length === 0;
        if (!isModifierList) this.fail(this.LA(0) as SqlToken);
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
      if (!this.RECORDING_PHASE && parts.length === 1 && namesNoFunction(first)) this.fail();
      const literal = this.stringLiteral(this.CONSUME(t.StringToken));
      if (this.RECORDING_PHASE) return literal;
      const { schema, name } = this.toQualifiedName(parts, range);
      return this.literalOf({ name, schema }, range, literal, range.start);
    },
  );

  private literalOf(plain: PlainType, range: ast.Range, operand: ast.StringLiteral, start: number): ast.Cast {
    const type = { ...this.toTypeName(plain, start), range };
    return { kind: "Cast", operand, type, range: this.since(start) };
  }

  /** A call that special syntax stands for; its range begins with `first`. */
  protected functionOf(name: ast.QualifiedName, values: ast.Expression[], first: ast.NodeBase): ast.FunctionCall {
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

const keywordsOf = (wanted: t.KeywordClass): ReadonlySet<unknown> =>
  new Set([...t.keywordClasses].filter(([, kind]) => kind === wanted).map(([word]) => t.keywordTokens.get(word)));

/** Keywords that can name a function but no column. */
const functionNames = keywordsOf("type or function name");
/** Keywords that can name a column but no function. */
const columnNames = keywordsOf("column name");

/** Whether a word may be a column but no function or type; the lexer has made names of the special forms among them. */
function namesNoFunction(token: SqlToken): boolean {
  if (columnNames.has(token.tokenType)) return true;
  const isUnquoted = token.tokenType === t.Identifier && !token.image.endsWith('"');
  return isUnquoted && t.keywordClasses.get(token.value) === "column name";
}
