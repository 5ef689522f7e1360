/** Two clients: neither sees, ends nor changes what the other has begun, and what an actor fetched is that actor's. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Database, defineResource, SqlError } from "../../../src/index.js";
import { codeOf, openWorld } from "./world.js";

type Session = ReturnType<Database["session"]>;

describe("interleaved sessions answer as each does alone", () => {
  const kinds = ["insert", "update", "delete", "read", "staged", "mistake", "begin", "commit", "rollback"] as const;
  const more = ["savepoint", "back", "release", "script"] as const;
  const step = fc.tuple(
    fc.constantFrom(...kinds, ...more),
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: 0, max: 3 }),
  );
  const steps = fc.array(step, { minLength: 2, maxLength: 14 });

  /** The texts of one client, which keeps to its own rows. */
  function textOf(kind: (typeof kinds)[number] | (typeof more)[number], n: number, base: number): string {
    const own = `id BETWEEN ${base} AND ${base + 9}`;
    switch (kind) {
      case "insert":
        return `INSERT INTO t VALUES (${base + n}, 'n${n}')`;
      case "update":
        return `UPDATE t SET v = v || '${n}' WHERE ${own} AND id >= ${base + n}`;
      case "delete":
        return `DELETE FROM t WHERE ${own} AND id = ${base + n} AND v <> ''`;
      case "read":
        return `SELECT id, v FROM t WHERE ${own} ORDER BY id, v`;
      case "staged":
        return "SELECT id, op, sql FROM scratchpad.staged_writes";
      case "mistake":
        return n < 3 ? "SELECT 1 / (id - id) FROM t" : "SELECT nope";
      case "savepoint":
        return `SAVEPOINT s${n % 2}`;
      case "back":
        return `ROLLBACK TO s${n % 2}`;
      case "release":
        return `RELEASE s${n % 2}`;
      case "script":
        return `BEGIN; UPDATE t SET v = 's${n}' WHERE ${own}; INSERT INTO t VALUES (${base + n}, 's'); COMMIT`;
      default:
        return kind.toUpperCase();
    }
  }

  async function outcomes(session: Session, list: readonly (readonly [string, number])[]): Promise<unknown[]> {
    const seen: unknown[] = [];
    for (const [sql, pauseMs] of list) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const outcome = await session.execute(sql).then(
        ({ command, rows, staged }) => ({ command, rows, staged: staged?.map((write) => write.sql) }),
        (error: unknown) => ({ code: codeOf(error) }),
      );
      seen.push({ sql, ...outcome, status: session.transactionStatus() });
    }
    seen.push(session.preview().map((write) => write.sql));
    return seen;
  }

  const rowsFrom = (rows: readonly Record<string, unknown>[], base: number) =>
    rows.filter(({ id }) => Number(id) >= base && Number(id) <= base + 9);

  test("random ones", async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, async (first, second) => {
        const lists = [first, second].map((list, i) => {
          return list.map(([kind, n, pauseMs]) => [textOf(kind, n, 10 + 10 * i), pauseMs] as const);
        });
        const alone = await Promise.all(
          lists.map(async (list, i) => {
            const { db, rows } = await openWorld();
            return {
              seen: await outcomes(
                db.session(),
                list.map(([sql]) => [sql, 0]),
              ),
              rows: rowsFrom(rows, 10 + 10 * i),
            };
          }),
        );
        const { db, rows } = await openWorld({ policy: { writes: true } }, { delayMs: 1 });
        const sessions = [db.session(), db.session()];
        const together = await Promise.all(lists.map((list, i) => outcomes(sessions[i], list)));
        together.forEach((seen, i) => {
          expect({ seen, rows: rowsFrom(rows, 10 + 10 * i) }).toEqual(alone[i]);
        });
      }),
      { numRuns: 40 },
    );
  });
});

