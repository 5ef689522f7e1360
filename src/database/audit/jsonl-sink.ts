/** Audit records as lines of JSON in a file that is turned over when it is full. */
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { AuditRecord, AuditSink } from "./records.js";

const lineEnd = 0x0a;

/** Where and how the lines are kept. */
export interface JsonlSinkOptions {
  /** The file that is written; made with its folders when it is not there, appended to when it is. */
  readonly path: string;
  /** Bytes after which the file becomes `path.1` and a new one begins. Default 64 MiB. A line is never split. */
  readonly maxBytes?: number;
  /** Files kept, the one that is written included; the oldest goes. Default 8. */
  readonly maxFiles?: number;
  /** Whether each record is on the disk (fsync) before its statement answers. Default false. */
  readonly sync?: boolean;
}

/**
 * Appends each record as one line of JSON (UTF-8). One process writes a file.
 * @throws RangeError for sizes that are none
 */
export function jsonlSink(options: JsonlSinkOptions): AuditSink {
  const { path, maxBytes = 64 * 1024 * 1024, maxFiles = 8, sync = false } = options;
  if (!(maxBytes > 0)) throw new RangeError(`maxBytes must be above 0, not ${maxBytes}`);
  if (!(Number.isInteger(maxFiles) && maxFiles > 0))
    throw new RangeError(`maxFiles must be 1 or more, not ${maxFiles}`);
  const file = new RotatingFile(path, maxBytes, maxFiles, sync);
  return {
    write: (record: AuditRecord) => file.append(`${JSON.stringify(record)}\n`),
    close: () => file.close(),
  };
}

class RotatingFile {
  private handle: FileHandle | undefined;
  private size = 0;
  /** Appends come one after the other; one that fails does not stop the next. */
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly maxBytes: number,
    private readonly maxFiles: number,
    private readonly sync: boolean,
  ) {}

  append(line: string): Promise<void> {
    return this.inOrder(() => this.appendNow(Buffer.from(line, "utf8")));
  }

  close(): Promise<void> {
    return this.inOrder(() => this.closeNow());
  }

  private inOrder(step: () => Promise<void>): Promise<void> {
    const run = this.last.then(step);
    this.last = run.catch(() => undefined);
    return run;
  }

  private async appendNow(line: Buffer): Promise<void> {
    let handle = await this.opened();
    if (this.size > 0 && this.size + line.length > this.maxBytes) {
      await this.turnOver();
      handle = await this.opened();
    }
    try {
      await handle.appendFile(line);
    } catch (error) {
      await this.closeNow(); // opened anew, it is seen how much of the line is there
      throw error;
    }
    this.size += line.length;
    if (this.sync) await handle.sync();
  }

  private async opened(): Promise<FileHandle> {
    if (this.handle !== undefined) return this.handle;
    await mkdir(dirname(this.path), { recursive: true });
    const handle = await open(this.path, "a");
    try {
      this.size = await sizeInLines(handle, this.path);
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.handle = handle;
    return handle;
  }

  /** `path` becomes `path.1`, that `path.2`, and so on; the last one goes. */
  private async turnOver(): Promise<void> {
    await this.closeNow();
    await rm(this.kept(this.maxFiles - 1), { force: true });
    for (let n = this.maxFiles - 2; n >= 0; n--) await renameIfThere(this.kept(n), this.kept(n + 1));
  }

  private kept(n: number): string {
    return n === 0 ? this.path : `${this.path}.${n}`;
  }

  private async closeNow(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    this.size = 0;
    await handle?.close();
  }
}

/**
 * The size of a file that ends with a line's end: half a line, of a full disk or a crash, stays a line of its own, so that
 * the next record is not lost with it.
 */
async function sizeInLines(handle: FileHandle, path: string): Promise<number> {
  const { size } = await handle.stat();
  if (size === 0) return 0;
  const reader = await open(path, "r");
  try {
    const { buffer } = await reader.read(Buffer.alloc(1), 0, 1, size - 1);
    if (buffer[0] === lineEnd) return size;
  } finally {
    await reader.close();
  }
  await handle.appendFile("\n");
  return size + 1;
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
