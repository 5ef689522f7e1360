/** A draft as the text of a manifest: YAML that a person would have written, with `# review:` comments. */
import type { Document, Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import { optionalPeer } from "../peers.js";
import type { ManifestDraft, Note, ResourceDraft, Yaml } from "./draft.js";

type YamlPackage = typeof import("yaml");

/** Wider lines are folded; collections on one line are no wider. */
const width = 110;

/** The text of the manifest; the same draft gives the same bytes. */
export async function writeManifest(draft: ManifestDraft): Promise<string> {
  const yaml = await optionalPeer<YamlPackage>("yaml", () => import("yaml"));
  const document = new yaml.Document({
    service: draft.service,
    description: draft.description,
    connector: draft.connector,
    resources: Object.fromEntries(draft.resources.map((resource) => [resource.name, resourceYaml(resource)])),
  });
  const notes: Note[] = [
    ...draft.notes,
    ...draft.resources.flatMap((resource) =>
      resource.notes.map(({ at, text }) => ({ at: ["resources", resource.name, ...at], text })),
    ),
  ];
  compact(document.contents as YAMLMap, 0, new Set(notes.map((note) => note.at.join("\0"))), "", yaml);
  for (const note of notes) comment(document, note, yaml);
  document.commentBefore = headOf(draft);
  return document.toString({ lineWidth: width, flowCollectionPadding: true, commentString });
}

function headOf(draft: ManifestDraft): string {
  const lines = [draft.source];
  const reviewed = draft.notes.length + draft.resources.reduce((sum, resource) => sum + resource.notes.length, 0);
  if (reviewed > 0) lines.push('Read the lines that begin with "review:": they say what was guessed.');
  if (draft.skipped.length > 0)
    lines.push("Left out:", ...draft.skipped.map((one) => `- ${one.operation}: ${one.reason}`));
  return lines.join("\n");
}

/** Comments are folded like text. */
function commentString(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => fold(line, width - 10))
    .map((line) => (line === "" ? "#" : `# ${line}`))
    .join("\n");
}

function fold(line: string, most: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + word.length + 1 > most) {
      lines.push(current);
      current = `  ${word}`;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

function resourceYaml(resource: ResourceDraft): { readonly [key: string]: Yaml } {
  const { columns, required, keys, primaryKey, verbs } = resource;
  return {
    description: resource.description,
    volatility: resource.volatility,
    row: {
      type: "object",
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(columns) as { readonly [key: string]: Yaml },
    },
    ...(keys.length > 0 && { keys }),
    ...(primaryKey.length > 0 && { primaryKey }),
    ...(resource.arguments.length > 0 && { arguments: resource.arguments }),
    ...Object.fromEntries(verbs),
  };
}

/** Collections that fit go on one line, as in `{ type: string }`; the outer structure stays on lines of its own. */
function compact(node: Node | null, indent: number, noted: ReadonlySet<string>, path: string, yaml: YamlPackage): void {
  if (!yaml.isCollection(node)) return;
  padFlow(node, yaml.isMap(node) ? " " : "");
  const isInner = [...path].filter((character) => character === "\0").length >= 2 || path === "connector";
  const hasNote = [...noted].some((place) => place.startsWith(`${path}\0`));
  if (isInner && !hasNote && indent + flowLength(node.toJSON()) <= width) {
    node.flow = true;
    padInner(node, yaml);
    return;
  }
  for (const item of node.items) {
    const value = (yaml.isPair(item) ? item.value : item) as Node | null;
    const key = yaml.isPair(item) ? String(item.key) : "-";
    const depth = path === "" ? 0 : path.split("\0").length;
    compact(value, 2 * depth + key.length + 2, noted, path === "" ? key : `${path}\0${key}`, yaml);
  }
}

/** `{ a: 1 }` and `[a]`, as formatters write them; the package knows one padding for both. */
function padFlow(node: YAMLMap | YAMLSeq, flowCollectionPadding: string): void {
  const plain = node.toString.bind(node);
  node.toString = (context, ...rest) =>
    context === undefined ? plain() : plain(Object.assign({}, context, { flowCollectionPadding }), ...rest);
}

function padInner(node: YAMLMap | YAMLSeq, yaml: YamlPackage): void {
  for (const item of node.items) {
    const value = yaml.isPair(item) ? item.value : item;
    if (!yaml.isCollection(value)) continue;
    padFlow(value as YAMLMap, yaml.isMap(value) ? " " : "");
    padInner(value as YAMLMap, yaml);
  }
}

/** About as long as the value is on one line: JSON without most quotes, with blanks. */
function flowLength(value: unknown): number {
  return JSON.stringify(value)
    .replaceAll('"', "")
    .replaceAll(/[,:{}[\]]/g, "$& ").length;
}

function comment(document: Document, note: Note, yaml: YamlPackage): void {
  let map: unknown = document.contents;
  let pair: Pair | undefined;
  for (const key of note.at) {
    if (!yaml.isMap(map)) break;
    const found: Pair | undefined = map.items.find((item) => String(item.key) === key);
    if (found === undefined) break;
    pair = found;
    map = found.value;
  }
  const node = pair?.key;
  if (!yaml.isNode(node)) return;
  const text = `review: ${note.text}`;
  node.commentBefore = node.commentBefore ? `${node.commentBefore}\n${text}` : text;
}
