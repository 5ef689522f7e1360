/** JSON functions that give rows or records, on the recorded answers of PostgreSQL 15. */
import { describe, expect, test } from "vitest";
import { SqlError } from "../../../src/errors/sql-error.js";
import type { SetReturningFunction } from "../../../src/functions/function.js";
import { functionsNamed } from "../../../src/functions/registry.js";
import { typeBySpelling } from "../../../src/types/catalog-types.js";
import { operationsOf } from "../../../src/types/families.js";
import { recordType, type SqlType, typeNamed } from "../../../src/types/type.js";
import type { Value } from "../../../src/types/value.js";
import { testSession } from "../../support/call-function.js";
import cases from "../data/json-rows.json" with { type: "json" };

/** A function in FROM, with a column definition list where it needs one, and the rows that PostgreSQL 15 gave. */
interface Case {
  readonly sql: string;
  readonly name: string;
  readonly args: readonly (readonly [type: string, text: string | null])[];
  readonly columns?: readonly (readonly [name: string, type: string])[];
  readonly result?: readonly (readonly (string | null)[])[];
  readonly error?: string;
  readonly message?: string;
}

const typmods: Record<string, [string, number]> = { "numeric(5,2)": ["numeric", 327686], "varchar(3)": ["varchar", 7] };

function spelled(spelling: string): { type: SqlType; typmod: number } {
  const [name, typmod] = typmods[spelling] ?? [spelling, -1];
  return { type: typeBySpelling(name) as SqlType, typmod };
}

function rowsOf({ name, args, columns }: Case): Pick<Case, "result" | "error" | "message"> {
  const argTypes = args.map(([type]) => spelled(type).type);
  const entry = functionsNamed(name).find((f) =>
    argTypes.every((type, i) => f.args[i] !== undefined && typeNamed(f.args[i]) === type),
  ) as SetReturningFunction;
  try {
    const values: Value[] = args.map(([, text], i) =>
      text === null ? null : operationsOf(argTypes[i]).input(text, -1, testSession),
    );
    while (values.length < entry.args.length)
      values.push(entry.defaults?.[values.length - (entry.args.length - entry.defaults.length)]);
    if (entry.strict && values.includes(null)) return { result: [] };
    const fields =
      columns?.map(([column, type]) => ({ name: column, ...spelled(type) })) ??
      entry.columns?.map((column) => ({ name: column.name, type: typeNamed(column.type) }));
    const types = fields?.map((field) => field.type) ?? [typeNamed(entry.returns)];
    const resultType = fields === undefined ? types[0] : recordType(fields);
    const rows = entry.specialize({ argTypes, resultType, session: testSession })(...values);
    const result = [...rows].map((row) =>
      (types.length > 1 ? (row as Value[]) : [row]).map((value, i) =>
        value === null ? null : operationsOf(types[i]).output(value, testSession),
      ),
    );
    return { result };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return { error: error.code, message: error.message };
  }
}

describe("JSON as rows, as in PostgreSQL 15", () => {
  test.each(cases as unknown as Case[])("$sql", (item) => {
    const { result, error, message } = item;
    expect(rowsOf(item)).toEqual(result === undefined ? { error, message } : { result });
  });
});
