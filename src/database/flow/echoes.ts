/**
 * Columns that give back what their call was handed. The value of an argument (a required key, one of several alternative
 * keys, a column that is nothing but an argument or that the resource stamps) is the statement's own: it is in the rows because it was passed, so it is
 * made of whatever was passed, and has its labels. Without that, a join to any tool would take labels off.
 */
import type { Table, TableColumn } from "../../catalog/table.js";
import type { ArgumentValue, Lineage, Origin, Origins, WrittenValue } from "../../planner/lineage.js";

/** The parts of a statement that are made of such columns, by the origins of what was passed; nothing else. */
export type EchoedLineage = Pick<Lineage, "columns" | "writes" | "arguments">;

/**
 * @param lineage of the optimized plan, in which scans carry their arguments
 * @returns `undefined` when no call gives back what it was handed
 */
export function echoedLineage(lineage: Lineage): EchoedLineage | undefined {
  const echoes = echoesIn(lineage.arguments);
  if (echoes.length === 0) return undefined;
  const made = (origins: Origins) => ({ made: echoed(origins, echoes), decided: none });
  return {
    columns: lineage.columns.map((each) => ({ ...each, ...made(each.made) })),
    writes: lineage.writes.map((each): WrittenValue => ({ ...each, trace: made(each.trace.made) })),
    arguments: lineage.arguments.map((each): ArgumentValue => ({ ...each, trace: made(each.trace.made) })),
  };
}

interface Echo {
  readonly table: Table;
  readonly scan: number;
  readonly column: string;
  readonly passed: Origins;
}

const none: Origins = new Map();

function echoesIn(values: readonly ArgumentValue[]): readonly Echo[] {
  return values.flatMap(({ scan, source, trace }) => {
    const column = scan.table.columns[source];
    if (trace.made.size === 0 || !isGivenBack(scan.table, column)) return [];
    return [{ table: scan.table, scan: scan.id, column: column.name, passed: trace.made }];
  });
}

function isGivenBack(table: Table, { name, requiredKey, argument, stamped }: TableColumn): boolean {
  if (requiredKey === true || argument === true || stamped !== undefined) return true;
  return table.kind === "resource" && table.keyAlternatives?.some((group) => group.includes(name)) === true;
}

/** What was passed to the calls that gave the values back; what was passed may have come back from another call. */
function echoed(origins: Origins, echoes: readonly Echo[]): Origins {
  const found = new Map<string, Origin>();
  const open = [...origins.values()];
  for (let origin = open.pop(); origin !== undefined; origin = open.pop()) {
    for (const { passed } of echoes.filter((echo) => isOf(origin as Origin, echo))) {
      for (const [key, source] of passed) {
        const next = behind(source, origin);
        const identity = `${key} ${next.cleared.join(" ")}`;
        if (found.has(identity)) continue;
        found.set(identity, next);
        open.push(next);
      }
    }
  }
  return found;
}

/** Behind a set operation it is not told which scan a value came from: it may be each. */
function isOf({ base, scan }: Origin, { table, scan: own, column }: Echo): boolean {
  if (base.column !== column || base.table !== table.name || base.schema !== table.schema) return false;
  return scan === own || scan === -1;
}

/**
 * The origin of a value that was passed and came back. An aggregate on its way does not count: no group was bounded for it.
 * Names on its way to the call are those of the optimizer.
 */
function behind({ base, scan, cleared }: Origin, { base: echo, cleared: later, path: onward }: Origin): Origin {
  return {
    base,
    scan,
    whole: false,
    cleared: [...new Set([...cleared, ...later])].sort(),
    path: [`${echo.table}.${echo.column}`, ...onward],
  };
}
