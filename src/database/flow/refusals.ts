/** The errors of statements that would take a labelled value where a rule does not let it go. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { BaseColumn, Origin } from "../../planner/lineage.js";
import type { Flow } from "../types.js";
import { flowText, type Sink } from "./rules.js";

/** A value with a label at a place that a rule keeps it from. */
export interface Offence {
  readonly label: string;
  readonly flow: Flow;
  readonly sink: Sink;
  readonly origin: Origin;
  /** Whether the value is made of it, or only decided by it. */
  readonly mode: "made" | "decided";
  /** Name of the result column, or of the written column; absent where the rows themselves are meant. */
  readonly column?: string;
  /** What the value does at its sink: it is returned, written, or handed to a call. */
  readonly how: "returned" | "counted" | "written" | "passed";
  readonly position?: number;
  /** Functions of the host that take the label off. */
  readonly declassifiers: readonly string[];
  /** Why an aggregate that is there does not do, where there is one. */
  readonly reason?: string;
}

/** `emails.body`; with its schema where that is not `public`; `emails` for its rows. */
export function columnName({ schema, table, column }: BaseColumn): string {
  const name = schema === "public" ? table : `${schema}.${table}`;
  return column === "*" ? name : `${name}.${column}`;
}

function sinkName(sink: Sink): string {
  return sink === "result" ? "result" : columnName(sink);
}

/** `emails.body → x → result`. */
export function pathText(origin: Origin, sink: Sink): string {
  return [columnName(origin.base), ...origin.path, sinkName(sink)].join(" → ");
}

/** SQLSTATE 42501 with the label, the way of the value, the rule and what to do instead. */
export function refusedFlow(offence: Offence): SqlError {
  const { label, flow, sink, origin, mode, column, how, position, reason } = offence;
  const to = sink === "result" ? "the result" : `"${sinkName(sink)}"`;
  const message =
    how === "passed"
      ? `values labelled "${label}" may not be passed to ${to}`
      : how === "written"
        ? `values labelled "${label}" may not be written to ${to}`
        : `values labelled "${label}" may not go to ${to}`;
  const what =
    how === "counted" || column === undefined
      ? "Which rows there are"
      : how === "returned"
        ? `Column "${column}"`
        : `The value of "${column}"`;
  const does =
    mode === "made"
      ? `is made of ${columnName(origin.base)} (${pathText(origin, sink)})`
      : `is decided by ${columnName(origin.base)}`;
  return new SqlError(sqlstate.insufficientPrivilege, message, {
    detail: `${what} ${does}. Rule: ${flowText(flow)}.${reason === undefined ? "" : ` ${reason}`}`,
    hint: hintOf(offence),
    ...(position !== undefined && { position }),
  });
}

function hintOf({ flow, origin, mode, how, declassifiers, reason }: Offence): string {
  const name = columnName(origin.base);
  const parts: string[] = [];
  if (mode === "made" && flow.aggregate !== undefined && reason === undefined)
    parts.push(
      `Use count, sum, avg, stddev or variance of ${name} over groups of at least ${flow.aggregate.minGroup} rows`,
    );
  if (declassifiers.length > 0) parts.push(`pass it through ${declassifiers.map((fn) => `${fn}(…)`).join(" or ")}`);
  parts.push(
    mode === "decided" || how === "counted"
      ? `take ${name} out of the conditions, the order and the grouping`
      : how === "passed"
        ? `give the argument another value than ${name}`
        : `leave ${name} out`,
  );
  const text = parts.join(", or ");
  return `${text[0].toUpperCase()}${text.slice(1)}; the host's policy decides where it may go.`;
}

/** SQLSTATE 42501 for an expression whose failing would tell of a value. */
export function refusedFallible(label: string, flow: Flow, origin: Origin, position: number | undefined): SqlError {
  return new SqlError(
    sqlstate.insufficientPrivilege,
    `an expression over values labelled "${label}" could fail, which would tell what they are`,
    {
      detail: `It reads ${columnName(origin.base)}. Rule: ${flowText(flow)}.`,
      hint: `Leave ${columnName(origin.base)} out of casts, divisions and other expressions that fail for some values.`,
      ...(position !== undefined && { position }),
    },
  );
}

/** SQLSTATE 42501 for EXPLAIN ANALYZE, which counts what the statement itself keeps to itself. */
export function refusedAnalyze(label: string): SqlError {
  return new SqlError(
    sqlstate.insufficientPrivilege,
    `EXPLAIN ANALYZE would count rows that are chosen by values labelled "${label}"`,
    { hint: "Use EXPLAIN without ANALYZE: it shows the plan and calls nothing." },
  );
}
