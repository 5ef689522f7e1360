/**
 * Information flow of a database: the rules of its policy, and the labels that statements have written so far. Sessions
 * have one view each, since what is staged is theirs alone.
 */
import type { CatalogReader } from "../../catalog/table.js";
import type { ExplainFormat } from "../../planner/explain-options.js";
import type { BaseColumn } from "../../planner/lineage.js";
import type { BoundQuery } from "../../planner/plan.js";
import type { CallRecord } from "../../resources/call-record.js";
import type { Effect } from "../effect.js";
import type { PreparedQuery } from "../prepare.js";
import type { Policy, Receipt, StagedWriteView } from "../types.js";
import { keyOf, Labels, WrittenLedger } from "./labels.js";
import { lineageReport, lineageText } from "./report.js";
import { FlowRules } from "./rules.js";
import { type IsHidden, shownCall, shownError, shownFailure, shownReceipt, shownView } from "./shown.js";
import { type FlowSettings, type FlowVerdict, flowVerdict } from "./verdict.js";

/** A column of a table. */
interface ColumnName {
  readonly schema: string;
  readonly name: string;
}

/** Shared by all sessions of a database. */
export class Flows {
  readonly rules: FlowRules;
  /** Labels of what was fired: it is in the services now, for every session. */
  readonly fired = new WrittenLedger();
  /** Columns that calls were handed hidden values for. */
  private readonly handed = new Set<string>();

  /**
   * @param declassifiers label → names of the host's functions that take it off
   * @param isBlank whether a mask leaves nothing of a column's values
   */
  constructor(
    readonly catalog: CatalogReader,
    policy: Policy,
    private readonly declassifiers: ReadonlyMap<string, readonly string[]> = new Map(),
    readonly isBlank: (column: BaseColumn) => boolean = () => false,
  ) {
    this.rules = new FlowRules(policy.flows ?? []);
  }

  /** The functions that take a label off. */
  declassifiersOf(label: string): readonly string[] {
    return this.declassifiers.get(label) ?? [];
  }

  /** Values of these columns were handed to calls, and are not to be remembered. */
  hand(keys: ReadonlySet<string>): void {
    for (const key of keys) this.handed.add(key);
  }

  /** Whether calls were handed hidden values for a column. */
  isHanded({ schema, name }: ColumnName, column: string): boolean {
    return this.handed.has(keyOf({ schema, table: name, column }));
  }

  /** Whether records leave out the values of a column: it has a label, or values with one went there. */
  isRedacted({ schema, name }: ColumnName, column: string): boolean {
    const base = { schema, table: name, column };
    const declared = this.catalog.table(name, schema)?.columns.find((candidate) => candidate.name === column);
    if ((declared?.flowLabels ?? []).length > 0) return true;
    return this.isHanded({ schema, name }, column) || this.fired.of(base) !== undefined;
  }
}

/** One session's view: what all have fired, and what it has staged itself. */
export class SessionFlows {
  private readonly staged = new WrittenLedger();

  constructor(private readonly flows: Flows) {}

  /** A copy to which the statements of a script can be added before they run. */
  ahead(): SessionFlows {
    const copy = new SessionFlows(this.flows);
    copy.staged.addAll(this.staged);
    return copy;
  }

  /** Changes with the labels that were written: verdicts are good for one version. */
  get version(): string {
    return `${this.flows.fired.version}|${this.staged.version}`;
  }

  /** See {@link flowVerdict}. */
  check(query: BoundQuery): FlowVerdict | undefined {
    return flowVerdict(query, this.settings());
  }

  /** EXPLAIN (LINEAGE) of a statement that was prepared without a check. */
  report({ query, plan }: PreparedQuery, format: ExplainFormat): string {
    return lineageText(lineageReport(query, plan, this.settings()), format === "json" ? "json" : "text");
  }

  private settings(): FlowSettings {
    const { rules, catalog, fired, isBlank } = this.flows;
    const declassifiers = (label: string) => this.flows.declassifiersOf(label);
    return { rules, catalog, ledgers: [fired, this.staged], declassifiers, isBlank };
  }

  /** What a statement writes has its labels from now on. */
  begin(verdict: FlowVerdict | undefined, isStaged: boolean): void {
    if (verdict === undefined) return;
    (isStaged ? this.staged : this.flows.fired).add(verdict.written);
    this.flows.hand(verdict.handed);
  }

  /** What was staged was sent, or some of it. */
  committed(): void {
    this.flows.fired.addAll(this.staged);
    this.staged.clear();
  }

  rolledBack(): void {
    this.staged.clear();
  }

  /** Whether values of a column may not be shown to whoever reads results. */
  readonly isHidden: IsHidden = ({ schema, name }, column) => {
    const { rules, catalog, fired } = this.flows;
    if (rules.isEmpty) return false;
    const { made, decided } = new Labels(catalog, [fired, this.staged]).of({ schema, table: name, column });
    return (
      [...made].some((label) => rules.isHidden(label)) || [...decided].some((label) => rules.isStrictlyHidden(label))
    );
  };

  /** See {@link shownView}: of what waits for COMMIT. */
  views(staged: readonly Effect[]): StagedWriteView[] {
    return staged.map((effect, i) => shownView(effect, i + 1, this.isHidden));
  }

  /** Receipts as results show them; `effects` in the same order. */
  receipts(receipts: readonly Receipt[], effects: readonly Effect[]): Receipt[] {
    return receipts.map((receipt, i) => shownReceipt(receipt, effects[i], this.isHidden));
  }

  /** The error of firing effects as it may be shown. */
  failure(error: unknown, effects: readonly Effect[]): unknown {
    return shownFailure(error, effects, this.isHidden);
  }

  /** A call as it may be remembered. */
  call(call: CallRecord): CallRecord {
    const table = { schema: call.schema, name: call.resource };
    return shownCall(call, (column) => this.flows.isHanded(table, column), this.isHidden);
  }

  /** Runs a statement: what it writes has its labels from now on, and its errors say nothing that may not be shown. */
  async run<T>({ flow }: PreparedQuery, isStaged: boolean, statement: () => Promise<T>): Promise<T> {
    this.begin(flow, isStaged);
    try {
      return await statement();
    } catch (error) {
      throw shownError(error, flow);
    }
  }
}
