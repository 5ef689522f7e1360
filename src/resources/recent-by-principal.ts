/** The last things of each principal, bounded in both: nobody sees another's, and none of it grows without end. */

/** Principals remembered; the one that was quiet for longest goes first. */
const maxPrincipals = 100;

interface Ring<T, Sums> {
  readonly items: T[];
  /** Where the next one goes when the ring is full: the oldest one's place. */
  next: number;
  readonly sums: Sums;
}

/** Remembers the last `capacity` items of each principal, and sums over all of them that the owner keeps. */
export class RecentByPrincipal<T, Sums = undefined> {
  private readonly rings = new Map<string, Ring<T, Sums>>();

  constructor(
    private readonly capacity: number,
    private readonly noSums: () => Sums,
  ) {}

  /**
   * @param actor who it belongs to; absent is a principal too
   * @returns the principal's sums, for the owner to add to
   */
  add(actor: string | undefined, item: T): Sums {
    const name = nameOf(actor);
    const ring = this.rings.get(name) ?? { items: [], next: 0, sums: this.noSums() };
    this.rings.delete(name);
    this.rings.set(name, ring);
    if (ring.items.length < this.capacity) ring.items.push(item);
    else {
      ring.items[ring.next] = item;
      ring.next = (ring.next + 1) % this.capacity;
    }
    if (this.rings.size > maxPrincipals) {
      const [quietest] = this.rings.keys();
      this.rings.delete(quietest);
    }
    return ring.sums;
  }

  /** The items of a principal, oldest first. */
  of(actor: string | undefined): readonly T[] {
    const ring = this.rings.get(nameOf(actor));
    return ring === undefined ? [] : [...ring.items.slice(ring.next), ...ring.items.slice(0, ring.next)];
  }

  /** `undefined` for a principal that nothing is remembered of. */
  sumsOf(actor: string | undefined): Sums | undefined {
    return this.rings.get(nameOf(actor))?.sums;
  }
}

/** A key for a principal: nobody is one too, and no other's name is taken for it. */
function nameOf(actor: string | undefined): string {
  return JSON.stringify(actor ?? null);
}
