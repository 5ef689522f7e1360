/** CREATE TABLE: columns, types, constraints, and CREATE TABLE … AS. */
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import { WritesParser } from "./writes.js";

const { kw } = t;

/** The words between CREATE and the kind of object. */
export interface CreateWords {
  readonly start: number;
  readonly orReplace: boolean;
  readonly temporary: boolean;
  readonly unlogged: boolean;
}

/** Only keys and references can wait. */
function timed<C extends ast.ColumnConstraint>(constraint: C, timing: ast.ConstraintTiming | undefined): C {
  const canWait = constraint.kind === "UniqueConstraint" || constraint.kind === "ReferencesConstraint";
  return timing !== undefined && canWait ? { ...constraint, timing } : constraint;
}

/** The name of a constraint or index, when it has one. */
export const named = (name: ast.Identifier | undefined) => (name === undefined ? {} : { name });

export abstract class TablesParser extends WritesParser {
  /** What has been read of the statement is kept for its name: the rest is read over unchecked. */
  protected readonly skipRest = this.RULE("skipRest", (keyword: string, start: number): ast.UnsupportedStatement => {
    this.MANY(() => this.CONSUME(t.AnyToken));
    return { kind: "UnsupportedStatement", keyword, range: this.since(start) };
  });

  /** A word as it is named in a refusal. */
  protected upper(token: SqlToken): string {
    return this.RECORDING_PHASE ? "" : token.image.toUpperCase();
  }

  protected readonly ifNotExists = this.RULE("ifNotExists", (): boolean => {
    this.CONSUME(kw.if);
    this.CONSUME(kw.not);
    this.CONSUME(kw.exists);
    return true;
  });

  protected readonly createTable = this.RULE("createTable", (words: CreateWords): ast.Statement => {
    this.CONSUME(kw.table);
    const ifNotExists = this.OPTION1(() => this.SUBRULE(this.ifNotExists)) === true;
    const name = this.SUBRULE(this.qualifiedName);
    const isQuery = this.opensNames();
    return this.OR<ast.Statement>({
      IGNORE_AMBIGUITIES: true,
      DEF: [
        {
          GATE: () => isQuery || this.nextIs(kw.as),
          ALT: () => this.SUBRULE(this.createTableAs, { ARGS: [words, name, ifNotExists] }),
        },
        { ALT: () => this.SUBRULE(this.tableElements, { ARGS: [words, name, ifNotExists] }) },
        {
          // PARTITION OF and OF type.
          ALT: () => {
            const what = this.nextIs(kw.partition) ? "CREATE TABLE PARTITION OF" : "CREATE TABLE OF";
            this.OR1([{ ALT: () => this.CONSUME(kw.partition) }, { ALT: () => this.CONSUME(kw.of) }]);
            return this.SUBRULE(this.skipRest, { ARGS: [what, words?.start ?? 0] });
          },
        },
      ],
    });
  });

  /** Whether `(a, b)` follows: names only, as CREATE TABLE t (a, b) AS … has them. */
  private opensNames(): boolean {
    if (this.RECORDING_PHASE || !this.nextIs(t.LeftParen)) return false;
    return this.nextIs(t.Comma, 3) || (this.nextIs(t.RightParen, 3) && !this.nextIs(t.RightParen, 2));
  }

  private readonly createTableAs = this.RULE(
    "createTableAs",
    (words: CreateWords, name: ast.QualifiedName, ifNotExists: boolean): ast.CreateTableAsStatement => {
      const columns = this.OPTION1(() => this.SUBRULE(this.columnNameList)) ?? [];
      this.CONSUME(kw.as);
      const query = this.SUBRULE(this.query);
      let withData = true;
      this.OPTION2(() => {
        this.CONSUME(kw.with);
        this.OPTION3(() => {
          this.CONSUME(kw.no);
          withData = false;
        });
        this.CONSUME(kw.data);
      });
      return {
        kind: "CreateTableAsStatement",
        name,
        temporary: words?.temporary,
        ifNotExists,
        columns,
        query,
        withData,
        range: this.since(words?.start ?? 0),
      };
    },
  );

