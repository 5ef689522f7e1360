/** Writes by key that read nothing: what they may return, when they are too wide, what is told of their calls. */
import { describe, expect, test } from "vitest";
import type { ScratchpadBackend } from "../../src/backends/backend.js";
import { Database, type DatabaseOptions, defineResource, type Row, SqlError } from "../../src/index.js";

interface Kind {
  readable?: boolean;
  key?: boolean;
  fail?: unknown;
}

async function world(kind: Kind = {}, options: DatabaseOptions = { policy: { writes: true } }) {
  const calls: unknown[] = [];
  const call = (...what: unknown[]) => {
    if (kind.fail !== undefined) throw kind.fail;
    calls.push(what);
  };
  const rows = [
    { id: 1, name: "a" },
    { id: 2, name: "b" },
  ];
  const db = await Database.create(options);
  db.register(
    defineResource({
      name: "t",
      volatility: "stable",
      columns: [
        { name: "id", type: "bigint" },
        { name: "name", type: "text" },
      ],
      ...(kind.key !== false && { primaryKey: ["id"] }),
      ...(kind.readable !== false && {
        select: () => {
          calls.push("read");
          return rows;
        },
      }),
      insert: ([row]) => call("insert", row),
      update: (set, bindings) => {
        call("update", set, bindings.one("id"));
        return { name: "of the service", ...set };
      },
      delete: (bindings) => call("delete", bindings.one("id")),
    }),
  );
  db.register(
    defineResource({
      name: "s",
      volatility: "stable",
      columns: [{ name: "id", type: "bigint" }],
      select: () => [{ id: 1 }],
    }),
  );
  return { db, calls };
}

describe("RETURNING", () => {
  test.each<{ name: string; sql: string; kind?: Kind; rows: object[]; calls: unknown[] }>([
    {
      name: "the key and what is set need no read",
      sql: "UPDATE t SET name = 'x' WHERE id = 1 RETURNING id, name",
      rows: [{ id: 1, name: "x" }],
      calls: [["update", { name: "x" }, 1]],
    },
    {
      name: "another column of a deleted row is read",
      sql: "DELETE FROM t WHERE id = 2 RETURNING *",
      rows: [{ id: 2, name: "b" }],
      calls: ["read", ["delete", 2]],
    },
    {
      name: "another column of an updated row is read, for a statement around it too, which sees what the statement says",
      sql: "WITH moved AS (UPDATE t SET id = 9 WHERE id = 1 RETURNING *) INSERT INTO t (id, name) SELECT id + 1, name || '!' FROM moved",
      rows: [],
      calls: ["read", ["update", { id: 9 }, 1], ["insert", { id: 10, name: "a!" }]],
    },
    {
      name: "what a table that can't be read answers",
      sql: "UPDATE t SET id = 9 WHERE id = 1 RETURNING *",
      kind: { readable: false },
      rows: [{ id: 9, name: "of the service" }],
      calls: [["update", { id: 9 }, 1]],
    },
  ])("$name", async ({ sql, kind, rows, calls }) => {
    const { db, calls: made } = await world(kind);
    expect((await db.execute(sql)).rows).toEqual(rows);
    expect(made).toEqual(calls);
  });

  test.each<{ name: string; kind: Kind; detail: string }>([
    { name: "a table that can't be read", kind: { readable: false }, detail: "The table cannot be read." },
    {
      name: "a table without a key",
      kind: { key: false },
      detail: "The table has no primary key to find the rows by.",
    },
  ])("what nobody knows is refused: $name", async ({ kind, detail }) => {
    const { db, calls } = await world(kind);
    await expect(db.execute("DELETE FROM t WHERE id = 1 RETURNING name")).rejects.toMatchObject({
      code: "55000",
      detail,
    });
    expect(calls).toEqual([]);
  });
});

test("a table without SELECT is written by key", async () => {
  const { db, calls } = await world({ readable: false });
  await db.execute("UPDATE t SET name = 'x' WHERE id = 1");
  await db.execute("DELETE FROM t WHERE id IN (1, 2)");
  expect(calls).toEqual([
    ["update", { name: "x" }, 1],
    ["delete", 1],
    ["delete", 2],
  ]);
  await expect(db.execute("DELETE FROM t WHERE name LIKE 'x%'")).rejects.toMatchObject({ code: "55000" });
});

describe("writes of all rows", () => {
  test.each([
    "DELETE FROM t",
    "DELETE FROM t WHERE true",
    "DELETE FROM t WHERE 1 = 1",
    "DELETE FROM t WHERE id IN (1, 2) OR true",
    "DELETE FROM t USING s",
    "DELETE FROM t USING s WHERE s.id = 1",
    "UPDATE t SET name = 'x' WHERE EXISTS (SELECT 1)",
    "WITH x AS (DELETE FROM t RETURNING id) SELECT count(*) FROM x",
  ])("%s", async (sql) => {
    const { db, calls } = await world();
    await expect(db.execute(sql)).rejects.toMatchObject({
      code: "42501",
      message: expect.stringContaining("without WHERE"),
    });
    expect(calls).toEqual([]);
    const wide = await world({}, { policy: { writes: true, unboundedWrites: true } });
    await wide.db.execute(sql);
    expect(wide.calls).toHaveLength(3);
  });

  test.each(["DELETE FROM t WHERE false", "DELETE FROM t USING s WHERE s.id = t.id AND s.id = 7"])(
    "not: %s",
    async (sql) => {
      const { db } = await world();
      expect((await db.execute(sql)).rowCount).toBe(0);
    },
  );
});

