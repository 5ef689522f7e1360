/**
 * Finds the captures of a match whose ends are known, from the top of the match tree down. Each part takes the longest
 * (or shortest) piece that leaves the parts behind it a match, parts that start earlier first. Source: PostgreSQL 15, 9.7.3.5.
 */
import type { WorkMeter } from "./automaton.js";
import { type MatchTree, prefersShorter } from "./match-tree.js";
import type { Automata } from "./regex.js";

/** Start and end of each capture, in pairs, -1 for one that took no part; the first pair is the whole match. */
export type Captures = Int32Array;

export class Dissector {
  constructor(
    private readonly automata: Automata,
    private readonly text: string,
    private readonly captures: Captures,
    private readonly meter: WorkMeter,
  ) {}

  /** `begin` to `end` is a match of `tree`. */
  dissect(tree: MatchTree, begin: number, end: number): void {
    switch (tree.kind) {
      case "leaf":
        break;
      case "sequence":
        this.dissectSequence(tree, begin, end);
        break;
      case "choice":
        this.dissect(this.chosen(tree.branches, begin, end), begin, end);
        break;
      case "iteration":
        this.dissectIteration(tree.item, tree.max, begin, end);
        break;
      case "wrapper":
        this.dissect(tree.item, begin, end);
        break;
    }
    if (tree.capture > 0) {
      this.captures[2 * tree.capture] = begin;
      this.captures[2 * tree.capture + 1] = end;
    }
  }

  private dissectSequence(tree: Extract<MatchTree, { kind: "sequence" }>, begin: number, end: number): void {
    let { left, right } = tree;
    // a long chain of parts is walked along, not down
    for (;;) {
      const middle = this.middle(left, right, begin, end);
      this.dissect(left, begin, middle);
      if (right.kind !== "sequence" || right.capture > 0) {
        this.dissect(right, middle, end);
        return;
      }
      begin = middle;
      ({ left, right } = right);
    }
  }

  /** Where `left` ends and `right` begins. */
  private middle(left: MatchTree, right: MatchTree, begin: number, end: number): number {
    const { text, meter } = this;
    const starts = new Set<number>(); // of `right`, when it goes up to the end
    this.automata.backwards(right.node).backward(text, end, begin, meter, (at) => {
      starts.add(at);
      return true;
    });
    const shortest = prefersShorter(left);
    let middle = -1;
    this.automata.forwards(left.node).forward(text, begin, end, meter, (at) => {
      if (!starts.has(at)) return true;
      middle = at;
      return !shortest;
    });
    if (middle < 0) throw new Error("a matched sequence has no division");
    return middle;
  }

  private chosen(branches: readonly MatchTree[], begin: number, end: number): MatchTree {
    for (const branch of branches)
      if (this.automata.forwards(branch.node).matches(this.text, begin, end, this.meter)) return branch;
    throw new Error("a matched alternation has no branch");
  }

  /**
   * Divides the piece into repetitions that are not empty, each as long (or short) as can be, earlier ones first, and
   * keeps the captures of the last. An empty piece is one empty repetition where the item can be that and prefers to be
   * long, otherwise none at all.
   */
  private dissectIteration(item: MatchTree, max: number, begin: number, end: number): void {
    const shortest = prefersShorter(item);
    if (begin === end) {
      if (shortest || !this.automata.forwards(item.node).matches(this.text, begin, end, this.meter)) return;
      this.dissect(item, begin, end);
      return;
    }
    const counted = max < end - begin; // otherwise the number of repetitions never matters
    const failed = new Set<number>();
    const pieces: { at: number; ends: number[] }[] = [{ at: begin, ends: this.endsFrom(item, begin, end, shortest) }];
    for (;;) {
      const last = pieces[pieces.length - 1];
      const next = last.ends.pop(); // the best candidate stands last
      if (next === undefined) {
        failed.add(counted ? last.at * (max + 1) + pieces.length : last.at);
        pieces.pop();
        if (pieces.length === 0) throw new Error("a matched repetition has no division");
        continue;
      }
      if (next === end) {
        this.dissect(item, last.at, end);
        return;
      }
      if (pieces.length >= max || failed.has(counted ? next * (max + 1) + pieces.length + 1 : next)) continue;
      pieces.push({ at: next, ends: this.endsFrom(item, next, end, shortest) });
    }
  }

  private endsFrom(item: MatchTree, begin: number, end: number, shortest: boolean): number[] {
    const ends: number[] = [];
    this.automata.forwards(item.node).forward(this.text, begin, end, this.meter, (at) => {
      if (at > begin) ends.push(at);
      return true;
    });
    return shortest ? ends.reverse() : ends;
  }
}
