/** A journal in a file: what a crash leaves of it, what damage is found, who may write it, a disk that is full. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileJournal, type TornLine } from "../../../src/database/journal/door.js";
import { writtenLine } from "../../../src/database/journal/file-lines.js";
import { entriesOf, intent, outcome } from "./kinds.js";
import { failure, mailWorld } from "./mail-world.js";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "glove-journal-"));
  file = path.join(folder, "journal.jsonl");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const entries = [
  intent("a"),
  outcome("a"),
  intent("b", { arguments: { rows: [{ id: 1, subject: "héllo\n🚀" }] } }),
  intent("c"),
];

/** The file as it is with all entries, a line each. */
async function writeAll(): Promise<Buffer> {
  const journal = fileJournal({ path: file });
  for (const entry of entries) await journal.append(entry);
  await journal.close();
  return readFile(file);
}

/** Reads the file as the next process would. */
async function readAgain() {
  const torn: TornLine[] = [];
  const journal = fileJournal({ path: file, onTorn: (line) => torn.push(line) });
  try {
    return { read: await entriesOf(journal), torn };
  } finally {
    await journal.close();
  }
}

test("each line is JSON that other programs can read", async () => {
  const text = (await writeAll()).toString("utf8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toEqual(
    entries.map((entry, n) => ({ n, sum: expect.stringMatching(/^[0-9a-f]{16}$/), entries: [entry] })),
  );
});

describe("a last line that a crash has torn", () => {
  test("at every byte: the lines before it are read, and what is written next stands behind them", async () => {
    const whole = await writeAll();
    const starts = lineStarts(whole);
    const last = starts[starts.length - 1];
    for (let size = last; size < whole.length; size++) {
      await writeFile(file, whole.subarray(0, size));
      const { read, torn } = await readAgain();
      expect(read).toEqual(entries.slice(0, -1));
      expect(torn).toEqual(size === last ? [] : [{ path: file, offset: last, bytes: size - last }]);
      expect((await stat(file)).size).toBe(last);
    }
    await writeFile(file, whole.subarray(0, whole.length - 5));
    const journal = fileJournal({ path: file, onTorn: () => undefined });
    await journal.append(outcome("b"));
    await journal.close();
    expect((await readAgain()).read).toEqual([...entries.slice(0, -1), outcome("b")]);
  });

  test.each([
    { name: "zeros", tail: (line: Buffer) => Buffer.alloc(line.length) },
    {
      name: "zeros with an end",
      tail: (line: Buffer) => Buffer.concat([Buffer.alloc(line.length - 1), Buffer.from("\n")]),
    },
    { name: "a part that was not written", tail: (line: Buffer) => Buffer.from(line).fill(0, 30, 60) },
    { name: "an empty line", tail: () => Buffer.from("\n") },
    { name: "letters", tail: () => Buffer.from("hello") },
  ])("$name is cut off as well", async ({ tail }) => {
    const whole = await writeAll();
    const starts = lineStarts(whole);
    const last = starts[starts.length - 1];
    await writeFile(file, Buffer.concat([whole.subarray(0, last), tail(whole.subarray(last))]));
    const { read, torn } = await readAgain();
    expect(read).toEqual(entries.slice(0, -1));
    expect(torn).toMatchObject([{ offset: last }]);
  });

  test("its effect was not sent, or is in doubt", async () => {
    const { db } = await mailWorld({ journal: fileJournal({ path: file }) });
    await db.execute("INSERT INTO mail (id) VALUES (1)");
    await db.close();
    await truncate(file, (await stat(file)).size - 3); // the outcome
    const again = await mailWorld({ journal: fileJournal({ path: file, onTorn: () => undefined }) });
    expect(await again.db.recover()).toMatchObject([{ status: "unknown", op: "insert" }]);
    await again.db.close();
  });
});

