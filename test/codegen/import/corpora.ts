/** The descriptions of real services that importers are tried on; they lie beside the project, where they are there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ManifestDraft } from "../../../src/codegen/import/draft.js";
import { importMcp } from "../../../src/codegen/import/mcp/import-mcp.js";
import { recordedAnswers, toolListOf } from "../../../src/codegen/import/mcp/tools.js";
import { importOpenApi } from "../../../src/codegen/import/openapi/import-openapi.js";

/** Beside the checkout. */
export const corpora = fileURLToPath(new URL("../../../../shared/corpora", import.meta.url));

export const haveCorpora = existsSync(corpora);

/** One description, imported. */
export interface Imported {
  readonly kind: "openapi" | "mcp";
  readonly file: string;
  readonly draft: ManifestDraft;
  /** Tools with an input schema; all operations of a document. */
  readonly typed: readonly string[];
}

/** Every document and list of tools, in the order of their names. */
export async function importAll(): Promise<Imported[]> {
  const files = (folder: string) =>
    readdirSync(join(corpora, folder))
      .filter((file) => file.endsWith(".json"))
      .sort();
  const documents = files("openapi").map(async (file): Promise<Imported> => {
    const draft = await importOpenApi(readFileSync(join(corpora, "openapi", file), "utf8"), { file });
    return { kind: "openapi", file, draft, typed: [] };
  });
  const lists = files("mcp-tools").map((file): Imported => {
    const list = toolListOf(readJson(join(corpora, "mcp-tools", file)));
    if (list === undefined) throw new Error(`${file} is no list of tools`);
    const calls = join(corpora, "mcp-tools", "calls", file);
    const draft = importMcp(list, {
      service: file.replace(".json", "").replaceAll("-", "_"),
      source: `Imported from ${file} by glove-gen import mcp.`,
      ...(existsSync(calls) && { samples: recordedAnswers(readJson(calls)) }),
    });
    return { kind: "mcp", file, draft, typed: list.tools.filter((tool) => tool.inputSchema).map((tool) => tool.name) };
  });
  return [...(await Promise.all(documents)), ...lists];
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Names of tools that a verb of a table calls. */
export function toolsInUse(draft: ManifestDraft): Set<string> {
  return new Set(draft.resources.flatMap((one) => [...one.verbs.values()].map((verb) => String(verb["tool"]))));
}
