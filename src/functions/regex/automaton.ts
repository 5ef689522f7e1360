/**
 * Runs a nondeterministic automaton deterministically: sets of states become states of their own when they are first
 * met, with their transitions, so that each character of the text costs one look-up. What is remembered is bounded.
 */
import { isPairAt } from "../../types/utf8.js";
import { spendWork } from "../../types/work.js";
import { type Alphabet, latin } from "./alphabet.js";
import { contextAt, contextCount, holds } from "./context.js";
import { invalidRegex, regexFault } from "./errors.js";
import type { Nfa } from "./nfa.js";

/** How many elementary steps the matching of one text may take: tens of times what sensible patterns need. */
const maxWork = 200_000_000;
/** Characters that a run goes on for until it tells of them: longer ones must not outlast the statement's time. */
const charactersAtOnce = 65_536;
/** Remembered automaton states (counted with their members) before everything is forgotten. */
const maxRemembered = 100_000;

/** Counts the steps of one match. @throws SqlError 2201B when there are too many */
export class WorkMeter {
  spent = 0;

  spend(steps: number): void {
    this.spent += steps;
    spendWork(steps);
    if (this.spent > maxWork) throw invalidRegex(regexFault.complexity);
  }
}

/** A set of states before the place's assertions are looked at, which depends on the context. */
interface Kernel {
  readonly members: readonly number[];
  readonly byContext: (Situation | null)[];
}

/** A kernel in a context: whether a match ends here, and where each class of characters leads. */
interface Situation {
  readonly accepts: boolean;
  /** Character states; without any, nothing more can match. */
  readonly readers: readonly number[];
  /** `null` where it has not been worked out. */
  readonly next: (Kernel | null)[];
}

export class Automaton {
  private kernels = new Map<string, Kernel>();
  private remembered = 0;
  private startKernel: Kernel | undefined;

  constructor(
    private readonly nfa: Nfa,
    private readonly alphabet: Alphabet,
  ) {}

  /** End of the longest match that starts at `from` and ends at or before `stop`, or -1. */
  longest(text: string, from: number, stop: number, meter: WorkMeter): number {
    let last = -1;
    this.forward(text, from, stop, meter, (at) => {
      last = at;
      return true;
    });
    return last;
  }

  /** End of the shortest match that starts at `from` and ends at or before `stop`, or -1. */
  shortest(text: string, from: number, stop: number, meter: WorkMeter): number {
    let first = -1;
    this.forward(text, from, stop, meter, (at) => {
      first = at;
      return false;
    });
    return first;
  }

  /** Whether `from` to `end` is a match. */
  matches(text: string, from: number, end: number, meter: WorkMeter): boolean {
    return this.longest(text, from, end, meter) === end;
  }

  /** Calls `accept` with every place where a match from `from` can end, in order, until it says false. */
  forward(text: string, from: number, stop: number, meter: WorkMeter, accept: (at: number) => boolean): void {
    const { alphabet, nfa } = this;
    const { latinClasses } = alphabet;
    const { hasAssertions, hasWordAssertions } = nfa;
    let kernel = this.start();
    let at = from;
    let told = from;
    for (;;) {
      if (at - told >= charactersAtOnce) {
        meter.spend(at - told);
        told = at;
      }
      const context = hasAssertions ? contextAt(text, at, hasWordAssertions) : 0;
      const situation = kernel.byContext[context] ?? this.situate(kernel, context, meter);
      if (situation.accepts && !accept(at)) break;
      if (at >= stop || situation.readers.length === 0) break;
      let point = text.charCodeAt(at++);
      let characterClass = point < latin ? latinClasses[point] : -1;
      if (characterClass < 0) {
        if (point >= 0xd800 && point <= 0xdbff && at < text.length) point = text.codePointAt(at++ - 1) as number;
        characterClass = alphabet.classOf(point);
      }
      kernel = situation.next[characterClass] ?? this.follow(situation, characterClass, meter);
    }
    meter.spend(at - told + 1);
  }

