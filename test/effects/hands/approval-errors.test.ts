/** An approval that fails, with whatever error, refuses the writes that it was asked about: their receipts, none tried. */
import { expect, test } from "vitest";
import { Database, SqlError } from "../../../src/index.js";
import { Recorder } from "../../support/recording.js";

const trap = (): never => {
  throw new Error("a trap");
};
const others = [
  { id: 7, resource: "log", op: "insert" as const, status: "fired" as const, idempotencyKey: "another-key" },
];

test.each([
  {
    name: "an error of the database with receipts of other writes",
    thrown: new SqlError("58030", "no", { receipts: others }),
  },
  { name: "an error of the database", thrown: new SqlError("40003", "no") },
  { name: "nothing", thrown: undefined },
  { name: "a text", thrown: "no" },
  { name: "an object that can't be looked at", thrown: new Proxy({}, { get: trap, getPrototypeOf: trap, has: trap }) },
])("$name", async ({ thrown }) => {
  const recorder = new Recorder();
  const approve = () => {
    throw thrown;
  };
  const db = await Database.create({ policy: { writes: true, approve } });
  db.register(
    recorder.resource({
      name: "notes",
      primaryKey: ["id"],
      verbs: ["select", "insert"],
      columns: [{ name: "id", type: "bigint" }],
    }),
  );
  const error = await db.execute("INSERT INTO notes VALUES (1)").then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SqlError);
  expect(error).toMatchObject({
    code: "42501",
    message: "1 write was not approved; nothing was sent",
    detail: "Asking the host failed.",
    receipts: [{ id: 1, resource: "notes", op: "insert", status: "not_tried" }],
  });
  expect((error as SqlError).receipts).toHaveLength(1);
  expect(recorder.take()).toEqual([]);
});

test.each([
  { name: "at once", later: false },
  { name: "later, with the signal that it was given", later: true },
])("an approval that runs a statement in the session that waits for it is refused: $name", async ({ later }) => {
  const recorder = new Recorder();
  const db: Database = await Database.create({
    policy: {
      writes: true,
      approve: async (_, { signal }) => {
        if (later) await Promise.resolve();
        await db.execute("SELECT 1 AS a", later ? { signal } : {});
        return true;
      },
    },
  });
  db.register(
    recorder.resource({
      name: "notes",
      primaryKey: ["id"],
      verbs: ["select", "insert"],
      columns: [{ name: "id", type: "bigint" }],
    }),
  );
  await expect(db.execute("INSERT INTO notes VALUES (1)")).rejects.toMatchObject({
    code: "42501",
    detail: "Asking the host failed.",
    cause: { code: "55000", detail: expect.stringContaining("approval") },
  });
  expect(recorder.take()).toEqual([]);
  expect((await db.execute("SELECT 1 AS a")).rows).toEqual([{ a: 1 }]); // the session goes on
});
