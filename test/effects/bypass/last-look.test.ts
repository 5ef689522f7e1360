/** Behind the gate there is a second lock: effects are refused where they are staged or fired, whatever statement made them. */
import { expect, test } from "vitest";
import type { Block } from "../../../src/database/block.js";
import { requireEffectsAllowed } from "../../../src/database/gate.js";
import type { Policy } from "../../../src/index.js";
import { bypassWorld } from "./world.js";

const block = (readOnly: boolean): Block => ({ failed: false, readOnly, savepoints: [] });

test.each<{ name: string; policy: Policy; block: Block | undefined; code: string | undefined }>([
  { name: "no policy", policy: {}, block: undefined, code: "42501" },
  { name: "writes off", policy: { writes: false }, block: block(false), code: "42501" },
  { name: "a value that only looks like true", policy: { writes: "true" as never }, block: undefined, code: "42501" },
  { name: "writes on, in a read-only transaction", policy: { writes: true }, block: block(true), code: "25006" },
  { name: "writes on, in a transaction", policy: { writes: true }, block: block(false), code: undefined },
  { name: "writes on", policy: { writes: true }, block: undefined, code: undefined },
])("$name: $code", ({ policy, block: open, code }) => {
  const look = () => requireEffectsAllowed(policy, open);
  if (code === undefined) expect(look).not.toThrow();
  else expect(look).toThrow(expect.objectContaining({ code }));
});

test("options of EXPLAIN are looked at before a script's first call", async () => {
  const { db, recorder } = await bypassWorld({ policy: { writes: true } });
  for (const option of ["(bogus)", "(ANALYZE maybe)", "(FORMAT xml)"]) {
    await expect(db.execute(`BEGIN; SELECT id FROM notes; EXPLAIN ${option} SELECT 1`)).rejects.toMatchObject({
      name: "SqlError",
    });
    await db.execute("ROLLBACK");
  }
  expect(recorder.calls).toEqual([]);
});
