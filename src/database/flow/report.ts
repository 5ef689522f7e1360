/** EXPLAIN (LINEAGE): what results, written values and arguments come from, their labels, and what the rules say of them. */
import { SqlError } from "../../errors/sql-error.js";
import { type Lineage, lineageOf, type Origins, type Trace } from "../../planner/lineage.js";
import type { BoundQuery, LogicalPlan } from "../../planner/plan.js";
import { FlowCheck } from "./check.js";
import { Labels } from "./labels.js";
import { columnName } from "./refusals.js";
import type { FlowSettings } from "./verdict.js";

/** One value of a statement. */
export interface LineageEntry {
  /** Name of the result column, or the column that is written or passed: `tasks.title`. */
  readonly column: string;
  /** Base columns, by name. */
  readonly madeOf: readonly string[];
  readonly decidedBy: readonly string[];
  readonly labels: readonly string[];
  /** What a rule makes of it: `refused: secret → result`; absent where none speaks of it. */
  readonly rule?: string;
}

/** The values of a statement. */
export interface LineageReport {
  readonly result: readonly LineageEntry[];
  readonly written: readonly LineageEntry[];
  readonly arguments: readonly LineageEntry[];
}

/** @param plan the optimized plan of `query` */
export function lineageReport(query: BoundQuery, plan: LogicalPlan, settings: FlowSettings): LineageReport {
  const labels = new Labels(settings.catalog, settings.ledgers, settings.isBlank);
  const entry = (column: string, trace: Trace, part: Partial<Lineage>): LineageEntry => {
    const rule = ruleOf(part, settings, labels);
    return {
      column,
      madeOf: namesOf(trace.made, false),
      decidedBy: namesOf(trace.decided, isRowsLabelled(trace.decided, labels)),
      labels: labelsOf(trace.made, labels),
      ...(rule !== undefined && { rule }),
    };
  };
  const bound = lineageOf(query.plan, query.output);
  const optimized = lineageOf(plan, []);
  const result = bound.columns.map((column) => entry(column.column.name, column, { columns: [column] }));
  const written = bound.writes.map((write) =>
    entry(
      columnName({
        schema: write.table.schema,
        table: write.table.name,
        column: write.table.columns[write.source].name,
      }),
      write.trace,
      {
        writes: [write],
      },
    ),
  );
  const rows = bound.writtenRows.map((rows) =>
    entry(
      `rows of ${columnName({ schema: rows.table.schema, table: rows.table.name, column: "*" })}`,
      { made: new Map(), decided: rows.rows },
      { writtenRows: [rows] },
    ),
  );
  const given = optimized.arguments.map((argument) => {
    const { table } = argument.scan;
    const name = columnName({ schema: table.schema, table: table.name, column: table.columns[argument.source].name });
    return entry(name, argument.trace, { arguments: [argument] });
  });
  return { result, written: [...written, ...rows], arguments: given };
}

const nothing: Lineage = {
  columns: [],
  rows: new Map(),
  writes: [],
  writtenRows: [],
  arguments: [],
  fallible: [],
  used: new Map(),
};

function ruleOf(part: Partial<Lineage>, settings: FlowSettings, labels: Labels): string | undefined {
  const check = new FlowCheck(settings.rules, labels, settings.declassifiers);
  const lineage = { ...nothing, ...part };
  try {
    const measures = check.measures(lineage);
    check.checkArguments(lineage);
    if (measures.redactedColumns.size + measures.redactedWrites.size > 0) return "redacted";
    const least = measures.groups.map(({ minGroup }) => minGroup);
    return least.length === 0 ? undefined : `groups of at least ${Math.max(...least)} rows`;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return `refused: ${error.message}`;
  }
}

function namesOf(origins: Origins, withRows: boolean): string[] {
  const bases = [...origins.values()].map(({ base }) => base);
  return [...new Set(bases.filter(({ column }) => withRows || column !== "*").map(columnName))].sort();
}

/** That a table has its rows decides about every result; it is said where somebody chose them. */
function isRowsLabelled(origins: Origins, labels: Labels): boolean {
  return [...origins.values()].some(({ base }) => base.column === "*" && labels.of(base).decided.size > 0);
}

function labelsOf(origins: Origins, labels: Labels): string[] {
  return [...new Set([...origins.values()].flatMap((origin) => labels.ofOrigin(origin).made))].sort();
}

/** The report as EXPLAIN prints it. */
export function lineageText(report: LineageReport, format: "text" | "json"): string {
  if (format === "json") return JSON.stringify([jsonOf(report)], null, 2);
  const sections = [
    ["Result", report.result],
    ["Written", report.written],
    ["Arguments", report.arguments],
  ] as const;
  const lines = sections.flatMap(([title, entries]) =>
    entries.length === 0 ? [] : [title, ...entries.flatMap(linesOf)],
  );
  return lines.length === 0 ? "Nothing comes from a table" : lines.join("\n");
}

function linesOf({ column, madeOf, decidedBy, labels, rule }: LineageEntry): string[] {
  return [
    `  ${column}`,
    ...(madeOf.length > 0 ? [`    Made of: ${madeOf.join(", ")}`] : []),
    ...(decidedBy.length > 0 ? [`    Decided by: ${decidedBy.join(", ")}`] : []),
    ...(labels.length > 0 ? [`    Labels: ${labels.join(", ")}`] : []),
    ...(rule === undefined ? [] : [`    Rule: ${rule}`]),
  ];
}

function jsonOf(report: LineageReport): object {
  const entries = (list: readonly LineageEntry[]) =>
    list.map(({ column, madeOf, decidedBy, labels, rule }) => ({
      Column: column,
      "Made Of": madeOf,
      "Decided By": decidedBy,
      Labels: labels,
      ...(rule !== undefined && { Rule: rule }),
    }));
  return { Result: entries(report.result), Written: entries(report.written), Arguments: entries(report.arguments) };
}
