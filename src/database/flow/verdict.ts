/** What the rules about labels make of one statement: its plan as they allow it, and what must not be shown of its run. */
import type { CatalogReader } from "../../catalog/table.js";
import type { SqlError } from "../../errors/sql-error.js";
import { type BaseColumn, type Lineage, lineageOf, type Origin, type Origins } from "../../planner/lineage.js";
import type { BoundQuery, LogicalPlan } from "../../planner/plan.js";
import { plansWithin } from "../../planner/visit.js";
import { FlowCheck, type Measures } from "./check.js";
import { echoedLineage } from "./echoes.js";
import { boundGroups, idsAfter } from "./group-bounds.js";
import { bothWritten, keyOf, Labels, type WrittenLabels, type WrittenLedger, writtenLabels } from "./labels.js";
import { redactColumns, redactWrites } from "./redact.js";
import { refusedAnalyze } from "./refusals.js";
import type { FlowRules } from "./rules.js";

/** Of a statement that reads or writes labelled columns. */
export interface FlowVerdict {
  /** The statement as the rules let it run. */
  readonly query: BoundQuery;
  /** Whether `query` is another one than what was written: only the built-in engine can run it. */
  readonly isRewritten: boolean;
  readonly lineage: Lineage;
  /** Labels of each result column, sorted. */
  fieldLabels: readonly (readonly string[])[];
  /** Labels of values that play a part and may not be shown: errors and notices must not tell of them. Sorted. */
  readonly hidden: readonly string[];
  /** Whether values that may not be shown are written. */
  readonly sendsHidden: boolean;
  /** Whether groups are left out by a rule, and from how many rows on they are kept. */
  readonly minGroup?: number;
  /** Why the statement can't be run under EXPLAIN ANALYZE. */
  readonly refusesAnalyze?: SqlError;
  /** Labels that the statement's writes carry, by column. */
  written: WrittenLabels;
  /** Keys of columns that calls are handed hidden values for. */
  handed: ReadonlySet<string>;
  /**
   * Takes the optimized plan, in which it is known what the calls are given.
   * @throws SqlError 42501 for a value that may not be passed
   */
  checkArguments(plan: LogicalPlan): void;
}

/** What a check goes by. */
export interface FlowSettings {
  readonly rules: FlowRules;
  readonly catalog: CatalogReader;
  /** Labels that were written earlier: in all sessions, in this one. */
  readonly ledgers: readonly WrittenLedger[];
  declassifiers(label: string): readonly string[];
  /** Whether a mask leaves nothing of a column's values. */
  isBlank(column: BaseColumn): boolean;
}

/**
 * @returns `undefined` for a statement about columns without labels
 * @throws SqlError 42501 for a statement that the rules refuse
 */
export function flowVerdict(query: BoundQuery, settings: FlowSettings): FlowVerdict | undefined {
  if (!mentionsLabels(query.plan, settings.ledgers)) return undefined;
  const { rules } = settings;
  const labels = new Labels(settings.catalog, settings.ledgers, settings.isBlank);
  const lineage = lineageOf(query.plan, query.output);
  const check = new FlowCheck(rules, labels, settings.declassifiers);
  const measures = check.measures(lineage);
  const hidden = hiddenLabels(uncleared(lineage.used), labels, rules);
  const isReleased = (origin: Origin, label: string, column: BaseColumn) =>
    origin.aggregate !== undefined && rules.of(label, column).some((flow) => flow.aggregate !== undefined);
  const verdict: FlowVerdict = {
    query: rewritten(query, measures),
    isRewritten: measures.groups.length + measures.redactedColumns.size + measures.redactedWrites.size > 0,
    lineage,
    fieldLabels: lineage.columns.map(({ made }, i) => (measures.redactedColumns.has(i) ? [] : labelsIn(made, labels))),
    hidden,
    sendsHidden: lineage.writes.some(({ trace }) => hiddenLabels(trace.made, labels, rules).length > 0),
    ...(measures.groups.length > 0 && { minGroup: Math.max(...measures.groups.map(({ minGroup }) => minGroup)) }),
    ...analyzeRefusal(lineage, measures, labels, rules),
    written: writtenLabels(lineage, labels, isReleased),
    handed: new Set(),
    checkArguments(plan) {
      const arguments_ = lineageOf(plan, this.query.output);
      check.checkArguments(arguments_);
      const echoes = echoedLineage(arguments_);
      if (echoes !== undefined) {
        check.checkEchoes(echoes);
        this.fieldLabels = this.fieldLabels.map((names, i) => merged(names, labelsIn(echoes.columns[i].made, labels)));
        this.written = bothWritten(
          this.written,
          writtenLabels({ ...echoes, writtenRows: [] }, labels, () => false),
        );
      }
      this.handed = handedColumns(arguments_, labels, rules);
    },
  };
  return verdict;
}

