/** Names of generated code, made from names of tables; two never have the same. */
import { sqlName, uniqueNames, withHash } from "../../resources/sql-names.js";
import { rowReference } from "../schema/shape.js";

/** `memory_entities` → `memoryEntities`; what an identifier can't hold becomes its code point. */
export function camelCase(name: string): string {
  const camel = name
    .replaceAll(/[^\p{ID_Continue}]/gu, (char) => `_u${char.codePointAt(0)?.toString(16)}`)
    .replace(/(?<=[^_])_+(\p{ID_Continue})/gu, (_, letter: string) => letter.toUpperCase());
  return /^[\p{ID_Start}_]/u.test(camel) ? camel : `_${camel}`;
}

/** `memory_entities` → `MemoryEntities`. */
export function pascalCase(name: string): string {
  const camel = camelCase(name);
  const first = [...camel][0];
  return first.toUpperCase() + camel.slice(first.length);
}

/** `pull_requests` → `pull-requests`, as files are named. Names that Windows keeps for devices get an ending. */
export function kebabCase(name: string): string {
  const kebab = name.replaceAll("_", "-");
  return /^(con|prn|aux|nul|com\d|lpt\d)$/.test(kebab) ? `${kebab}-file` : kebab;
}

/** What one resource's module exports, and where it stands. */
export interface ResourceNames {
  /** Below the output folder: `memory/entities.ts`. */
  readonly path: string;
  /** Makes the table, and holds the typed statements on it. */
  readonly factory: string;
  readonly schema: string;
  readonly row: string;
  readonly insert: string;
  readonly update: string;
  readonly resolvers: string;
  /** Reference → name of the definition's type; its schema is named after it. */
  readonly definitions: ReadonlyMap<string, string>;
}

/** What has to be named of a resource. */
export interface NamedResource {
  /** Folder of its service. */
  readonly folder: string;
  /** Name of its file, as an SQL name. */
  readonly file: string;
  readonly table: string;
  /** References of its row's schema: `#/$defs/address`. */
  readonly definitions: readonly string[];
}

/** Words of the language, and names that every module may import or use. */
const reserved = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof undefined var void while with yield z catalogSeed defineResource
  defineMcpResource defineHttpResource tableQuery`.split(/\s+/),
);

/**
 * Table → names. They depend on the names of tables and definitions alone: of several that would be the same, the
 * shortest keeps its name, and the others carry a short hash.
 * @param taken names that the output exports besides
 */
export function nameResources(
  resources: readonly NamedResource[],
  taken: Iterable<string> = [],
): ReadonlyMap<string, ResourceNames> {
  const stems = uniqueNames(
    resources.map((resource) => resource.table),
    (table) => (reserved.has(camelCase(table)) ? `${camelCase(table)}Resource` : camelCase(table)),
  );
  const used = new Set<string>(taken);
  const named = new Map<string, ResourceNames>();
  const byStem = [...resources].sort((a, b) => compareStems(stems.get(a.table) ?? "", stems.get(b.table) ?? ""));
  for (const resource of byStem) {
    let stem = stems.get(resource.table) as string;
    if (exportsOf(stem).some((name) => used.has(name))) stem = withHash(stem, resource.table);
    for (const name of exportsOf(stem)) used.add(name);
    const [factory, schema, row, insert, update, resolvers] = exportsOf(stem);
    const path = `${resource.folder}/${kebabCase(resource.file)}.ts`;
    named.set(resource.table, {
      ...{ path, factory, schema, row, insert, update, resolvers },
      definitions: new Map([[rowReference, row]]),
    });
  }
  for (const resource of byStem) {
    const names = named.get(resource.table) as ResourceNames;
    named.set(resource.table, { ...names, definitions: nameDefinitions(resource, names, used) });
  }
  return named;
}

/** Values first, then types. */
function exportsOf(stem: string): string[] {
  const type = pascalCase(stem);
  return [stem, `${stem}Schema`, `${type}Row`, `${type}Insert`, `${type}Update`, `${type}Resolvers`];
}

function compareStems(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function nameDefinitions(
  resource: NamedResource,
  { row, definitions }: ResourceNames,
  used: Set<string>,
): ReadonlyMap<string, string> {
  const stem = row.slice(0, -"Row".length);
  const candidates = uniqueNames(resource.definitions, (reference) => {
    const last = decodeURIComponentIfPossible(reference.split("/").at(-1) as string).replace(/^#/, "");
    return `${stem}${pascalCase(sqlName(last))}`;
  });
  const named = new Map(definitions);
  for (const [reference, candidate] of candidates) {
    const isFree = ![candidate, schemaOf(candidate)].some((name) => used.has(name));
    const name = isFree ? candidate : withHash(candidate, `${resource.table} ${reference}`);
    used.add(name);
    used.add(schemaOf(name));
    named.set(reference, name);
  }
  return named;
}

function decodeURIComponentIfPossible(text: string): string {
  return /^(?:[^%]|%[0-7][0-9a-f])*$/i.test(text) ? decodeURIComponent(text) : text;
}

/** Name of the schema of a definition's type: `TrackerIssuesUser` → `trackerIssuesUserSchema`. */
export function schemaOf(type: string): string {
  const first = [...type][0];
  return `${first.toLowerCase()}${type.slice(first.length)}Schema`;
}

/**
 * The first line of every generated file.
 * @param source a manifest's path below the folder of manifests, which may have any name and lie anywhere
 */
export function header(source: string): string {
  return `// Generated by glove-gen from ${source.replaceAll(/\s/g, " ")}. Do not edit.\n`;
}
