/** `glove-gen <folder> --watch`: compiles again whenever a file of the folder changes. */
import { type FSWatcher, watch } from "node:fs";
import { constants } from "node:os";
import process from "node:process";
import { compileManifests, type GenOptions } from "./gen-compile.js";

/** Milliseconds for which changes are gathered: editors write a file in several steps. */
const settleMs = 100;

/**
 * Runs until the process is interrupted; a compilation that is under way then is finished, so that no file stays half
 * written.
 * @param onError is told of each compilation that failed; the watch goes on
 * @returns the exit code: 128 and the signal's number, as shells have it (130 for Ctrl-C)
 * @throws Error for a folder that is not there, or can't be watched any more
 */
export async function watchManifests(
  folder: string,
  options: GenOptions,
  onError: (error: unknown) => void,
): Promise<number> {
  // Watched before it is read: a change during the first compilation is one more compilation.
  const watcher = watch(folder, { recursive: true });
  const ended = endOf(watcher);
  const compile = () => compileManifests(folder, options).catch(onError);
  // One compilation after the other, so that an older one never writes over a newer one.
  let last: Promise<unknown> = compile().then(() => process.stdout.write(`watching ${folder}\n`));
  let waiting: NodeJS.Timeout | undefined;
  watcher.on("change", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      last = last.then(compile);
    }, settleMs);
  });
  try {
    return await ended;
  } finally {
    clearTimeout(waiting);
    watcher.close();
    await last;
  }
}

/** Waits for a signal, or for the end of the folder. */
function endOf(watcher: FSWatcher): Promise<number> {
  return new Promise((resolve, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => resolve(128 + constants.signals[signal]));
    watcher.once("error", reject);
  });
}
