/** Clauses of a whole query: WITH in front; ORDER BY, LIMIT, OFFSET, FETCH and FOR UPDATE behind. */
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import type { RuleOf } from "./base.js";
import { FromClauseParser } from "./from-clause.js";

const { kw } = t;

/** The clauses behind the body of a query. */
export interface QueryTail {
  readonly orderBy: readonly ast.SortItem[];
  readonly limit?: ast.Expression;
  readonly withTies: boolean;
  readonly offset?: ast.Expression;
  readonly locking: readonly ast.LockingClause[];
}

interface FetchClause {
  readonly limit: ast.Expression;
  readonly withTies: boolean;
}

export abstract class QueryClausesParser extends FromClauseParser {
  abstract readonly queryAfterWith: RuleOf<ast.SelectStatement, [ast.WithClause | undefined, number]>;
  /** INSERT, UPDATE or DELETE, as WITH takes them too. */
  abstract readonly dataModification: RuleOf<
    ast.InsertStatement | ast.UpdateStatement | ast.DeleteStatement,
    [ast.WithClause | undefined, number]
  >;

  // Behind the body -----------------------------------------------------------------------------------------------------------

  readonly queryTail = this.RULE("queryTail", (): QueryTail => {
    const orderBy = this.OPTION1(() => this.SUBRULE(this.orderBy)) ?? [];
    let limit: ast.Expression | undefined;
    let offset: ast.Expression | undefined;
    let withTies = false;
    const locking: ast.LockingClause[] = [];
    const start = this.mark();
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            if (limit !== undefined) this.fail();
            limit = this.SUBRULE(this.limitClause);
          },
        },
        {
          ALT: () => {
            if (limit !== undefined) this.fail();
            const fetch = this.SUBRULE(this.fetchClause);
            limit = fetch.limit;
            withTies = fetch.withTies;
          },
        },
        {
          ALT: () => {
            if (offset !== undefined) this.fail();
            offset = this.SUBRULE(this.offsetClause);
          },
        },
        {
          ALT: () => {
            const clause = this.SUBRULE(this.lockingClause);
            if (clause !== "read only") locking.push(clause);
          },
        },
      ]);
    });
    if (withTies && !this.RECORDING_PHASE) {
      if (orderBy.length === 0) {
        throw this.error(sqlstate.syntaxError, "WITH TIES cannot be specified without ORDER BY clause", start);
      }
      if (locking.some((clause) => clause.wait === "skip locked")) {
        throw this.error(sqlstate.syntaxError, "SKIP LOCKED and WITH TIES options cannot be used together", start);
      }
    }
    return {
      orderBy,
      ...(limit === undefined ? {} : { limit }),
      withTies,
      ...(offset === undefined ? {} : { offset }),
      locking,
    };
  });

  private readonly limitClause = this.RULE("limitClause", (): ast.Expression => {
    this.CONSUME(kw.limit);
    const limit = this.OR<ast.Expression>([
      {
        ALT: () => {
          const { startOffset, endOffset } = this.CONSUME(kw.all);
          return { kind: "NullLiteral", range: { start: startOffset, end: (endOffset as number) + 1 } };
        },
      },
      { ALT: () => this.SUBRULE(this.expression) },
    ]);
    if (!this.RECORDING_PHASE && this.nextIs(t.Comma)) {
      throw this.error(
        sqlstate.syntaxError,
        "LIMIT #,# syntax is not supported",
        this.next().startOffset,
        "Use separate LIMIT and OFFSET clauses.",
      );
    }
    return limit;
  });

  private readonly offsetClause = this.RULE("offsetClause", (): ast.Expression => {
    this.CONSUME(kw.offset);
    const offset = this.SUBRULE(this.expression);
    this.OPTION(() => this.OR([{ ALT: () => this.CONSUME(kw.row) }, { ALT: () => this.CONSUME(kw.rows) }]));
    return offset;
  });

  /** FETCH FIRST n ROWS ONLY, or WITH TIES; n is 1 when it is left out. */
  private readonly fetchClause = this.RULE("fetchClause", (): FetchClause => {
    const start = this.mark();
    this.CONSUME(kw.fetch);
    this.OR1([{ ALT: () => this.CONSUME(kw.first) }, { ALT: () => this.CONSUME(kw.next) }]);
    const count = this.OPTION({
      GATE: () => !this.nextIs(kw.row) && !this.nextIs(kw.rows),
      DEF: () => this.SUBRULE(this.operand, { ARGS: [false] }),
    });
    const range = this.since(start);
    this.OR2([{ ALT: () => this.CONSUME(kw.row) }, { ALT: () => this.CONSUME(kw.rows) }]);
    const withTies = this.OR3<boolean>([
      { ALT: () => this.CONSUME(kw.only) === undefined },
      {
        ALT: () => {
          this.CONSUME(kw.with);
          return this.CONSUME(kw.ties) !== undefined;
        },
      },
    ]);
    return { limit: count ?? { kind: "NumericLiteral", text: "1", isInteger: true, range }, withTies };
  });

  private readonly lockingClause = this.RULE("lockingClause", (): ast.LockingClause | "read only" => {
    const start = this.mark();
    this.CONSUME(kw.for);
    const strength = this.OR1<ast.LockingClause["strength"] | "read only">([
      { ALT: () => this.CONSUME1(kw.update) && "update" },
      {
        ALT: () => {
          this.CONSUME(kw.no);
          this.CONSUME1(kw.key);
          this.CONSUME2(kw.update);
          return "no key update";
        },
      },
      { ALT: () => this.CONSUME1(kw.share) && "share" },
      {
        ALT: () => {
          this.CONSUME2(kw.key);
          this.CONSUME2(kw.share);
          return "key share";
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.read);
          this.CONSUME(kw.only);
          return "read only";
        },
      },
    ]);
    if (strength === "read only" && !this.RECORDING_PHASE) return strength;
    const tables: ast.QualifiedName[] = [];
    this.OPTION1(() => {
      this.CONSUME(kw.of);
      this.AT_LEAST_ONE_SEP({
        SEP: t.Comma,
        DEF: () => {
          tables.push(this.SUBRULE(this.qualifiedName));
        },
      });
    });
    const wait = this.OPTION2(() =>
      this.OR2<"nowait" | "skip locked">([
        { ALT: () => this.CONSUME(kw.nowait) && "nowait" },
        {
          ALT: () => {
            this.CONSUME(kw.skip);
            this.CONSUME(kw.locked);
            return "skip locked";
          },
        },
      ]),
    );
    return {
      kind: "LockingClause",
      strength: strength as ast.LockingClause["strength"],
      tables,
      ...(wait === undefined ? {} : { wait }),
      range: this.since(start),
    };
  });

  // WITH ------------------------------------------------------------------------------------------------------------------------

  readonly withClause = this.RULE("withClause", (): ast.WithClause => {
    const start = this.mark();
    this.CONSUME(kw.with);
    const recursive = this.OPTION({
      // RECURSIVE may also be the name of the first query.
      GATE: () => !this.nextIs(kw.as, 2) && !this.nextIs(t.LeftParen, 2),
      DEF: () => this.CONSUME(kw.recursive),
    });
    const ctes: ast.CommonTableExpression[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        ctes.push(this.SUBRULE(this.commonTableExpression));
      },
    });
    return { kind: "WithClause", recursive: recursive !== undefined, ctes, range: this.since(start) };
  });

  private readonly commonTableExpression = this.RULE("commonTableExpression", (): ast.CommonTableExpression => {
    const start = this.mark();
    this.enter();
    const name = this.identifier(this.CONSUME(t.ColumnName));
    const columns = this.OPTION1(() => this.SUBRULE(this.columnNameList)) ?? [];
    this.CONSUME(kw.as);
    const materialized = this.OPTION2(() => {
      const not = this.OPTION3(() => this.CONSUME(kw.not));
      this.CONSUME(kw.materialized);
      return not === undefined;
    });
    this.CONSUME(t.LeftParen);
    const statement = this.SUBRULE(this.preparableStatement);
    this.CONSUME(t.RightParen);
    const search = this.OPTION4(() => this.SUBRULE(this.searchClause));
    const cycle = this.OPTION5(() => this.SUBRULE(this.cycleClause));
    this.leave();
    return {
      kind: "CommonTableExpression",
      name,
      columns,
      ...(materialized === undefined ? {} : { materialized }),
      statement,
      ...(search === undefined ? {} : { search }),
      ...(cycle === undefined ? {} : { cycle }),
      range: this.since(start),
    };
  });

  /** A query or a data modification, each perhaps with WITH in front. */
  readonly preparableStatement = this.RULE(
    "preparableStatement",
    (): ast.SelectStatement | ast.InsertStatement | ast.UpdateStatement | ast.DeleteStatement => {
      const start = this.mark();
      const withClause = this.OPTION(() => this.SUBRULE(this.withClause));
      return this.OR<ast.SelectStatement | ast.InsertStatement | ast.UpdateStatement | ast.DeleteStatement>([
        { ALT: () => this.SUBRULE(this.queryAfterWith, { ARGS: [withClause, start] }) },
        { ALT: () => this.SUBRULE(this.dataModification, { ARGS: [withClause, start] }) },
      ]);
    },
  );

  private readonly searchClause = this.RULE("searchClause", (): ast.SearchClause => {
    const start = this.mark();
    this.CONSUME(kw.search);
    const order = this.OR<"breadth" | "depth">([
      { ALT: () => this.CONSUME(kw.depth) && "depth" },
      { ALT: () => this.CONSUME(kw.breadth) && "breadth" },
    ]);
    this.CONSUME(kw.first);
    this.CONSUME(kw.by);
    const columns = this.SUBRULE(this.columnNames);
    this.CONSUME(kw.set);
    const sequence = this.identifier(this.CONSUME(t.ColumnName));
    return { kind: "SearchClause", order, columns, sequence, range: this.since(start) };
  });

  private readonly cycleClause = this.RULE("cycleClause", (): ast.CycleClause => {
    const start = this.mark();
    this.CONSUME(kw.cycle);
    const columns = this.SUBRULE(this.columnNames);
    this.CONSUME(kw.set);
    const mark = this.identifier(this.CONSUME1(t.ColumnName) as SqlToken);
    let value: ast.Expression | undefined;
    let otherwise: ast.Expression | undefined;
    this.OPTION(() => {
      this.CONSUME(kw.to);
      value = this.SUBRULE1(this.operand, { ARGS: [true] });
      this.CONSUME(kw.default);
      otherwise = this.SUBRULE2(this.operand, { ARGS: [true] });
    });
    this.CONSUME(kw.using);
    const path = this.identifier(this.CONSUME2(t.ColumnName));
    return {
      kind: "CycleClause",
      columns,
      mark,
      ...(value === undefined ? {} : { value }),
      ...(otherwise === undefined ? {} : { otherwise }),
      path,
      range: this.since(start),
    };
  });
}
