/** Reads a folder of manifests and checks them; everything that is wrong is told at once, with its place. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { SqlError } from "../../errors/sql-error.js";
import { parseTypeName } from "../../grammar/parse.js";
import type { McpVerb } from "../../resources/connectors/mcp.js";
import { type Template, templateColumns } from "../../resources/connectors/template.js";
import { optionalPeer } from "../peers.js";
import { serviceFormat, systemFormat } from "./format.js";
import { type Manifest, ManifestError, type ManifestProblem, type ResourceModel } from "./model.js";

type Yaml = typeof import("yaml");

/**
 * @param folder where `*.yaml`, `*.yml` and `*.json` are, in it and below
 * @throws ManifestError with every problem of every file
 */
export async function loadManifests(folder: string): Promise<Manifest[]> {
  const yaml = await optionalPeer<Yaml>("yaml", () => import("yaml"));
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const problems: ManifestProblem[] = [];
  const manifests: Manifest[] = [];
  for (const path of files) {
    const file = relative(folder, path).replaceAll("\\", "/");
    const manifest = readManifest(file, await readFile(path, "utf8"), yaml, problems);
    if (manifest !== undefined) manifests.push(manifest);
  }
  if (problems.length > 0) throw new ManifestError(problems);
  return manifests;
}

function readManifest(file: string, text: string, yaml: Yaml, problems: ManifestProblem[]): Manifest | undefined {
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines });
  const before = problems.length;
  const at = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    problems.push({ file, line, column: col, message });
  };
  for (const error of document.errors) at(error.pos[0], error.message.split("\n")[0]);
  if (document.errors.length > 0) return undefined;
  const atPath = (path: readonly PropertyKey[], message: string) => at(offsetOf(document, path, yaml), message);
  const data = document.toJS() as { kind?: unknown } | null;
  const manifest = data?.kind === "system" ? systemManifest(file, data, atPath) : serviceManifest(file, data, atPath);
  return problems.length === before ? manifest : undefined;
}

/** Where the value at a path stands; the nearest enclosing one when it is missing. */
function offsetOf(document: import("yaml").Document, path: readonly PropertyKey[], yaml: Yaml): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (yaml.isNode(node) && node.range != null) return node.range[0];
  }
  return 0;
}

type Report = (path: readonly PropertyKey[], message: string) => void;

function systemManifest(file: string, data: unknown, report: Report): Manifest | undefined {
  const parsed = systemFormat.safeParse(data);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) report(issue.path, issue.message);
    return undefined;
  }
  const { service, description, relations } = parsed.data;
  return {
    kind: "system",
    file,
    service,
    description,
    relations: Object.entries(relations).map(([name, relation]) => ({
      name,
      description: relation.description,
      columns: Object.entries(relation.columns).map(([column, declared]) => {
        checkType(declared.type, ["relations", name, "columns", column, "type"], report);
        return { name: column, ...declared };
      }),
    })),
  };
}

function checkType(type: string, path: readonly PropertyKey[], report: Report): void {
  try {
    parseTypeName(type);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    report(path, `"${type}" is not a PostgreSQL type: ${error.message}`);
  }
}

function serviceManifest(file: string, data: unknown, report: Report): Manifest | undefined {
  const parsed = serviceFormat.safeParse(data);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) report(issue.path, issue.message);
    return undefined;
  }
  const { service, description, resources } = parsed.data;
  const models = Object.entries(resources).map(([name, resource]): ResourceModel => {
    const path = ["resources", name];
    const { select, insert, update, delete: remove, keys, primaryKey, row } = resource;
    const columns = Object.keys((row.properties as Record<string, unknown> | undefined) ?? {});
    if (columns.length === 0) report([...path, "row"], "row must be an object with properties: they are the columns");
    for (const key of keys) if (!columns.includes(key)) report([...path, "keys"], `"${key}" is not a property of row`);
    for (const key of primaryKey)
      if (!columns.includes(key)) report([...path, "primaryKey"], `"${key}" is not a property of row`);
    const verbs: Record<string, McpVerb> = {};
    for (const [verbName, verb] of Object.entries({ select, insert, update, delete: remove })) {
      if (verb === undefined) continue;
      verbs[verbName] = verb as McpVerb;
      for (const column of templateColumns((verb.input ?? null) as Template))
        if (!columns.includes(column)) report([...path, verbName, "input"], `"{${column}}" is not a property of row`);
      for (const column of Object.keys(verb.fields ?? {}))
        if (!columns.includes(column)) report([...path, verbName, "fields"], `"${column}" is not a property of row`);
    }
    if (Object.keys(verbs).length === 0) report(path, "give it at least one verb: select, insert, update or delete");
    return {
      name,
      table: tableName(service, name),
      description: resource.description,
      volatility: resource.volatility,
      row,
      keys,
      keyAlternatives: [],
      primaryKey: primaryKey.length > 0 ? primaryKey : keys,
      columns: {},
      calls: {},
      verbs: { kind: "mcp", verbs },
    };
  });
  return { kind: "service", file, service, description, connector: { kind: "mcp" }, defaults: {}, resources: models };
}

/** `memory_entities`; the service's name is not repeated when the resource's has it already. */
function tableName(service: string, resource: string): string {
  return resource.split("_").includes(service) ? resource : `${service}_${resource}`;
}
