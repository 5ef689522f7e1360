/**
 * Information flow of a database: the rules of its policy, and the labels that statements have written so far. Sessions
 * have one view each, since what is staged is theirs alone.
 */
import type { CatalogReader } from "../../catalog/table.js";
import type { BoundQuery } from "../../planner/plan.js";
import type { Policy } from "../types.js";
import { keyOf, Labels, WrittenLedger } from "./labels.js";
import { FlowRules } from "./rules.js";
import { type FlowVerdict, flowVerdict } from "./verdict.js";

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

  /** @param declassifiers label → names of the host's functions that take it off */
  constructor(
    readonly catalog: CatalogReader,
    policy: Policy,
    private readonly declassifiers: ReadonlyMap<string, readonly string[]> = new Map(),
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

  /** Whether records leave out the values of a column: it has a label, or values with one went there. */
  isRedacted({ schema, name }: ColumnName, column: string): boolean {
    const base = { schema, table: name, column };
    const declared = this.catalog.table(name, schema)?.columns.find((candidate) => candidate.name === column);
    if ((declared?.flowLabels ?? []).length > 0) return true;
    return this.handed.has(keyOf(base)) || this.fired.of(base) !== undefined;
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
    const { rules, catalog, fired } = this.flows;
    return flowVerdict(query, {
      rules,
      catalog,
      ledgers: [fired, this.staged],
      declassifiers: (label) => this.flows.declassifiersOf(label),
    });
  }

  /** A statement is about to run: what it writes has its labels from now on. */
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
  isHidden({ schema, name }: ColumnName, column: string): boolean {
    const { rules, catalog, fired } = this.flows;
    const { made, decided } = new Labels(catalog, [fired, this.staged]).of({ schema, table: name, column });
    return (
      [...made].some((label) => rules.isHidden(label)) || [...decided].some((label) => rules.isStrictlyHidden(label))
    );
  }
}
