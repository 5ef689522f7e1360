/** Checks the library against a file of recorded answers. */
import { SqlError } from "../../src/errors/sql-error.js";
import { types } from "../../src/types/type.js";
import { type Answer, readAnswers, toSql } from "./answers.js";
import { castTo, evaluate } from "./call-function.js";

/** What the library says, in the form of the answers: the text, or `SQLSTATE message`. */
function outcome({ name, args }: Answer): { type?: string; text?: string | null; error?: string } {
  const given = args.map(([type, text]) => ({ type, text }));
  try {
    const { type, text } = name.startsWith("cast ") ? castTo(name.slice(5), given[0]) : evaluate(name, given);
    return { type, text };
  } catch (error) {
    if (error instanceof SqlError) return { error: `${error.code} ${error.message}` };
    throw new Error(`${toSql({ name, args })}: ${error}`);
  }
}

/** The last digit of transcendental functions differs between mathematical libraries. */
function nearlyEqual(a: string, b: string): boolean {
  const x = Number(a);
  const y = Number(b);
  return Math.abs(x - y) <= Math.abs(x) * 4e-16;
}

/** Every answer of a file that the library does not give, as readable lines: an empty list when all is well. */
export function differences(path: string, options: { readonly nearly?: readonly string[] } = {}): string[] {
  const lines: string[] = [];
  for (const answer of readAnswers(path)) {
    const actual = outcome(answer);
    const { text, type, error } = answer;
    if (error !== undefined ? actual.error === error : actual.type === type && actual.text === text) continue;
    const isFloat = type === types.float8.display && typeof text === "string" && typeof actual.text === "string";
    if (isFloat && options.nearly?.includes(answer.name) && nearlyEqual(text, actual.text as string)) continue;
    lines.push(
      `${toSql(answer)}: ${actual.error ?? `${actual.type} ${actual.text}`}, not ${error ?? `${type} ${text}`}`,
    );
  }
  return lines;
}
