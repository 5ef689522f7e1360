/** A manifest's text, parsed, with the place of everything in it. */
import { optionalPeer } from "../peers.js";
import type { ManifestProblem } from "./model.js";

type Yaml = typeof import("yaml");

/** Way to a value: keys and indexes. */
export type Path = readonly PropertyKey[];

/** Reports a problem. @param options.key the place is the last key of the path, not its value */
export type Report = (
  path: Path,
  message: string,
  options?: { readonly hint?: string; readonly key?: boolean },
) => void;

export interface ManifestSource {
  readonly file: string;
  /** `undefined` when the text could not be read. */
  readonly data: unknown;
  readonly report: Report;
}

/** Parses YAML or JSON. @param problems gets what is wrong, also what is reported later */
export async function parseManifest(file: string, text: string, problems: ManifestProblem[]): Promise<ManifestSource> {
  const yaml = await optionalPeer<Yaml>("yaml", () => import("yaml"));
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const at = (offset: number, message: string, hint?: string) => {
    const { line, col } = lines.linePos(offset);
    problems.push({
      file,
      line: Math.max(line, 1),
      column: Math.max(col, 1),
      message,
      ...(hint !== undefined && { hint }),
    });
  };
  const report: Report = (path, message, { hint, key = false } = {}) =>
    at(offsetOf(document, path, key, yaml), message, hint);
  const faults = [...document.errors, ...document.warnings];
  for (const fault of faults) {
    const message = fault.message.split(/[\n;]/)[0];
    at(fault.pos[0], `not readable as YAML: ${message[0].toLowerCase()}${message.slice(1)}`, hintOf(fault.code));
  }
  const aliases = danglingAliases(document, yaml);
  for (const alias of aliases)
    at(alias.range?.[0] ?? 0, `the alias *${alias.source} leads nowhere`, `Set the anchor &${alias.source} before it.`);
  if (faults.length > 0 || aliases.length > 0) return { file, data: undefined, report };
  try {
    return { file, data: document.toJS() as unknown, report };
  } catch (error) {
    at(0, `not readable as YAML: ${error instanceof Error ? error.message : String(error)}`); // aliases without end
    return { file, data: undefined, report };
  }
}

function danglingAliases(document: import("yaml").Document, yaml: Yaml): import("yaml").Alias[] {
  const found: import("yaml").Alias[] = [];
  yaml.visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) === undefined) found.push(alias);
    },
  });
  return found;
}

const hints: Readonly<Record<string, string>> = {
  BAD_INDENT: "Indent the lines of one block alike.",
  TAB_AS_INDENT: "Indent with blanks.",
  DUPLICATE_KEY: "Leave one of them, or give the other another name.",
  MULTIPLE_DOCS: "Put the second document into a file of its own.",
  MISSING_CHAR: "Close what was opened, and put texts with : { } [ ] , # into quotes.",
  BLOCK_AS_IMPLICIT_KEY: "Put texts with : into quotes.",
  TAG_RESOLVE_FAILED: "Tags have no meaning in a manifest: leave it out.",
};

function hintOf(code: string): string | undefined {
  return Object.hasOwn(hints, code) ? hints[code] : undefined;
}

/** Where the value at a path (or its key) stands; the nearest enclosing one when it is missing. */
function offsetOf(document: import("yaml").Document, path: Path, isKey: boolean, yaml: Yaml): number {
  if (isKey && path.length > 0) {
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    const pair = yaml.isMap(parent)
      ? parent.items.find(({ key }) => keyText(key, yaml) === String(path.at(-1)))
      : undefined;
    if (yaml.isNode(pair?.key) && pair.key.range != null) return pair.key.range[0];
  }
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (yaml.isNode(node) && node.range != null) return node.range[0];
  }
  return 0;
}

function keyText(key: unknown, yaml: Yaml): string {
  return String(yaml.isScalar(key) ? key.value : key);
}
