/**
 * The golden folders: `golden/<case>/` holds manifests and, in `expected/`, the modules that they give.
 * `npx tsx test/codegen/golden.ts` writes what is given now; read the diff before committing it.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generate } from "../../src/codegen/generate.js";
import { writeGenerated } from "../../src/codegen/write-generated.js";

export const goldenFolder = fileURLToPath(new URL("golden", import.meta.url));

/** Names of the cases. */
export async function goldenCases(): Promise<string[]> {
  const entries = await readdir(goldenFolder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function update(): Promise<void> {
  for (const name of await goldenCases()) {
    const { files } = await generate(join(goldenFolder, name)).catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    });
    const { changed, missing, extra } = await writeGenerated(join(goldenFolder, name, "expected"), files);
    for (const path of [...changed, ...missing, ...extra]) process.stdout.write(`${name}/expected/${path}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await update();
