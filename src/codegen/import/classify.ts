/** What a name says an operation does: `list_pull_requests` lists pull requests. */
import type { Action } from "./operation.js";
import { isPlural, singular } from "./words.js";

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ...(["list", "browse", "enumerate"] as const).map((word) => [word, "list"] as const),
  ...(["search", "find", "query", "lookup"] as const).map((word) => [word, "search"] as const),
  ...(["get", "read", "fetch", "retrieve", "show", "describe", "view", "open", "info"] as const).map(
    (word) => [word, "get"] as const,
  ),
  ...(["create", "add", "insert", "post", "new", "put", "write", "append"] as const).map(
    (word) => [word, "create"] as const,
  ),
  ...(["update", "edit", "modify", "patch", "change"] as const).map((word) => [word, "update"] as const),
  ...(["delete", "remove", "drop", "destroy"] as const).map((word) => [word, "delete"] as const),
]);

/** Words that say how many at once, not what. */
const amounts = new Set(["batch", "bulk", "many", "multiple", "one", "all", "my"]);

/** Words after which stands what narrows the entity: `get_tasks_for_project`. */
const prepositions = new Set(["for", "to", "from", "by", "in", "of", "with", "as", "on", "at"]);

/** What a name says. */
export interface NameReading {
  readonly action: Action;
  /** In the singular; empty when the name says none. */
  readonly entity: readonly string[];
}

/** The action that a word alone names; undefined for every other word. */
export function actionOf(word: string): Action | undefined {
  return actions.get(word);
}

/** Reads the words of a name without the service's own. */
export function readName(words: readonly string[]): NameReading {
  const position = words.findIndex((word, index) => actions.has(word) && words.slice(0, index).every(isAmount));
  if (position < 0) return { action: "other", entity: words };
  const verb = words[position];
  let rest = words.slice(position + 1);
  // `create_or_update_file`: both words name what INSERT does to a thing that is written whole.
  if (rest[0] === "or" && actions.has(rest[1] ?? "")) rest = rest.slice(2);
  const action = actions.get(verb) as Action;
  const preposition = rest.findIndex((word) => prepositions.has(word));
  if (preposition >= 0) return withPreposition(verb, action, rest, preposition);
  const entity = rest.filter((word) => !isAmount(word));
  const last = entity.at(-1);
  const isList = action === "get" && last !== undefined && (isPlural(last) || rest.includes("all"));
  return { action: isList ? "list" : action, entity: singularWords(entity) };
}

/**
 * `add_tag_to_task` and `remove_tag_from_task` are about the tags of tasks; with any other preposition the whole phrase
 * is the entity, because the plain one belongs to the operation without it.
 */
function withPreposition(verb: string, action: Action, rest: readonly string[], at: number): NameReading {
  const [thing, target] = [rest.slice(0, at), rest.slice(at + 1)];
  const isPair = (verb === "add" && rest[at] === "to") || (verb === "remove" && rest[at] === "from");
  if (isPair && thing.length > 0 && target.length > 0) {
    return { action, entity: [...singularWords(target), ...singularWords(thing)] };
  }
  if (action !== "get" && action !== "list" && action !== "search") return { action: "other", entity: [verb, ...rest] };
  return { action: isPlural(thing.at(-1) ?? "") ? "list" : action, entity: rest };
}

/** The words with the last one in the singular. */
export function singularWords(words: readonly string[]): string[] {
  return words.map((word, index) => (index === words.length - 1 ? singular(word) : word));
}

function isAmount(word: string): boolean {
  return amounts.has(word);
}

/** The words that all names of a service begin with: its own name, which tables get anyway. */
export function withoutServiceWords(names: readonly (readonly string[])[], service: readonly string[]): string[][] {
  const counts = new Map<string, number>();
  for (const [first] of names) if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1);
  const common = [...counts].find(
    ([word, count]) => names.length >= 4 && count >= names.length * 0.9 && !actions.has(word),
  );
  return names.map((words) => {
    // A repeated prefix, such as `hubspot-`, or the service's name in the middle: `search_stripe_documentation` keeps it.
    const isPrefixed = words.length > 1 && (words[0] === common?.[0] || words[0] === service[0]);
    return isPrefixed ? words.slice(1) : [...words];
  });
}
