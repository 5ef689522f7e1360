/**
 * Aggregates and what a PostgreSQL 15 server said of them: cases in a JSON file, and their evaluation without a plan.
 * `direct` are the direct arguments of ordered-set aggregates, whose values are sorted here as the engine would.
 */
import { readFileSync } from "node:fs";
import type { AggregateFunction, CallSite } from "../../src/functions/function.js";
import { functionsNamed } from "../../src/functions/registry.js";
import { makeCast } from "../../src/types/casts.js";
import { operationsOf } from "../../src/types/families.js";
import { resolveFunction } from "../../src/types/resolution.js";
import { type SqlType, types } from "../../src/types/type.js";
import type { Value } from "../../src/types/value.js";
import { testSession, typeOf } from "./call-function.js";

export interface AggregateAnswer {
  readonly name: string;
  readonly types: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly direct?: readonly (readonly [type: string, text: string | null])[];
  readonly type?: string;
  readonly text?: string | null;
  readonly error?: string;
}

export function readAggregateAnswers(path: string): AggregateAnswer[] {
  return JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8")) as AggregateAnswer[];
}

function literal(text: string | null, type: string): string {
  return `${text === null ? "NULL" : `'${text.replaceAll("'", "''")}'`}::${type}`;
}

export function aggregateSql({ name, types: argTypes, rows, direct }: AggregateAnswer): string {
  const columns = argTypes.map((_, i) => `c${i}`);
  const table =
    rows.length === 0
      ? `(SELECT ${argTypes.map((type, i) => `NULL::${type} AS c${i}`).join(", ")} WHERE false) AS t`
      : `(VALUES ${rows.map((row) => `(${row.map((text, i) => literal(text, argTypes[i])).join(", ")})`).join(", ")}) AS t(${columns.join(", ")})`;
  const call =
    direct === undefined
      ? `${name}(${columns.join(", ")})`
      : `${name}(${direct.map(([type, text]) => literal(text, type)).join(", ")}) WITHIN GROUP (ORDER BY ${columns.join(", ")})`;
  return `SELECT v, pg_typeof(v)::text FROM (SELECT ${call} AS v FROM ${table}) AS answer`;
}

interface Prepared {
  readonly entry: AggregateFunction;
  readonly site: CallSite;
  readonly rows: readonly (readonly Value[])[];
  readonly direct: readonly Value[];
}

function convert(text: string | null, type: SqlType, target: SqlType): Value {
  if (text === null) return null;
  const own = makeCast(types.unknown, type, -1, true, testSession)(text);
  return makeCast(type, target, -1, false, testSession)(own);
}

function prepare({ name, types: spellings, rows, direct = [] }: AggregateAnswer): Prepared {
  const directTypes = direct.map(([type]) => typeOf({ type, text: null }));
  const valueTypes = spellings.map((type) => typeOf({ type, text: null }));
  const candidates = functionsNamed(name).filter((entry) => entry.kind === "aggregate");
  const match = resolveFunction([...directTypes, ...valueTypes], candidates);
  if (match.kind !== "match") throw new Error(`aggregate ${name}: ${match.kind}`);
  const entry = match.entry as AggregateFunction;
  const targets = match.argTypes.slice(directTypes.length);
  return {
    entry,
    site: { argTypes: match.argTypes, resultType: match.resultType, session: testSession },
    rows: rows.map((row) => row.map((text, i) => convert(text, valueTypes[i], targets[i]))),
    direct: direct.map(([, text], i) => convert(text, directTypes[i], match.argTypes[i])),
  };
}

/** Rows of an ordered-set aggregate in ascending order, NULLs last. */
function sorted(rows: readonly (readonly Value[])[], type: SqlType): (readonly Value[])[] {
  const compare = operationsOf(type).compare;
  return [...rows].sort(([a], [b]) =>
    a === null || b === null ? Number(a === null) - Number(b === null) : (compare?.(a, b) ?? 0),
  );
}

export function evaluateAggregate(answer: AggregateAnswer): { type: string; text: string | null } {
  const { entry, site, rows, direct } = prepare(answer);
  const accumulator = entry.create(site);
  let state = accumulator.init();
  for (const row of answer.direct === undefined ? rows : sorted(rows, site.argTypes[direct.length]))
    if (!entry.strict || !row.includes(null)) state = accumulator.step(state, ...row);
  const value = accumulator.final(state, direct);
  const text = value === null ? null : operationsOf(site.resultType).output(value, testSession);
  return { type: site.resultType.display, text };
}

/** Results over a frame of `width` rows that moves down, by taking rows out where the aggregate can. */
export function movingFrames(answer: AggregateAnswer, width: number): { moved: Value[]; fresh: Value[] } {
  const { entry, site, rows } = prepare(answer);
  const accumulator = entry.create(site);
  const output = operationsOf(site.resultType);
  const show = (state: unknown): Value => {
    const value = accumulator.final(state);
    return value === null ? null : output.output(value, testSession);
  };
  const used = entry.strict ? rows.filter((row) => !row.includes(null)) : rows;
  const over = (from: number, to: number): unknown =>
    used.slice(from, to).reduce<unknown>((state, row) => accumulator.step(state, ...row), accumulator.init());
  let state = over(0, width);
  const moved: Value[] = [];
  const fresh: Value[] = [];
  for (let end = width; ; end++) {
    moved.push(show(state));
    fresh.push(show(over(end - width, end)));
    if (end >= used.length) return { moved, fresh };
    const without = accumulator.unstep?.(state, ...used[end - width]);
    state = without === undefined ? over(end - width + 1, end) : without;
    state = accumulator.step(state, ...used[end]);
  }
}
