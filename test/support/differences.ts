/** Compares the library's answers with recorded ones of a PostgreSQL 15 server. */
import { SqlError } from "../../src/errors/sql-error.js";
import { type Answer, toSql } from "./answers.js";
import { evaluate } from "./call-function.js";

function answerOf({ name, args }: Answer): Partial<Answer> {
  try {
    const { type, text } = evaluate(
      name,
      args.map(([argType, argText]) => ({ type: argType, text: argText })),
    );
    return { type, text };
  } catch (error) {
    if (!(error instanceof SqlError)) return { error: String(error) };
    return { error: `${error.code} ${error.message}` };
  }
}

/** The cases that are answered otherwise than PostgreSQL 15 did, as readable lines. */
export function differences(answers: readonly Answer[]): string[] {
  const found: string[] = [];
  for (const answer of answers) {
    const { type, text, error } = answer;
    const expected = error === undefined ? { type, text } : { error };
    const actual = answerOf(answer);
    if (JSON.stringify(actual) === JSON.stringify(expected)) continue;
    found.push(`${toSql(answer)}: ${JSON.stringify(actual)}, PostgreSQL: ${JSON.stringify(expected)}`);
  }
  return found;
}

/** The answers by the name of their function. */
export function grouped(answers: readonly Answer[]): Map<string, Answer[]> {
  const groups = new Map<string, Answer[]>();
  for (const answer of answers) groups.set(answer.name, [...(groups.get(answer.name) ?? []), answer]);
  return groups;
}
