/**
 * The options of EXPLAIN, read as PostgreSQL reads them; FORMAT MERMAID and LINEAGE are additions.
 * Source: PostgreSQL 15, EXPLAIN; commands/explain.c (`ExplainQuery`), commands/define.c (`defGetBoolean`).
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type * as ast from "../grammar/ast.js";

/** The forms in which a plan can be had. */
export type ExplainFormat = "text" | "json" | "mermaid";

/** What an EXPLAIN asks for. `timing` and `summary` mean something with `analyze` only. */
export interface ExplainChoices {
  readonly analyze: boolean;
  readonly format: ExplainFormat;
  /** Whether estimates are shown. */
  readonly costs: boolean;
  readonly timing: boolean;
  /** Whether the time of the whole statement is shown. */
  readonly summary: boolean;
  /** Instead of the plan: what the results, written values and arguments come from. */
  readonly lineage: boolean;
}

const booleans = new Set(["analyze", "verbose", "costs", "settings", "buffers", "wal", "timing", "summary", "lineage"]);

/** @throws SqlError 42601, 22023 as PostgreSQL, 0A000 for FORMAT XML and YAML */
export function explainChoices(options: readonly ast.ExplainOption[]): ExplainChoices {
  const values = new Map<string, boolean>();
  let format: ExplainFormat = "text";
  for (const option of options) {
    if (option.name === "format") format = formatOf(option);
    else if (booleans.has(option.name)) values.set(option.name, booleanOf(option));
    else {
      throw new SqlError(sqlstate.syntaxError, `unrecognized EXPLAIN option "${option.name}"`, {
        position: option.range.start + 1,
        hint: "The options are ANALYZE, VERBOSE, COSTS, TIMING, SUMMARY, LINEAGE and FORMAT TEXT | JSON | MERMAID.",
      });
    }
  }
  const analyze = values.get("analyze") ?? false;
  for (const name of ["wal", "timing"]) {
    if (values.get(name) !== true || analyze) continue;
    throw new SqlError(sqlstate.invalidParameterValue, `EXPLAIN option ${name.toUpperCase()} requires ANALYZE`);
  }
  const lineage = values.get("lineage") ?? false;
  if (lineage && (analyze || format === "mermaid")) {
    throw new SqlError(
      sqlstate.invalidParameterValue,
      `EXPLAIN option LINEAGE cannot be used with ${analyze ? "ANALYZE" : "FORMAT MERMAID"}`,
    );
  }
  return {
    analyze,
    lineage,
    format,
    costs: values.get("costs") ?? true,
    timing: values.get("timing") ?? true,
    summary: values.get("summary") ?? analyze,
  };
}

function formatOf(option: ast.ExplainOption): ExplainFormat {
  const position = option.range.start + 1;
  if (option.value === undefined) throw new SqlError(sqlstate.syntaxError, "format requires a parameter", { position });
  const format = option.value.toLowerCase();
  switch (format) {
    case "text":
    case "json":
    case "mermaid":
      return format;
    case "xml":
    case "yaml":
      throw new SqlError(sqlstate.featureNotSupported, `EXPLAIN (FORMAT ${format.toUpperCase()}) is not supported`, {
        position,
        hint: "Use FORMAT TEXT, FORMAT JSON or FORMAT MERMAID.",
      });
    default:
      throw new SqlError(
        sqlstate.invalidParameterValue,
        `unrecognized value for EXPLAIN option "format": "${option.value}"`,
        { position, hint: "The formats are TEXT, JSON and MERMAID." },
      );
  }
}

function booleanOf(option: ast.ExplainOption): boolean {
  switch (option.value?.toLowerCase()) {
    case undefined:
    case "true":
    case "on":
    case "1":
      return true;
    case "false":
    case "off":
    case "0":
      return false;
    default:
      throw new SqlError(sqlstate.syntaxError, `${option.name} requires a Boolean value`, {
        position: option.range.start + 1,
      });
  }
}
