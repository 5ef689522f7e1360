/** Free-text search over functions: names weigh most, then arguments, then descriptions. */
import { editDistance } from "../errors/did-you-mean.js";
import { objectShape } from "../json-schema/object-shape.js";
import { serverOf } from "./servers.js";
import { inputSchemaOf, type ToolFn } from "./tool-fn.js";

/** Words that appear in questions and tell nothing apart. */
const fillers = new Set([
  "a",
  "all",
  "an",
  "and",
  "by",
  "for",
  "from",
  "how",
  "i",
  "in",
  "is",
  "me",
  "my",
  "of",
  "on",
  "or",
  "the",
  "to",
  "with",
]);

/** Default length of a result. */
const defaultLimit = 10;

/**
 * The functions that match a query, best first. A function counts by the words it has of the query, also as a prefix, in
 * the plural, or with a slip; one that has more different words of the query always stands before one that has fewer.
 * An empty query gives the first functions of the catalog.
 */
export function searchFns(fns: Iterable<ToolFn>, query: string, limit: number = defaultLimit): ToolFn[] {
  const all = [...fns];
  const asked = wordsOf(query);
  const telling = asked.filter((word) => !fillers.has(word));
  const wanted = telling.length > 0 ? telling : asked;
  if (wanted.length === 0) return all.slice(0, limit);
  const found = all.map((fn) => pointsOf(fn, wanted));
  // A word that many functions have (list, get) tells less than one that few have.
  const rarity = wanted.map((_, i) => {
    const having = found.filter((points) => points[i] > 0).length;
    return having === 0 ? 0 : 1 + Math.log(all.length / having);
  });
  const scored = found.map((points, order) => ({
    order,
    hits: points.filter((point) => point > 0).length,
    weight: points.reduce((sum, point, i) => sum + point * rarity[i], 0),
  }));
  return scored
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits || b.weight - a.weight || a.order - b.order)
    .slice(0, limit)
    .map(({ order }) => all[order]);
}

/** Words of a text in lower case: `listPullRequests`, `list-pull-requests` and "list pull requests" have the same. */
function wordsOf(text: string): string[] {
  const spaced = text.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").toLowerCase();
  return [...new Set(spaced.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""))];
}

/** Points of a function for each wanted word; 0 where it has nothing like it. */
function pointsOf(fn: ToolFn, wanted: readonly string[]): number[] {
  const schema = inputSchemaOf(fn);
  const parameters = schema === undefined ? [] : [...objectShape(schema, schema).properties.keys()];
  const fields: readonly [string[], number][] = [
    [wordsOf(fn.name), 8],
    [wordsOf(serverOf(fn) ?? ""), 4],
    [wordsOf(parameters.join(" ")), 3],
    [wordsOf(fn.description ?? ""), 2],
    [wordsOf(fn.serverDescription ?? ""), 1],
  ];
  return wanted.map((word) => Math.max(0, ...fields.map(([words, points]) => points * likeness(word, words))));
}

/** How well a word is among others: 1 the same, less for a stem, a prefix or a slip, 0 not at all. */
function likeness(wanted: string, words: readonly string[]): number {
  let best = 0;
  for (const word of words) {
    if (word === wanted) return 1;
    if (stem(word) === stem(wanted)) best = Math.max(best, 0.9);
    else if (wanted.length >= 3 && word.startsWith(wanted)) best = Math.max(best, 0.6);
    else if (word.length >= 4 && wanted.startsWith(word)) best = Math.max(best, 0.5);
    else if (wanted.length >= 5 && editDistance(wanted, word, 2) < 2) best = Math.max(best, 0.4);
  }
  return best;
}

/** A word without its English plural. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
