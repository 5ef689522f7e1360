/** Database errors that a resolver throws on a read: a code that speaks of the call stays, any other is the call's failure. */
import { expect, test } from "vitest";
import { Database, defineResource, SqlError } from "../../src/index.js";

const receipts = [
  { id: 7, resource: "log", op: "insert" as const, status: "fired" as const, idempotencyKey: "another-key" },
];

async function failure(thrown: unknown): Promise<SqlError> {
  const db = await Database.create();
  db.register(
    defineResource({
      name: "t",
      volatility: "stable",
      columns: [{ name: "id", type: "bigint", requiredKey: true }],
      select: () => {
        throw thrown;
      },
    }),
  );
  const error: unknown = await db.execute("SELECT id FROM t WHERE id = 1").then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SqlError);
  return error as SqlError;
}

test.each(["HV000", "HV002", "08006", "22023", "22P02", "53400", "54001", "58030", "0A000"])(
  "%s stays, without the receipts and the place of another statement",
  async (code) => {
    const thrown = new SqlError(code, "no such region", { hint: "Take another.", position: 3, receipts });
    const error = await failure(thrown);
    expect(error).toMatchObject({ code, message: "no such region", hint: "Take another.", cause: thrown });
    expect(error.detail).toContain("called with id");
    expect(error.receipts).toBeUndefined();
    expect(error.position).not.toBe(3);
  },
);

test.each(["40003", "25P02", "25006", "42501", "42P01", "42601", "23505", "57014", "55000", "XX000"])(
  "%s is a failure of the call, with the resolver's words",
  async (code) => {
    const words = code === "57014" ? "canceling statement due to statement timeout" : "it was of another statement";
    const thrown = new SqlError(code, words, { detail: "Its own facts.", hint: "ROLLBACK.", position: 3, receipts });
    const error = await failure(thrown);
    expect(error).toMatchObject({ code: "HV000", message: 'reading table "t" failed', cause: thrown });
    expect(error.detail).toMatch(new RegExp(`^${words}\\. Its own facts\\. \\(called with id`));
    expect(error.hint).toBeUndefined();
    expect(error.receipts).toBeUndefined();
    expect(error.position).not.toBe(3);
  },
);

test("a connector's own time-out keeps its code", async () => {
  const error = await failure(
    new SqlError("57014", "the server did not answer within 5 ms", { hint: "Ask for less." }),
  );
  expect(error).toMatchObject({
    code: "57014",
    message: "the server did not answer within 5 ms",
    hint: "Ask for less.",
  });
});
