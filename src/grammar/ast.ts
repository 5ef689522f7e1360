/**
 * The abstract syntax tree: plain data that the parser makes and everything behind it reads.
 *
 * Every node has a `kind` and the `range` of text it came from. Names are already folded (lower case unless quoted) and
 * cut to 63 bytes, operators are spelt as PostgreSQL's catalog spells them (`!=` is `<>`), type names are `pg_type` names.
 * Special syntax that PostgreSQL itself turns into a function call is a `FunctionCall` here too, under the same
 * `pg_catalog` name: `EXTRACT(year FROM x)` is `pg_catalog.extract('year', x)`.
 *
 * Chains of AND and OR are one flat node. Chains of other operators (`a || b || c`) are left-deep and can be
 * thousands of levels long on the left: walk `left` in a loop, never by recursion. All other nesting is bounded by the parser.
 *
 * Read as `import type * as ast from "../grammar/ast.js"`.
 */

/** A piece of the SQL text: 0-based offsets in UTF-16 units, `end` exclusive. A `SqlError` position is `start + 1`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What every node has. */
export interface NodeBase {
  readonly range: Range;
}

// ---------------------------------------------------------------------------------------------------------------------
// Names and types

/** One name, folded and unquoted: an alias, a column in a list, a savepoint. */
export interface Identifier extends NodeBase {
  readonly kind: "Identifier";
  readonly name: string;
}

/** A possibly qualified name of a relation, function, type or index. */
export interface QualifiedName extends NodeBase {
  readonly kind: "QualifiedName";
  readonly catalog?: string;
  readonly schema?: string;
  readonly name: string;
}

/** An operator, plain (`+`) or written OPERATOR(schema.+), which has the precedence of "any other operator". */
export interface OperatorName extends NodeBase {
  readonly kind: "OperatorName";
  readonly schema?: string;
  readonly name: string;
}

/** `YEAR`, `DAY TO SECOND`, …: the fields an interval type is restricted to, lower case, words single-spaced. */
export type IntervalFields =
  | "year"
  | "month"
  | "day"
  | "hour"
  | "minute"
  | "second"
  | "year to month"
  | "day to hour"
  | "day to minute"
  | "day to second"
  | "hour to minute"
  | "hour to second"
  | "minute to second";

/**
 * A type as written, under its `pg_type` name: `int` → `int4`, `char` → `bpchar` with modifier 1, `"char"` → `char`.
 * `schema` is present only when it was written.
 */
export interface TypeName extends NodeBase {
  readonly kind: "TypeName";
  readonly schema?: string;
  readonly name: string;
  /** `numeric(10, 2)` → two literals. For an interval the one modifier is the precision of its seconds. */
  readonly modifiers: readonly Expression[];
  readonly intervalFields?: IntervalFields;
  /** One entry a dimension, `null` where no bound is written: `int[]` → `[null]`, `int[3][]` → `[3, null]`. */
  readonly arrayBounds: readonly (number | null)[];
  readonly setOf: boolean;
  /** `table.column%TYPE`. */
  readonly percentType: boolean;
}

// ---------------------------------------------------------------------------------------------------------------------
// Expressions

/** Anything that has a value. Precedence and parentheses are gone: the tree says what belongs together. */
export type Expression =
  | NumericLiteral
  | StringLiteral
  | BitStringLiteral
  | BooleanLiteral
  | NullLiteral
  | Parameter
  | ColumnRef
  | FieldSelection
  | FieldStar
  | Subscript
  | Slice
  | FunctionCall
  | SqlValueFunction
  | BinaryOperator
  | UnaryOperator
  | And
  | Or
  | Not
  | IsTest
  | DistinctFrom
  | Between
  | InList
  | InSubquery
  | PatternMatch
  | QuantifiedArray
  | QuantifiedSubquery
  | Exists
  | ScalarSubquery
  | ArrayConstructor
  | ArraySubquery
  | RowConstructor
  | Case
  | Cast
  | Collate
  | Grouping
  | Coalesce
  | NullIf
  | MinMax
  | DefaultValue
  | CurrentOf;

/** A number as text, so that no digit is lost. A minus sign directly before it is part of it, as in PostgreSQL. */
export interface NumericLiteral extends NodeBase {
  readonly kind: "NumericLiteral";
  readonly text: string;
  /** True when the text is digits only (after the sign): int4, int8 or numeric by size. Otherwise it is numeric. */
  readonly isInteger: boolean;
}

/** A string of any quoting, decoded. Its type is `unknown` until it is resolved. */
export interface StringLiteral extends NodeBase {
  readonly kind: "StringLiteral";
  readonly value: string;
}

/** B'101' or X'1F', digits not yet checked against the base. */
export interface BitStringLiteral extends NodeBase {
  readonly kind: "BitStringLiteral";
  readonly base: "binary" | "hex";
  readonly digits: string;
}

/** `TRUE`, `FALSE`. */
export interface BooleanLiteral extends NodeBase {
  readonly kind: "BooleanLiteral";
  readonly value: boolean;
}

/** `NULL`: of type `unknown` until it is resolved. */
export interface NullLiteral extends NodeBase {
  readonly kind: "NullLiteral";
}

/** `$1`: `number` is 1-based. */
export interface Parameter extends NodeBase {
  readonly kind: "Parameter";
  readonly number: number;
}