/** With the labels that functions take off: a function that fails has been given the value all the same, and may repeat it. */
function uncleared(origins: Origins): Origins {
  return new Map([...origins].map(([key, origin]) => [key, { ...origin, cleared: [] }]));
}

function merged(names: readonly string[], others: readonly string[]): readonly string[] {
  return others.length === 0 ? names : [...new Set([...names, ...others])].sort();
}

/** Whether a statement is about a column that has a label, by declaration or since something was written to it. */
function mentionsLabels(plan: LogicalPlan, ledgers: readonly WrittenLedger[]): boolean {
  const isWritten = ledgers.some((ledger) => !ledger.isEmpty);
  return plansWithin(plan).some((node) => {
    if (node.kind !== "Scan" && node.kind !== "Write" && node.kind !== "Merge") return false;
    return isWritten || node.table.columns.some((column) => (column.flowLabels ?? []).length > 0);
  });
}

function rewritten(query: BoundQuery, measures: Measures): BoundQuery {
  const newId = idsAfter(query.plan, plansWithin);
  const written = redactWrites(query.plan, measures.redactedWrites, newId);
  const bounded = boundGroups(written, measures.groups, newId);
  return redactColumns(bounded === query.plan ? query : { ...query, plan: bounded }, measures.redactedColumns, newId);
}

function labelsIn(origins: Origins, labels: Labels): string[] {
  const found = [...origins.values()].flatMap((origin) => labels.ofOrigin(origin).made);
  return [...new Set(found)].sort();
}

function hiddenLabels(origins: Origins, labels: Labels, rules: FlowRules): string[] {
  const found = [...origins.values()].flatMap((origin) => {
    const { made, decided } = labels.ofOrigin(origin);
    return [
      ...made.filter((label) => rules.isHidden(label)),
      ...decided.filter((label) => rules.isStrictlyHidden(label)),
    ];
  });
  return [...new Set(found)].sort();
}

/** What EXPLAIN ANALYZE counts is not left out, redacted or kept apart as the statement's own result is. */
function analyzeRefusal(
  lineage: Lineage,
  measures: Measures,
  labels: Labels,
  rules: FlowRules,
): Pick<FlowVerdict, "refusesAnalyze"> {
  const strict = hiddenLabels(lineage.rows, labels, rules).filter((label) => rules.isStrictlyHidden(label));
  const label = strict[0] ?? measures.groups[0]?.offence.label;
  return label === undefined ? {} : { refusesAnalyze: refusedAnalyze(label) };
}

function handedColumns(lineage: Lineage, labels: Labels, rules: FlowRules): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { scan, source, trace } of lineage.arguments) {
    const parts = [trace.made, trace.decided];
    if (parts.every((origins) => hiddenLabels(origins, labels, rules).length === 0)) continue;
    const { schema, name, columns } = scan.table;
    keys.add(keyOf({ schema, table: name, column: columns[source].name }));
  }
  return keys;
}
