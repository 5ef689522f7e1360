/**
 * The resolution graph: which scans of a plan need calls, with which arguments, and which must wait for which.
 *
 * Everything that is wrong with the arguments is found here, before the first call: a required key without a value, and
 * tables that wait for each other.
 */

import type { ResourceTableInfo, TableColumn } from "../catalog/table.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { quoteName } from "../grammar/deparse/names.js";
import { exampleValue } from "./example-value.js";
import type { LogicalPlan, Scan } from "./plan.js";
import { refuseUnboundArguments } from "./refuse-unbound-arguments.js";
import { alternativesOf } from "./rules/alternatives.js";
import { isWrite, plansWithin, somePlan } from "./visit.js";

/** One scan that is answered by calls. */
export interface ScanCalls {
  readonly scan: Scan & { readonly table: ResourceTableInfo };
  /** Ids of the scans whose rows its arguments are made of. */
  readonly dependsOn: readonly number[];
}

export interface ResolutionGraph {
  /** In an order in which every scan comes after those it depends on. */
  readonly scans: readonly ScanCalls[];
}

/**
 * @param direct scans that are not read: the rows to write are known from the statement's own key values
 * @throws SqlError HV002 for a required key without a value, 55000 for a table that cannot be read, HV000 for a cycle,
 * 0A000 for a condition on what is only an argument and gets no value
 */
export function resolutionGraph(plan: LogicalPlan, direct: ReadonlySet<number> = new Set()): ResolutionGraph {
  const scans = new Map<number, ScanCalls>();
  const nodes = [...plansWithin(plan)];
  const writesInWith = nodes.some(
    (node) => node.kind === "With" && node.ctes.some((cte) => somePlan(cte.plan, isWrite)),
  );
  for (const node of nodes) {
    if (node.kind !== "Scan" || node.table.kind !== "resource" || scans.has(node.id)) continue;
    const scan = node as ScanCalls["scan"];
    if (!direct.has(scan.id)) {
      requireSelect(scan);
      requireKeys(scan, writesInWith);
    }
    const dependsOn = new Set<number>();
    for (const { values } of scan.pushed?.arguments ?? [])
      if (values.kind === "query") collectScans(values.plan, dependsOn);
    for (const { query } of scan.pushed?.quals ?? []) if (query !== undefined) collectScans(query, dependsOn);
    scans.set(node.id, { scan, dependsOn: [...dependsOn] });
  }
  const inTurn = inOrder([...scans.values()]);
  refuseUnboundArguments(plan, direct);
  return { scans: inTurn };
}

/** The same scan stands in the plan and in argument queries; only the one in the plan carries its arguments. */
function collectScans(query: LogicalPlan, into: Set<number>): void {
  for (const node of plansWithin(query)) {
    if (node.kind === "Scan" && node.table.kind === "resource") into.add(node.id);
  }
}

function requireSelect(scan: ScanCalls["scan"]): void {
  if (scan.table.verbs.includes("select")) return;
  throw new SqlError(sqlstate.objectNotInPrerequisiteState, `table "${scan.table.name}" cannot be read`, {
    position: scan.position,
    detail: `It has ${listVerbs(scan.table.verbs)} only.`,
    hint: `Use ${scan.table.verbs[0].toUpperCase()}; what a write answered comes back with RETURNING.`,
  });
}

function listVerbs(verbs: readonly string[]): string {
  return verbs.map((verb) => verb.toUpperCase()).join(", ");
}

/** @param writesInWith the statement writes in WITH: what that gives back is known only when all calls are made */
function requireKeys(scan: ScanCalls["scan"], writesInWith: boolean): void {
  if (scan.pushed?.never === true) return;
  const bound = new Set((scan.pushed?.arguments ?? []).flatMap((set) => set.sources));
  const { table } = scan;
  const keys = table.columns.filter((column, i) => column.requiredKey === true && !bound.has(i));
  const groups = alternativesOf(table)
    .filter((group) => !group.some((i) => bound.has(i)))
    .map((group) => group.map((i) => table.columns[i]));
  if (keys.length + groups.length === 0) return;
  const wanted = [
    ...keys.map((column) => `"${column.name}"`),
    ...groups.map(
      (group) =>
        `one of ${joinWords(
          group.map((column) => `"${column.name}"`),
          "or",
        )}`,
    ),
  ];
  const examples = [...keys, ...groups.map(([column]) => column)];
  const where = examples.map((column) => `${qualified(scan, column.name)} = ${exampleValue(column)}`).join(" AND ");
  throw new SqlError(sqlstate.fdwMissingKey, `table "${table.name}" needs a value for ${joinWords(wanted)}`, {
    position: scan.position,
    detail: missingDetail(keys, groups.length > 0),
    hint:
      `Add WHERE ${where}, or join ${qualified(scan, examples[0].name)} to a column of another table.` +
      (writesInWith ? " What a write in WITH returns gives no keys: send it as a statement of its own first." : ""),
  });
}

function missingDetail(keys: readonly TableColumn[], alternatives: boolean): string {
  const names = joinWords(keys.map((column) => `"${column.name}"`));
  const sentences: string[] = [];
  if (keys.length === 1) sentences.push(`${names} is a required key: it is passed to the tool as an argument.`);
  if (keys.length > 1) sentences.push(`${names} are required keys: they are passed to the tool as arguments.`);
  if (alternatives) sentences.push("Of columns that are alternatives, the tool needs one as an argument.");
  return sentences.join(" ");
}

function qualified(scan: Scan, column: string): string {
  return `${quoteName(scan.alias)}.${quoteName(column)}`;
}

/** `a, b and c` */
export function joinWords(words: readonly string[], conjunction: "and" | "or" = "and"): string {
  if (words.length <= 1) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words[words.length - 1]}`;
}

/** Orders the scans so that each follows what it depends on. */
function inOrder(scans: readonly ScanCalls[]): ScanCalls[] {
  const ordered: ScanCalls[] = [];
  const done = new Set<number>();
  let rest = scans;
  while (rest.length > 0) {
    const ready = rest.filter((item) => item.dependsOn.every((id) => done.has(id)));
    if (ready.length === 0) throw cycle(rest);
    for (const item of ready) {
      ordered.push(item);
      done.add(item.scan.id);
    }
    rest = rest.filter((item) => !done.has(item.scan.id));
  }
  return ordered;
}

function cycle(scans: readonly ScanCalls[]): SqlError {
  const waits = scans.map(({ scan, dependsOn }) => {
    const others = scans.filter((other) => dependsOn.includes(other.scan.id)).map((other) => other.scan.alias);
    return `${scan.alias} waits for ${joinWords(others)}`;
  });
  const [first] = scans;
  const key = first.scan.table.columns.find((column) => column.requiredKey === true);
  return new SqlError(sqlstate.fdwMissingKey, "tables wait for each other's keys", {
    position: first.scan.position,
    detail: `${waits.join("; ")}.`,
    ...(key !== undefined && {
      hint: `Bind one of the keys to a value, such as WHERE ${qualified(first.scan, key.name)} = ${exampleValue(key)}.`,
    }),
  });
}

/** Names of the columns that a scan reads, as `context.columns` gives them to the resolver. */
export function columnNames(scan: Scan): string[] {
  return scan.columns.map((item) => scan.table.columns[item.source].name);
}
