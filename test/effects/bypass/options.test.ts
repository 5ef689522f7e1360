/** What is passed beside the text opens no door either: values that change, objects that pretend, a policy changed later. */
import { describe, expect, test } from "vitest";
import type { ExecuteOptions, Policy } from "../../../src/index.js";
import { bypassWorld } from "./world.js";

const write = "DELETE FROM notes WHERE id = 1";

describe("options that are none are refused before anything is called", () => {
  const pretending = { toString: () => "false", valueOf: () => false, [Symbol.toPrimitive]: () => 0 };
  test.each<{ name: string; options: unknown }>([
    { name: "allowWrites as text", options: { allowWrites: "false" } },
    { name: "allowWrites as a number", options: { allowWrites: 0 } },
    { name: "allowWrites as an object", options: { allowWrites: pretending } },
    { name: "actor as an object", options: { actor: pretending } },
    { name: "actor as a number", options: { actor: 1 } },
    { name: "actor as a list", options: { actor: ["a"] } },
    { name: "signal as an object", options: { signal: { aborted: false } } },
    { name: "signal as an object with listeners", options: { signal: { aborted: false, addEventListener() {} } } },
    { name: "signal that says it is aborted", options: { signal: { aborted: true } } },
    { name: "limit as an object", options: { limit: pretending } },
    { name: "limit as text", options: { limit: "1; DELETE" } },
    { name: "limit as a bigint", options: { limit: 1n } },
    { name: "timeoutMs as an object", options: { timeoutMs: pretending } },
    { name: "timeoutMs NaN", options: { timeoutMs: Number.NaN } },
    { name: "params as a text", options: { params: "1" } },
    { name: "params like an array", options: { params: { length: 1, 0: 1 } } },
    { name: "onProgress as text", options: { onProgress: "x" } },
  ])("$name", async ({ options }) => {
    const { db, recorder } = await bypassWorld({ policy: { writes: true } });
    await expect(db.execute(write, options as ExecuteOptions)).rejects.toMatchObject({ code: "22023" });
    expect(recorder.calls).toEqual([]);
    // The same in a transaction aborts it, as any error does; who is not its actor leaves it alone.
    await db.execute(`BEGIN; ${write}`);
    await expect(db.execute("SELECT 1", options as ExecuteOptions)).rejects.toMatchObject({ code: "22023" });
    const isActor = Object.hasOwn(options as object, "actor");
    expect(await db.execute("COMMIT")).toMatchObject({ command: isActor ? "COMMIT" : "ROLLBACK" });
    expect(recorder.calls).toHaveLength(isActor ? 1 : 0);
  });

  test("values of parameters are not turned into text by themselves", async () => {
    const { db, recorder } = await bypassWorld({ policy: { writes: true } });
    const told: string[] = [];
    const saying = (name: string) => () => {
      told.push(name);
      return "1";
    };
    const pretending = {
      toString: saying("toString"),
      valueOf: saying("valueOf"),
      [Symbol.toPrimitive]: saying("toPrimitive"),
      toJSON: saying("toJSON"),
    };
    for (const value of [pretending, () => 1, Symbol("x"), new Map(), Number.NaN, new Date(Number.NaN)]) {
      const sent = db.execute("DELETE FROM notes WHERE id = $1", { params: [value] });
      await expect(sent).rejects.toMatchObject({ name: "SqlError" });
    }
    expect(recorder.calls).toEqual([]);
    expect(told).toEqual([]);
  });
});

describe("a statement goes by what it was given when it was sent", () => {
  test("an array of values that is changed while the statement waits", async () => {
    const { db, recorder } = await bypassWorld({ policy: { writes: true } });
    const params = [1];
    const first = db.execute("SELECT body FROM notes");
    const second = db.execute("DELETE FROM notes WHERE id = $1", { params });
    params[0] = 2;
    await Promise.all([first, second]);
    expect(recorder.take().at(-1)).toEqual({ table: "notes", op: "delete", args: { id: [1] } });
  });

  test("options that are changed while the statement waits", async () => {
    const { db, recorder } = await bypassWorld({ policy: { writes: true } });
    const options: ExecuteOptions = { allowWrites: false };
    const first = db.execute("SELECT body FROM notes");
    const second = db.execute(write, options);
    options.allowWrites = true;
    await first;
    await expect(second).rejects.toMatchObject({ code: "42501" });
    expect(recorder.take()).toEqual([{ table: "notes" }]);
  });

  test("a property that says something else each time", async () => {
    const { db, recorder } = await bypassWorld({ policy: { writes: true } });
    let reads = 0;
    const options: ExecuteOptions = {
      get allowWrites() {
        reads += 1;
        return reads > 1;
      },
    };
    await expect(db.execute(write, options)).rejects.toMatchObject({ code: "42501" });
    expect(reads).toBe(1);
    expect(recorder.calls).toEqual([]);
  });

  test("prototypes: options that an object inherits count for nothing", async () => {
    const { db, recorder } = await bypassWorld({ policy: { writes: true } });
    const inherited = Object.create({ allowWrites: true, limit: 0 }) as ExecuteOptions;
    expect((await db.execute("SELECT id FROM notes", inherited)).rows).toHaveLength(2);
    expect(recorder.take()).toEqual([{ table: "notes" }]);
  });
});

describe("the policy is the one that the database was created with", () => {
  test("writes switched on later", async () => {
    const policy = { writes: false };
    const { db, recorder } = await bypassWorld({ policy });
    policy.writes = true;
    await expect(db.execute(write)).rejects.toMatchObject({ code: "42501" });
    expect(recorder.calls).toEqual([]);
  });

  test("rules changed in place", async () => {
    const verbs: ("select" | "delete")[] = ["select"];
    const deny = ["lookup"];
    const policy: Policy = { writes: true, maxAffectedRows: 1, tables: { notes: { verbs } }, relations: { deny } };
    const { db, recorder } = await bypassWorld({ policy });
    verbs.push("delete");
    deny.pop();
    (policy.tables as Record<string, unknown>).notes = {};
    await expect(db.execute(write)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|55000)$/) });
    await expect(db.execute("SELECT v FROM lookup WHERE k = 'a'")).rejects.toMatchObject({ name: "SqlError" });
    expect(recorder.calls).toEqual([]);
  });

  test("a property that says something else each time", async () => {
    let reads = 0;
    const policy: Policy = {
      get writes() {
        reads += 1;
        return reads > 1;
      },
    };
    const { db, recorder } = await bypassWorld({ policy });
    const before = reads;
    const answers = [await refusal(db.execute(write)), await refusal(db.execute(write))];
    expect(reads).toBe(before);
    expect(answers[0]).toEqual(answers[1]);
    expect(recorder.calls.length).toBe(answers.filter((code) => code === undefined).length);
  });

  test.each<{ name: string; policy: unknown }>([
    { name: "writes as text", policy: { writes: "false" } },
    { name: "writes as a number", policy: { writes: 1 } },
    { name: "writes as a list", policy: { writes: [] } },
    { name: "an unknown key", policy: { write: true } },
    { name: "writes inherited", policy: Object.create({ writes: true }) as unknown },
  ])("$name never lets a write through", async ({ policy }) => {
    const created = await bypassWorld({ policy: policy as Policy }).catch((error: unknown) => error as Error);
    if (created instanceof Error) {
      expect(created.message).not.toBe("");
      return;
    }
    await expect(created.db.execute(write)).rejects.toMatchObject({ code: "42501" });
    expect(created.recorder.calls).toEqual([]);
  });
});

async function refusal(sent: Promise<unknown>): Promise<string | undefined> {
  try {
    await sent;
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}