describe("damage that is no torn end is an error, and nothing is written", () => {
  const damages: readonly { name: string; damage(whole: Buffer): Buffer }[] = [
    { name: "a changed byte", damage: (whole) => flipped(whole, 60) },
    { name: "a changed byte of a value", damage: (whole) => flipped(whole, whole.indexOf("llo") + 1) },
    { name: "a lost line", damage: (whole) => without(whole, 1) },
    { name: "the first line lost", damage: (whole) => without(whole, 0) },
    { name: "a line twice", damage: (whole) => Buffer.concat([whole.subarray(0, lineStarts(whole)[1]), whole]) },
    { name: "an empty line between", damage: (whole) => inserted(whole, "\n") },
    { name: "another line between", damage: (whole) => inserted(whole, "# note\n") },
    { name: "a line of another journal", damage: (whole) => inserted(whole, writtenLine(7, [intent("z")]).toString()) },
    { name: "half a line in the middle", damage: (whole) => cutLine(whole, 1) },
    { name: "line ends of Windows", damage: (whole) => Buffer.from(whole.toString("utf8").replaceAll("\n", "\r\n")) },
    { name: "another file", damage: () => Buffer.from("some\nother\nfile\n") },
  ];
  test.each(damages)("$name", async ({ damage }) => {
    const damaged = damage(await writeAll());
    await writeFile(file, damaged);
    const journal = fileJournal({ path: file });
    const error = await failure(entriesOf(journal));
    expect(error).toMatchObject({
      code: "58030",
      message: expect.stringMatching(/^the journal .* is damaged at line [12345]$/),
    });
    await expect(journal.append(intent("new"))).rejects.toMatchObject({ code: "58030" });
    await expect(mailWorld({ journal })).rejects.toMatchObject({ code: "58030" });
    await journal.close();
    expect(await readFile(file)).toEqual(damaged);
    expect(await readdir(folder)).toEqual(["journal.jsonl"]); // no lock is left
  });
});

describe("one writer at a time", () => {
  test("a second one in the same process is refused until the first closes", async () => {
    const first = fileJournal({ path: file });
    await first.append(intent("a"));
    const second = fileJournal({ path: path.join(folder, ".", "journal.jsonl") });
    await expect(second.append(outcome("a"))).rejects.toThrow(`is in use by process ${process.pid}`);
    await expect(mailWorld({ journal: second })).rejects.toThrow("is in use by process");
    await first.close();
    await second.append(outcome("a"));
    await second.close();
    expect((await readAgain()).read).toEqual([intent("a"), outcome("a")]);
  });

  test("of many that begin at once one gets it", async () => {
    const journals = Array.from({ length: 8 }, () => fileJournal({ path: file }));
    const results = await Promise.allSettled(journals.map((journal, i) => journal.append(intent(`k${i}`))));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const journal of journals) await journal.close();
    expect((await readAgain()).read).toHaveLength(1);
    expect(await readdir(folder)).toEqual(["journal.jsonl"]);
  });

  test("another process is named while it lives; a dead one's lock is taken over", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    const lock = `${file}.lock.3`;
    const host = await import("node:os").then(({ hostname }) => hostname());
    await writeFile(lock, JSON.stringify({ pid: child.pid, host, started: "" }));
    const journal = fileJournal({ path: file });
    await expect(journal.append(intent("a"))).rejects.toThrow(
      `is in use by process ${child.pid}; if that is no database any more, remove ${lock}`,
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    await journal.append(intent("a"));
    expect(await readdir(folder)).toEqual(["journal.jsonl", "journal.jsonl.lock.4"]);
    await journal.close();
    expect(await readdir(folder)).toEqual(["journal.jsonl"]);
  });

  test("a process that has the number of a dead one is told from it by its start", async () => {
    const host = await import("node:os").then(({ hostname }) => hostname());
    await writeFile(`${file}.lock.1`, JSON.stringify({ pid: process.pid, host, started: "another boot 12345" }));
    const journal = fileJournal({ path: file });
    const known = await readFile(`/proc/${process.pid}/stat`).then(
      () => true,
      () => false,
    );
    if (known) await journal.append(intent("a"));
    else await expect(journal.append(intent("a"))).rejects.toThrow("is in use"); // no /proc: better refused than shared
    await journal.close();
  });

  test("a lock of another machine is respected: nobody here can tell", async () => {
    await writeFile(`${file}.lock.1`, JSON.stringify({ pid: 1, host: "elsewhere.example", started: "" }));
    const journal = fileJournal({ path: file });
    await expect(journal.append(intent("a"))).rejects.toThrow("in use by process 1 on elsewhere.example");
    await journal.close();
    expect(await readdir(folder)).toEqual(["journal.jsonl.lock.1"]);
  });
});

