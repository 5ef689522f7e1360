/** Queries: SELECT, VALUES, TABLE, set operations, WITH, and the clauses that belong to a whole query. */
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import type { RuleOf } from "./base.js";
import { QueryClausesParser, type QueryTail } from "./query-clauses.js";

const { kw } = t;

const emptyTail: QueryTail = { orderBy: [], withTies: false, locking: [] };

/** An operand without clauses of its own stands by itself. */
function operandOf(body: ast.QueryBody): ast.QueryBody {
  if (body?.kind !== "SelectStatement") return body;
  const bare =
    body.with === undefined &&
    body.orderBy.length === 0 &&
    body.limit === undefined &&
    body.offset === undefined &&
    body.locking.length === 0;
  return bare ? body.body : body;
}

export abstract class SelectParser extends QueryClausesParser {
  readonly parenthesizedQuery: RuleOf<ast.SelectStatement> = this.RULE("parenthesizedQuery", () => {
    this.enter();
    this.CONSUME(t.LeftParen);
    const query = this.SUBRULE(this.query);
    this.CONSUME(t.RightParen);
    this.leave();
    return query;
  });

  /** A whole query, perhaps with WITH in front. */
  readonly query: RuleOf<ast.SelectStatement> = this.RULE("query", () => {
    const start = this.mark();
    const withClause = this.OPTION(() => this.SUBRULE(this.withClause));
    return this.SUBRULE(this.queryAfterWith, { ARGS: [withClause, start] });
  });

  readonly queryAfterWith: RuleOf<ast.SelectStatement, [ast.WithClause | undefined, number]> = this.RULE(
    "queryAfterWith",
    (withClause: ast.WithClause | undefined, start: number): ast.SelectStatement => {
      const body = this.SUBRULE(this.queryBody, { ARGS: [0] });
      const tail = this.OPTION(() => this.SUBRULE(this.queryTail)) ?? emptyTail;
      if (body.kind === "SelectStatement") return this.mergeClauses(withClause, body, tail, start);
      return {
        kind: "SelectStatement",
        ...(withClause === undefined ? {} : { with: withClause }),
        body,
        ...tail,
        range: this.since(start),
      };
    },
  );

  /** Parentheses around a query are no level of their own: clauses outside join those inside, each at most once. */
  private mergeClauses(
    withClause: ast.WithClause | undefined,
    inner: ast.SelectStatement,
    tail: QueryTail,
    start: number,
  ): ast.SelectStatement {
    const twice = (clause: string, at: ast.NodeBase) =>
      this.error(sqlstate.syntaxError, `multiple ${clause} clauses not allowed`, at);
    if (inner.with !== undefined && withClause !== undefined) throw twice("WITH", withClause);
    if (inner.orderBy.length > 0 && tail.orderBy.length > 0) throw twice("ORDER BY", tail.orderBy[0]);
    if (inner.offset !== undefined && tail.offset !== undefined) throw twice("OFFSET", tail.offset);
    if (inner.limit !== undefined && tail.limit !== undefined) throw twice("LIMIT", tail.limit);
    const combined = withClause ?? inner.with;
    const limit = tail.limit ?? inner.limit;
    const offset = tail.offset ?? inner.offset;
    return {
      kind: "SelectStatement",
      ...(combined === undefined ? {} : { with: combined }),
      body: inner.body,
      orderBy: tail.orderBy.length > 0 ? tail.orderBy : inner.orderBy,
      ...(limit === undefined ? {} : { limit }),
      withTies: tail.limit === undefined ? inner.withTies : tail.withTies,
      ...(offset === undefined ? {} : { offset }),
      locking: [...inner.locking, ...tail.locking],
      range: this.since(start),
    };
  }

  // Bodies and set operations -----------------------------------------------------------------------------------------------

  /** Operands with UNION and EXCEPT (level 1) and INTERSECT (level 2) between them. */
  private readonly queryBody: RuleOf<ast.QueryBody, [min: number]> = this.RULE("queryBody", (min: number) => {
    const start = this.mark();
    let left = this.SUBRULE(this.queryOperand);
    this.MANY({
      GATE: () => (this.nextIs(kw.intersect) ? 2 : 1) >= min,
      DEF: () => {
        const own = this.nextIs(kw.intersect) ? 2 : 1;
        const operator = this.OR1<ast.SetOperation["operator"]>([
          { ALT: () => this.CONSUME(kw.union) && "union" },
          { ALT: () => this.CONSUME(kw.intersect) && "intersect" },
          { ALT: () => this.CONSUME(kw.except) && "except" },
        ]);
        let all = false;
        this.OPTION(() => {
          all = this.OR2<boolean>([
            { ALT: () => this.CONSUME(kw.all) !== undefined },
            { ALT: () => this.CONSUME(kw.distinct) === undefined },
          ]);
        });
        const right = this.SUBRULE(this.queryBody, { ARGS: [own + 1] });
        left = {
          kind: "SetOperation",
          operator,
          all,
          left: operandOf(left),
          right: operandOf(right),
          range: this.since(start),
        };
      },
    });
    return left;
  });

