/** INSERT, UPDATE, DELETE and MERGE. */
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import type { RuleOf } from "./base.js";
import { SelectParser } from "./select.js";

const { kw } = t;

type DataModification = ast.InsertStatement | ast.UpdateStatement | ast.DeleteStatement;
type WithArguments = [withClause: ast.WithClause | undefined, start: number];

const withOf = (withClause: ast.WithClause | undefined) => (withClause === undefined ? {} : { with: withClause });
const whereOf = (where: ast.Expression | undefined) => (where === undefined ? {} : { where });

export abstract class WritesParser extends SelectParser {
  readonly dataModification: RuleOf<DataModification, WithArguments> = this.RULE(
    "dataModification",
    (withClause: ast.WithClause | undefined, start: number) =>
      this.OR<DataModification>([
        { ALT: () => this.SUBRULE(this.insert, { ARGS: [withClause, start] }) },
        { ALT: () => this.SUBRULE(this.update, { ARGS: [withClause, start] }) },
        { ALT: () => this.SUBRULE(this.delete, { ARGS: [withClause, start] }) },
      ]),
  );

  // INSERT ------------------------------------------------------------------------------------------------------------------

  private readonly insert = this.RULE(
    "insert",
    (withClause: ast.WithClause | undefined, start: number): ast.InsertStatement => {
      this.CONSUME(kw.insert);
      this.CONSUME(kw.into);
      const target = this.SUBRULE(this.qualifiedName);
      const alias = this.OPTION1(() => {
        this.CONSUME(kw.as);
        return this.identifier(this.CONSUME(t.ColumnName));
      });
      const columns = this.OPTION2({
        GATE: () => !this.opensQuery(),
        DEF: () => this.SUBRULE(this.targetColumns),
      });
      const overriding = this.OPTION3(() => this.SUBRULE(this.overriding));
      const source = this.OR<ast.SelectStatement | undefined>([
        {
          ALT: () => {
            this.CONSUME(kw.default);
            this.CONSUME(kw.values);
            return undefined;
          },
        },
        { ALT: () => this.SUBRULE(this.query) },
      ]);
      const onConflict = this.OPTION4(() => this.SUBRULE(this.onConflict));
      const returning = this.OPTION5(() => this.SUBRULE(this.returning));
      return {
        kind: "InsertStatement",
        ...withOf(withClause),
        target,
        ...(alias === undefined ? {} : { alias }),
        columns: columns ?? [],
        ...(overriding === undefined ? {} : { overriding }),
        ...(source === undefined ? {} : { source }),
        ...(onConflict === undefined ? {} : { onConflict }),
        returning: returning ?? [],
        range: this.since(start),
      };
    },
  );

