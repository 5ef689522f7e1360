/** Reads a folder of manifests and checks them; everything that is wrong is told at once, with its place. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { sqlName } from "../../resources/sql-names.js";
import { type Manifest, ManifestError, type ManifestProblem, type ServiceManifest } from "./model.js";
import { readService } from "./service.js";
import { type ManifestSource, parseManifest } from "./source.js";
import { readSystem } from "./system.js";

/**
 * @param folder where `*.yaml`, `*.yml` and `*.json` are, in it and below
 * @throws ManifestError with every problem of every file
 */
export async function loadManifests(folder: string): Promise<Manifest[]> {
  const problems: ManifestProblem[] = [];
  const read: { source: ManifestSource; manifest: Manifest }[] = [];
  for (const path of await manifestFiles(folder)) {
    const file = relative(folder, path).replaceAll("\\", "/");
    const source = await parseManifest(file, await readFile(path, "utf8"), problems);
    const manifest = source.data === undefined ? undefined : readManifest(source);
    if (manifest !== undefined) read.push({ source, manifest });
  }
  checkAcrossFiles(read);
  if (problems.length > 0) throw new ManifestError(sorted(problems));
  return read.map(({ manifest }) => manifest);
}

/** A text by itself, as importers check what they write. @throws ManifestError */
export async function readManifestText(file: string, text: string): Promise<Manifest> {
  const problems: ManifestProblem[] = [];
  const source = await parseManifest(file, text, problems);
  const manifest = source.data === undefined ? undefined : readManifest(source);
  if (problems.length > 0 || manifest === undefined) throw new ManifestError(sorted(problems));
  return manifest;
}

async function manifestFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function readManifest(source: ManifestSource): Manifest | undefined {
  return isSystem(source.data) ? readSystem(source) : readService(source);
}

function isSystem(data: unknown): boolean {
  return typeof data === "object" && data !== null && (data as { kind?: unknown }).kind === "system";
}

/** One service stands in one file, and no table is declared twice. */
function checkAcrossFiles(read: readonly { source: ManifestSource; manifest: Manifest }[]): void {
  const services = new Map<string, ServiceManifest>();
  const tables = new Map<string, { file: string; name: string }>();
  for (const { source, manifest } of read) {
    if (manifest.kind !== "service") continue;
    const name = sqlName(manifest.service);
    const other = services.get(name);
    if (other !== undefined)
      source.report(["service"], `the service "${manifest.service}" is declared in ${other.file} already`, {
        hint: "Put all resources of a service into one file, or give it another name.",
      });
    else services.set(name, manifest);
    for (const resource of manifest.resources) {
      const first = tables.get(resource.table);
      if (first !== undefined)
        source.report(
          ["resources", resource.name],
          `the table "${resource.table}" is declared in ${first.file} already (${first.name})`,
          { hint: "Give one of the resources another name.", key: true },
        );
      else tables.set(resource.table, { file: manifest.file, name: resource.name });
    }
  }
}

function sorted(problems: readonly ManifestProblem[]): ManifestProblem[] {
  return [...problems].sort(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column,
  );
}