/** `a`, `t.a`, `s.t.a`, `*` (no parts) and `t.*`. Whether `t.a` is a column or a field of a record is the binder's to say. */
export interface ColumnRef extends NodeBase {
  readonly kind: "ColumnRef";
  readonly parts: readonly string[];
  readonly star: boolean;
}

/** `(expression).field`, and `column[1].field`. */
export interface FieldSelection extends NodeBase {
  readonly kind: "FieldSelection";
  readonly operand: Expression;
  readonly field: Identifier;
}

/** `(expression).*`. */
export interface FieldStar extends NodeBase {
  readonly kind: "FieldStar";
  readonly operand: Expression;
}

/** `operand[index]`; `a[1][2]` is a subscript of a subscript. */
export interface Subscript extends NodeBase {
  readonly kind: "Subscript";
  readonly operand: Expression;
  readonly index: Expression;
}

/** `operand[lower:upper]`, either bound may be missing. */
export interface Slice extends NodeBase {
  readonly kind: "Slice";
  readonly operand: Expression;
  readonly lower?: Expression;
  readonly upper?: Expression;
}

/** One argument between the parentheses of a call. */
export interface FunctionArgument extends NodeBase {
  readonly kind: "FunctionArgument";
  /** `name => value` or `name := value`. */
  readonly name?: Identifier;
  readonly value: Expression;
  readonly variadic: boolean;
}

/** `name(…)` of any kind: which function it is, and whether the clauses suit it, is the binder's to say. */
export interface FunctionCall extends NodeBase {
  readonly kind: "FunctionCall";
  readonly name: QualifiedName;
  readonly args: readonly FunctionArgument[];
  /** `count(*)`. */
  readonly star: boolean;
  readonly distinct: boolean;
  /** `string_agg(x, ',' ORDER BY y)`. */
  readonly orderBy: readonly SortItem[];
  /** `percentile_cont(0.5) WITHIN GROUP (ORDER BY y)`. */
  readonly withinGroup?: readonly SortItem[];
  readonly filter?: Expression;
  /** `OVER name` or `OVER (…)`. */
  readonly over?: Identifier | WindowDefinition;
}

/** CURRENT_DATE and friends, which are written without parentheses. */
export interface SqlValueFunction extends NodeBase {
  readonly kind: "SqlValueFunction";
  readonly name:
    | "current_date"
    | "current_time"
    | "current_timestamp"
    | "localtime"
    | "localtimestamp"
    | "current_role"
    | "current_user"
    | "session_user"
    | "user"
    | "current_catalog"
    | "current_schema";
  /** CURRENT_TIMESTAMP(3). */
  readonly precision?: number;
}

/** Left-deep when chained: loop over `left`. */
export interface BinaryOperator extends NodeBase {
  readonly kind: "BinaryOperator";
  readonly operator: OperatorName;
  readonly left: Expression;
  readonly right: Expression;
}

/** A prefix operator. */
export interface UnaryOperator extends NodeBase {
  readonly kind: "UnaryOperator";
  readonly operator: OperatorName;
  readonly operand: Expression;
}

/** Two or more operands. */
export interface And extends NodeBase {
  readonly kind: "And";
  readonly operands: readonly Expression[];
}

/** Two or more operands. */
export interface Or extends NodeBase {
  readonly kind: "Or";
  readonly operands: readonly Expression[];
}

/** `NOT operand`. */
export interface Not extends NodeBase {
  readonly kind: "Not";
  readonly operand: Expression;
}

/** IS [NOT] NULL, TRUE, FALSE, UNKNOWN; also ISNULL and NOTNULL. */
export interface IsTest extends NodeBase {
  readonly kind: "IsTest";
  readonly operand: Expression;
  readonly test: "null" | "true" | "false" | "unknown";
  readonly negated: boolean;
}

/** `left IS [NOT] DISTINCT FROM right`. */
export interface DistinctFrom extends NodeBase {
  readonly kind: "DistinctFrom";
  readonly left: Expression;
  readonly right: Expression;
  readonly negated: boolean;
}

/** `operand [NOT] BETWEEN [SYMMETRIC] lower AND upper`. */
export interface Between extends NodeBase {
  readonly kind: "Between";
  readonly operand: Expression;
  readonly lower: Expression;
  readonly upper: Expression;
  readonly symmetric: boolean;
  readonly negated: boolean;
}

/** `operand [NOT] IN (a, b, …)`: at least one item. */
export interface InList extends NodeBase {
  readonly kind: "InList";
  readonly operand: Expression;
  readonly items: readonly Expression[];
  readonly negated: boolean;
}

/** `operand [NOT] IN (SELECT …)`. */
export interface InSubquery extends NodeBase {
  readonly kind: "InSubquery";
  readonly operand: Expression;
  readonly query: SelectStatement;
  readonly negated: boolean;
}

/** `operand [NOT] LIKE pattern [ESCAPE escape]`, and the same with ILIKE and SIMILAR TO. */
export interface PatternMatch extends NodeBase {
  readonly kind: "PatternMatch";
  readonly operator: "like" | "ilike" | "similar to";
  readonly operand: Expression;
  readonly pattern: Expression;
  readonly escape?: Expression;
  readonly negated: boolean;
}