describe("one session", () => {
  test("runs what is sent at once in the order of sending", async () => {
    const { db, recorder } = await openWorld({ policy: { writes: true } }, { delayMs: 5 });
    const session = db.session();
    const texts = [
      "BEGIN",
      "INSERT INTO t VALUES (3, 'a')",
      "SAVEPOINT s",
      "DELETE FROM t WHERE id = 1",
      "ROLLBACK TO s",
      "COMMIT",
    ];
    const tags = await Promise.all(texts.map(async (sql) => (await session.execute(sql)).command));
    expect(tags).toEqual(["BEGIN", "INSERT 0 1", "SAVEPOINT", "DELETE 1", "ROLLBACK", "COMMIT"]);
    expect(recorder.take()).toEqual([{ table: "t", op: "insert", rows: [{ id: 3, v: "a" }] }]);
  });

  test("shows its staged writes to nobody else", async () => {
    const { db } = await openWorld();
    const [one, two] = [db.session(), db.session()];
    await one.execute("BEGIN; DELETE FROM t WHERE id = 1");
    await two.execute("BEGIN; DELETE FROM t WHERE id = 2");
    expect(one.preview().map(({ bindings }) => bindings)).toEqual([{ id: [1] }]);
    expect(two.preview().map(({ bindings }) => bindings)).toEqual([{ id: [2] }]);
    const staged = "SELECT bindings FROM scratchpad.staged_writes";
    expect((await one.execute(staged)).rows).toEqual([{ bindings: { id: [1] } }]);
    expect((await two.execute(staged)).rows).toEqual([{ bindings: { id: [2] } }]);
    expect(db.preview()).toEqual([]);
    expect((await db.execute(staged)).rows).toEqual([]);
    expect((await one.execute("SELECT id FROM t")).rows).toEqual([{ id: 2 }]);
    expect((await two.execute("SELECT id FROM t")).rows).toEqual([{ id: 1 }]);
    expect((await db.execute("SELECT id FROM t")).rows).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test("an error aborts its transaction and no other", async () => {
    const { db, recorder } = await openWorld();
    const [one, two] = [db.session(), db.session()];
    await one.execute("BEGIN; DELETE FROM t WHERE id = 1");
    await two.execute("BEGIN; DELETE FROM t WHERE id = 2");
    await expect(one.execute("SELECT 1 / 0")).rejects.toMatchObject({ code: "22012" });
    expect([one.transactionStatus(), two.transactionStatus(), db.session().transactionStatus()]).toEqual([
      "failed",
      "open",
      "idle",
    ]);
    expect(one.preview()).toEqual([]);
    await two.execute("COMMIT");
    await one.execute("COMMIT");
    expect(recorder.take()).toEqual([{ table: "t", op: "delete", args: { id: [2] } }]);
  });

  test("what it fired is laid over its own reads only", async () => {
    const { db } = await openWorld({ policy: { writes: true } }, { rows: [{ id: 1, v: "one" }] });
    db.register(slowToShow());
    const [one, two] = [db.session(), db.session()];
    await one.execute("INSERT INTO slow VALUES (5, 'new')");
    expect((await one.execute("SELECT id FROM slow")).rows).toEqual([{ id: 1 }, { id: 5 }]);
    expect((await two.execute("SELECT id FROM slow")).rows).toEqual([{ id: 1 }]);
  });
});

/** A service that takes rows and does not show them yet. */
function slowToShow() {
  return defineResource({
    name: "slow",
    volatility: "volatile",
    columns: [
      { name: "id", type: "bigint" },
      { name: "v", type: "text" },
    ],
    primaryKey: ["id"],
    select: () => [{ id: 1, v: "one" }],
    insert: () => undefined,
  });
}

describe("actors", () => {
  const other = { actor: "bob" };

  test("another one can neither see, change nor end a transaction, and does not abort it", async () => {
    const { db, recorder } = await openWorld();
    const session = db.session({ actor: "ann" });
    await session.execute("BEGIN; DELETE FROM t WHERE id = 1; SAVEPOINT s");
    const texts = [
      "SELECT id FROM t",
      "SELECT * FROM scratchpad.staged_writes",
      "DELETE FROM t WHERE id = 2",
      "COMMIT",
      "ROLLBACK",
    ];
    for (const sql of [...texts, "ROLLBACK TO s", "SELEC 1"]) {
      await expect(session.execute(sql, other)).rejects.toMatchObject({
        code: "42501",
        message: "the open transaction belongs to another actor",
        hint: expect.stringContaining("db.session"),
      });
    }
    await expect(session.explain("SELECT 1", other)).rejects.toMatchObject({ code: "42501" });
    expect(recorder.take()).toEqual([]);
    expect(session.transactionStatus()).toBe("open");
    expect((await session.execute("COMMIT", { actor: "ann" })).committed).toBe(1);
    expect(recorder.take()).toEqual([{ table: "t", op: "delete", args: { id: [1] } }]);
    expect((await session.execute("SELECT id FROM t", other)).rows).toEqual([{ id: 2 }]);
    // What bob tried is on bob's record, and on no one else's.
    const tried = "SELECT count(*) AS n FROM scratchpad.statements WHERE error ->> 'code' = '42501'";
    expect((await session.execute(tried, other)).rows).toEqual([{ n: texts.length + 2 }]);
    expect((await session.execute(tried)).rows).toEqual([{ n: 0 }]);
  });

  test("an effect is fired as who staged it", async () => {
    const actors: (string | undefined)[] = [];
    const { db } = await openWorld();
    db.register(
      defineResource({
        name: "log",
        volatility: "volatile",
        columns: [{ name: "a", type: "text" }],
        insert: (_, { actor }) => void actors.push(actor),
      }),
    );
    await db.execute("INSERT INTO log VALUES ('a')");
    const session = db.session({ actor: "ann" });
    await session.execute("BEGIN; INSERT INTO log VALUES ('a')");
    await session.execute("COMMIT");
    await session.execute("BEGIN; INSERT INTO log VALUES ('a'); COMMIT", other);
    expect(actors).toEqual([undefined, "ann", "bob"]);
  });

  test("in one session each sees its own writes, before the service shows them", async () => {
    const { db } = await openWorld();
    db.register(slowToShow());
    const session = db.session({ actor: "ann" });
    await session.execute("INSERT INTO slow VALUES (5, 'new')");
    expect((await session.execute("SELECT id FROM slow")).rows).toEqual([{ id: 1 }, { id: 5 }]);
    expect((await session.execute("SELECT id FROM slow", other)).rows).toEqual([{ id: 1 }]);
    session.forgetWrites();
    expect((await session.execute("SELECT id FROM slow")).rows).toEqual([{ id: 1 }]);
  });

  test("kept answers are one actor's, in whatever session", async () => {
    const asked: (string | undefined)[] = [];
    const { db } = await openWorld();
    db.register(
      defineResource({
        name: "mine",
        volatility: "immutable",
        columns: [{ name: "who", type: "text" }],
        select: (_, { actor }) => {
          asked.push(actor);
          return [{ who: actor ?? "nobody" }];
        },
      }),
    );
    const sql = "SELECT who FROM mine";
    const [ann, bob] = [db.session({ actor: "ann" }), db.session({ actor: "bob" })];
    expect((await ann.execute(sql)).rows).toEqual([{ who: "ann" }]);
    expect((await bob.execute(sql)).rows).toEqual([{ who: "bob" }]);
    expect((await ann.execute(sql, other)).rows).toEqual([{ who: "bob" }]);
    expect((await db.execute(sql)).rows).toEqual([{ who: "nobody" }]);
    expect((await db.session({ actor: "ann" }).execute(sql)).rows).toEqual([{ who: "ann" }]);
    expect(asked).toEqual(["ann", "bob", undefined]);
  });

  test.each([1, {}, ["ann"], true])("%j is no actor of a session", async (actor) => {
    const { db } = await openWorld();
    expect(() => db.session({ actor: actor as never })).toThrow(SqlError);
  });

  test("a session keeps to the actor that it was opened for", async () => {
    const { db } = await openWorld();
    const options = { actor: "ann" };
    const session = db.session(options);
    options.actor = "bob";
    expect((await session.execute("SELECT current_user AS who")).rows).toEqual([{ who: "ann" }]);
  });
});

describe("close()", () => {
  const refusal = { code: "08003", message: "the session is closed" };

  test("drops the transaction; nothing of it is fired", async () => {
    const { db, recorder } = await openWorld();
    const session = db.session();
    await session.execute("BEGIN; DELETE FROM t WHERE id = 1");
    await session.close();
    expect(session.inTransaction()).toBe(false);
    expect(session.preview()).toEqual([]);
    await expect(session.execute("COMMIT")).rejects.toMatchObject(refusal);
    await expect(session.explain("SELECT 1")).rejects.toMatchObject(refusal);
    await session.close();
    expect(recorder.take()).toEqual([]);
    expect((await db.execute("SELECT id FROM t")).rows).toHaveLength(2);
  });

  test("lets the statement that runs end, and refuses those that wait", async () => {
    const { db, recorder } = await openWorld({ policy: { writes: true } }, { delayMs: 20 });
    const session = db.session();
    const running = session.execute("DELETE FROM t WHERE id = 1");
    while (recorder.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const waiting = session.execute("DELETE FROM t WHERE id = 2");
    const refused = expect(waiting).rejects.toMatchObject(refusal);
    await session.close();
    expect((await running).command).toBe("DELETE 1");
    await refused;
    expect(recorder.take()).toEqual([{ table: "t", op: "delete", args: { id: [1] } }]);
  });
});
