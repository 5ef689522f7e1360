/**
 * Random statements that write, against PostgreSQL (SCRATCHPAD_TEST_PG: its port): rows, tag, SQLSTATE, tables afterwards.
 * Without one they are held against themselves: a failure has sent nothing, and a transaction comes to the same.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { world } from "./fixture.js";
import { Oracle } from "./oracle.js";
import { isWrite, outcome } from "./outcome.js";
import { randomWrite } from "./random-statements.js";

const port = process.env.SCRATCHPAD_TEST_PG;
if (port === undefined) console.warn("Random writes are not compared with a server: SCRATCHPAD_TEST_PG is not set.");
const policy = { writes: true, unboundedWrites: true };
let oracle: Oracle | undefined;

beforeAll(async () => {
  if (port !== undefined) oracle = await Oracle.open(Number(port));
});
afterAll(async () => {
  await oracle?.close();
});

test.each(Array.from({ length: 12 }, (_, i) => i * 20))("seeds from %i", async (first) => {
  for (let seed = first; seed < first + 20; seed++) {
    const sql = randomWrite(seed);
    const own = await world({ policy });
    const before = own.state();
    const { words: _, ...got } = await outcome(own, { sql }, before);
    const calls = own.take();
    if ("code" in got) {
      expect(calls.filter(isWrite), `seed ${seed}: ${sql}`).toEqual([]);
    } else {
      const staged = await world({ policy });
      await staged.db.execute("BEGIN");
      await staged.db.execute(sql);
      expect(staged.state(), `seed ${seed}: ${sql}`).toEqual(before);
      await staged.db.execute("COMMIT");
      expect(staged.state(), `seed ${seed}: ${sql}`).toEqual(own.state());
    }
    if (oracle === undefined) continue;
    const answer = await oracle.answer({ name: "", sql, calls: [] });
    // What goes straight to its calls counts these: nobody has looked whether the row is there.
    const isDirect = calls.length > 0 && calls.every(isWrite) && /^(UPDATE|DELETE)/.test(sql);
    const expected = isDirect && "tag" in answer && "tag" in got ? { ...answer, tag: got.tag } : answer;
    expect(got, `seed ${seed}: ${sql}`).toEqual(expected);
  }
});
