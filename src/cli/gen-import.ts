/** `glove-gen import …`: manifests from other descriptions of services. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import process from "node:process";
import type { CAC } from "cac";
import type { ManifestDraft, Yaml } from "../codegen/import/draft.js";
import { importMcp } from "../codegen/import/mcp/import-mcp.js";
import { sampleTools } from "../codegen/import/mcp/sample.js";
import { recordedAnswers, type ToolAnswer, type ToolList, toolListOf } from "../codegen/import/mcp/tools.js";
import { importOpenApi } from "../codegen/import/openapi/import-openapi.js";
import { summaryLines } from "../codegen/import/summary.js";
import { columnName } from "../codegen/import/words.js";
import { writeManifest } from "../codegen/import/write-manifest.js";
import { type ConnectMcpOptions, connectMcp } from "../mcp/client/connect.js";

interface ImportOptions {
  readonly out?: string;
  readonly force?: boolean;
  readonly service?: string;
  readonly baseUrl?: string;
  readonly server?: string;
  readonly sample?: boolean;
  readonly samples?: string;
  readonly "--"?: readonly string[];
}

/** Adds the import commands to the command line. */
export function addImportCommands(cli: CAC): void {
  cli
    .command("import <format> [...source]", "Make a manifest of an OpenAPI document or of the tools of an MCP server", {
      allowUnknownOptions: false,
    })
    .usage(
      `import openapi <file> [options]
  $ glove-gen import mcp <url | servers.json | tools.json> [options]
  $ glove-gen import mcp [options] -- <command> [...arguments]

  Operations or tools about one thing become one table with its verbs. Lines with "# review:" in the manifest say
  what was guessed; read them, correct the file, and compile it with glove-gen <folder>.`,
    )
    .option("--out <file>", "Where the manifest goes (default: standard output)")
    .option("--force", "Overwrite the file of --out")
    .option("--service <name>", "Name of the service, with which the tables' names begin")
    .option("--base-url <url>", "openapi: address of the service, where the document's is missing, relative or another")
    .option("--server <name>", "mcp: which server of a servers file (mcpServers)")
    .option("--sample", "mcp: call tools that say they only read and need no argument, to learn what they answer")
    .option("--samples <file>", "mcp: recorded calls, { calls: [{ tool, result }] }, to learn it from")
    .example("glove-gen import openapi petstore.yaml --out manifests/petstore.yaml")
    .example("glove-gen import mcp tools.json --service github --out manifests/github.yaml")
    .example("glove-gen import mcp --service memory --sample -- npx -y @modelcontextprotocol/server-memory")
    .action(async (format: string, source: string[], options: ImportOptions) => {
      process.exitCode = await runImport(format, [...source, ...(options["--"] ?? [])], options);
    });
}

/** @returns the exit code: 2 for a command line that says too little, else 0 */
async function runImport(format: string, source: readonly string[], options: ImportOptions): Promise<number> {
  if (format !== "openapi" && format !== "mcp")
    return misused(`import takes openapi or mcp, not ${JSON.stringify(format)}`);
  if (source.length === 0)
    return misused(`import ${format} needs ${format === "mcp" ? "a server or a list of tools" : "a file"}`);
  if (options.out !== undefined && options.force !== true && existsSync(options.out))
    throw new Error(`${options.out} is there already, and may have been corrected by hand: --force overwrites it`);
  const draft = format === "openapi" ? await fromOpenApi(source, options) : await fromMcp(source, options);
  if (draft.resources.length === 0) {
    for (const line of summaryLines(draft, format === "openapi" ? "operations" : "tools"))
      process.stderr.write(`${line}\n`);
    throw new Error("nothing in it can be a table");
  }
  const text = await writeManifest(draft);
  if (options.out === undefined) process.stdout.write(text);
  else {
    await mkdir(dirname(options.out), { recursive: true });
    await writeFile(options.out, text);
  }
  const lines = summaryLines(draft, format === "openapi" ? "operations" : "tools");
  if (options.out !== undefined) lines.push(`written to ${options.out}`);
  for (const line of lines) process.stderr.write(`${line}\n`);
  return 0;
}

function misused(message: string): number {
  process.stderr.write(`glove-gen: ${message}; see glove-gen import --help\n`);
  return 2;
}

async function fromOpenApi([file]: readonly string[], options: ImportOptions): Promise<ManifestDraft> {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const { service, baseUrl } = options;
  return importOpenApi(await readFile(file, "utf8"), {
    file: basename(file),
    ...(service !== undefined && { service }),
    ...(baseUrl !== undefined && { baseUrl }),
  });
}

