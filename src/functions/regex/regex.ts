/**
 * Compiled regular expressions: whether and where they match, in time that grows with the text. The leftmost match is
 * taken, and of those that start there the longest, or the shortest where the pattern prefers it.
 */
import { isPairAt } from "../../types/utf8.js";
import { Alphabet } from "./alphabet.js";
import { Automaton, WorkMeter } from "./automaton.js";
import { anyCharacterSet } from "./character-set.js";
import { type Captures, Dissector } from "./dissect.js";
import { buildMatchTree, type MatchTree, prefersShorter } from "./match-tree.js";
import { compileNfa } from "./nfa.js";
import { parseRegex } from "./parser.js";
import { type PlainPattern, plainPattern, requiredText } from "./plain.js";
import type { RegexNode, RegexOptions } from "./syntax.js";

/** Compiled patterns that are kept. */
const cacheSize = 300;
const cache = new Map<string, Regex>();

/** A pattern compiled with its options; the last few hundred are remembered. @throws SqlError 2201B, 0A000 */
export function compileRegex(pattern: string, options: RegexOptions): Regex {
  const { ignoreCase, newlineStops, lineAnchors, expanded, syntax } = options;
  const key = `${+ignoreCase}${+newlineStops}${+lineAnchors}${+expanded}${syntax}:${pattern}`;
  let regex = cache.get(key);
  if (regex !== undefined) {
    cache.delete(key); // moves it to the end, behind those that are dropped first
  } else {
    regex = new Regex(pattern, options);
    if (cache.size >= cacheSize) for (const oldest of cache.keys()) if (cache.delete(oldest)) break;
  }
  cache.set(key, regex);
  return regex;
}

/** The automata of the parts of one pattern, made when they are first needed. */
export class Automata {
  private readonly alphabet = new Alphabet();
  private readonly forward = new Map<RegexNode, Automaton>();
  private readonly backward = new Map<RegexNode, Automaton>();
  private readonly floatingForward: Automaton;
  private floatingBackward: Automaton | undefined;

  constructor(private readonly node: RegexNode) {
    // compiling the whole first numbers all character sets, before any class is made
    this.floatingForward = this.compile(node, false, true);
  }

  /** Of a part, from its start. */
  forwards(part: RegexNode): Automaton {
    return remember(this.forward, part, () => this.compile(part, false, false));
  }

  /** Of a part, from its end. */
  backwards(part: RegexNode): Automaton {
    return remember(this.backward, part, () => this.compile(part, true, false));
  }

  /** Of the whole, from anywhere before it. */
  get anywhere(): Automaton {
    return this.floatingForward;
  }

  /** Of the whole, backwards from anywhere behind it: finds where matches can start. */
  get starts(): Automaton {
    this.floatingBackward ??= this.compile(this.node, true, true);
    return this.floatingBackward;
  }

  private compile(part: RegexNode, backwards: boolean, floating: boolean): Automaton {
    const shape = { backwards, floating: floating ? anyCharacterSet : undefined };
    return new Automaton(compileNfa(part, this.alphabet, shape), this.alphabet);
  }
}

function remember(known: Map<RegexNode, Automaton>, part: RegexNode, make: () => Automaton): Automaton {
  let automaton = known.get(part);
  if (automaton === undefined) {
    automaton = make();
    known.set(part, automaton);
  }
  return automaton;
}

/**
 * A compiled pattern; it keeps nothing of the texts that it is tried on. @throws SqlError 2201B, 0A000 as `parseRegex`
 * does
 */
export class Regex {
  /** Number of capturing parentheses. */
  readonly captureCount: number;
  private readonly tree: MatchTree;
  private readonly node: RegexNode;
  /** Every match starts at the start of the text. */
  private readonly anchored: boolean;
  private readonly plain: PlainPattern | undefined;
  /** Stands in every match; empty when no such text is known. */
  private readonly required: string;
  private lazyAutomata: Automata | undefined;

  constructor(pattern: string, options: RegexOptions) {
    const { node, captures } = parseRegex(pattern, options);
    this.node = node;
    this.captureCount = captures;
    this.tree = buildMatchTree(node);
    this.anchored = startsAtTextStart(node);
    this.plain = captures === 0 ? plainPattern(node) : undefined;
    this.required = requiredText(node);
    if (this.plain === undefined) this.lazyAutomata = new Automata(node); // finds out now when it is too complex
  }

  private get automata(): Automata {
    this.lazyAutomata ??= new Automata(this.node);
    return this.lazyAutomata;
  }

