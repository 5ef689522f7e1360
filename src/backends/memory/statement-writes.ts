/**
 * Carries out the writes of one statement on stored tables: completes rows, checks constraints in PostgreSQL's order, and
 * makes everything visible at the end, or nothing. Source: PostgreSQL 15, 5.4 "Constraints", INSERT, UPDATE, MERGE.
 */
import type { WriteOutcome, WriteRequest } from "../../engine/write-request.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Merge, Write } from "../../planner/plan.js";
import type { Value } from "../../types/value.js";
import { checkForeignKeys } from "./foreign-keys.js";
import type { RowEnvironment } from "./row-expressions.js";
import { type RowRules, rulesOf } from "./row-rules.js";
import type { Store } from "./store.js";
import type { KeyIndex, StoredTable } from "./stored-table.js";
import { TableChanges } from "./table-changes.js";
import { isPlainKey, type StoredRow, sameColumns } from "./table-key.js";
import { uniqueViolation } from "./violations.js";

type ConflictHandler = NonNullable<Extract<WriteRequest, { op: "insert" }>["conflict"]>;

export class StatementWrites {
  private readonly changes = new Map<StoredTable, TableChanges>();

  constructor(
    private readonly store: Store,
    private readonly environment: RowEnvironment,
  ) {}

  async write(node: Write | Merge, request: WriteRequest): Promise<WriteOutcome> {
    const table = this.store.storedTable(node.table);
    if (table === undefined) {
      throw new SqlError(sqlstate.insufficientPrivilege, `permission denied for table ${node.table.name}`, {
        position: node.position,
        detail: "The tables of information_schema cannot be written.",
      });
    }
    const changes = this.changesOf(table);
    const rules = rulesOf(table, this.store);
    switch (request.op) {
      case "insert":
        return this.insert(changes, rules, request.rows, request.conflict);
      case "update":
        return this.update(changes, rules, request.changes);
      case "delete":
        return this.remove(changes, request.rowIds);
      case "merge":
        return this.merge(changes, rules, request.steps);
    }
  }

  /** Checks what is checked last, then makes the changes the tables' rows. @throws SqlError 23503 */
  async finish(): Promise<void> {
    await checkForeignKeys(this.changes, this.store, (table) => this.changesOf(table), this.environment);
    for (const changes of this.changes.values()) changes.apply();
  }

  /** Undoes everything: the statement failed. */
  rollback(): void {
    for (const changes of this.changes.values()) changes.rollback();
  }

  private changesOf(table: StoredTable): TableChanges {
    let changes = this.changes.get(table);
    if (changes === undefined) {
      table.materialize(this.environment.session);
      changes = new TableChanges(table);
      this.changes.set(table, changes);
    }
    return changes;
  }

  private async insert(
    changes: TableChanges,
    rules: RowRules,
    proposed: readonly StoredRow[],
    conflict: ConflictHandler | undefined,
  ): Promise<WriteOutcome> {
    const checked = await rules.complete(proposed, this.environment);
    const arbiters = conflict === undefined ? [] : arbitersOf(changes.table, conflict);
    const written: StoredRow[] = [];
    for (const { row, problem } of checked) {
      if (problem !== undefined) throw problem();
      const found = conflict === undefined ? undefined : changes.conflictOf(row, { keys: arbiters });
      if (found === undefined || conflict === undefined) {
        this.refuseDuplicate(changes, row);
        changes.insert(row);
        written.push(row);
      } else if (conflict.action === "update") {
        const updated = await this.updateConflicting(changes, rules, conflict, found.existing, row);
        if (updated !== undefined) written.push(updated);
      }
    }
    return { affected: written.length, rows: written };
  }

  private async updateConflicting(
    changes: TableChanges,
    rules: RowRules,
    conflict: ConflictHandler,
    existing: StoredRow,
    proposed: StoredRow,
  ): Promise<StoredRow | undefined> {
    const rowId = changes.fresh.has(existing) ? undefined : changes.rowIdOf(existing);
    if (rowId === undefined) {
      throw new SqlError(
        sqlstate.cardinalityViolation,
        "ON CONFLICT DO UPDATE command cannot affect row a second time",
        {
          hint: "Ensure that no rows proposed for insertion within the same command have duplicate constrained values.",
        },
      );
    }
    const values = conflict.update(existing, proposed);
    if (values === undefined) return undefined;
    const next = withValues(existing, conflict.targets, values);
    const [{ row, problem }] = await rules.complete([next], this.environment);
    if (problem !== undefined) throw problem();
    changes.take(rowId);
    this.refuseDuplicate(changes, row);
    changes.put(rowId, row);
    return row;
  }

