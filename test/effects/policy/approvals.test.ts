/** The host's word before effects are sent: for exactly the list that fires, per transaction, or not at all. */
import { describe, expect, test } from "vitest";
import { type ApprovalInfo, Database, type Policy, SqlError, type StagedWriteView } from "../../../src/index.js";
import { Recorder } from "../../support/recording.js";

interface Asked {
  readonly staged: readonly StagedWriteView[];
  readonly info: ApprovalInfo;
}

async function world(
  answer: (asked: Asked) => unknown,
  more: Partial<Policy> = {},
  options: { timeoutMs?: number } = {},
) {
  const recorder = new Recorder();
  const asked: Asked[] = [];
  const approve = async (staged: readonly StagedWriteView[], info: ApprovalInfo) => {
    asked.push({ staged, info });
    return (await answer({ staged, info })) as boolean;
  };
  const db = await Database.create({
    actor: "ann",
    policy: { writes: true, approve, ...more },
    ...(options.timeoutMs !== undefined && { limits: { timeoutMs: options.timeoutMs } }),
  });
  db.register(
    recorder.resource({
      name: "notes",
      primaryKey: ["id"],
      verbs: ["select", "insert", "update", "delete"],
      columns: [
        { name: "id", type: "int", nullable: false },
        { name: "text", type: "text" },
        { name: "extra", type: "jsonb" },
      ],
      rows: [{ id: 1, text: "one", extra: null }],
    }),
  );
  return { db, recorder, asked };
}

async function refusal(promise: Promise<unknown>): Promise<SqlError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SqlError);
  return error as SqlError;
}

const script = "BEGIN; INSERT INTO notes VALUES (2, 'two'); DELETE FROM notes WHERE id = 1; COMMIT";
const never = () => new Promise<never>(() => undefined);