  private readonly tableElements = this.RULE(
    "tableElements",
    (words: CreateWords, name: ast.QualifiedName, ifNotExists: boolean): ast.CreateTableStatement => {
      const columns: ast.ColumnDefinition[] = [];
      const constraints: ast.TableConstraint[] = [];
      const unsupported: string[] = [];
      this.CONSUME(t.LeftParen);
      this.MANY_SEP({
        SEP: t.Comma,
        DEF: () => {
          this.OR([
            {
              ALT: () => {
                columns.push(this.SUBRULE(this.columnDefinition));
              },
            },
            {
              ALT: () => {
                constraints.push(this.SUBRULE(this.tableConstraint));
              },
            },
            {
              ALT: () => {
                this.CONSUME(kw.like);
                this.SUBRULE(this.qualifiedName);
                this.MANY1(() => {
                  this.OR1([{ ALT: () => this.CONSUME(kw.including) }, { ALT: () => this.CONSUME(kw.excluding) }]);
                  this.CONSUME(t.ColumnLabel);
                });
                unsupported.push("LIKE");
              },
            },
          ]);
        },
      });
      this.CONSUME(t.RightParen);
      let onCommit: ast.CreateTableStatement["onCommit"];
      this.MANY2(() => {
        this.OR2([
          {
            ALT: () => {
              onCommit = this.SUBRULE(this.onCommit);
            },
          },
          {
            ALT: () => {
              unsupported.push(this.SUBRULE(this.tableOption));
            },
          },
        ]);
      });
      return {
        kind: "CreateTableStatement",
        name,
        temporary: words?.temporary,
        unlogged: words?.unlogged,
        ifNotExists,
        columns,
        constraints,
        ...(onCommit === undefined ? {} : { onCommit }),
        unsupported,
        range: this.since(words?.start ?? 0),
      };
    },
  );

