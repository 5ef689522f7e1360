/** Sequences behind serial and identity columns. As in PostgreSQL, a rollback does not take numbers back. */
import { SqlError } from "../../errors/sql-error.js";

const limits: Readonly<Record<string, bigint>> = {
  int2: 32_767n,
  int4: 2_147_483_647n,
  int8: 9_223_372_036_854_775_807n,
};

export interface SequenceState {
  readonly name: string;
  readonly start: string;
  readonly increment: string;
  readonly maximum: string;
  readonly last?: string;
}

export class Sequence {
  readonly kind = "sequence";
  private readonly start: bigint;
  private readonly increment: bigint;
  private readonly maximum: bigint;
  private last: bigint | undefined;

  constructor(state: SequenceState) {
    this.name = state.name;
    this.start = BigInt(state.start);
    this.increment = BigInt(state.increment);
    this.maximum = BigInt(state.maximum);
    this.last = state.last === undefined ? undefined : BigInt(state.last);
  }

  readonly name: string;

  /** @throws SqlError 2200H when the type of the column has no more numbers */
  next(): number | bigint {
    const next = this.last === undefined ? this.start : this.last + this.increment;
    if (next > this.maximum) {
      throw new SqlError("2200H", `nextval: reached maximum value of sequence "${this.name}" (${this.maximum})`);
    }
    if (next < -this.maximum) {
      throw new SqlError("2200H", `nextval: reached minimum value of sequence "${this.name}" (${-this.maximum})`);
    }
    this.last = next;
    return asInt8(next);
  }

  /** The number given last; `undefined` before the first one. */
  current(): number | bigint | undefined {
    return this.last === undefined ? undefined : asInt8(this.last);
  }

  set(value: number | bigint, called: boolean): void {
    const given = BigInt(value);
    if (given > this.maximum || given < -this.maximum) {
      throw new SqlError(
        "22003",
        `setval: value ${given} is out of bounds for sequence "${this.name}" (1..${this.maximum})`,
      );
    }
    this.last = called ? given : given - this.increment;
  }

  restart(): void {
    this.last = undefined;
  }

  save(): SequenceState {
    return {
      name: this.name,
      start: String(this.start),
      increment: String(this.increment),
      maximum: String(this.maximum),
      ...(this.last !== undefined && { last: String(this.last) }),
    };
  }
}

/** A sequence for a column of an integer type. */
export function sequenceFor(name: string, type: string, start = "1", increment = "1"): Sequence {
  return new Sequence({ name, start, increment, maximum: String(limits[type] ?? limits.int8) });
}

function asInt8(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
