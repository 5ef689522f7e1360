/** FROM: tables, subqueries, functions, joins, aliases. */
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import { ExpressionsParser } from "./expressions.js";

const { kw } = t;

interface JoinWords {
  readonly type: ast.JoinClause["type"];
  readonly natural: boolean;
}

/** An alias of a function, which may describe the columns of its record. */
interface FunctionAlias {
  readonly alias?: ast.TableAlias;
  readonly columns: readonly ast.RecordColumn[];
}

export abstract class FromClauseParser extends ExpressionsParser {
  /** The items behind FROM or USING. */
  readonly fromItems = this.RULE("fromItems", (): ast.FromItem[] => {
    const items: ast.FromItem[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        items.push(this.SUBRULE(this.fromItem));
      },
    });
    return items;
  });

  /** One item with all joins behind it, which associate to the left. */
  readonly fromItem = this.RULE("fromItem", (): ast.FromItem => {
    const start = this.mark();
    let left = this.SUBRULE1(this.fromPrimary);
    this.MANY(() => {
      left = this.SUBRULE2(this.join, { ARGS: [left, start] });
    });
    return left;
  });

  private readonly join = this.RULE("join", (left: ast.FromItem, start: number): ast.FromItem => {
    const { type, natural } = this.SUBRULE(this.joinWords);
    const unconditional = natural || type === "cross";
    const first = this.SUBRULE(this.fromPrimary);
    // `a JOIN b JOIN c ON … ON …`: joins whose condition comes later belong to the right side.
    let right = first;
    this.MANY({
      GATE: () => !unconditional && !this.nextIs(kw.on) && !this.nextIs(kw.using),
      DEF: () => {
        right = this.SUBRULE(this.join, { ARGS: [right, this.startOf(first)] });
      },
    });
    let on: ast.Expression | undefined;
    let using: ast.JoinUsing | undefined;
    this.OPTION({
      GATE: () => !unconditional,
      DEF: () => {
        this.OR([
          {
            ALT: () => {
              this.CONSUME(kw.on);
              on = this.SUBRULE(this.expression);
            },
          },
          {
            ALT: () => {
              using = this.SUBRULE(this.joinUsing);
            },
          },
        ]);
      },
    });
    if (!unconditional && on === undefined && using === undefined && !this.RECORDING_PHASE) this.fail();
    return {
      kind: "JoinClause",
      type,
      natural,
      left,
      right,
      ...(on === undefined ? {} : { on }),
      ...(using === undefined ? {} : { using }),
      range: this.since(start),
    };
  });

  private readonly joinWords = this.RULE("joinWords", (): JoinWords => {
    let natural = false;
    let type: ast.JoinClause["type"] = "inner";
    this.OPTION1(() => {
      this.OR([
        {
          ALT: () => {
            this.CONSUME(kw.cross);
            type = "cross";
          },
        },
        {
          ALT: () => {
            this.CONSUME(kw.natural);
            natural = true;
            this.OPTION2(() => {
              type = this.SUBRULE1(this.joinType);
            });
          },
        },
        {
          ALT: () => {
            type = this.SUBRULE2(this.joinType);
          },
        },
      ]);
    });
    this.CONSUME(kw.join);
    return { type, natural };
  });

  private readonly joinType = this.RULE("joinType", (): ast.JoinClause["type"] =>
    this.OR<ast.JoinClause["type"]>([
      { ALT: () => this.CONSUME(kw.inner) && "inner" },
      {
        ALT: () => {
          const type = this.OR1<ast.JoinClause["type"]>([
            { ALT: () => this.CONSUME(kw.left) && "left" },
            { ALT: () => this.CONSUME(kw.right) && "right" },
            { ALT: () => this.CONSUME(kw.full) && "full" },
          ]);
          this.OPTION(() => this.CONSUME(kw.outer));
          return type;
        },
      },
    ]),
  );

  private readonly joinUsing = this.RULE("joinUsing", (): ast.JoinUsing => {
    const start = this.mark();
    this.CONSUME(kw.using);
    const columns = this.SUBRULE(this.columnNameList);
    const alias = this.OPTION(() => {
      this.CONSUME(kw.as);
      return this.identifier(this.CONSUME(t.ColumnName));
    });
    const range = this.since(start);
    return alias === undefined ? { kind: "JoinUsing", columns, range } : { kind: "JoinUsing", columns, alias, range };
  });

  // Items -----------------------------------------------------------------------------------------------------------------

  private readonly fromPrimaries = {
    IGNORE_AMBIGUITIES: true,
    DEF: [
      { GATE: () => this.opensQuery(), ALT: (): ast.FromItem => this.SUBRULE1(this.subqueryItem, { ARGS: [false] }) },
      { ALT: (): ast.FromItem => this.SUBRULE(this.parenthesizedJoin) },
      {
        GATE: () => this.nextIs(kw.from, 2),
        ALT: (): ast.FromItem => this.SUBRULE1(this.rowsFrom, { ARGS: [false] }),
      },
      { ALT: (): ast.FromItem => this.SUBRULE(this.namedItem) },
      { ALT: (): ast.FromItem => this.SUBRULE(this.onlyItem) },
      { ALT: (): ast.FromItem => this.SUBRULE(this.lateralItem) },
      { ALT: (): ast.FromItem => this.SUBRULE(this.specialFunctionItem) },
    ],
  };

  private readonly fromPrimary = this.RULE("fromPrimary", (): ast.FromItem => this.OR(this.fromPrimaries));

  /** `(a JOIN b ON …)`, perhaps with an alias. */
  private readonly parenthesizedJoin = this.RULE("parenthesizedJoin", (): ast.FromItem => {
    this.enter();
    this.CONSUME(t.LeftParen);
    const item = this.SUBRULE(this.fromItem);
    const closing = this.CONSUME(t.RightParen) as SqlToken;
    // Parentheses may stand around joins only.
    if (!this.RECORDING_PHASE && item.kind !== "JoinClause") this.fail(closing);
    const alias = this.OPTION(() => this.SUBRULE(this.tableAlias));
    this.leave();
    if (alias === undefined || this.RECORDING_PHASE) return item;
    return { ...(item as ast.JoinClause), alias };
  });

  private readonly subqueryItem = this.RULE("subqueryItem", (lateral: boolean): ast.FromItem => {
    const start = this.mark();
    const query = this.SUBRULE(this.parenthesizedQuery);
    const alias = this.OPTION(() => this.SUBRULE(this.tableAlias));
    if (alias === undefined && !this.RECORDING_PHASE) {
      const isValues = query.body.kind === "ValuesClause";
      throw this.error(
        sqlstate.syntaxError,
        `${isValues ? "VALUES" : "subquery"} in FROM must have an alias`,
        start,
        `For example, FROM (${isValues ? "VALUES" : "SELECT"} ...) [AS] foo.`,
      );
    }
    return { kind: "SubqueryReference", lateral, query, alias: alias as ast.TableAlias, range: this.since(start) };
  });

  private readonly lateralItem = this.RULE("lateralItem", (): ast.FromItem => {
    const start = this.mark();
    this.CONSUME(kw.lateral);
    const item = this.OR<ast.FromItem>({
      IGNORE_AMBIGUITIES: true,
      DEF: [
        {
          ALT: () => {
            if (!this.RECORDING_PHASE && !this.opensQuery()) this.fail(this.next(2));
            return this.SUBRULE(this.subqueryItem, { ARGS: [true] });
          },
        },
        { GATE: () => this.nextIs(kw.from, 2), ALT: () => this.SUBRULE(this.rowsFrom, { ARGS: [true] }) },
        {
          ALT: () => {
            const begin = this.mark();
            const call = this.SUBRULE(this.functionCall);
            return this.SUBRULE1(this.functionTail, { ARGS: [call, true, begin] });
          },
        },
        {
          ALT: () => {
            const begin = this.mark();
            const call = this.SUBRULE(this.specialForm);
            return this.SUBRULE2(this.functionTail, { ARGS: [call, true, begin] });
          },
        },
      ],
    });
    return { ...item, range: this.since(start) };
  });

  /** A table, or a function when a parenthesis follows the name. */
  private readonly namedItem = this.RULE("namedItem", (): ast.FromItem => {
    const start = this.mark();
    const first = this.CONSUME(t.NameStart) as SqlToken;
    const parts = [first.value];
    this.MANY(() => {
      this.CONSUME(t.Dot);
      parts.push((this.CONSUME(t.ColumnLabel) as SqlToken).value);
    });
    const name = this.toQualifiedName(parts, this.since(start));
    const found = this.OPTION(() => {
      if (!this.RECORDING_PHASE && parts.length === 1 && notFunctions.has(first.tokenType)) this.fail();
      return this.SUBRULE(this.callArguments);
    });
    let call: ast.Expression | undefined;
    if (found !== undefined) {
      call = { kind: "FunctionCall", name, ...found, range: this.since(start) };
    } else if (first.tokenType === kw.current_schema && parts.length === 1) {
      call = { kind: "SqlValueFunction", name: "current_schema", range: name.range };
    }
    if (call !== undefined || this.RECORDING_PHASE) {
      const item = this.SUBRULE(this.functionTail, { ARGS: [call as ast.Expression, false, start] });
      if (!this.RECORDING_PHASE) return item;
    }
    if (parts.length === 1 && notTables.has(first.tokenType)) this.fail(first);
    return this.SUBRULE(this.tableTail, { ARGS: [name, false, start] });
  });

  private readonly onlyItem = this.RULE("onlyItem", (): ast.TableReference => {
    const start = this.mark();
    const name = this.SUBRULE(this.onlyName);
    return this.SUBRULE(this.tableTail, { ARGS: [name, true, start] });
  });

  /** ONLY t, ONLY (t). */
  readonly onlyName = this.RULE("onlyName", (): ast.QualifiedName => {
    this.CONSUME(kw.only);
    return this.OR([
      { ALT: () => this.SUBRULE1(this.qualifiedName) },
      {
        ALT: () => {
          this.CONSUME(t.LeftParen);
          const name = this.SUBRULE2(this.qualifiedName);
          this.CONSUME(t.RightParen);
          return name;
        },
      },
    ]);
  });

  /** What may follow a table: `*`, an alias, TABLESAMPLE. */
  private readonly tableTail = this.RULE(
    "tableTail",
    (name: ast.QualifiedName, only: boolean, start: number): ast.TableReference => {
      this.OPTION1(() => this.CONSUME(t.Star));
      const alias = this.OPTION2(() => this.SUBRULE(this.tableAlias));
      const sample = this.OPTION3(() => this.SUBRULE(this.tableSample));
      return {
        kind: "TableReference",
        name,
        only,
        ...(alias === undefined ? {} : { alias }),
        ...(sample === undefined ? {} : { sample }),
        range: this.since(start),
      };
    },
  );

  private readonly tableSample = this.RULE("tableSample", (): ast.TableSample => {
    const start = this.mark();
    this.CONSUME(kw.tablesample);
    const begin = this.mark();
    const parts = [(this.CONSUME(t.TypeOrFunctionName) as SqlToken).value];
    this.MANY(() => {
      this.CONSUME(t.Dot);
      parts.push((this.CONSUME(t.ColumnLabel) as SqlToken).value);
    });
    const method = this.toQualifiedName(parts, this.since(begin));
    const args = this.SUBRULE(this.parenthesizedExpressionList);
    const repeatable = this.OPTION(() => {
      this.CONSUME(kw.repeatable);
      this.CONSUME(t.LeftParen);
      const seed = this.SUBRULE(this.expression);
      this.CONSUME(t.RightParen);
      return seed;
    });
    const range = this.since(start);
    return repeatable === undefined
      ? { kind: "TableSample", method, args, range }
      : { kind: "TableSample", method, args, repeatable, range };
  });

  /** `AS a (x, y)`, AS may be left out. */
  readonly tableAlias = this.RULE("tableAlias", (): ast.TableAlias => {
    const start = this.mark();
    this.OPTION1(() => this.CONSUME(kw.as));
    const name = this.identifier(this.CONSUME(t.ColumnName));
    const columns = this.OPTION2(() => this.SUBRULE(this.columnNameList));
    return { kind: "TableAlias", name, columns: columns ?? [], range: this.since(start) };
  });

  // Functions -------------------------------------------------------------------------------------------------------------

  /** A call without FILTER and OVER, as FROM takes it. */
  private readonly functionCall = this.RULE("functionCall", (): ast.Expression => {
    const start = this.mark();
    const first = this.CONSUME(t.NameStart) as SqlToken;
    const parts = [first.value];
    this.MANY(() => {
      this.CONSUME(t.Dot);
      parts.push((this.CONSUME(t.ColumnLabel) as SqlToken).value);
    });
    const name = this.toQualifiedName(parts, this.since(start));
    if (!this.RECORDING_PHASE && parts.length === 1 && notFunctions.has(first.tokenType)) this.fail();
    const found = this.SUBRULE(this.callArguments);
    return { kind: "FunctionCall", name, ...found, range: this.since(start) };
  });

  /** `CAST(…)`, `COALESCE(…)`, `CURRENT_DATE` as an item. */
  private readonly specialFunctionItem = this.RULE("specialFunctionItem", (): ast.FromItem => {
    const start = this.mark();
    const first = this.next();
    const call = this.SUBRULE(this.specialForm);
    if (notTableFunctions.has(call.kind)) this.fail(first);
    return this.SUBRULE(this.functionTail, { ARGS: [call, false, start] });
  });

  /** WITH ORDINALITY and the alias behind a function. */
  private readonly functionTail = this.RULE(
    "functionTail",
    (call: ast.Expression, lateral: boolean, start: number): ast.FunctionReference => {
      const end = this.since(start);
      const ordinality = this.OPTION1(() => this.SUBRULE(this.withOrdinality)) === true;
      const found = this.OPTION2(() => this.SUBRULE(this.functionAlias));
      const columns = found?.columns ?? [];
      return {
        kind: "FunctionReference",
        lateral,
        rowsFrom: false,
        functions: [{ kind: "TableFunction", call, columns, range: end }],
        ordinality,
        ...(found?.alias === undefined ? {} : { alias: found.alias }),
        range: this.since(start),
      };
    },
  );

  private readonly withOrdinality = this.RULE("withOrdinality", (): boolean => {
    this.CONSUME(kw.with);
    this.CONSUME(kw.ordinality);
    return true;
  });

  /** ROWS FROM (f(x), g(y) AS (a int)). */
  private readonly rowsFrom = this.RULE("rowsFrom", (lateral: boolean): ast.FunctionReference => {
    const start = this.mark();
    this.CONSUME(kw.rows);
    this.CONSUME(kw.from);
    this.CONSUME(t.LeftParen);
    const functions: ast.TableFunction[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        functions.push(this.SUBRULE(this.rowsFromItem));
      },
    });
    this.CONSUME(t.RightParen);
    const ordinality = this.OPTION1(() => this.SUBRULE(this.withOrdinality)) === true;
    const alias = this.OPTION2(() => this.SUBRULE(this.tableAlias));
    return {
      kind: "FunctionReference",
      lateral,
      rowsFrom: true,
      functions,
      ordinality,
      ...(alias === undefined ? {} : { alias }),
      range: this.since(start),
    };
  });

  private readonly rowsFromItem = this.RULE("rowsFromItem", (): ast.TableFunction => {
    const start = this.mark();
    const call = this.OR<ast.Expression>([
      { ALT: () => this.SUBRULE(this.functionCall) },
      { ALT: () => this.SUBRULE(this.specialForm) },
    ]);
    let columns: ast.RecordColumn[] = [];
    this.OPTION(() => {
      this.CONSUME(kw.as);
      this.CONSUME(t.LeftParen);
      columns = this.SUBRULE(this.recordColumns);
      this.CONSUME(t.RightParen);
    });
    return { kind: "TableFunction", call, columns, range: this.since(start) };
  });

  /** `AS f`, `f (a, b)`, `AS f (a int, b text)`, `AS (a int)`. */
  private readonly functionAlias = this.RULE("functionAlias", (): FunctionAlias => {
    const start = this.mark();
    let columns: ast.RecordColumn[] | undefined;
    const as = this.OPTION1(() => this.CONSUME(kw.as)) !== undefined;
    this.OPTION2({
      GATE: () => as,
      DEF: () => {
        this.CONSUME1(t.LeftParen);
        columns = this.SUBRULE1(this.recordColumns);
        this.CONSUME1(t.RightParen);
      },
    });
    if (columns !== undefined && !this.RECORDING_PHASE) return { columns };
    const name = this.identifier(this.CONSUME(t.ColumnName));
    let found: readonly (ast.RecordColumn | ast.Identifier)[] = [];
    this.OPTION3(() => {
      this.CONSUME2(t.LeftParen);
      found = this.SUBRULE(this.aliasColumns);
      this.CONSUME2(t.RightParen);
    });
    const range = this.since(start);
    if (this.RECORDING_PHASE) return { columns: [] };
    const described = found.filter((column): column is ast.RecordColumn => column.kind === "RecordColumn");
    const named = found.filter((column): column is ast.Identifier => column.kind === "Identifier");
    return { alias: { kind: "TableAlias", name, columns: named, range }, columns: described };
  });

  /** Names of columns, or names with types: all of one sort. */
  private readonly aliasColumns = this.RULE("aliasColumns", (): (ast.RecordColumn | ast.Identifier)[] => {
    const columns: (ast.RecordColumn | ast.Identifier)[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        const start = this.mark();
        const name = this.identifier(this.CONSUME(t.ColumnName));
        const column = this.OPTION({
          GATE: () => columns.length === 0 || columns[0].kind === "RecordColumn",
          DEF: () => this.SUBRULE(this.recordColumnTail, { ARGS: [name, start] }),
        });
        if (column === undefined && columns[0]?.kind === "RecordColumn") this.fail();
        columns.push(column ?? name);
      },
    });
    return columns;
  });

  private readonly recordColumns = this.RULE("recordColumns", (): ast.RecordColumn[] => {
    const columns: ast.RecordColumn[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        const start = this.mark();
        const name = this.identifier(this.CONSUME(t.ColumnName));
        columns.push(this.SUBRULE(this.recordColumnTail, { ARGS: [name, start] }));
      },
    });
    return columns;
  });

  private readonly recordColumnTail = this.RULE(
    "recordColumnTail",
    (name: ast.Identifier, start: number): ast.RecordColumn => {
      const type = this.SUBRULE(this.typeName);
      const collation = this.OPTION(() => this.SUBRULE(this.collateClause));
      const range = this.since(start);
      return collation === undefined
        ? { kind: "RecordColumn", name, type, range }
        : { kind: "RecordColumn", name, type, collation, range };
    },
  );

  /** COLLATE "C" behind a column's type. */
  readonly collateClause = this.RULE("collateClause", (): ast.QualifiedName => {
    this.CONSUME(kw.collate);
    return this.SUBRULE(this.qualifiedName);
  });
}

const keywordsOf = (wanted: t.KeywordClass): ReadonlySet<unknown> =>
  new Set([...t.keywordClasses].filter(([, kind]) => kind === wanted).map(([word]) => t.keywordTokens.get(word)));

/** Keywords that cannot name a table. */
const notTables = keywordsOf("type or function name");
/** Keywords that cannot name a function. */
const notFunctions = keywordsOf("column name");
/** Special forms that are values only. */
const notTableFunctions: ReadonlySet<string> = new Set([
  "Case",
  "Exists",
  "ArrayConstructor",
  "ArraySubquery",
  "Grouping",
]);
