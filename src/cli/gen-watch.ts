/** `glove-gen <folder> --watch`: compiles again whenever a file of the folder changes. */
import { watch } from "node:fs";
import process from "node:process";
import { compileManifests, type GenOptions } from "./gen-compile.js";

/** Milliseconds for which changes are gathered: editors write a file in several steps. */
const settleMs = 100;

/**
 * Runs until the process is interrupted.
 * @param onError is told of each compilation that failed; the watch goes on
 */
export async function watchManifests(
  folder: string,
  options: GenOptions,
  onError: (error: unknown) => void,
): Promise<void> {
  const compile = () => compileManifests(folder, options).catch(onError);
  await compile();
  process.stdout.write(`watching ${folder}\n`);
  let waiting: NodeJS.Timeout | undefined;
  // One compilation after the other, so that an older one never writes over a newer one.
  let last: Promise<unknown> = Promise.resolve();
  watch(folder, { recursive: true }, () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      last = last.then(compile);
    }, settleMs);
  });
}
