/**
 * One process at a time writes a file: whoever holds the lock with the highest number beside it, `journal.lock.7`. A lock
 * whose process is gone is not removed but outbid: the next number can be made by one process only, so that of two that find
 * the same dead lock one gets the file. A process is told from a later one of the same number by when it started.
 */
import { link, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start of the process in the system's own terms; empty where the system does not say. */
  readonly started: string;
}

/** @returns what gives the lock back. @throws Error that names the process which has it */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  const self: Holder = { pid: process.pid, host: hostname(), started: (await startOf(process.pid)) ?? "" };
  for (;;) {
    const held = await lockNumbers(path);
    const highest = Math.max(0, ...held);
    if (highest > 0) await refuseLiving(path, lockName(path, highest));
    const mine = highest + 1;
    if (!(await made(lockName(path, mine), self))) continue;
    const now = await lockNumbers(path);
    if (Math.max(...now) > mine) {
      await rm(lockName(path, mine), { force: true });
      continue;
    }
    for (const number of now) if (number < mine) await rm(lockName(path, number), { force: true });
    return () => rm(lockName(path, mine), { force: true });
  }
}

function lockName(path: string, number: number): string {
  return `${path}.lock.${number}`;
}

async function lockNumbers(path: string): Promise<number[]> {
  const start = `${basename(path)}.lock.`;
  const names = await readdir(dirname(path));
  return names.flatMap((name) => {
    const number = name.startsWith(start) ? name.slice(start.length) : "";
    return /^\d+$/.test(number) ? [Number(number)] : [];
  });
}

/** A lock appears with its content or not at all. @returns false when there is one already */
async function made(lock: string, self: Holder): Promise<boolean> {
  const draft = join(dirname(lock), `.${basename(lock)}.${globalThis.crypto.randomUUID()}`);
  try {
    await writeFile(draft, JSON.stringify(self), { flag: "wx" });
    await link(draft, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function refuseLiving(path: string, lock: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(lock, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return; // given back meanwhile
    throw error;
  }
  const holder = JSON.parse(text) as Holder;
  const where = holder.host === hostname() ? "" : ` on ${holder.host}`;
  if (where === "" && !(await isLiving(holder))) return;
  throw new Error(
    `the journal ${path} is in use by process ${holder.pid}${where}; if that is no database any more, remove ${lock}`,
  );
}

async function isLiving({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
  const now = await startOf(pid);
  return started === "" || now === undefined || now === started;
}

/**
 * Boot of the system and ticks from it to the start of the process; `undefined` where the system does not say.
 * Source: proc(5), /proc/pid/stat field 22.
 */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const boot = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // from field 3 on: the name may have spaces
    return `${boot} ${fields[19]}`;
  } catch {
    return undefined; // no /proc: the number alone has to tell
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
