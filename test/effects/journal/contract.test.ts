/** What every kind of journal promises. */
import { afterEach, describe, expect, test } from "vitest";
import { indexedJournal } from "../../../src/database/journal/indexed-journal.js";
import { type Journal, JournalConflict } from "../../../src/index.js";
import { entriesOf, intent, type JournalPlace, kinds, outcome } from "./kinds.js";

const places: JournalPlace[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});

describe.each(kinds)("$name", ({ place: makePlace }) => {
  async function makeOne(): Promise<JournalPlace> {
    const place = await makePlace();
    places.push(place);
    return place;
  }

  /** As a database has it: with `find`. */
  const opened = async (place: JournalPlace): Promise<Required<Pick<Journal, "find">> & Journal> => {
    const journal = place.open();
    const found = journal.find === undefined ? await indexedJournal(journal) : journal;
    return found as Required<Pick<Journal, "find">> & Journal;
  };

  test("an empty one has no entries, and may be closed unused", async () => {
    const place = await makeOne();
    const journal = await opened(place);
    expect(await entriesOf(journal)).toEqual([]);
    expect(await journal.find("nothing")).toEqual([]);
    await journal.close();
    const again = place.open();
    await again.close();
  });

  test("entries come back as they were written, in order, also after it was closed", async () => {
    const place = await makeOne();
    const journal = await opened(place);
    const odd = {
      rows: [
        {
          "": null,
          'a"b\\': "héllo 🚀 \u0000 \ud800 \u2028\n\r\t",
          __proto__x: [1.5, -0.1, 1e300, true, { deep: [[]] }],
        },
      ],
    };
    const entries = [
      intent("a", { arguments: odd, actor: "añn\n", hash: "f".repeat(64) }),
      intent("b#1", { op: "delete", arguments: { match: { id: "9007199254740993" } } }),
      outcome("a", { result: { id: 7, text: "x".repeat(200_000) }, durationMs: 0.25 }),
      outcome("b#1", { status: "unknown", error: { code: "40003", message: "no answer; 'x'" } }),
      intent("b#1", { number: 2, attempt: 2, op: "delete", compensates: "z" }),
      outcome("b#1", { number: 3, attempt: 2, status: "failed", settledBy: "host" }),
    ];
    for (const entry of entries) await journal.append(entry);
    expect(await entriesOf(journal)).toEqual(expect.arrayContaining(entries));
    await journal.close();
    const again = await opened(place);
    const read = await entriesOf(again);
    expect(read).toHaveLength(entries.length);
    for (const key of ["a", "b#1"]) {
      const ofKey = entries.filter(({ idempotencyKey }) => idempotencyKey === key);
      expect(await again.find(key)).toEqual(ofKey);
      expect(read.filter(({ idempotencyKey }) => idempotencyKey === key)).toEqual(ofKey);
    }
    await again.close();
  });

  test("of many that write the same entry one succeeds, the others are told", async () => {
    const journal = await opened(await makeOne());
    const tries = Array.from({ length: 12 }, (_, i) => journal.append(intent("k", { writer: `w${i}` })));
    const results = await Promise.allSettled(tries);
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(11);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(JournalConflict);
    const winner = results.findIndex((result) => result.status === "fulfilled");
    expect(await journal.find("k")).toEqual([intent("k", { writer: `w${winner}` })]);
    await journal.append(outcome("k"));
    await expect(journal.append(outcome("k", { status: "failed" }))).rejects.toBeInstanceOf(JournalConflict);
    expect(await journal.find("k")).toEqual([intent("k", { writer: `w${winner}` }), outcome("k")]);
    await journal.close();
  });

  test("thousands of entries, written side by side", async () => {
    const place = await makeOne();
    const journal = await opened(place);
    const keys = Array.from({ length: 1_200 }, (_, i) => `key-${i}`);
    await Promise.all(keys.map((key) => journal.append(intent(key, { hash: "h" }))));
    await Promise.all(keys.map((key) => journal.append(outcome(key))));
    await journal.close();
    const again = await opened(place);
    const read = await entriesOf(again);
    expect(read).toHaveLength(2_400);
    const intents = read.filter((entry) => entry.kind === "intent").map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(intents)).toEqual(new Set(keys));
    expect(await again.find("key-777")).toEqual([intent("key-777", { hash: "h" }), outcome("key-777")]);
    await again.close();
  });
});
