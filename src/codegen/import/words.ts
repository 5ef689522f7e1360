/** The words of a service's names: `issueIdOrKey`, `list-events` and `/repos/{owner}` all read as words. */
import { sqlName } from "../../resources/sql-names.js";

/** `getHTTPServer-list` → get, http, server, list. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** The column that a service's name becomes: `issueIdOrKey` → `issue_id_or_key`. */
export function columnName(name: string): string {
  const words = wordsOf(name).join("_");
  return sqlName(words === "" ? name : words);
}

/** Words whose plural is not made by rule, and words that have none. */
const irregular: readonly (readonly [string, string])[] = [
  ["person", "people"],
  ["child", "children"],
  ["index", "indexes"],
  ["status", "statuses"],
  ["metadata", "metadata"],
  ["data", "data"],
  ["news", "news"],
  ["series", "series"],
  ["info", "info"],
  ["markdown", "markdown"],
  ["history", "history"],
  ["analysis", "analyses"],
  ["freebusy", "freebusy"],
];

/** `issue` → `issues`; a plural stays. */
export function plural(word: string): string {
  const known = irregular.find((pair) => pair.includes(word));
  if (known !== undefined) return known[1];
  if (isPlural(word)) return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** `issues` → `issue`; a singular stays. */
export function singular(word: string): string {
  const known = irregular.find((pair) => pair.includes(word));
  if (known !== undefined) return known[0];
  if (!isPlural(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(ss|x|z|ch|sh|us)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** Does the word name several? */
export function isPlural(word: string): boolean {
  const known = irregular.find((pair) => pair.includes(word));
  if (known !== undefined) return known[1] === word && known[0] !== word;
  return /[^su]s$/.test(word) && !/(sis|ics|ss)$/.test(word) && word.length > 2;
}

/** The first sentence or line of a text, without its final stop. */
export function firstSentence(text: string): string {
  const line = oneLine(text.trim().split(/\n\s*\n/)[0] ?? "");
  const sentence = /^(.*?[^.\s])\.(?:\s|$)/.exec(line);
  return (sentence === null || sentence[1].length < 8 ? line : sentence[1]).replace(/\.$/, "");
}

/** A text on one line: the space between words is one blank. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
