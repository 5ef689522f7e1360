/**
 * Names of a service as SQL identifiers that need no quotes: lower case (so that a name written in its original case is
 * folded to ours), letters, digits and `_`, at most 63 bytes. The mapping is stable: it depends on the names alone, not
 * on their order.
 */

/** PostgreSQL's limit for an identifier. */
const maxBytes = 63;

/** The identifier for a name; two names may have the same one (see {@link uniqueNames}). */
export function sqlName(name: string): string {
  const replaced = name.toLowerCase().replaceAll(/[^\p{L}\p{N}_]/gu, "_");
  const started = /^[\p{L}_]/u.test(replaced) ? replaced : `_${replaced}`;
  // Nothing but underscores says nothing, and would be the same for every name in signs.
  const telling = /[\p{L}\p{N}]/u.test(started) ? started : `x_${hashOf(name)}`;
  return byteLength(telling) <= maxBytes ? telling : withHash(telling, name);
}

/**
 * Original name → identifier, all different. Of names that would get the same identifier, the one that is spelled like it
 * keeps it; the others carry a short hash of their original.
 */
export function uniqueNames(
  names: Iterable<string>,
  identifierOf: (name: string) => string = sqlName,
): Map<string, string> {
  const groups = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const identifier = identifierOf(name);
    groups.set(identifier, [...(groups.get(identifier) ?? []), name]);
  }
  const mapped = new Map<string, string>();
  const taken = new Set<string>(groups.keys());
  for (const [identifier, originals] of groups) {
    const keeper = keeperOf(identifier, originals);
    for (const name of originals) {
      if (name === keeper) {
        mapped.set(name, identifier);
        continue;
      }
      let hashed = withHash(identifier, name);
      // Two hashes that meet are as good as impossible; the longer one still settles it.
      for (let salt = 1; taken.has(hashed); salt++) hashed = withHash(identifier, `${name}#${salt}`);
      taken.add(hashed);
      mapped.set(name, hashed);
    }
  }
  return mapped;
}

/** The name that needs no hash: the only one, the one spelled like the identifier, the only one that is an identifier. */
function keeperOf(identifier: string, originals: readonly string[]): string | undefined {
  if (originals.length === 1) return originals[0];
  if (originals.includes(identifier)) return identifier;
  const plain = originals.filter((name) => sqlName(name) === name);
  return plain.length === 1 ? plain[0] : undefined;
}

/**
 * Table name of a tool or a resource: `<namespace>_<tool>`, or the tool's name alone when the namespace is one of its words.
 */
export function tableName(namespace: string, tool: string): string {
  const prefix = sqlName(namespace);
  const name = sqlName(tool);
  const contained = `_${name}_`.includes(`_${prefix}_`);
  if (contained) return name;
  const joined = `${prefix}_${name.startsWith("_") && !tool.startsWith("_") ? name.slice(1) : name}`;
  return byteLength(joined) <= maxBytes ? joined : withHash(joined, tool);
}

/** An identifier with the hash of the name it stands for, cut to what PostgreSQL takes. */
export function withHash(identifier: string, name: string): string {
  const suffix = `_${hashOf(name)}`;
  let cut = identifier;
  while (byteLength(cut) > maxBytes - suffix.length) cut = [...cut].slice(0, -1).join("");
  return cut + suffix;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** FNV-1a over the UTF-8 bytes, six hex digits: stable everywhere, needs no library. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0").slice(-6);
}