/** `left operator ANY (array)`; SOME is ANY. LIKE and ILIKE stand under their operators: `~~`, `!~~`, `~~*`, `!~~*`. */
export interface QuantifiedArray extends NodeBase {
  readonly kind: "QuantifiedArray";
  readonly operator: OperatorName;
  readonly quantifier: "any" | "all";
  readonly left: Expression;
  readonly array: Expression;
}

/** `left operator ANY (SELECT …)`. */
export interface QuantifiedSubquery extends NodeBase {
  readonly kind: "QuantifiedSubquery";
  readonly operator: OperatorName;
  readonly quantifier: "any" | "all";
  readonly left: Expression;
  readonly query: SelectStatement;
}

/** `EXISTS (SELECT …)`. */
export interface Exists extends NodeBase {
  readonly kind: "Exists";
  readonly query: SelectStatement;
}

/** A query in parentheses as a value; as an operand of a row comparison it may have several columns. */
export interface ScalarSubquery extends NodeBase {
  readonly kind: "ScalarSubquery";
  readonly query: SelectStatement;
}

/** `ARRAY[…]`; inner bare brackets (`ARRAY[[1, 2], [3, 4]]`) are array constructors too. */
export interface ArrayConstructor extends NodeBase {
  readonly kind: "ArrayConstructor";
  readonly elements: readonly Expression[];
}

/** `ARRAY(SELECT …)`. */
export interface ArraySubquery extends NodeBase {
  readonly kind: "ArraySubquery";
  readonly query: SelectStatement;
}

/** `ROW(…)` (explicit) or `(a, b)`. As an item of GROUP BY an implicit row is a list of columns. */
export interface RowConstructor extends NodeBase {
  readonly kind: "RowConstructor";
  readonly explicit: boolean;
  readonly fields: readonly Expression[];
}

/** `CASE [operand] WHEN … THEN … [ELSE otherwise] END`; without an operand the branches are conditions. */
export interface Case extends NodeBase {
  readonly kind: "Case";
  readonly operand?: Expression;
  readonly branches: readonly CaseBranch[];
  readonly otherwise?: Expression;
}

/** `WHEN when THEN then`. */
export interface CaseBranch extends NodeBase {
  readonly kind: "CaseBranch";
  readonly when: Expression;
  readonly then: Expression;
}

/** `CAST(x AS t)`, `x::t`, and the literal `t 'x'`, which mean the same. */
export interface Cast extends NodeBase {
  readonly kind: "Cast";
  readonly operand: Expression;
  readonly type: TypeName;
}

/** `operand COLLATE collation`. */
export interface Collate extends NodeBase {
  readonly kind: "Collate";
  readonly operand: Expression;
  readonly collation: QualifiedName;
}

/** `GROUPING(a, b)`. */
export interface Grouping extends NodeBase {
  readonly kind: "Grouping";
  readonly args: readonly Expression[];
}

/** `COALESCE(a, b, …)`: syntax and not a function, as its arguments are evaluated one by one. */
export interface Coalesce extends NodeBase {
  readonly kind: "Coalesce";
  readonly args: readonly Expression[];
}

/** `NULLIF(left, right)`. */
export interface NullIf extends NodeBase {
  readonly kind: "NullIf";
  readonly left: Expression;
  readonly right: Expression;
}

/** `GREATEST(a, b, …)` and `LEAST(a, b, …)`. */
export interface MinMax extends NodeBase {
  readonly kind: "MinMax";
  readonly operator: "greatest" | "least";
  readonly args: readonly Expression[];
}

/** DEFAULT as a value; the grammar takes it anywhere an expression stands, it has a meaning in INSERT and UPDATE only. */
export interface DefaultValue extends NodeBase {
  readonly kind: "DefaultValue";
}

