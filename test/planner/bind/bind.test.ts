/** The binder against recorded answers of PostgreSQL 15: result columns with their types, or the error and its place. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SqlError } from "../../../src/errors/sql-error.js";
import { parse } from "../../../src/grammar/parse.js";
import { bind } from "../../../src/planner/bind/bind.js";
import { fakeCatalog } from "../../support/fake-catalog.js";
import { knownDifferences } from "./known-differences.js";

interface Recorded {
  readonly sql: string;
  readonly columns?: readonly (readonly [name: string, type: string])[];
  readonly error?: { readonly code: string; readonly message: string; readonly position?: number };
}

const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(new URL("data/statements.json", import.meta.url), "utf8"),
);
const catalog = fakeCatalog([readFileSync(new URL("data/schema.sql", import.meta.url), "utf8")]);

/** What the binder says of a statement, in the form of the recording. */
function answer(sql: string): Omit<Recorded, "sql"> {
  try {
    const { output } = bind(parse(sql)[0], catalog);
    return { columns: output.map((column) => [column.name, column.type.name]) };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const { code, message, position } = error;
    return { error: { code, message, ...(position !== undefined && { position }) } };
  }
}

/** PostgreSQL's answer in the same form. Where it gives no position, one of ours is no difference. */
function expected({ columns, error }: Recorded, ours: Omit<Recorded, "sql">): Omit<Recorded, "sql"> {
  if (error === undefined) return { columns };
  const { code, message, position = ours.error?.position } = error;
  return { error: { code, message, ...(position !== undefined && { position }) } };
}

describe("PostgreSQL's answer", () => {
  test.each(recorded.filter(({ sql }) => knownDifferences[sql] === undefined))("$sql", (item) => {
    const ours = answer(item.sql);
    expect(ours).toEqual(expected(item, ours));
  });
});

describe("another answer, with its reason", () => {
  test.each(Object.entries(knownDifferences))("%s", (sql, difference) => {
    const item = recorded.find((other) => other.sql === sql);
    expect(item, "the statement is among the recorded ones").toBeDefined();
    const ours = answer(sql);
    expect(ours).toEqual(difference.ours);
    expect(ours).not.toEqual(expected(item as Recorded, ours));
  });
});
