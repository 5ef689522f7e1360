/** Window functions over one partition, against recorded answers of a PostgreSQL 15 server. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SqlError } from "../../src/errors/sql-error.js";
import type { WindowFrameView, WindowFunction } from "../../src/functions/function.js";
import { functionsNamed } from "../../src/functions/registry.js";
import { operationsOf } from "../../src/types/families.js";
import { typeNamed, types } from "../../src/types/type.js";
import type { Value } from "../../src/types/value.js";
import { testSession } from "../support/call-function.js";

/** `args` are the columns `k` and `v`, or constants; `rows` are in window order. */
interface WindowAnswer {
  readonly sql: string;
  readonly name: string;
  readonly args: readonly (string | null)[];
  readonly rows: readonly (readonly [k: number, v: string | null])[];
  readonly answers?: readonly (string | null)[];
  readonly error?: string;
}

const cases = JSON.parse(
  readFileSync(new URL("./data/windows.json", import.meta.url), "utf8"),
) as readonly WindowAnswer[];

function argumentValue(arg: string | null, [k, v]: readonly [number, string | null]): Value {
  if (arg === "k") return k;
  if (arg === "v") return v;
  if (arg === null) return null;
  return arg.startsWith("'") ? arg.slice(1, -1) : Number(arg);
}

/** The default frame: from the start of the partition to the last peer of the row. */
function viewOf({ rows, args }: WindowAnswer): WindowFrameView {
  const keys = rows.map(([k]) => k);
  const peersEnd = (row: number): number => keys.lastIndexOf(keys[row]) + 1;
  return {
    rowCount: rows.length,
    argument: (i, row) => argumentValue(args[i], rows[row]),
    peersStart: (row) => keys.indexOf(keys[row]),
    peersEnd,
    peerGroupIndex: (row) => new Set(keys.slice(0, row + 1)).size - 1,
    frameRow(row, n) {
      const position = n < 0 ? peersEnd(row) + n : n;
      return position >= 0 && position < peersEnd(row) ? position : -1;
    },
  };
}

test.each(cases)("$sql", (answer) => {
  const entry = functionsNamed(answer.name).find(
    (candidate) => candidate.kind === "window" && candidate.args.length === answer.args.length,
  ) as WindowFunction;
  const polymorphic = entry.returns === "anyelement" || entry.returns === "anycompatible";
  const resultType = polymorphic ? types.text : typeNamed(entry.returns);
  const call = entry.specialize({ argTypes: [], resultType, session: testSession });
  const view = viewOf(answer);
  const run = () =>
    answer.rows.map((_, row) => {
      const value = call(view, row);
      return value === null ? null : operationsOf(resultType).output(value, testSession);
    });
  if (answer.error === undefined) expect(run()).toEqual(answer.answers);
  else
    try {
      run();
      expect.unreachable("an error was expected");
    } catch (error) {
      expect(error).toBeInstanceOf(SqlError);
      expect(`${(error as SqlError).code} ${(error as SqlError).message}`).toBe(answer.error);
    }
});
