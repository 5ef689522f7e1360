/** Keys that make an effect recognisable when it is sent again. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { Effect } from "./effect.js";
import { canonicalText, sha256Hex } from "./policy/canonical.js";

/** A fresh key: a random UUID, from the platform's own generator. */
export function randomKey(): string {
  return globalThis.crypto.randomUUID();
}

/** The key of the effect that undoes another one: there is one only, so that it happens once. */
export function compensationKey(key: string): string {
  return `${key}#undo`;
}

const maxKeyLength = 200;

/**
 * A key that the host chose for one `execute`. It ends up in headers of services, so it is printable ASCII.
 * @throws SqlError 22023
 */
export function checkHostKey(key: unknown): void {
  if (key === undefined) return;
  if (typeof key === "string" && /^[\x21-\x7e]+$/.test(key) && key.length <= maxKeyLength) return;
  throw new SqlError(
    sqlstate.invalidParameterValue,
    `idempotencyKey must be 1 to ${maxKeyLength} printable ASCII characters without spaces`,
    { hint: "Use an id of the request, or crypto.randomUUID() kept until the request is done." },
  );
}

/**
 * Gives the effects of one `execute` their keys. With a key of the host's the n-th effect is `key#n` whenever the same
 * statements are executed again, and its hash tells whether it is the same effect; without one, effects keep the random keys
 * that they were made with.
 */
export class EffectKeys {
  private made = 0;

  /** @param key `ExecuteOptions.idempotencyKey` */
  constructor(private readonly key: string | undefined) {}

  /** Effects that a statement of the `execute` made. */
  forStatement(effects: readonly Effect[], actor: string | undefined): Promise<readonly Effect[]> {
    return this.keyed(effects, actor, () => `${this.key}#${++this.made}`);
  }

  /** Effects that its COMMIT fires; those that were staged under a key of the host's keep it. */
  forCommit(effects: readonly Effect[], actor: string | undefined): Promise<readonly Effect[]> {
    return this.keyed(effects, actor, (i) => `${this.key}#commit${i + 1}`);
  }

  private async keyed(
    effects: readonly Effect[],
    actor: string | undefined,
    keyOf: (i: number) => string,
  ): Promise<readonly Effect[]> {
    if (this.key === undefined) return effects;
    return Promise.all(
      effects.map(async (effect, i) =>
        effect.hash === undefined
          ? { ...effect, idempotencyKey: keyOf(i), hash: await contentHash(effect, actor) }
          : effect,
      ),
    );
  }
}

/** SHA-256 of what an effect does and for whom, hexadecimal. */
export async function contentHash(effect: Effect, actor: string | undefined): Promise<string> {
  const { table, op, rows, set, match } = effect;
  const content = [table.schema, table.name, op, rows ?? null, set ?? null, match ?? null, actor ?? null];
  return sha256Hex(canonicalText(content));
}
