/** Checks that what a resource says of columns names columns. */
import { closest } from "../../../errors/did-you-mean.js";
import type { ResourceDocument } from "../format/manifest.js";
import type { Path, Report } from "../source.js";

/** Reports a name that is no column. */
export function checkColumn(name: string, columns: readonly string[], path: Path, report: Report, key = false): void {
  if (!columns.includes(name))
    report(path, `"${name}" is no column of the row`, { hint: columnHint(name, columns), key });
}

/** What to write instead of a name that is no column. */
export function columnHint(name: string, columns: readonly string[]): string {
  const meant = closest(name, columns);
  return meant === undefined ? `Columns: ${columns.join(", ")}.` : `Perhaps you meant "${meant}".`;
}

export function checkColumnNames(
  document: ResourceDocument,
  columns: readonly string[],
  path: Path,
  report: Report,
): void {
  for (const field of ["keys", "primaryKey", "arguments", "lenient"] as const) list(document[field], [...path, field]);
  for (const [index, group] of document.keyAlternatives.entries()) list(group, [...path, "keyAlternatives", index]);
  if (Array.isArray(document.exact)) list(document.exact, [...path, "exact"]);
  list(document.accepts?.orderBy ?? [], [...path, "accepts", "orderBy"]);
  for (const field of ["operators", "equality", "labels"] as const)
    for (const name of Object.keys(document[field])) checkColumn(name, columns, [...path, field, name], report, true);

  function list(names: readonly string[], place: Path): void {
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) < index)
        report([...place, index], `"${name}" stands there twice`, { hint: "Leave one of them." });
      else checkColumn(name, columns, [...place, index], report);
    }
  }
}
