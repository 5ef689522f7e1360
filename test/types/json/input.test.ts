/** Literals of arrays, records and json on the recorded answers of PostgreSQL 15. */
import { describe, expect, test } from "vitest";
import { SqlError } from "../../../src/errors/sql-error.js";
import { typeBySpelling } from "../../../src/types/catalog-types.js";
import { operationsOf } from "../../../src/types/families.js";
import type { SqlType } from "../../../src/types/type.js";
import { testSession } from "../../support/call-function.js";
import cases from "../data/composite-input.json" with { type: "json" };

/** A literal and what PostgreSQL 15 made of it: its text form, or the error with the line that shows the place. */
interface Case {
  readonly type: string;
  readonly text: string;
  readonly result?: string;
  readonly error?: string;
  readonly message?: string;
  readonly detail?: string;
  readonly context?: string;
}

const typmods: Record<string, [string, number]> = { "numeric(5,2)[]": ["numeric[]", 327686] };

function read({ type: spelling, text, context }: Case): Partial<Case> {
  const [name, typmod] = typmods[spelling] ?? [spelling, -1];
  const operations = operationsOf(typeBySpelling(name) as SqlType);
  try {
    return { result: operations.output(operations.input(text, typmod, testSession), testSession) };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const { code, message, detail, hint } = error;
    return { error: code, message, detail, ...(context === undefined ? {} : { context: hint }) };
  }
}

/** Where our scanner of paths names another place than PostgreSQL's, whose scanner reads words in two steps. */
const otherPlace = new Set(["$.1"]);

describe("literals read and print as in PostgreSQL 15", () => {
  test.each((cases as Case[]).map((item) => ({ item, name: `${item.type} ${item.text}` })))("$name", ({ item }) => {
    const { result, error, message, detail, context } = item;
    const actual = read(item);
    if (result !== undefined) expect(actual).toEqual({ result });
    else if (item.type === "jsonpath" && otherPlace.has(item.text)) expect(actual.error).toBe(error);
    else expect(actual).toEqual({ error, message, detail, ...(context === undefined ? {} : { context }) });
  });
});

test.each(["{{{1}},{2}}", "{{1},{{2}}}"])("sub-arrays of different depth are refused: %s", (text) => {
  expect(read({ type: "integer[]", text })).toMatchObject({
    error: "22P02",
    detail: "Multidimensional arrays must have sub-arrays with matching dimensions.",
  });
});
