/** Failures by kind: what they look like from outside, then what the reducer found them to be about. */
import type { Outcome } from "./classify.js";
import type { RandomStatement } from "./generator/generator.js";
import type { Trial } from "./pair.js";
import { features } from "./shape.js";
import { type Statement, walk } from "./tree.js";

/** Where a statement came from: enough to make it again. */
export interface Origin {
  readonly seed: number;
  readonly worldSeed: number;
  readonly index: number;
}

export interface Finding {
  readonly statement: RandomStatement;
  readonly trial: Trial;
  readonly origin: Origin;
}

export interface Example {
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly check: string | null;
  readonly setup: readonly string[];
  readonly order: readonly number[];
  readonly note?: string;
  readonly deliberate: string | null;
  readonly origin: Origin;
}

export interface FailureKind {
  readonly outcome: Outcome;
  readonly title: string;
  readonly features: readonly string[];
  /** Made small, so that the features are those of the failure. */
  readonly reduced: boolean;
  readonly examples: Example[];
  count: number;
}

/** Features that nearly every statement has. */
const dull = new Set([
  ...["where", "order", "order:expr", "correlation", "cte", "from:subquery", "join:join", "join:inner"],
  "write:returning",
]);

export class FailureBook {
  private readonly kinds = new Map<string, FailureKind>();

  add(outcome: Outcome, tree: Statement, example: Example, more: { reduced: boolean; extra?: string }): void {
    const named = more.reduced || tree.k === "raw" ? sharpFeatures(tree, more.extra) : [];
    const mistake = [...features(tree)].find((feature) => feature.startsWith("bad:"));
    const found = named.length > 0 ? named : [mistake ?? (more.reduced ? "plain" : "(not reduced)")];
    const shown = found.length > 5 ? [...found.slice(0, 5), `${found.length - 5} more`] : found;
    const key =
      outcome.key === "" ? outcome.sub : outcome.category === "wrong" ? `${outcome.sub} (${outcome.key})` : outcome.key;
    const title = `${key} | ${shown.join(" + ")}`;
    const id = `${outcome.category} ${title}`;
    const kind = this.kinds.get(id) ?? {
      outcome,
      title,
      features: found,
      count: 0,
      examples: [],
      reduced: more.reduced,
    };
    this.kinds.set(id, kind);
    kind.count++;
    kind.examples.push(example);
    kind.examples.sort((a, b) => a.sql.length - b.sql.length);
    kind.examples.splice(3);
  }

  /** The known small failure that explains this one: it looks the same, and all its features occur here. */
  explanation(outcome: Outcome, statement: RandomStatement): FailureKind | undefined {
    return [...this.kinds.values()]
      .filter((kind) => kind.reduced && kind.features[0] !== "plain")
      .filter((kind) => appearance(kind.outcome) === appearance(outcome))
      .filter((kind) => kind.features.every((feature) => statement.features.includes(feature)))
      .sort((a, b) => b.features.length - a.features.length)[0];
  }

  list(): FailureKind[] {
    return [...this.kinds.values()].sort((a, b) => b.count - a.count);
  }
}

export function appearance({ category, sub, key }: Outcome): string {
  return `${category}|${sub}|${key}`;
}

function sharpFeatures(tree: Statement, extra: string | undefined): string[] {
  const all = [...features(tree), ...(extra === undefined ? [] : [extra])];
  const sharp = all.filter((feature) => !dull.has(feature) && !feature.startsWith("lit:"));
  if (sharp.length > 0) return sharp.sort();
  if (all.length > 0) return all.sort();
  const types = new Set<string>();
  walk(tree, (node) => {
    if (node.k === "e" && node.leaf === "col") types.add(node.t);
  });
  return types.size === 0 ? [] : [`columns: ${[...types].sort().join(", ")}`];
}
