/**
 * The window functions proper. They see their partition through `WindowFrameView`; rank and its kin look at peers,
 * lag and lead at positions, first_value and its kin at the frame. Source: PostgreSQL 15, 9.22.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { TypeName } from "../types/type.js";
import type { WindowCallable, WindowFrameView, WindowFunction } from "./function.js";

function entry(
  name: string,
  args: readonly TypeName[],
  returns: TypeName,
  call: WindowCallable,
  description?: string,
): WindowFunction {
  return { kind: "window", name, args, returns, volatility: "immutable", description, specialize: () => call };
}

const rank: WindowCallable = (view, row) => view.peersStart(row) + 1;

const percentRank: WindowCallable = (view, row) =>
  view.rowCount <= 1 ? 0 : view.peersStart(row) / (view.rowCount - 1);

/** The number of buckets is read once, at the first row where it is not NULL, and counting starts there. */
const ntile: WindowCallable = (view, row) => {
  let first = 0;
  while (first <= row && view.argument(0, first) === null) first++;
  if (first > row) return null;
  const buckets = view.argument(0, first) as number;
  if (buckets <= 0) throw new SqlError(sqlstate.invalidArgumentForNtile, "argument of ntile must be greater than zero");
  const position = row - first;
  const size = Math.floor(view.rowCount / buckets);
  const larger = view.rowCount % buckets; // so many buckets have one row more
  if (size === 0) return position + 1;
  const inLarger = larger * (size + 1);
  return position < inLarger
    ? Math.floor(position / (size + 1)) + 1
    : larger + Math.floor((position - inLarger) / size) + 1;
};

/** The argument at a row so many rows away; `direction` is -1 for lag. The default is taken at the current row. */
function shifted(direction: 1 | -1, argumentCount: 1 | 2 | 3): WindowCallable {
  return (view, row) => {
    let offset = 1;
    if (argumentCount > 1) {
      const given = view.argument(1, row);
      if (given === null) return null;
      offset = given as number;
    }
    const target = row + direction * offset;
    if (target >= 0 && target < view.rowCount) return view.argument(0, target);
    return argumentCount === 3 ? view.argument(2, row) : null;
  };
}

function inFrame(view: WindowFrameView, row: number, n: number): unknown {
  const position = view.frameRow(row, n);
  return position < 0 ? null : view.argument(0, position);
}

const nthValue: WindowCallable = (view, row) => {
  const n = view.argument(1, row);
  if (n === null) return null;
  if ((n as number) <= 0)
    throw new SqlError(sqlstate.invalidArgumentForNthValue, "argument of nth_value must be greater than zero");
  return inFrame(view, row, (n as number) - 1);
};

function shifts(name: "lag" | "lead", direction: 1 | -1): WindowFunction[] {
  return [
    entry(name, ["anyelement"], "anyelement", shifted(direction, 1)),
    entry(name, ["anyelement", "int4"], "anyelement", shifted(direction, 2)),
    entry(name, ["anycompatible", "int4", "anycompatible"], "anycompatible", shifted(direction, 3)),
  ];
}

export const windowFunctions: readonly WindowFunction[] = [
  entry("row_number", [], "int8", (_view, row) => row + 1, "Number of the row within its partition, from 1"),
  entry("rank", [], "int8", rank, "Number of rows before the row's peers, plus 1"),
  entry(
    "dense_rank",
    [],
    "int8",
    (view, row) => view.peerGroupIndex(row) + 1,
    "Number of the row's peer group, from 1",
  ),
  entry("percent_rank", [], "float8", percentRank),
  entry("cume_dist", [], "float8", (view, row) => view.peersEnd(row) / view.rowCount),
  entry("ntile", ["int4"], "int4", ntile, "Number of the bucket when the partition is divided as evenly as possible"),
  ...shifts("lag", -1),
  ...shifts("lead", 1),
  entry("first_value", ["anyelement"], "anyelement", (view, row) => inFrame(view, row, 0)),
  entry("last_value", ["anyelement"], "anyelement", (view, row) => inFrame(view, row, -1)),
  entry("nth_value", ["anyelement", "int4"], "anyelement", nthValue),
];
