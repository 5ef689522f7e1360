/** Whatever fails while effects are fired, the error has a receipt for each of them: what fired before must not be lost. */
import { describe, expect, test } from "vitest";
import {
  type DatabaseOptions,
  type Journal,
  JournalConflict,
  type JournalEntry,
  memoryJournal,
  type ResourceTable,
} from "../../../src/index.js";
import { failure, mailWorld } from "./mail-world.js";

const trap = (): never => {
  throw new Error("a trap");
};
const unreadable = new Proxy({}, { get: trap, getPrototypeOf: trap, has: trap, ownKeys: trap });
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
};

const insert = "INSERT INTO mail (id) VALUES (1), (2), (3)";

interface Case {
  readonly name: string;
  /** Of the second call. */
  readonly answer?: () => unknown;
  readonly table?: Partial<ResourceTable>;
  readonly journal?: () => Journal;
  readonly options?: Pick<DatabaseOptions, "now">;
  readonly statuses: readonly string[];
  readonly code: string;
  readonly detail: string;
  readonly calls: number;
}

/** Refuses the intent of the second effect as if somebody else had written of it. */
function conflicting(): Journal {
  const journal = memoryJournal();
  let intents = 0;
  return {
    ...bound(journal),
    append: (entry: JournalEntry) => {
      if (entry.kind === "intent" && ++intents === 2) throw new JournalConflict(entry.idempotencyKey);
      return journal.append(entry);
    },
  };
}

function bound(journal: Journal): Journal {
  return {
    append: (entry) => journal.append(entry),
    open: () => journal.open(),
    close: () => journal.close(),
    ...(journal.find !== undefined && { find: journal.find.bind(journal) }),
  };
}

const firstOfThree = ["fired", "failed", "not_tried"];

const cases: Case[] = [
  {
    name: "a verb throws what can't be looked at",
    answer: () => Promise.reject(unreadable),
    statuses: firstOfThree,
    code: "HV000",
    detail: "the error can't be read",
    calls: 2,
  },
  {
    name: "a verb throws a revoked proxy",
    answer: () => Promise.reject(revoked()),
    statuses: firstOfThree,
    code: "HV000",
    detail: "the error can't be read",
    calls: 2,
  },
  {
    name: "an error whose message can't be read",
    answer: () => Promise.reject(Object.defineProperty(new Error(), "message", { get: trap })),
    statuses: firstOfThree,
    code: "HV000",
    detail: "the error can't be read",
    calls: 2,
  },
  {
    name: "the resource can't say whether to try again",
    answer: () => Promise.reject(new Error("no")),
    table: { idempotent: ["insert"], retry: { isRetryable: trap } },
    statuses: firstOfThree,
    code: "HV000",
    detail: "a trap",
    calls: 2,
  },
  {
    name: "the journal has the random key already",
    journal: conflicting,
    statuses: ["fired", "not_tried", "not_tried"],
    code: "XX000",
    detail: "",
    calls: 1,
  },
];

describe.each(cases)("$name", ({ answer, table, journal, statuses, code, detail, calls: made }) => {
  test("every effect has its receipt", async () => {
    const { db, calls } = await mailWorld({
      ...(journal !== undefined && { journal: journal() }),
      ...(table !== undefined && { table }),
      answer: (_, number) => (number === 2 ? answer?.() : undefined),
    });
    const error = await failure(db.execute(insert));
    expect(error.code).toBe(code);
    expect(error.detail).toContain(detail);
    expect(error.receipts?.map(({ status }) => status)).toEqual(statuses);
    expect(error.receipts?.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(calls).toHaveLength(made);
    await db.close();
  });
});

describe("the host's clock", () => {
  /** A clock that throws from a call on. */
  async function clocked(answer?: (stop: () => void, number: number) => unknown) {
    let stopped = false;
    const stop = () => {
      stopped = true;
    };
    const world = await mailWorld({
      now: () => (stopped ? trap() : new Date(0)),
      answer: (_, number) => answer?.(stop, number),
    });
    return { ...world, go: () => (stopped = false) };
  }

  test("fails before an intent: the effect was not tried", async () => {
    let asked = 0;
    let broken = false;
    const { db, calls } = await mailWorld({
      now: () => {
        if (broken && ++asked > 1) trap(); // the first outcome still gets its time
        return new Date(0);
      },
      answer: () => {
        broken = true;
      },
    });
    const error = await failure(db.execute(insert));
    expect(error.receipts?.map(({ status }) => status)).toEqual(["fired", "not_tried", "not_tried"]);
    expect(calls).toHaveLength(1);
  });

  test("fails before an outcome: the effect has fired, and the journal does not know", async () => {
    const { db, go, calls } = await clocked((stop, number) => {
      if (number === 3) stop();
    });
    const error = await failure(db.execute(insert));
    expect(error.receipts).toMatchObject([
      { status: "fired" },
      { status: "fired" },
      { status: "fired", unjournaled: "a trap" },
    ]);
    expect(calls).toHaveLength(3);
    go();
    expect(await db.recover()).toMatchObject([{ status: "unknown" }]);
  });
});

test("an answer that can't be looked at is an answer", async () => {
  const { db, calls } = await mailWorld({ answer: () => ({ then: undefined, rows: revoked() }) });
  expect((await db.execute(insert)).receipts?.map(({ status }) => status)).toEqual(["fired", "fired", "fired"]);
  expect(calls).toHaveLength(3);
});

describe("refused before anything is sent: none was tried", () => {
  test("a key that stood for another write", async () => {
    const { db } = await mailWorld({});
    await db.execute("INSERT INTO mail (id) VALUES (9)", { idempotencyKey: "k" });
    const error = await failure(db.execute(insert, { idempotencyKey: "k" }));
    expect(error).toMatchObject({ code: "22023" });
    expect(error.receipts?.map(({ status }) => status)).toEqual(["not_tried", "not_tried", "not_tried"]);
  });

  test("a journal that can't be read", async () => {
    const journal: Journal = { ...bound(memoryJournal()), find: () => Promise.reject(new Error("gone")) };
    const { db, calls } = await mailWorld({ journal });
    const error = await failure(db.execute(insert, { idempotencyKey: "k" }));
    expect(error).toMatchObject({ code: "58030", receipts: [{ status: "not_tried" }, {}, {}] });
    expect(calls).toEqual([]);
  });
});
