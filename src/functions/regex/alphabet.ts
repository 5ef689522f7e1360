/**
 * The characters of a pattern in classes: two characters that no set of the pattern tells apart share a number, so
 * that automata need a transition a class and not one a character.
 */
import type { CharacterSet } from "./character-set.js";
import type { SetNumbers } from "./nfa.js";

/** Code points below this have their classes in a table. */
export const latin = 256;
const unknown = -1;

export class Alphabet implements SetNumbers {
  private readonly sets: CharacterSet[] = [];
  private readonly numbers = new Map<CharacterSet | number, number>();
  /** Classes of the first code points, -1 where not known yet: for loops that cannot afford a call. */
  readonly latinClasses = new Int32Array(latin).fill(unknown);
  private readonly otherClasses = new Map<number, number>();
  private readonly bySignature = new Map<string, number>();
  /** For each class, which sets its characters are in. */
  private readonly members: boolean[][] = [];

  /** Sets are numbered while the automata of a pattern are built; a new one makes the classes void. */
  numberOf(set: CharacterSet): number {
    const key = set.single ?? set; // sets of one and the same character are one
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.sets.length;
      this.sets.push(set);
      this.numbers.set(key, number);
      if (this.members.length > 0) throw new Error("a set was added after classes were made");
    }
    return number;
  }

  /** Number of classes met so far. */
  get classCount(): number {
    return this.members.length;
  }

  /** Class of a code point. */
  classOf(point: number): number {
    if (point < latin) {
      const known = this.latinClasses[point];
      if (known !== unknown) return known;
      const made = this.makeClass(point);
      this.latinClasses[point] = made;
      return made;
    }
    let found = this.otherClasses.get(point);
    if (found === undefined) {
      found = this.makeClass(point);
      this.otherClasses.set(point, found);
    }
    return found;
  }

  /** Whether the characters of a class are in a set. */
  isMember(characterClass: number, set: number): boolean {
    return this.members[characterClass][set];
  }

  private makeClass(point: number): number {
    const memberships = this.sets.map((set) => set.has(point));
    const signature = memberships.map((member) => (member ? "1" : "0")).join("");
    let found = this.bySignature.get(signature);
    if (found === undefined) {
      found = this.members.length;
      this.members.push(memberships);
      this.bySignature.set(signature, found);
    }
    return found;
  }
}
