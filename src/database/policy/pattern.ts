/** Names and patterns of rules: `*` stands for any characters, none too; everything else for itself. */

/** Whether a text fits a pattern. In time that grows with the product of their lengths at worst, whatever the pattern. */
export function fits(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let after = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++;
      after = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++after;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** Whether it is a pattern rather than a name. */
export function isPattern(name: string): boolean {
  return name.includes("*");
}

/** Entries by name or pattern: names are found at once, so that thousands of rules cost nothing. */
export class PatternMap<T> {
  private readonly names = new Map<string, { readonly at: number; readonly value: T }>();
  private readonly patterns: { readonly at: number; readonly pattern: string; readonly value: T }[] = [];

  constructor(entries: Iterable<readonly [string, T]>) {
    let at = 0;
    for (const [name, value] of entries) {
      if (isPattern(name)) this.patterns.push({ at, pattern: name, value });
      else this.names.set(name, { at, value });
      at += 1;
    }
  }

  get isEmpty(): boolean {
    return this.names.size === 0 && this.patterns.length === 0;
  }

  /** What stands under any of some names of one thing, in the order of the entries. */
  of(texts: readonly string[]): T[] {
    const found = new Map<number, T>();
    for (const text of texts) {
      const named = this.names.get(text);
      if (named !== undefined) found.set(named.at, named.value);
      for (const { at, pattern, value } of this.patterns)
        if (fits(pattern, text) && isOfKind(pattern, text)) found.set(at, value);
    }
    return [...found].sort(([a], [b]) => a - b).map(([, value]) => value);
  }
}

/** `pub*` means tables of this name, not all of the schema `public`: the schema counts where the pattern has a dot or the table needs one. */
function isOfKind(pattern: string, text: string): boolean {
  return !text.startsWith("public.") || pattern.includes(".");
}

/** The names that rules may call a table by: `crm.contacts`; of a table in `public` its name alone as well. */
export function namesOfTable({ schema, name }: { readonly schema: string; readonly name: string }): readonly string[] {
  return schema === "public" ? [name, `public.${name}`] : [`${schema}.${name}`];
}
