/** Which operations share a table: those about one entity, one operation a verb; what is left over gets tables of its own. */
import type { Operation, Verb } from "./operation.js";
import { columnName, plural, wordsOf } from "./words.js";

/** Operations that become one table. */
export interface TableGroup {
  /** Name of the resource, in snake case and without the service. */
  readonly name: string;
  /** Words of the entity, in the singular. */
  readonly entity: readonly string[];
  readonly verbs: ReadonlyMap<Verb, Operation>;
}

/** Groups in the order in which the service names their first operation. */
export function groupOperations(operations: readonly Operation[], serviceWords: readonly string[]): TableGroup[] {
  const byEntity = new Map<string, Operation[]>();
  for (const operation of operations) {
    const key = isPlain(operation) ? operation.entity.join(" ") : `operation ${operation.id}`;
    byEntity.set(key, [...(byEntity.get(key) ?? []), operation]);
  }
  const taken = new Set<string>();
  const unique = (wishes: readonly string[]): string => {
    const free = wishes.find((wish) => !taken.has(wish));
    let name = free ?? wishes[wishes.length - 1];
    for (let number = 2; taken.has(name); number++) name = `${wishes[wishes.length - 1]}_${number}`;
    taken.add(name);
    return name;
  };
  const groups = [...byEntity.values()].map((members) => split(members));
  // The names of main tables first: what belongs beside them must not take them.
  const named = groups.map(({ main, others }) => ({
    main: main === undefined ? undefined : { ...main, name: unique(mainNames(main, serviceWords)) },
    others,
  }));
  return named.flatMap(({ main, others }) => [
    ...(main === undefined ? [] : [main]),
    ...others.map((operation): TableGroup => {
      const verb: Verb = operation.reads ? "select" : "insert";
      return {
        name: unique(ownNames(operation, main?.verbs.get("select"), serviceWords)),
        entity: operation.entity,
        verbs: new Map([[verb, operation]]),
      };
    }),
  ]);
}

/** Can the operation share a table? Its name has to fit what the service says of it. */
function isPlain(operation: Operation): boolean {
  if (operation.action === "other" || operation.entity.length === 0) return false;
  return operation.reads === ["list", "search", "get"].includes(operation.action);
}

/** One operation a verb; LIST before GET before SEARCH for reads, because the writes go by what GET goes by. */
function split(members: readonly Operation[]): { main?: Omit<TableGroup, "name">; others: Operation[] } {
  if (members.length === 1 && !isPlain(members[0])) return { others: [...members] };
  const first = (action: Operation["action"]) => members.find((member) => member.action === action);
  const chosen: readonly (readonly [Verb, Operation | undefined])[] = [
    ["select", first("list") ?? first("get") ?? first("search")],
    ["insert", first("create")],
    ["update", first("update")],
    ["delete", first("delete")],
  ];
  const verbs = new Map(chosen.filter((entry): entry is [Verb, Operation] => entry[1] !== undefined));
  const used = new Set(verbs.values());
  const main = { entity: members[0].entity, verbs };
  return { main, others: members.filter((member) => !used.has(member)) };
}

function mainNames({ entity, verbs }: Omit<TableGroup, "name">, serviceWords: readonly string[]): string[] {
  const select = verbs.get("select");
  const isSingle =
    verbs.size === 1 && select?.action === "get" && !select.parameters.some((parameter) => parameter.required);
  const words = isSingle ? entity : pluralWords(entity);
  return [nameOf(words), nameOf([...serviceWords, ...words])];
}

function pluralWords(words: readonly string[]): string[] {
  return words.map((word, index) => (index === words.length - 1 ? plural(word) : word));
}

/** Names for a further operation about an entity: `issues_by_number`, `issues_search`, or the operation's own. */
function ownNames(
  operation: Operation,
  mainSelect: Operation | undefined,
  serviceWords: readonly string[],
): readonly string[] {
  const words = wordsOf(operation.id);
  const own = nameOf(words[0] === serviceWords[0] && words.length > 1 ? words.slice(1) : words);
  if (!operation.reads || !isPlain(operation)) return [own];
  const several = nameOf(pluralWords(operation.entity));
  if (operation.action === "search") return [`${several}_search`, own];
  if (operation.action !== "get") return [own];
  const asked = new Set(mainSelect?.parameters.filter((one) => one.required).map((one) => one.name));
  const further = operation.parameters.filter((one) => one.required && !asked.has(one.name));
  if (further.length !== 1) return [own];
  const key = wordsOf(further[0].name);
  const within = key.filter((word) => !operation.entity.includes(word));
  return [`${several}_by_${nameOf(within.length > 0 ? within : key)}`, own];
}

/** A name that the manifest takes: lower-case ASCII letters, digits and `_`. */
function nameOf(words: readonly string[]): string {
  const plain = columnName(words.join("_")).replaceAll(/[^a-z0-9_]/g, "_");
  return /^[a-z]/.test(plain) ? plain : `t${plain.startsWith("_") ? "" : "_"}${plain}`;
}