  /** Whether the text has a match. */
  test(text: string): boolean {
    if (this.plain !== undefined) return this.plain.find(text, 0) >= 0;
    if (!text.includes(this.required)) return false;
    const automaton = this.anchored ? this.automata.forwards(this.node) : this.automata.anywhere;
    return automaton.shortest(text, 0, text.length, new WorkMeter()) >= 0;
  }

  /** Prepares finding matches in one text, one after the other. */
  search(text: string): RegexSearch {
    if (this.plain !== undefined) return new PlainSearch(text, this.plain);
    if (!text.includes(this.required)) return noMatches;
    return new AutomatonSearch(text, this.automata, this.tree, this.captureCount, this.anchored);
  }

  /** The first match. */
  exec(text: string): Captures | undefined {
    return this.search(text).next(0, true);
  }
}

/** Whether a pattern opens with `^` (of the text) or `\\A` in every branch. */
function startsAtTextStart(node: RegexNode): boolean {
  switch (node.kind) {
    case "assertion":
      return node.assertion === "text start";
    case "concat":
      return startsAtTextStart(node.items[0]);
    case "alternation":
      return node.branches.every(startsAtTextStart);
    case "group":
      return startsAtTextStart(node.item);
    default:
      return false;
  }
}

/** The matches of one pattern in one text. */
export interface RegexSearch {
  /**
   * The leftmost match that starts at or behind unit `from`, which may only grow from call to call; `captures` says
   * whether more than its ends is wanted.
   */
  next(from: number, captures: boolean): Captures | undefined;
}

const noMatches: RegexSearch = { next: () => undefined };

class PlainSearch implements RegexSearch {
  constructor(
    private readonly text: string,
    private readonly plain: PlainPattern,
  ) {}

  next(from: number): Captures | undefined {
    const begin = from > this.text.length ? -1 : this.plain.find(this.text, from);
    return begin < 0 ? undefined : Int32Array.of(begin, begin + this.plain.length);
  }
}

class AutomatonSearch implements RegexSearch {
  private readonly meter = new WorkMeter();
  /** Places where a match can start, from the last to the first, once they have been found. */
  private starts: number[] | undefined;

  constructor(
    private readonly text: string,
    private readonly automata: Automata,
    private readonly tree: MatchTree,
    private readonly captureCount: number,
    private readonly anchored: boolean,
  ) {}

  next(from: number, captures: boolean): Captures | undefined {
    const { text, meter, tree } = this;
    const begin = this.anchored ? (from === 0 ? 0 : undefined) : this.nextStart(from);
    if (begin === undefined) return undefined;
    const whole = this.automata.forwards(tree.node);
    const end = prefersShorter(tree)
      ? whole.shortest(text, begin, text.length, meter)
      : whole.longest(text, begin, text.length, meter);
    if (end < 0) {
      if (this.anchored) return undefined;
      throw new Error("a match starts but does not end");
    }
    const result = new Int32Array(2 * (this.captureCount + 1)).fill(-1);
    if (captures && this.captureCount > 0) new Dissector(this.automata, text, result, meter).dissect(tree, begin, end);
    result[0] = begin;
    result[1] = end;
    return result;
  }

  /**
   * Where the next match starts. One forward run tells whether there is a match, and where the first one ends; then the
   * places up to there are tried. Should that take many steps, a backward run finds all places where matches start.
   */
  private nextStart(from: number): number | undefined {
    if (this.starts === undefined) {
      const { text, meter, automata } = this;
      const firstEnd = automata.anywhere.shortest(text, from, text.length, meter);
      if (firstEnd < 0) return undefined;
      const whole = automata.forwards(this.tree.node);
      const enough = meter.spent + 4 * (firstEnd - from) + 200;
      for (let at = whole.candidate(text, from, meter); at >= 0 && meter.spent < enough; ) {
        if (whole.shortest(text, at, text.length, meter) >= 0) return at;
        at = whole.candidate(text, at + (isPairAt(text, at) ? 2 : 1), meter);
      }
    }
    this.starts ??= this.findStarts(from);
    const { starts } = this;
    while (starts.length > 0 && starts[starts.length - 1] < from) starts.pop();
    return starts[starts.length - 1];
  }

  private findStarts(from: number): number[] {
    const { text, meter } = this;
    const starts: number[] = [];
    this.automata.starts.backward(text, text.length, from, meter, (at) => {
      starts.push(at);
      return true;
    });
    return starts;
  }
}
