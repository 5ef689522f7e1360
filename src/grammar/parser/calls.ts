/** Function calls with everything that may follow one: ORDER BY, WITHIN GROUP, FILTER, OVER and its window. */
import type { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import { TypesParser } from "./types.js";

const { kw } = t;

/** What stands between the parentheses of a call. */
export interface CallArguments {
  readonly args: ast.FunctionArgument[];
  readonly star: boolean;
  readonly distinct: boolean;
  readonly orderBy: readonly ast.SortItem[];
}

const nothing: readonly never[] = [];

export abstract class CallsParser extends TypesParser {
  private readonly argumentForms = [
    {
      ALT: (): CallArguments => {
        this.CONSUME(t.Star);
        return { args: [], star: true, distinct: false, orderBy: nothing };
      },
    },
    { ALT: (): CallArguments => this.SUBRULE(this.listedArguments) },
  ];

  /** `(…)` of a call. */
  readonly callArguments = this.RULE("callArguments", (): CallArguments => {
    this.CONSUME(t.LeftParen);
    const found = this.OPTION(() => this.OR(this.argumentForms));
    this.CONSUME(t.RightParen);
    return found ?? { args: [], star: false, distinct: false, orderBy: nothing };
  });

  private readonly listedArguments = this.RULE("listedArguments", (): CallArguments => {
    let distinct = false;
    this.OPTION1(() => {
      this.OR([
        { ALT: () => this.CONSUME(kw.all) },
        {
          ALT: () => {
            this.CONSUME(kw.distinct);
            distinct = true;
          },
        },
      ]);
    });
    const args: ast.FunctionArgument[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        const last = args[args.length - 1];
        const argument = this.SUBRULE(this.argument);
        if (last?.variadic) this.fail();
        if (last?.name !== undefined && argument.name === undefined) {
          throw this.error(sqlstate.syntaxError, "positional argument cannot follow named argument", argument);
        }
        args.push(argument);
      },
    });
    const orderBy = this.OPTION2(() => this.SUBRULE(this.orderBy));
    return { args, star: false, distinct, orderBy: orderBy ?? nothing };
  });

  readonly argument = this.RULE("argument", (): ast.FunctionArgument => {
    const start = this.mark();
    const variadic = this.OPTION1(() => this.CONSUME(kw.variadic)) !== undefined;
    let name: ast.Identifier | undefined;
    this.OPTION2({
      GATE: () => this.nextIs(t.EqualsGreater, 2) || this.nextIs(t.ColonEquals, 2),
      DEF: () => {
        name = this.identifier(this.CONSUME(t.TypeOrFunctionName));
        this.OR([{ ALT: () => this.CONSUME(t.EqualsGreater) }, { ALT: () => this.CONSUME(t.ColonEquals) }]);
      },
    });
    const value = this.SUBRULE(this.expression);
    const range = this.since(start);
    return name === undefined
      ? { kind: "FunctionArgument", value, variadic, range }
      : { kind: "FunctionArgument", name, value, variadic, range };
  });

  /** WITHIN GROUP, FILTER and OVER behind a call that begins at `start`. */
  readonly callTail = this.RULE(
    "callTail",
    (name: ast.QualifiedName, found: CallArguments, start: number): ast.FunctionCall => {
      const withinGroup = this.OPTION1(() => {
        this.CONSUME(kw.within);
        const place = this.mark();
        this.CONSUME(kw.group);
        this.CONSUME1(t.LeftParen);
        const items = this.SUBRULE(this.orderBy);
        this.CONSUME1(t.RightParen);
        const error = this.RECORDING_PHASE ? undefined : this.withinGroupConflict(found, place);
        if (error !== undefined) throw error;
        return items;
      });
      const filter = this.OPTION2(() => {
        this.CONSUME(kw.filter);
        this.CONSUME2(t.LeftParen);
        this.CONSUME(kw.where);
        const condition = this.SUBRULE(this.expression);
        this.CONSUME2(t.RightParen);
        return condition;
      });
      const over = this.OPTION3((): ast.Identifier | ast.WindowDefinition => {
        this.CONSUME(kw.over);
        return this.OR<ast.Identifier | ast.WindowDefinition>([
          { ALT: () => this.identifier(this.CONSUME(t.ColumnName)) },
          { ALT: () => this.SUBRULE(this.windowDefinition) },
        ]);
      });
      return {
        kind: "FunctionCall",
        name,
        ...found,
        ...(withinGroup === undefined ? {} : { withinGroup }),
        ...(filter === undefined ? {} : { filter }),
        ...(over === undefined ? {} : { over }),
        range: this.since(start),
      };
    },
  );

  private withinGroupConflict(found: CallArguments, place: number): SqlError | undefined {
    const conflict =
      found.orderBy.length > 0
        ? "cannot use multiple ORDER BY clauses with WITHIN GROUP"
        : found.distinct
          ? "cannot use DISTINCT with WITHIN GROUP"
          : found.args.some((argument) => argument.variadic)
            ? "cannot use VARIADIC with WITHIN GROUP"
            : undefined;
    return conflict === undefined ? undefined : this.error(sqlstate.syntaxError, conflict, place);
  }

  // Sorting -----------------------------------------------------------------------------------------------------------

  /** ORDER BY and its items. */
  readonly orderBy = this.RULE("orderBy", (): ast.SortItem[] => {
    this.CONSUME(kw.order);
    this.CONSUME(kw.by);
    const items: ast.SortItem[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        items.push(this.SUBRULE(this.sortItem));
      },
    });
    return items;
  });

  private readonly sortItem = this.RULE("sortItem", (): ast.SortItem => {
    const start = this.mark();
    const expression = this.SUBRULE(this.expression);
    let direction: "asc" | "desc" | undefined;
    let using: ast.OperatorName | undefined;
    this.OPTION1(() => {
      this.OR([
        {
          ALT: () => {
            direction = this.SUBRULE(this.sortDirection);
          },
        },
        {
          ALT: () => {
            this.CONSUME(kw.using);
            using = this.SUBRULE(this.anyOperator);
          },
        },
      ]);
    });
    const nulls = this.OPTION2(() => this.SUBRULE(this.nullsOrder));
    return {
      kind: "SortItem",
      expression,
      ...(direction === undefined ? {} : { direction }),
      ...(using === undefined ? {} : { using }),
      ...(nulls === undefined ? {} : { nulls }),
      range: this.since(start),
    };
  });

  readonly sortDirection = this.RULE("sortDirection", (): "asc" | "desc" =>
    this.OR<"asc" | "desc">([
      { ALT: () => this.CONSUME(kw.asc) && "asc" },
      { ALT: () => this.CONSUME(kw.desc) && "desc" },
    ]),
  );

  readonly nullsOrder = this.RULE("nullsOrder", (): "first" | "last" => {
    this.CONSUME(kw.nulls);
    return this.OR<"first" | "last">([
      { ALT: () => this.CONSUME(kw.first) && "first" },
      { ALT: () => this.CONSUME(kw.last) && "last" },
    ]);
  });

  /** An operator by itself, or OPERATOR(schema.+). */
  readonly anyOperator = this.RULE(
    "anyOperator",
    (): ast.OperatorName =>
      this.OR([
        { ALT: () => this.operatorName(this.CONSUME(t.InfixSign)) },
        { ALT: () => this.SUBRULE(this.namedOperator) },
      ]),
  );

  /** OPERATOR(schema.+). */
  readonly namedOperator = this.RULE("namedOperator", (): ast.OperatorName => {
    const start = this.mark();
    this.CONSUME(kw.operator);
    this.CONSUME(t.LeftParen);
    let schema: string | undefined;
    this.MANY(() => {
      schema = (this.CONSUME(t.ColumnName) as SqlToken).value;
      this.CONSUME(t.Dot);
    });
    const { value: name } = this.CONSUME(t.InfixSign) as SqlToken;
    this.CONSUME(t.RightParen);
    const range = this.since(start);
    return schema === undefined ? { kind: "OperatorName", name, range } : { kind: "OperatorName", schema, name, range };
  });

  // Windows -----------------------------------------------------------------------------------------------------------

  /** `(base PARTITION BY … ORDER BY … frame)`. */
  readonly windowDefinition = this.RULE("windowDefinition", (): ast.WindowDefinition => {
    const start = this.mark();
    this.CONSUME(t.LeftParen);
    const base = this.OPTION1({
      GATE: () => !windowWords.has(this.next().tokenType),
      DEF: () => this.identifier(this.CONSUME(t.ColumnName)),
    });
    const partitionBy = this.OPTION2(() => {
      this.CONSUME(kw.partition);
      this.CONSUME(kw.by);
      return this.SUBRULE(this.expressionList);
    });
    const orderBy = this.OPTION3(() => this.SUBRULE(this.orderBy));
    const frame = this.OPTION4(() => this.SUBRULE(this.windowFrame));
    this.CONSUME(t.RightParen);
    return {
      kind: "WindowDefinition",
      ...(base === undefined ? {} : { base }),
      partitionBy: partitionBy ?? nothing,
      orderBy: orderBy ?? nothing,
      ...(frame === undefined ? {} : { frame }),
      range: this.since(start),
    };
  });

  private readonly windowFrame = this.RULE("windowFrame", (): ast.WindowFrame => {
    const begin = this.mark();
    const mode = this.OR1<ast.WindowFrame["mode"]>([
      { ALT: () => this.CONSUME(kw.rows) && "rows" },
      { ALT: () => this.CONSUME(kw.range) && "range" },
      { ALT: () => this.CONSUME(kw.groups) && "groups" },
    ]);
    const between = this.OPTION1(() => this.CONSUME(kw.between)) !== undefined;
    const start = this.SUBRULE1(this.frameBound);
    const second = this.OPTION2({
      GATE: () => between,
      DEF: () => {
        this.CONSUME(kw.and);
        return this.SUBRULE2(this.frameBound);
      },
    });
    if (between && second === undefined) this.fail();
    const exclude = this.OPTION3(() => this.SUBRULE(this.frameExclusion));
    if (!this.RECORDING_PHASE) this.checkFrame(start, second);
    return {
      kind: "WindowFrame",
      mode,
      start,
      end: second ?? { kind: "FrameBound", type: "current row", range: this.rangeOf(start) },
      ...(exclude === undefined || exclude === "no others" ? {} : { exclude }),
      range: this.since(begin),
    };
  });

  private rangeOf(node: ast.NodeBase): ast.Range {
    return node.range;
  }

  private checkFrame(start: ast.FrameBound, end: ast.FrameBound | undefined): void {
    const message = frameConflict(start.type, end?.type);
    if (message !== undefined)
      throw this.error(sqlstate.windowingError, message, message.startsWith("frame end") ? (end ?? start) : start);
  }

  private readonly frameBound = this.RULE("frameBound", (): ast.FrameBound => {
    const start = this.mark();
    let type: ast.FrameBound["type"] = "current row";
    let offset: ast.Expression | undefined;
    this.OR1({
      // UNBOUNDED and CURRENT are ordinary names too; the words behind them decide.
      IGNORE_AMBIGUITIES: true,
      DEF: [
        {
          GATE: () => this.nextIs(kw.preceding, 2) || this.nextIs(kw.following, 2),
          ALT: () => {
            this.CONSUME(kw.unbounded);
            type = this.SUBRULE1(this.frameDirection) === "preceding" ? "unbounded preceding" : "unbounded following";
          },
        },
        {
          GATE: () => this.nextIs(kw.row, 2),
          ALT: () => {
            this.CONSUME(kw.current);
            this.CONSUME(kw.row);
          },
        },
        {
          ALT: () => {
            offset = this.SUBRULE(this.expression);
            type = this.SUBRULE2(this.frameDirection);
          },
        },
      ],
    });
    const range = this.since(start);
    return offset === undefined ? { kind: "FrameBound", type, range } : { kind: "FrameBound", type, offset, range };
  });

  private readonly frameDirection = this.RULE("frameDirection", (): "preceding" | "following" =>
    this.OR<"preceding" | "following">([
      { ALT: () => this.CONSUME(kw.preceding) && "preceding" },
      { ALT: () => this.CONSUME(kw.following) && "following" },
    ]),
  );

  private readonly frameExclusion = this.RULE("frameExclusion", (): "current row" | "group" | "ties" | "no others" => {
    this.CONSUME(kw.exclude);
    return this.OR<"current row" | "group" | "ties" | "no others">([
      {
        ALT: () => {
          this.CONSUME(kw.current);
          this.CONSUME(kw.row);
          return "current row";
        },
      },
      { ALT: () => this.CONSUME(kw.group) && "group" },
      { ALT: () => this.CONSUME(kw.ties) && "ties" },
      {
        ALT: () => {
          this.CONSUME(kw.no);
          this.CONSUME(kw.others);
          return "no others";
        },
      },
    ]);
  });
}

/** Words that begin a part of a window definition and so are not the name of another window. */
const windowWords: ReadonlySet<unknown> = new Set([kw.partition, kw.range, kw.rows, kw.groups]);

/** PostgreSQL's complaints about frames that cannot be. */
function frameConflict(start: ast.FrameBound["type"], end: ast.FrameBound["type"] | undefined): string | undefined {
  if (start === "unbounded following") return "frame start cannot be UNBOUNDED FOLLOWING";
  if (end === undefined) {
    return start === "following" ? "frame starting from following row cannot end with current row" : undefined;
  }
  if (end === "unbounded preceding") return "frame end cannot be UNBOUNDED PRECEDING";
  if (start === "current row" && end === "preceding") {
    return "frame starting from current row cannot have preceding rows";
  }
  if (start === "following" && (end === "preceding" || end === "current row")) {
    return "frame starting from following row cannot have preceding rows";
  }
  return undefined;
}
