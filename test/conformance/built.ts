/** The built package, whose timings are those of an installation: what is tested and timed here is never the source. */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** DIST may name another build of the package. */
const folder = path.resolve(process.env.DIST ?? path.join(import.meta.dirname, "../../dist"));

/** @throws Error when the package is not built */
export async function builtEngine(): Promise<typeof import("glove-scratchpad/sql")> {
  return import(built("sql.js")) as Promise<typeof import("glove-scratchpad/sql")>;
}

/** @throws Error when the package is not built */
export async function builtPackage(): Promise<typeof import("glove-scratchpad")> {
  return import(built("index.js")) as Promise<typeof import("glove-scratchpad")>;
}

function built(file: string): string {
  const target = path.join(folder, file);
  if (!existsSync(target)) throw new Error(`The package is not built (${target} is missing): run npm run build first.`);
  return pathToFileURL(target).href;
}
