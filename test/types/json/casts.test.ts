/** Casts of json and jsonb on the recorded answers of PostgreSQL 15. */
import { describe, expect, test } from "vitest";
import { SqlError } from "../../../src/errors/sql-error.js";
import { makeCast } from "../../../src/types/casts.js";
import { typeBySpelling } from "../../../src/types/catalog-types.js";
import { operationsOf } from "../../../src/types/families.js";
import { type SqlType, types } from "../../../src/types/type.js";
import { testSession } from "../../support/call-function.js";
import cases from "../data/json-casts.json" with { type: "json" };

interface Case {
  readonly source: string;
  readonly target: string;
  readonly text: string;
  readonly result?: string;
  readonly error?: string;
  readonly message?: string;
}

const typmods: Record<string, [string, number]> = { "numeric(5,2)": ["numeric", 327686], "varchar(3)": ["varchar", 7] };

function castText({ source, target, text }: Case): Pick<Case, "result" | "error" | "message"> {
  const [name, typmod] = typmods[target] ?? [target, -1];
  const from = typeBySpelling(source) as SqlType;
  const to = typeBySpelling(name) as SqlType;
  try {
    const value = operationsOf(from).input(text, -1, testSession);
    const result = makeCast(from, to, typmod, true, testSession)(value);
    return { result: makeCast(to, types.text, -1, true, testSession)(result) as string };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return { error: error.code, message: error.message };
  }
}

describe("casts of json and jsonb as in PostgreSQL 15", () => {
  test.each(cases as Case[])("$source $text as $target", (item) => {
    const { result, error, message } = item;
    expect(castText(item)).toEqual(result === undefined ? { error, message } : { result });
  });
});
