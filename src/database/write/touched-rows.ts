/**
 * Which rows the parts of one statement write. PostgreSQL runs a data-modifying WITH that nothing reads after the main
 * statement, lets one of two changes of a row take place and says that it can't be predicted which; calls to a service
 * have one order, and both would be sent. So a row that two parts write is refused before anything is sent.
 * Source: PostgreSQL 15, 7.8.4 "Data-Modifying Statements in WITH".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Merge, Write } from "../../planner/plan.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import { operationsOf } from "../../types/families.js";
import { keyText } from "../../types/key-text.js";
import type { Value } from "../../types/value.js";
import { textOf } from "./row-keys.js";
import { sourcesOf } from "./row-values.js";

/**
 * `change`: the row is changed or removed, or what is done depends on whether it is there. `come`: it is put in, or gets
 * these values; two that come at one key are a violated key (23505) in either order.
 */
type Touch = "change" | "come";

/** What is known of the values of a row or, of a call by equalities, of the rows that it means: index of the column → value. */
type Known = ReadonlyMap<number, string | null>;

/** One for a table and statement. */
export class TouchedRows {
  /** The columns that a call says a row by; none where it is said by whatever WHERE compares. */
  private readonly identity: readonly number[];
  private readonly byKey = new Map<string, { part: Write | Merge; touch: Touch }>();
  private readonly byValues = new Map<Write | Merge, { known: Known; touch: Touch }[]>();

  /** @param isShared whether several parts of the statement write the table; otherwise nothing is kept */
  constructor(
    private readonly table: RegisteredResource,
    private readonly isShared: boolean,
  ) {
    this.identity = sourcesOf(table, table.primaryKey.length > 0 ? table.primaryKey : table.keys);
  }

  /**
   * @param row in the order of `table.columns`
   * @param given the columns (indexes) whose values are known; the key is among them
   * @throws SqlError 0A000 when another part writes the row
   */
  touch(part: Write | Merge, touch: Touch, row: readonly Value[], given: readonly number[]): void {
    if (!this.isShared) return;
    if (this.identity.length > 0) this.touchKey(part, touch, row);
    else this.touchValues(part, touch, row, given);
  }

  private touchKey(part: Write | Merge, touch: Touch, row: readonly Value[]): void {
    const key = textOf(this.table, this.identity, row);
    if (key === undefined) return; // the service makes it up
    const before = this.byKey.get(key);
    if (before === undefined) this.byKey.set(key, { part, touch });
    else if (before.part === part) {
      if (touch === "change") before.touch = touch;
    } else if (touch === "change" || before.touch === "change") throw this.refusal(part);
  }

  /** Without a key, equalities may mean the same rows unless they ask for different values of one column. */
  private touchValues(part: Write | Merge, touch: Touch, row: readonly Value[], given: readonly number[]): void {
    const known: Known = new Map(given.map((source) => [source, this.valueText(source, row[source])]));
    for (const [other, touches] of this.byValues) {
      if (other === part) continue;
      for (const before of touches) {
        if (touch === "come" && before.touch === "come") continue;
        if (!areDistinct(known, before.known)) throw this.refusal(part);
      }
    }
    const own = this.byValues.get(part);
    if (own === undefined) this.byValues.set(part, [{ known, touch }]);
    else own.push({ known, touch });
  }

  private valueText(source: number, value: Value | undefined): string | null {
    if (value === null || value === undefined) return null;
    return keyText(value, operationsOf(this.table.columns[source].type));
  }

  private refusal({ position }: Write | Merge): SqlError {
    return new SqlError(
      sqlstate.featureNotSupported,
      `two parts of the statement write the same row of "${this.table.name}"`,
      {
        ...(position !== undefined && { position }),
        detail:
          "PostgreSQL leaves open in which order parts of a statement write, and which of two changes takes place.",
        hint: "Write in two statements, in the order that is meant: BEGIN; …; …; COMMIT.",
      },
    );
  }
}

/** No value is equal to NULL. */
function areDistinct(a: Known, b: Known): boolean {
  for (const [source, value] of a) {
    const other = b.get(source);
    if (other !== undefined && (value === null || other === null || value !== other)) return true;
  }
  return false;
}
