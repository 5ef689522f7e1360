/** The rules of a policy about labels: which of them speak of a label and the place that a value with it goes to. */
import { fits, namesOfTable } from "../policy/pattern.js";
import type { Flow } from "../types.js";

/** Where a value goes: to whoever reads the result, or into a column (written, or handed to a call). */
export type Sink = "result" | { readonly schema: string; readonly table: string; readonly column: string };

/** The flows of a policy. */
export class FlowRules {
  constructor(private readonly flows: readonly Flow[]) {}

  get isEmpty(): boolean {
    return this.flows.length === 0;
  }

  /** The rules for values with a label on their way to a sink; all of them hold. */
  of(label: string, sink: Sink): readonly Flow[] {
    return this.flows.filter((flow) => flow.label === label && reaches(flow.to, sink));
  }

  /** Whether values with the label may be shown as they are. */
  isHidden(label: string): boolean {
    return this.flows.some((flow) => flow.label === label && flow.to === "result");
  }

  /** Whether nothing may tell of values with the label, not even which rows there are. */
  isStrictlyHidden(label: string): boolean {
    return this.flows.some((flow) => flow.label === label && flow.to === "result" && flow.strict === true);
  }
}

function reaches(to: string, sink: Sink): boolean {
  if (sink === "result") return to === "result";
  if (to === "result") return false;
  return namesOfTable({ schema: sink.schema, name: sink.table }).some((name) => fits(to, `${name}.${sink.column}`));
}

/** `secret → result`, `pii → reports.*: aggregates over at least 5 rows`: the rule as messages name it. */
export function flowText({ label, to, aggregate, redact, strict }: Flow): string {
  const allowed = [
    ...(aggregate === undefined ? [] : [`aggregates over at least ${aggregate.minGroup} rows`]),
    ...(redact === true ? ["redacted"] : []),
  ];
  return `${label} → ${to}${strict === true ? " (strict)" : ""}${allowed.length === 0 ? "" : `: ${allowed.join(" or ")}`}`;
}
