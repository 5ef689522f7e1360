/** CREATE VIEW, INDEX, TYPE … AS ENUM, SCHEMA; DROP; TRUNCATE. */
import type * as ast from "../ast.js";
import type { SqlToken } from "../lexer.js";
import * as t from "../tokens.js";
import { type CreateWords, named, TablesParser } from "./tables.js";

const { kw } = t;

export abstract class DefinitionsParser extends TablesParser {
  readonly create = this.RULE("create", (): ast.Statement => {
    const start = this.mark();
    this.CONSUME(kw.create);
    const orReplace = this.OPTION1(() => {
      this.CONSUME(kw.or);
      return this.CONSUME(kw.replace) !== undefined;
    });
    let temporary = false;
    let unlogged = false;
    this.OPTION2(() => {
      this.OR1([
        {
          ALT: () => {
            this.OPTION3(() =>
              this.OR2([{ ALT: () => this.CONSUME(kw.global) }, { ALT: () => this.CONSUME(kw.local) }]),
            );
            this.OR3([{ ALT: () => this.CONSUME(kw.temporary) }, { ALT: () => this.CONSUME(kw.temp) }]);
            temporary = true;
          },
        },
        {
          ALT: () => {
            this.CONSUME(kw.unlogged);
            unlogged = true;
          },
        },
      ]);
    });
    const words: CreateWords = { start, orReplace: orReplace === true, temporary, unlogged };
    return this.OR4<ast.Statement>({
      // Whatever is none of ours is read over by its first word.
      IGNORE_AMBIGUITIES: true,
      DEF: [
        { GATE: () => !words.orReplace, ALT: () => this.SUBRULE(this.createTable, { ARGS: [words] }) },
        { GATE: () => !words.unlogged, ALT: () => this.SUBRULE(this.createView, { ARGS: [words] }) },
        {
          GATE: () => this.isBareCreate(words) && (this.nextIs(kw.index) || this.nextIs(kw.index, 2)),
          ALT: () => this.SUBRULE(this.createIndex, { ARGS: [start] }),
        },
        { GATE: () => this.isBareCreate(words), ALT: () => this.SUBRULE(this.createType, { ARGS: [start] }) },
        { GATE: () => this.isBareCreate(words), ALT: () => this.SUBRULE(this.createSchema, { ARGS: [start] }) },
        {
          ALT: () => {
            const word = this.CONSUME(t.ColumnLabel) as SqlToken;
            if (!namedObjects.has(word.value)) this.fail(word);
            return this.SUBRULE(this.skipRest, { ARGS: [`CREATE ${this.upper(word)}`, start] });
          },
        },
      ],
    });
  });

  private isBareCreate(words: CreateWords): boolean {
    return !words.orReplace && !words.temporary && !words.unlogged;
  }

  // Views, indexes, types, schemas --------------------------------------------------------------------------------------------

  private readonly createView = this.RULE("createView", (words: CreateWords): ast.CreateViewStatement => {
    const recursive = this.OPTION1(() => this.CONSUME(kw.recursive)) !== undefined;
    this.CONSUME(kw.view);
    const name = this.SUBRULE(this.qualifiedName);
    const columns = this.OPTION2(() => this.SUBRULE(this.columnNameList)) ?? [];
    this.CONSUME(kw.as);
    const query = this.SUBRULE(this.query);
    let checkOption: "local" | "cascaded" | undefined;
    this.OPTION3(() => {
      this.CONSUME(kw.with);
      checkOption = "cascaded";
      this.OPTION4(() => {
        checkOption = this.OR<"local" | "cascaded">([
          { ALT: () => this.CONSUME(kw.local) && "local" },
          { ALT: () => this.CONSUME(kw.cascaded) && "cascaded" },
        ]);
      });
      this.CONSUME(kw.check);
      this.CONSUME(kw.option);
    });
    return {
      kind: "CreateViewStatement",
      name,
      orReplace: words?.orReplace,
      temporary: words?.temporary,
      recursive,
      columns,
      query,
      ...(checkOption === undefined ? {} : { checkOption }),
      range: this.since(words?.start ?? 0),
    };
  });

  private readonly createIndex = this.RULE("createIndex", (start: number): ast.CreateIndexStatement => {
    const unique = this.OPTION1(() => this.CONSUME(kw.unique)) !== undefined;
    this.CONSUME(kw.index);
    const concurrently = this.OPTION2(() => this.CONSUME(kw.concurrently)) !== undefined;
    const ifNotExists = this.OPTION3(() => this.SUBRULE(this.ifNotExists)) === true;
    const name = this.OPTION4(() => this.identifier(this.CONSUME1(t.ColumnName)));
    this.CONSUME(kw.on);
    const table = this.SUBRULE(this.relation);
    const method = this.OPTION5(() => {
      this.CONSUME(kw.using);
      return this.identifier(this.CONSUME2(t.ColumnName));
    });
    const elements = this.SUBRULE(this.indexElements);
    const include = this.OPTION6(() => {
      this.CONSUME(kw.include);
      return this.SUBRULE(this.columnNameList);
    });
    let nullsNotDistinct = false;
    this.OPTION7(() => {
      this.CONSUME(kw.nulls);
      this.OPTION8(() => {
        this.CONSUME(kw.not);
        nullsNotDistinct = true;
      });
      this.CONSUME(kw.distinct);
    });
    const where = this.OPTION9(() => {
      this.CONSUME(kw.where);
      return this.SUBRULE(this.expression);
    });
    return {
      kind: "CreateIndexStatement",
      unique,
      concurrently,
      ifNotExists,
      ...named(name),
      table: table.name,
      ...(method === undefined ? {} : { method }),
      elements,
      include: include ?? [],
      nullsNotDistinct,
      ...(where === undefined ? {} : { where }),
      range: this.since(start),
    };
  });

