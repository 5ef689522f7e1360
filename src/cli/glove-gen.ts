#!/usr/bin/env node
/** `glove-gen`: compiles manifests of services into typed modules. */
import process from "node:process";
import { cac } from "cac";
import { ManifestError } from "../codegen/manifest/model.js";
import { compileManifests, counted, type GenOptions } from "./gen-compile.js";
import { addImportCommands } from "./gen-import.js";
import { watchManifests } from "./gen-watch.js";

const cli = cac("glove-gen");

cli
  .command(
    "<folder>",
    "Compile the manifests (*.yaml, *.yml, *.json) and named statements (*.sql) of a folder into TypeScript modules",
  )
  .option("--out <folder>", "Where the modules go; files that were not generated are left alone", {
    default: "generated",
  })
  .option("--check", "Write nothing; fail when a generated file is stale, missing or no longer declared (for CI)")
  .option("--watch", "Compile again whenever a file of the folder changes")
  .example("glove-gen manifests")
  .example("glove-gen manifests --out src/generated --watch")
  .example("glove-gen manifests --check")
  .action(async (folder: string, options: GenOptions & { watch?: boolean }) => {
    if (options.watch === true && options.check === true)
      throw new UsageError("--watch and --check exclude each other");
    process.exitCode =
      options.watch === true
        ? await watchManifests(folder, options, showError)
        : await compileManifests(folder, options);
  });

addImportCommands(cli);

cli.help((sections) => [
  ...sections,
  {
    title: "A manifest",
    body: `  # yaml-language-server: $schema=../node_modules/glove-scratchpad/manifest.schema.json
  service: notes
  description: Notes of the team
  connector: { kind: http, baseUrl: "https://notes.example.com/v1", auth: { bearer: { env: NOTES_TOKEN } } }
  resources:
    note:                                  # table notes_note
      description: One note
      volatility: stable                   # immutable | stable | volatile: how long an answer holds
      row:                                 # JSON Schema; its properties are the columns
        type: object
        required: [id, text]
        properties: { id: { type: integer }, text: { type: string }, tag: { type: string } }
      primaryKey: [id]
      select: { get: /notes, query: { tag: "{tag}" }, rows: $.items, page: { kind: link } }
      insert: { post: /notes, body: { text: "{text}", tag: "{tag}" } }

  Other connectors: { kind: mcp } (a verb is { tool, input, rows }), { kind: module } (a verb is true: your code).`,
  },
  {
    title: "Exit codes",
    body: "  0  done    1  a manifest is wrong, or --check found something    2  wrong usage    130  --watch was interrupted",
  },
]);

/** The command line itself is wrong. */
class UsageError extends Error {}

function showError(error: unknown): void {
  const text =
    error instanceof ManifestError
      ? `${error.message}\n${counted(error.problems.length, "problem")}`
      : `glove-gen: ${error instanceof Error ? error.message : String(error)}`;
  process.stderr.write(`${text}\n`);
}

try {
  cli.parse(process.argv, { run: false });
  if (cli.matchedCommand === undefined && cli.options.help !== true) {
    cli.outputHelp();
    process.exitCode = 2;
  } else await cli.runMatchedCommand();
} catch (error) {
  showError(error);
  const isUsage = error instanceof UsageError || (error instanceof Error && error.name === "CACError");
  process.exitCode = isUsage ? 2 : 1;
}
