/**
 * The lines of a file journal. Each is one append: JSON with its number, a checksum, and the entries that were written
 * together, `{"n":3,"sum":"…","entries":[…]}`. The checksum is over number and entries as they are written, so a line that
 * was changed, cut, moved or lost is noticed.
 */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { JournalEntry } from "./journal.js";

const sumLength = 16;

/** A line with its end. @param number from 0 */
export function writtenLine(number: number, entries: readonly JournalEntry[]): Buffer {
  const text = JSON.stringify(entries);
  return Buffer.from(`{"n":${number},"sum":"${checksum(number, text)}","entries":${text}}\n`, "utf8");
}

/** The first 16 hexadecimal digits of a SHA-256. */
function checksum(number: number, text: string): string {
  return createHash("sha256").update(`${number} ${text}`, "utf8").digest("hex").slice(0, sumLength);
}

/** @returns the entries of a line without its end, `undefined` for one that is not as it was written */
export function readLine(line: Buffer, number: number): JournalEntry[] | undefined {
  const head = `{"n":${number},"sum":"`;
  const middle = `","entries":`;
  const start = head.length + sumLength + middle.length;
  const text = line.toString("utf8");
  const isFramed = text.startsWith(head) && text.startsWith(middle, head.length + sumLength) && text.endsWith("}");
  if (!isFramed) return undefined;
  const entries = text.slice(start, -1);
  if (text.slice(head.length, head.length + sumLength) !== checksum(number, entries)) return undefined;
  return JSON.parse(entries) as JournalEntry[];
}

/** A piece of the file that ends with a line's end, or with the file. */
export interface FileLine {
  /** Without its end. */
  readonly bytes: Buffer;
  /** Where it begins in the file. */
  readonly offset: number;
  readonly hasEnd: boolean;
}

const lineEnd = 0x0a;
const chunkBytes = 64 * 1024;

/** The lines of the first `size` bytes. */
export async function* fileLines(handle: FileHandle, size: number): AsyncIterable<FileLine> {
  let held: Buffer[] = [];
  let offset = 0;
  for (let position = 0; position < size; ) {
    const chunk = Buffer.alloc(Math.min(chunkBytes, size - position));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    let rest = chunk.subarray(0, bytesRead);
    for (let end = rest.indexOf(lineEnd); end !== -1; end = rest.indexOf(lineEnd)) {
      const bytes = Buffer.concat([...held, rest.subarray(0, end)]);
      held = [];
      yield { bytes, offset, hasEnd: true };
      offset += bytes.length + 1;
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) held.push(rest);
  }
  if (held.length > 0) yield { bytes: Buffer.concat(held), offset, hasEnd: false };
}
