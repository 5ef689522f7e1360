/** Statements as SQL: writes, definitions, transactions, settings, EXPLAIN. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../ast.js";
import { qualifiedName, quoteName, quoteString } from "./names.js";
import { QueryPrinter } from "./queries.js";

export class StatementPrinter extends QueryPrinter {
  statement(statement: ast.Statement): string {
    switch (statement.kind) {
      case "SelectStatement":
        return this.query(statement);
      case "InsertStatement":
      case "UpdateStatement":
      case "DeleteStatement":
        return this.write(statement);
      case "MergeStatement":
        return this.merge(statement);
      case "BeginStatement":
        return `BEGIN${this.modes(statement.modes)}`;
      case "CommitStatement":
        return `COMMIT${statement.chain ? " AND CHAIN" : ""}`;
      case "RollbackStatement":
        return `ROLLBACK${statement.chain ? " AND CHAIN" : ""}`;
      case "SavepointStatement":
        return `SAVEPOINT ${quoteName(statement.name.name)}`;
      case "RollbackToStatement":
        return `ROLLBACK TO SAVEPOINT ${quoteName(statement.name.name)}`;
      case "ReleaseStatement":
        return `RELEASE SAVEPOINT ${quoteName(statement.name.name)}`;
      case "ExplainStatement":
        return this.explain(statement);
      case "SetStatement":
        return this.set(statement);
      case "ShowStatement":
        return `SHOW ${settingName(statement.name)}`;
      case "ResetStatement":
        return `RESET ${settingName(statement.name)}`;
      case "UnsupportedStatement":
        throw new SqlError(sqlstate.featureNotSupported, `${statement.keyword} is not supported`, {
          position: statement.range.start + 1,
        });
      default:
        return this.definition(statement);
    }
  }

  // Writes ------------------------------------------------------------------------------------------------------------------

  protected write(statement: ast.InsertStatement | ast.UpdateStatement | ast.DeleteStatement): string {
    const parts: string[] = [];
    if (statement.with !== undefined) parts.push(this.with(statement.with));
    switch (statement.kind) {
      case "InsertStatement":
        parts.push(...this.insert(statement));
        break;
      case "UpdateStatement":
        parts.push(`UPDATE ${this.table(statement.target)} SET ${this.assignments(statement.assignments)}`);
        if (statement.from.length > 0) parts.push(`FROM ${this.fromItems(statement.from)}`);
        if (statement.where !== undefined) parts.push(this.where(statement.where));
        break;
      case "DeleteStatement":
        parts.push(`DELETE FROM ${this.table(statement.target)}`);
        if (statement.using.length > 0) parts.push(`USING ${this.fromItems(statement.using)}`);
        if (statement.where !== undefined) parts.push(this.where(statement.where));
        break;
    }
    if (statement.returning.length > 0) parts.push(`RETURNING ${this.targets(statement.returning)}`);
    return parts.join(" ");
  }

  private where(condition: ast.Expression): string {
    return `WHERE ${this.expression(condition)}`;
  }

  private insert(statement: ast.InsertStatement): string[] {
    const alias = statement.alias === undefined ? "" : ` AS ${quoteName(statement.alias.name)}`;
    const parts = [`INSERT INTO ${qualifiedName(statement.target)}${alias}${this.targetColumns(statement.columns)}`];
    if (statement.overriding !== undefined) parts.push(`OVERRIDING ${statement.overriding.toUpperCase()} VALUE`);
    parts.push(statement.source === undefined ? "DEFAULT VALUES" : this.query(statement.source));
    if (statement.onConflict !== undefined) parts.push(this.onConflict(statement.onConflict));
    return parts;
  }

  private targetColumns(columns: readonly ast.AssignmentTarget[]): string {
    return columns.length === 0 ? "" : ` (${columns.map((column) => this.target(column)).join(", ")})`;
  }

  private target(target: ast.AssignmentTarget): string {
    const optional = (expression: ast.Expression | undefined) =>
      expression === undefined ? "" : this.expression(expression);
    const steps = target.path.map((step) => {
      if (step.kind === "FieldStep") return `.${quoteName(step.name)}`;
      if (step.kind === "IndexStep") return `[${this.expression(step.index)}]`;
      return `[${optional(step.lower)}:${optional(step.upper)}]`;
    });
    return quoteName(target.column.name) + steps.join("");
  }

  private onConflict(clause: ast.OnConflict): string {
    const parts = ["ON CONFLICT"];
    if (clause.target?.kind === "ConflictConstraint") {
      parts.push(`ON CONSTRAINT ${quoteName(clause.target.name.name)}`);
    } else if (clause.target !== undefined) {
      parts.push(`(${this.indexElements(clause.target.elements)})`);
      if (clause.target.where !== undefined) parts.push(this.where(clause.target.where));
    }
    if (clause.action === "nothing") return [...parts, "DO NOTHING"].join(" ");
    parts.push(`DO UPDATE SET ${this.assignments(clause.assignments)}`);
    if (clause.where !== undefined) parts.push(this.where(clause.where));
    return parts.join(" ");
  }

  private assignments(clauses: readonly ast.SetClause[]): string {
    return clauses
      .map((clause) =>
        clause.kind === "Assignment"
          ? `${this.target(clause.target)} = ${this.expression(clause.value)}`
          : `(${clause.targets.map((target) => this.target(target)).join(", ")}) = ${this.expression(clause.source)}`,
      )
      .join(", ");
  }

  private merge(statement: ast.MergeStatement): string {
    const parts: string[] = [];
    if (statement.with !== undefined) parts.push(this.with(statement.with));
    parts.push(`MERGE INTO ${this.table(statement.target)} USING ${this.fromItem(statement.source)}`);
    parts.push(`ON ${this.expression(statement.on)}`);
    for (const { matched, condition, action } of statement.clauses) {
      const and = condition === undefined ? "" : ` AND ${this.expression(condition)}`;
      parts.push(`WHEN ${matched ? "" : "NOT "}MATCHED${and} THEN ${this.mergeAction(action)}`);
    }
    return parts.join(" ");
  }

  private mergeAction(action: ast.MergeWhen["action"]): string {
    switch (action.kind) {
      case "MergeUpdate":
        return `UPDATE SET ${this.assignments(action.assignments)}`;
      case "MergeDelete":
        return "DELETE";
      case "MergeNothing":
        return "DO NOTHING";
      case "MergeInsert": {
        const overriding =
          action.overriding === undefined ? "" : ` OVERRIDING ${action.overriding.toUpperCase()} VALUE`;
        const values = action.values === undefined ? "DEFAULT VALUES" : `VALUES (${this.list(action.values)})`;
        return `INSERT${this.targetColumns(action.columns)}${overriding} ${values}`;
      }
    }
  }

  // Definitions -------------------------------------------------------------------------------------------------------------

  private definition(
    statement:
      | ast.CreateTableStatement
      | ast.CreateTableAsStatement
      | ast.CreateViewStatement
      | ast.CreateIndexStatement
      | ast.CreateEnumStatement
      | ast.CreateSchemaStatement
      | ast.DropStatement
      | ast.TruncateStatement,
  ): string {
    switch (statement.kind) {
      case "CreateTableStatement":
        return this.createTable(statement);
      case "CreateTableAsStatement": {
        const head = `CREATE ${temporary(statement)}TABLE ${ifNotExists(statement)}${qualifiedName(statement.name)}`;
        const data = statement.withData ? "" : " WITH NO DATA";
        return `${head}${this.columns(statement.columns)} AS ${this.query(statement.query)}${data}`;
      }
      case "CreateViewStatement": {
        const words = `${statement.orReplace ? "OR REPLACE " : ""}${temporary(statement)}`;
        const recursive = statement.recursive ? "RECURSIVE " : "";
        const check =
          statement.checkOption === undefined ? "" : ` WITH ${statement.checkOption.toUpperCase()} CHECK OPTION`;
        const name = `${qualifiedName(statement.name)}${this.columns(statement.columns)}`;
        return `CREATE ${words}${recursive}VIEW ${name} AS ${this.query(statement.query)}${check}`;
      }
      case "CreateIndexStatement":
        return this.createIndex(statement);
      case "CreateEnumStatement": {
        const labels = statement.labels.map((label) => quoteString(label.value)).join(", ");
        return `CREATE TYPE ${qualifiedName(statement.name)} AS ENUM (${labels})`;
      }
      case "CreateSchemaStatement":
        return `CREATE SCHEMA ${ifNotExists(statement)}${quoteName(statement.name.name)}`;
      case "DropStatement": {
        const exists = statement.ifExists ? "IF EXISTS " : "";
        const names = statement.names.map(qualifiedName).join(", ");
        return `DROP ${statement.objectType.toUpperCase()} ${exists}${names}${statement.cascade ? " CASCADE" : ""}`;
      }
      case "TruncateStatement": {
        const restart = statement.restartIdentity ? " RESTART IDENTITY" : "";
        const tables = statement.tables.map((table) => this.table(table)).join(", ");
        return `TRUNCATE ${tables}${restart}${statement.cascade ? " CASCADE" : ""}`;
      }
    }
  }

  private createTable(statement: ast.CreateTableStatement): string {
    if (statement.unsupported.length > 0) {
      const message = `${statement.unsupported[0]} in CREATE TABLE is not supported`;
      throw new SqlError(sqlstate.featureNotSupported, message, { position: statement.range.start + 1 });
    }
    const unlogged = statement.unlogged ? "UNLOGGED " : "";
    const elements = [
      ...statement.columns.map((column) => this.column(column)),
      ...statement.constraints.map((constraint) => this.constraint(constraint, true)),
    ];
    const onCommit = statement.onCommit === undefined ? "" : ` ON COMMIT ${statement.onCommit.toUpperCase()}`;
    const head = `CREATE ${temporary(statement)}${unlogged}TABLE ${ifNotExists(statement)}`;
    return `${head}${qualifiedName(statement.name)} (${elements.join(", ")})${onCommit}`;
  }

  private column(column: ast.ColumnDefinition): string {
    const collate = column.collation === undefined ? "" : ` COLLATE ${qualifiedName(column.collation)}`;
    const constraints = column.constraints.map((constraint) => ` ${this.constraint(constraint, false)}`).join("");
    return `${quoteName(column.name.name)} ${this.type(column.type)}${collate}${constraints}`;
  }

  private constraint(constraint: ast.ColumnConstraint | ast.TableConstraint, onTable: boolean): string {
    const name = constraint.name === undefined ? "" : `CONSTRAINT ${quoteName(constraint.name.name)} `;
    return name + this.constraintBody(constraint, onTable);
  }

  private constraintBody(constraint: ast.ColumnConstraint | ast.TableConstraint, onTable: boolean): string {
    switch (constraint.kind) {
      case "NotNullConstraint":
        return "NOT NULL";
      case "NullConstraint":
        return "NULL";
      case "DefaultConstraint":
        return `DEFAULT ${this.restricted(constraint.value)}`;
      case "IdentityConstraint": {
        const start = constraint.start === undefined ? [] : [`START WITH ${constraint.start}`];
        const increment = constraint.increment === undefined ? [] : [`INCREMENT BY ${constraint.increment}`];
        const options = [...start, ...increment];
        const always = constraint.always ? "ALWAYS" : "BY DEFAULT";
        return `GENERATED ${always} AS IDENTITY${options.length === 0 ? "" : ` (${options.join(" ")})`}`;
      }
      case "GeneratedConstraint":
        return `GENERATED ALWAYS AS (${this.expression(constraint.expression)}) STORED`;
      case "UniqueConstraint": {
        const nulls = constraint.nullsNotDistinct ? " NULLS NOT DISTINCT" : "";
        const words = constraint.primary ? "PRIMARY KEY" : `UNIQUE${nulls}`;
        return words + this.columns(constraint.columns) + timing(constraint.timing);
      }
      case "CheckConstraint":
        return `CHECK (${this.expression(constraint.expression)})`;
      case "ReferencesConstraint": {
        const key = onTable ? `FOREIGN KEY${this.columns(constraint.columns)} ` : "";
        const table = `${qualifiedName(constraint.table)}${this.columns(constraint.targetColumns)}`;
        return `${key}REFERENCES ${table}${this.references(constraint)}`;
      }
    }
  }

  private references({ match, onDelete, onUpdate, timing: when, range }: ast.ReferencesConstraint): string {
    const action = (event: string, what: ast.ReferentialAction | undefined): string => {
      if (what === undefined) return "";
      if (what === "set null columns" || what === "set default columns") {
        const message = "a column list in a foreign key's action is not supported";
        throw new SqlError(sqlstate.featureNotSupported, message, { position: range.start + 1 });
      }
      return ` ON ${event} ${what.toUpperCase()}`;
    };
    const matches = match === undefined ? "" : ` MATCH ${match.toUpperCase()}`;
    return matches + action("DELETE", onDelete) + action("UPDATE", onUpdate) + timing(when);
  }

  private createIndex(statement: ast.CreateIndexStatement): string {
    const unique = statement.unique ? "UNIQUE " : "";
    const concurrently = statement.concurrently ? "CONCURRENTLY " : "";
    const name = statement.name === undefined ? "" : `${quoteName(statement.name.name)} `;
    const method = statement.method === undefined ? "" : ` USING ${quoteName(statement.method.name)}`;
    const include = statement.include.length === 0 ? "" : ` INCLUDE${this.columns(statement.include)}`;
    const nulls = statement.nullsNotDistinct ? " NULLS NOT DISTINCT" : "";
    const where = statement.where === undefined ? "" : ` ${this.where(statement.where)}`;
    const head = `CREATE ${unique}INDEX ${concurrently}${ifNotExists(statement)}${name}`;
    const elements = `(${this.indexElements(statement.elements)})`;
    return `${head}ON ${qualifiedName(statement.table)}${method} ${elements}${include}${nulls}${where}`;
  }

  private indexElements(elements: readonly ast.IndexElement[]): string {
    return elements
      .map(({ expression, collation, operatorClass, direction, nulls }) => {
        const isBare = expression.kind === "ColumnRef" || expression.kind === "FunctionCall";
        const parts = [isBare ? this.expression(expression) : `(${this.expression(expression)})`];
        if (collation !== undefined) parts.push(`COLLATE ${qualifiedName(collation)}`);
        if (operatorClass !== undefined) parts.push(qualifiedName(operatorClass));
        if (direction !== undefined) parts.push(direction.toUpperCase());
        if (nulls !== undefined) parts.push(`NULLS ${nulls.toUpperCase()}`);
        return parts.join(" ");
      })
      .join(", ");
  }

  // The rest ----------------------------------------------------------------------------------------------------------------

  private modes(modes: ast.TransactionModes): string {
    const parts: string[] = [];
    if (modes.isolation !== undefined) parts.push(`ISOLATION LEVEL ${modes.isolation.toUpperCase()}`);
    if (modes.readOnly !== undefined) parts.push(modes.readOnly ? "READ ONLY" : "READ WRITE");
    if (modes.deferrable !== undefined) parts.push(modes.deferrable ? "DEFERRABLE" : "NOT DEFERRABLE");
    return parts.length === 0 ? "" : ` ${parts.join(", ")}`;
  }

  private explain(statement: ast.ExplainStatement): string {
    const options = statement.options.map(({ name, value }) =>
      value === undefined ? quoteOption(name) : `${quoteOption(name)} ${quoteString(value)}`,
    );
    const listed = options.length === 0 ? "" : `(${options.join(", ")}) `;
    return `EXPLAIN ${listed}${this.statement(statement.statement)}`;
  }

  private set(statement: ast.SetStatement): string {
    const local = statement.local ? "LOCAL " : "";
    if (statement.modes !== undefined) {
      const what = statement.name === "transaction" ? "TRANSACTION" : "SESSION CHARACTERISTICS AS TRANSACTION";
      return `SET ${local}${what}${this.modes(statement.modes)}`;
    }
    const [first] = statement.values;
    if (first?.kind === "Cast") {
      const text = first.operand.kind === "StringLiteral" ? quoteString(first.operand.value) : "''";
      const { intervalFields, modifiers } = first.type;
      const fields = intervalFields === undefined ? "" : ` ${intervalFields}`;
      const precision = modifiers.length === 0 ? "" : `(${this.list(modifiers)})`;
      return intervalFields === undefined
        ? `SET ${local}TIME ZONE interval${precision} ${text}`
        : `SET ${local}TIME ZONE interval ${text}${fields}${precision}`;
    }
    const values = statement.values.map((value) => this.expression(value)).join(", ");
    return `SET ${local}${settingName(statement.name)} TO ${values === "" ? "DEFAULT" : values}`;
  }
}

function timing(when: ast.ConstraintTiming | undefined): string {
  if (when === undefined) return "";
  return when === "deferred" ? " DEFERRABLE INITIALLY DEFERRED" : " DEFERRABLE";
}

/** ANALYZE and VERBOSE are keywords that are written plainly as options. */
function quoteOption(name: string): string {
  return name === "analyze" || name === "verbose" ? name.toUpperCase() : quoteName(name);
}

function settingName(name: string): string {
  return name === "all" ? "ALL" : name.split(".").map(quoteName).join(".");
}

function temporary(statement: { readonly temporary: boolean }): string {
  return statement.temporary ? "TEMPORARY " : "";
}

function ifNotExists(statement: { readonly ifNotExists: boolean }): string {
  return statement.ifNotExists ? "IF NOT EXISTS " : "";
}