describe("a disk that does not take it", () => {
  test("a folder that vanishes: what is open is written on; a new one says so", async () => {
    const journal = fileJournal({ path: path.join(file, "no-folder.jsonl") });
    await writeFile(file, "a file where the folder should be");
    const { db, calls } = await mailWorldOrNot(journal);
    expect(db).toBeUndefined();
    expect(calls).toEqual([]);
    await journal.close();
  });

  async function mailWorldOrNot(journal: ReturnType<typeof fileJournal>) {
    try {
      return await mailWorld({ journal });
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/^(ENOTDIR|EEXIST)$/) });
      return { db: undefined, calls: [] };
    }
  }

  test("full in the middle of a line: the effect is not sent, and the journal stays whole", async () => {
    // A process whose files may have 5 KiB: the system cuts the line that goes beyond and refuses the rest.
    const script = path.join(import.meta.dirname, "full-disk-child.ts");
    const child = spawn("bash", ["-c", `ulimit -f 5; exec "${process.execPath}" --import tsx "${script}" "${file}"`], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: path.join(import.meta.dirname, "../../.."),
    });
    let said = "";
    let errors = "";
    child.stdout.on("data", (chunk) => {
      said += String(chunk);
    });
    child.stderr.on("data", (chunk) => {
      errors += String(chunk);
    });
    await once(child, "close");
    expect(errors).toBe("");
    const { fired, failure: told, calls, small } = JSON.parse(said);
    expect(fired).toBeGreaterThan(0);
    expect(told).toMatchObject({ code: "58030", status: "not_tried", message: expect.stringContaining("EFBIG") });
    expect(calls).toBe(fired);
    expect(small).toBe("fired"); // a line that fits is taken again
    const { read, torn } = await readAgain();
    expect(torn).toEqual([]);
    expect(read.filter((entry) => entry.kind === "outcome" && entry.status === "fired")).toHaveLength(fired + 1);
  });
});

test("entries that wait for the disk share a line; each is there when its append resolves", async () => {
  const journal = fileJournal({ path: file });
  const seen = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      await journal.append(intent(`k${i}`));
      return (await readFile(file, "utf8")).includes(`"idempotencyKey":"k${i}"`);
    }),
  );
  expect(seen.every((isThere) => isThere)).toBe(true);
  await journal.close();
  const { read } = await readAgain();
  expect(read.map(({ idempotencyKey }) => idempotencyKey)).toEqual(Array.from({ length: 50 }, (_, i) => `k${i}`));
  expect((await readFile(file, "utf8")).split("\n").length).toBeLessThan(20);
});

test("a closed journal takes nothing", async () => {
  const journal = fileJournal({ path: file });
  await journal.append(intent("a"));
  await journal.close();
  await journal.close();
  await expect(journal.append(outcome("a"))).rejects.toThrow("the journal is closed");
  await appendFile(file, ""); // still there
});

function lineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let end = bytes.indexOf(0x0a); end !== -1 && end + 1 < bytes.length; end = bytes.indexOf(0x0a, end + 1))
    starts.push(end + 1);
  return starts;
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] ^= 1;
  return copy;
}

function without(bytes: Buffer, line: number): Buffer {
  const starts = [...lineStarts(bytes), bytes.length];
  return Buffer.concat([bytes.subarray(0, starts[line]), bytes.subarray(starts[line + 1])]);
}

function inserted(bytes: Buffer, text: string): Buffer {
  const at = lineStarts(bytes)[1];
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at)]);
}

function cutLine(bytes: Buffer, line: number): Buffer {
  const starts = lineStarts(bytes);
  return Buffer.concat([bytes.subarray(0, starts[line] + 20), Buffer.from("\n"), bytes.subarray(starts[line + 1])]);
}
