/**
 * The rows of a call as statements may see them. Filters and masks are applied to the rows before the statement has any of
 * them: nothing that a statement says is evaluated on a hidden row or value, whatever engine runs it.
 */
import type { Environment } from "../../engine/environment.js";
import { propertyReader } from "../../engine/row-property.js";
import { type PreparedPlan, prepare } from "../../engine/run.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Column } from "../../planner/expr.js";
import type { LogicalPlan } from "../../planner/plan.js";
import type { Row } from "../../resources/resource.js";
import { operationsOf } from "../../types/families.js";
import { types } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { RowFilter, TableView } from "./table-view.js";

/** What evaluating a filter needs of its statement: session, limits and signal. */
export type FilterEnvironment = Omit<Environment, "relation" | "write" | "parameters">;

const rawRows = new WeakMap<Row, Row>();

/** A row as the resource gave it; writes find it by its real key. */
export function rawRow(row: Row): Row {
  return rawRows.get(row) ?? row;
}

/** @throws SqlError of the filter's own evaluation, without the values of the row */
export async function visibleRows(
  view: TableView,
  rows: readonly Row[],
  environment: FilterEnvironment,
): Promise<readonly Row[]> {
  const passing = view.filter === undefined ? rows : await passingRows(view, view.filter, rows, environment);
  return view.masks.size === 0 ? passing : passing.map((row) => maskedRow(view, row, environment));
}

async function passingRows(
  view: TableView,
  filter: RowFilter,
  rows: readonly Row[],
  environment: FilterEnvironment,
): Promise<readonly Row[]> {
  if (rows.length === 0) return rows;
  const { real } = view;
  const scan: LogicalPlan = {
    kind: "Scan",
    id: 1,
    table: real,
    alias: real.name,
    columns: filter.columns.map((column, source) => ({ column, source })),
  };
  const verdicts = await verdictsOf(filter, scan, {
    ...environment,
    parameters: [],
    relation: () => ({ kind: "objects", rows, columns: real.columns }),
  });
  return rows.filter((_, i) => verdicts[i]);
}

/** Whether rows in memory form, one value for each of the table's columns, fulfil a filter. */
export function fulfil(
  filter: RowFilter,
  rows: readonly (readonly Value[])[],
  environment: FilterEnvironment,
): Promise<boolean[]> {
  const input: LogicalPlan = { kind: "Materialized", columns: filter.columns, rows };
  return verdictsOf(filter, input, { ...environment, parameters: [], relation: () => ({ kind: "tuples", rows: [] }) });
}

const verdict: Column = { id: -1, name: "verdict", type: types.bool, typmod: -1, nullable: true };
const prepared = new WeakMap<RowFilter, PreparedPlan>();

async function verdictsOf(filter: RowFilter, input: LogicalPlan, environment: Environment): Promise<boolean[]> {
  const onRows = input.kind === "Scan";
  let plan = onRows ? prepared.get(filter) : undefined;
  if (plan === undefined) {
    plan = prepare({ kind: "Project", input, items: [{ column: verdict, expr: filter.condition }] }, [verdict]);
    if (onRows) prepared.set(filter, plan);
  }
  try {
    const { rows } = await plan.run(environment, { rows: "arrays" });
    return (rows as readonly (readonly Value[])[]).map(([value]) => value === true);
  } catch (error) {
    throw hiding(filter, error);
  }
}

/** Errors of evaluation quote the value that they are about, which may be one that the statement must not see. */
function hiding(filter: RowFilter, error: unknown): unknown {
  if (!(error instanceof SqlError) || /^5[347]/.test(error.code)) return error; // limits and cancellation
  return new SqlError(error.code, "a row filter could not be worked out for a row", {
    detail: `It is ${filter.rules.map(({ path }) => path).join(" and ")}.`,
    hint: "Only the host can change the policy: the filter has to hold for whatever values the table gives.",
  });
}

function maskedRow({ real, masks }: TableView, row: Row, { session }: FilterEnvironment): Row {
  const shown: Row = Object.fromEntries(
    real.columns.map((column, source) => {
      const value = propertyReader(column.name)(row);
      const mask = masks.get(source);
      if (mask === undefined) return [column.name, value];
      if (mask.kind !== "hash" || value === null || value === undefined) return [column.name, mask.show(null)];
      const read = operationsOf(column.type).fromHost(value, column.typmod, session);
      if (read === undefined) throw badMaskedValue(real.name, column.name, column.type.display);
      return [column.name, mask.show(read)];
    }),
  );
  rawRows.set(shown, rawRow(row));
  return shown;
}

function badMaskedValue(table: string, column: string, type: string): SqlError {
  return new SqlError(
    sqlstate.fdwError,
    `resource "${table}" gave a value for column "${column}" that is not a ${type}`,
    {
      detail: "The column is masked, so the value is not shown.",
      hint: "Declare the column with the type that the service sends.",
    },
  );
}