  private async update(
    changes: TableChanges,
    rules: RowRules,
    requested: readonly { rowId: number; targets: readonly number[]; values: readonly Value[] }[],
  ): Promise<WriteOutcome> {
    // A row that several rows of FROM match is updated once, and so is one that another part of the statement changed.
    const seen = new Set<number>();
    const origins: number[] = [];
    const proposed: StoredRow[] = [];
    requested.forEach(({ rowId, targets, values }, i) => {
      if (seen.has(rowId) || changes.isTouched(rowId)) return;
      seen.add(rowId);
      origins.push(i);
      proposed.push(withValues(changes.base[rowId], targets, values));
    });
    const checked = await rules.complete(proposed, this.environment);
    const rows = checked.map(({ row, problem }, k) => {
      if (problem !== undefined) throw problem();
      return this.replace(changes, requested[origins[k]].rowId, row);
    });
    return { affected: rows.length, rows, ...(origins.length < requested.length && { origins }) };
  }

  private replace(changes: TableChanges, rowId: number, row: StoredRow): StoredRow {
    changes.take(rowId);
    this.refuseDuplicate(changes, row);
    changes.put(rowId, row);
    return row;
  }

  private remove(changes: TableChanges, rowIds: readonly number[]): WriteOutcome {
    const origins: number[] = [];
    const rows: StoredRow[] = [];
    rowIds.forEach((rowId, i) => {
      if (changes.isTouched(rowId)) return;
      origins.push(i);
      rows.push(changes.take(rowId));
    });
    return { affected: rows.length, rows, ...(origins.length < rowIds.length && { origins }) };
  }

  private async merge(
    changes: TableChanges,
    rules: RowRules,
    steps: Extract<WriteRequest, { op: "merge" }>["steps"],
  ): Promise<WriteOutcome> {
    const proposed = steps.flatMap((step) => {
      if (step.action === "delete") return [];
      return [step.action === "insert" ? step.row : withValues(changes.base[step.rowId], step.targets, step.values)];
    });
    const checked = (await rules.complete(proposed, this.environment)).values();
    const rows: StoredRow[] = [];
    for (const step of steps) {
      if (step.action !== "insert" && changes.isTouched(step.rowId)) {
        throw new SqlError(sqlstate.cardinalityViolation, "MERGE command cannot affect row a second time", {
          hint: "Ensure that not more than one source row matches any one target row.",
        });
      }
      if (step.action === "delete") {
        rows.push(changes.take(step.rowId));
        continue;
      }
      const { row, problem } = checked.next().value as Awaited<ReturnType<RowRules["complete"]>>[number];
      if (problem !== undefined) throw problem();
      if (step.action === "insert") {
        this.refuseDuplicate(changes, row);
        changes.insert(row);
        rows.push(row);
      } else {
        rows.push(this.replace(changes, step.rowId, row));
      }
    }
    return { affected: rows.length, rows };
  }

  private refuseDuplicate(changes: TableChanges, row: StoredRow): void {
    const found = changes.conflictOf(row);
    if (found !== undefined) {
      throw uniqueViolation(changes.table, found.index.key, row, this.environment.session);
    }
  }
}

function withValues(row: StoredRow, targets: readonly number[], values: readonly Value[]): StoredRow {
  const next = [...row];
  targets.forEach((target, i) => {
    next[target] = values[i];
  });
  return next;
}

/** The indexes that ON CONFLICT looks at: those over its columns and those it names, or all. */
function arbitersOf(table: StoredTable, { keys, indexes }: ConflictHandler): readonly KeyIndex[] {
  if (keys === undefined && indexes === undefined) return table.keyIndexes();
  const shape = table.definition;
  return table.keyIndexes().filter(({ key }) => {
    if (!isPlainKey(key, shape)) return indexes?.includes(key.name) === true;
    return keys !== undefined && sameColumns(key.columns, keys);
  });
}
