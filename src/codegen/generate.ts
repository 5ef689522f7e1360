/** From a folder of manifests to the texts of modules. */
import type { ResourceTableInfo } from "../catalog/table.js";
import { type DeclaredTable, declaredTableInfo } from "../resources/declared-table.js";
import { emitCatalogSeed, type SeededResource, seedOf } from "./emit/catalog-seed.js";
import { emitIndex } from "./emit/index-file.js";
import { nameResources, type ResourceNames } from "./emit/names.js";
import { emitPlan, emitQueries, planPath } from "./emit/queries.js";
import { emitResource } from "./emit/resource.js";
import { emitService, serviceConstant, serviceFolder, serviceModule } from "./emit/service.js";
import { emitSystem } from "./emit/system.js";
import { createFormatter } from "./format-source.js";
import { loadManifests } from "./manifest/load.js";
import type { ResourceModel, ServiceManifest, SystemManifest } from "./manifest/model.js";
import type { CompiledStatement } from "./queries/compile-statement.js";
import { loadQueries } from "./queries/load-queries.js";
import { readRowShape } from "./schema/read-shape.js";
import type { RowShape } from "./schema/shape.js";

/** What a run of the generator gives. */
export interface Generated {
  /** Path below the output folder → text. The same manifests always give the same bytes. */
  readonly files: ReadonlyMap<string, string>;
  readonly tables: readonly string[];
  /** Names that could not stay as the manifest spells them: `a-b` of `x.yaml` → `x_a_b`. */
  readonly renamed: readonly { readonly file: string; readonly from: string; readonly to: string }[];
}

/** Told of every file that is done. */
export type OnProgress = (done: number, total: number, path: string) => void;

/** A resource with everything that its modules are made from. */
interface Planned extends SeededResource {
  readonly manifest: ServiceManifest;
  readonly shape: RowShape;
  readonly names: ResourceNames;
}

/**
 * @param manifestFolder see {@link loadManifests}
 * @throws ManifestError with every problem of every manifest
 */
export async function generate(manifestFolder: string, onProgress?: OnProgress): Promise<Generated> {
  const manifests = await loadManifests(manifestFolder);
  const system = manifests.filter((manifest): manifest is SystemManifest => manifest.kind === "system");
  const services = manifests.filter((manifest): manifest is ServiceManifest => manifest.kind === "service");
  const planned = planResources(services);
  const queries = await loadQueries(manifestFolder, tablesOf(planned), exportedNames(planned));
  const files = await emitFiles(system, services, planned, queries, onProgress);
  return { files, tables: planned.map(({ resource }) => resource.table).sort(), renamed: renamedOf(planned) };
}

function planResources(services: readonly ServiceManifest[]): Planned[] {
  const resources = services.flatMap((manifest) =>
    manifest.resources.map((resource) => ({ manifest, resource, shape: readRowShape(resource.row) })),
  );
  const names = nameResources(
    resources.map(({ manifest, resource, shape }) => ({
      folder: serviceFolder(manifest),
      file: resource.file,
      table: resource.table,
      definitions: [...shape.definitions.keys()],
    })),
    services.map(serviceConstant),
  );
  return resources.map((planned) => ({ ...planned, names: names.get(planned.resource.table) as ResourceNames }));
}

/** The tables that named statements can read and write. */
function tablesOf(planned: readonly Planned[]): ResourceTableInfo[] {
  return planned.map((source) => declaredTableInfo(seedOf(source) as DeclaredTable));
}

/** What the modules of resources export. */
function exportedNames(planned: readonly Planned[]): ReadonlySet<string> {
  return new Set(
    planned.flatMap(({ names }) => {
      const { factory, schema, row, insert, update, resolvers, definitions } = names;
      return [factory, schema, row, insert, update, resolvers, ...definitions.values()];
    }),
  );
}

async function emitFiles(
  system: readonly SystemManifest[],
  services: readonly ServiceManifest[],
  planned: readonly Planned[],
  queries: readonly CompiledStatement[],
  onProgress: OnProgress | undefined,
): Promise<Map<string, string>> {
  const formatter = await createFormatter();
  const files = new Map<string, string>();
  const total = planned.length;
  const add = (path: string, text: string) => files.set(path, formatter.format(path, text));
  if (system.length > 0) add("system.ts", emitSystem(system));
  for (const manifest of services) {
    const text = emitService(manifest);
    if (text !== undefined) add(`${serviceFolder(manifest)}/${serviceModule}.ts`, text);
  }
  for (const [index, source] of planned.entries()) {
    add(source.names.path, await emitResource(source));
    onProgress?.(index + 1, total, source.names.path);
  }
  if (services.length > 0) {
    const modules = [...files.keys()].filter((path) => path.includes("/"));
    if (queries.length > 0) {
      add("queries.ts", emitQueries(queries));
      modules.push("queries.ts");
    }
    add("information_schema.ts", emitCatalogSeed(planned));
    add("index.ts", emitIndex(modules));
  }
  for (const query of queries) files.set(planPath(query.statement.name), emitPlan(query));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Tables whose names are not the service's and the resource's as they are spelled, and factories that are not the table's. */
function renamedOf(planned: readonly Planned[]): Generated["renamed"] {
  return planned.flatMap(({ manifest, resource, names }) => {
    const plain = expectedTable(manifest, resource);
    const renames = plain === resource.table ? [] : [{ file: manifest.file, from: resource.name, to: resource.table }];
    const expected = nameResources([{ folder: "", file: "x", table: resource.table, definitions: [] }]);
    const isOwn = expected.get(resource.table)?.factory === names.factory;
    return isOwn ? renames : [...renames, { file: manifest.file, from: resource.table, to: `${names.factory}()` }];
  });
}

function expectedTable(manifest: ServiceManifest, resource: ResourceModel): string {
  const contained = `_${resource.name}_`.includes(`_${manifest.service}_`);
  return contained ? resource.name : `${manifest.service}_${resource.name}`;
}
