#!/usr/bin/env node
/** `glove-gen`: compiles manifests of services into typed modules. */
import process from "node:process";
import { cac } from "cac";
import { compareGenerated, generate, type Staleness, writeGenerated } from "../codegen/generate.js";
import { ManifestError } from "../codegen/manifest/model.js";

const cli = cac("glove-gen");

cli
  .command("<folder>", "Compile the manifests (*.yaml, *.json) of a folder into TypeScript modules")
  .option("--out <folder>", "Where the modules go", { default: "generated" })
  .option("--check", "Write nothing; fail when a generated file is stale")
  .example("glove-gen manifests")
  .example("glove-gen manifests --check")
  .action(async (folder: string, options: { out: string; check?: boolean }) => {
    const files = await generate(folder);
    if (options.check === true) {
      const stale = await compareGenerated(options.out, files);
      const lines = describe(stale, { changed: "stale", missing: "missing", extra: "no longer declared" });
      for (const line of lines) process.stderr.write(`${line}\n`);
      if (lines.length > 0) {
        process.stderr.write(`Run glove-gen ${folder} and commit ${options.out}.\n`);
        process.exitCode = 1;
      } else process.stdout.write(`${files.size} generated files are up to date\n`);
      return;
    }
    const written = await writeGenerated(options.out, files);
    for (const line of describe(written, { changed: "changed", missing: "new", extra: "removed" }))
      process.stdout.write(`${line}\n`);
    process.stdout.write(`${files.size} files in ${options.out}\n`);
  });

cli.help();

function describe(staleness: Staleness, words: Record<keyof Staleness, string>): string[] {
  return (["changed", "missing", "extra"] as const).flatMap((kind) =>
    staleness[kind].map((path) => `${words[kind]}: ${path}`),
  );
}

try {
  cli.parse(process.argv, { run: false });
  if (cli.matchedCommand === undefined && cli.options.help !== true) {
    cli.outputHelp();
    process.exitCode = 2;
  } else await cli.runMatchedCommand();
} catch (error) {
  process.stderr.write(
    `${error instanceof ManifestError ? error.message : `glove-gen: ${error instanceof Error ? error.message : String(error)}`}\n`,
  );
  process.exitCode = 1;
}