/** `WHERE CURRENT OF cursor`. */
export interface CurrentOf extends NodeBase {
  readonly kind: "CurrentOf";
  readonly cursor: Identifier;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sorting and windows

/** One key of an ORDER BY. What is not written is absent: the defaults are the binder's. */
export interface SortItem extends NodeBase {
  readonly kind: "SortItem";
  readonly expression: Expression;
  readonly direction?: "asc" | "desc";
  /** `USING <`. */
  readonly using?: OperatorName;
  readonly nulls?: "first" | "last";
}

/** `(PARTITION BY … ORDER BY … ROWS …)` behind OVER or in a WINDOW clause. */
export interface WindowDefinition extends NodeBase {
  readonly kind: "WindowDefinition";
  /** The named window this one extends: `OVER (w ORDER BY x)`. */
  readonly base?: Identifier;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly SortItem[];
  readonly frame?: WindowFrame;
}

/** `{ROWS | RANGE | GROUPS} BETWEEN start AND end [EXCLUDE …]`; EXCLUDE NO OTHERS is the same as none. */
export interface WindowFrame extends NodeBase {
  readonly kind: "WindowFrame";
  readonly mode: "rows" | "range" | "groups";
  readonly start: FrameBound;
  /** `CURRENT ROW` (with `start`'s range) when only a start is written. */
  readonly end: FrameBound;
  readonly exclude?: "current row" | "group" | "ties";
}

/** One end of a frame. */
export interface FrameBound extends NodeBase {
  readonly kind: "FrameBound";
  readonly type: "unbounded preceding" | "preceding" | "current row" | "following" | "unbounded following";
  /** For `preceding` and `following`. */
  readonly offset?: Expression;
}

/** `WINDOW name AS (definition)`. */
export interface NamedWindow extends NodeBase {
  readonly kind: "NamedWindow";
  readonly name: Identifier;
  readonly definition: WindowDefinition;
}

// ---------------------------------------------------------------------------------------------------------------------
// Queries

/** A whole query, at the top or in parentheses: a body with the clauses that belong to the level of the query. */
export interface SelectStatement extends NodeBase {
  readonly kind: "SelectStatement";
  readonly with?: WithClause;
  readonly body: QueryBody;
  readonly orderBy: readonly SortItem[];
  /** LIMIT or FETCH; LIMIT ALL is a NULL literal. */
  readonly limit?: Expression;
  readonly withTies: boolean;
  readonly offset?: Expression;
  readonly locking: readonly LockingClause[];
}

/** An operand of a set operation is a `SelectStatement` only when it has clauses of its own: `(SELECT … LIMIT 1) UNION …`. */
export type QueryBody = SelectCore | SetOperation | ValuesClause | TableCommand | SelectStatement;

/** `SELECT … FROM … WHERE … GROUP BY … HAVING … WINDOW …`: what stands between WITH and ORDER BY. */
export interface SelectCore extends NodeBase {
  readonly kind: "SelectCore";
  readonly distinct?: DistinctClause;
  /** May be empty: `SELECT FROM t`. */
  readonly targets: readonly SelectTarget[];
  /** SELECT … INTO table: creates a table, so it is for the gate to refuse. */
  readonly into?: IntoClause;
  readonly from: readonly FromItem[];
  readonly where?: Expression;
  readonly groupBy?: GroupByClause;
  readonly having?: Expression;
  readonly windows: readonly NamedWindow[];
}

/** `DISTINCT`, `DISTINCT ON (…)`. */
export interface DistinctClause extends NodeBase {
  readonly kind: "DistinctClause";
  /** Empty for plain DISTINCT, the expressions of DISTINCT ON otherwise. */
  readonly on: readonly Expression[];
}

/** `INTO [TEMPORARY] name` of a SELECT. */
export interface IntoClause extends NodeBase {
  readonly kind: "IntoClause";
  readonly name: QualifiedName;
  readonly temporary: boolean;
}

/** One item of a select list or of RETURNING. */
export interface SelectTarget extends NodeBase {
  readonly kind: "SelectTarget";
  /** A star is a `ColumnRef` with `star`, or a `FieldStar`. */
  readonly expression: Expression;
  readonly alias?: Identifier;
}

/** Left-deep when chained: loop over `left`. */
export interface SetOperation extends NodeBase {
  readonly kind: "SetOperation";
  readonly operator: "union" | "intersect" | "except";
  readonly all: boolean;
  readonly left: QueryBody;
  readonly right: QueryBody;
}

/** `VALUES (…), (…)`; that all rows have one length is checked by the binder. */
export interface ValuesClause extends NodeBase {
  readonly kind: "ValuesClause";
  readonly rows: readonly (readonly Expression[])[];
}

/** `TABLE name`, the same as `SELECT * FROM name`. */
export interface TableCommand extends NodeBase {
  readonly kind: "TableCommand";
  readonly table: TableReference;
}

/** `FOR UPDATE [OF tables] [NOWAIT | SKIP LOCKED]` and its weaker forms; `tables` is empty for all of them. */
export interface LockingClause extends NodeBase {
  readonly kind: "LockingClause";
  readonly strength: "update" | "no key update" | "share" | "key share";
  readonly tables: readonly QualifiedName[];
  readonly wait?: "nowait" | "skip locked";
}

/** `GROUP BY [DISTINCT] items`. */
export interface GroupByClause extends NodeBase {
  readonly kind: "GroupByClause";
  readonly distinct: boolean;
  readonly items: readonly GroupingElement[];
}

/** One item of GROUP BY or of GROUPING SETS. */
export type GroupingElement = Expression | EmptyGroupingSet | Rollup | Cube | GroupingSets;

/** `()`. */
export interface EmptyGroupingSet extends NodeBase {
  readonly kind: "EmptyGroupingSet";
}

/** A field may be an implicit row: `ROLLUP ((a, b), c)`. */
export interface Rollup extends NodeBase {
  readonly kind: "Rollup";
  readonly items: readonly Expression[];
}

/** `CUBE (a, b)`; a field may be an implicit row, as in {@link Rollup}. */
export interface Cube extends NodeBase {
  readonly kind: "Cube";
  readonly items: readonly Expression[];
}

/** `GROUPING SETS (…)`, which may be nested. */
export interface GroupingSets extends NodeBase {
  readonly kind: "GroupingSets";
  readonly sets: readonly GroupingElement[];
}

/** `WITH [RECURSIVE] …` before a query or a write. */
export interface WithClause extends NodeBase {
  readonly kind: "WithClause";
  readonly recursive: boolean;
  readonly ctes: readonly CommonTableExpression[];
}

/** `name (columns) AS [[NOT] MATERIALIZED] (statement)`; `columns` is empty when no list is written. */
export interface CommonTableExpression extends NodeBase {
  readonly kind: "CommonTableExpression";
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
  /** `true` MATERIALIZED, `false` NOT MATERIALIZED, `undefined` when nothing is written. */
  readonly materialized?: boolean;
  readonly statement: SelectStatement | InsertStatement | UpdateStatement | DeleteStatement;
  readonly search?: SearchClause;
  readonly cycle?: CycleClause;
}

/** `SEARCH {BREADTH | DEPTH} FIRST BY columns SET sequence`. */
export interface SearchClause extends NodeBase {
  readonly kind: "SearchClause";
  readonly order: "breadth" | "depth";
  readonly columns: readonly Identifier[];
  readonly sequence: Identifier;
}

/** `CYCLE columns SET mark [TO value DEFAULT otherwise] USING path`. */
export interface CycleClause extends NodeBase {
  readonly kind: "CycleClause";
  readonly columns: readonly Identifier[];
  readonly mark: Identifier;
  /** Both are absent (meaning true and false) unless TO … DEFAULT … is written. */
  readonly value?: Expression;
  readonly otherwise?: Expression;
  readonly path: Identifier;
}

// ---------------------------------------------------------------------------------------------------------------------
// FROM

/** One item of FROM (or USING). */
export type FromItem = TableReference | SubqueryReference | FunctionReference | JoinClause;

/** `AS name (columns)`; `columns` is empty when no list is written. */
export interface TableAlias extends NodeBase {
  readonly kind: "TableAlias";
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
}

/** `[ONLY] name [AS alias] [TABLESAMPLE …]`: a table, a view or a CTE. */
export interface TableReference extends NodeBase {
  readonly kind: "TableReference";
  readonly name: QualifiedName;
  readonly only: boolean;
  readonly alias?: TableAlias;
  readonly sample?: TableSample;
}

/** `TABLESAMPLE method (args) [REPEATABLE (seed)]`. */
export interface TableSample extends NodeBase {
  readonly kind: "TableSample";
  readonly method: QualifiedName;
  readonly args: readonly Expression[];
  readonly repeatable?: Expression;
}

/** `[LATERAL] (SELECT …) AS alias`. */
export interface SubqueryReference extends NodeBase {
  readonly kind: "SubqueryReference";
  readonly lateral: boolean;
  readonly query: SelectStatement;
  /** Always present, as PostgreSQL 15 demands it. */
  readonly alias: TableAlias;
}

/** `f(x) WITH ORDINALITY AS t (a, b)`, or several functions side by side in ROWS FROM. */
export interface FunctionReference extends NodeBase {
  readonly kind: "FunctionReference";
  readonly lateral: boolean;
  readonly rowsFrom: boolean;
  readonly functions: readonly TableFunction[];
  readonly ordinality: boolean;
  readonly alias?: TableAlias;
}

/** One function of a FROM item. */
export interface TableFunction extends NodeBase {
  readonly kind: "TableFunction";
  /** Nearly always a `FunctionCall`; PostgreSQL takes COALESCE(…), CAST(…) and CURRENT_DATE here as well. */
  readonly call: Expression;
  /** `AS t (a int, b text)`: the columns of a function that returns `record`. */
  readonly columns: readonly RecordColumn[];
}

/** One column of a column definition list. */
export interface RecordColumn extends NodeBase {
  readonly kind: "RecordColumn";
  readonly name: Identifier;
  readonly type: TypeName;
  readonly collation?: QualifiedName;
}

/** Left-deep when chained: loop over `left`. */
export interface JoinClause extends NodeBase {
  readonly kind: "JoinClause";
  readonly type: "inner" | "left" | "right" | "full" | "cross";
  readonly natural: boolean;
  readonly left: FromItem;
  readonly right: FromItem;
  readonly on?: Expression;
  readonly using?: JoinUsing;
  /** `(a JOIN b …) AS x`. */
  readonly alias?: TableAlias;
}

/** `USING (columns)`. */
export interface JoinUsing extends NodeBase {
  readonly kind: "JoinUsing";
  readonly columns: readonly Identifier[];
  /** `USING (a) AS x`. */
  readonly alias?: Identifier;
}

// ---------------------------------------------------------------------------------------------------------------------
// Writes

/** The target of an INSERT column or a SET: a column, or a part of one (`a[1]`, `a.field`). */
export interface AssignmentTarget extends NodeBase {
  readonly kind: "AssignmentTarget";
  readonly column: Identifier;
  readonly path: readonly PathStep[];
}

/** One step from a column to the part of it that is assigned. */
export type PathStep = FieldStep | IndexStep | SliceStep;

/** `.name`. */
export interface FieldStep extends NodeBase {
  readonly kind: "FieldStep";
  readonly name: string;
}

/** `[index]`. */
export interface IndexStep extends NodeBase {
  readonly kind: "IndexStep";
  readonly index: Expression;
}

/** `[lower:upper]`, either bound may be missing. */
export interface SliceStep extends NodeBase {
  readonly kind: "SliceStep";
  readonly lower?: Expression;
  readonly upper?: Expression;
}

/** `INSERT INTO target [AS alias] (columns) …`. */
export interface InsertStatement extends NodeBase {
  readonly kind: "InsertStatement";
  readonly with?: WithClause;
  readonly target: QualifiedName;
  readonly alias?: Identifier;
  /** Empty when no list is written. */
  readonly columns: readonly AssignmentTarget[];
  readonly overriding?: "user" | "system";
  /** Absent for DEFAULT VALUES. */
  readonly source?: SelectStatement;
  readonly onConflict?: OnConflict;
  readonly returning: readonly SelectTarget[];
}

/** `ON CONFLICT [target] DO NOTHING | DO UPDATE SET … [WHERE …]`. */
export interface OnConflict extends NodeBase {
  readonly kind: "OnConflict";
  readonly target?: ConflictColumns | ConflictConstraint;
  readonly action: "nothing" | "update";
  readonly assignments: readonly SetClause[];
  readonly where?: Expression;
}

/** `ON CONFLICT (elements) [WHERE …]`: the unique index is inferred from them. */
export interface ConflictColumns extends NodeBase {
  readonly kind: "ConflictColumns";
  readonly elements: readonly IndexElement[];
  readonly where?: Expression;
}

/** `ON CONFLICT ON CONSTRAINT name`. */
export interface ConflictConstraint extends NodeBase {
  readonly kind: "ConflictConstraint";
  readonly name: Identifier;
}

/** One item behind SET. */
export type SetClause = Assignment | MultiAssignment;

/** `SET a = value`. */
export interface Assignment extends NodeBase {
  readonly kind: "Assignment";
  readonly target: AssignmentTarget;
  readonly value: Expression;
}

/** `SET (a, b) = source`; the source is a row or a subquery for anything PostgreSQL accepts later. */
export interface MultiAssignment extends NodeBase {
  readonly kind: "MultiAssignment";
  readonly targets: readonly AssignmentTarget[];
  readonly source: Expression;
}

/** `UPDATE target SET … [FROM …] [WHERE …] [RETURNING …]`. */
export interface UpdateStatement extends NodeBase {
  readonly kind: "UpdateStatement";
  readonly with?: WithClause;
  readonly target: TableReference;
  readonly assignments: readonly SetClause[];
  readonly from: readonly FromItem[];
  readonly where?: Expression;
  readonly returning: readonly SelectTarget[];
}

/** `DELETE FROM target [USING …] [WHERE …] [RETURNING …]`. */
export interface DeleteStatement extends NodeBase {
  readonly kind: "DeleteStatement";
  readonly with?: WithClause;
  readonly target: TableReference;
  readonly using: readonly FromItem[];
  readonly where?: Expression;
  readonly returning: readonly SelectTarget[];
}

/** `MERGE INTO target USING source ON … WHEN …`; the clauses are tried in order. */
export interface MergeStatement extends NodeBase {
  readonly kind: "MergeStatement";
  readonly with?: WithClause;
  readonly target: TableReference;
  readonly source: FromItem;
  readonly on: Expression;
  readonly clauses: readonly MergeWhen[];
}

/** `WHEN [NOT] MATCHED [AND condition] THEN action`. */
export interface MergeWhen extends NodeBase {
  readonly kind: "MergeWhen";
  readonly matched: boolean;
  readonly condition?: Expression;
  readonly action: MergeUpdate | MergeDelete | MergeInsert | MergeNothing;
}

/** `THEN UPDATE SET …`. */
export interface MergeUpdate extends NodeBase {
  readonly kind: "MergeUpdate";
  readonly assignments: readonly SetClause[];
}

/** `THEN DELETE`. */
export interface MergeDelete extends NodeBase {
  readonly kind: "MergeDelete";
}

/** `THEN INSERT (columns) VALUES (…)`. */
export interface MergeInsert extends NodeBase {
  readonly kind: "MergeInsert";
  readonly columns: readonly AssignmentTarget[];
  readonly overriding?: "user" | "system";
  /** Absent for DEFAULT VALUES. */
  readonly values?: readonly Expression[];
}

/** `THEN DO NOTHING`. */
export interface MergeNothing extends NodeBase {
  readonly kind: "MergeNothing";
}

// ---------------------------------------------------------------------------------------------------------------------
// Definitions

/** `CREATE TABLE name (…)`. */
export interface CreateTableStatement extends NodeBase {
  readonly kind: "CreateTableStatement";
  readonly name: QualifiedName;
  readonly temporary: boolean;
  readonly unlogged: boolean;
  readonly ifNotExists: boolean;
  readonly columns: readonly ColumnDefinition[];
  readonly constraints: readonly TableConstraint[];
  readonly onCommit?: "drop" | "delete rows" | "preserve rows";
  /** Parts that are read over but have no place here (`INHERITS`, `PARTITION BY`, `LIKE`, …), by keyword, for the one that refuses. */
  readonly unsupported: readonly string[];
}

/** CREATE TABLE … AS query. */
export interface CreateTableAsStatement extends NodeBase {
  readonly kind: "CreateTableAsStatement";
  readonly name: QualifiedName;
  readonly temporary: boolean;
  readonly ifNotExists: boolean;
  readonly columns: readonly Identifier[];
  readonly query: SelectStatement;
  readonly withData: boolean;
}

/** One column of CREATE TABLE. */
export interface ColumnDefinition extends NodeBase {
  readonly kind: "ColumnDefinition";
  readonly name: Identifier;
  /** `serial` and its kin stay as written (`serial`, `serial4`, `bigserial`, …): they are no types. */
  readonly type: TypeName;
  readonly collation?: QualifiedName;
  readonly constraints: readonly ColumnConstraint[];
}

/** What may stand behind a column's type. */
export type ColumnConstraint =
  | NotNullConstraint
  | NullConstraint
  | DefaultConstraint
  | IdentityConstraint
  | GeneratedConstraint
  | UniqueConstraint
  | CheckConstraint
  | ReferencesConstraint;

/** A constraint on its own, between the columns. */
export type TableConstraint = UniqueConstraint | CheckConstraint | ReferencesConstraint;

/** `NOT NULL`. */
export interface NotNullConstraint extends NodeBase {
  readonly kind: "NotNullConstraint";
  readonly name?: Identifier;
}

/** An explicit NULL. */
export interface NullConstraint extends NodeBase {
  readonly kind: "NullConstraint";
  readonly name?: Identifier;
}

/** `DEFAULT value`. */
export interface DefaultConstraint extends NodeBase {
  readonly kind: "DefaultConstraint";
  readonly name?: Identifier;
  readonly value: Expression;
}

/** GENERATED … AS IDENTITY. */
export interface IdentityConstraint extends NodeBase {
  readonly kind: "IdentityConstraint";
  readonly name?: Identifier;
  readonly always: boolean;
  readonly start?: string;
  readonly increment?: string;
}

/** GENERATED ALWAYS AS (…) STORED. */
export interface GeneratedConstraint extends NodeBase {
  readonly kind: "GeneratedConstraint";
  readonly name?: Identifier;
  readonly expression: Expression;
}

/** UNIQUE and PRIMARY KEY; `columns` is empty when it stands on a column. */
export interface UniqueConstraint extends NodeBase {
  readonly kind: "UniqueConstraint";
  readonly name?: Identifier;
  readonly primary: boolean;
  readonly nullsNotDistinct: boolean;
  readonly columns: readonly Identifier[];
  readonly timing?: ConstraintTiming;
}

/** `CHECK (expression)`. */
export interface CheckConstraint extends NodeBase {
  readonly kind: "CheckConstraint";
  readonly name?: Identifier;
  readonly expression: Expression;
}

/** FOREIGN KEY; `columns` is empty when it stands on a column, `targetColumns` when none are written. */
export interface ReferencesConstraint extends NodeBase {
  readonly kind: "ReferencesConstraint";
  readonly name?: Identifier;
  readonly columns: readonly Identifier[];
  readonly table: QualifiedName;
  readonly targetColumns: readonly Identifier[];
  /** MATCH SIMPLE when absent. */
  readonly match?: "full" | "partial" | "simple";
  /** NO ACTION when absent. */
  readonly onDelete?: ReferentialAction;
  readonly onUpdate?: ReferentialAction;
  readonly timing?: ConstraintTiming;
}

/** `set null columns` and `set default columns` have a list of columns, which is not kept. */
export type ReferentialAction =
  | "no action"
  | "restrict"
  | "cascade"
  | "set null"
  | "set default"
  | "set null columns"
  | "set default columns";

/** `deferrable` is checked at the end of the statement unless told otherwise, `deferred` at the end of the transaction. */
export type ConstraintTiming = "deferrable" | "deferred";

/** `CREATE [OR REPLACE] VIEW name (columns) AS query`; `columns` is empty when no list is written. */
export interface CreateViewStatement extends NodeBase {
  readonly kind: "CreateViewStatement";
  readonly name: QualifiedName;
  readonly orReplace: boolean;
  readonly temporary: boolean;
  readonly recursive: boolean;
  readonly columns: readonly Identifier[];
  readonly query: SelectStatement;
  readonly checkOption?: "local" | "cascaded";
}

/** `CREATE [UNIQUE] INDEX name ON table (elements) …`. */
export interface CreateIndexStatement extends NodeBase {
  readonly kind: "CreateIndexStatement";
  readonly unique: boolean;
  readonly concurrently: boolean;
  readonly ifNotExists: boolean;
  readonly name?: Identifier;
  readonly table: QualifiedName;
  readonly method?: Identifier;
  readonly elements: readonly IndexElement[];
  readonly include: readonly Identifier[];
  readonly nullsNotDistinct: boolean;
  readonly where?: Expression;
}

/** A column (a `ColumnRef` of one part) or an expression of an index or of ON CONFLICT. */
export interface IndexElement extends NodeBase {
  readonly kind: "IndexElement";
  readonly expression: Expression;
  readonly collation?: QualifiedName;
  readonly operatorClass?: QualifiedName;
  readonly direction?: "asc" | "desc";
  readonly nulls?: "first" | "last";
}

/** CREATE TYPE … AS ENUM. */
export interface CreateEnumStatement extends NodeBase {
  readonly kind: "CreateEnumStatement";
  readonly name: QualifiedName;
  readonly labels: readonly StringLiteral[];
}

/** `CREATE SCHEMA name`. */
export interface CreateSchemaStatement extends NodeBase {
  readonly kind: "CreateSchemaStatement";
  readonly name: Identifier;
  readonly ifNotExists: boolean;
}

/** `DROP TABLE`, `DROP VIEW`, …. */
export interface DropStatement extends NodeBase {
  readonly kind: "DropStatement";
  /** Lower case words: `table`, `view`, `materialized view`, `index`, `type`, `schema`, `sequence`, `domain`, …. */
  readonly objectType: string;
  readonly names: readonly QualifiedName[];
  readonly ifExists: boolean;
  readonly cascade: boolean;
}

/** `TRUNCATE tables`. */
export interface TruncateStatement extends NodeBase {
  readonly kind: "TruncateStatement";
  readonly tables: readonly TableReference[];
  readonly restartIdentity: boolean;
  readonly cascade: boolean;
}

// ---------------------------------------------------------------------------------------------------------------------
// Transactions, settings, EXPLAIN

/** What a transaction is told at its start; what is not written is absent. */
export interface TransactionModes {
  readonly isolation?: "serializable" | "repeatable read" | "read committed" | "read uncommitted";
  readonly readOnly?: boolean;
  readonly deferrable?: boolean;
}

/** BEGIN or START TRANSACTION. */
export interface BeginStatement extends NodeBase {
  readonly kind: "BeginStatement";
  readonly modes: TransactionModes;
}

/** COMMIT or END. */
export interface CommitStatement extends NodeBase {
  readonly kind: "CommitStatement";
  readonly chain: boolean;
}

/** ROLLBACK or ABORT. */
export interface RollbackStatement extends NodeBase {
  readonly kind: "RollbackStatement";
  readonly chain: boolean;
}

/** `SAVEPOINT name`. */
export interface SavepointStatement extends NodeBase {
  readonly kind: "SavepointStatement";
  readonly name: Identifier;
}

/** `ROLLBACK TO [SAVEPOINT] name`. */
export interface RollbackToStatement extends NodeBase {
  readonly kind: "RollbackToStatement";
  readonly name: Identifier;
}

/** `RELEASE [SAVEPOINT] name`. */
export interface ReleaseStatement extends NodeBase {
  readonly kind: "ReleaseStatement";
  readonly name: Identifier;
}

/** `EXPLAIN [options] statement`. */
export interface ExplainStatement extends NodeBase {
  readonly kind: "ExplainStatement";
  /** `EXPLAIN ANALYZE VERBOSE` and `EXPLAIN (ANALYZE, VERBOSE)` give the same options. */
  readonly options: readonly ExplainOption[];
  readonly statement: Statement;
}

/** One option of EXPLAIN. */
export interface ExplainOption extends NodeBase {
  readonly kind: "ExplainOption";
  /** Lower case: `analyze`, `verbose`, `format`, …. */
  readonly name: string;
  /** As written (names folded): `json`, `off`, `1`; absent means on. */
  readonly value?: string;
}

/** `SET [LOCAL] name TO values`, `SET TIME ZONE …`, `SET TRANSACTION …`. */
export interface SetStatement extends NodeBase {
  readonly kind: "SetStatement";
  readonly local: boolean;
  /** Lower case, dots kept: `timezone`, `search_path`, `my.setting`; `transaction` for SET TRANSACTION. */
  readonly name: string;
  /** Empty means TO DEFAULT. Names are strings: `SET x TO on` gives the string `on`. */
  readonly values: readonly SetValue[];
  /** For SET TRANSACTION and SET SESSION CHARACTERISTICS. */
  readonly modes?: TransactionModes;
}

/** One value of a SET; a cast is `SET TIME ZONE INTERVAL '…'`. */
export type SetValue = StringLiteral | NumericLiteral | Cast;

/** `SHOW name`. */
export interface ShowStatement extends NodeBase {
  readonly kind: "ShowStatement";
  /** `all` for SHOW ALL. */
  readonly name: string;
}

/** `RESET name`. */
export interface ResetStatement extends NodeBase {
  readonly kind: "ResetStatement";
  /** `all` for RESET ALL. */
  readonly name: string;
}

/** A statement that PostgreSQL has and this grammar reads over: refused by name. Its words are not checked. */
export interface UnsupportedStatement extends NodeBase {
  readonly kind: "UnsupportedStatement";
  /** Upper case, enough words to name it: `ALTER TABLE`, `GRANT`, `CREATE FUNCTION`. */
  readonly keyword: string;
}

/** One statement of a script, as `parse` gives it. */
export type Statement =
  | SelectStatement
  | InsertStatement
  | UpdateStatement
  | DeleteStatement
  | MergeStatement
  | BeginStatement
  | CommitStatement
  | RollbackStatement
  | SavepointStatement
  | RollbackToStatement
  | ReleaseStatement
  | ExplainStatement
  | SetStatement
  | ShowStatement
  | ResetStatement
  | CreateTableStatement
  | CreateTableAsStatement
  | CreateViewStatement
  | CreateIndexStatement
  | CreateEnumStatement
  | CreateSchemaStatement
  | DropStatement
  | TruncateStatement
  | UnsupportedStatement;

/** Everything with a `kind`, for code that walks trees. */
export type Node =
  | Statement
  | Expression
  | QueryBody
  | FromItem
  | GroupingElement
  | Identifier
  | QualifiedName
  | OperatorName
  | TypeName
  | FunctionArgument
  | CaseBranch
  | SortItem
  | WindowDefinition
  | WindowFrame
  | FrameBound
  | NamedWindow
  | DistinctClause
  | IntoClause
  | SelectTarget
  | LockingClause
  | GroupByClause
  | WithClause
  | CommonTableExpression
  | SearchClause
  | CycleClause
  | TableAlias
  | TableSample
  | TableFunction
  | RecordColumn
  | JoinUsing
  | AssignmentTarget
  | PathStep
  | OnConflict
  | ConflictColumns
  | ConflictConstraint
  | SetClause
  | MergeWhen
  | MergeWhen["action"]
  | ColumnDefinition
  | ColumnConstraint
  | TableConstraint
  | IndexElement
  | ExplainOption;
