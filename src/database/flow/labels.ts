/**
 * Which labels a column has: what its resource declares, what the policy adds, and what was written to it. A value that a
 * statement writes carries the labels of what it is made of, so that reading it back is no way to lose them.
 */
import type { CatalogReader, Table } from "../../catalog/table.js";
import type { BaseColumn, Lineage, Origin } from "../../planner/lineage.js";
import { fits, namesOfTable } from "../policy/pattern.js";
import type { Policy } from "../types.js";

/** Labels of a column by what they are of: its values, or what decided about them or its rows. */
export interface ColumnLabels {
  readonly made: ReadonlySet<string>;
  readonly decided: ReadonlySet<string>;
}

/** Labels that were written, by {@link keyOf} of the column. */
export type WrittenLabels = ReadonlyMap<string, ColumnLabels>;

/** A table's column as a key; `*` is for its rows being there. */
export function keyOf({ schema, table, column }: BaseColumn): string {
  return JSON.stringify([schema, table, column]);
}

/** The table with the labels that the policy gives to its columns, beside those it declares. */
export function labelledTable<T extends Table>(table: T, labels: Policy["labels"]): T {
  const rules = Object.entries(labels ?? {});
  if (rules.length === 0) return table;
  const columns = table.columns.map((column) => {
    const names = namesOfTable(table).map((name) => `${name}.${column.name}`);
    const added = rules.filter(([pattern]) => names.some((name) => fits(pattern, name))).flatMap(([, list]) => list);
    if (added.length === 0) return column;
    return { ...column, flowLabels: [...new Set([...(column.flowLabels ?? []), ...added])] };
  });
  return { ...table, columns };
}

/** Labels that statements have written, of a session or of all. */
export class WrittenLedger {
  private readonly columns = new Map<string, { made: Set<string>; decided: Set<string> }>();
  private text: string | undefined;

  /** What it holds, as a text: plans are checked anew when it changes. */
  get version(): string {
    this.text ??=
      this.columns.size === 0
        ? ""
        : JSON.stringify([...this.columns].map(([key, { made, decided }]) => [key, [...made], [...decided]]));
    return this.text;
  }

  get isEmpty(): boolean {
    return this.columns.size === 0;
  }

  of(column: BaseColumn): ColumnLabels | undefined {
    return this.columns.get(keyOf(column));
  }

  add(written: WrittenLabels): void {
    for (const [key, { made, decided }] of written) {
      const known = this.columns.get(key) ?? { made: new Set<string>(), decided: new Set<string>() };
      for (const label of made) known.made.add(label);
      for (const label of decided) known.decided.add(label);
      this.columns.set(key, known);
      this.text = undefined;
    }
  }

  addAll(other: WrittenLedger): void {
    this.add(other.columns);
  }

  /** Forgets what was written to a table, or everything. */
  clear(table?: { readonly schema: string; readonly name: string }): void {
    for (const key of [...this.columns.keys()]) {
      const [schema, name] = JSON.parse(key) as string[];
      if (table === undefined || (schema === table.schema && name === table.name)) this.columns.delete(key);
    }
    this.text = undefined;
  }
}

const nothing: ColumnLabels = { made: new Set(), decided: new Set() };

/** Finds the labels of columns, for one statement. */
export class Labels {
  private readonly known = new Map<string, ColumnLabels>();

  /**
   * @param written ledgers whose labels count too: of the session, of all sessions
   * @param isBlank whether statements read the same value in every row of a column, since it is masked
   */
  constructor(
    private readonly catalog: CatalogReader,
    private readonly written: readonly WrittenLedger[],
    private readonly isBlank: (column: BaseColumn) => boolean = () => false,
  ) {}

  /** The labels of a column: declared ones and written ones. */
  of(column: BaseColumn): ColumnLabels {
    const key = keyOf(column);
    let labels = this.known.get(key);
    if (labels === undefined) {
      labels = this.find(column);
      this.known.set(key, labels);
    }
    return labels;
  }

  private find(column: BaseColumn): ColumnLabels {
    const table = this.catalog.table(column.table, column.schema);
    const declared = table?.columns.find(({ name }) => name === column.column)?.flowLabels ?? [];
    const written = this.written.flatMap((ledger) => ledger.of(column) ?? []);
    if (declared.length === 0 && written.length === 0) return nothing;
    return {
      made: new Set([...declared, ...written.flatMap(({ made }) => [...made])]),
      decided: new Set(written.flatMap(({ decided }) => [...decided])),
    };
  }

  /** The labels that an origin brings along: of its values, and (`decided`) of what decided about them. */
  ofOrigin({ base, scan, cleared }: Origin): { readonly made: readonly string[]; readonly decided: readonly string[] } {
    if (scan !== 0 && this.isBlank(base)) return { made: [], decided: [] };
    const { made, decided } = this.of(base);
    const kept = (labels: ReadonlySet<string>) => [...labels].filter((label) => !cleared.includes(label));
    return { made: kept(made), decided: kept(decided).filter((label) => !made.has(label)) };
  }
}

/** The labels that a statement writes, column by column. @param isReleased whether a rule has seen to it that this origin's label goes no further */
export function writtenLabels(
  { writes, writtenRows }: Pick<Lineage, "writes" | "writtenRows">,
  labels: Labels,
  isReleased: (origin: Origin, label: string, column: BaseColumn) => boolean,
): WrittenLabels {
  const found = new Map<string, { made: Set<string>; decided: Set<string> }>();
  const add = (column: BaseColumn, made: readonly string[], decided: readonly string[]) => {
    if (made.length + decided.length === 0) return;
    const key = keyOf(column);
    const known = found.get(key) ?? { made: new Set<string>(), decided: new Set<string>() };
    for (const label of made) known.made.add(label);
    for (const label of decided) known.decided.add(label);
    found.set(key, known);
  };
  const every = (origin: Origin) => {
    const { made, decided } = labels.ofOrigin(origin);
    return [...made, ...decided];
  };
  for (const { table, source, trace } of writes) {
    const column = { schema: table.schema, table: table.name, column: table.columns[source].name };
    for (const origin of trace.made.values()) {
      const { made, decided } = labels.ofOrigin(origin);
      add(
        column,
        made.filter((label) => !isReleased(origin, label, column)),
        decided,
      );
    }
    for (const origin of trace.decided.values()) add(column, [], every(origin));
  }
  for (const { table, rows, op } of writtenRows) {
    if (op === "update") continue; // its rows were there before
    const column = { schema: table.schema, table: table.name, column: "*" };
    for (const origin of rows.values()) add(column, [], every(origin));
  }
  return found;
}

/** The labels of both. */
export function bothWritten(one: WrittenLabels, other: WrittenLabels): WrittenLabels {
  const all = new Map(one);
  for (const [key, { made, decided }] of other) {
    const known = all.get(key);
    all.set(key, {
      made: new Set([...(known?.made ?? []), ...made]),
      decided: new Set([...(known?.decided ?? []), ...decided]),
    });
  }
  return all;
}
