/**
 * SET, RESET and SHOW. Settings that change answers are either followed (time zone, statement time-out) or refused for
 * every value but the one that is in force; settings that only steer PostgreSQL's own planner or log are taken and kept.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { findZone } from "../../types/datetime/zone.js";

/** Settings with one possible value. */
const fixed: Readonly<Record<string, string>> = {
  bytea_output: "hex",
  client_encoding: "UTF8",
  datestyle: "ISO, MDY",
  default_transaction_isolation: "read committed",
  extra_float_digits: "1",
  integer_datetimes: "on",
  intervalstyle: "postgres",
  lc_collate: "C",
  lc_ctype: "C",
  lc_messages: "C",
  lc_monetary: "C",
  lc_numeric: "C",
  lc_time: "C",
  max_identifier_length: "63",
  server_encoding: "UTF8",
  server_version: "15.0",
  server_version_num: "150000",
  standard_conforming_strings: "on",
  transaction_isolation: "read committed",
};

/** Spellings of the fixed values that mean the same. */
const alsoAccepted: Readonly<Record<string, readonly string[]>> = {
  client_encoding: ["utf8", "utf-8", "unicode"],
  datestyle: ["iso", "iso, mdy", "iso,mdy"],
  extra_float_digits: ["1", "2", "3"],
  standard_conforming_strings: ["on", "true", "1"],
};

/** Settings without effect on answers, with PostgreSQL's defaults. */
const free: Readonly<Record<string, string>> = {
  application_name: "",
  client_min_messages: "notice",
  default_statistics_target: "100",
  effective_cache_size: "4GB",
  enable_bitmapscan: "on",
  enable_hashagg: "on",
  enable_hashjoin: "on",
  enable_indexonlyscan: "on",
  enable_indexscan: "on",
  enable_material: "on",
  enable_memoize: "on",
  enable_mergejoin: "on",
  enable_nestloop: "on",
  enable_parallel_hash: "on",
  enable_seqscan: "on",
  enable_sort: "on",
  idle_in_transaction_session_timeout: "0",
  jit: "on",
  lock_timeout: "0",
  log_statement: "none",
  maintenance_work_mem: "64MB",
  max_parallel_workers_per_gather: "2",
  random_page_cost: "4",
  row_security: "on",
  search_path: '"$user", public',
  statement_timeout: "0",
  synchronous_commit: "on",
  timezone: "UTC",
  work_mem: "4MB",
};

export class Settings {
  private values: Map<string, string>;
  private readonly initial: ReadonlyMap<string, string>;

  constructor(timeZone: string) {
    this.initial = new Map([...Object.entries(free), ...Object.entries(fixed), ["timezone", zoneName(timeZone)]]);
    this.values = new Map(this.initial);
  }

  get timeZone(): string {
    return this.values.get("timezone") ?? "UTC";
  }

  /** Milliseconds that a statement may take; `undefined` for no limit. */
  get statementTimeoutMs(): number | undefined {
    const ms = durationMs(this.values.get("statement_timeout") ?? "0");
    return ms === undefined || ms === 0 ? undefined : ms;
  }

  get(name: string): string | undefined {
    return this.values.get(name.toLowerCase());
  }

  /** @throws SqlError 42704 for an unknown setting, 22023 for a bad value, 0A000 for one that cannot be followed */
  set(node: ast.SetStatement): void {
    const { name } = node;
    if (node.modes !== undefined || name === "transaction" || name === "session characteristics") return;
    if (!this.values.has(name) && !name.includes(".")) throw unknown(name, node.range.start + 1);
    const value = node.values.map(textOf).join(", ");
    if (node.values.length === 0) this.reset(name);
    else this.values.set(name, this.checked(name, value));
  }

  reset(name: string): void {
    if (name === "all") {
      this.values = new Map(this.initial);
      return;
    }
    const initial = this.initial.get(name);
    if (initial !== undefined) this.values.set(name, initial);
    else if (!this.values.delete(name)) throw unknown(name);
  }

  /** @throws SqlError 42704 */
  show(name: string): string {
    const value = this.get(name);
    if (value === undefined) throw unknown(name);
    return value;
  }

  all(): [string, string][] {
    return [...this.values].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  save(): ReadonlyMap<string, string> {
    return new Map(this.values);
  }

  restore(saved: ReadonlyMap<string, string>): void {
    this.values = new Map(saved);
  }

  private checked(name: string, value: string): string {
    if (name === "timezone") return zoneName(value);
    if (name === "search_path") return checkedSearchPath(value);
    if (name === "statement_timeout" && durationMs(value) === undefined) throw invalid(name, value);
    const only = Object.hasOwn(fixed, name) ? fixed[name] : undefined;
    if (only === undefined) return value;
    const given = value.toLowerCase();
    if (given === only.toLowerCase() || alsoAccepted[name]?.includes(given)) return only;
    throw new SqlError(sqlstate.featureNotSupported, `setting ${name} to "${value}" is not supported`, {
      hint: `It is always ${only}.`,
    });
  }
}

function textOf(value: ast.SetValue): string {
  switch (value.kind) {
    case "StringLiteral":
      return value.value;
    case "NumericLiteral":
      return value.text;
    case "Cast":
      // SET TIME ZONE INTERVAL '+02:00' HOUR TO MINUTE: the text of the interval.
      return value.operand.kind === "StringLiteral" ? value.operand.value : "";
  }
}

/** A time zone as a session keeps it: as it was written. @throws SqlError 22023 */
function zoneName(value: string): string {
  const trimmed = value.trim();
  const lower = trimmed.toLowerCase();
  if (lower === "local" || lower === "default") return "UTC";
  const hours = Number(trimmed);
  if (trimmed !== "" && Number.isFinite(hours)) return offsetName(hours);
  if (findZone(trimmed) === undefined) throw invalid("TimeZone", value);
  return lower === "utc" ? "UTC" : trimmed;
}

/** `SET TIME ZONE -7` is 7 hours west of Greenwich: PostgreSQL writes it `<-07>+07`. */
function offsetName(hours: number): string {
  const minutes = Math.round(Math.abs(hours) * 60);
  const two = (n: number) => String(n).padStart(2, "0");
  const clock = two(Math.trunc(minutes / 60)) + (minutes % 60 === 0 ? "" : `:${two(minutes % 60)}`);
  return hours < 0 ? `<-${clock}>+${clock}` : `<+${clock}>-${clock}`;
}

function checkedSearchPath(value: string): string {
  const schemas = value.split(",").map((item) => item.trim().replaceAll('"', ""));
  if (schemas.every((schema) => ["$user", "public", "pg_catalog", "pg_temp"].includes(schema))) return value;
  throw new SqlError(sqlstate.featureNotSupported, `setting search_path to "${value}" is not supported`, {
    hint: "Write the schema before the table's name: schema.table.",
  });
}

const units: ReadonlyMap<string, number> = new Map(
  Object.entries({ us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }),
);

function durationMs(text: string): number | undefined {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (end > 0 && !(trimmed[end - 1] >= "0" && trimmed[end - 1] <= "9")) end--;
  const amount = Number(trimmed.slice(0, end));
  const unit = trimmed.slice(end).trim();
  const factor = unit === "" ? 1 : units.get(unit);
  return end === 0 || factor === undefined || !(amount >= 0) ? undefined : amount * factor;
}

function unknown(name: string, position?: number): SqlError {
  return new SqlError(sqlstate.undefinedObject, `unrecognized configuration parameter "${name}"`, { position });
}

function invalid(name: string, value: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, `invalid value for parameter "${name}": "${value}"`);
}
