/** Compiles a syntax tree into a nondeterministic automaton, to be run forwards or backwards over a text. */
import type { CharacterSet } from "./character-set.js";
import { invalidRegex, regexFault } from "./errors.js";
import type { Assertion, RegexNode } from "./syntax.js";

/** More states than this are refused: `(a{255}){255}`. */
const maxStates = 50_000;

/** A state; `next` are numbers of states. */
export type NfaState =
  | { readonly kind: "set"; readonly set: number; readonly next: number }
  | { readonly kind: "split"; readonly next: readonly number[] }
  | { readonly kind: "assertion"; readonly assertion: Assertion; readonly next: number }
  | { readonly kind: "match" };

/** States by their numbers. */
export interface Nfa {
  readonly states: readonly NfaState[];
  readonly start: number;
  readonly hasAssertions: boolean;
  /** Whether some of them ask about words, which costs more to know. */
  readonly hasWordAssertions: boolean;
}

/** Gives each character set of a pattern its number. */
export interface SetNumbers {
  numberOf(set: CharacterSet): number;
}

/** How the automaton is to be run. */
export interface NfaShape {
  /** Reads the text from its end to its start. */
  readonly backwards: boolean;
  /** May skip any characters before the match. */
  readonly floating: CharacterSet | undefined;
}

/** @throws SqlError 2201B when the pattern has too many states */
export function compileNfa(node: RegexNode, sets: SetNumbers, shape: NfaShape): Nfa {
  const states: NfaState[] = [];
  let hasAssertions = false;
  let hasWordAssertions = false;
  const add = (state: NfaState): number => {
    if (states.length >= maxStates) throw invalidRegex(regexFault.complexity);
    states.push(state);
    return states.length - 1;
  };
  /** Compiles `part` so that it goes on at state `next`; gives its first state. */
  const build = (part: RegexNode, next: number): number => {
    switch (part.kind) {
      case "empty":
        return next;
      case "set":
        return add({ kind: "set", set: sets.numberOf(part.set), next });
      case "assertion":
        hasAssertions = true;
        hasWordAssertions ||= part.assertion.includes("word");
        return add({ kind: "assertion", assertion: part.assertion, next });
      case "group":
        return build(part.item, next);
      case "concat": {
        const items = shape.backwards ? part.items : [...part.items].reverse();
        return items.reduce((after, item) => build(item, after), next);
      }
      case "alternation":
        return add({ kind: "split", next: part.branches.map((branch) => build(branch, next)) });
      case "repeat":
        return buildRepeat(part, next);
    }
  };
  const buildRepeat = (part: Extract<RegexNode, { kind: "repeat" }>, next: number): number => {
    let after = next;
    if (part.max === Number.POSITIVE_INFINITY) {
      // the loop refers to its own first state, which is known only once the body is compiled
      const targets: number[] = [next];
      const loop = add({ kind: "split", next: targets });
      targets.unshift(build(part.item, loop));
      after = loop;
    } else
      for (let i = part.min; i < part.max; i++) after = add({ kind: "split", next: [build(part.item, after), next] });
    for (let i = 0; i < part.min; i++) after = build(part.item, after);
    return after;
  };
  let start = build(node, add({ kind: "match" }));
  if (shape.floating !== undefined) {
    const targets: number[] = [start];
    const loop = add({ kind: "split", next: targets });
    targets.push(add({ kind: "set", set: sets.numberOf(shape.floating), next: loop }));
    start = loop;
  }
  return { states, start, hasAssertions, hasWordAssertions };
}
