/**
 * A journal in a file: lines are appended and are on the disk (fsync) before `append` resolves. Only the last line can be
 * torn by a crash, for each is on the disk before the next is written: it is cut off when the file is opened, and said so.
 * Anything else that is not as it was written is an error, since what stands behind it can't be trusted.
 */
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { countOf } from "../../errors/words.js";
import { fileLines, readLine, writtenLine } from "./file-lines.js";
import { lockFile } from "./file-lock.js";
import type { Journal, JournalEntry } from "./journal.js";

/** The end of a file that was cut off. */
export interface TornLine {
  readonly path: string;
  /** Where it began. */
  readonly offset: number;
  readonly bytes: number;
}

/** Options of {@link fileJournal}. */
export interface FileJournalOptions {
  /** Made with its folders when it is not there. */
  readonly path: string;
  /** Is told of a last line that a crash has torn, before it is cut off. Default: a warning of the process. */
  readonly onTorn?: (torn: TornLine) => void;
}

/**
 * One process at a time uses the file: `open()` and the first `append()` take a lock beside it, which a dead process does
 * not keep. Nothing is removed from the file; one that has grown too long is put aside by the host when nothing is in doubt
 * and no key of its own (`ExecuteOptions.idempotencyKey`) will be repeated.
 *
 * `open()` and `append()` throw an Error when another process has the file, SqlError 58030 when a line of it is damaged.
 */
export function fileJournal({ path, onTorn = warn }: FileJournalOptions): Journal {
  const file = new JournalFile(resolve(path), onTorn);
  return {
    append: (entry) => file.append(entry),
    open: () => file.entries(),
    close: () => file.close(),
  };
}

interface Waiting {
  readonly entry: JournalEntry;
  resolve(): void;
  reject(error: unknown): void;
}

class JournalFile {
  private opening: Promise<FileHandle> | undefined;
  private unlock: (() => Promise<void>) | undefined;
  /** Bytes and lines that are surely on the disk. */
  private size = 0;
  private lines = 0;
  private waiting: Waiting[] = [];
  private writing: Promise<void> | undefined;
  private broken: Error | undefined;
  private closed = false;

  constructor(
    private readonly path: string,
    private readonly onTorn: (torn: TornLine) => void,
  ) {}

  /** Entries that wait while others are written go into the next line together: one fsync for all. */
  append(entry: JournalEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ entry, resolve, reject });
      this.writing ??= this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0);
      try {
        await this.writeLine(batch.map(({ entry }) => entry));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.writing = undefined;
  }

  private async writeLine(entries: readonly JournalEntry[]): Promise<void> {
    const handle = await this.opened();
    if (this.broken !== undefined) throw this.broken;
    const line = writtenLine(this.lines, entries);
    try {
      await writeFully(handle, line, this.size);
    } catch (error) {
      await this.cutBack(handle);
      throw error;
    }
    try {
      await handle.datasync();
    } catch (error) {
      // What the system has of the line is not known, and after a failed fsync it may say that all is well.
      this.broken = new Error(`an fsync of the journal failed earlier: ${wordsOf(error)}; open it anew`, {
        cause: error,
      });
      throw error;
    }
    this.size += line.length;
    this.lines += 1;
  }

  /** A line that was written in part must not stay before the next one. */
  private async cutBack(handle: FileHandle): Promise<void> {
    try {
      await handle.truncate(this.size);
    } catch (error) {
      this.broken = new Error(`the journal ends with half a line: ${wordsOf(error)}; open it anew`, { cause: error });
    }
  }

  async *entries(): AsyncIterable<JournalEntry> {
    const handle = await this.opened();
    yield* readEntries(handle, this.size, this.path);
  }

  private opened(): Promise<FileHandle> {
    if (this.closed) return Promise.reject(new Error("the journal is closed"));
    if (this.opening === undefined) {
      const opening = this.openFile();
      opening.catch(() => {
        if (this.opening === opening) this.opening = undefined; // another try may find it free
      });
      this.opening = opening;
    }
    return this.opening;
  }

  private async openFile(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true });
    const unlock = await lockFile(this.path);
    try {
      const handle = await openOrMake(this.path);
      try {
        await this.check(handle);
      } catch (error) {
        await handle.close();
        throw error;
      }
      this.unlock = unlock;
      return handle;
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** Reads the file through. @throws SqlError 58030 for a damaged line that is not the last */
  private async check(handle: FileHandle): Promise<void> {
    const { size } = await handle.stat();
    let lines = 0;
    let good = 0;
    let bad: { readonly offset: number; readonly line: number } | undefined;
    for await (const { bytes, offset, hasEnd } of fileLines(handle, size)) {
      if (bad !== undefined) throw damaged(this.path, bad);
      if (!hasEnd || readLine(bytes, lines) === undefined) bad = { offset, line: lines + 1 };
      else {
        lines += 1;
        good = offset + bytes.length + 1;
      }
    }
    if (bad !== undefined) {
      this.onTorn({ path: this.path, offset: bad.offset, bytes: size - bad.offset });
      await handle.truncate(good);
      await handle.sync();
    }
    this.size = good;
    this.lines = lines;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    await this.writing;
    this.closed = true;
    const handle = await this.opening?.catch(() => undefined); // whoever opened it was told
    await handle?.close();
    await this.unlock?.();
  }
}

async function* readEntries(handle: FileHandle, size: number, path: string): AsyncIterable<JournalEntry> {
  let line = 0;
  for await (const { bytes, offset } of fileLines(handle, size)) {
    const entries = readLine(bytes, line);
    line += 1;
    if (entries === undefined) throw damaged(path, { offset, line });
    yield* entries;
  }
}

/** A new file is on the disk with its name before it is written to. */
async function openOrMake(path: string): Promise<FileHandle> {
  const handle = await open(path, "a+").then(async (made) => {
    await made.close();
    return open(path, "r+"); // writes go where they are told: appending would put one behind half a line
  });
  try {
    await handle.sync();
    await syncFolder(dirname(path));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return; // folders can't be opened there
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function writeFully(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

function damaged(path: string, { offset, line }: { readonly offset: number; readonly line: number }): SqlError {
  return new SqlError(sqlstate.ioError, `the journal ${path} is damaged at line ${line}`, {
    detail: `The line that begins at byte ${offset} is not as it was written, and lines stand behind it.`,
    hint: "Restore the file, or put it aside and settle by hand what it holds in doubt.",
  });
}

function warn({ path, offset, bytes }: TornLine): void {
  process.emitWarning(
    `the last line of the journal ${path} was torn by a crash: ${countOf(bytes, "byte")} from byte ${offset} on are cut off`,
    { code: "GLOVE_JOURNAL_TORN" },
  );
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
