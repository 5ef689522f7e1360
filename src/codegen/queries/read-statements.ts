/**
 * Reads a file of named statements:
 *
 *     -- name: openPrs :many
 *     -- Open pull requests of a repository.
 *     -- params: repo
 *     SELECT number, title FROM github_pr WHERE repo = $1 AND state = 'open';
 *
 * The lexer of the grammar tells what is a statement and what stands between its tokens; only there are comments read.
 */
import { isSpace } from "../../grammar/lexer/characters.js";
import { endOfComment, endOfLine } from "../../grammar/lexer/scan-text.js";
import { tokenize } from "../../grammar/lexer.js";
import type { ManifestProblem } from "../manifest/model.js";

/** What a statement gives: all rows, exactly one row, its effect. */
export type StatementForm = "many" | "one" | "exec";

/** A statement as a file has it, before it is looked at. */
export interface NamedStatement {
  readonly file: string;
  readonly name: string;
  readonly form: StatementForm;
  /** The comment below the name. */
  readonly description: string;
  /** What `-- params:` calls the parameters; absent: there is no such line. */
  readonly parameters?: readonly string[];
  /** The statement without its semicolon. */
  readonly sql: string;
  /** The place of an offset in `sql`; without one, of the name. */
  place(offset?: number): { readonly line: number; readonly column: number };
}

interface Comment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Heading {
  readonly comment: Comment;
  readonly name: string;
  readonly form: string;
}

const forms: readonly string[] = ["many", "one", "exec"] satisfies StatementForm[];

/** @param problems gets what is wrong with headings and comments */
export function readStatements(file: string, text: string, problems: ManifestProblem[]): NamedStatement[] {
  const tokens = tokenize(text);
  const places = tokens.map((token) => ({
    start: token.startOffset,
    end: (token.endOffset as number) + 1,
    image: token.image,
  }));
  const report = (offset: number, message: string, hint?: string) =>
    problems.push({ file, ...placeOf(text, offset), message, ...(hint !== undefined && { hint }) });
  const isBroken = tokens.some((token) => token.error !== undefined);
  const comments = commentsBetween(text, places, isBroken);
  const headings = comments.flatMap((comment) => headingOf(comment, text) ?? []);
  const first = headings[0]?.comment.start ?? text.length;
  if (places[0] !== undefined && places[0].start < first)
    report(places[0].start, "the statement has no name", "Write a line above it: -- name: openPrs :many");
  return headings.flatMap((heading, i) => {
    const end = headings[i + 1]?.comment.start ?? text.length;
    const own = places.filter(({ start }) => start > heading.comment.start && start < end);
    while (own.at(-1)?.image === ";") own.pop();
    const at = (message: string, hint?: string) => report(heading.comment.start, message, hint);
    if (!checkHeading(heading, at)) return [];
    if (own.length === 0) {
      at(`the statement "${heading.name}" is empty`);
      return [];
    }
    const from = own[0].start;
    const head = comments
      .filter(({ start }) => start > heading.comment.start && start < from)
      .map(({ text: line }) => line);
    const parameters = head.find((line) => line.startsWith("params:"));
    // A token that cannot be read ends the list: the text goes on to where it is named.
    const to = isBroken && i === headings.length - 1 ? text.length : own[own.length - 1].end;
    return [
      {
        file,
        name: heading.name,
        form: heading.form as StatementForm,
        description: head.filter((line) => line !== parameters).join("\n"),
        ...(parameters !== undefined && { parameters: listOf(parameters.slice("params:".length)) }),
        sql: text.slice(from, to),
        place: (offset) => placeOf(text, offset === undefined ? heading.comment.start : from + offset),
      },
    ];
  });
}

function checkHeading({ name, form }: Heading, report: (message: string, hint?: string) => void): boolean {
  if (!isIdentifier(name)) {
    report(`"${name}" is no name for a function`, "Take letters, digits and _: -- name: openPrs :many");
    return false;
  }
  if (forms.includes(form)) return true;
  report(
    form === "" ? `"${name}" does not say what it gives` : `":${form}" is not known`,
    "Write :many for all rows, :one for exactly one, :exec for a write without rows.",
  );
  return false;
}

/** Whether a text can name a function or a parameter. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}

/** `-- name: openPrs :many`, alone on its line. */
function headingOf({ start, end, text: comment }: Comment, text: string): Heading | undefined {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  if (!comment.startsWith("name:") || text.slice(lineStart, start).trim() !== "") return undefined;
  const words = comment
    .slice("name:".length)
    .split(" ")
    .filter((word) => word !== "");
  const form = words.slice(1).join(" ");
  return {
    comment: { start, end, text: comment },
    name: words[0] ?? "",
    form: form.startsWith(":") ? form.slice(1) : form,
  };
}

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The line comments that stand between tokens; block comments are passed over. */
function commentsBetween(
  text: string,
  tokens: readonly { readonly start: number; readonly end: number }[],
  isBroken: boolean,
): Comment[] {
  const found: Comment[] = [];
  let from = 0;
  // Behind a token that cannot be read nothing is known: its statement is the last one that is looked at.
  const ends = isBroken ? tokens : [...tokens, { start: text.length, end: text.length }];
  for (const { start, end } of ends) {
    for (let i = from; i < start; ) {
      if (isSpace(text.charCodeAt(i))) i++;
      else if (text.startsWith("--", i)) {
        const until = endOfLine(text, i);
        found.push({ start: i, end: until, text: text.slice(i + 2, until).trim() });
        i = until;
      } else i = Math.max(endOfComment(text, i), i + 1);
    }
    from = end;
  }
  return found;
}

/** Line and column of an offset, from 1. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}
