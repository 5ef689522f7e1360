/** Checks the templates of a verb: their braces, and what stands between them. */
import { operator } from "../format/parts.js";
import type { VerbName } from "../model.js";
import type { Path, Report } from "../source.js";
import { columnHint } from "./columns.js";

/** What the placeholders of one verb may be. */
export interface Placeholders {
  readonly verb: VerbName;
  readonly columns: readonly string[];
  readonly operators: Readonly<Record<string, readonly string[]>>;
  /** Names beginning with `$` that the connector knows, by verb. */
  readonly specials: readonly string[];
}

/** Checks every text of a template. */
export function checkTemplate(template: unknown, known: Placeholders, path: Path, report: Report): void {
  if (typeof template === "string") checkText(template, known, path, report);
  else if (typeof template === "object" && template !== null)
    for (const [key, part] of Object.entries(template))
      checkTemplate(part, known, [...path, Array.isArray(template) ? Number(key) : key], report);
}

function checkText(text: string, known: Placeholders, path: Path, report: Report): void {
  if (/[{}]/.test(text.replaceAll(/\{[^{}]+\}/g, "")))
    report(path, `the template ${JSON.stringify(text)} has a brace without its other half, or nothing between two`, {
      hint: "A value is written {column}; braces have no other use in a template.",
    });
  for (const [, name] of text.matchAll(/\{([^{}]+)\}/g)) checkPlaceholder(name, known, path, report);
}

function checkPlaceholder(name: string, known: Placeholders, path: Path, report: Report): void {
  const problem = name.startsWith("$") ? strangeSpecial(name, known) : strangeColumn(name, known);
  if (problem !== undefined) report(path, `{${name}} ${problem.message}`, { hint: problem.hint });
}

interface Strange {
  readonly message: string;
  readonly hint: string;
}

function strangeSpecial(name: string, { columns, specials, verb }: Placeholders): Strange | undefined {
  if (specials.includes(name) || columns.includes(name)) return undefined;
  const hint = specials.length === 0 ? "A value is written {column}." : `There: ${specials.join(", ")}.`;
  return { message: `has no meaning in this ${verb}`, hint };
}

function strangeColumn(name: string, { columns, operators, verb }: Placeholders): Strange | undefined {
  if (columns.includes(name)) return undefined;
  const column = columns.find((candidate) => name.startsWith(`${candidate} `));
  const asked = column === undefined ? undefined : name.slice(column.length + 1);
  if (column === undefined || asked === undefined || !operator.options.includes(asked as never))
    return { message: "names no column of the row", hint: columnHint(name, columns) };
  if (verb !== "select") return { message: "is a predicate, which only a select has", hint: `Write {${column}}.` };
  if (Object.hasOwn(operators, column) && operators[column].includes(asked)) return undefined;
  return {
    message: `is never given: "${column}" does not declare ${asked}`,
    hint: `Add operators: { ${column}: ["${asked}"] } to the resource.`,
  };
}
