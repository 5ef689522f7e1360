/** Options of the host's own program that are none: one that is misspelt would be one that is not given. */
import { closest } from "../errors/did-you-mean.js";

/** The keys of an options type, each once: the compiler tells when one is missing. */
export type KeysOf<T> = Readonly<Record<keyof T, true>>;

/**
 * @param what how the message calls the options: `Database.create()`
 * @throws TypeError for what is no object, and for a key that is none of `known`, with the nearest one
 */
export function refuseUnknownKeys(what: string, given: unknown, known: Readonly<Record<string, true>>): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError(`${what}: the options must be an object`);
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(known, key));
  if (unknown === undefined) return;
  const names = Object.keys(known);
  const near = closest(unknown, names);
  const instead = near === undefined ? `the keys are ${names.join(", ")}` : `perhaps you meant "${near}"`;
  throw new TypeError(`${what}: there is no key "${unknown}"; ${instead}`);
}