test("asked once at COMMIT, with all that is staged", async () => {
  const { db, recorder, asked } = await world(() => true);
  const result = await db.execute(script);
  expect(asked).toHaveLength(1);
  expect(asked[0].staged.map(({ id, sql }) => [id, sql])).toEqual([
    [1, "INSERT INTO notes (id, text) VALUES (2, 'two')"],
    [2, "DELETE FROM notes WHERE id = 1"],
  ]);
  expect(asked[0].info.actor).toBe("ann");
  expect(asked[0].info.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(result.committed).toBe(2);
  expect(recorder.take()).toEqual([
    { table: "notes", op: "insert", rows: [{ id: 2, text: "two" }] },
    { table: "notes", op: "delete", args: { id: [1] } },
  ]);
});

test("a write outside a transaction asks for itself", async () => {
  const { db, recorder, asked } = await world(() => true);
  await db.execute("UPDATE notes SET text = 'x' WHERE id = 1");
  expect(asked.map(({ staged }) => staged.map(({ sql }) => sql))).toEqual([
    ["UPDATE notes SET text = 'x' WHERE id = 1"],
  ]);
  expect(recorder.take()).toEqual([{ table: "notes", op: "update", set: { text: "x" }, args: { id: [1] } }]);
});

test.each([
  "SELECT * FROM notes",
  "EXPLAIN DELETE FROM notes WHERE id = 1",
  "BEGIN; SELECT 1; COMMIT",
  "BEGIN; DELETE FROM notes WHERE id = 1; ROLLBACK",
  "UPDATE notes SET text = 'x' WHERE text = 'nowhere'",
  "INSERT INTO notes SELECT 5, 'x' WHERE false",
])("%s asks nobody", async (sql) => {
  const { db, asked } = await world(() => false);
  await db.execute(sql);
  expect(asked).toEqual([]);
});

describe("whatever is not true refuses", () => {
  test.each<[string, () => unknown]>([
    ["false", () => false],
    ["undefined", () => undefined],
    ["1", () => 1],
    ["a text", () => "yes"],
    ["an object", () => ({ approved: true })],
    [
      "an error",
      () => {
        throw new Error("the host is out of order");
      },
    ],
    ["a rejection with undefined", () => Promise.reject(undefined)],
  ])("%s", async (_name, answer) => {
    const { db, recorder } = await world(answer);
    const direct = await refusal(db.execute("UPDATE notes SET text = 'x' WHERE id = 1"));
    expect(direct).toMatchObject({ code: "42501", message: "1 write was not approved; nothing was sent" });
    expect(direct.receipts?.map(({ status }) => status)).toEqual(["not_tried"]);
    const staged = await refusal(db.execute(script));
    expect(staged).toMatchObject({ code: "42501", message: "2 writes were not approved; nothing was sent" });
    expect(staged.detail).toContain("The transaction is rolled back.");
    expect(staged.receipts?.map(({ status }) => status)).toEqual(["not_tried", "not_tried"]);
    expect(db.inTransaction()).toBe(false);
    expect(db.preview()).toEqual([]);
    expect((await db.execute("SELECT id, text FROM notes")).rows).toEqual([{ id: 1, text: "one" }]);
    expect(recorder.take().filter(({ op }) => op !== undefined)).toEqual([]);
  });
});

test("no answer in time refuses, and the signal says so", async () => {
  const { db, recorder, asked } = await world(never, { approvalTimeoutMs: 20 });
  const error = await refusal(db.execute("UPDATE notes SET text = 'x' WHERE id = 1"));
  expect(error).toMatchObject({ code: "42501", detail: "The host gave no answer within 20 ms." });
  expect(asked[0].info.signal.aborted).toBe(true);
  expect(recorder.calls).toEqual([]);
});

test("an answer that comes too late changes nothing", async () => {
  let answer: (approved: boolean) => void = () => undefined;
  const late = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  const { db, recorder } = await world(() => late, { approvalTimeoutMs: 20 });
  await refusal(db.execute("UPDATE notes SET text = 'x' WHERE id = 1"));
  answer(true);
  expect((await db.execute("SELECT text FROM notes")).rows).toEqual([{ text: "one" }]);
  expect(recorder.take().filter(({ op }) => op !== undefined)).toEqual([]);
});

test("a cancelled statement takes its question back", async () => {
  const canceler = new AbortController();
  const { db, recorder, asked } = await world(() => {
    canceler.abort();
    return never();
  });
  await refusal(db.execute("UPDATE notes SET text = 'x' WHERE id = 1", { signal: canceler.signal }));
  expect(asked[0].info.signal.aborted).toBe(true);
  expect(recorder.calls).toEqual([]);
});

test("the statement's own clock stands still while the host thinks", async () => {
  const timeoutMs = 1_000;
  const slow = () => new Promise((resolve) => setTimeout(() => resolve(true), timeoutMs + 500));
  const { db, recorder } = await world(slow, {}, { timeoutMs });
  const result = await db.execute("UPDATE notes SET text = 'x' WHERE id = 1 RETURNING text");
  expect(result.rows).toEqual([{ text: "x" }]);
  await db.execute(script);
  expect(recorder.take().filter(({ op }) => op !== undefined)).toHaveLength(3);
});

test("the host's views are its own: changing them changes nothing that is sent", async () => {
  const tries: unknown[] = [];
  const { db, recorder } = await world(({ staged }) => {
    for (const change of [
      () => (staged as StagedWriteView[]).pop(),
      () => Object.assign(staged[0].rows?.[0] ?? {}, { text: "changed" }),
      () => Object.assign(staged[0], { sql: "" }),
    ]) {
      try {
        tries.push(change());
      } catch (error) {
        tries.push(error instanceof TypeError);
      }
    }
    return true;
  });
  await db.execute("INSERT INTO notes VALUES (2, 'two')");
  expect(tries).toEqual([true, true, true]);
  expect(recorder.take()).toEqual([{ table: "notes", op: "insert", rows: [{ id: 2, text: "two" }] }]);
});

test("a list that changes while the host is asked is not the one that it approved", async () => {
  const document = { to: "ann@example.org" };
  const { db, recorder } = await world(() => {
    document.to = "mallory@example.org";
    return true;
  });
  const outcome = await db.execute("INSERT INTO notes VALUES (2, 'two', $1)", { params: [document] }).then(
    () => "sent",
    (error: unknown) => (error as SqlError).code,
  );
  const sent = recorder.take().flatMap(({ rows }) => rows ?? []);
  // Either the values were fixed when they were staged, or the change voids the answer; never the changed one.
  expect([outcome, sent]).toEqual(
    outcome === "sent" ? ["sent", [{ id: 2, text: "two", extra: { to: "ann@example.org" } }]] : ["42501", []],
  );
});

test("the hash is of the arguments: other values, order or keys are other lists", async () => {
  const { db, asked } = await world(() => false);
  const texts = [
    "INSERT INTO notes VALUES (2, 'two')",
    "INSERT INTO notes VALUES (2, 'twO')",
    "INSERT INTO notes VALUES (3, 'two')",
    "INSERT INTO notes (id) VALUES (2)",
    "INSERT INTO notes VALUES (2, NULL)",
    "UPDATE notes SET text = 'two' WHERE id = 2",
    "DELETE FROM notes WHERE id = 2",
  ];
  for (const sql of texts) await refusal(db.execute(sql, { idempotencyKey: "same" }));
  expect(new Set(asked.map(({ info }) => info.hash)).size).toBe(texts.length);
});

test("an approval holds for one transaction", async () => {
  let left = 1;
  const { db, recorder } = await world(() => left-- > 0);
  await db.execute("INSERT INTO notes VALUES (2, 'two')");
  await refusal(db.execute("INSERT INTO notes VALUES (3, 'three')"));
  expect(recorder.take()).toHaveLength(1);
});

test("statements of one session wait while the host is asked", async () => {
  const order: string[] = [];
  const { db } = await world(async ({ staged }) => {
    order.push(`asked for ${staged.length}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push("answered");
    return true;
  });
  await db.execute("BEGIN; INSERT INTO notes VALUES (2, 'two')");
  const commit = db.execute("COMMIT").then(() => order.push("committed"));
  const next = db.execute("INSERT INTO notes VALUES (3, 'three')").then(() => order.push("inserted"));
  await Promise.all([commit, next]);
  expect(order).toEqual(["asked for 1", "answered", "committed", "asked for 1", "answered", "inserted"]);
});

test("`approve` is called on the policy that it is of", async () => {
  class Host {
    readonly writes = true;
    readonly #allowed = true;
    approve = undefined as unknown as Policy["approve"];
    constructor() {
      this.approve = async () => this.#allowed;
    }
  }
  const recorder = new Recorder();
  const db = await Database.create({ policy: new Host() as Policy });
  db.register(recorder.resource({ name: "t", verbs: ["insert"], columns: [{ name: "a", type: "int" }] }));
  await db.execute("INSERT INTO t VALUES (1)");
  expect(recorder.take()).toHaveLength(1);
});
