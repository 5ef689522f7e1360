/** Answers of statements that are no queries: rows of text. */
import type { Answer, AnswerForm } from "./run-query.js";

/** An answer of text columns. */
export function textAnswer(
  command: string,
  names: readonly string[],
  rows: readonly (readonly string[])[],
  form: AnswerForm,
): Answer {
  return {
    rows:
      form === "host"
        ? rows.map((row) => [...row])
        : rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]]))),
    fields: names.map((name) => ({ name, type: "text" })),
    rowCount: rows.length,
    command,
  };
}
