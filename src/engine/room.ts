/** How much room a vector of numbers is given when it is full. */

/** Up to here the room is doubled; copying that much takes about a millisecond. */
const small = 1 << 18;
/** The room after that: pages that nobody has written to cost nothing, copying a million numbers does. */
const large = 1 << 22;

/** The length to go on with after `length`. */
export function roomFor(length: number): number {
  return length < small ? length * 2 : Math.max(large, length * 2);
}
