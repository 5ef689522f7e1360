/** The named statements of a folder: read, checked against the tables of its manifests, with all problems at once. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Catalog } from "../../catalog/catalog.js";
import { systemTables } from "../../catalog/system-tables.js";
import type { ResourceTableInfo } from "../../catalog/table.js";
import { ManifestError, type ManifestProblem } from "../manifest/model.js";
import { type CompiledStatement, compileStatement } from "./compile-statement.js";
import { type NamedStatement, readStatements } from "./read-statements.js";

/**
 * @param folder where `*.sql` files are, in it and below
 * @param tables of the manifests
 * @param taken names that other generated modules export: a function of one would hide it
 * @throws ManifestError with every problem of every file
 */
export async function loadQueries(
  folder: string,
  tables: readonly ResourceTableInfo[],
  taken: ReadonlySet<string>,
): Promise<CompiledStatement[]> {
  const problems: ManifestProblem[] = [];
  const catalog = new Catalog();
  for (const table of [...systemTables(), ...tables]) catalog.add(table);
  const statements: NamedStatement[] = [];
  for (const path of await sqlFiles(folder)) {
    const file = relative(folder, path).replaceAll("\\", "/");
    statements.push(...readStatements(file, await readFile(path, "utf8"), problems));
  }
  checkNames(statements, taken, problems);
  const compiled = statements.flatMap((statement) => compileStatement(statement, catalog, problems) ?? []);
  if (problems.length > 0) throw new ManifestError(problems.sort(byPlace));
  return compiled.sort((a, b) => (a.statement.name < b.statement.name ? -1 : 1));
}

async function sqlFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".sql"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Words of the language, and what every module of queries imports. */
const reserved: ReadonlySet<string> = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof undefined var void while with yield db params options allRows oneRow
  runWrite jsonParameter RunOptions SqlExecutor WriteResult catalogSeed`.split(/\s+/),
);

/** What a statement's module exports for it. */
export function exportsOf(name: string): { readonly row: string; readonly params: string } {
  const type = name[0].toUpperCase() + name.slice(1);
  return { row: `${type}Row`, params: `${type}Params` };
}

function checkNames(
  statements: readonly NamedStatement[],
  taken: ReadonlySet<string>,
  problems: ManifestProblem[],
): void {
  const byKey = new Map<string, NamedStatement>();
  for (const statement of statements) {
    const { name, file } = statement;
    const { row, params } = exportsOf(name);
    const report = (message: string, hint: string) => problems.push({ file, ...statement.place(), message, hint });
    const key = name.toLowerCase(); // plans are files, and some file systems take openPrs and OpenPRs for one
    const first = byKey.get(key);
    if (first !== undefined) {
      const there = `${first.file}:${first.place().line}`;
      report(`there is a statement "${first.name}" already (${there})`, "Give one of them another name.");
      continue;
    }
    byKey.set(key, statement);
    if (reserved.has(name)) report(`"${name}" is a word that no function can have`, "Give the statement another name.");
    const hidden = [name, row, params].find((exported) => taken.has(exported));
    if (hidden !== undefined)
      report(`"${hidden}" is generated for a table already`, "Give the statement another name.");
  }
}

function byPlace(a: ManifestProblem, b: ManifestProblem): number {
  return (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column;
}
