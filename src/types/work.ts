/**
 * Work of long calls, told to whoever bounds the time of a statement. A function cannot be interrupted: a regular
 * expression over a megabyte or the reading of a large document is one call. It can say how far it is, though, with
 * {@link spendWork} in its loops; the engine, which watches while it computes, then looks at the clock and throws when
 * the statement's time is over. Nobody watches outside of an execution (constants that are folded, texts that are
 * formatted): there the sizes of values are the bound.
 *
 * One watch for the whole process is enough, since computing never waits: whoever sets it takes it back before the event
 * loop has a turn.
 */

/** Looks at the clock. @throws SqlError 57014 when the time is over */
export type Watch = () => void;

/** Units between two looks at the clock: some tenths of a millisecond. */
const unitsBetweenLooks = 32_768;

let watch: Watch | undefined;
let left = unitsBetweenLooks;

/**
 * Tells of work done or about to be done.
 * @param units about what reading a character or copying an element costs
 * @throws SqlError 57014 when the statement that runs has used up its time
 */
export function spendWork(units: number): void {
  left -= units;
  if (left > 0) return;
  left = unitsBetweenLooks;
  watch?.();
}

/** Sets who is told of work from now on; gives who was before, to be set again afterwards. */
export function watchWork(next: Watch | undefined): Watch | undefined {
  const before = watch;
  watch = next;
  return before;
}