async function fromMcp(source: readonly string[], options: ImportOptions): Promise<ManifestDraft> {
  const [first] = source;
  const recorded =
    options.samples === undefined ? new Map<string, ToolAnswer[]>() : recordedAnswers(await readJson(options.samples));
  if (source.length === 1 && first.endsWith(".json")) {
    if (!existsSync(first)) throw new Error(`there is no file ${first}`);
    const document = await readJson(first);
    const list = toolListOf(document);
    if (list !== undefined) {
      if (options.sample === true)
        throw new Error("--sample needs a server to ask; a saved list takes --samples <file>");
      return importMcp(list, mcpOptions(list, basename(first), recorded, options));
    }
    const { name, target } = serverOf(document, first, options.server);
    return fromServer(target, options.service ?? name, `server "${name}" of ${basename(first)}`, recorded, options);
  }
  const target = /^https?:\/\//i.test(first) ? { url: first } : { command: first, args: source.slice(1) };
  const service = options.service ?? guessedService(source);
  return fromServer(target, service, source.join(" "), recorded, options);
}

type ServerTarget = Pick<ConnectMcpOptions, "command" | "args" | "env" | "url" | "headers">;

async function fromServer(
  target: ServerTarget,
  service: string,
  source: string,
  recorded: Map<string, ToolAnswer[]>,
  options: ImportOptions,
): Promise<ManifestDraft> {
  const connection = await connectMcp({ namespace: service, ...target });
  try {
    const tools = await connection.listTools();
    if (options.sample === true) {
      const { answers, failed } = await sampleTools(tools, connection);
      for (const [tool, reason] of failed) process.stderr.write(`not sampled: ${tool}: ${reason}\n`);
      for (const [tool, found] of answers) recorded.set(tool, [...(recorded.get(tool) ?? []), ...found]);
    }
    const list: ToolList = { tools, server: service };
    // Variables and headers may be secrets: a manifest does not repeat them.
    const server: Record<string, Yaml> =
      target.url === undefined
        ? { command: String(target.command), ...(target.args?.length ? { args: [...target.args] } : {}) }
        : { url: String(target.url) };
    return importMcp(list, { ...mcpOptions(list, source, recorded, { ...options, service }), server });
  } finally {
    await connection.close();
  }
}

function mcpOptions(
  list: ToolList,
  source: string,
  samples: ReadonlyMap<string, readonly ToolAnswer[]>,
  options: ImportOptions,
) {
  const named = options.service ?? list.server ?? source.replace(/\.json$/, "");
  return { service: serviceIdentifier(named), samples, source: `Imported from ${source} by glove-gen import mcp.` };
}

/** Lower-case letters, digits and `_`, beginning with a letter. */
function serviceIdentifier(name: string): string {
  const plain = columnName(name.split("/").at(-1) ?? name).replaceAll(/[^a-z0-9_]/g, "_");
  return /^[a-z]/.test(plain) ? plain : `s${plain.startsWith("_") ? "" : "_"}${plain}`;
}

/** `npx -y @modelcontextprotocol/server-memory` → memory; `https://mcp.example.com/mcp` → example. */
function guessedService(source: readonly string[]): string {
  const [first] = source;
  if (/^https?:\/\//i.test(first)) return serviceIdentifier(new URL(first).hostname.split(".").at(-2) ?? "server");
  const named = source.find((word, index) => index > 0 && !word.startsWith("-")) ?? first;
  const last = basename(named)
    .replace(/@[\d.]+$/, "")
    .replace(/\.\w+$/, "");
  return serviceIdentifier(last.replace(/^(mcp-)?server-|^mcp-|-mcp(-server)?$/g, "") || last);
}

function serverOf(document: unknown, file: string, wanted: string | undefined): { name: string; target: ServerTarget } {
  const servers = Object.entries((document as { mcpServers?: Record<string, ServerTarget> } | null)?.mcpServers ?? {});
  if (servers.length === 0) throw new Error(`${file} is neither a list of tools nor a file with "mcpServers"`);
  const names = servers.map(([name]) => name).join(", ");
  if (wanted === undefined && servers.length > 1)
    throw new Error(`${file} names several servers: choose with --server (${names})`);
  const found = servers.find(([name]) => wanted === undefined || name === wanted);
  if (found === undefined) throw new Error(`${file} has no server "${wanted}": it names ${names}`);
  const [name, { command, args, env, url, headers }] = found;
  if (command === undefined && url === undefined)
    throw new Error(`server "${name}" of ${file} has neither "command" nor "url"`);
  return {
    name: serviceIdentifier(name),
    target:
      url === undefined
        ? { command, ...(args && { args }), ...(env && { env }) }
        : { url, ...(headers && { headers }) },
  };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error(`${file} is no JSON: ${error.message}`, { cause: error });
    throw error;
  }
}