  private readonly createType = this.RULE("createType", (start: number): ast.Statement => {
    this.CONSUME(kw.type);
    const name = this.SUBRULE(this.qualifiedName);
    const labels = this.OPTION1({
      GATE: () => this.nextIs(kw.enum, 2),
      DEF: () => {
        this.CONSUME(kw.as);
        this.CONSUME(kw.enum);
        this.CONSUME(t.LeftParen);
        const found: ast.StringLiteral[] = [];
        this.MANY_SEP({
          SEP: t.Comma,
          DEF: () => {
            found.push(this.stringLiteral(this.CONSUME(t.StringToken)));
          },
        });
        this.CONSUME(t.RightParen);
        return found;
      },
    });
    if (labels !== undefined && !this.RECORDING_PHASE) {
      return { kind: "CreateEnumStatement", name, labels, range: this.since(start) };
    }
    return this.SUBRULE(this.skipRest, { ARGS: ["CREATE TYPE", start] });
  });

  private readonly createSchema = this.RULE("createSchema", (start: number): ast.Statement => {
    this.CONSUME(kw.schema);
    const ifNotExists = this.OPTION1(() => this.SUBRULE(this.ifNotExists)) === true;
    const name = this.OPTION2(() => this.identifier(this.CONSUME(t.ColumnName)));
    if (name !== undefined && !this.RECORDING_PHASE && this.atStatementEnd()) {
      return { kind: "CreateSchemaStatement", name, ifNotExists, range: this.since(start) };
    }
    return this.SUBRULE(this.skipRest, { ARGS: ["CREATE SCHEMA", start] });
  });

  // DROP, TRUNCATE ------------------------------------------------------------------------------------------------------------

  readonly drop = this.RULE("drop", (): ast.Statement => {
    const start = this.mark();
    this.CONSUME(kw.drop);
    return this.OR<ast.Statement>({
      IGNORE_AMBIGUITIES: true,
      DEF: [
        {
          GATE: () => droppable.has(this.next().tokenType),
          ALT: () => this.SUBRULE(this.dropObjects, { ARGS: [start] }),
        },
        {
          ALT: () => {
            const word = this.CONSUME(t.ColumnLabel) as SqlToken;
            if (!namedObjects.has(word.value)) this.fail(word);
            return this.SUBRULE(this.skipRest, { ARGS: [`DROP ${this.upper(word)}`, start] });
          },
        },
      ],
    });
  });

  private readonly dropObjects = this.RULE("dropObjects", (start: number): ast.DropStatement => {
    const objectType = this.OR1<string>([
      { ALT: () => this.CONSUME(kw.table) && "table" },
      { ALT: () => this.CONSUME(kw.sequence) && "sequence" },
      { ALT: () => this.CONSUME1(kw.view) && "view" },
      {
        ALT: () => {
          this.CONSUME(kw.materialized);
          this.CONSUME2(kw.view);
          return "materialized view";
        },
      },
      {
        ALT: () => {
          this.CONSUME(kw.index);
          this.OPTION1(() => this.CONSUME(kw.concurrently));
          return "index";
        },
      },
      { ALT: () => this.CONSUME(kw.type) && "type" },
      { ALT: () => this.CONSUME(kw.domain) && "domain" },
      { ALT: () => this.CONSUME(kw.schema) && "schema" },
    ]);
    const ifExists = this.OPTION2(() => {
      this.CONSUME(kw.if);
      return this.CONSUME(kw.exists) !== undefined;
    });
    const names: ast.QualifiedName[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        names.push(this.SUBRULE(this.qualifiedName));
      },
    });
    const cascade = this.OPTION3(() => this.SUBRULE(this.dropBehavior)) === true;
    return { kind: "DropStatement", objectType, names, ifExists: ifExists === true, cascade, range: this.since(start) };
  });

  private readonly dropBehavior = this.RULE("dropBehavior", (): boolean =>
    this.OR<boolean>([
      { ALT: () => this.CONSUME(kw.cascade) !== undefined },
      { ALT: () => this.CONSUME(kw.restrict) === undefined },
    ]),
  );

  readonly truncate = this.RULE("truncate", (): ast.TruncateStatement => {
    const start = this.mark();
    this.CONSUME(kw.truncate);
    this.OPTION1(() => this.CONSUME(kw.table));
    const tables: ast.TableReference[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        tables.push(this.SUBRULE(this.relation));
      },
    });
    let restartIdentity = false;
    this.OPTION2(() => {
      restartIdentity = this.OR<boolean>([
        { ALT: () => this.CONSUME(kw.restart) !== undefined },
        { ALT: () => this.CONSUME(kw.continue) === undefined },
      ]);
      this.CONSUME(kw.identity);
    });
    const cascade = this.OPTION3(() => this.SUBRULE(this.dropBehavior)) === true;
    return { kind: "TruncateStatement", tables, restartIdentity, cascade, range: this.since(start) };
  });
}

/** Objects of CREATE and DROP that are no more than named here. */
const namedObjects: ReadonlySet<string> = new Set(
  (
    "access aggregate cast collation constraint conversion database default domain event extension foreign function " +
    "group language materialized operator or owned policy procedural procedure publication role routine rule schema " +
    "sequence server statistics subscription tablespace text transform trigger trusted type user"
  ).split(" "),
);

/** Objects whose DROP is read in full. */
const droppable: ReadonlySet<unknown> = new Set([
  ...[kw.table, kw.sequence, kw.view, kw.materialized, kw.index, kw.type, kw.domain, kw.schema],
]);
