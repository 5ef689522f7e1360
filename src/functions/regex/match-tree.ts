/**
 * How captures are found in a match: a tree of parts, each with what it prefers, longer or shorter. A part without
 * captures and without conflicting preferences is a leaf, which an automaton matches whole; the others are dissected
 * once it is known what they match. The shape of the tree decides which of several divisions is taken, so it is built
 * by PostgreSQL's rules. Source: PostgreSQL 15, 9.7.3.5 "Regular Expression Matching Rules", and a server's answers.
 */
import { concat, emptyNode, longer, type Preference, type RegexNode, shorter } from "./syntax.js";

interface Common {
  /** What this part matches. */
  readonly node: RegexNode;
  readonly traits: Traits;
  /** Number of the capture that this part is, 0 for none. */
  readonly capture: number;
}

export type MatchTree =
  | (Common & { readonly kind: "leaf" })
  | (Common & { readonly kind: "sequence"; readonly left: MatchTree; readonly right: MatchTree })
  | (Common & { readonly kind: "choice"; readonly branches: readonly MatchTree[] })
  /** Nothing, or one to `max` times `item`. */
  | (Common & { readonly kind: "iteration"; readonly item: MatchTree; readonly max: number })
  /** A capture around a capture. */
  | (Common & { readonly kind: "wrapper"; readonly item: MatchTree });

/** Preference of a part, and what makes it one that cannot be a leaf inside a larger leaf. */
export interface Traits {
  readonly preference: Preference;
  /** Both preferences occur below. */
  readonly mixed: boolean;
  readonly captures: boolean;
}

const plain: Traits = { preference: 0, mixed: false, captures: false };

/** The first preference wins; two different ones make the whole mixed. */
function combine(a: Traits, b: Traits): Traits {
  return {
    preference: a.preference === 0 ? b.preference : a.preference,
    mixed: a.mixed || b.mixed || (a.preference !== 0 && b.preference !== 0 && a.preference !== b.preference),
    captures: a.captures || b.captures,
  };
}

function isMessy(traits: Traits): boolean {
  return traits.mixed || traits.captures;
}

function prefer(preference: Preference): Traits {
  return { ...plain, preference };
}

/** The tree of a whole pattern. */
export function buildMatchTree(node: RegexNode): MatchTree {
  const branches = node.kind === "alternation" ? node.branches : [node];
  const trees = branches.map((branch) => buildBranch(itemsOf(branch), 0));
  if (trees.length === 1) return trees[0];
  // alternatives always prefer the longer match, whatever stands in them
  const traits = trees.reduce((all, tree) => combine(all, tree.traits), prefer(longer));
  return isMessy(traits)
    ? { kind: "choice", node, traits, capture: 0, branches: trees }
    : { kind: "leaf", node, traits, capture: 0 };
}

function itemsOf(node: RegexNode): readonly RegexNode[] {
  return node.kind === "concat" ? node.items : node.kind === "empty" ? [] : [node];
}

/** A sequence of atoms from number `from` on: plain ones are gathered until one needs a part of its own. */
function buildBranch(items: readonly RegexNode[], from: number): MatchTree {
  const prefix: RegexNode[] = [];
  let traits = plain;
  for (let i = from; i < items.length; i++) {
    const item = items[i];
    const { atom, min, max, preference } = quantifierOf(item);
    if (max === 0) continue; // {0}: as if it were not there
    const atomTree = atom.kind === "group" ? buildGroup(atom) : undefined;
    const together = combine(combine(traits, prefer(preference)), atomTree?.traits ?? plain);
    if (!isMessy(together)) {
      prefix.push(item);
      traits = together;
      continue;
    }
    const own = atomTree ?? { kind: "leaf", node: atom, traits: plain, capture: 0 };
    return joinRest(prefix, traits, quantify(own, item, min, max, preference), items, i + 1);
  }
  return { kind: "leaf", node: concat(prefix), traits, capture: 0 };
}

function quantifierOf(item: RegexNode): { atom: RegexNode; min: number; max: number; preference: Preference } {
  if (item.kind === "repeat") return { atom: item.item, min: item.min, max: item.max, preference: item.preference };
  return { atom: item, min: 1, max: 1, preference: 0 };
}

function buildGroup(group: Extract<RegexNode, { kind: "group" }>): MatchTree {
  const tree = buildMatchTree(group.item);
  if (group.capture === 0) return tree;
  const traits = { ...tree.traits, captures: true };
  if (tree.capture === 0) return { ...tree, traits, capture: group.capture };
  return { kind: "wrapper", node: group, traits, capture: group.capture, item: tree };
}

/** The tree of `atom{min,max}`, where `item` is its syntax. */
function quantify(atom: MatchTree, item: RegexNode, min: number, max: number, preference: Preference): MatchTree {
  const own = atom.traits;
  const hasPreference = own.preference !== 0 || own.mixed;
  if (min === 1 && max === 1 && (preference === 0 || !hasPreference || (preference === own.preference && !own.mixed)))
    return atom;
  const traits = combine(prefer(preference), own);
  if (!own.captures) return { kind: "leaf", node: item, traits, capture: 0 };
  if (min > 0) {
    // only the last repetition's captures count: x{m,n} is x{m-1,n-1} without captures, then x
    const before: RegexNode =
      max === 1 ? emptyNode : { kind: "repeat", item: atom.node, min: min - 1, max: max - 1, preference };
    return {
      kind: "sequence",
      node: item,
      traits,
      capture: 0,
      left: { kind: "leaf", node: before, traits: prefer(traits.preference), capture: 0 },
      right: atom,
    };
  }
  return { kind: "iteration", node: item, traits, capture: 0, item: atom, max };
}

/** Puts together what stands before a part, the part, and the rest of the branch. */
function joinRest(
  prefix: readonly RegexNode[],
  prefixTraits: Traits,
  part: MatchTree,
  items: readonly RegexNode[],
  next: number,
): MatchTree {
  const left: MatchTree = { kind: "leaf", node: concat(prefix), traits: prefixTraits, capture: 0 };
  if (next >= items.length) return prefix.length === 0 ? part : sequence(left, part);
  const rest = buildBranch(items, next);
  if (prefix.length === 0) return sequence(part, rest);
  const together = combine(part.traits, rest.traits);
  if (part.kind === "leaf" && rest.kind === "leaf" && part.capture === 0 && rest.capture === 0 && !isMessy(together))
    return sequence(left, { kind: "leaf", node: concat([part.node, rest.node]), traits: together, capture: 0 });
  return sequence(left, sequence(part, rest));
}

function sequence(left: MatchTree, right: MatchTree): MatchTree {
  return {
    kind: "sequence",
    node: concat([left.node, right.node]),
    traits: combine(left.traits, right.traits),
    capture: 0,
    left,
    right,
  };
}

/** Whether a part takes the shortest match it can. */
export function prefersShorter(tree: MatchTree): boolean {
  return tree.traits.preference === shorter;
}