  /** The first place from `from` on where a match may start, as far as its first character tells; or -1. */
  candidate(text: string, from: number, meter: WorkMeter): number {
    const { alphabet, nfa } = this;
    const { latinClasses } = alphabet;
    const { hasAssertions, hasWordAssertions } = nfa;
    const kernel = this.start();
    let told = from;
    for (let at = from; at <= text.length; at++) {
      if (at - told >= charactersAtOnce) {
        spendWork(at - told);
        told = at;
      }
      const context = hasAssertions ? contextAt(text, at, hasWordAssertions) : 0;
      const situation = kernel.byContext[context] ?? this.situate(kernel, context, meter);
      if (situation.accepts) return at;
      if (at >= text.length || situation.readers.length === 0) continue;
      let point = text.charCodeAt(at);
      let characterClass = point < latin ? latinClasses[point] : -1;
      if (characterClass < 0) {
        if (point >= 0xd800 && point <= 0xdbff) point = text.codePointAt(at) as number;
        characterClass = alphabet.classOf(point);
      }
      const next = situation.next[characterClass] ?? this.follow(situation, characterClass, meter);
      if (next.members.length > 0) return at;
      if (point > 0xffff) at++;
    }
    return -1;
  }

  /** The same as `forward` for a backwards automaton: from `from` down to `stop`, with the places where a match can start. */
  backward(text: string, from: number, stop: number, meter: WorkMeter, accept: (at: number) => boolean): void {
    const { alphabet, nfa } = this;
    const { latinClasses } = alphabet;
    const { hasAssertions, hasWordAssertions } = nfa;
    let kernel = this.start();
    let at = from;
    let told = from;
    for (;;) {
      if (told - at >= charactersAtOnce) {
        meter.spend(told - at);
        told = at;
      }
      const context = hasAssertions ? contextAt(text, at, hasWordAssertions) : 0;
      const situation = kernel.byContext[context] ?? this.situate(kernel, context, meter);
      if (situation.accepts && !accept(at)) break;
      if (at <= stop || situation.readers.length === 0) break;
      let point = text.charCodeAt(--at);
      let characterClass = point < latin ? latinClasses[point] : -1;
      if (characterClass < 0) {
        if (point >= 0xdc00 && point <= 0xdfff && at > 0 && isPairAt(text, at - 1))
          point = text.codePointAt(--at) as number;
        characterClass = alphabet.classOf(point);
      }
      kernel = situation.next[characterClass] ?? this.follow(situation, characterClass, meter);
    }
    meter.spend(told - at + 1);
  }

  private start(): Kernel {
    this.startKernel ??= this.kernelOf([this.nfa.start]);
    return this.startKernel;
  }

  /** The closure of a kernel over splits and the assertions that hold. */
  private situate(kernel: Kernel, context: number, meter: WorkMeter): Situation {
    const { states } = this.nfa;
    const seen = new Set<number>(kernel.members);
    const pending = [...kernel.members];
    const readers: number[] = [];
    let accepts = false;
    const visit = (state: number): void => {
      if (seen.has(state)) return;
      seen.add(state);
      pending.push(state);
    };
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      const entry = states[state];
      if (entry.kind === "set") readers.push(state);
      else if (entry.kind === "match") accepts = true;
      else if (entry.kind === "split") entry.next.forEach(visit);
      else if (holds(entry.assertion, context)) visit(entry.next);
    }
    meter.spend(seen.size);
    this.remember(readers.length);
    const situation: Situation = { accepts, readers, next: new Array(this.alphabet.classCount).fill(null) };
    kernel.byContext[context] = situation;
    return situation;
  }

  private follow(situation: Situation, characterClass: number, meter: WorkMeter): Kernel {
    const { states } = this.nfa;
    const targets = new Set<number>();
    for (const reader of situation.readers) {
      const entry = states[reader];
      if (entry.kind === "set" && this.alphabet.isMember(characterClass, entry.set)) targets.add(entry.next);
    }
    meter.spend(situation.readers.length);
    const kernel = this.kernelOf([...targets].sort((a, b) => a - b));
    while (situation.next.length <= characterClass) situation.next.push(null); // a class that is new
    situation.next[characterClass] = kernel;
    return kernel;
  }

  private kernelOf(members: readonly number[]): Kernel {
    const name = members.join();
    let kernel = this.kernels.get(name);
    if (kernel === undefined) {
      kernel = { members, byContext: new Array(this.nfa.hasAssertions ? contextCount : 1).fill(null) };
      this.remember(members.length);
      this.kernels.set(name, kernel);
    }
    return kernel;
  }

  /** Forgets everything when too much is remembered; a run under way keeps what it holds. */
  private remember(size: number): void {
    this.remembered += size + 1;
    if (this.remembered <= maxRemembered) return;
    this.kernels = new Map();
    this.startKernel = undefined;
    this.remembered = 0;
  }
}