  private readonly onCommit = this.RULE("onCommit", (): "drop" | "delete rows" | "preserve rows" => {
    this.CONSUME(kw.on);
    this.CONSUME(kw.commit);
    return this.OR<"drop" | "delete rows" | "preserve rows">([
      { ALT: () => this.CONSUME(kw.drop) && "drop" },
      {
        ALT: () => {
          this.CONSUME(kw.delete);
          this.CONSUME1(kw.rows);
          return "delete rows";
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.preserve);
          this.CONSUME2(kw.rows);
          return "preserve rows";
        },
      },
    ]);
  });

  /** Storage and structure that mean nothing here, by name. */
  private readonly tableOption = this.RULE("tableOption", (): string => {
    const word = this.upper(this.next());
    this.OR([
      {
        ALT: () => {
          this.CONSUME(kw.inherits);
          this.SUBRULE1(this.columnNameList);
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.partition);
          this.CONSUME(kw.by);
          this.CONSUME1(t.ColumnName);
          this.SUBRULE(this.indexElements);
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.with);
          this.SUBRULE1(this.parenthesizedExpressionList);
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.without);
          this.CONSUME(kw.oids);
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.using);
          this.CONSUME2(t.ColumnName);
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.tablespace);
          this.CONSUME3(t.ColumnName);
        },
      },
    ]);
    return word;
  });

  private readonly columnDefinition = this.RULE("columnDefinition", (): ast.ColumnDefinition => {
    const start = this.mark();
    const name = this.identifier(this.CONSUME(t.ColumnName));
    const type = this.SUBRULE(this.typeName);
    let collation: ast.QualifiedName | undefined;
    const constraints: ast.ColumnConstraint[] = [];
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            collation = this.SUBRULE(this.collateClause);
          },
        },
        {
          ALT: () => {
            constraints.push(this.SUBRULE(this.columnConstraint));
          },
        },
      ]);
    });
    return {
      kind: "ColumnDefinition",
      name,
      type,
      ...(collation === undefined ? {} : { collation }),
      constraints,
      range: this.since(start),
    };
  });

  private readonly constraintName = this.RULE("constraintName", (): ast.Identifier => {
    this.CONSUME(kw.constraint);
    return this.identifier(this.CONSUME(t.ColumnName));
  });

  private readonly columnConstraint = this.RULE("columnConstraint", (): ast.ColumnConstraint => {
    const start = this.mark();
    const name = this.OPTION1(() => this.SUBRULE(this.constraintName));
    const constraint = this.OR<ast.ColumnConstraint>([
      {
        ALT: () => {
          this.CONSUME1(kw.not);
          this.CONSUME1(kw.null);
          return { kind: "NotNullConstraint", ...named(name), range: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME2(kw.null);
          return { kind: "NullConstraint", ...named(name), range: this.since(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.default);
          const value = this.SUBRULE(this.expression, { ARGS: [0, true] });
          return { kind: "DefaultConstraint", ...named(name), value, range: this.since(start) };
        },
      },
      { ALT: () => this.SUBRULE(this.generated, { ARGS: [name, start] }) },
      {
        ALT: () => {
          const { primary, nullsNotDistinct } = this.SUBRULE(this.uniqueWords);
          const columns: ast.Identifier[] = [];
          return {
            kind: "UniqueConstraint",
            ...named(name),
            primary,
            nullsNotDistinct,
            columns,
            range: this.since(start),
          };
        },
      },
      { ALT: () => this.SUBRULE(this.check, { ARGS: [name, start] }) },
      { ALT: () => this.SUBRULE(this.references, { ARGS: [name, [], start] }) },
    ]);
    return timed(constraint, this.SUBRULE(this.constraintTiming));
  });

  private readonly tableConstraint = this.RULE("tableConstraint", (): ast.TableConstraint => {
    const start = this.mark();
    const name = this.OPTION1(() => this.SUBRULE(this.constraintName));
    const constraint = this.OR<ast.TableConstraint>([
      {
        ALT: () => {
          const { primary, nullsNotDistinct } = this.SUBRULE(this.uniqueWords);
          const columns = this.SUBRULE1(this.columnNameList);
          this.OPTION2(() => {
            this.CONSUME(kw.include);
            this.SUBRULE2(this.columnNameList);
          });
          return {
            kind: "UniqueConstraint",
            ...named(name),
            primary,
            nullsNotDistinct,
            columns,
            range: this.since(start),
          };
        },
      },
      { ALT: () => this.SUBRULE(this.check, { ARGS: [name, start] }) },
      {
        ALT: () => {
          this.CONSUME(kw.foreign);
          this.CONSUME(kw.key);
          const columns = this.SUBRULE3(this.columnNameList);
          return this.SUBRULE(this.references, { ARGS: [name, columns, start] });
        },
      },
    ]);
    return timed(constraint, this.SUBRULE(this.constraintTiming));
  });

  private readonly uniqueWords = this.RULE("uniqueWords", (): { primary: boolean; nullsNotDistinct: boolean } => {
    let nullsNotDistinct = false;
    const primary = this.OR<boolean>([
      {
        ALT: () => {
          this.CONSUME(kw.primary);
          return this.CONSUME(kw.key) !== undefined;
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.unique);
          this.OPTION1(() => {
            this.CONSUME(kw.nulls);
            this.OPTION2(() => {
              this.CONSUME(kw.not);
              nullsNotDistinct = true;
            });
            this.CONSUME(kw.distinct);
          });
          return false;
        },
      },
    ]);
    return { primary, nullsNotDistinct };
  });

  private readonly check = this.RULE(
    "check",
    (name: ast.Identifier | undefined, start: number): ast.CheckConstraint => {
      this.CONSUME(kw.check);
      this.CONSUME(t.LeftParen);
      const expression = this.SUBRULE(this.expression);
      this.CONSUME(t.RightParen);
      this.OPTION(() => {
        this.CONSUME(kw.no);
        this.CONSUME(kw.inherit);
      });
      return { kind: "CheckConstraint", ...named(name), expression, range: this.since(start) };
    },
  );

  private readonly references = this.RULE(
    "references",
    (name: ast.Identifier | undefined, columns: ast.Identifier[], start: number): ast.ReferencesConstraint => {
      this.CONSUME(kw.references);
      const table = this.SUBRULE(this.qualifiedName);
      const targetColumns = this.OPTION1(() => this.SUBRULE1(this.columnNameList)) ?? [];
      const match = this.OPTION2(() => {
        this.CONSUME(kw.match);
        return this.OR1<"full" | "partial" | "simple">([
          { ALT: () => this.CONSUME(kw.full) && "full" },
          { ALT: () => this.CONSUME(kw.partial) && "partial" },
          { ALT: () => this.CONSUME(kw.simple) && "simple" },
        ]);
      });
      let onDelete: ast.ReferentialAction | undefined;
      let onUpdate: ast.ReferentialAction | undefined;
      this.MANY(() => {
        this.CONSUME(kw.on);
        const isDelete = this.OR2<boolean>([
          { ALT: () => this.CONSUME(kw.delete) !== undefined },
          { ALT: () => this.CONSUME(kw.update) === undefined },
        ]);
        const action = this.SUBRULE(this.referentialAction);
        if (isDelete) onDelete = action;
        else onUpdate = action;
      });
      const actions = {
        ...(match && { match }),
        ...(onDelete && { onDelete }),
        ...(onUpdate && { onUpdate }),
      };
      const range = this.since(start);
      return { kind: "ReferencesConstraint", ...named(name), columns, table, targetColumns, ...actions, range };
    },
  );

  private readonly referentialAction = this.RULE("referentialAction", (): ast.ReferentialAction => {
    return this.OR1<ast.ReferentialAction>([
      {
        ALT: () => {
          this.CONSUME(kw.no);
          this.CONSUME(kw.action);
          return "no action";
        },
      },
      { ALT: () => this.CONSUME(kw.restrict) && "restrict" },
      { ALT: () => this.CONSUME(kw.cascade) && "cascade" },
      {
        ALT: () => {
          this.CONSUME(kw.set);
          const action = this.OR2<"set null" | "set default">([
            { ALT: () => this.CONSUME(kw.null) && "set null" },
            { ALT: () => this.CONSUME(kw.default) && "set default" },
          ]);
          const columns = this.OPTION(() => this.SUBRULE(this.columnNameList));
          return columns === undefined ? action : `${action} columns`;
        },
      },
    ]);
  });

  /** DEFERRABLE, INITIALLY DEFERRED: when a constraint is checked; absent for at once. */
  private readonly constraintTiming = this.RULE("constraintTiming", (): ast.ConstraintTiming | undefined => {
    const deferrable = this.OPTION1({
      GATE: () => !this.nextIs(kw.not) || this.nextIs(kw.deferrable, 2),
      DEF: () => {
        const not = this.OPTION2(() => this.CONSUME(kw.not));
        this.CONSUME(kw.deferrable);
        return not === undefined;
      },
    });
    const deferred = this.OPTION3(() => {
      this.CONSUME(kw.initially);
      return this.OR<boolean>([
        { ALT: () => this.CONSUME(kw.deferred) !== undefined },
        { ALT: () => this.CONSUME(kw.immediate) === undefined },
      ]);
    });
    return deferred === true ? "deferred" : deferrable === true ? "deferrable" : undefined;
  });

  /** GENERATED … AS IDENTITY, GENERATED ALWAYS AS (…) STORED. */
  private readonly generated = this.RULE(
    "generated",
    (name: ast.Identifier | undefined, start: number): ast.IdentityConstraint | ast.GeneratedConstraint => {
      this.CONSUME(kw.generated);
      const always = this.OR1<boolean>([
        { ALT: () => this.CONSUME(kw.always) !== undefined },
        {
          ALT: () => {
            this.CONSUME(kw.by);
            return this.CONSUME(kw.default) === undefined;
          },
        },
      ]);
      this.CONSUME(kw.as);
      return this.OR2<ast.IdentityConstraint | ast.GeneratedConstraint>([
        {
          ALT: () => {
            this.CONSUME(kw.identity);
            const options = this.OPTION(() => this.SUBRULE(this.sequenceOptions)) ?? {};
            return { kind: "IdentityConstraint", ...named(name), always, ...options, range: this.since(start) };
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.LeftParen);
            const expression = this.SUBRULE(this.expression);
            this.CONSUME(t.RightParen);
            this.CONSUME(kw.stored);
            if (!always && !this.RECORDING_PHASE) {
              const message = "for a generated column, GENERATED ALWAYS must be specified";
              throw this.error(sqlstate.syntaxError, message, start);
            }
            return { kind: "GeneratedConstraint", ...named(name), expression, range: this.since(start) };
          },
        },
      ]);
    },
  );

  private readonly sequenceOptions = this.RULE("sequenceOptions", (): { start?: string; increment?: string } => {
    const options: { start?: string; increment?: string } = {};
    this.CONSUME(t.LeftParen);
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            this.CONSUME(kw.start);
            this.OPTION1(() => this.CONSUME(kw.with));
            options.start = this.SUBRULE1(this.signedNumber);
          },
        },
        {
          ALT: () => {
            this.CONSUME(kw.increment);
            this.OPTION2(() => this.CONSUME(kw.by));
            options.increment = this.SUBRULE2(this.signedNumber);
          },
        },
        {
          ALT: () => {
            this.CONSUME(kw.minvalue);
            this.SUBRULE3(this.signedNumber);
          },
        },
        {
          ALT: () => {
            this.CONSUME(kw.maxvalue);
            this.SUBRULE4(this.signedNumber);
          },
        },
        {
          ALT: () => {
            this.CONSUME(kw.cache);
            this.SUBRULE5(this.signedNumber);
          },
        },
        { ALT: () => this.CONSUME(kw.cycle) },
        {
          ALT: () => {
            this.CONSUME(kw.no);
            this.CONSUME(t.NonReservedWord);
          },
        },
      ]);
    });
    this.CONSUME(t.RightParen);
    return options;
  });

  readonly signedNumber = this.RULE("signedNumber", (): string => {
    const minus = this.nextIs(t.Minus);
    this.OPTION(() => this.OR1([{ ALT: () => this.CONSUME(t.Plus) }, { ALT: () => this.CONSUME(t.Minus) }]));
    const token = this.OR2([
      { ALT: () => this.CONSUME(t.IntegerToken) },
      { ALT: () => this.CONSUME(t.DecimalToken) },
    ]) as SqlToken;
    return (minus ? "-" : "") + token.value;
  });
}
