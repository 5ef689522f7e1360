/** Small pieces of the sentences that messages, details and hints are made of. */

/** A whole number as messages write it: `1,000`. */
export function amount(count: number): string {
  return count.toLocaleString("en-US");
}

/** `1 call`, `1,000 calls`. */
export function countOf(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Words of somebody else (a tool, a cause), ended so that a sentence can follow; nothing stays nothing. */
export function asSentence(words: string): string {
  return words === "" || /[.!?…:]$/.test(words) ? words : `${words}.`;
}
