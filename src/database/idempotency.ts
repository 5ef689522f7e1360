/** Keys that make an effect recognisable when it is sent again. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { Effect } from "./effect.js";
import { canonicalText, sha256Hex } from "./policy/canonical.js";
import type { Receipt } from "./types.js";

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
  private hashed: Promise<string> | undefined;
  private repeated: readonly Effect[] = [];

  /**
   * @param key `ExecuteOptions.idempotencyKey`
   * @param sql of the `execute`, and its parameters: another text under the same key is not a repetition
   */
  constructor(
    private readonly key: string | undefined,
    private readonly sql: string,
    private readonly params: readonly unknown[],
  ) {}

  /**
   * What the next statement that writes is to see of the effects staged so far. One that was staged under the key before
   * sees the transaction as it was then: it makes the same effects again, and {@link fresh} leaves them out.
   * @throws SqlError 22023 when other statements staged under the key
   */
  async seenBy(staged: readonly Effect[]): Promise<readonly Effect[]> {
    if (this.key === undefined) return staged;
    const next = this.keyOf(this.made + 1);
    const at = staged.findIndex(({ idempotencyKey, hash }) => hash !== undefined && idempotencyKey === next);
    if (at === -1) return staged;
    if (staged[at].request !== (await this.request())) throw stagedOther(staged[at]);
    return staged.slice(0, at);
  }

  /**
   * The effects that are not staged yet; one whose key is there is the same effect.
   * @throws SqlError 22023 when it is another one
   */
  async fresh(effects: readonly Effect[], staged: readonly Effect[]): Promise<readonly Effect[]> {
    if (this.key === undefined) return effects;
    const request = await this.request();
    const known = new Map(staged.map((effect) => [effect.idempotencyKey, effect]));
    const other = effects.find(({ idempotencyKey, hash }) => (known.get(idempotencyKey)?.hash ?? hash) !== hash);
    if (other !== undefined) throw stagedOther(other);
    this.repeated = effects.filter(({ idempotencyKey }) => known.has(idempotencyKey));
    return effects.filter(({ idempotencyKey }) => !known.has(idempotencyKey)).map((effect) => ({ ...effect, request }));
  }

  /** The effects that {@link fresh} left out since this was asked last. */
  takeRepeated(): readonly Effect[] {
    const { repeated } = this;
    this.repeated = [];
    return repeated;
  }

  /** Effects that a statement of the `execute` made. */
  forStatement(effects: readonly Effect[], actor: string | undefined): Promise<readonly Effect[]> {
    return this.keyed(effects, actor, () => this.keyOf(++this.made));
  }

  /** Effects that its COMMIT fires; those that were staged under a key of the host's keep it. */
  forCommit(effects: readonly Effect[], actor: string | undefined): Promise<readonly Effect[]> {
    return this.keyed(effects, actor, (i) => this.keyOf(`commit${i + 1}`));
  }

  private keyOf(place: number | string): string {
    return `${this.key}#${place}`;
  }

  private request(): Promise<string> {
    this.hashed ??= sha256Hex(canonicalText([this.sql, this.params]));
    return this.hashed;
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

/**
 * The error of an effect whose key stands for another one.
 * @param where what has the other one
 * @param fate what became of the statement
 * @param receipts of the effects that were to be fired with it
 */
export function otherContent(
  { op, table, idempotencyKey }: Effect,
  where: string,
  fate: string,
  receipts?: readonly Receipt[],
): SqlError {
  return new SqlError(
    sqlstate.invalidParameterValue,
    `the idempotency key of ${op.toUpperCase()} on "${table.name}" was used for another write`,
    {
      detail: `${where} has another one as ${JSON.stringify(idempotencyKey)}. ${fate}`,
      hint: "Repeat the statements and parameters as they were (now() and random values as parameters), or use a new idempotencyKey.",
      ...(receipts !== undefined && { receipts }),
    },
  );
}

function stagedOther(effect: Effect): SqlError {
  return otherContent(effect, "The open transaction", "Nothing was staged.");
}

/** SHA-256 of what an effect does and for whom, hexadecimal. */
export async function contentHash(effect: Effect, actor: string | undefined): Promise<string> {
  const { table, op, rows, set, match } = effect;
  const content = [table.schema, table.name, op, rows ?? null, set ?? null, match ?? null, actor ?? null];
  return sha256Hex(canonicalText(content));
}
