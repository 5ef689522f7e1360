/** Statements and scripts: everything above, transactions, settings, EXPLAIN, and what is only known by name. */
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import type { GrammarOptions, RuleOf } from "./base.js";
import { DefinitionsParser } from "./definitions.js";

const { kw } = t;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The whole grammar. `script`, `soleExpression` and `soleTypeName` are where a text may start. */
export class SqlParser extends DefinitionsParser {
  /** Statements with semicolons between them; empty ones are dropped. */
  readonly script = this.RULE("script", (): ast.Statement[] => {
    const statements: ast.Statement[] = [];
    this.OPTION1(() => {
      statements.push(this.SUBRULE1(this.statement));
    });
    this.MANY(() => {
      this.CONSUME(t.Semicolon);
      this.OPTION2(() => {
        statements.push(this.SUBRULE2(this.statement));
      });
    });
    return statements;
  });

  readonly soleExpression = this.RULE("soleExpression", (): ast.Expression => this.SUBRULE(this.expression));

  readonly soleTypeName = this.RULE("soleTypeName", (): ast.TypeName => this.SUBRULE(this.typeName));

  private readonly statementForms = {
    // WITH may begin a query or a write; a word that begins nothing of ours is read over.
    DEF: [
      { ALT: (): ast.Statement => this.SUBRULE(this.statementAfterWith, { ARGS: [undefined, this.mark()] }) },
      { ALT: (): ast.Statement => this.SUBRULE(this.withStatement) },
      { ALT: (): ast.Statement => this.SUBRULE(this.create) },
      { ALT: (): ast.Statement => this.SUBRULE(this.drop) },
      { ALT: (): ast.Statement => this.SUBRULE(this.truncate) },
      { ALT: (): ast.Statement => this.SUBRULE(this.beginTransaction) },
      { ALT: (): ast.Statement => this.SUBRULE(this.startTransaction) },
      { ALT: (): ast.Statement => this.SUBRULE(this.commit) },
      { ALT: (): ast.Statement => this.SUBRULE(this.rollback) },
      { ALT: (): ast.Statement => this.SUBRULE(this.savepoint) },
      { ALT: (): ast.Statement => this.SUBRULE(this.release) },
      { ALT: (): ast.Statement => this.SUBRULE(this.explain) },
      { ALT: (): ast.Statement => this.SUBRULE(this.set) },
      { ALT: (): ast.Statement => this.SUBRULE(this.show) },
      { ALT: (): ast.Statement => this.SUBRULE(this.resetSetting) },
      { ALT: (): ast.Statement => this.SUBRULE(this.unsupported) },
    ],
  };

  readonly statement: RuleOf<ast.Statement> = this.RULE("statement", () => this.OR(this.statementForms));

  private readonly withStatement = this.RULE("withStatement", (): ast.Statement => {
    const start = this.mark();
    const withClause = this.SUBRULE(this.withClause);
    return this.SUBRULE(this.statementAfterWith, { ARGS: [withClause, start] });
  });

  private readonly statementAfterWith = this.RULE(
    "statementAfterWith",
    (withClause: ast.WithClause | undefined, start: number): ast.Statement =>
      this.OR<ast.Statement>([
        { ALT: () => this.SUBRULE(this.queryAfterWith, { ARGS: [withClause, start] }) },
        { ALT: () => this.SUBRULE(this.dataModification, { ARGS: [withClause, start] }) },
        { ALT: () => this.SUBRULE(this.merge, { ARGS: [withClause, start] }) },
      ]),
  );

  // Transactions --------------------------------------------------------------------------------------------------------------

  private readonly beginTransaction = this.RULE("beginTransaction", (): ast.BeginStatement => {
    const start = this.mark();
    this.CONSUME(kw.begin);
    this.SUBRULE(this.transactionWord);
    const modes = this.OPTION(() => this.SUBRULE(this.transactionModes)) ?? {};
    return { kind: "BeginStatement", modes, range: this.since(start) };
  });

