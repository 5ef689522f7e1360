/** Emits the imports of a resource's module: one line a module, packages first, then files. */

/** Module → names, each as it stands between the braces: `defineResource`, `type ResourceTable`. */
export type Imports = Readonly<Record<string, readonly string[]>>;

/** The lines, sorted. @param parts whose names are put together */
export function importLines(parts: readonly Imports[]): string {
  const modules = new Map<string, string[]>();
  for (const part of parts)
    for (const [module, names] of Object.entries(part)) modules.set(module, [...(modules.get(module) ?? []), ...names]);
  return [...modules]
    .sort(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map(([module, names]) => `import { ${[...names].sort(byName).join(", ")} } from ${JSON.stringify(module)};\n`)
    .join("");
}

const sortKey = (module: string) => module.replace("./", "~./");

function byName(left: string, right: string): number {
  const [a, b] = [left, right].map((name) => name.replace("type ", "").toLowerCase());
  return a < b ? -1 : a > b ? 1 : 0;
}