  /** `(a, b[1], c.field)`. */
  private readonly targetColumns = this.RULE("targetColumns", (): ast.AssignmentTarget[] => {
    const columns: ast.AssignmentTarget[] = [];
    this.CONSUME(t.LeftParen);
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        columns.push(this.SUBRULE(this.assignmentTarget));
      },
    });
    this.CONSUME(t.RightParen);
    return columns;
  });

  private readonly assignmentTarget = this.RULE("assignmentTarget", (): ast.AssignmentTarget => {
    const start = this.mark();
    const column = this.identifier(this.CONSUME(t.ColumnName));
    const path: ast.PathStep[] = [];
    this.MANY(() => {
      path.push(this.SUBRULE(this.pathStep));
    });
    return { kind: "AssignmentTarget", column, path, range: this.since(start) };
  });

  private readonly pathStep = this.RULE("pathStep", (): ast.PathStep => {
    const start = this.mark();
    return this.OR<ast.PathStep>([
      {
        ALT: () => {
          this.CONSUME(t.Dot);
          const { value: name } = this.CONSUME(t.ColumnLabel) as SqlToken;
          return { kind: "FieldStep", name, range: this.since(start) };
        },
      },
      {
        ALT: () => {
          // The brackets are those of an expression; the operand they are read with is dropped.
          const operand: ast.NullLiteral = { kind: "NullLiteral", range: { start, end: start } };
          const read = this.SUBRULE(this.subscript, { ARGS: [operand, start] });
          const range = this.since(start);
          if (read.kind === "Subscript") return { kind: "IndexStep", index: read.index, range };
          const { lower, upper } = read as ast.Slice;
          return {
            kind: "SliceStep",
            ...(lower === undefined ? {} : { lower }),
            ...(upper === undefined ? {} : { upper }),
            range,
          };
        },
      },
    ]);
  });

  private readonly overriding = this.RULE("overriding", (): "user" | "system" => {
    this.CONSUME(kw.overriding);
    const whose = this.OR<"user" | "system">([
      { ALT: () => this.CONSUME(kw.user) && "user" },
      { ALT: () => this.CONSUME(kw.system) && "system" },
    ]);
    this.CONSUME(kw.value);
    return whose;
  });

  private readonly onConflict = this.RULE("onConflict", (): ast.OnConflict => {
    const start = this.mark();
    this.CONSUME(kw.on);
    this.CONSUME(kw.conflict);
    const target = this.OPTION1(() => this.SUBRULE(this.conflictTarget));
    this.CONSUME(kw.do);
    let assignments: ast.SetClause[] = [];
    let where: ast.Expression | undefined;
    const action = this.OR<"nothing" | "update">([
      { ALT: () => this.CONSUME(kw.nothing) && "nothing" },
      {
        ALT: () => {
          this.CONSUME(kw.update);
          this.CONSUME(kw.set);
          assignments = this.SUBRULE(this.setClauses);
          where = this.OPTION2(() => this.SUBRULE(this.whereClause));
          return "update";
        },
      },
    ]);
    return {
      kind: "OnConflict",
      ...(target === undefined ? {} : { target }),
      action,
      assignments,
      ...whereOf(where),
      range: this.since(start),
    };
  });

  private readonly conflictTarget = this.RULE("conflictTarget", (): ast.ConflictColumns | ast.ConflictConstraint => {
    const start = this.mark();
    return this.OR<ast.ConflictColumns | ast.ConflictConstraint>([
      {
        ALT: () => {
          this.CONSUME(kw.on);
          this.CONSUME(kw.constraint);
          const name = this.identifier(this.CONSUME(t.ColumnName));
          return { kind: "ConflictConstraint", name, range: this.since(start) };
        },
      },
      {
        ALT: () => {
          const elements = this.SUBRULE(this.indexElements);
          const where = this.OPTION(() => this.SUBRULE(this.whereClause));
          return { kind: "ConflictColumns", elements, ...whereOf(where), range: this.since(start) };
        },
      },
    ]);
  });

  /** The columns and expressions of an index, in parentheses. */
  readonly indexElements = this.RULE("indexElements", (): ast.IndexElement[] => {
    const elements: ast.IndexElement[] = [];
    this.CONSUME(t.LeftParen);
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        elements.push(this.SUBRULE(this.indexElement));
      },
    });
    this.CONSUME(t.RightParen);
    return elements;
  });

  private readonly indexElement = this.RULE("indexElement", (): ast.IndexElement => {
    const start = this.mark();
    const place = this.next();
    const expression = this.SUBRULE(this.operand, { ARGS: [true] });
    if (!this.RECORDING_PHASE && !isIndexable(expression, place)) this.fail(place);
    const collation = this.OPTION1(() => this.SUBRULE(this.collateClause));
    const operatorClass = this.OPTION2({
      GATE: () => !this.nextIs(kw.nulls),
      DEF: () => this.SUBRULE(this.qualifiedName),
    });
    const direction = this.OPTION3(() => this.SUBRULE(this.sortDirection));
    const nulls = this.OPTION4(() => this.SUBRULE(this.nullsOrder));
    return {
      kind: "IndexElement",
      expression,
      ...(collation === undefined ? {} : { collation }),
      ...(operatorClass === undefined ? {} : { operatorClass }),
      ...(direction === undefined ? {} : { direction }),
      ...(nulls === undefined ? {} : { nulls }),
      range: this.since(start),
    };
  });

  readonly returning = this.RULE("returning", (): ast.SelectTarget[] => {
    this.CONSUME(kw.returning);
    return this.SUBRULE(this.targetList);
  });

  // UPDATE, DELETE ----------------------------------------------------------------------------------------------------------

  private readonly update = this.RULE(
    "update",
    (withClause: ast.WithClause | undefined, start: number): ast.UpdateStatement => {
      this.CONSUME(kw.update);
      const target = this.SUBRULE(this.writeTarget);
      this.CONSUME(kw.set);
      const assignments = this.SUBRULE(this.setClauses);
      const from = this.OPTION1(() => {
        this.CONSUME(kw.from);
        return this.SUBRULE(this.fromItems);
      });
      const where = this.OPTION2(() => this.SUBRULE(this.whereOrCurrent));
      const returning = this.OPTION3(() => this.SUBRULE(this.returning));
      return {
        kind: "UpdateStatement",
        ...withOf(withClause),
        target,
        assignments,
        from: from ?? [],
        ...whereOf(where),
        returning: returning ?? [],
        range: this.since(start),
      };
    },
  );

  private readonly delete = this.RULE(
    "delete",
    (withClause: ast.WithClause | undefined, start: number): ast.DeleteStatement => {
      this.CONSUME(kw.delete);
      this.CONSUME(kw.from);
      const target = this.SUBRULE(this.writeTarget);
      const using = this.OPTION1(() => {
        this.CONSUME(kw.using);
        return this.SUBRULE(this.fromItems);
      });
      const where = this.OPTION2(() => this.SUBRULE(this.whereOrCurrent));
      const returning = this.OPTION3(() => this.SUBRULE(this.returning));
      return {
        kind: "DeleteStatement",
        ...withOf(withClause),
        target,
        using: using ?? [],
        ...whereOf(where),
        returning: returning ?? [],
        range: this.since(start),
      };
    },
  );

  /** A table with an alias; SET without AS is no alias. */
  private readonly writeTarget = this.RULE("writeTarget", (): ast.TableReference => {
    const start = this.mark();
    const table = this.SUBRULE(this.relation);
    const alias = this.OPTION1({
      GATE: () => !this.nextIs(kw.set),
      DEF: (): ast.TableAlias => {
        const begin = this.mark();
        this.OPTION2(() => this.CONSUME(kw.as));
        const name = this.identifier(this.CONSUME(t.ColumnName));
        return { kind: "TableAlias", name, columns: [], range: this.since(begin) };
      },
    });
    return alias === undefined ? table : { ...table, alias, range: this.since(start) };
  });

  private readonly whereClause = this.RULE("whereClause", (): ast.Expression => {
    this.CONSUME(kw.where);
    return this.SUBRULE(this.expression);
  });

  private readonly whereOrCurrent = this.RULE("whereOrCurrent", (): ast.Expression => {
    this.CONSUME(kw.where);
    return this.OR<ast.Expression>({
      // CURRENT is an ordinary name unless OF follows.
      IGNORE_AMBIGUITIES: true,
      DEF: [
        {
          GATE: () => this.nextIs(kw.of, 2),
          ALT: () => {
            const start = this.mark();
            this.CONSUME(kw.current);
            this.CONSUME(kw.of);
            const cursor = this.identifier(this.CONSUME(t.ColumnName));
            return { kind: "CurrentOf", cursor, range: this.since(start) };
          },
        },
        { ALT: () => this.SUBRULE(this.expression) },
      ],
    });
  });

  readonly setClauses = this.RULE("setClauses", (): ast.SetClause[] => {
    const clauses: ast.SetClause[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        clauses.push(this.SUBRULE(this.setClause));
      },
    });
    return clauses;
  });

  private readonly setClause = this.RULE("setClause", (): ast.SetClause => {
    const start = this.mark();
    return this.OR<ast.SetClause>([
      {
        ALT: () => {
          const target = this.SUBRULE(this.assignmentTarget);
          this.CONSUME1(t.Equal);
          const value = this.SUBRULE1(this.expression);
          return { kind: "Assignment", target, value, range: this.since(start) };
        },
      },
      {
        ALT: () => {
          const targets = this.SUBRULE(this.targetColumns);
          this.CONSUME2(t.Equal);
          const source = this.SUBRULE2(this.expression);
          return { kind: "MultiAssignment", targets, source, range: this.since(start) };
        },
      },
    ]);
  });

  // MERGE -------------------------------------------------------------------------------------------------------------------

  readonly merge = this.RULE("merge", (withClause: ast.WithClause | undefined, start: number): ast.MergeStatement => {
    this.CONSUME(kw.merge);
    this.CONSUME(kw.into);
    const target = this.SUBRULE(this.writeTarget);
    this.CONSUME(kw.using);
    const source = this.SUBRULE(this.fromItem);
    this.CONSUME(kw.on);
    const on = this.SUBRULE(this.expression);
    const clauses: ast.MergeWhen[] = [];
    this.AT_LEAST_ONE(() => {
      clauses.push(this.SUBRULE(this.mergeWhen));
    });
    return { kind: "MergeStatement", ...withOf(withClause), target, source, on, clauses, range: this.since(start) };
  });

  private readonly mergeWhen = this.RULE("mergeWhen", (): ast.MergeWhen => {
    const start = this.mark();
    this.CONSUME(kw.when);
    const not = this.OPTION1(() => this.CONSUME(kw.not)) !== undefined;
    this.CONSUME(kw.matched);
    const condition = this.OPTION2(() => {
      this.CONSUME(kw.and);
      return this.SUBRULE(this.expression);
    });
    this.CONSUME(kw.then);
    const action = this.OR<ast.MergeWhen["action"]>([
      { GATE: () => !not, ALT: () => this.SUBRULE(this.mergeUpdate) },
      { GATE: () => !not, ALT: () => this.SUBRULE(this.mergeDelete) },
      { GATE: () => not, ALT: () => this.SUBRULE(this.mergeInsert) },
      { ALT: () => this.SUBRULE(this.mergeNothing) },
    ]);
    return {
      kind: "MergeWhen",
      matched: !not,
      ...(condition === undefined ? {} : { condition }),
      action,
      range: this.since(start),
    };
  });

  private readonly mergeUpdate = this.RULE("mergeUpdate", (): ast.MergeUpdate => {
    const start = this.mark();
    this.CONSUME(kw.update);
    this.CONSUME(kw.set);
    const assignments = this.SUBRULE(this.setClauses);
    return { kind: "MergeUpdate", assignments, range: this.since(start) };
  });

  private readonly mergeDelete = this.RULE("mergeDelete", (): ast.MergeDelete => {
    const start = this.mark();
    this.CONSUME(kw.delete);
    return { kind: "MergeDelete", range: this.since(start) };
  });

  private readonly mergeNothing = this.RULE("mergeNothing", (): ast.MergeNothing => {
    const start = this.mark();
    this.CONSUME(kw.do);
    this.CONSUME(kw.nothing);
    return { kind: "MergeNothing", range: this.since(start) };
  });

  private readonly mergeInsert = this.RULE("mergeInsert", (): ast.MergeInsert => {
    const start = this.mark();
    this.CONSUME(kw.insert);
    const columns = this.OPTION1(() => this.SUBRULE(this.targetColumns));
    const overriding = this.OPTION2(() => this.SUBRULE(this.overriding));
    const values = this.OR<ast.Expression[] | undefined>([
      {
        ALT: () => {
          this.CONSUME1(kw.values);
          return this.SUBRULE(this.parenthesizedExpressionList);
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.default);
          this.CONSUME2(kw.values);
          return undefined;
        },
      },
    ]);
    return {
      kind: "MergeInsert",
      columns: columns ?? [],
      ...(overriding === undefined ? {} : { overriding }),
      ...(values === undefined ? {} : { values }),
      range: this.since(start),
    };
  });
}

/** An index holds columns, calls, and any other expression only in parentheses. */
function isIndexable(expression: ast.Expression, first: SqlToken): boolean {
  if (first.tokenType === t.LeftParen) return true;
  switch (expression.kind) {
    case "ColumnRef":
      return expression.parts.length === 1 && !expression.star;
    case "FunctionCall":
    case "SqlValueFunction":
    case "Coalesce":
    case "NullIf":
    case "MinMax":
      return true;
    case "Cast":
      return first.tokenType === kw.cast;
    default:
      return false;
  }
}
