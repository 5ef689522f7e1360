/**
 * Expressions: operands, and operators by precedence climbing.
 *
 * Levels are PostgreSQL's, lowest first (15, 4.1.6 "Operator Precedence", and the declarations in its grammar):
 * OR, AND, NOT, IS, comparison, BETWEEN/IN/LIKE, other operators, + -, * / %, ^, AT TIME ZONE, COLLATE, unary sign, ::.
 * Comparison, BETWEEN/IN/LIKE and IS DISTINCT FROM do not associate. A prefix operator reads its operand at its own
 * level wherever it stands. A *restricted* expression is what may stand where AND or IN would be ambiguous, as the lower
 * bound of BETWEEN: no logic, no predicates, only operators and IS DISTINCT FROM.
 */
import type * as ast from "../ast.js";
import { level } from "../precedence.js";
import * as t from "../tokens.js";
import type { RuleOf } from "./base.js";
import { PredicatesParser } from "./predicates.js";

const { kw } = t;
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

export abstract class ExpressionsParser extends PredicatesParser {
  /** What the operator that is being read has on its left; read at once, as reading on may change it. */
  private left: ast.Expression | undefined;
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
}

/** Words that make NOT an infix operator. */
const predicateWords: ReadonlySet<unknown> = new Set([kw.between, kw.in, kw.like, kw.ilike, kw.similar]);
