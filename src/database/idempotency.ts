/** Keys that make an effect recognisable when it is sent again. */

/** A fresh key: a random UUID, from the platform's own generator. */
export function randomKey(): string {
  return globalThis.crypto.randomUUID();
}
