/** EXPLAIN (LINEAGE): what results, written values and arguments come from, their labels, and what the rules say of them. */
import { SqlError } from "../../errors/sql-error.js";
import {
  type Lineage,
  lineageOf,
  type Origins,
  type Trace,
  unionTraces,
  type WrittenValue,
} from "../../planner/lineage.js";
import type { BoundQuery, LogicalPlan } from "../../planner/plan.js";
import { FlowCheck } from "./check.js";
import { type EchoedLineage, echoedLineage } from "./echoes.js";
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
  const entry = (column: string, trace: Trace, part: ReportedPart): LineageEntry => {
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
  const optimized = lineageOf(plan, query.output);
  const echoes = echoedLineage(optimized);
  const result = bound.columns.map((column, i) => {
    const echo = echoes?.columns[i];
    const trace = echo === undefined ? column : unionTraces(column, echo);
    return entry(column.column.name, trace, { columns: [column], ...(echo && { echoes: { columns: [echo] } }) });
  });
  const written = bound.writes.map((write) => {
    const { table, source, trace } = write;
    const name = columnName({ schema: table.schema, table: table.name, column: table.columns[source].name });
    const echo = echoes?.writes.find((each) => isSamePlace(each, write));
    const whole = echo === undefined ? trace : unionTraces(trace, echo.trace);
    return entry(name, whole, { writes: [write], ...(echo && { echoes: { writes: [echo] } }) });
  });
  const rows = bound.writtenRows.map((rows) =>
    entry(
      `rows of ${columnName({ schema: rows.table.schema, table: rows.table.name, column: "*" })}`,
      { made: new Map(), decided: rows.rows },
      { writtenRows: [rows] },
    ),
  );
  const given = optimized.arguments.map((argument, i) => {
    const { table } = argument.scan;
    const name = columnName({ schema: table.schema, table: table.name, column: table.columns[argument.source].name });
    const echo = echoes?.arguments[i];
    const trace = echo === undefined ? argument.trace : unionTraces(argument.trace, echo.trace);
    return entry(name, trace, { arguments: [argument], ...(echo && { echoes: { arguments: [echo] } }) });
  });
  return { result, written: [...written, ...rows], arguments: given };
}

/** Whether both are the same value, before and after the optimizer. */
function isSamePlace(one: WrittenValue, other: WrittenValue): boolean {
  return (
    one.op === other.op &&
    one.source === other.source &&
    one.node.position === other.node.position &&
    JSON.stringify(one.place) === JSON.stringify(other.place)
  );
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

/** One value of a statement; `echoes`: what it is made of because a call gave back what it was handed. */
interface ReportedPart extends Partial<Lineage> {
  readonly echoes?: Partial<EchoedLineage>;
}

function ruleOf({ echoes, ...part }: ReportedPart, settings: FlowSettings, labels: Labels): string | undefined {
  const check = new FlowCheck(settings.rules, labels, settings.declassifiers);
  const lineage = { ...nothing, ...part };
  try {
    const measures = check.measures(lineage);
    check.checkArguments(lineage);
    check.checkEchoes({ ...nothing, ...echoes });
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
