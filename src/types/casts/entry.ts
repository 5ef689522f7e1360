/** One row of a table of casts, as pg_cast has it. Each family exports such a table; `casts.ts` joins them. */
import type { TypeContext } from "../operations.js";
import type { TypeName } from "../type.js";
import type { Value } from "../value.js";

/** Where a cast may happen by itself: anywhere, when a value is stored, or only when it is written out. */
export type CastContext = "implicit" | "assignment" | "explicit";

/**
 * A conversion between two types. `convert` is never called with NULL; it gets the target's modifier (-1 when there is
 * none), but need not apply it: what the modifier does to a value (rounding, length) is done by `casts.ts` afterwards.
 */
export interface CastEntry {
  readonly source: TypeName;
  readonly target: TypeName;
  /** Exactly pg_cast.castcontext of PostgreSQL 15. */
  readonly context: CastContext;
  readonly convert: (value: never, typmod: number, context: TypeContext) => Value;
}