  private readonly queryOperand = this.RULE(
    "queryOperand",
    (): ast.QueryBody =>
      this.OR<ast.QueryBody>([
        { ALT: () => this.SUBRULE(this.selectCore) },
        { ALT: () => this.SUBRULE(this.valuesClause) },
        { ALT: () => this.SUBRULE(this.tableCommand) },
        {
          ALT: () => {
            if (!this.RECORDING_PHASE && !this.opensQuery()) this.fail(this.firstInside());
            return this.SUBRULE(this.parenthesizedQuery);
          },
        },
      ]),
  );

  /** The first token behind a run of opening parentheses: where a query was expected. */
  private firstInside(): SqlToken {
    let ahead = 1;
    while (this.nextIs(t.LeftParen, ahead)) ahead++;
    return this.next(ahead);
  }

  readonly valuesClause = this.RULE("valuesClause", (): ast.ValuesClause => {
    const start = this.mark();
    this.CONSUME(kw.values);
    const rows: ast.Expression[][] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        rows.push(this.SUBRULE(this.parenthesizedExpressionList));
      },
    });
    return { kind: "ValuesClause", rows, range: this.since(start) };
  });

  private readonly tableCommand = this.RULE("tableCommand", (): ast.TableCommand => {
    const start = this.mark();
    this.CONSUME(kw.table);
    const table = this.SUBRULE(this.relation);
    return { kind: "TableCommand", table, range: this.since(start) };
  });

  /** A table without an alias: `t`, `t *`, `ONLY t`. */
  readonly relation = this.RULE("relation", (): ast.TableReference => {
    const start = this.mark();
    const only = this.nextIs(kw.only);
    const name = this.OR<ast.QualifiedName>([
      { ALT: () => this.SUBRULE(this.onlyName) },
      {
        ALT: () => {
          const table = this.SUBRULE(this.qualifiedName);
          this.OPTION(() => this.CONSUME(t.Star));
          return table;
        },
      },
    ]);
    return { kind: "TableReference", name, only, range: this.since(start) };
  });

  private readonly selectCore = this.RULE("selectCore", (): ast.SelectCore => {
    const start = this.mark();
    this.CONSUME(kw.select);
    const distinct = this.OPTION1(() => this.SUBRULE(this.distinctClause));
    const targets = this.OPTION2(() => this.SUBRULE(this.targetList)) ?? [];
    const into = this.OPTION3(() => this.SUBRULE(this.intoClause));
    const from = this.OPTION4(() => {
      this.CONSUME(kw.from);
      return this.SUBRULE(this.fromItems);
    });
    const where = this.OPTION5(() => {
      this.CONSUME(kw.where);
      return this.SUBRULE1(this.expression);
    });
    const groupBy = this.OPTION6(() => this.SUBRULE(this.groupByClause));
    const having = this.OPTION7(() => {
      this.CONSUME(kw.having);
      return this.SUBRULE2(this.expression);
    });
    const windows = this.OPTION8(() => this.SUBRULE(this.windowClause));
    return {
      kind: "SelectCore",
      ...(distinct === undefined || distinct === "all" ? {} : { distinct }),
      targets,
      ...(into === undefined ? {} : { into }),
      from: from ?? [],
      ...(where === undefined ? {} : { where }),
      ...(groupBy === undefined ? {} : { groupBy }),
      ...(having === undefined ? {} : { having }),
      windows: windows ?? [],
      range: this.since(start),
    };
  });

  /** ALL, DISTINCT or DISTINCT ON (…). */
  private readonly distinctClause = this.RULE("distinctClause", (): ast.DistinctClause | "all" =>
    this.OR<ast.DistinctClause | "all">([
      { ALT: () => this.CONSUME(kw.all) && "all" },
      {
        ALT: () => {
          const start = this.mark();
          this.CONSUME(kw.distinct);
          const on = this.OPTION(() => {
            this.CONSUME(kw.on);
            return this.SUBRULE(this.parenthesizedExpressionList);
          });
          return { kind: "DistinctClause", on: on ?? [], range: this.since(start) };
        },
      },
    ]),
  );

  /** The columns of a SELECT or of RETURNING. */
  readonly targetList = this.RULE("targetList", (): ast.SelectTarget[] => {
    const targets: ast.SelectTarget[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        targets.push(this.SUBRULE(this.target));
      },
    });
    return targets;
  });

  private readonly target = this.RULE("target", (): ast.SelectTarget => {
    const start = this.mark();
    return this.OR1<ast.SelectTarget>([
      {
        ALT: () => {
          this.CONSUME(t.Star);
          const range = this.since(start);
          return { kind: "SelectTarget", expression: { kind: "ColumnRef", parts: [], star: true, range }, range };
        },
      },
      {
        ALT: () => {
          const expression = this.SUBRULE(this.expression);
          const alias = this.OPTION(() =>
            this.OR2<ast.Identifier>([
              {
                ALT: () => {
                  this.CONSUME(kw.as);
                  return this.identifier(this.CONSUME(t.ColumnLabel));
                },
              },
              { ALT: () => this.identifier(this.CONSUME(t.BareLabel)) },
            ]),
          );
          const range = this.since(start);
          return alias === undefined
            ? { kind: "SelectTarget", expression, range }
            : { kind: "SelectTarget", expression, alias, range };
        },
      },
    ]);
  });

  private readonly intoClause = this.RULE("intoClause", (): ast.IntoClause => {
    const start = this.mark();
    this.CONSUME(kw.into);
    const word = this.next().tokenType;
    this.OPTION1({
      // TEMP may also be the name of the table.
      GATE: () => this.nextIs(kw.table, 2) || this.nextIs(t.Identifier, 2),
      DEF: () =>
        this.OR([
          { ALT: () => this.CONSUME(kw.temporary) },
          { ALT: () => this.CONSUME(kw.temp) },
          { ALT: () => this.CONSUME(kw.unlogged) },
        ]),
    });
    this.OPTION2(() => this.CONSUME(kw.table));
    const name = this.SUBRULE(this.qualifiedName);
    return { kind: "IntoClause", name, temporary: word === kw.temp || word === kw.temporary, range: this.since(start) };
  });

  // GROUP BY, WINDOW ----------------------------------------------------------------------------------------------------------

  private readonly groupByClause = this.RULE("groupByClause", (): ast.GroupByClause => {
    const start = this.mark();
    this.CONSUME(kw.group);
    this.CONSUME(kw.by);
    const distinct = this.nextIs(kw.distinct);
    this.OPTION(() => this.OR([{ ALT: () => this.CONSUME(kw.all) }, { ALT: () => this.CONSUME(kw.distinct) }]));
    const items = this.SUBRULE(this.groupingElements);
    return { kind: "GroupByClause", distinct, items, range: this.since(start) };
  });

  private readonly groupingElements = this.RULE("groupingElements", (): ast.GroupingElement[] => {
    const items: ast.GroupingElement[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        items.push(this.SUBRULE(this.groupingElement));
      },
    });
    return items;
  });

  private readonly groupingElementForms = {
    // ROLLUP and CUBE are ordinary names when no parenthesis follows, `()` is no expression, GROUPING is a function too.
    IGNORE_AMBIGUITIES: true,
    DEF: [
      { GATE: () => this.nextIs(t.RightParen, 2), ALT: (): ast.GroupingElement => this.SUBRULE(this.emptyGroupingSet) },
      { GATE: () => this.nextIs(t.LeftParen, 2), ALT: (): ast.GroupingElement => this.SUBRULE(this.rollupOrCube) },
      { GATE: () => this.nextIs(kw.sets, 2), ALT: (): ast.GroupingElement => this.SUBRULE(this.groupingSets) },
      { ALT: (): ast.GroupingElement => this.SUBRULE(this.expression) },
    ],
  };

  private readonly groupingElement: RuleOf<ast.GroupingElement> = this.RULE("groupingElement", () =>
    this.OR(this.groupingElementForms),
  );

  private readonly emptyGroupingSet = this.RULE("emptyGroupingSet", (): ast.EmptyGroupingSet => {
    const start = this.mark();
    this.CONSUME(t.LeftParen);
    this.CONSUME(t.RightParen);
    return { kind: "EmptyGroupingSet", range: this.since(start) };
  });

  private readonly rollupOrCube = this.RULE("rollupOrCube", (): ast.Rollup | ast.Cube => {
    const start = this.mark();
    const kind = this.OR<"Rollup" | "Cube">([
      { ALT: () => this.CONSUME(kw.rollup) && "Rollup" },
      { ALT: () => this.CONSUME(kw.cube) && "Cube" },
    ]);
    const items = this.SUBRULE(this.parenthesizedExpressionList);
    return { kind, items, range: this.since(start) };
  });

  private readonly groupingSets = this.RULE("groupingSets", (): ast.GroupingSets => {
    const start = this.mark();
    this.enter();
    this.CONSUME(kw.grouping);
    this.CONSUME(kw.sets);
    this.CONSUME(t.LeftParen);
    const sets = this.SUBRULE(this.groupingElements);
    this.CONSUME(t.RightParen);
    this.leave();
    return { kind: "GroupingSets", sets, range: this.since(start) };
  });

  private readonly windowClause = this.RULE("windowClause", (): ast.NamedWindow[] => {
    this.CONSUME(kw.window);
    const windows: ast.NamedWindow[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        windows.push(this.SUBRULE(this.namedWindow));
      },
    });
    return windows;
  });

  private readonly namedWindow = this.RULE("namedWindow", (): ast.NamedWindow => {
    const start = this.mark();
    const name = this.identifier(this.CONSUME(t.ColumnName));
    this.CONSUME(kw.as);
    const definition = this.SUBRULE(this.windowDefinition);
    return { kind: "NamedWindow", name, definition, range: this.since(start) };
  });
}
