/**
 * Holds the lineage of a statement against the rules of a policy: refuses it, or says what has to be put into its plan so
 * that the rules hold (groups left out, values redacted).
 */
import type { FallibleValue, Lineage, Origin, Origins, WrittenValue } from "../../planner/lineage.js";
import type { Aggregate } from "../../planner/plan.js";
import type { Flow } from "../types.js";
import type { EchoedLineage } from "./echoes.js";
import type { Labels } from "./labels.js";
import { type Offence, refusedFallible, refusedFlow } from "./refusals.js";
import type { FlowRules, Sink } from "./rules.js";

/** Groups that must have so many different rows of a scan. */
export interface GroupBound {
  readonly aggregate: Aggregate;
  readonly scan: number;
  readonly minGroup: number;
  /** What to refuse with when the bound can't be put in. */
  readonly offence: Offence;
}

/** What has to be done for the rules to hold. */
export interface Measures {
  readonly groups: readonly GroupBound[];
  /** Indexes of result columns to redact. */
  readonly redactedColumns: ReadonlySet<number>;
  readonly redactedWrites: ReadonlySet<WrittenValue>;
}

type Place = Pick<Offence, "sink" | "how" | "column" | "position">;

/** The check of one statement. */
export class FlowCheck {
  private readonly groups: GroupBound[] = [];

  /** @param declassifiers names of the host's functions that take a label off */
  constructor(
    private readonly rules: FlowRules,
    private readonly labels: Labels,
    private readonly declassifiers: (label: string) => readonly string[],
  ) {}

  /** @throws SqlError 42501 for the first flow that is not allowed */
  measures(lineage: Lineage): Measures {
    this.checkFallible(lineage.fallible);
    // Whether a value is one of a column's declared labels is found out by writing it.
    this.checkFallible(lineage.writes.filter(({ table, source }) => table.columns[source].enumLabels !== undefined));
    const redactedColumns = new Set<number>();
    lineage.columns.forEach(({ column, made, decided }, i) => {
      const place: Place = { sink: "result", how: "returned", column: column.name };
      if (this.made(made, place, true)) redactedColumns.add(i);
      this.decided(decided, place);
    });
    if (lineage.columns.length === 0) this.decided(lineage.rows, { sink: "result", how: "counted" });
    // What is written is counted, whether it is returned or not.
    for (const { rows } of lineage.writtenRows) this.decided(rows, { sink: "result", how: "counted" });
    const redactedWrites = new Set<WrittenValue>();
    for (const write of lineage.writes) if (this.written(write)) redactedWrites.add(write);
    for (const { op, table, rows } of lineage.writtenRows) {
      if (op !== "delete" && op !== "merge") continue;
      for (const { name } of table.columns) {
        const sink = { schema: table.schema, table: table.name, column: name };
        this.decided(without(rows, sink), { sink, how: "written" });
      }
    }
    return { groups: this.groups, redactedColumns, redactedWrites };
  }

  /**
   * The values that the calls of the optimized plan are given.
   * @throws SqlError 42501 for the first that is not allowed
   */
  checkArguments(lineage: Pick<Lineage, "arguments">): void {
    for (const { scan, source, trace, position } of lineage.arguments) {
      const { schema, name, columns } = scan.table;
      const sink = { schema, table: name, column: columns[source].name };
      const place: Place = { sink, how: "passed", column: sink.column, ...(position !== undefined && { position }) };
      this.made(without(trace.made, sink), place, false);
      this.decided(without(trace.decided, sink), place);
    }
  }

  /**
   * Values that calls give back because they were handed them: they are labelled as what was handed.
   * @throws SqlError 42501 for the first that is not allowed; where a rule would have it redacted, too
   */
  checkEchoes({ columns, writes, arguments: passed }: EchoedLineage): void {
    for (const { column, made } of columns)
      this.made(made, { sink: "result", how: "returned", column: column.name }, false);
    for (const { table, source, trace } of writes) {
      const sink = { schema: table.schema, table: table.name, column: table.columns[source].name };
      this.made(without(trace.made, sink), { sink, how: "written", column: sink.column }, false);
    }
    this.checkArguments({ arguments: passed });
  }

  private written({ table, source, trace }: WrittenValue): boolean {
    const sink = { schema: table.schema, table: table.name, column: table.columns[source].name };
    const place: Place = { sink, how: "written", column: sink.column };
    this.decided(without(trace.decided, sink), place);
    return this.made(without(trace.made, sink), place, true);
  }

  /** @returns whether the value has to be redacted */
  private made(origins: Origins, place: Place, canRedact: boolean): boolean {
    let redact = false;
    for (const origin of origins.values()) {
      const { made, decided } = this.labels.ofOrigin(origin);
      for (const label of made)
        for (const flow of this.rules.of(label, place.sink))
          redact = this.holds(origin, label, flow, "made", place, canRedact) || redact;
      for (const label of decided)
        for (const flow of this.rules.of(label, place.sink))
          if (flow.strict === true) this.holds(origin, label, flow, "decided", place, false);
    }
    return redact;
  }

  private decided(origins: Origins, place: Place): void {
    for (const origin of origins.values()) {
      const { made, decided } = this.labels.ofOrigin(origin);
      for (const label of [...made, ...decided])
        for (const flow of this.rules.of(label, place.sink))
          if (flow.strict === true) this.holds(origin, label, flow, "decided", place, false);
    }
  }

  /** @returns whether the rule holds only when the value is redacted @throws SqlError 42501 when it does not hold */
  private holds(
    origin: Origin,
    label: string,
    flow: Flow,
    mode: Offence["mode"],
    place: Place,
    canRedact: boolean,
  ): boolean {
    const offence: Offence = { label, flow, origin, mode, declassifiers: this.declassifiers(label), ...place };
    if (flow.aggregate !== undefined && origin.aggregate !== undefined) {
      const { aggregate, scan } = origin;
      this.groups.push({ aggregate, scan, minGroup: flow.aggregate.minGroup, offence });
      return false;
    }
    if (flow.redact === true && canRedact) return true;
    throw refusedFlow(offence);
  }

  private checkFallible(fallible: readonly Pick<FallibleValue, "trace" | "position">[]): void {
    for (const { trace, position } of fallible) {
      for (const origin of [...trace.made.values(), ...trace.decided.values()]) {
        const { made, decided } = this.labels.ofOrigin(origin);
        for (const label of [...made, ...decided])
          for (const flow of this.rules.of(label, "result")) {
            if (flow.strict !== true || (flow.aggregate !== undefined && origin.aggregate !== undefined)) continue;
            throw refusedFallible(label, flow, origin, position);
          }
      }
    }
  }
}

/** Without the column itself: what comes from it may go back to where it was. */
function without(origins: Origins, sink: Exclude<Sink, "result">): Origins {
  const kept = [...origins].filter(
    ([, { base }]) => base.schema !== sink.schema || base.table !== sink.table || base.column !== sink.column,
  );
  return kept.length === origins.size ? origins : new Map(kept);
}
