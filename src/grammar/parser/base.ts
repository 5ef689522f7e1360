/** What every chapter of the grammar stands on: names, ranges, lookahead behind a parenthesis, the limit of nesting. */
import { EmbeddedActionsParser, EOF, type ParserMethod, type TokenType } from "chevrotain";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import { parserTokens, type SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import { FirstSetLookahead } from "./lookahead.js";

/** A grammar rule that gives `T`. */
export type RuleOf<T, A extends unknown[] = []> = ParserMethod<A, T>;

/** How deep expressions and queries may be nested when nobody says otherwise; about half of what Node's default stack bears. */
export const defaultMaxDepth = 300;

/** Thrown by actions where the grammar alone would let a token through; `parse` makes the syntax error of it. */
export class UnexpectedToken extends Error {
  constructor(readonly token: SqlToken) {
    super("unexpected token");
  }
}

/** How the parser is built; a test builds it with Chevrotain's full validation. */
export interface GrammarOptions {
  readonly validate?: boolean;
}

export abstract class BaseParser extends EmbeddedActionsParser {
  readonly lookahead: FirstSetLookahead;
  /** The token the last failed CONSUME wanted. */
  wanted: TokenType | undefined;
  maxDepth = defaultMaxDepth;
  private depth = 0;

  // Rules of later chapters that earlier ones refer to.
  abstract readonly expression: RuleOf<ast.Expression, [min?: number, restricted?: boolean]>;
  /** A query in its parentheses. */
  abstract readonly parenthesizedQuery: RuleOf<ast.SelectStatement>;
  abstract readonly query: RuleOf<ast.SelectStatement>;

  constructor(options: GrammarOptions) {
    const lookahead = new FirstSetLookahead();
    super([...parserTokens], {
      lookaheadStrategy: lookahead,
      maxLookahead: 1,
      recoveryEnabled: false,
      skipValidations: options.validate !== true,
      errorMessageProvider: {
        buildMismatchTokenMessage: ({ expected }) => {
          this.wanted = expected;
          return "";
        },
        buildNotAllInputParsedMessage: () => "",
        buildNoViableAltMessage: () => "",
        buildEarlyExitMessage: () => "",
      },
    });
    this.lookahead = lookahead;
    lookahead.reader = this as unknown as typeof lookahead.reader;
  }

  /** Clears what a statement that failed may have left behind. */
  begin(tokens: SqlToken[], maxDepth: number): void {
    this.input = tokens;
    this.depth = 0;
    this.maxDepth = maxDepth;
    this.wanted = undefined;
  }

  // Positions -------------------------------------------------------------------------------------------------------

  /** Offset of the next token: where a node begins. */
  protected mark(): number {
    return this.LA(1).startOffset;
  }

  /** The range from `start` to the end of the last consumed token. */
  protected since(start: number): ast.Range {
    return { start, end: (this.LA(0).endOffset as number) + 1 };
  }

  /** Where a node begins; while the grammar is recorded there are no nodes. */
  protected startOf(node: ast.NodeBase): number {
    return node.range === undefined ? 0 : node.range.start;
  }

  // Tokens ----------------------------------------------------------------------------------------------------------

  /** The next token, without its use being part of the grammar. */
  protected next(howMuch = 1): SqlToken {
    return this.LA(howMuch) as SqlToken;
  }

  protected nextIs(type: TokenType, howMuch = 1): boolean {
    return this.LA(howMuch).tokenTypeIdx === type.tokenTypeIdx;
  }

  /** Whether a semicolon or the end of the text follows. */
  protected atStatementEnd(): boolean {
    return this.nextIs(t.Semicolon) || this.nextIs(EOF);
  }

  /** Refuses a token that the grammar alone would let through; while the grammar is recorded nothing is refused. */
  protected fail(token: SqlToken = this.next()): never {
    if (this.RECORDING_PHASE) return undefined as never;
    throw new UnexpectedToken(token);
  }

  /** An error of PostgreSQL's grammar actions, at a node or offset. */
  protected error(code: string, message: string, at: ast.NodeBase | number, hint?: string): SqlError {
    const start = typeof at === "number" ? at : at.range.start;
    return new SqlError(code, message, { position: start + 1, hint });
  }

  protected identifier(token: { startOffset: number; endOffset?: number }): ast.Identifier {
    const { value } = token as SqlToken;
    return { kind: "Identifier", name: value, range: rangeOf(token) };
  }

  protected operatorName(token: { startOffset: number; endOffset?: number }): ast.OperatorName {
    return { kind: "OperatorName", name: (token as SqlToken).value, range: rangeOf(token) };
  }

  /** A `pg_catalog` function that special syntax stands for. */
  protected systemName(name: string, range: ast.Range): ast.QualifiedName {
    return { kind: "QualifiedName", schema: "pg_catalog", name, range };
  }

  // Nesting ---------------------------------------------------------------------------------------------------------

  protected enter(): void {
    if (++this.depth > this.maxDepth) throw tooDeep(this.maxDepth, this.next().startOffset + 1);
  }

  protected leave(): void {
    this.depth--;
  }

  /** Whether the parenthesis that is `howMuch` tokens ahead opens a query: `(SELECT …`, `((SELECT …) UNION …`. */
  protected opensQuery(howMuch = 1): boolean {
    const token = this.next(howMuch);
    if (token.tokenTypeIdx !== t.LeftParen.tokenTypeIdx) return false;
    if (token.holdsQuery === undefined) this.settleParentheses(howMuch);
    return token.holdsQuery === true;
  }

  /** Looks at a run of opening parentheses from the innermost outwards, so that deep nesting costs nothing extra. */
  private settleParentheses(howMuch: number): void {
    let innermost = howMuch;
    while (this.nextIs(t.LeftParen, innermost + 1)) innermost++;
    let holdsQuery = this.startsQuery(innermost + 1);
    const tokens = this.input as SqlToken[];
    for (let i = innermost; i >= howMuch; i--) {
      const token = this.next(i);
      if (i < innermost && holdsQuery) holdsQuery = continuesQuery(tokens[this.next(i + 1).close + 1]);
      token.holdsQuery = holdsQuery;
    }
  }

  private startsQuery(howMuch: number): boolean {
    const { tokenType } = this.next(howMuch);
    if (tokenType === t.kw.select || tokenType === t.kw.with || tokenType === t.kw.table) return true;
    return tokenType === t.kw.values && this.nextIs(t.LeftParen, howMuch + 1);
  }

  // Names -----------------------------------------------------------------------------------------------------------

  /** A relation, type or other object: up to three names with dots. */
  readonly qualifiedName = this.RULE("qualifiedName", (): ast.QualifiedName => {
    const start = this.mark();
    const parts = [(this.CONSUME(t.ColumnName) as SqlToken).value];
    this.MANY(() => {
      this.CONSUME(t.Dot);
      parts.push((this.CONSUME(t.ColumnLabel) as SqlToken).value);
    });
    return this.toQualifiedName(parts, this.since(start));
  });

  /** Names with dots as one name; more than three are an error. */
  protected toQualifiedName(parts: readonly string[], range: ast.Range): ast.QualifiedName {
    if (parts.length === 1) return { kind: "QualifiedName", name: parts[0], range };
    if (parts.length === 2) return { kind: "QualifiedName", schema: parts[0], name: parts[1], range };
    if (parts.length === 3) {
      return { kind: "QualifiedName", catalog: parts[0], schema: parts[1], name: parts[2], range };
    }
    throw this.error(
      sqlstate.syntaxError,
      `improper qualified name (too many dotted names): ${parts.join(".")}`,
      range.start,
    );
  }

  /** `name, name, …` of columns. */
  readonly columnNames = this.RULE("columnNames", (): ast.Identifier[] => {
    const names: ast.Identifier[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        names.push(this.identifier(this.CONSUME(t.ColumnName)));
      },
    });
    return names;
  });

  /** `(name, name, …)`. */
  readonly columnNameList = this.RULE("columnNameList", (): ast.Identifier[] => {
    this.CONSUME(t.LeftParen);
    const names = this.SUBRULE(this.columnNames);
    this.CONSUME(t.RightParen);
    return names;
  });

  readonly expressionList = this.RULE("expressionList", (): ast.Expression[] => {
    const expressions: ast.Expression[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        expressions.push(this.SUBRULE(this.expression));
      },
    });
    return expressions;
  });

  readonly parenthesizedExpressionList = this.RULE("parenthesizedExpressionList", (): ast.Expression[] => {
    this.CONSUME(t.LeftParen);
    const expressions = this.SUBRULE(this.expressionList);
    this.CONSUME(t.RightParen);
    return expressions;
  });
}

function rangeOf(token: { startOffset: number; endOffset?: number }): ast.Range {
  return { start: token.startOffset, end: (token.endOffset as number) + 1 };
}

/** A query in parentheses is still only a query when this follows it inside another pair. */
const queryContinuations: ReadonlySet<TokenType> = new Set([
  t.RightParen,
  t.kw.union,
  t.kw.intersect,
  t.kw.except,
  t.kw.order,
  t.kw.limit,
  t.kw.offset,
  t.kw.fetch,
  t.kw.for,
]);

function continuesQuery(token: SqlToken | undefined): boolean {
  return token === undefined || queryContinuations.has(token.tokenType);
}

/** The error for a statement nested beyond the limit. */
export function tooDeep(limit: number, position?: number): SqlError {
  return new SqlError(sqlstate.statementTooComplex, "stack depth limit exceeded", {
    position,
    hint: `Expressions and queries may be nested up to ${limit} levels deep. Write the statement with fewer parentheses or subqueries, or move parts of it to WITH.`,
  });
}
