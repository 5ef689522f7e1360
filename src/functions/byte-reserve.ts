/** Bounds the memory that functions such as `repeat` and `lpad` ask for; the engine counts what a statement keeps. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";

/** Values below this size cannot fill the memory within one batch of rows, and are not counted. */
const smallBytes = 65_536;

/** Counts the large values of one statement. */
export class ByteReserve {
  private reserved = 0;

  constructor(private readonly maxBytes: number) {}

  /** @throws SqlError 54000 when the statement's large values take more than the limit in all */
  take(bytes: number): void {
    if (bytes < smallBytes) return;
    this.reserved += bytes;
    if (this.reserved <= this.maxBytes) return;
    throw new SqlError(sqlstate.programLimitExceeded, "the statement needs more memory than its limit", {
      detail: `The limit is ${this.maxBytes} bytes.`,
      hint: "Make the values shorter, or filter the rows first.",
    });
  }
}