  private readonly startTransaction = this.RULE("startTransaction", (): ast.BeginStatement => {
    const start = this.mark();
    this.CONSUME(kw.start);
    this.CONSUME(kw.transaction);
    const modes = this.OPTION(() => this.SUBRULE(this.transactionModes)) ?? {};
    return { kind: "BeginStatement", modes, range: this.since(start) };
  });

  /** WORK or TRANSACTION, which mean nothing. */
  private readonly transactionWord = this.RULE("transactionWord", (): void => {
    this.OPTION(() => this.OR([{ ALT: () => this.CONSUME(kw.work) }, { ALT: () => this.CONSUME(kw.transaction) }]));
  });

  private readonly transactionModes = this.RULE("transactionModes", (): ast.TransactionModes => {
    const modes: Mutable<ast.TransactionModes> = {};
    this.AT_LEAST_ONE(() => {
      this.SUBRULE(this.transactionMode, { ARGS: [modes] });
      this.OPTION(() => this.CONSUME(t.Comma));
    });
    return modes;
  });

  private readonly transactionMode = this.RULE("transactionMode", (modes: Mutable<ast.TransactionModes>): void => {
    const target = modes ?? {};
    this.OR1([
      {
        ALT: () => {
          this.CONSUME(kw.isolation);
          this.CONSUME(kw.level);
          target.isolation = this.SUBRULE(this.isolationLevel);
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.read);
          target.readOnly = this.OR2<boolean>([
            { ALT: () => this.CONSUME(kw.only) !== undefined },
            { ALT: () => this.CONSUME(kw.write) === undefined },
          ]);
        },
      },
      {
        ALT: () => {
          const not = this.OPTION(() => this.CONSUME(kw.not));
          this.CONSUME(kw.deferrable);
          target.deferrable = not === undefined;
        },
      },
    ]);
  });

  private readonly isolationLevel = this.RULE(
    "isolationLevel",
    (): NonNullable<ast.TransactionModes["isolation"]> =>
      this.OR1<NonNullable<ast.TransactionModes["isolation"]>>([
        { ALT: () => this.CONSUME(kw.serializable) && "serializable" },
        {
          ALT: () => {
            this.CONSUME1(kw.repeatable);
            this.CONSUME1(kw.read);
            return "repeatable read";
          },
        },
        {
          ALT: () => {
            this.CONSUME2(kw.read);
            return this.OR2<"read committed" | "read uncommitted">([
              { ALT: () => this.CONSUME(kw.committed) && "read committed" },
              { ALT: () => this.CONSUME(kw.uncommitted) && "read uncommitted" },
            ]);
          },
        },
      ]),
  );

  /** AND [NO] CHAIN. */
  private readonly chain = this.RULE("chain", (): boolean => {
    this.CONSUME(kw.and);
    const no = this.OPTION(() => this.CONSUME(kw.no));
    this.CONSUME(kw.chain);
    return no === undefined;
  });

  private readonly commit = this.RULE("commit", (): ast.Statement => {
    const start = this.mark();
    this.OR([{ ALT: () => this.CONSUME(kw.commit) }, { ALT: () => this.CONSUME(kw.end) }]);
    const prepared = this.OPTION1(() => {
      this.CONSUME(kw.prepared);
      return this.SUBRULE(this.skipRest, { ARGS: ["COMMIT PREPARED", start] });
    });
    if (prepared !== undefined && !this.RECORDING_PHASE) return prepared;
    this.SUBRULE(this.transactionWord);
    const chain = this.OPTION2(() => this.SUBRULE(this.chain)) === true;
    return { kind: "CommitStatement", chain, range: this.since(start) };
  });

  private readonly rollback = this.RULE("rollback", (): ast.Statement => {
    const start = this.mark();
    this.OR([{ ALT: () => this.CONSUME(kw.rollback) }, { ALT: () => this.CONSUME(kw.abort) }]);
    const prepared = this.OPTION1(() => {
      this.CONSUME(kw.prepared);
      return this.SUBRULE(this.skipRest, { ARGS: ["ROLLBACK PREPARED", start] });
    });
    if (prepared !== undefined && !this.RECORDING_PHASE) return prepared;
    this.SUBRULE(this.transactionWord);
    const name = this.OPTION2(() => {
      this.CONSUME(kw.to);
      this.OPTION3({ GATE: () => !this.isLastWord(), DEF: () => this.CONSUME(kw.savepoint) });
      return this.identifier(this.CONSUME(t.ColumnName));
    });
    if (name !== undefined && !this.RECORDING_PHASE) {
      return { kind: "RollbackToStatement", name, range: this.since(start) };
    }
    const chain = this.OPTION4(() => this.SUBRULE(this.chain)) === true;
    return { kind: "RollbackStatement", chain, range: this.since(start) };
  });

  /** Whether the next word ends the statement: then SAVEPOINT is a name. */
  private isLastWord(): boolean {
    const { tokenType } = this.next(2);
    return tokenType === t.Semicolon || tokenType.name === "EOF";
  }

  private readonly savepoint = this.RULE("savepoint", (): ast.SavepointStatement => {
    const start = this.mark();
    this.CONSUME(kw.savepoint);
    const name = this.identifier(this.CONSUME(t.ColumnName));
    return { kind: "SavepointStatement", name, range: this.since(start) };
  });

  private readonly release = this.RULE("release", (): ast.ReleaseStatement => {
    const start = this.mark();
    this.CONSUME(kw.release);
    this.OPTION({ GATE: () => !this.isLastWord(), DEF: () => this.CONSUME(kw.savepoint) });
    const name = this.identifier(this.CONSUME(t.ColumnName));
    return { kind: "ReleaseStatement", name, range: this.since(start) };
  });

  // EXPLAIN -------------------------------------------------------------------------------------------------------------------

  private readonly explain = this.RULE("explain", (): ast.ExplainStatement => {
    const start = this.mark();
    this.enter();
    this.CONSUME(kw.explain);
    const options: ast.ExplainOption[] = [];
    this.OPTION1({
      GATE: () => !this.opensQuery(),
      DEF: () => {
        this.CONSUME(t.LeftParen);
        this.AT_LEAST_ONE_SEP({
          SEP: t.Comma,
          DEF: () => {
            options.push(this.SUBRULE(this.explainOption));
          },
        });
        this.CONSUME(t.RightParen);
      },
    });
    this.MANY(() => {
      const begin = this.mark();
      const name = this.OR<string>([
        { ALT: () => this.CONSUME(kw.analyze) && "analyze" },
        { ALT: () => this.CONSUME(kw.analyse) && "analyze" },
        { ALT: () => this.CONSUME(kw.verbose) && "verbose" },
      ]);
      options.push({ kind: "ExplainOption", name, range: this.since(begin) });
    });
    if (!this.RECORDING_PHASE && withoutPlan.has(this.next().tokenType)) this.fail();
    const statement = this.SUBRULE(this.statement);
    this.leave();
    return { kind: "ExplainStatement", options, statement, range: this.since(start) };
  });

  private readonly explainOption = this.RULE("explainOption", (): ast.ExplainOption => {
    const start = this.mark();
    const name = this.OR1([
      { ALT: () => this.CONSUME1(t.NonReservedWord) },
      { ALT: () => this.CONSUME(kw.analyze) },
      { ALT: () => this.CONSUME(kw.analyse) },
    ]) as SqlToken;
    const value = this.OPTION(() => this.SUBRULE(this.optionValue));
    const range = this.since(start);
    const word = name.value === "analyse" ? "analyze" : name.value;
    return value === undefined
      ? { kind: "ExplainOption", name: word, range }
      : { kind: "ExplainOption", name: word, value, range };
  });

  /** A word, a string or a number; ON, TRUE and FALSE are reserved words that are values here. */
  private readonly optionValue = this.RULE("optionValue", (): string => {
    const token = this.OR<SqlToken | string>([
      { ALT: () => this.CONSUME(t.NonReservedWord) as SqlToken },
      { ALT: () => this.CONSUME(kw.on) as SqlToken },
      { ALT: () => this.CONSUME(kw.true) as SqlToken },
      { ALT: () => this.CONSUME(kw.false) as SqlToken },
      { ALT: () => this.CONSUME(t.StringToken) as SqlToken },
      { ALT: () => this.SUBRULE(this.signedNumber) },
    ]);
    return typeof token === "string" ? token : token.value;
  });

  // Settings ------------------------------------------------------------------------------------------------------------------

  private readonly set = this.RULE("set", (): ast.Statement => {
    const start = this.mark();
    this.CONSUME(kw.set);
    let local = false;
    this.OPTION1({
      GATE: () => !this.nextIs(t.Equal, 2) && !this.nextIs(kw.to, 2),
      DEF: () => {
        local = this.OR1<boolean>([
          { ALT: () => this.CONSUME(kw.local) !== undefined },
          { ALT: () => this.CONSUME(kw.session) === undefined },
        ]);
      },
    });
    return this.OR2<ast.Statement>({
      // TIME, TRANSACTION and the like are ordinary names of settings as well.
      IGNORE_AMBIGUITIES: true,
      DEF: [
        {
          GATE: () => this.nextIs(kw.zone, 2),
          ALT: () => {
            this.CONSUME(kw.time);
            this.CONSUME(kw.zone);
            const values = this.SUBRULE(this.zoneValue);
            return { kind: "SetStatement", local, name: "timezone", values, range: this.since(start) };
          },
        },
        {
          GATE: () => !this.nextIs(t.Equal, 2) && !this.nextIs(kw.to, 2),
          ALT: () => {
            const name = this.OR3<string>([
              { ALT: () => this.CONSUME(kw.transaction) && "transaction" },
              {
                ALT: () => {
                  this.CONSUME(kw.characteristics);
                  this.CONSUME(kw.as);
                  this.CONSUME1(kw.transaction);
                  return "session characteristics";
                },
              },
            ]);
            const modes = this.SUBRULE(this.transactionModes);
            return { kind: "SetStatement", local, name, values: [], modes, range: this.since(start) };
          },
        },
        {
          GATE: () => !this.nextIs(t.Equal, 2) && !this.nextIs(kw.to, 2) && !this.nextIs(t.Dot, 2),
          ALT: () => {
            const word = this.next();
            this.OR4([
              { ALT: () => this.CONSUME(kw.constraints) },
              { ALT: () => this.CONSUME(kw.role) },
              { ALT: () => this.CONSUME(kw.authorization) },
            ]);
            return this.SUBRULE(this.skipRest, { ARGS: [`SET ${word.image}`.toUpperCase(), start] });
          },
        },
        {
          ALT: () => {
            const name = this.SUBRULE1(this.settingName);
            const signed = this.OPTION2(() =>
              this.OR5([{ ALT: () => this.CONSUME(t.Equal) }, { ALT: () => this.CONSUME(kw.to) }]),
            );
            // SET SCHEMA 'x' and SET NAMES 'x' need no sign.
            if (signed === undefined && name !== "schema" && name !== "names") this.fail();
            const values = this.SUBRULE(this.settingValues);
            return { kind: "SetStatement", local, name, values, range: this.since(start) };
          },
        },
      ],
    });
  });

  /** A setting, perhaps with dots, in lower case. */
  private readonly settingName = this.RULE("settingName", (): string => {
    let name = (this.CONSUME1(t.ColumnName) as SqlToken).value;
    this.MANY(() => {
      this.CONSUME(t.Dot);
      name += `.${(this.CONSUME2(t.ColumnName) as SqlToken).value}`;
    });
    return name.toLowerCase();
  });

  private readonly settingValues = this.RULE("settingValues", (): ast.SetValue[] => {
    const values: ast.SetValue[] = [];
    this.OR([
      { ALT: () => this.CONSUME(kw.default) },
      {
        ALT: () => {
          this.AT_LEAST_ONE_SEP({
            SEP: t.Comma,
            DEF: () => {
              values.push(this.SUBRULE(this.settingValue));
            },
          });
        },
      },
    ]);
    return values;
  });

  private readonly settingValue = this.RULE("settingValue", (): ast.StringLiteral | ast.NumericLiteral => {
    const start = this.mark();
    const isNumber = numberStarts.has(this.next().tokenType);
    const value = this.SUBRULE(this.optionValue);
    const isInteger = this.LA(0).tokenType === t.IntegerToken;
    const range = this.since(start);
    return isNumber
      ? { kind: "NumericLiteral", text: value, isInteger, range }
      : { kind: "StringLiteral", value, range };
  });

  /** SET TIME ZONE: a name, an offset in hours, an interval, LOCAL or DEFAULT. */
  private readonly zoneValue = this.RULE("zoneValue", (): ast.SetValue[] =>
    this.OR<ast.SetValue[]>({
      IGNORE_AMBIGUITIES: true,
      DEF: [
        { ALT: () => this.CONSUME(kw.default) && [] },
        { ALT: () => this.CONSUME(kw.local) && [] },
        { GATE: () => this.nextIs(kw.interval), ALT: () => [this.SUBRULE(this.typedLiteral)] },
        { ALT: () => [this.SUBRULE(this.settingValue)] },
      ],
    }),
  );

  private readonly show = this.RULE("show", (): ast.ShowStatement => {
    const start = this.mark();
    this.CONSUME(kw.show);
    const name = this.SUBRULE(this.shownName);
    return { kind: "ShowStatement", name, range: this.since(start) };
  });

  private readonly resetSetting = this.RULE("resetSetting", (): ast.ResetStatement => {
    const start = this.mark();
    this.CONSUME(kw.reset);
    const name = this.SUBRULE(this.shownName);
    return { kind: "ResetStatement", name, range: this.since(start) };
  });

  private readonly shownName = this.RULE("shownName", (): string =>
    this.OR<string>({
      IGNORE_AMBIGUITIES: true,
      DEF: [
        { ALT: () => this.CONSUME(kw.all) && "all" },
        {
          GATE: () => this.nextIs(kw.zone, 2),
          ALT: () => {
            this.CONSUME(kw.time);
            this.CONSUME(kw.zone);
            return "timezone";
          },
        },
        {
          GATE: () => this.nextIs(kw.isolation, 2),
          ALT: () => {
            this.CONSUME(kw.transaction);
            this.CONSUME(kw.isolation);
            this.CONSUME(kw.level);
            return "transaction_isolation";
          },
        },
        { ALT: () => this.SUBRULE(this.settingName) },
      ],
    }),
  );

  // Known by name only ----------------------------------------------------------------------------------------------------------

  private readonly unsupported = this.RULE("unsupported", (): ast.UnsupportedStatement => {
    const start = this.mark();
    const first = this.OR(this.unsupportedWords) as SqlToken;
    const second = this.next();
    const both = first.tokenType === kw.alter && second.image !== undefined && second.image !== "";
    const keyword = this.RECORDING_PHASE ? "" : (both ? `${first.image} ${second.image}` : first.image).toUpperCase();
    return this.SUBRULE(this.skipRest, { ARGS: [keyword, start] });
  });

  private readonly unsupportedWords = [
    ...[kw.alter, kw.analyze, kw.analyse, kw.call, kw.checkpoint, kw.close, kw.cluster, kw.comment, kw.copy],
    ...[kw.deallocate, kw.declare, kw.discard, kw.do, kw.execute, kw.fetch, kw.grant, kw.import, kw.listen, kw.load],
    ...[kw.lock, kw.move, kw.notify, kw.prepare, kw.reassign, kw.refresh, kw.reindex, kw.revoke, kw.security],
    ...[kw.unlisten, kw.vacuum],
  ].map((word) => ({ ALT: () => this.CONSUME(word) }));

  constructor(options: GrammarOptions = {}) {
    super(options);
    this.performSelfAnalysis();
  }
}

/** First words of statements that EXPLAIN cannot take: they have no plan. */
const withoutPlan: ReadonlySet<unknown> = new Set([
  ...[kw.begin, kw.start, kw.commit, kw.end, kw.rollback, kw.abort, kw.savepoint, kw.release],
  ...[kw.set, kw.show, kw.reset, kw.truncate, kw.drop],
]);

const numberStarts: ReadonlySet<unknown> = new Set([t.Plus, t.Minus, t.IntegerToken, t.DecimalToken]);
