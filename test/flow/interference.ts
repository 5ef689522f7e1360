/**
 * A dynamic test of lineage: one value of one row is changed, the statement is run before and after, and whatever of its
 * result is another then must name the changed column as a part of its lineage.
 */
import { MemoryBackend } from "../../src/backends/memory/memory-backend.js";
import type { CatalogReader } from "../../src/catalog/table.js";
import { SqlError } from "../../src/errors/sql-error.js";
import { parse } from "../../src/grammar/parse.js";
import { bind } from "../../src/planner/bind/bind.js";
import { type Lineage, lineageOf, type Origins } from "../../src/planner/lineage.js";
import { Generator } from "../fuzz/generator/generator.js";
import { ident } from "../fuzz/names.js";
import { makeRng, type Rng } from "../fuzz/rng.js";
import { literalText, randomValue } from "../fuzz/values.js";
import { makeWorld, type Profile, type Table, type World, worldSql } from "../fuzz/world.js";
import { fakeCatalog } from "../support/fake-catalog.js";

export interface InterferenceOptions {
  readonly profile: Profile;
  readonly seed: number;
  readonly worlds: number;
  /** Statements a world. */
  readonly statements: number;
  /** Changes a statement. */
  readonly changes: number;
  /** Leaves a half of each lineage out, to see that the search finds what is missing then. */
  readonly forget?: "made" | "decided";
}

/** A result that changed with a column that its lineage does not name. */
export interface Finding {
  readonly worldSeed: number;
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly changed: string;
  readonly change: string;
  readonly column: string;
}

export interface InterferenceReport {
  readonly findings: readonly Finding[];
  /** Statements that ran, changes made, and changes that showed in a result. */
  readonly counts: { statements: number; changes: number; shown: number };
}

const shares = { mistakes: 0, writes: 0, parameters: 0.1, rowText: 0 };

export async function searchInterference(options: InterferenceOptions): Promise<InterferenceReport> {
  const findings: Finding[] = [];
  const counts = { statements: 0, changes: 0, shown: 0 };
  for (let round = 0; round < options.worlds; round++) {
    const worldSeed = (Math.imul(options.seed, 100_003) + round) >>> 0;
    const world = makeWorld(worldSeed, options.profile);
    const setup = worldSql(world);
    const backend = await MemoryBackend.create({ now: () => new Date("2026-03-04T05:06:07Z") });
    for (const sql of setup) await backend.exec(sql);
    const catalog = fakeCatalog(setup);
    const generator = new Generator(worldSeed, world, options.profile);
    const r = makeRng(worldSeed + 17);
    for (let i = 0; i < options.statements; i++) {
      const { sql, params } = generator.statement(shares);
      const attempt = { sql, params, catalog, backend, world, r, ...options };
      const found = await tryStatement(attempt, counts);
      findings.push(...found.map((finding) => ({ worldSeed, sql, params, ...finding })));
    }
    await backend.close();
  }
  return { findings, counts };
}

interface Attempt {
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly catalog: CatalogReader;
  readonly backend: MemoryBackend;
  readonly world: World;
  readonly r: Rng;
  readonly changes: number;
  readonly forget?: "made" | "decided";
}

type Change = Pick<Finding, "changed" | "change" | "column">;

async function tryStatement(attempt: Attempt, counts: InterferenceReport["counts"]): Promise<Change[]> {
  const { sql, params, catalog, backend, world, r } = attempt;
  const before = await answer(backend, sql, params);
  if (before === undefined) return [];
  const lineage = lineageFor(sql, catalog);
  counts.statements += 1;
  const found: Change[] = [];
  for (let n = 0; n < attempt.changes; n++) {
    const change = randomChange(world, sql, r);
    if (change === undefined) continue;
    counts.changes += 1;
    await backend.exec("BEGIN");
    try {
      await backend.exec(change.sql);
      const after = await answer(backend, sql, params);
      if (after === undefined) continue;
      const columns = differences(before, after);
      if (columns.length > 0) counts.shown += 1;
      for (const i of columns) {
        if (names(lineage, i, change, attempt.forget)) continue;
        const column = lineage.columns[i]?.column.name ?? "rows";
        found.push({ changed: `${change.table}.${change.column}`, change: change.sql, column });
      }
    } finally {
      await backend.exec("ROLLBACK");
    }
  }
  return found;
}

/** The lineage of the statement as it is bound. */
export function lineageFor(sql: string, catalog: CatalogReader): Lineage {
  const [statement] = parse(sql);
  const { plan, output } = bind(statement, catalog);
  return lineageOf(plan, output);
}

type Answer = readonly (readonly unknown[])[];

/** `undefined` for a statement that fails: errors are no part of a lineage. */
async function answer(backend: MemoryBackend, sql: string, params: readonly unknown[]): Promise<Answer | undefined> {
  try {
    const { rows } = await backend.query(sql, [...params], { rowMode: "array" });
    return rows as unknown as Answer;
  } catch (error) {
    if (error instanceof SqlError) return undefined;
    throw error;
  }
}

/** Indexes of the columns that are not the same; without columns, 0 when there are more or fewer rows. */
function differences(before: Answer, after: Answer): number[] {
  const width = Math.max(before[0]?.length ?? 0, after[0]?.length ?? 0);
  const text = (rows: Answer, i: number) => JSON.stringify(rows.map((row) => row[i] ?? null));
  if (width === 0) return before.length === after.length ? [] : [0];
  return Array.from({ length: width }, (_, i) => i).filter((i) => text(before, i) !== text(after, i));
}

function names(
  lineage: Lineage,
  column: number,
  changed: { readonly table: string; readonly column: string },
  forget: "made" | "decided" | undefined,
): boolean {
  const has = (origins: Origins) =>
    [...origins.values()].some(({ base }) => base.table === changed.table && base.column === changed.column);
  const { made, decided } = lineage.columns[column] ?? { made: lineage.rows, decided: lineage.rows };
  return (forget !== "made" && has(made)) || (forget !== "decided" && has(decided));
}

/** Another value for a column of a row of a table that the statement mentions. */
function randomChange(world: World, sql: string, r: Rng): { sql: string; table: string; column: string } | undefined {
  const tables = world.tables.filter(
    ({ name, key, rows }) => key !== null && rows.length > 0 && sql.toLowerCase().includes(name.toLowerCase()),
  );
  if (tables.length === 0) return undefined;
  const table: Table = r.pick(tables);
  const at = r.pick(table.cols.map((_, i) => i).filter((i) => table.cols[i].sub !== "id"));
  const column = table.cols[at];
  const row = r.pick(table.rows);
  const others = table.rows.map((other) => other[at]);
  const value =
    r.chance(0.5) || column.sub === "fk" ? r.pick(others) : randomValue(r, column.type as never, column.sub);
  if (value === row[at]) return undefined;
  const key = table.cols.findIndex(({ name }) => name === table.key?.[0]);
  const set = `${ident(column.name)} = ${literalText(column.type, value)}`;
  const where = `${ident(table.cols[key].name)} = ${literalText(table.cols[key].type, row[key])}`;
  return { sql: `UPDATE ${ident(table.name)} SET ${set} WHERE ${where}`, table: table.name, column: column.name };
}
