/**
 * Collects the text of a typed statement and the values of its parameters. Names are always quoted and values never stand
 * in the text: what a program hands in cannot become SQL.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { SqlText } from "./executor.js";
import type { TableDefinition } from "./table-types.js";

/** One condition as it was handed in: columns and what is asked of them. */
export type Where = Readonly<Record<string, unknown>>;

/** A table by name, with what the builder knows of it. */
export interface TableFacts {
  readonly name: string;
  readonly definition: TableDefinition;
}

const comparisons: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);
const patterns: ReadonlySet<string> = new Set(["like", "not like", "ilike", "not ilike"]);

/** Any name as an identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The table as FROM names it. */
export function tableText({ name, definition }: TableFacts): string {
  return definition.schema === undefined ? quoted(name) : `${quoted(definition.schema)}.${quoted(name)}`;
}

/**
 * A document as the value of a parameter: a text given for a jsonb is read as JSON, so a text that *is* the document goes
 * in quotes.
 */
export function jsonParameter(value: unknown): unknown {
  return typeof value === "string" ? JSON.stringify(value) : value;
}

/** Builds one statement. */
export class StatementText {
  private readonly params: unknown[] = [];

  constructor(private readonly table: TableFacts) {}

  /** The finished statement. */
  finish(text: string): SqlText {
    return { text, params: this.params };
  }

  /** `$n` for a value. */
  parameter(value: unknown): string {
    this.params.push(value);
    return `$${this.params.length}`;
  }

  /** `$n` for a value of a column. */
  valueOf(column: string, value: unknown): string {
    return this.parameter(value !== null && this.isDocument(column) ? jsonParameter(value) : value);
  }

  /** A column's name. @throws SqlError 42703 when the table has none of that name */
  column(name: string): string {
    if (Object.hasOwn(this.table.definition.columns, name)) return quoted(name);
    throw new SqlError(sqlstate.undefinedColumn, `column "${name}" of relation "${this.table.name}" does not exist`, {
      hint: `Its columns are ${Object.keys(this.table.definition.columns).join(", ")}.`,
    });
  }

  /** `WHERE …` for all conditions together; empty for none. */
  where(conditions: readonly Where[]): string {
    const parts = conditions.flatMap((condition) =>
      Object.entries(condition).flatMap(([column, asked]) => this.condition(column, asked)),
    );
    return parts.length === 0 ? "" : ` WHERE ${parts.join(" AND ")}`;
  }

  private condition(column: string, asked: unknown): readonly string[] {
    const name = this.column(column);
    if (asked === undefined)
      throw invalid(
        `where: "${column}" is undefined`,
        "Leave the column out to ask nothing of it, or give null for IS NULL.",
      );
    if (asked === null) return [`${name} IS NULL`];
    if (Array.isArray(asked)) return [`${name} = ANY(${this.list(column, asked)})`];
    if (typeof asked !== "object" || asked instanceof Date) return [`${name} = ${this.valueOf(column, asked)}`];
    const operators = Object.entries(asked).filter(([, value]) => value !== undefined);
    if (operators.length !== Object.keys(asked).length || operators.length === 0)
      throw invalid(
        `where: an operator of "${column}" has no value`,
        `Write { ${column}: { ">=": value } }, and leave operators without a value out.`,
      );
    return operators.map(([operator, value]) => this.comparison(name, column, operator, value));
  }

  private comparison(name: string, column: string, operator: string, value: unknown): string {
    if (operator === "is not") {
      if (value === null) return `${name} IS NOT NULL`;
      throw invalid(`where: "is not" of "${column}" takes null only`, `Write { "<>": value } for other values.`);
    }
    if (operator === "@>") return `${name} @> ${this.contained(column, value)}`;
    if (value === null)
      throw invalid(
        `where: "${operator}" of "${column}" is compared with null, which no row matches`,
        `Write { ${column}: null } for IS NULL, { ${column}: { "is not": null } } for IS NOT NULL.`,
      );
    if (comparisons.has(operator)) return `${name} ${operator} ${this.valueOf(column, value)}`;
    if (patterns.has(operator)) return `${name} ${operator.toUpperCase()} ${this.parameter(value)}`;
    if (operator === "in" && Array.isArray(value)) return `${name} = ANY(${this.list(column, value)})`;
    if (operator === "not in" && Array.isArray(value)) return `${name} <> ALL(${this.list(column, value)})`;
    throw invalid(
      `where: "${operator}" is no operator for "${column}"`,
      `Operators are ${[...comparisons, "in", "not in", ...patterns, "@>", "is not"].join(", ")}; in and not in take an array.`,
    );
  }

  /** JSON null is a document that can be contained; an array column's part is an array. */
  private contained(column: string, value: unknown): string {
    if (!this.isDocument(column)) return this.parameter(value);
    return this.parameter(value === null ? "null" : jsonParameter(value));
  }

  private list(column: string, values: readonly unknown[]): string {
    // `= ANY` never finds a NULL in the list and `<> ALL` gives no row at all with one: neither is what is meant.
    if (values.some((value) => value === null || value === undefined))
      throw invalid(
        `where: the list for "${column}" contains ${values.includes(null) ? "null" : "undefined"}`,
        "Leave it out; rows without a value are found by a condition of their own.",
      );
    return this.parameter([...values]);
  }

  private isDocument(column: string): boolean {
    const type = this.table.definition.columns[column];
    return type === "jsonb" || type === "json";
  }
}

/** What a program handed in cannot be a statement. */
export function invalid(message: string, hint?: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, message, hint === undefined ? {} : { hint });
}