describe("what is told of the calls", () => {
  test("the service's own words stand in the error and its receipt", async () => {
    const { db } = await world({ fail: new SqlError("HV000", "tool failed", { detail: "Access denied" }) });
    await expect(db.execute("INSERT INTO t (id) VALUES (1), (2)")).rejects.toMatchObject({
      message: 'INSERT on "t" failed',
      detail: "tool failed: Access denied. Of 2 writes, 0 fired before it and 1 were not tried.",
      receipts: [{ status: "failed", error: { message: "tool failed: Access denied" } }, { status: "not_tried" }],
    });
  });

  test("a verb that knows that it had no answer", async () => {
    const { db } = await world({ fail: new SqlError("40003", "the server died") });
    await expect(db.execute("DELETE FROM t WHERE id = 1")).rejects.toMatchObject({
      code: "40003",
      message: 'DELETE on "t" gave no answer',
      receipts: [{ status: "unknown" }],
    });
  });

  test("COMMIT touches what it writes", async () => {
    const { db } = await world();
    await db.execute("BEGIN; INSERT INTO t (id) VALUES (3), (4); DELETE FROM t WHERE id = 1");
    const { touched } = await db.execute("COMMIT");
    expect(touched).toEqual([
      expect.objectContaining({ name: "t", access: "write", op: "insert", invocations: 2 }),
      expect.objectContaining({ name: "t", access: "write", op: "delete", invocations: 1 }),
    ]);
  });

  test("explain() names the writes in WITH", async () => {
    const { db, calls } = await world();
    const { relations, readOnly } = await db.explain(
      "WITH x AS (INSERT INTO t (id) VALUES (3) RETURNING id) SELECT * FROM x",
    );
    expect(readOnly).toBe(false);
    expect(relations).toEqual([expect.objectContaining({ name: "t", access: "write", op: "insert" })]);
    expect(calls).toEqual([]);
  });

  test("a write in WITH is none of a foreign backend's business", async () => {
    const sent: string[] = [];
    const backend: ScratchpadBackend = {
      capabilities: { dialect: "postgres", storedTables: true, cancel: false },
      query: async (sql) => {
        sent.push(sql);
        return { rows: [], fields: [], rowCount: 0, command: "SELECT" };
      },
      exec: async (sql) => void sent.push(sql),
      load: async () => undefined,
      drop: async () => undefined,
      close: async () => undefined,
    };
    const { db, calls } = await world({}, { backend, policy: { writes: true } });
    const { rows } = await db.execute(
      "WITH x AS (INSERT INTO t (id) VALUES (3) RETURNING id) SELECT x.id, s.id AS s FROM x, s",
    );
    expect(rows).toEqual([{ id: 3, s: 1 }]);
    expect(calls).toEqual([["insert", { id: 3 }]]);
    expect(sent).toEqual([]);
  });
});

describe("what a write in WITH returns is no key: it is known when all calls are made", () => {
  const world = async () => {
    const calls: string[] = [];
    const db = await Database.create({ policy: { writes: true } });
    const id = { name: "id", type: "bigint" };
    const select = (name: string, rows: readonly Row[]) => () => {
      calls.push(name);
      return rows;
    };
    db.register(
      defineResource({
        name: "t",
        volatility: "stable",
        columns: [id, { name: "v", type: "bigint" }],
        primaryKey: ["id"],
        select: select("t", [{ id: 1, v: 1 }]),
        insert: () => ({ id: 7 }),
        delete: () => void calls.push("delete t"),
      }),
    );
    db.register(
      defineResource({
        name: "keyed",
        volatility: "stable",
        columns: [{ ...id, requiredKey: true }],
        select: select("keyed", [{}]),
      }),
    );
    db.register(
      defineResource({ name: "free", volatility: "stable", columns: [id], select: select("free", [{ id: 1 }]) }),
    );
    return { db, calls };
  };
  const writes = [
    "DELETE FROM t WHERE id = 1 RETURNING id",
    "DELETE FROM t WHERE v = 1 RETURNING id",
    "INSERT INTO t (v) VALUES (3) RETURNING id",
  ];

  test.each(writes)("a table that needs one is refused before any call: %s", async (write) => {
    const { db, calls } = await world();
    for (const read of [
      "SELECT * FROM d JOIN keyed k ON k.id = d.id",
      "SELECT * FROM keyed k WHERE k.id IN (SELECT id FROM d)",
      "SELECT * FROM keyed k WHERE k.id = (SELECT id FROM d)",
    ]) {
      const refused = { code: "HV002", hint: expect.stringContaining("send it as a statement of its own first") };
      await expect(db.execute(`WITH d AS (${write}) ${read}`)).rejects.toMatchObject(refused);
      await expect(db.explain(`WITH d AS (${write}) ${read}`)).rejects.toMatchObject(refused);
    }
    expect(calls).toEqual([]);
  });

  test.each(["SELECT f.id FROM free f JOIN d USING (id)", "SELECT id FROM free WHERE id = (SELECT id FROM d)"])(
    "any other is read whole: %s",
    async (read) => {
      const { db, calls } = await world();
      expect((await db.execute(`WITH d AS (${writes[0]}) ${read}`)).rows).toEqual([{ id: 1 }]);
      expect(calls).toEqual(["free", "delete t"]);
    },
  );
});
