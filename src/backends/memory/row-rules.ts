/** What every new row of a table goes through: generated columns are filled, then NOT NULL and CHECK are tested. */
import type { CatalogReader } from "../../catalog/table.js";
import type { SqlError } from "../../errors/sql-error.js";
import {
  compileChecks,
  compileGenerated,
  compileHidden,
  type RowEnvironment,
  type RowExpressions,
} from "./row-expressions.js";
import type { StoredTable, TableDefinition } from "./stored-table.js";
import type { StoredRow } from "./table-key.js";
import { checkViolation, notNullViolation } from "./violations.js";

/** A row with its generated columns, and the error it would raise: raised when the row's turn comes. */
export interface CheckedRow {
  readonly row: StoredRow;
  readonly problem?: () => SqlError;
}

export class RowRules {
  private readonly required: readonly number[];
  private readonly checks: RowExpressions | undefined;
  private readonly generated: RowExpressions | undefined;
  private readonly hidden: RowExpressions | undefined;

  constructor(
    private readonly table: StoredTable,
    private readonly definition: TableDefinition,
    catalog: CatalogReader,
  ) {
    this.required = definition.columns.flatMap((column, i) => (column.nullable ? [] : [i]));
    this.generated = compileGenerated(definition, catalog);
    this.checks = compileChecks(definition, catalog);
    this.hidden = compileHidden(definition, catalog);
  }

  async complete(proposed: readonly StoredRow[], environment: RowEnvironment): Promise<readonly CheckedRow[]> {
    const rows = await this.generate(proposed, environment);
    // A row that is NULL where it may not be is not tested further: PostgreSQL reports that first.
    const missing = rows.map((row) => this.required.find((column) => row[column] === null));
    const verdicts = await this.checks?.evaluate(rows, environment);
    const checked = rows.map((row, i): CheckedRow => {
      const column = missing[i];
      if (column !== undefined)
        return { row, problem: () => notNullViolation(this.table, column, row, environment.session) };
      const failed = verdicts?.[i].indexOf(false) ?? -1;
      if (failed < 0) return { row };
      const { name } = this.definition.checks[failed];
      return { row, problem: () => checkViolation(this.table, name, row, environment.session) };
    });
    return this.hide(checked, environment);
  }

  /** Adds the values that unique indexes ask for. Rows that are refused anyway are not asked: they may have none. */
  private async hide(checked: readonly CheckedRow[], environment: RowEnvironment): Promise<readonly CheckedRow[]> {
    if (this.hidden === undefined) return checked;
    const width = this.definition.columns.length;
    const sound = checked.filter(({ problem }) => problem === undefined);
    const values = await this.hidden.evaluate(
      sound.map(({ row }) => row),
      environment,
    );
    const complete = new Map(sound.map((item, i) => [item, [...item.row.slice(0, width), ...values[i]]] as const));
    return checked.map((item) => ({ ...item, row: complete.get(item) ?? item.row }));
  }

  private async generate(rows: readonly StoredRow[], environment: RowEnvironment): Promise<readonly StoredRow[]> {
    if (this.generated === undefined) return rows;
    const values = await this.generated.evaluate(rows, environment);
    return rows.map((row, i) => {
      const next = [...row];
      this.definition.generated.forEach(({ column }, k) => {
        next[column] = values[i][k];
      });
      return next;
    });
  }
}

const rules = new WeakMap<TableDefinition, RowRules>();

/** The rules of a table, compiled once for each definition of it. */
export function rulesOf(table: StoredTable, catalog: CatalogReader): RowRules {
  let known = rules.get(table.definition);
  if (known === undefined) {
    known = new RowRules(table, table.definition, catalog);
    rules.set(table.definition, known);
  }
  return known;
}
