/** What stands behind an operand with words: IS, BETWEEN, IN, LIKE, ANY and ALL, AT TIME ZONE, COLLATE, OVERLAPS, casts. */
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import { level } from "../precedence.js";
import * as t from "../tokens.js";
import { OperandsParser } from "./operands.js";

const { kw } = t;

export abstract class PredicatesParser extends OperandsParser {
  /** The level at which an operator may not follow, after one that does not associate. */
  protected blocked = 0;

  protected readonly cast = this.RULE("cast", (operand: ast.Expression): ast.Cast => {
    this.CONSUME(t.TypeCast);
    const type = this.SUBRULE(this.typeName);
    return { kind: "Cast", operand, type, range: this.since(this.startOf(operand ?? type)) };
  });

  protected readonly collate = this.RULE("collate", (operand: ast.Expression): ast.Collate => {
    this.CONSUME(kw.collate);
    const collation = this.SUBRULE(this.qualifiedName);
    return { kind: "Collate", operand, collation, range: this.since(this.startOf(operand ?? collation)) };
  });

  /** `x AT TIME ZONE zone` is `timezone(zone, x)`. */
  protected readonly atTimeZone = this.RULE("atTimeZone", (operand: ast.Expression): ast.FunctionCall => {
    const start = this.mark();
    this.CONSUME(kw.at);
    this.CONSUME(kw.time);
    this.CONSUME(kw.zone);
    const name = this.systemName("timezone", this.since(start));
    const zone = this.SUBRULE(this.expression, { ARGS: [level.at + 1] });
    return this.functionOf(name, this.RECORDING_PHASE ? [] : [zone, operand], operand ?? zone);
  });

  /** `(start, end) OVERLAPS (start, end)`. */
  protected readonly overlaps = this.RULE("overlaps", (left: ast.RowConstructor): ast.FunctionCall => {
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

  protected readonly isTest = this.RULE("isTest", (operand: ast.Expression): ast.Expression => {
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

  protected readonly truthTest = this.RULE("truthTest", (operand: ast.Expression, negated: boolean): ast.IsTest => {
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
  protected readonly isNormalized = this.RULE(
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
  protected readonly predicate = this.RULE("predicate", (operand: ast.Expression): ast.Expression => {
    const start = this.mark();
    const negated = this.OPTION(() => this.CONSUME(kw.not)) !== undefined;
    return this.OR<ast.Expression>([
      { ALT: () => this.SUBRULE(this.between, { ARGS: [operand, negated] }) },
      { ALT: () => this.SUBRULE(this.in, { ARGS: [operand, negated] }) },
      { ALT: () => this.SUBRULE(this.like, { ARGS: [operand, negated, start] }) },
    ]);
  });

  protected readonly between = this.RULE("between", (operand: ast.Expression, negated: boolean): ast.Between => {
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

  protected readonly in = this.RULE("in", (operand: ast.Expression, negated: boolean): ast.Expression => {
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

  protected readonly like = this.RULE(
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
            const escaped = this.OPTION(() => {
              this.CONSUME(kw.escape);
              return this.SUBRULE2(this.expression, { ARGS: [level.escape] });
            });
            this.blocked = level.predicate;
            const range = this.since(this.startOf(operand ?? pattern));
            return escaped === undefined
              ? { kind: "PatternMatch", operator, operand, pattern, negated, range }
              : { kind: "PatternMatch", operator, operand, pattern, escape: escaped, negated, range };
          },
        },
      ]);
    },
  );

  protected readonly quantified = this.RULE(
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
}
