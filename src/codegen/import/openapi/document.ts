/** An OpenAPI document as it is read: 2.0, 3.0 and 3.1 told apart, references followed inside the document only. */
import { resolveSchema } from "../../../json-schema/resolve.js";
import { isJsonSchema, type JsonSchema } from "../../../json-schema/schema.js";
import { optionalPeer } from "../../peers.js";

/** Any object of the document; every part is checked where it is read. */
export type Part = JsonSchema;

/** A document whose version is known. */
export interface OpenApiDocument {
  readonly version: "2.0" | "3.0" | "3.1";
  readonly root: Part;
}

/**
 * Reads JSON or YAML.
 * @throws Error for text that is neither, for another kind of document, and for references to other files
 */
export async function readOpenApi(text: string, file: string): Promise<OpenApiDocument> {
  const root = await parse(text, file);
  if (!isJsonSchema(root)) throw new Error(`${file} holds no OpenAPI document: it is no object`);
  const version = versionOf(root, file);
  const foreign = foreignReferences(root);
  if (foreign.length > 0) {
    const listed = foreign.slice(0, 5).map((ref) => `  ${ref}`);
    const rest = foreign.length > 5 ? [`  and ${foreign.length - 5} more`] : [];
    throw new Error(
      [
        `${file} refers to other documents, which are not read:`,
        ...listed,
        ...rest,
        "Bundle it into one file first (a bundler of OpenAPI documents does it), and import that.",
      ].join("\n"),
    );
  }
  return { version, root };
}

async function parse(text: string, file: string): Promise<unknown> {
  const yaml = await optionalPeer<typeof import("yaml")>("yaml", () => import("yaml"));
  // JSON is YAML, and the reader of YAML tells where a mistake is. Documents of some size are read faster as JSON.
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines });
  const [first] = document.errors;
  if (first !== undefined) {
    const { line, col } = lines.linePos(first.pos[0]);
    throw new Error(`${file}:${line}:${col}: ${first.message.split("\n")[0]}`);
  }
  return document.toJS({ maxAliasCount: 1000 });
}

function versionOf(root: Part, file: string): OpenApiDocument["version"] {
  const { swagger, openapi } = root;
  if (swagger === "2.0" || swagger === 2) return "2.0";
  if (typeof openapi === "string" && openapi.startsWith("3.0")) return "3.0";
  if (typeof openapi === "string" && openapi.startsWith("3.1")) return "3.1";
  const said = openapi ?? swagger;
  throw new Error(
    said === undefined
      ? `${file} is no OpenAPI document: it has neither "openapi" nor "swagger"`
      : `${file} is of OpenAPI ${String(said)}; 2.0, 3.0 and 3.1 can be read`,
  );
}

/** References that leave the document, each once. Examples may hold anything, and are not looked at. */
function foreignReferences(root: Part): string[] {
  const found = new Set<string>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (Array.isArray(node)) open.push(...node);
    if (!isJsonSchema(node)) continue;
    if (typeof node.$ref === "string" && !node.$ref.startsWith("#")) found.add(node.$ref);
    for (const [key, value] of Object.entries(node))
      if (key !== "example" && key !== "examples" && !key.startsWith("x-")) open.push(value);
  }
  return [...found].sort();
}

/** The object that a part is or refers to; an empty one for anything else. */
export function partOf(value: unknown, root: Part): Part {
  return isJsonSchema(value) ? resolveSchema(value, root) : {};
}

/** The objects of a list, references followed. */
export function partsOf(value: unknown, root: Part): Part[] {
  return Array.isArray(value) ? value.filter(isJsonSchema).map((part) => resolveSchema(part, root)) : [];
}

/** A text, if it is one and not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
